"""A study of questions at one moment, whole: what its release is made of. Discussions and comments are not read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from homeground.annotate.store import different, guidance
from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import Past, looks_of, versions_of
from homeground.annotate.store.question_tables import (
    Entry,
    Verdict,
    VerdictAuthorship,
)
from homeground.annotate.store.tables import Consent, Person, Study
from homeground.schema import Question


class Judged(NamedTuple):
    """A verdict without its comments."""

    version: int
    decision: str
    marks: dict[str, str]
    guidelines: int
    person: str
    """Pseudonym; empty once they have withdrawn."""
    made: float


class Looked(NamedTuple):
    """A model's answer that somebody looked at while writing."""

    version: int
    model: str
    condition: str
    text: str
    correct: bool | None
    made: float


class EntrySource(NamedTuple):
    """An entry with all that happened to it."""

    id: str
    number: int
    round: str
    status: str
    merged_into: str | None
    original: str | None
    """Of an imported one: the record as it was (JSON)."""
    versions: tuple[Past, ...]
    """The first first; there is at least one."""
    verdicts: tuple[Judged, ...]
    looks: tuple[Looked, ...]


class Taking(NamedTuple):
    """Somebody who takes part and has not withdrawn, by pseudonym."""

    person: str
    role: str
    stage: str
    consent: str | None


class StudySource(NamedTuple):
    """A study of questions."""

    id: str
    title: str
    settings: dict[str, Any]
    entries: tuple[EntrySource, ...]
    """By number."""
    guidelines: tuple[guidance.Version, ...]
    different: tuple[different.Group, ...]
    """Entries that look alike and that people found to ask different things."""
    people: tuple[Taking, ...]
    """By pseudonym."""
    consents: tuple[dict[str, str], ...]
    """The texts that these people agreed to."""


def source(store: Store, study: str) -> StudySource:
    """Everything, as it was at one moment; others can go on writing."""
    with store.read(steady=True) as session:
        found = session.get_one(Study, study)
        people = _people(session, study)
        return StudySource(
            study,
            found.title,
            json.loads(found.settings),
            tuple(_entries(session, study)),
            tuple(guidance.versions_in(session, study)),
            tuple(different.groups_in(session, study)),
            people,
            _consents(session, {one.consent for one in people if one.consent}),
        )


def _entries(session: Session, study: str) -> Iterator[EntrySource]:
    versions, verdicts, looks = _versions(session, study), _verdicts(session, study), _looks(session, study)
    for row in session.scalars(select(Entry).where(Entry.study_id == study).order_by(Entry.number)):
        yield EntrySource(
            row.id, row.number, row.round, row.status, row.merged_into, row.original,
            tuple(versions[row.id]), tuple(verdicts[row.id]), tuple(looks[row.id]),
        )  # fmt: skip


def _versions(session: Session, study: str) -> dict[str, list[Past]]:
    rows = session.execute(versions_of(study))
    found: dict[str, list[Past]] = defaultdict(list)
    decoder = msgspec.json.Decoder(Question)
    for row, name in rows:
        question = decoder.decode(row.content)
        found[row.entry_id].append(Past(row.version, question, name or "", row.why, row.guidelines, row.made))
    return found


def _verdicts(session: Session, study: str) -> dict[str, list[Judged]]:
    rows = session.execute(
        select(Verdict, Person.pseudonym)
        .join(Entry, Entry.id == Verdict.entry_id)
        .outerjoin(VerdictAuthorship, VerdictAuthorship.verdict_id == Verdict.id)
        .outerjoin(Person, Person.id == VerdictAuthorship.person_id)
        .where(Entry.study_id == study)
        .order_by(Verdict.id)
    )
    found: dict[str, list[Judged]] = defaultdict(list)
    for row, name in rows:
        marks = json.loads(row.marks)
        found[row.entry_id].append(
            Judged(row.version, row.decision, marks, row.guidelines, name or "", row.made)
        )
    return found


def _looks(session: Session, study: str) -> dict[str, list[Looked]]:
    rows = session.scalars(looks_of(study))
    found: dict[str, list[Looked]] = defaultdict(list)
    for row in rows:
        found[row.entry_id].append(
            Looked(row.version, row.model, row.condition, row.text, row.correct, row.made)
        )
    return found


def _people(session: Session, study: str) -> tuple[Taking, ...]:
    rows = session.execute(
        select(Person.pseudonym, Person.role, Person.stage, Person.consent).where(
            Person.study_id == study, Person.pseudonym.is_not(None)
        )
    )
    # By code points: a database would order texts by its language.
    return tuple(sorted(Taking(name or "", role, stage, consent) for name, role, stage, consent in rows))


def _consents(session: Session, versions: set[str]) -> tuple[dict[str, str], ...]:
    rows = session.scalars(select(Consent).where(Consent.version.in_(versions)))
    texts = [{"version": row.version, "language": row.language, "text": row.text} for row in rows]
    return tuple(sorted(texts, key=lambda text: text["version"]))
