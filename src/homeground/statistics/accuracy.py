"""Accuracy: a share of right answers with a clustered Korn–Graubard interval.

Korn and Graubard (1998): the exact interval of Clopper and Pearson at the effective sample size

    n* = min(n, p(1−p)/SE²) · (t(n−1) / t(clusters−1))²

It stays inside [0, 1], and has a width where the error is zero, as when all answers are right or all are wrong
(there n* is the number of clusters: answers of one cluster may be all of one piece). In simulations of the
design it covers 94 to 96 %, near 100 % accuracy too, where a t interval covers 90 to 91 % and a clustered Wilson
interval 93 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import betaincinv

from homeground.schema import Estimate
from homeground.statistics.clusters import CONFIDENCE, Labels, clustered_mean, critical_t

_ROUNDING = 1e-9
"""A standard error below this is zero: all clusters have the same share."""
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
    p, n, clusters = result.mean, result.n, result.clusters
    if result.se is None:
        return Estimate(value=p, low=None, high=None, se=None, n=n, clusters=clusters)
    if result.se > _ROUNDING:
        effective = min(p * (1 - p) / result.se**2, n)
        effective *= (critical_t(n - 1) / critical_t(clusters - 1)) ** 2
    else:
        effective = float(clusters)
    low, high = clopper_pearson(p, effective)
    return Estimate(value=p, low=low, high=high, se=result.se, n=n, clusters=clusters)


def clopper_pearson(p: float, n: float) -> tuple[float, float]:
    """The exact 95 % interval (Clopper and Pearson 1934) for a share ``p`` of ``n``, not always whole."""
    tail = (1 - CONFIDENCE) / 2
    right = p * n
    low = float(betaincinv(right, n - right + 1, tail)) if p > 0 else 0.0
    high = float(betaincinv(right + 1, n - right, 1 - tail)) if p < 1 else 1.0
    return low, high


def labels(names: Sequence[object]) -> Labels:
    """Names as consecutive integers, in order of appearance."""
    seen: dict[object, int] = {}
    return np.asarray([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)
