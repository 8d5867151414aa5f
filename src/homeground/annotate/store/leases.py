"""Giving items out and taking judgements in: correct however many processes do it at once.

Each of the two is one transaction that first locks the study's row (on SQLite the whole database), so that what it
counts is still true when it writes.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, func, or_, select
from sqlalchemy.orm import Session, aliased

from homeground.annotate.store.database import Store
from homeground.annotate.store.tables import Authorship, Event, Item, Judgement, Lease, Person, Remark, Study

Refused = Literal["wait", "done", "paused"]
Outcome = Literal["kept", "had", "late", "closed"]
VERDICTS = ("confirm", "reject", "unsure")


_SHORTEST_GAP = 2
"""Items between two attention items at least."""


class Given(NamedTuple):
    """An item in somebody's hands."""

    item: str
    content: dict[str, Any]
    cell: str
    part: str


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
        person, study = locked(session, person_id)
        if study.status != "open" or person.stage != "items":
            return "paused"
        person.seen = now
        load = load_of(study)
        session.execute(delete(Lease).where(Lease.until <= now))
        held = session.scalars(select(Lease).where(Lease.person_id == person_id)).first()
        if held is not None:
            held.until = now + 60 * load.minutes
            return _given(session.get_one(Item, held.item_id))
        made = _made_by_part(session, person_id)
        if 0 < load.per_person <= sum(made.values()):
            return "done"
        turn = _turn(person_id, made, load)
        judged = select(func.count()).where(Judgement.item_id == Item.id).scalar_subquery()
        leased = select(func.count()).where(Lease.item_id == Item.id).scalar_subquery()
        quota = func.coalesce(Item.quota, load.quota)
        open_items = select(Item).where(
            Item.study_id == study.id,
            Item.culture == person.culture,
            judged < quota,
            ~_theirs(person_id),
        )
        if turn != "attention":
            open_items = open_items.where(Item.part != "attention")
        chosen = session.scalars(
            open_items.where(judged + leased < quota)
            .order_by((Item.part == turn).desc(), (judged + leased).desc(), func.random())
            .limit(1)
        ).first()
        if chosen is None:
            return "done" if session.scalars(open_items.limit(1)).first() is None else "wait"
        session.add(Lease(item_id=chosen.id, person_id=person_id, until=now + 60 * load.minutes, since=now))
        return _given(chosen)


def _theirs(person_id: str) -> ColumnElement[bool]:
    """Whether the person has judged this item, or another of its family."""
    other = aliased(Item)
    return (
        select(Authorship.item_id)
        .join(other, other.id == Authorship.item_id)
        .where(
            Authorship.person_id == person_id,
            or_(
                other.id == Item.id,
                and_(Item.family != "", other.family == Item.family, other.study_id == Item.study_id),
            ),
        )
        .exists()
    )


def _turn(person_id: str, made: dict[str, int], load: Load) -> str:
    """Which part the person's next item is of: a fixed share, at places that nobody can foresee or choose."""
    attention, others = made.get("attention", 0), sum(made.values()) - made.get("attention", 0)
    if load.attention_every:
        spread = max(load.attention_every - _SHORTEST_GAP, 1)
        due = (
            attention * load.attention_every
            + _SHORTEST_GAP
            + _drawn(person_id, "attention", attention) % spread
        )
        if others >= due:
            return "attention"
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
        person, study = locked(session, person_id)
        had = select(Authorship.judgement_id).where(
            Authorship.person_id == person_id, Authorship.item_id == item_id
        )
        if session.scalars(had).first() is not None:
            return "had"
        item = session.get(Item, item_id)
        if (
            study.status != "open"
            or person.stage != "items"
            or item is None
            or (item.study_id, item.culture) != (study.id, person.culture)
            or session.scalars(select(Judgement.id).where(Judgement.client_id == client_id)).first()
            is not None
        ):
            return "closed"
        session.execute(delete(Lease).where(Lease.until <= now))
        held = session.get(Lease, (item_id, person_id))
        seconds = None
        if held is not None:
            seconds = now - held.since
            session.delete(held)
        elif _taken(session, item_id) >= (load_of(study).quota if item.quota is None else item.quota):
            log(session, study.id, "late", item_id, "", now)
            return "late"
        elif session.scalars(select(Item.id).where(Item.id == item_id, _theirs(person_id))).first():
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


def locked(session: Session, person_id: str) -> tuple[Person, Study]:
    """A person and their study, as they are once nobody else can give out, take in or withdraw."""
    person = session.get_one(Person, person_id)
    study = session.scalars(select(Study).where(Study.id == person.study_id).with_for_update()).one()
    session.refresh(person)
    return person, study


def _made_by_part(session: Session, person_id: str) -> dict[str, int]:
    rows = session.execute(
        select(Item.part, func.count())
        .join(Authorship, Authorship.item_id == Item.id)
        .where(Authorship.person_id == person_id)
        .group_by(Item.part)
    )
    return {row[0]: row[1] for row in rows}


def _made(session: Session, person_id: str) -> int:
    return session.scalar(select(func.count()).where(Authorship.person_id == person_id)) or 0


def _taken(session: Session, item_id: str) -> int:
    judged = session.scalar(select(func.count()).where(Judgement.item_id == item_id)) or 0
    return judged + (session.scalar(select(func.count()).where(Lease.item_id == item_id)) or 0)


def _given(item: Item) -> Given:
    return Given(item.id, json.loads(item.content), item.cell, item.part)
