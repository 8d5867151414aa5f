"""Giving items out and taking judgements in: correct however many processes do it at once.

Each of the two is one transaction. It locks the person, then the one item, and only then counts in how many hands the
item is, so that the count is still true when it writes; on SQLite it has the whole database from its start. People who
work on other items wait for nothing. A study that is closed at the same moment may still take what is under way.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from sqlalchemy import Row, Select, and_, func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.tables import Authorship, Event, Item, Judgement, Lease, Person, Remark, Study

Refused = Literal["wait", "done", "paused", "closed"]
Outcome = Literal["kept", "had", "late", "closed"]
VERDICTS = ("confirm", "reject", "unsure")
_SHORTEST_GAP = 2
"""Items between two attention items at least."""
LOCKED: Mapping[str, Any] = MappingProxyType(
    {"with_for_update": {"key_share": True}, "populate_existing": True}
)
"""How a row is got as it is once nobody else can change it. KEY SHARE: rows that only refer to a locked one, such as
events and judgements, need not wait for it."""


class Given(NamedTuple):
    """An item in somebody's hands."""

    item: str
    content: dict[str, Any]
    cell: str
    part: str
    number: int
    """Items that the person has done before it."""


class Load(NamedTuple):
    """What is handed out to whom."""

    quota: int
    """Judgements that an item needs."""
    minutes: float
    """How long one may take."""
    per_person: int
    """Items that one person gets at most; 0 for all."""
    control: float = 0.0
    """Share of a person's items that are controls."""
    attention_every: int = 0
    """After about how many items an attention item comes; 0 for none."""


def log(session: Session, study: str, kind: str, subject: str, detail: str, now: float) -> None:
    """Append an event."""
    session.add(Event(at=now, study_id=study, kind=kind, subject=subject, detail=detail))


def load_of(study: Study) -> Load:
    """The limits in a study's settings."""
    settings = json.loads(study.settings)
    return Load(
        int(settings["quota"]), float(settings["lease_minutes"]), int(settings["per_person"]),
        float(settings.get("control", 0)), int(settings.get("attention_every", 0)),
    )  # fmt: skip


def lease(store: Store, person_id: str, now: float) -> Given | Refused:
    """The item that the person holds, else a new one of their culture: of the part that is their turn, and of these
    the one nearest to its quota, ties at random.

    ``wait`` means that all that is left is in other hands, ``done`` that nothing is left for this person.
    """
    with store.write() as session:
        person, study = _locking(session, person_id, Person)
        if study.status == "closed":
            return "closed"
        if study.status != "open" or person.stage != "items":
            return "paused"
        person.seen = now
        load = load_of(study)
        until = now + 60 * load.minutes
        done = session.execute(
            select(Item.id, Item.family, Item.part)
            .join(Authorship, Authorship.item_id == Item.id)
            .where(Authorship.person_id == person_id)
        ).all()
        made = Counter(part for _, _, part in done)
        held = session.scalars(select(Lease).where(Lease.person_id == person_id)).first()
        if held is not None:
            item = session.scalars(
                select(Item).where(Item.id == held.item_id).with_for_update(of=Item, key_share=True)
            ).one()
            if _others(session, item.id, person_id, now) < _quota(item, load):
                held.since, held.until = held.since if held.until > now else now, until
                return _given(item, made)
            session.delete(held)
        if 0 < load.per_person <= made.total():
            return "done"
        open_items = _open_items(person, load, done, _turns(person_id, made, load), now)
        # First what nobody is about to take; then, before saying that there is nothing, what somebody may be.
        for skip in (True, False):
            free = open_items.free.limit(1).with_for_update(of=Item, key_share=True, skip_locked=skip)
            while (chosen := session.scalars(free).first()) is not None:
                if _others(session, chosen.id, person_id, now) < _quota(chosen, load):
                    session.add(Lease(item_id=chosen.id, person_id=person_id, until=until, since=now))
                    return _given(chosen, made)
        return "done" if session.scalars(open_items.all.limit(1)).first() is None else "wait"


class _Open(NamedTuple):
    """Items that a person can still get, and those of them that are not in too many hands already."""

    all: Select[Item]
    free: Select[Item]


def _open_items(
    person: Person, load: Load, done: Sequence[Row[str, str, str]], turns: Sequence[str], now: float
) -> _Open:
    judged = select(func.count()).where(Judgement.item_id == Item.id).scalar_subquery()
    leased = select(func.count()).where(Lease.item_id == Item.id, Lease.until > now).scalar_subquery()
    quota = func.coalesce(Item.quota, load.quota)
    some = select(Item).where(
        Item.study_id == person.study_id,
        Item.culture == person.culture,
        Item.id.not_in([item for item, _, _ in done]),
        Item.family.not_in({family for _, family, _ in done if family}),
        judged < quota,
    )
    if "attention" not in turns:
        some = some.where(Item.part != "attention")
    order = (*((Item.part == part).desc() for part in turns), (judged + leased).desc(), func.random())
    return _Open(some, some.where(judged + leased < quota).order_by(*order))


def _turns(person_id: str, made: Mapping[str, int], load: Load) -> tuple[str, ...]:
    """Which part the person's next item is of: a fixed share, at places that nobody can foresee or choose.

    The second is for who has had every item of the first: there are few attention items.
    """
    attention, others = made.get("attention", 0), sum(made.values()) - made.get("attention", 0)
    if load.attention_every:
        spread = max(load.attention_every - _SHORTEST_GAP, 1)
        due = (
            attention * load.attention_every
            + _SHORTEST_GAP
            + _drawn(person_id, "attention", attention) % spread
        )
        if others >= due:
            return "attention", _ordinary(person_id, others, load)
    return (_ordinary(person_id, others, load),)


def _ordinary(person_id: str, others: int, load: Load) -> str:
    if load.control:
        block = round(1 / load.control)
        if others % block == _drawn(person_id, "control", others // block) % block:
            return "control"
    return "evaluation"


def _drawn(*of: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(of).encode()).digest()[:8], "big")


def submit(
    store: Store,
    person_id: str,
    client_id: str,
    item_id: str,
    verdict: str,
    comment: str,
    now: float,
    answer: dict[str, Any] | None = None,
) -> Outcome:
    """Keep a judgement. ``client_id`` is the form's own: sent twice, it counts once.

    ``had``: this person's judgement of the item is there already. ``late``: the lease ran out and others have filled
    the item meanwhile. ``closed``: the study takes nothing now, or the item was never this person's to judge.
    """
    with store.write() as session:
        person, study = _locking(session, person_id, Person)
        mine = and_(Authorship.item_id == Item.id, Authorship.person_id == person_id)
        same_form = select(Judgement.id).where(Judgement.client_id == client_id).scalar_subquery()
        found = session.execute(
            select(Item, Lease, Authorship.judgement_id, same_form)
            .outerjoin(Lease, and_(Lease.item_id == Item.id, Lease.person_id == person_id))
            .outerjoin(Authorship, mine)
            .where(Item.id == item_id, Item.study_id == study.id, Item.culture == person.culture)
            .with_for_update(of=Item, key_share=True)
        ).first()
        if found is not None and found[2] is not None:
            return "had"
        if study.status != "open" or person.stage != "items" or found is None or found[3] is not None:
            return "closed"
        item, held = found[0], found[1]
        if _others(session, item_id, person_id, now) >= _quota(item, load_of(study)):
            log(session, study.id, "late", item_id, "", now)
            return "late"
        seconds = None
        if held is not None:
            # A clock may be set back, and that of another server may be behind.
            seconds = max(0.0, now - held.since) if held.until > now else None
            session.delete(held)
        elif _has_done_its_family(session, item, person_id):
            return "closed"
        person.seen = now
        judgement = Judgement(
            client_id=client_id, item_id=item_id, verdict=verdict, made=now, seconds=seconds,
            answer=None if answer is None else json.dumps(answer, ensure_ascii=False),
        )  # fmt: skip
        session.add(judgement)
        session.flush()
        session.add(Authorship(judgement_id=judgement.id, person_id=person_id, item_id=item_id))
        if comment:
            session.add(Remark(judgement_id=judgement.id, text=comment))
        log(session, study.id, "judged", item_id, "", now)
        return "kept"


def content_of(store: Store, study: str, item_id: str) -> dict[str, Any] | None:
    """An item's content, if it is one of the study's."""
    with store.read() as session:
        item = session.get(Item, item_id)
        return None if item is None or item.study_id != study else json.loads(item.content)


def progress_of(store: Store, person_id: str) -> int:
    """How many items the person has judged."""
    with store.read() as session:
        return _made(session, person_id)


def locked(session: Session, person_id: str, *, study: bool = True) -> tuple[Person, Study]:
    """A person and their study, as they are once nobody else can change either, or only the person."""
    # The study first, as everybody does who takes both: in another order two could wait for each other.
    return _locking(session, person_id, *((Study, Person) if study else (Person,)))


def locked_study(session: Session, study: str) -> Study:
    """A study as it is once nobody else can change it."""
    return session.get_one(Study, study, **LOCKED)


def _locking(session: Session, person_id: str, *tables: type[Person | Study]) -> tuple[Person, Study]:
    person, study = session.execute(
        select(Person, Study)
        .join(Study, Study.id == Person.study_id)
        .where(Person.id == person_id)
        .with_for_update(of=tables, key_share=True)
    ).one()
    return person, study


def _others(session: Session, item_id: str, person_id: str, now: float) -> int:
    """How many judgements of an item there are, and other people who have it in hand."""
    judged = select(func.count()).where(Judgement.item_id == item_id).scalar_subquery()
    leased = (
        select(func.count())
        .where(Lease.item_id == item_id, Lease.person_id != person_id, Lease.until > now)
        .scalar_subquery()
    )
    return session.scalar(select(judged + leased)) or 0


def _quota(item: Item, load: Load) -> int:
    return load.quota if item.quota is None else item.quota


def _has_done_its_family(session: Session, item: Item, person_id: str) -> bool:
    theirs = select(Item.id).join(Authorship, Authorship.item_id == Item.id)
    of_family = (
        Authorship.person_id == person_id,
        Item.study_id == item.study_id,
        Item.family == item.family,
    )
    return bool(item.family) and session.scalars(theirs.where(*of_family)).first() is not None


def _made(session: Session, person_id: str) -> int:
    return session.scalar(select(func.count()).where(Authorship.person_id == person_id)) or 0


def _given(item: Item, made: Counter[str]) -> Given:
    return Given(item.id, json.loads(item.content), item.cell, item.part, made.total())
