"""How far a study is: by culture and cell, how well people agree, how long they take, who is stuck."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from sqlalchemy import func, select

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import VERDICTS
from homeground.annotate.store.people import FLOWS
from homeground.annotate.store.studies import seconds_of
from homeground.annotate.store.tables import Authorship, Event, Item, Judgement, Lease, Person, Study
from homeground.statistics.agreement import Agreement, agreement

STUCK_AFTER = 30 * 60.0
"""Seconds without a sign after which somebody in the middle counts as stuck."""


class Cell(NamedTuple):
    """How far one cell of a culture is; a cell of the name "" is the whole culture."""

    culture: str
    cell: str
    items: int
    full: int
    judgements: int
    needed: int
    in_hand: int
    people: int
    """Who judged at least one item of it; of a whole culture, who joined."""
    agreement: Agreement
    """Of items with two judgements or more; of a validation study's answers, on the system or currency."""
    seconds: float | None
    """Median time on task."""


class Stuck(NamedTuple):
    """Somebody who has given no sign for a while and is not at the end."""

    person: str
    culture: str
    stage: str
    items: int
    minutes: float


def progress(store: Store, study: str, now: float) -> list[Cell]:
    """How far each culture is, a line for the whole of it before the lines of its cells; attention items aside."""
    with store.read() as session:
        found = session.get_one(Study, study)
        quota = int(json.loads(found.settings)["quota"])
        items = session.execute(
            select(Item.culture, Item.cell, Item.id, func.coalesce(Item.quota, quota))
            .where(Item.study_id == study, Item.part != "attention")
            .order_by(Item.culture, Item.cell, Item.id)
        ).all()
        judged: dict[str, list[tuple[str, float | None]]] = {}
        for item, verdict, seconds in session.execute(
            select(Judgement.item_id, Judgement.verdict, Judgement.seconds)
            .join(Item)
            .where(Item.study_id == study, Item.part != "attention")
        ):
            judged.setdefault(item, []).append((verdict, seconds))
        in_hand = Counter(
            session.scalars(select(Lease.item_id).join(Item).where(Item.study_id == study, Lease.until > now))
        )
        people: Counter[tuple[str, str]] = Counter()
        for culture, cell, number in session.execute(
            select(Item.culture, Item.cell, func.count(Authorship.person_id.distinct()))
            .join(Authorship, Authorship.item_id == Item.id)
            .where(Item.study_id == study)
            .group_by(Item.culture, Item.cell)
        ):
            people[culture, cell] = number
        joined = Counter(
            session.scalars(
                select(Person.culture).where(Person.study_id == study, Person.role == "annotator")
            )
        )
    lines: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for culture, cell, item, wanted in items:
        lines.setdefault((culture, ""), []).append((item, wanted))
        if cell:
            lines.setdefault((culture, cell), []).append((item, wanted))
    given = VERDICTS if found.kind == "cue-check" else None
    rows = []
    for (culture, cell), those in lines.items():
        said = [judged.get(item, []) for item, _ in those]
        times = [known for of in said for _, seconds in of if (known := seconds_of(seconds)) is not None]
        rows.append(
            Cell(
                culture, cell, len(those),
                sum(len(of) >= wanted for of, (_, wanted) in zip(said, those, strict=True)),
                sum(map(len, said)), sum(wanted for _, wanted in those), sum(in_hand[item] for item, _ in those),
                people[culture, cell] if cell else joined[culture],
                _agreement([[verdict for verdict, _ in of] for of in said], given),
                median(times) if times else None,
            )
        )  # fmt: skip
    return rows


def stuck(store: Store, study: str, now: float) -> list[Stuck]:
    """Who has given no sign for ``STUCK_AFTER`` and is neither at the end nor screened out, the latest first."""
    with store.read() as session:
        flow = FLOWS[session.get_one(Study, study).kind]
        made = select(func.count()).where(Authorship.person_id == Person.id).scalar_subquery()
        rows = session.execute(
            select(Person, made).where(
                Person.study_id == study,
                Person.role == "annotator",
                Person.pseudonym.is_not(None),
                Person.stage.in_(flow[:-1]),
                func.coalesce(Person.seen, Person.created) < now - STUCK_AFTER,
            )
        ).all()
    found = [
        Stuck(p.pseudonym or "", p.culture or "", p.stage, items, (now - (p.seen or p.created)) / 60)
        for p, items in rows
    ]
    return sorted(found, key=lambda row: row.minutes)


_OF_THE_STUDY = ("status", "items", "made", "forgotten", "round", "guidelines", "imported")


def events(store: Store, study: str, newest: int) -> list[tuple[float, str, str]]:
    """The latest changes to the study as a whole: when, what, detail."""
    with store.read() as session:
        rows = session.execute(
            select(Event.at, Event.kind, Event.detail)
            .where(Event.study_id == study, Event.kind.in_(_OF_THE_STUDY))
            .order_by(Event.id.desc())
            .limit(newest)
        )
        return [(at, kind, detail) for at, kind, detail in rows]


def _agreement(verdicts: Sequence[Sequence[str]], given: Sequence[str] | None) -> Agreement:
    names = list(given or sorted({verdict for said in verdicts for verdict in said}))
    codes = np.full((len(verdicts), max(1, *map(len, verdicts), 1)), -1, dtype=np.int64)
    for row, said in enumerate(verdicts):
        codes[row, : len(said)] = [names.index(verdict) for verdict in said]
    return agreement(codes, seed=0, categories=len(given) if given else None, resamples=200)
