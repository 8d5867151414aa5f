"""Means of clock times: 23:00 and 01:00 meet at midnight, not at noon.

With θ = 2π·hour/24 (Mardia and Jupp 2000, Directional Statistics, sections 2.2 and 2.3):

    C̄ = mean cos θ,  S̄ = mean sin θ
    mean direction θ̄ = atan2(S̄, C̄),  resultant length R̄ = √(C̄² + S̄²),  circular sd = √(−2 ln R̄)

The mean direction's error is that of the mean of sin(θ − θ̄)/R̄ (delta method), clustered, and its interval is
θ̄ ± arcsin(t · SE) (Fisher and Lewis 1983; Fisher 1993, Statistical Analysis of Circular Data, chapter 4).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from homeground.schema import Estimate
from homeground.statistics.accuracy import NOTHING, Names, labels
from homeground.statistics.clusters import Floats, clustered_mean, critical_t
from homeground.statistics.divergence import Ints

_HOURS = 24 / (2 * math.pi)
"""Hours in a radian."""
_NO_DIRECTION = 1e-9
"""A resultant below this is zero: the times pull every way alike."""


class CircularMean(NamedTuple):
    """Where times gather on a clock of 24 hours, and how closely."""

    mean: Estimate
    """In hours, the value in [0, 24). The ends of the interval lie around it and are not folded back: below 0 or
    above 24 the interval spans midnight. ``se`` is in hours."""
    resultant: float | None
    """From 0, no direction at all, to 1, one time."""
    sd: float | None
    """In hours."""


def circular_mean(hours: Floats, counts: Ints | None = None, clusters: Names | None = None) -> CircularMean:
    """Circular mean of clock times.

    Args:
        hours: times of day in hours, shape n.
        counts: how many times each was given; once, unless said.
        clusters: what each time belongs to (a scene, a person); each single time is its own, unless said.

    Returns:
        A mean without a value where the times have no common direction; without an interval where there are fewer
        than two clusters, or where the interval would be the whole clock.

    Raises:
        ValueError: a count is negative.
    """
    times = np.ones(len(hours), dtype=np.int64) if counts is None else counts
    if (times < 0).any():
        raise ValueError("counts must not be negative")
    angles = np.repeat(hours, times) / _HOURS
    if not len(angles):
        return CircularMean(NOTHING, None, None)
    way = np.arange(len(angles)) if clusters is None else np.repeat(labels(clusters), times)
    cosine, sine = float(np.cos(angles).mean()), float(np.sin(angles).mean())
    resultant = min(1.0, math.hypot(cosine, sine))
    if resultant < _NO_DIRECTION:
        nowhere = Estimate(
            value=None, low=None, high=None, se=None, n=len(angles), clusters=len(np.unique(way))
        )
        return CircularMean(nowhere, 0.0, None)
    direction = math.atan2(sine, cosine)
    result = clustered_mean(np.sin(angles - direction) / resultant, way)
    value = direction * _HOURS % 24 % 24  # a tiny negative time folds to 24.0, which is 0
    low = high = None
    if result.se is not None:
        reach = critical_t(result.clusters - 1) * result.se
        if reach < 1:
            low, high = value - math.asin(reach) * _HOURS, value + math.asin(reach) * _HOURS
    estimate = Estimate(
        value=value,
        low=low,
        high=high,
        se=None if result.se is None else result.se * _HOURS,
        n=result.n,
        clusters=result.clusters,
    )
    return CircularMean(estimate, resultant, math.sqrt(-2 * math.log(resultant)) * _HOURS)
