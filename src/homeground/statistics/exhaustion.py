"""Exhaustion: how much a set of items has left to tell.

    headroom = ceiling − accuracy of the best model

The ceiling is what people reach, or the share of items that an audit found sound. Items that every model gets, and
items that none gets, tell no two models apart; of the latter some may be wrong rather than hard. The best model is
chosen by the same answers, so the headroom is a little too small rather than too large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homeground.schema import Estimate, Record
from homeground.statistics.accuracy import NOTHING, accuracy
from homeground.statistics.clusters import critical_t


class Exhaustion(Record, frozen=True, kw_only=True):
    """What is left below a ceiling, and which items tell no models apart."""

    best: int | None
    """Row of the best model, the first of equals."""
    accuracy: Estimate
    """Of the best model."""
    headroom: Estimate
    """Negative where a model is above the ceiling."""
    nobody: tuple[int, ...]
    """Columns of the items that no model gets."""
    everybody: tuple[int, ...]
    """Columns of the items that every model gets."""
    items: int
    models: int


def exhaustion(
    correct: NDArray[np.bool_],
    ceiling: Estimate | float = 1.0,
    clusters: Sequence[object] | None = None,
) -> Exhaustion:
    """Headroom below a ceiling, with items that all models or none get.

    Args:
        correct: of shape models × items.
        ceiling: a share; as a number it is taken as known, as an estimate (of other answers) its error is added.
        clusters: what each item belongs to; each item is its own, unless said.
    """
    models, items = correct.shape
    if not correct.size:
        return Exhaustion(
            best=None, accuracy=NOTHING, headroom=NOTHING, nobody=(), everybody=(), items=items, models=models
        )
    got = correct.sum(axis=0)
    best = int(correct.sum(axis=1).argmax())
    reached = accuracy(correct[best].tolist(), range(items) if clusters is None else clusters)
    return Exhaustion(
        best=best,
        accuracy=reached,
        headroom=_below(ceiling, reached),
        nobody=tuple(np.flatnonzero(got == 0).tolist()),
        everybody=tuple(np.flatnonzero(got == models).tolist()),
        items=items,
        models=models,
    )


def _below(ceiling: Estimate | float, reached: Estimate) -> Estimate:
    """Ceiling minus what was reached. A known ceiling only turns the interval of what was reached around."""
    top = ceiling.value if isinstance(ceiling, Estimate) else ceiling
    if top is None or reached.value is None:
        return NOTHING
    value = top - reached.value
    low = high = se = None
    clusters = reached.clusters
    if isinstance(ceiling, Estimate):
        clusters = min(clusters, ceiling.clusters)
        if ceiling.se is not None and reached.se is not None:
            se = math.hypot(ceiling.se, reached.se)
            half = critical_t(clusters - 1) * se
            low, high = max(-1.0, value - half), min(1.0, value + half)
    elif reached.low is not None and reached.high is not None:
        se, low, high = reached.se, top - reached.high, top - reached.low
    return Estimate(value=value, low=low, high=high, se=se, n=reached.n, clusters=clusters)
