"""A study full of simulated people, so that every page has something to show. Nobody said any of it.

They go through the same store by the same functions as people do, at made-up times: most finish, some are in the
middle, stuck, screened out or withdrawn; some do not read, which the rules of exclusion should find.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from homeground.annotate.app.steps import CHECK, FEWEST_YEARS
from homeground.annotate.store import Store, people, replies, studies
from homeground.annotate.store.leases import Given, lease, submit
from homeground.annotate.store.replies import Replied
from homeground.annotate.study import Material, StudyFile
from homeground.annotate.validation.grading import Accepted, grade, units_of
from homeground.benchmarks.build import build_conversations
from homeground.files import write_whole
from homeground.schema import OBJECTIVE

DAYS = 3
"""How long ago the demo began."""
CULTURES = ("FR", "IR", "BR")
_CONTROL = "US"
_TYPED = {"price": "Robux", "size": "tatami", "distance": "paces", "speed": "knots", "temperature": "Réaumur"}
_FILE = """\
# A demo: everybody in this study is simulated.
id = "demo"
kind = "validation"
title = "Demo: do people hear the cues?"
contact = "nobody, since this is a demo"
benchmark = "benchmark"
cultures = {cultures}
items_per_cell = 10
quota = 2
per_person = 14
attention_every = 6
completion_code = "DEMO"
simulated = true
"""


class Sort(NamedTuple):
    """A sort of simulated person."""

    share: float
    hears: float
    """How often they answer with a unit of the user's country, where that is not their own."""
    reads: float
    """How often they do as an attention item says."""
    stops: float
    """How likely they stop after an item."""


_SORTS = (
    Sort(0.62, 0.9, 0.98, 0.0),
    Sort(0.14, 0.75, 0.95, 0.12),
    Sort(0.14, 0.1, 0.9, 0.0),
    Sort(0.1, 0.2, 0.1, 0.0),
)
"""Most are careful; some stop early; some always answer as at home; some hardly read."""


def prepare(folder: Path, seed: int) -> Path:
    """The demo's study file with its benchmark, made where they are not there yet.

    Raises:
        InputError: the folder cannot be used.
    """
    if not (folder / "benchmark").exists():
        build_conversations(
            folder / "benchmark", cultures=(*CULTURES, _CONTROL), concepts=OBJECTIVE, seed=seed
        )
    file = folder / "study.toml"
    if not file.exists():
        write_whole(file, _FILE.format(cultures=list(CULTURES)).replace("'", '"'))
    return file


def fill(store: Store, study: StudyFile, material: Material, count: int, seed: int, now: float) -> int:
    """Let simulated people take part in a study that is just made; how many answers they gave.

    Args:
        store: with the study in it.
        study: its file.
        material: what it is made of.
        count: of people.
        seed: of all that they do.
        now: when the last of them is there, seconds since 1970.
    """
    rng = random.Random(seed)
    before = studies.state(store, study.id)
    if before.status != "open":
        studies.set_status(store, study.id, "open", before.version, now - DAYS * people.DAY)
    answers = 0
    starts = sorted(now - rng.uniform(0.01, 2.5) * people.DAY for _ in range(count))
    for number, start in enumerate(starts):
        culture = study.cultures[number % len(study.cultures)]
        answers += _take_part(store, study, material, culture, number, start, rng)
    return answers


def _take_part(
    store: Store,
    study: StudyFile,
    material: Material,
    culture: str,
    number: int,
    start: float,
    rng: random.Random,
) -> int:
    leaves = number % 23 == 11
    sort = _SORTS[0] if leaves else rng.choices(_SORTS, [sort.share for sort in _SORTS])[0]
    secret = people.invite(store, study.id, "annotator", culture, 7, start)
    cookie = people.redeem(store, study.id, secret, {"PROLIFIC_PID": f"simulated-{number}"}, start) or ""
    who = people.who(store, study.id, cookie, start)
    assert who is not None  # noqa: S101  (the invitation is a moment old)
    clock = start + rng.uniform(20, 90)
    if number % 17 == 5:
        return 0
    people.consented(store, who.id, "en", f"Simulated people agree to everything. {study.title}", clock)
    clock += rng.uniform(5, 30)
    years = rng.randint(0, FEWEST_YEARS - 1) if number % 13 == 4 else rng.randint(FEWEST_YEARS, 15)
    if not people.lived_there(store, who.id, years, FEWEST_YEARS, clock):
        return 0
    clock += rng.uniform(20, 60)
    replies.primed(store, who.id, [_primed(q, rng) for q in material.priming.get(culture, ())], clock)
    clock += rng.uniform(20, 90)
    people.advance(store, who.id, "instructions", clock)
    wrong = 2 if number % 19 == 7 else int(rng.random() < 0.15)
    for attempt in range(wrong + 1):
        clock += rng.uniform(15, 60)
        said = [
            Replied(name, right if attempt >= wrong else "?", attempt >= wrong)
            for name, right in CHECK.items()
        ]
        if replies.checked(store, who.id, attempt + 1, said, clock) == "failed":
            return 0
    made = _answer_items(store, who.id, material.accepted, culture, sort, clock, number, rng)
    if leaves:
        people.withdraw(store, who.id, start + people.DAY / 4)
    return made


def _primed(question: Any, rng: random.Random) -> Replied:  # noqa: ANN401
    answer = question.right if rng.random() < 0.95 else rng.choice(question.options)
    return Replied(question.kind, answer, answer == question.right)


def _answer_items(
    store: Store,
    who: str,
    accepted: Accepted,
    culture: str,
    sort: Sort,
    clock: float,
    number: int,
    rng: random.Random,
) -> int:
    made = 0
    while isinstance(given := lease(store, who, clock), Given):
        if rng.random() < sort.stops or (made == 3 and number % 11 == 3):
            return made
        clock += rng.lognormvariate(3.2, 0.5)
        answer = _answer(given.content, accepted, culture, sort, rng)
        verdict = grade(given.content, answer, accepted).verdict
        comment = "The picture is hard to judge." if rng.random() < 0.03 else ""
        submit(store, who, f"demo-{number}-{made}", given.item, verdict, comment, clock, answer)
        made += 1
    if given == "done":
        people.advance(store, who, "items", clock)
    return made


def _answer(
    content: Mapping[str, Any], accepted: Accepted, culture: str, sort: Sort, rng: random.Random
) -> dict[str, Any]:
    concept = content["concept"]
    if content.get("instructed") and rng.random() < sort.reads:
        value, unit = content["instructed"]
        return {"value": value, "unit": unit, "other": False}
    value = str(rng.choice((3, 8, 20, 25, 40, 60)))
    if rng.random() < 0.02:
        return {"value": value, "unit": _TYPED[concept], "other": True}
    asked = content["asked"] if rng.random() < sort.hears else culture
    home = {**content, "asked": asked or culture, "instructed": None}
    fitting = [unit for unit in units_of(concept, accepted) if _fits(home, value, unit, accepted)]
    return {"value": value, "unit": rng.choice(fitting or list(units_of(concept, accepted))), "other": False}


def _fits(content: Mapping[str, Any], value: str, unit: str, accepted: Accepted) -> bool:
    return grade(content, {"value": value, "unit": unit}, accepted).correct
