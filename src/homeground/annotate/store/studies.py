"""A study as a whole: made from its file, started and paused, what was said so far."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import LOCKED, Load, locked_study, log
from homeground.annotate.store.settled import check
from homeground.annotate.store.tables import (
    Authorship,
    Consent,
    Item,
    Judgement,
    Person,
    Remark,
    Reply,
    Study,
)

STATUSES = ("open", "paused", "closed")


class NewItem(NamedTuple):
    """An item before it is in the store."""

    id: str
    culture: str
    content: dict[str, Any]
    cell: str = ""
    family: str = ""
    part: str = "evaluation"
    quota: int | None = None


class Said(NamedTuple):
    """One judgement with its item; the author's pseudonym is empty once that person has withdrawn."""

    item: str
    culture: str
    content: dict[str, Any]
    part: str
    verdict: str
    answer: dict[str, Any]
    """Empty where the verdict is all."""
    seconds: float | None
    comment: str
    person: str
    made: float


def put(
    store: Store,
    study: str,
    kind: str,
    title: str,
    load: Load,
    items: Iterable[NewItem],
    now: float,
    more: Mapping[str, Any] = MappingProxyType({}),
    fixed: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """Make a study, or bring the title, limits and items of one up to date. Items are never taken away.

    Args:
        store: where to.
        study: its id.
        kind: of study.
        title: as people see it.
        load: what is handed out to whom.
        items: to judge.
        now: seconds since 1970.
        more: settings that the export names.
        fixed: settings that nobody may change once the first judgement is in, such as the rules of exclusion.

    Returns:
        How many items are new.

    Raises:
        InputError: the study is there with another kind, with other fixed settings and judgements, or with items of
            what its file names no more.
    """
    with store.alone() as session:
        found = session.get(Study, study, **LOCKED)
        had = {} if found is None else json.loads(found.settings)
        if found is not None:
            check(session, found, kind, more, fixed)
        since = had["fixed_at"] if had.get("fixed") == dict(fixed) else now
        settings = {
            **more,
            **load._asdict(),
            "lease_minutes": load.minutes,
            "fixed": fixed,
            "fixed_at": since,
        }
        if "round" in had:
            settings["round"] = had["round"]
        text = json.dumps(settings, default=_plain)
        if found is None:
            session.add(Study(id=study, kind=kind, title=title, status="paused", settings=text, created=now))
            session.flush()
            log(session, study, "made", study, "", now)
        else:
            found.title, found.settings = title, text
        known = set(session.scalars(select(Item.id).where(Item.study_id == study)))
        new = [item for item in items if item.id not in known]
        session.add_all(
            Item(
                id=item.id, study_id=study, culture=item.culture, content=json.dumps(item.content),
                cell=item.cell, family=item.family, part=item.part, quota=item.quota,
            )
            for item in new
        )  # fmt: skip
        if new:
            log(session, study, "items", study, str(len(new)), now)
        return len(new)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else dict(value)  # type: ignore[call-overload]


def kind_of(store: Store, study: str) -> str:
    """The kind of a study."""
    with store.read() as session:
        return session.get_one(Study, study).kind


class State(NamedTuple):
    """``open``, ``paused`` or ``closed``, and the version that a change of it must name."""

    status: str
    version: int


def state(store: Store, study: str) -> State:
    """How the study stands."""
    with store.read() as session:
        return State(*session.execute(select(Study.status, Study.version).where(Study.id == study)).one())


def set_status(store: Store, study: str, new: str, version: int, now: float) -> bool:
    """Start, pause or close a study; a closed one stays closed.

    Returns:
        Whether it was done: not if somebody changed the study after ``version`` was read.
    """
    with store.write() as session:
        found = locked_study(session, study)
        if found.version != version:
            return False
        if found.status not in ("closed", new):
            found.status, found.version = new, version + 1
            log(session, study, "status", study, new, now)
        return True


def has_admin(store: Store, study: str) -> bool:
    """Whether an admin has joined."""
    with store.read() as session:
        admin = select(Person.id).where(Person.study_id == study, Person.role == "admin")
        return session.scalars(admin).first() is not None


def study_ids(store: Store) -> list[str]:
    """The studies of a database."""
    with store.read() as session:
        return list(session.scalars(select(Study.id).order_by(Study.id)))


def said(store: Store, study: str) -> list[Said]:
    """All judgements in the order in which they came."""
    with store.read() as session:
        return _said(session, study)


def seconds_of(stored: float | None) -> float | None:
    """Time on task as it was stored: a clock that was set back once left times that nobody can believe."""
    return None if stored is None or stored < 0 else stored


def _said(session: Session, study: str) -> list[Said]:
    rows = session.execute(
        select(Judgement, Item, Remark.text, Person.pseudonym)
        .join(Item, Item.id == Judgement.item_id)
        .outerjoin(Remark, Remark.judgement_id == Judgement.id)
        .outerjoin(Authorship, Authorship.judgement_id == Judgement.id)
        .outerjoin(Person, Person.id == Authorship.person_id)
        .where(Item.study_id == study)
        .order_by(Judgement.id)
    ).all()
    return [
        Said(
            item.id, item.culture, json.loads(item.content), item.part, judgement.verdict,
            json.loads(judgement.answer or "{}"), seconds_of(judgement.seconds), remark or "", person or "",
            judgement.made,
        )
        for judgement, item, remark, person in rows
    ]  # fmt: skip


class Member(NamedTuple):
    """Somebody who takes part and has not withdrawn."""

    person: str
    culture: str
    years: int | None
    stage: str
    consent: str | None
    priming_right: int
    priming_asked: int
    check_tries: int
    debrief: tuple[str, ...]
    """What they wanted to tell at the end, the first first."""


def people(store: Store, study: str) -> list[Member]:
    """Everybody who takes part, by pseudonym, without those who withdrew."""
    with store.read() as session:
        return _people(session, study)


def _people(session: Session, study: str) -> list[Member]:
    rows = session.scalars(
        select(Person)
        .where(Person.study_id == study, Person.role == "annotator", Person.pseudonym.is_not(None))
        .order_by(Person.pseudonym)
    ).all()
    replies = session.execute(
        select(Reply.person_id, Reply.step, Reply.attempt, Reply.correct, Reply.answer)
        .join(Person, Person.id == Reply.person_id)
        .where(Person.study_id == study)
        .order_by(Reply.id)
    ).all()
    asked = Counter(person for person, step, *_ in replies if step == "priming")
    right = Counter(person for person, step, _, correct, _ in replies if step == "priming" and correct)
    tries = Counter(person for person, step, _ in {(p, s, a) for p, s, a, *_ in replies} if step == "check")
    told: dict[str, list[str]] = {}
    for person, step, _, _, text in replies:
        if step == "debrief":
            told.setdefault(person, []).append(text)
    return [
        Member(
            p.pseudonym or "",
            p.culture or "",
            p.years,
            p.stage,
            p.consent,
            right[p.id],
            asked[p.id],
            tries[p.id],
            tuple(told.get(p.id, ())),
        )
        for p in rows
    ]


def consents(store: Store, study: str) -> list[dict[str, str]]:
    """The texts that a study's people agreed to, by version."""
    with store.read() as session:
        return _consents(session, study)


def _consents(session: Session, study: str) -> list[dict[str, str]]:
    theirs = select(Person.consent).where(Person.study_id == study, Person.consent.is_not(None))
    rows = session.scalars(select(Consent).where(Consent.version.in_(theirs)).order_by(Consent.version)).all()
    return [{"version": c.version, "language": c.language, "text": c.text} for c in rows]


class Whole(NamedTuple):
    """All of a study that leaves the house, as it was at one moment."""

    kind: str
    title: str
    settings: dict[str, Any]
    """What is kept of the study's file."""
    said: list[Said]
    """In the order in which it came."""
    people: list[Member]
    consents: list[dict[str, str]]
    """The texts that people agreed to, by version."""


def whole(store: Store, study: str) -> Whole:
    """A study as it is now."""
    with store.read(steady=True) as session:
        found = session.get_one(Study, study)
        settings = json.loads(found.settings)
        people = _people(session, study)
        consents = _consents(session, study)
        return Whole(found.kind, found.title, settings, _said(session, study), people, consents)
