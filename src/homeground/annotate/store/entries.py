"""Questions on their way, as pages and exports read them: newest content, history, looks at models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.question_tables import Entry, EntryVersion, Look, Writing
from homeground.annotate.store.tables import Person, Study
from homeground.schema import Question

STATUSES = ("draft", "proposed", "sent_back", "accepted", "rejected", "dropped", "merged")
ROUNDS = ("trial", "main", "review")


class Shown(NamedTuple):
    """An entry with its newest content."""

    id: str
    number: int
    round: str
    status: str
    version: int
    question: Question
    """Its ``id`` is the entry's."""
    created: float
    changed: float
    merged_into: str | None
    imported: bool


class Past(NamedTuple):
    """A version of an entry."""

    version: int
    question: Question
    person: str
    """Pseudonym of who wrote it; empty for nobody, or once they have withdrawn."""
    why: str
    guidelines: int
    made: float


def versions_of(study: str) -> Select[EntryVersion, str | None]:
    """All versions of a study's entries, in order, with the pseudonym of who wrote each."""
    written = (Writing.entry_id == EntryVersion.entry_id) & (Writing.version == EntryVersion.version)
    return (
        select(EntryVersion, Person.pseudonym)
        .join(Entry, Entry.id == EntryVersion.entry_id)
        .outerjoin(Writing, written)
        .outerjoin(Person, Person.id == Writing.person_id)
        .where(Entry.study_id == study)
        .order_by(EntryVersion.version)
    )


def looks_of(study: str) -> Select[Look]:
    """All looks at models in a study, in order."""
    return (
        select(Look).join(Entry, Entry.id == Look.entry_id).where(Entry.study_id == study).order_by(Look.id)
    )


def looks(store: Store, study: str, entry: str | None = None) -> list[Look]:
    """The looks at models, of one entry or of all, in order."""
    with store.read() as session:
        wanted = looks_of(study)
        return list(session.scalars(wanted if entry is None else wanted.where(Entry.id == entry)))


def shown(store: Store, study: str, entry: str) -> Shown | None:
    """One entry of the study."""
    with store.read() as session:
        rows = _shown(session, study, [entry])
        return rows[0] if rows else None


def listed(
    store: Store, study: str, *, author: str | None = None, statuses: Sequence[str] = STATUSES,
    rounds: Sequence[str] = ROUNDS,
) -> list[Shown]:  # fmt: skip
    """Entries by number: of one author (a person's id), of some statuses, of some rounds."""
    with store.read() as session:
        wanted = select(Entry.id).where(
            Entry.study_id == study, Entry.status.in_(statuses), Entry.round.in_(rounds)
        )
        if author is not None:
            wanted = wanted.where(Entry.id.in_(select(Writing.entry_id).where(Writing.person_id == author)))
        return _shown(session, study, list(session.scalars(wanted)))


def history(store: Store, study: str, entry: str) -> list[Past]:
    """All versions of an entry, the first first."""
    with store.read() as session:
        rows = session.execute(versions_of(study).where(Entry.id == entry)).all()
    return [
        Past(row.version, _question(entry, row.content), name or "", row.why, row.guidelines, row.made)
        for row, name in rows
    ]


def wrote(session: Session, entry: str, person_id: str) -> bool:
    """Whether the person wrote any version of an entry."""
    mine = select(Writing.version).where(Writing.entry_id == entry, Writing.person_id == person_id)
    return session.scalars(mine).first() is not None


def written_by(session: Session, person_id: str, entries: Sequence[str]) -> set[str]:
    """Those of some entries of which the person wrote any version."""
    if not entries:
        return set()
    mine = select(Writing.entry_id).where(Writing.person_id == person_id, Writing.entry_id.in_(entries))
    return set(session.scalars(mine))


def is_author(store: Store, entry: str, person_id: str) -> bool:
    """Whether the person wrote any version of an entry."""
    with store.read() as session:
        return wrote(session, entry, person_id)


def round_now(store: Store, study: str) -> str:
    """The round that new entries are of."""
    with store.read() as session:
        return round_of(session.get_one(Study, study))


def round_of(study: Study) -> str:
    """The round that new entries are of."""
    found: str = msgspec.json.decode(study.settings).get("round", "main")
    return found


def _shown(session: Session, study: str, entries: Sequence[str]) -> list[Shown]:
    rows = session.execute(
        select(Entry, EntryVersion.content)
        .join(EntryVersion, (EntryVersion.entry_id == Entry.id) & (EntryVersion.version == Entry.version))
        .where(Entry.study_id == study, Entry.id.in_(entries))
        .order_by(Entry.number)
    )
    return [
        Shown(
            row.id, row.number, row.round, row.status, row.version, _question(row.id, content), row.created,
            row.changed, row.merged_into, row.original is not None,
        )
        for row, content in rows
    ]  # fmt: skip


def _question(entry: str, content: str) -> Question:
    return msgspec.structs.replace(msgspec.json.decode(content, type=Question), id=entry)
