"""How well do the items tell models apart, and what have they left to tell?

Discriminative power is the share of pairs of models that a set tells apart (``statistics.discriminative_power``). It
grows with the number of items, so several sets are compared at the number of the smallest, over the models that all of
them have. Exhaustion is the headroom below a ceiling, with the items that no model gets and those that every model gets
(``statistics.exhaustion``); item discrimination asks whether models that are good at the rest get an item
(``statistics.item_discrimination``).

A model here is a series: a model under one strategy. An item is one question of one culture at one level, which every
model has answered; items of one scene are of one cluster. Item discrimination is of scaffolds, by the share right over
cultures.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homeground.experiments.compare import PREFERRED, label
from homeground.experiments.frame import Codes, Mask
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS, TOLD, Estimate
from homeground.statistics.accuracy import NOTHING
from homeground.statistics.accuracy import accuracy as share_of
from homeground.statistics.discriminative_power import discriminative_power
from homeground.statistics.exhaustion import exhaustion
from homeground.statistics.item_discrimination import MODELS_TO_DROP, item_discrimination

_LISTED = 20
"""Items that are listed by name."""


class ItemSet(NamedTuple):
    """Some of the items of a study."""

    name: str
    study: Study
    rows: Mask
    """Which of the frame's rows belong to it."""


class _Scores(NamedTuple):
    """Who got what of a set at one level."""

    right: NDArray[np.bool_]
    """Of shape models × items."""
    models: tuple[Series, ...]
    places: Codes
    """The row of each item in the answers of the first model."""
    left_out: int
    """Items that not every model answered."""


def sets(study: Study, *others: Study, ceiling: Estimate | float = 1.0, seed: int = 1) -> list[Table]:
    """Discriminative power, exhaustion and item discrimination of the questions of one study or several.

    Args:
        study: one run or several.
        others: studies of other benchmarks, to be compared at an equal number of items.
        ceiling: the share that people reach, or that an audit found sound.
        seed: of draws of items and of the deals of the test.
    """
    studies = (study, *others)
    names = [one.source.signature for one in studies]
    if len(set(names)) < len(names):
        names = [" and ".join(str(run.folder) for run in one.runs) for one in studies]
    return tables_of(
        [ItemSet(name, one, one.objective) for name, one in zip(names, studies, strict=True)], ceiling, seed
    )


def tables_of(some: Sequence[ItemSet], ceiling: Estimate | float = 1.0, seed: int = 1) -> list[Table]:
    """The same for any sets, such as two parts of one study.

    Args:
        some: at least one set.
        ceiling: the share that people reach, or that an audit found sound.
        seed: of draws of items and of the deals of the test.
    """
    power: list[Row] = []
    left: list[Row] = []
    listed: list[Row] = []
    notes: list[str] = []
    shared = _shared(some)
    levels = [level for level in (*CONDITIONS, *TOLD) if any(_asked(one, level).any() for one in some)]
    closest = next((level for level in PREFERRED if level in levels), None)
    for level in levels:
        scores = [_scores(one, level, models) for one, models in zip(some, shared, strict=True)]
        wanted = min(one.right.shape[1] for one in scores)
        for one, found in zip(some, scores, strict=True):
            by = {**({"set": one.name} if len(some) > 1 else {}), "level": level}
            power += _power(one, found, by, wanted, seed)
            left += _exhaustion(one, found, by, ceiling)
            if found.left_out:
                notes.append(
                    f"{one.name}, {level}: {found.left_out:,} items that not every model answered are left out."
                )
            if level == closest:
                listed += _items(one, found, by)
    caution = (
        f"Item discrimination is a correlation over models, here {len(shared[0])}. With fewer than {MODELS_TO_DROP} "
        "of many kinds it says as much about them as about an item, and no item should be dropped for it."
    )
    one_model = ("One model alone: there is no pair to tell apart.",) if len(shared[0]) < 2 else ()
    study = some[0].study
    tables = [
        study.table("discriminative_power", "Pairs of models told apart", power, across="level", notes=(
            "Share of pairs of models that differ by the randomised Tukey HSD test at 5 % for all pairs together; it "
            "grows with the number of items, n.", *one_model, *notes,
        )),
        study.table("exhaustion", "What the items have left to tell", left, across="level", notes=(
            "Headroom is the ceiling minus the best model; items that all models or none get tell no two models apart.",
            caution,
        )),
        study.table("item_discrimination", "Items that better models get less often", listed, notes=(
            "Correlation of the share right on a scaffold, over cultures, with the score on all others: the lowest "
            f"{_LISTED} of those below zero.", caution,
        )),
    ]  # fmt: skip
    signature = " + ".join(dict.fromkeys(one.study.signature for one in some))
    return [replace(table, signature=signature) for table in tables]


def _asked(one: ItemSet, level: str) -> Mask:
    return one.rows & one.study.objective & one.study.frame.where(task="question", condition=level)


def _shared(some: Sequence[ItemSet]) -> list[list[Series]]:
    """The models that all sets have, for each set in the same order; across studies the run does not count."""
    several = len({id(one.study) for one in some}) > 1
    found: list[dict[Series, Series]] = []
    for one in some:
        asked = one.rows & one.study.objective & one.study.frame.where(task="question")
        there: dict[Series, Series] = {}
        for series in one.study.series:
            if (one.study.of(series) & asked).any():
                there.setdefault(series._replace(run="") if several else series, series)
        found.append(there)
    shared = [name for name in found[0] if all(name in there for there in found)]
    return [[there[name] for name in shared] for there in found]


def _scores(one: ItemSet, level: str, models: Sequence[Series]) -> _Scores:
    frame = one.study.frame
    same = frame.same("item", "culture", "concept")
    asked = _asked(one, level)
    answered = {series: np.flatnonzero(asked & one.study.of(series)) for series in models}
    answered = {series: rows for series, rows in answered.items() if len(rows)}
    if not answered:
        return _Scores(np.zeros((0, 0), dtype=np.bool_), (), np.zeros(0, dtype=np.int64), 0)
    keys = [same[rows] for rows in answered.values()]
    common = reduce(np.intersect1d, keys)
    places = [
        rows[np.argsort(key)][np.isin(np.sort(key), common)]
        for rows, key in zip(answered.values(), keys, strict=True)
    ]
    right = np.stack([frame.correct[rows] == 1 for rows in places])
    return _Scores(right, tuple(answered), places[0], len(reduce(np.union1d, keys)) - len(common))


def _power(one: ItemSet, scores: _Scores, by: dict[str, str], wanted: int, seed: int) -> list[Row]:
    """One row; none where there is no pair of models, or no item."""
    scenes = one.study.frame.scene.codes[scores.places]
    found = discriminative_power(
        scores.right.astype(np.float64), seed, items=wanted, clusters=scenes.tolist()
    )
    if found.share is None or found.lowest is None or found.highest is None:
        return []
    estimate = Estimate(
        value=found.share, low=None, high=None, se=None, n=found.items, clusters=len(np.unique(scenes))
    )
    drawn = f"{found.lowest:.2f} to {found.highest:.2f} over {found.draws} draws of {found.items:,} items"
    counts = {"models": len(scores.models), "pairs": found.pairs, "draws": found.draws}
    return [Row(by=by, estimate=estimate, counts=counts, note=drawn if found.draws > 1 else "")]


def _exhaustion(one: ItemSet, scores: _Scores, by: dict[str, str], ceiling: Estimate | float) -> list[Row]:
    scenes = one.study.frame.scene.codes[scores.places]
    found = exhaustion(scores.right, ceiling, scenes.tolist())
    if found.best is None:
        return []
    nobody, everybody = (np.isin(np.arange(found.items), some) for some in (found.nobody, found.everybody))
    correlations = [r for r in _correlations(one, scores)[1] if r is not None]
    counts = {"items": len(correlations), "negative": sum(r < 0 for r in correlations)}
    median = NOTHING
    if correlations:
        value = float(np.median(correlations))
        median = Estimate(value=value, low=None, high=None, se=None, n=len(correlations), clusters=0)
    few = "" if correlations else "models do not differ enough, or are too few, for any correlation"
    return [
        Row(by={**by, "quantity": "best model"}, estimate=found.accuracy, note=label(scores.models[found.best])),
        Row(by={**by, "quantity": "headroom"}, estimate=found.headroom, unit="points"),
        Row(by={**by, "quantity": "no model gets"}, estimate=share_of(nobody, scenes)),
        Row(by={**by, "quantity": "every model gets"}, estimate=share_of(everybody, scenes)),
        Row(
            by={**by, "quantity": "median item discrimination"}, estimate=median, unit="number",
            counts=counts, note=few,
        ),
    ]  # fmt: skip


def _correlations(one: ItemSet, scores: _Scores) -> tuple[Codes, tuple[float | None, ...]]:
    """Scaffolds, and for each its correlation with all others; two models correlate perfectly, so three are needed."""
    items, item = np.unique(one.study.frame.item.codes[scores.places], return_inverse=True)
    if len(scores.models) < 3:
        return items, (None,) * len(items)
    sums = np.stack([np.bincount(item, weights=right, minlength=len(items)) for right in scores.right])
    return items, item_discrimination(sums / np.bincount(item, minlength=len(items))).correlations


def _items(one: ItemSet, scores: _Scores, by: dict[str, str]) -> list[Row]:
    """The scaffolds of the lowest correlations, below zero."""
    frame = one.study.frame
    items, correlations = _correlations(one, scores)
    rows = []
    for item, r in sorted(
        ((int(i), r) for i, r in zip(items, correlations, strict=True) if r is not None and r < 0),
        key=lambda pair: pair[1],
    )[:_LISTED]:
        mine = frame.item.codes[scores.places] == item
        estimate = Estimate(value=r, low=None, high=None, se=None, n=len(scores.models), clusters=0)
        counts = {"right": int(scores.right[:, mine].sum()), "answers": int(scores.right[:, mine].size)}
        names = {**by, "item": frame.item.names[item]}
        rows.append(Row(by=names, estimate=estimate, unit="number", counts=counts))
    return rows
