"""Adjudication: a queue blind to the writer, verdicts, tie-breaks, discussion."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy import ScalarSelect, Select, and_, delete, func, or_, select
from sqlalchemy.orm import Session

from homeground.annotate.store import guidance
from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import wrote
from homeground.annotate.store.leases import load_of, locked, log
from homeground.annotate.store.question_tables import (
    Comment,
    Entry,
    Review,
    Verdict,
    VerdictAuthorship,
    VerdictRemark,
    Writing,
)
from homeground.annotate.store.tables import Person, Study

DECISIONS = {"accept": "accepted", "send_back": "sent_back", "reject": "rejected"}
"""What a decision makes of an entry."""
MARKS = ("keeps", "breaks", "unsure")
JUDGES = ("adjudicator", "admin")
"""Roles that may judge."""
_MOST = 3
"""Decisions on a version: two and a tie-break."""
Outcome = Literal["kept", "had", "stale", "closed"]
"""``stale``: the entry has a newer version, or is decided."""


class Decided(NamedTuple):
    """A verdict as others see it."""

    version: int
    decision: str
    marks: dict[str, str]
    comments: dict[str, str]
    """By guideline; the one on the whole under the empty name."""
    guidelines: int
    person: str
    """Pseudonym; empty once they have withdrawn."""
    made: float


class Said(NamedTuple):
    """A word in the discussion."""

    person: str
    role: str
    text: str
    made: float


def next_review(
    store: Store, person_id: str, now: float, prefer: str = ""
) -> tuple[str, int] | Literal["done", "wait", "paused"]:
    """The entry and version that the adjudicator holds, else the oldest that still needs one of them.

    Nobody gets what they wrote or corrected. ``wait``: all that is left is in other hands.

    Args:
        store: where to.
        person_id: an adjudicator.
        now: seconds since 1970.
        prefer: the entry that comes first if it may be theirs: one that was changed while they read it.
    """
    with store.write() as session:
        person, study = locked(session, person_id)
        if study.status != "open" or person.stage != "done" or person.role not in JUDGES:
            return "paused"
        person.seen = now
        load = load_of(study)
        until = now + 60 * load.minutes
        session.execute(delete(Review).where(Review.until <= now))
        held = session.scalars(select(Review).where(Review.person_id == person_id)).first()
        if held is not None:
            had = session.get_one(Entry, held.entry_id)
            if had.status == "proposed" and had.version == held.version:
                held.until = until
                return had.id, had.version
            session.delete(held)
        mine = _unseen(study, person_id)
        said, in_hand = _count(Verdict), _count(Review)
        # With as many verdicts as were asked for, all that can be missing is one tie-break.
        needy = or_(said + in_hand < load.quota, and_(said >= load.quota, in_hand == 0))
        first = mine.where(needy).order_by((Entry.id == prefer).desc(), Entry.changed, Entry.number).limit(1)
        while (entry := session.scalars(first).first()) is not None:
            decisions = _decisions(session, entry)
            if len(decisions) < _wanted(study, decisions):
                session.add(
                    Review(entry_id=entry.id, person_id=person_id, version=entry.version, until=until)
                )
                return entry.id, entry.version
            # The study asks for fewer verdicts than it did when they were made.
            _settle(session, study, entry, now)
        return "done" if session.scalars(mine.limit(1)).first() is None else "wait"


def _unseen(study: Study, person_id: str) -> Select[Entry]:
    """What waits for verdicts, and was neither written nor judged by the person."""
    wrote = select(Writing.version).where(Writing.entry_id == Entry.id, Writing.person_id == person_id)
    judged = select(VerdictAuthorship.verdict_id).where(
        VerdictAuthorship.entry_id == Entry.id,
        VerdictAuthorship.version == Entry.version,
        VerdictAuthorship.person_id == person_id,
    )
    return select(Entry).where(
        Entry.study_id == study.id, Entry.status == "proposed", ~wrote.exists(), ~judged.exists()
    )


def _count(of: type[Verdict] | type[Review]) -> ScalarSelect[int]:
    """How many there are of an entry's newest version; one of a version before it holds nothing up."""
    rows = select(func.count()).select_from(of)
    return rows.where(of.entry_id == Entry.id, of.version == Entry.version).scalar_subquery()


def judge(
    store: Store,
    person_id: str,
    client_id: str,
    entry_id: str,
    version: int,
    decision: str,
    marks: Mapping[str, str],
    comments: Mapping[str, str],
    now: float,
) -> Outcome:
    """Keep a verdict on a version; as many as the study asks for decide, and a tie waits for one more."""
    with store.write() as session:
        person, study = locked(session, person_id)
        mine = select(VerdictAuthorship.verdict_id).where(
            VerdictAuthorship.person_id == person_id,
            VerdictAuthorship.entry_id == entry_id,
            VerdictAuthorship.version == version,
        )
        if session.scalars(mine).first() is not None:
            return "had"
        entry = session.get(Entry, entry_id, populate_existing=True)
        if (
            study.status != "open"
            or entry is None
            or entry.study_id != study.id
            or person.stage != "done"
            or person.role not in JUDGES
            or wrote(session, entry_id, person_id)
            or session.scalars(select(Verdict.id).where(Verdict.client_id == client_id)).first() is not None
        ):
            return "closed"
        session.execute(delete(Review).where(Review.entry_id == entry_id, Review.person_id == person_id))
        if entry.status != "proposed" or entry.version != version:
            return "stale"
        person.seen = now
        verdict = Verdict(
            client_id=client_id, entry_id=entry_id, version=version, decision=decision,
            guidelines=guidance.number_now(session, study.id), marks=json.dumps(dict(marks)), made=now,
        )  # fmt: skip
        session.add(verdict)
        session.flush()
        session.add(
            VerdictAuthorship(verdict_id=verdict.id, person_id=person_id, entry_id=entry_id, version=version)
        )
        said = {name: text for name, text in comments.items() if text}
        if said:
            session.add(VerdictRemark(verdict_id=verdict.id, text=json.dumps(said, ensure_ascii=False)))
        log(session, study.id, "verdict", entry_id, decision, now)
        _settle(session, study, entry, now)
        return "kept"


def decided(store: Store, study: str, entry: str | None = None) -> dict[str, list[Decided]]:
    """All verdicts by entry, of one entry or of all, in order."""
    with store.read() as session:
        wanted = (
            select(Verdict, VerdictRemark.text, Person.pseudonym)
            .join(Entry, Entry.id == Verdict.entry_id)
            .outerjoin(VerdictRemark, VerdictRemark.verdict_id == Verdict.id)
            .outerjoin(VerdictAuthorship, VerdictAuthorship.verdict_id == Verdict.id)
            .outerjoin(Person, Person.id == VerdictAuthorship.person_id)
            .where(Entry.study_id == study)
            .order_by(Verdict.id)
        )
        rows = session.execute(wanted if entry is None else wanted.where(Entry.id == entry)).all()
    found: dict[str, list[Decided]] = {}
    for row, remark, name in rows:
        found.setdefault(row.entry_id, []).append(
            Decided(
                row.version, row.decision, json.loads(row.marks), json.loads(remark or "{}"), row.guidelines,
                name or "", row.made,
            )
        )  # fmt: skip
    return found


def comment(store: Store, person_id: str, client_id: str, entry_id: str, text: str, now: float) -> Outcome:
    """Say something on an entry: its writer, an adjudicator or an admin."""
    with store.write() as session:
        person, study = locked(session, person_id)
        if session.scalars(select(Comment.id).where(Comment.client_id == client_id)).first() is not None:
            return "had"
        entry = session.get(Entry, entry_id)
        own = person.role in JUDGES or wrote(session, entry_id, person_id)
        if entry is None or entry.study_id != study.id or study.status == "closed" or not own:
            return "closed"
        if person.stage != "done":
            return "closed"
        session.add(Comment(client_id=client_id, entry_id=entry_id, person_id=person_id, text=text, made=now))
        person.seen = now
        log(session, study.id, "comment", entry_id, "", now)
        return "kept"


def discussion(store: Store, study: str, entry: str) -> list[Said]:
    """What was said on an entry, in order."""
    with store.read() as session:
        rows = session.execute(
            select(Comment, Person)
            .join(Entry, Entry.id == Comment.entry_id)
            .join(Person, Person.id == Comment.person_id)
            .where(Comment.entry_id == entry, Entry.study_id == study)
            .order_by(Comment.id)
        ).all()
    return [Said(person.pseudonym or "", person.role, row.text, row.made) for row, person in rows]


def waiting(store: Store, study: str) -> tuple[int, int]:
    """How many entries wait for a verdict, and how many of these for a tie-break."""
    with store.read() as session:
        found = session.get_one(Study, study)
        said = _said(session, study)
        wait = select(func.count()).where(Entry.study_id == study, Entry.status == "proposed")
        asked = load_of(found).quota
        return session.scalar(wait) or 0, sum(ties(decisions, asked) for decisions in said.values())


def ties(said: Sequence[str], asked: int) -> bool:
    """Whether there are as many decisions as were asked for and no majority among them, so that one more is needed."""
    return asked <= len(said) < _MOST and not _majority(said)


def _majority(said: Sequence[str]) -> bool:
    return max(Counter(said).values(), default=0) * 2 > len(said)


def _said(session: Session, study: str) -> dict[str, list[str]]:
    """The decisions on the newest version of each entry that waits for some."""
    rows = session.execute(
        select(Verdict.entry_id, Verdict.decision)
        .join(Entry, (Entry.id == Verdict.entry_id) & (Entry.version == Verdict.version))
        .where(Entry.study_id == study, Entry.status == "proposed")
        .order_by(Verdict.id)
    )
    found: dict[str, list[str]] = defaultdict(list)
    for entry, decision in rows:
        found[entry].append(decision)
    return found


def _wanted(study: Study, said: Sequence[str]) -> int:
    """Verdicts that a version needs: as many as the study asks for, one more where these have no majority."""
    asked = load_of(study).quota
    return max(asked, len(said) + 1 if ties(said, asked) else 0)


def _decisions(session: Session, entry: Entry) -> list[str]:
    """What was decided on an entry's newest version."""
    made = select(Verdict.decision).where(Verdict.entry_id == entry.id, Verdict.version == entry.version)
    return list(session.scalars(made))


def _settle(session: Session, study: Study, entry: Entry, now: float) -> None:
    said = _decisions(session, entry)
    if len(said) < _wanted(study, said):
        return
    (first, _), *_ = Counter(said).most_common()
    # Three that all differ settle nothing: the writer hears all three.
    decision = first if _majority(said) else "send_back"
    entry.status, entry.changed = DECISIONS[decision], now
    session.execute(delete(Review).where(Review.entry_id == entry.id))
    log(session, study.id, "settled", entry.id, entry.status, now)


def count_by_status(store: Store, study: str) -> dict[tuple[str, str], int]:
    """How many entries there are, by round and status."""
    with store.read() as session:
        rows = session.execute(
            select(Entry.round, Entry.status, func.count())
            .where(Entry.study_id == study)
            .group_by(Entry.round, Entry.status)
        )
        return {(round_, status): number for round_, status, number in rows}
