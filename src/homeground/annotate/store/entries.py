"""Questions on their way, as pages and exports read them: newest content, history, looks at models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import LOCKED
from homeground.annotate.store.question_tables import Entry, EntryVersion, Look, Writing
from homeground.annotate.store.tables import Event, Person, Study
from homeground.schema import Question

STATUSES = ("draft", "proposed", "sent_back", "accepted", "rejected", "dropped", "merged")
ROUNDS = ("trial", "main", "review")
_BY_SOMEBODY = ("written", "revised", "corrected", "merged")
"""Events that say that a version was made, and what the entry was then; an imported version has none."""


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
    rounds: Sequence[str] = ROUNDS, private: bool = True,
) -> list[Shown]:  # fmt: skip
    """Entries by number: of one author (a person's id), of some statuses, of some rounds; without ``private`` none
    that was taken back as a draft."""
    with store.read() as session:
        wanted = select(Entry.id).where(
            Entry.study_id == study, Entry.status.in_(statuses), Entry.round.in_(rounds)
        )
        if author is not None:
            wanted = wanted.where(Entry.id.in_(select(Writing.entry_id).where(Writing.person_id == author)))
        rows = _shown(session, study, wanted)
        passed_over = set() if private else _kept_back(session, study)
        return [row for row in rows if row.id not in passed_over]


def kept_back(store: Store, study: str) -> set[str]:
    """Entries that were taken back as drafts: their writers' own affair, as drafts are."""
    with store.read() as session:
        return _kept_back(session, study)


def is_private(store: Store, study: str, entry: Shown) -> bool:
    """Whether an entry is its writer's own affair: a draft, or taken back as one."""
    return entry.status == "draft" or (entry.status == "dropped" and entry.id in kept_back(store, study))


def history(store: Store, study: str, entry: str, *, drafts: bool = True) -> list[Past]:
    """The versions of an entry, the first first; without ``drafts`` those that were handed over."""
    with store.read() as session:
        rows = session.execute(versions_of(study).where(Entry.id == entry)).all()
        # Asked after the versions: of one that comes meanwhile nothing is shown.
        saved = {} if drafts else saved_as(session, study, [entry])[entry]
    return [
        Past(row.version, _question(entry, row.content), name or "", row.why, row.guidelines, row.made)
        for row, name in rows
        if saved.get(row.version) != "draft"
    ]


def saved_as(
    session: Session, study: str, entries: Sequence[str] | Select[str]
) -> defaultdict[str, dict[int, str]]:
    """What entries were once each version was saved, the newest first; nothing for one that was imported.

    The log holds one event for each version that somebody made, in order, and the last is the newest version's.
    """
    rows = session.execute(
        select(Event.subject, Event.detail, Entry.version)
        .join(Entry, Entry.id == Event.subject)
        .where(
            Event.study_id == study,
            Event.subject.in_(entries),
            Event.kind.in_(_BY_SOMEBODY),
            Event.detail.in_(STATUSES),  # of an entry that was merged into another, the event names that one
        )
        .order_by(Event.id.desc())
    )
    found: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for entry, status, newest in rows:
        found[entry][newest - len(found[entry])] = status
    return found


def _kept_back(session: Session, study: str) -> set[str]:
    dropped = select(Entry.id).where(Entry.study_id == study, Entry.status == "dropped")
    saved = saved_as(session, study, dropped)
    return {entry for entry, statuses in saved.items() if next(iter(statuses.values())) == "draft"}


def locked_entry(session: Session, entry: str) -> Entry | None:
    """An entry as it is once nobody else can change it."""
    return session.get(Entry, entry, **LOCKED)


def wrote(session: Session, entry: str, person_id: str) -> bool:
    """Whether the person wrote any version of an entry."""
    mine = select(Writing.version).where(Writing.entry_id == entry, Writing.person_id == person_id)
    return session.scalars(mine).first() is not None


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


def _shown(session: Session, study: str, entries: Sequence[str] | Select[str]) -> list[Shown]:
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
