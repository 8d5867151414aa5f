"""Giving items out and taking judgements in: correct however many processes do it at once.

Each of the two is one transaction that first locks the study's row (on SQLite the whole database), so that what it
counts is still true when it writes.
"""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.tables import Authorship, Event, Item, Judgement, Lease, Person, Remark, Study

Refused = Literal["wait", "done", "paused"]
Outcome = Literal["kept", "had", "late", "closed"]
VERDICTS = ("confirm", "reject", "unsure")


class Given(NamedTuple):
    """An item in somebody's hands."""

    item: str
    content: dict[str, str]


class Load(NamedTuple):
    """How many judgements an item needs, how long one may take, how many items one person gets (0: all)."""

    quota: int
    minutes: float
    per_person: int


def log(session: Session, study: str, kind: str, subject: str, detail: str, now: float) -> None:
    """Append an event."""
    session.add(Event(at=now, study_id=study, kind=kind, subject=subject, detail=detail))


def load_of(study: Study) -> Load:
    """The limits in a study's settings."""
    settings = json.loads(study.settings)
    return Load(int(settings["quota"]), float(settings["lease_minutes"]), int(settings["per_person"]))


def lease(store: Store, person_id: str, now: float) -> Given | Refused:
    """The item that the person holds, else a new one of their culture: the one nearest to its quota, ties at random.

    ``wait`` means that all that is left is in other hands, ``done`` that nothing is left for this person.
    """
    with store.write() as session:
        person, study = locked(session, person_id)
        if study.status != "open" or person.stage != "items":
            return "paused"
        load = load_of(study)
        session.execute(delete(Lease).where(Lease.until <= now))
        held = session.scalars(select(Lease).where(Lease.person_id == person_id)).first()
        if held is not None:
            held.until = now + 60 * load.minutes
            return _given(session.get_one(Item, held.item_id))
        if 0 < load.per_person <= _made(session, person_id):
            return "done"
        judged = select(func.count()).where(Judgement.item_id == Item.id).scalar_subquery()
        leased = select(func.count()).where(Lease.item_id == Item.id).scalar_subquery()
        mine = (
            select(Authorship.item_id)
            .where(Authorship.person_id == person_id, Authorship.item_id == Item.id)
            .exists()
        )
        open_items = select(Item).where(
            Item.study_id == study.id, Item.culture == person.culture, judged < load.quota, ~mine
        )
        chosen = session.scalars(
            open_items.where(judged + leased < load.quota)
            .order_by((judged + leased).desc(), func.random())
            .limit(1)
        ).first()
        if chosen is None:
            return "done" if session.scalars(open_items.limit(1)).first() is None else "wait"
        session.add(Lease(item_id=chosen.id, person_id=person_id, until=now + 60 * load.minutes))
        return _given(chosen)


def submit(
    store: Store, person_id: str, client_id: str, item_id: str, verdict: str, comment: str, now: float
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
        if held is not None:
            session.delete(held)
        elif _taken(session, item_id) >= load_of(study).quota:
            log(session, study.id, "late", item_id, "", now)
            return "late"
        judgement = Judgement(client_id=client_id, item_id=item_id, verdict=verdict, made=now)
        session.add(judgement)
        session.flush()
        session.add(Authorship(judgement_id=judgement.id, person_id=person_id, item_id=item_id))
        if comment:
            session.add(Remark(judgement_id=judgement.id, text=comment))
        log(session, study.id, "judged", item_id, "", now)
        return "kept"


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


def _made(session: Session, person_id: str) -> int:
    return session.scalar(select(func.count()).where(Authorship.person_id == person_id)) or 0


def _taken(session: Session, item_id: str) -> int:
    judged = session.scalar(select(func.count()).where(Judgement.item_id == item_id)) or 0
    return judged + (session.scalar(select(func.count()).where(Lease.item_id == item_id)) or 0)


def _given(item: Item) -> Given:
    return Given(item.id, json.loads(item.content))
