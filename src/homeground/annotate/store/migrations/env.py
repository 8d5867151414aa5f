"""Run by Alembic: the connection comes from ``store.database.migrate``, whose transaction holds all steps."""

from __future__ import annotations

from alembic import context

from homeground.annotate.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
