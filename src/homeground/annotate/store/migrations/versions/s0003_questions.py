"""What writing questions needs: entries in versions, reviews, verdicts, discussion, guidelines, looks at models."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_APPEND_ONLY = ("entry_version", "verdict", "guidelines", "look")


def upgrade() -> None:
    """Make the tables; what was written and decided cannot be changed or deleted."""
    text, real, whole = sa.Text(), sa.Float(), sa.Integer()

    def column(name: str, kind: Any, *more: Any, **how: Any) -> sa.Column[Any]:  # noqa: ANN401
        return sa.Column(name, kind, *more, **({"nullable": False} | how))

    def of(table: str, size: int = 32, **how: Any) -> sa.Column[Any]:  # noqa: ANN401
        return column(f"{table}_id", sa.String(size), sa.ForeignKey(f"{table}.id"), **how)

    def key() -> sa.Column[Any]:
        return column("id", _KEY, primary_key=True, autoincrement=True)

    def client() -> sa.Column[Any]:
        return column("client_id", sa.String(64), unique=True)

    op.create_table(
        "entry", column("id", sa.String(32), primary_key=True), of("study", 80, index=True), column("number", whole),
        column("round", sa.String(20)), column("status", sa.String(20)), column("version", whole),
        column("merged_into", sa.String(32), nullable=True), column("original", text, nullable=True),
        column("created", real), column("changed", real),
        sa.UniqueConstraint("study_id", "number", name="uq_entry_number"),
    )  # fmt: skip
    op.create_table(
        "entry_version", of("entry", primary_key=True), column("version", whole, primary_key=True), client(),
        column("content", text), column("guidelines", whole), column("why", sa.String(20)), column("made", real),
    )  # fmt: skip
    op.create_table(
        "writing", of("entry", primary_key=True), column("version", whole, primary_key=True),
        of("person", index=True),
    )  # fmt: skip
    op.create_table(
        "review", of("entry", primary_key=True), of("person", primary_key=True, index=True),
        column("version", whole), column("until", real),
    )  # fmt: skip
    op.create_table(
        "verdict", key(), client(), of("entry", index=True), column("version", whole),
        column("decision", sa.String(20)), column("guidelines", whole), column("marks", text), column("made", real),
    )  # fmt: skip
    op.create_table(
        "verdict_authorship", column("verdict_id", _KEY, sa.ForeignKey("verdict.id"), primary_key=True),
        of("person"), of("entry"), column("version", whole),
        sa.UniqueConstraint("person_id", "entry_id", "version", name="uq_verdict_once"),
    )  # fmt: skip
    op.create_table(
        "verdict_remark", column("verdict_id", _KEY, sa.ForeignKey("verdict.id"), primary_key=True),
        column("text", text),
    )  # fmt: skip
    op.create_table(
        "comment", key(), client(), of("entry", index=True), of("person", index=True), column("text", text),
        column("made", real),
    )  # fmt: skip
    op.create_table(
        "guidelines", of("study", 80, primary_key=True), column("version", whole, primary_key=True),
        column("content", text), column("made", real),
    )  # fmt: skip
    op.create_table(
        "look", key(), of("entry", index=True), column("version", whole), column("model", sa.String(200)),
        column("condition", sa.String(20)), column("text", text), column("correct", sa.Boolean(), nullable=True),
        column("made", real),
    )  # fmt: skip
    _append_only()


def _append_only() -> None:
    for table in _APPEND_ONLY:
        if op.get_bind().dialect.name == "sqlite":
            for what in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
        else:
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
