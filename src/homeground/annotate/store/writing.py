"""Questions written, revised, taken back, merged, imported: each change is a version, and none is lost.

Every change is one transaction that locks the person's row, then the entry's, and names the version that it began from:
whoever was slower is told, and nothing is overwritten. For a new entry it first locks the study, which numbers them.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from homeground.annotate.store import guidance
from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import locked_entry, round_of, saved_as, wrote
from homeground.annotate.store.forms import made_by
from homeground.annotate.store.leases import load_of, locked, locked_study, log
from homeground.annotate.store.question_tables import Entry, EntryVersion, Look, Writing
from homeground.annotate.store.tables import Person, Study
from homeground.annotate.store.verdicts import JUDGES
from homeground.errors import InputError
from homeground.schema import Question

_WRITERS_MAY_CHANGE = ("draft", "proposed", "sent_back")
MERGED_FROM = ("proposed", "sent_back", "accepted")
"""What can be merged: not what is out of the set, nor a draft, which is its writer's own affair."""
_NOBODY: Mapping[str, Sequence[str]] = MappingProxyType({})
Fault = Literal["conflict", "closed", "unknown"]
"""``conflict``: somebody changed it meanwhile. ``closed``: the study rests, or this person may not change it now."""


class Written(NamedTuple):
    """An entry after a change."""

    entry: str
    version: int


def write(
    store: Store,
    person_id: str,
    client_id: str,
    question: Question,
    now: float,
    *,
    entry: str | None = None,
    base: int = 0,
    propose: bool = False,
) -> Written | Fault:
    """Keep what somebody wrote, as a draft or as a proposal.

    Args:
        store: where to.
        person_id: an author; an adjudicator or admin can correct what is there.
        client_id: the form's own: sent again as it was, it counts once. With something else in it, it changes what it
            made before, as long as nobody else has.
        question: the content; its id does not matter.
        now: seconds since 1970.
        entry: which one is changed; a new one without it.
        base: the version that the change began from.
        propose: hand it to the adjudicators.
    """
    with store.write() as session:
        person, study = locked(session, person_id, study=entry is None)
        made, client_id = made_by(session, EntryVersion, client_id)
        if made:
            had = made[-1]
            if entry not in (None, had.entry_id) or not _is_by(session, had, person_id):
                return "closed"
            saved = saved_as(session, study.id, [had.entry_id])[had.entry_id][had.version]
            same = had.content == _text(question, had.entry_id)
            if same and saved == _becomes(person, study, saved, propose):
                return Written(had.entry_id, had.version)
            entry, base = had.entry_id, had.version
        if study.status != "open" or person.stage != "done" or person.role == "annotator":
            return "closed"
        if entry is None:
            found, why = _new(session, study, round_of(study), now), "written"
        else:
            known = locked_entry(session, entry)
            if known is None or known.study_id != study.id:
                return "unknown"
            own = wrote(session, entry, person_id)
            if not _may_change(person, known, own):
                return "closed"
            if known.version != base:
                return "conflict"
            found, why = known, "revised" if own else "corrected"
        found.status = _becomes(person, study, found.status, propose)
        _append(session, found, client_id, question, person_id, why, now)
        return Written(found.id, found.version)


def entry_of(store: Store, client_id: str) -> str | None:
    """The entry that a form has written or changed, if it was sent before."""
    with store.read() as session:
        made, _ = made_by(session, EntryVersion, client_id)
        return made[-1].entry_id if made else None


def take_back(store: Store, person_id: str, entry: str, base: int, now: float) -> Fault | None:
    """An author takes back an entry of their own that is not decided yet."""
    with store.write() as session:
        person, study = locked(session, person_id, study=False)
        found = locked_entry(session, entry)
        if found is None or found.study_id != study.id:
            return "unknown"
        if study.status != "open" or not wrote(session, entry, person_id):
            return "closed"
        if found.status not in _WRITERS_MAY_CHANGE or person.role != "author":
            return "closed"
        if found.version != base:
            return "conflict"
        found.status, found.changed = "dropped", now
        log(session, study.id, "dropped", entry, "", now)
        return None


def merge(
    store: Store,
    person_id: str,
    client_id: str,
    keep: tuple[str, int],
    others: Sequence[tuple[str, int]],
    question: Question,
    now: float,
) -> Written | Fault:
    """Keep one of several entries that ask the same, with new content (such as all aliases); the others point to it.

    Args:
        store: where to.
        person_id: an adjudicator or admin.
        client_id: the form's own.
        keep: entry and version of the one that stays, with its status.
        others: entries and versions of those that go.
        question: the content from now on.
        now: seconds since 1970.
    """
    with store.write() as session:
        person, study = locked(session, person_id, study=False)
        made, client_id = made_by(session, EntryVersion, client_id)
        rows = {row.id: row for row in _rows(session, study.id, [keep[0], *(one for one, _ in others)])}
        if made:
            had, into = made[0], {rows[one].merged_into for one, _ in others if one in rows}
            same = had.content == _text(question, keep[0]) and into == {keep[0]}
            same = same and _is_by(session, had, person_id)
            return Written(had.entry_id, had.version) if same else "conflict"
        if study.status == "closed" or person.stage != "done" or person.role not in JUDGES:
            return "closed"
        if len(rows) != 1 + len({one for one, _ in others}) or keep[0] in {one for one, _ in others}:
            return "unknown"
        if any(
            rows[one].version != version or rows[one].status not in MERGED_FROM
            for one, version in (keep, *others)
        ):
            return "conflict"
        if len({row.round == "trial" for row in rows.values()}) > 1:
            # Nothing that the trial round says may get into what is released.
            return "closed"
        kept = rows[keep[0]]
        _append(session, kept, client_id, question, person_id, "merged", now)
        for one, _ in others:
            rows[one].status, rows[one].merged_into, rows[one].changed = "merged", kept.id, now
            log(session, study.id, "merged", one, kept.id, now)
        return Written(kept.id, kept.version)


def put_imported(
    store: Store,
    study: str,
    questions: Sequence[Question],
    now: float,
    *,
    screened_by: Mapping[str, Sequence[str]] = _NOBODY,
) -> int:
    """Put questions of another set into the queue of adjudicators; those that are there already stay as they are.

    Args:
        store: where to.
        study: one of questions.
        questions: to be reviewed.
        now: seconds since 1970.
        screened_by: models that a question was chosen against, by its id; kept with the original.

    Returns:
        How many are new.

    Raises:
        InputError: one has the id of another that is there; nothing is put.
    """
    with store.write() as session:
        found = locked_study(session, study)
        had = select(Entry.id, Entry.original).where(Entry.study_id == study, Entry.original.is_not(None))
        known = {entry: msgspec.json.decode(original or "") for entry, original in session.execute(had)}
        number, version = _last_number(session, study), guidance.number_now(session, study)
        rows: list[dict[str, object]] = []
        versions: list[dict[str, object]] = []
        for question in questions:
            entry = uuid.uuid5(uuid.NAMESPACE_OID, f"{study}\n{question.id}").hex
            text = msgspec.json.encode(question).decode()
            against = {"screened_by": models} if (models := screened_by.get(question.id)) else {}
            original = msgspec.json.encode(msgspec.to_builtins(question) | against).decode()
            record = msgspec.json.decode(original)
            if entry in known and known[entry] != record:
                raise InputError(
                    f"study {study!r}: question {question.id!r} is there already as another record (its text, answers "
                    "or screened_by differ), so nothing is imported; right is the same set again, or ids of its own"
                )
            if entry in known:
                continue
            known[entry] = record
            rows.append({
                "id": entry, "study_id": found.id, "number": number + len(rows) + 1, "round": "review",
                "status": "proposed", "version": 1, "original": original, "created": now, "changed": now,
            })  # fmt: skip
            versions.append({
                "entry_id": entry, "version": 1, "client_id": uuid.uuid4().hex, "content": text,
                "guidelines": version, "why": "imported", "made": now,
            })  # fmt: skip
        if rows:
            # With RETURNING, SQLAlchemy makes one statement of many rows; without, pg8000 sends row by row.
            session.execute(insert(Entry).returning(Entry.id), rows)
            session.execute(insert(EntryVersion).returning(EntryVersion.entry_id), versions)
            log(session, study, "imported", study, str(len(rows)), now)
        return len(rows)


def look(
    store: Store, person_id: str, entry: str, version: int, model: str, condition: str, text: str,
    correct: bool | None, now: float,
) -> None:  # fmt: skip
    """Keep a model's answer that somebody looked at."""
    with store.write() as session:
        person = session.get_one(Person, person_id)
        session.add(
            Look(
                entry_id=entry, version=version, model=model, condition=condition, text=text, correct=correct,
                made=now,
            )
        )  # fmt: skip
        log(session, person.study_id, "looked", entry, model, now)


def set_round(store: Store, study: str, new: str, base: int, now: float) -> bool:
    """Begin the trial or the main round.

    Returns:
        Whether it was done: not if somebody changed the study after version ``base`` was read, or it is closed.
    """
    with store.write() as session:
        found = locked_study(session, study)
        if found.version != base or found.status == "closed":
            return False
        if round_of(found) != new:
            kept = msgspec.json.decode(found.settings)
            found.settings = msgspec.json.encode(kept | {"round": new}).decode()
            found.version = base + 1
            log(session, study, "round", study, new, now)
        return True


def _may_change(person: Person, entry: Entry, own: bool) -> bool:
    if person.role == "author":
        return own and entry.status in _WRITERS_MAY_CHANGE
    # What its writer has not handed over yet is nobody else's to change, whoever corrected it before.
    return entry.status not in ("draft", "dropped", "merged")


def _becomes(person: Person, study: Study, status: str, propose: bool) -> str:
    """What saving makes of an entry: whoever corrects one leaves it what it is. Where several decide, others judge the
    correction of one that is accepted."""
    if propose or (status == "accepted" and load_of(study).quota > 1):
        return "proposed"
    return "draft" if person.role == "author" else status


def _is_by(session: Session, had: EntryVersion, person_id: str) -> bool:
    writing = session.get(Writing, (had.entry_id, had.version))
    return writing is not None and writing.person_id == person_id


def _text(question: Question, entry: str) -> str:
    return msgspec.json.encode(msgspec.structs.replace(question, id=entry)).decode()


def _new(session: Session, study: Study, round_: str, now: float) -> Entry:
    entry = Entry(
        id=uuid.uuid4().hex, study_id=study.id, number=_last_number(session, study.id) + 1, round=round_,
        status="draft", version=0, created=now, changed=now,
    )  # fmt: skip
    session.add(entry)
    session.flush()
    return entry


def _append(
    session: Session, entry: Entry, client_id: str, question: Question, person_id: str, why: str, now: float
) -> None:
    entry.version, entry.changed = entry.version + 1, now
    session.add(
        EntryVersion(
            entry_id=entry.id, version=entry.version, client_id=client_id, content=_text(question, entry.id),
            guidelines=guidance.number_now(session, entry.study_id), why=why, made=now,
        )
    )  # fmt: skip
    session.add(Writing(entry_id=entry.id, version=entry.version, person_id=person_id))
    log(session, entry.study_id, why, entry.id, entry.status, now)


def _last_number(session: Session, study: str) -> int:
    return session.scalar(select(func.max(Entry.number)).where(Entry.study_id == study)) or 0


def _rows(session: Session, study: str, entries: Sequence[str]) -> list[Entry]:
    """Entries as they are once nobody else can change them; locked in one order, so that no two wait for each other."""
    some = select(Entry).where(Entry.study_id == study, Entry.id.in_(entries)).order_by(Entry.id)
    return list(session.scalars(some.with_for_update(key_share=True)))
