"""A study as a whole: made from its file, started and paused, how far it is, what was said so far."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sqlalchemy import select

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import VERDICTS, Load, log
from homeground.annotate.store.tables import (
    Authorship,
    Consent,
    Item,
    Judgement,
    Lease,
    Person,
    Remark,
    Study,
)
from homeground.statistics.agreement import Agreement, agreement

STATUSES = ("open", "paused", "closed")


class NewItem(NamedTuple):
    """An item before it is in the store."""

    id: str
    culture: str
    content: dict[str, str]


class Said(NamedTuple):
    """One judgement with its item; the author's pseudonym is empty once that person has withdrawn."""

    item: str
    culture: str
    content: dict[str, str]
    verdict: str
    comment: str
    person: str
    made: float


class Progress(NamedTuple):
    """How far a culture is. ``agreement`` is the raw one, of items with two judgements or more."""

    culture: str
    items: int
    full: int
    judgements: int
    needed: int
    in_hand: int
    people: int
    agreement: Agreement


def put(
    store: Store, study: str, kind: str, title: str, load: Load, items: Iterable[NewItem], now: float
) -> int:
    """Make a study, or bring the title, limits and items of one up to date. Items are never taken away.

    Returns:
        How many items are new.
    """
    settings = json.dumps(load._asdict() | {"lease_minutes": load.minutes})
    with store.write() as session:
        found = session.get(Study, study)
        if found is None:
            session.add(
                Study(id=study, kind=kind, title=title, status="paused", settings=settings, created=now)
            )
            session.flush()
            log(session, study, "made", study, "", now)
        else:
            found.title, found.settings = title, settings
        had = set(session.scalars(select(Item.id).where(Item.study_id == study)))
        new = [item for item in items if item.id not in had]
        session.add_all(
            Item(id=item.id, study_id=study, culture=item.culture, content=json.dumps(item.content))
            for item in new
        )
        if new:
            log(session, study, "items", study, str(len(new)), now)
        return len(new)


def status(store: Store, study: str) -> str:
    """``open``, ``paused`` or ``closed``."""
    with store.read() as session:
        return session.get_one(Study, study).status


def set_status(store: Store, study: str, new: str, now: float) -> None:
    """Start, pause or close a study; a closed one stays closed."""
    with store.write() as session:
        found = session.scalars(select(Study).where(Study.id == study).with_for_update()).one()
        if found.status not in ("closed", new):
            found.status = new
            log(session, study, "status", study, new, now)


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
            item.id, item.culture, json.loads(item.content), judgement.verdict, remark or "", person or "",
            judgement.made,
        )
        for judgement, item, remark, person in rows
    ]  # fmt: skip


def people(store: Store, study: str) -> list[dict[str, str | int | None]]:
    """Everybody who takes part, by pseudonym, without those who withdrew: culture, years there, stage, consent."""
    with store.read() as session:
        rows = session.scalars(
            select(Person)
            .where(Person.study_id == study, Person.role == "annotator", Person.pseudonym.is_not(None))
            .order_by(Person.pseudonym)
        ).all()
    return [
        {
            "person": p.pseudonym,
            "culture": p.culture,
            "years": p.years,
            "stage": p.stage,
            "consent": p.consent,
        }
        for p in rows
    ]


def consents(store: Store) -> list[dict[str, str]]:
    """The texts that people agreed to, by version."""
    with store.read() as session:
        rows = session.scalars(select(Consent).order_by(Consent.version)).all()
    return [{"version": c.version, "language": c.language, "text": c.text} for c in rows]


def progress(store: Store, study: str, now: float) -> list[Progress]:
    """How far each culture is."""
    with store.read() as session:
        quota = int(json.loads(session.get_one(Study, study).settings)["quota"])
        items = session.execute(
            select(Item.culture, Item.id).where(Item.study_id == study).order_by(Item.culture, Item.id)
        ).all()
        judged: dict[str, list[str]] = {}
        for item, verdict in session.execute(
            select(Judgement.item_id, Judgement.verdict).join(Item).where(Item.study_id == study)
        ):
            judged.setdefault(item, []).append(verdict)
        in_hand = Counter(
            session.scalars(
                select(Item.culture)
                .join(Lease, Lease.item_id == Item.id)
                .where(Item.study_id == study, Lease.until > now)
            )
        )
        joined = Counter(
            session.scalars(
                select(Person.culture).where(Person.study_id == study, Person.role == "annotator")
            )
        )
    cultures: dict[str, list[list[str]]] = {}
    for culture, item in items:
        cultures.setdefault(culture, []).append(judged.get(item, []))
    return [
        Progress(
            culture, len(said_of), sum(len(v) >= quota for v in said_of), sum(map(len, said_of)),
            quota * len(said_of), in_hand[culture], joined[culture], _agreement(said_of),
        )
        for culture, said_of in cultures.items()
    ]  # fmt: skip


def _agreement(verdicts: list[list[str]]) -> Agreement:
    codes = np.full((len(verdicts), max(1, *map(len, verdicts), 1)), -1, dtype=np.int64)
    for row, said_of in enumerate(verdicts):
        codes[row, : len(said_of)] = [VERDICTS.index(verdict) for verdict in said_of]
    return agreement(codes, seed=0, categories=len(VERDICTS), resamples=200)
