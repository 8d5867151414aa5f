"""Adjudication: a queue blind to the writer, verdicts, tie-breaks."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Select, and_, delete, func, or_, select
from sqlalchemy.orm import Session

from homeground.annotate.store import guidance
from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import locked_entry, wrote
from homeground.annotate.store.leases import load_of, locked, log
from homeground.annotate.store.question_tables import (
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
Outcome = Literal["kept", "had", "judged", "stale", "closed"]
"""``had``: the same is there already. ``judged``: this person has judged the version already, in another way.
``stale``: the entry has a newer version, or is decided."""


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


def next_review(
    store: Store, person_id: str, now: float, prefer: str = ""
) -> tuple[str, int] | Literal["done", "wait", "paused", "closed"]:
    """The entry and version that the adjudicator holds, else the oldest that still needs one of them.

    Nobody gets what they wrote or corrected. ``wait``: all that is left is in other hands.

    Args:
        store: where to.
        person_id: an adjudicator.
        now: seconds since 1970.
        prefer: the entry that comes first if it may be theirs: one that was changed while they read it.
    """
    with store.write() as session:
        person, study = locked(session, person_id, study=False)
        if study.status == "closed":
            return "closed"
        if study.status != "open" or person.stage != "done" or person.role not in JUDGES:
            return "paused"
        person.seen = now
        load = load_of(study)
        until = now + 60 * load.minutes
        session.execute(delete(Review).where(Review.person_id == person_id, Review.until <= now))
        held = session.scalars(select(Review).where(Review.person_id == person_id)).first()
        if held is not None:
            had = session.get_one(Entry, held.entry_id)
            if had.status == "proposed" and had.version == held.version:
                held.until = until
                return had.id, had.version
            session.delete(held)
        mine = _unseen(study, person_id)
        needy = _needy(mine, load.quota, now).order_by(
            (Entry.id == prefer).desc(), Entry.changed, Entry.number
        )
        # First what nobody is about to take; then, before saying that there is nothing, what somebody may be.
        for skip in (True, False):
            first = needy.limit(1).with_for_update(of=Entry, key_share=True, skip_locked=skip)
            first = first.execution_options(populate_existing=True)
            while (entry := session.scalars(first).first()) is not None:
                # Counted again now that the entry is locked.
                decisions = _decisions(session, entry)
                wanted = _wanted(study, decisions)
                if len(decisions) >= wanted:
                    # The study asks for fewer verdicts than it did when they were made.
                    _settle(session, study, entry, now)
                elif len(decisions) + (session.scalar(_in_hand(entry, now)) or 0) < wanted:
                    session.add(
                        Review(entry_id=entry.id, person_id=person_id, version=entry.version, until=until)
                    )
                    return entry.id, entry.version
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


def _needy(some: Select[Entry], asked: int, now: float) -> Select[Entry]:
    """Those of some entries whose newest version needs more verdicts than are made or in hand. One in hand of a version
    before it holds nothing up."""
    said = select(func.count()).where(Verdict.entry_id == Entry.id, Verdict.version == Entry.version)
    made, held = said.scalar_subquery(), _in_hand(Entry, now).scalar_subquery()
    # With as many verdicts as were asked for, all that can be missing is one tie-break.
    return some.where(or_(made + held < asked, and_(made >= asked, held == 0)))


def _in_hand(entry: Entry | type[Entry], now: float) -> Select[int]:
    """How many people hold the newest version of an entry, or of each."""
    return select(func.count()).where(
        Review.entry_id == entry.id, Review.version == entry.version, Review.until > now
    )


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
        person, study = locked(session, person_id, study=False)
        said = {name: text for name, text in comments.items() if text}
        had = _made(session, person_id, entry_id, version)
        if had is not None:
            return "had" if had == (decision, dict(marks), said) else "judged"
        entry = locked_entry(session, entry_id)
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
        if said:
            session.add(VerdictRemark(verdict_id=verdict.id, text=json.dumps(said, ensure_ascii=False)))
        log(session, study.id, "verdict", entry_id, decision, now)
        _settle(session, study, entry, now)
        return "kept"


def _made(
    session: Session, person_id: str, entry_id: str, version: int
) -> tuple[str, dict[str, str], dict[str, str]] | None:
    """What the person has decided on a version, with marks and comments."""
    row = session.execute(
        select(Verdict, VerdictRemark.text)
        .join(VerdictAuthorship, VerdictAuthorship.verdict_id == Verdict.id)
        .outerjoin(VerdictRemark, VerdictRemark.verdict_id == Verdict.id)
        .where(
            VerdictAuthorship.person_id == person_id,
            VerdictAuthorship.entry_id == entry_id,
            VerdictAuthorship.version == version,
        )
    ).first()
    return None if row is None else (row[0].decision, json.loads(row[0].marks), json.loads(row[1] or "{}"))


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


def waiting(store: Store, study: str) -> int:
    """How many entries wait for a verdict."""
    with store.read() as session:
        wait = select(func.count()).where(Entry.study_id == study, Entry.status == "proposed")
        return session.scalar(wait) or 0


def tied(store: Store, study: str) -> int:
    """How many entries wait for a tie-break."""
    with store.read() as session:
        asked = load_of(session.get_one(Study, study)).quota
        return sum(ties(decisions, asked) for decisions in _said(session, study).values())


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
