"""What an adjudicator has judged, for their own eyes."""

from __future__ import annotations

import json
from typing import NamedTuple

import msgspec
from sqlalchemy import func, select

from homeground.annotate.store.database import Store
from homeground.annotate.store.question_tables import (
    Entry,
    EntryVersion,
    Verdict,
    VerdictAuthorship,
    VerdictRemark,
)
from homeground.schema import Question


class Mine(NamedTuple):
    """A verdict as whoever made it looks back on it."""

    entry: str
    number: int
    question: Question
    """As it was judged."""
    version: int
    decision: str
    comment: str
    made: float
    status: str
    """What the entry is now."""
    newest: int
    """Its newest version."""


def judged_by(store: Store, person_id: str) -> int:
    """How many verdicts the person has made."""
    with store.read() as session:
        made = select(func.count()).where(VerdictAuthorship.person_id == person_id)
        return session.scalar(made) or 0


def judged(store: Store, person_id: str, most: int, after: int = 0) -> list[Mine]:
    """The person's own verdicts, the newest first.

    Args:
        store: where they are.
        person_id: whose.
        most: how many.
        after: so many are passed over.
    """
    with store.read() as session:
        rows = session.execute(
            select(Verdict, Entry, EntryVersion.content, VerdictRemark.text)
            .join(VerdictAuthorship, VerdictAuthorship.verdict_id == Verdict.id)
            .join(Entry, Entry.id == Verdict.entry_id)
            .join(
                EntryVersion,
                (EntryVersion.entry_id == Verdict.entry_id) & (EntryVersion.version == Verdict.version),
            )
            .outerjoin(VerdictRemark, VerdictRemark.verdict_id == Verdict.id)
            .where(VerdictAuthorship.person_id == person_id)
            .order_by(Verdict.id.desc())
            .limit(most)
            .offset(after)
        ).all()
    return [
        Mine(
            entry.id, entry.number, msgspec.json.decode(content, type=Question), row.version, row.decision,
            json.loads(remark or "{}").get("", ""), row.made, entry.status, entry.version,
        )
        for row, entry, content, remark in rows
    ]  # fmt: skip
