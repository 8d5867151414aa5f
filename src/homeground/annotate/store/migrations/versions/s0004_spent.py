"""Numbers of recruitment platforms that took part and whose people are forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "spent", sa.Column("platform_key", sa.String(64), primary_key=True),
        sa.Column("study_id", sa.String(80), sa.ForeignKey("study.id"), nullable=False, index=True),
    )  # fmt: skip
