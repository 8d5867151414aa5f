"""Accuracy: a share of right answers with a clustered Wilson interval.

Wilson's interval (1927) at the effective sample size n* = p(1−p)/SE², never above n, and Student's t in the
place of the normal quantile; it stays inside [0, 1] and has a width where all answers are right or all are wrong
(there n* is the number of clusters: answers of one cluster may be all of one piece).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from homeground.schema import Estimate
from homeground.statistics.clusters import clustered_mean

NOTHING = Estimate(value=None, low=None, high=None, se=None, n=0, clusters=0)
"""The estimate from no answers at all."""


def accuracy(
    correct: Sequence[bool], scenes: Sequence[object], templates: Sequence[object] | None = None
) -> Estimate:
    """Share of right answers.

    Args:
        correct: one truth value an answer.
        scenes: the scene of each answer.
        templates: the dialogue of each answer, where one dialogue can serve several scenes.

    Returns:
        The share with a 95 % interval; the interval is ``None`` with fewer than two clusters.
    """
    if not correct:
        return NOTHING
    ways = [labels(scenes)] + ([] if templates is None else [labels(templates)])
    result = clustered_mean(np.asarray(correct, dtype=np.float64), *ways)
    p = result.mean
    if result.se is None:
        return Estimate(value=p, low=None, high=None, se=None, n=result.n, clusters=result.clusters)
    spread = p * (1 - p)
    effective = min(spread / result.se**2, result.n) if result.se > 0 else result.clusters
    low, high = wilson(p, effective, result.critical)
    return Estimate(value=p, low=low, high=high, se=result.se, n=result.n, clusters=result.clusters)


def wilson(p: float, n: float, critical: float) -> tuple[float, float]:
    """Wilson's score interval for a share ``p`` of ``n`` at a critical value."""
    square = critical**2 / n
    centre = (p + square / 2) / (1 + square)
    half = critical / (1 + square) * math.sqrt(p * (1 - p) / n + square / (4 * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def labels(names: Sequence[object]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Names as consecutive integers, in order of appearance."""
    seen: dict[object, int] = {}
    return np.asarray([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)
