"""Which revision of the tables a database has, and which tables belong to one. The steps are Alembic's."""

from __future__ import annotations

import functools

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, Table, create_engine, inspect
from sqlalchemy.exc import InvalidRequestError

from homeground.errors import InputError

MARK = "alembic_version"
"""Alembic's own table; it holds the revision."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "homeground.annotate.store:migrations")
    return config


def current(connection: Connection) -> str | None:
    """The revision of a database; none where it has no tables of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring a database to a revision, all steps in the connection's transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


@functools.cache
def history() -> tuple[str, ...]:
    """All revisions, oldest first."""
    steps = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(step.revision for step in steps)[::-1]


@functools.cache
def _names(revision: str) -> tuple[str, ...]:
    """The tables of a revision, found by making them: a database may hold those of others too."""
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            upgrade(connection, revision)
            return tuple(name for name in inspect(connection).get_table_names() if name != MARK)
    finally:
        engine.dispose()


def tables(connection: Connection, revision: str) -> list[Table]:
    """The tables of a database at a revision as they are there, those that others point to first.

    Raises:
        InputError: some are missing.
    """
    found = MetaData()
    try:
        found.reflect(connection, only=_names(revision))
    except InvalidRequestError as error:
        raise InputError(f"{connection.engine.url!r}: tables of revision {revision} are missing") from error
    return found.sorted_tables
