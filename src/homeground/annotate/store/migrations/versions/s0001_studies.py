"""Studies, people, invitations, items, leases, judgements, events."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_APPEND_ONLY = ("judgement", "event")


def upgrade() -> None:
    """Make the tables, and triggers that refuse to change or delete what was said and what happened."""
    text = sa.Text()

    def column(name: str, kind: Any, *more: Any, **how: Any) -> sa.Column[Any]:  # noqa: ANN401
        return sa.Column(name, kind, *more, **({"nullable": False} | how))

    op.create_table(
        "study", column("id", sa.String(80), primary_key=True), column("kind", sa.String(40)),
        column("title", text), column("status", sa.String(20)), column("settings", text),
        column("created", sa.Float()),
    )  # fmt: skip
    op.create_table(
        "consent", column("version", sa.String(40), primary_key=True), column("language", sa.String(20)),
        column("text", text),
    )  # fmt: skip
    op.create_table(
        "person", column("id", sa.String(32), primary_key=True),
        column("study_id", sa.String(80), sa.ForeignKey("study.id"), index=True), column("role", sa.String(20)),
        column("culture", sa.String(60), nullable=True),
        column("pseudonym", sa.String(80), nullable=True, unique=True), column("stage", sa.String(20)),
        column("consent", sa.String(40), sa.ForeignKey("consent.version"), nullable=True),
        column("years", sa.Integer(), nullable=True),
        column("link_hash", sa.String(64), nullable=True, unique=True), column("created", sa.Float()),
    )  # fmt: skip
    op.create_table(
        "identity", column("person_id", sa.String(32), sa.ForeignKey("person.id"), primary_key=True),
        column("recruitment", text),
    )  # fmt: skip
    op.create_table(
        "invite", column("token_hash", sa.String(64), primary_key=True),
        column("study_id", sa.String(80), sa.ForeignKey("study.id"), index=True), column("role", sa.String(20)),
        column("culture", sa.String(60), nullable=True), column("expires", sa.Float()),
        column("used", sa.Float(), nullable=True),
    )  # fmt: skip
    op.create_table(
        "session", column("token_hash", sa.String(64), primary_key=True),
        column("person_id", sa.String(32), sa.ForeignKey("person.id"), index=True), column("expires", sa.Float()),
    )  # fmt: skip
    op.create_table(
        "item", column("id", sa.String(64), primary_key=True),
        column("study_id", sa.String(80), sa.ForeignKey("study.id")), column("culture", sa.String(60)),
        column("content", text),
    )  # fmt: skip
    op.create_index("ix_item_study_culture", "item", ["study_id", "culture"])
    op.create_table(
        "lease", column("item_id", sa.String(64), sa.ForeignKey("item.id"), primary_key=True),
        column("person_id", sa.String(32), sa.ForeignKey("person.id"), primary_key=True, index=True),
        column("until", sa.Float()),
    )  # fmt: skip
    op.create_table(
        "judgement", column("id", _KEY, primary_key=True, autoincrement=True),
        column("client_id", sa.String(64), unique=True),
        column("item_id", sa.String(64), sa.ForeignKey("item.id"), index=True), column("verdict", sa.String(20)),
        column("made", sa.Float()),
    )  # fmt: skip
    op.create_table(
        "authorship", column("judgement_id", _KEY, sa.ForeignKey("judgement.id"), primary_key=True),
        column("person_id", sa.String(32), sa.ForeignKey("person.id")),
        column("item_id", sa.String(64), sa.ForeignKey("item.id")),
        sa.UniqueConstraint("person_id", "item_id", name="uq_authorship_person_item"),
    )  # fmt: skip
    op.create_table(
        "remark", column("judgement_id", _KEY, sa.ForeignKey("judgement.id"), primary_key=True),
        column("text", text),
    )  # fmt: skip
    op.create_table(
        "event", column("id", _KEY, primary_key=True, autoincrement=True), column("at", sa.Float()),
        column("study_id", sa.String(80), sa.ForeignKey("study.id"), index=True), column("kind", sa.String(40)),
        column("subject", sa.String(80)), column("detail", text),
    )  # fmt: skip
    _append_only()


def _append_only() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in _APPEND_ONLY:
            for what in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in _APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
