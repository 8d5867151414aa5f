"""The variance of a mean when answers come in clusters.

One way, over clusters g = 1…G of n answers in all (Liang and Zeger 1986; Miller 2024, arXiv:2411.00640):

    SE² = G/(G−1) · Σ_g (Σ_{i∈g} (y_i − ȳ))² / n²

Two ways, where one dialogue serves several scenes (Cameron, Gelbach and Miller 2011):

    SE² = SE²(scene) + SE²(dialogue) − SE²(scene and dialogue)

which can fall below either part in small samples; then the larger part is used. Critical values are those of
Student's t with (the smaller number of clusters) − 1 degrees of freedom.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

CONFIDENCE = 0.95


class ClusteredMean(NamedTuple):
    """A mean with its clustered standard error."""

    mean: float
    se: float | None
    """``None`` with fewer than two clusters: one cluster says nothing about others."""
    n: int
    clusters: int
    """The smaller number of clusters of the two ways."""


def critical_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t."""
    return float(stdtrit(degrees, 0.5 + CONFIDENCE / 2))


def clustered_mean(values: Floats, *ways: Labels) -> ClusteredMean:
    """Mean of ``values`` (shape n) with a standard error clustered one way or two.

    Args:
        values: one number an answer; at least one.
        ways: one or two arrays of cluster labels, each of shape n.
    """
    mean = float(values.mean())
    residuals = values - mean
    counts = [len(np.unique(labels)) for labels in ways]
    clusters = min(counts)
    if clusters < 2:
        return ClusteredMean(mean, None, len(values), clusters)
    parts = [_variance(residuals, labels) for labels in ways]
    variance = max(parts)
    if len(ways) == 2:
        both = _variance(residuals, ways[0] * (int(ways[1].max()) + 1) + ways[1])
        variance = max(variance, sum(parts) - both)
    return ClusteredMean(mean, float(np.sqrt(variance)), len(values), clusters)


def _variance(residuals: Floats, labels: Labels) -> float:
    _, index = np.unique(labels, return_inverse=True)
    sums = np.bincount(index, weights=residuals)
    groups = len(sums)
    return float(groups / (groups - 1) * (sums**2).sum() / len(residuals) ** 2)
