"""What the validation study needs: cells and families of items, answers with their time, replies, shared links."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add columns and tables; what is there stays as it is."""
    text, real = sa.Text(), sa.Float()

    def add(table: str, name: str, kind: Any, default: str | None = None) -> None:  # noqa: ANN401
        op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))

    add("study", "version", sa.Integer(), "1")
    add("person", "seen", real)
    add("identity", "platform_key", sa.String(64))
    op.create_index("uq_identity_platform_key", "identity", ["platform_key"], unique=True)
    add("item", "cell", sa.String(60), "")
    add("item", "family", sa.String(120), "")
    add("item", "part", sa.String(20), "evaluation")
    add("item", "quota", sa.Integer())
    add("lease", "since", real, "0")
    add("judgement", "answer", text)
    add("judgement", "seconds", real)

    def column(name: str, kind: Any, *more: Any, **how: Any) -> sa.Column[Any]:  # noqa: ANN401
        return sa.Column(name, kind, *more, **({"nullable": False} | how))

    op.create_table(
        "recruiting", column("token_hash", sa.String(64), primary_key=True),
        column("study_id", sa.String(80), sa.ForeignKey("study.id"), index=True),
        column("platform", sa.String(20)), column("culture", sa.String(60)), column("most", sa.Integer()),
        column("joined", sa.Integer()), column("expires", real), column("made", real),
    )  # fmt: skip
    op.create_table(
        "reply", column("id", _KEY, primary_key=True, autoincrement=True),
        column("person_id", sa.String(32), sa.ForeignKey("person.id"), index=True),
        column("step", sa.String(20)), column("attempt", sa.Integer()), column("question", sa.String(80)),
        column("answer", text), column("correct", sa.Boolean(), nullable=True), column("at", real),
        sa.UniqueConstraint("person_id", "step", "attempt", "question", name="uq_reply"),
    )  # fmt: skip
