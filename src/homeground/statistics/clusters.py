"""The variance of a mean when answers come in clusters.

One way, over clusters g = 1…G of n answers in all (Liang and Zeger 1986; Miller 2024, arXiv:2411.00640):

    SE² = G/(G−1) · Σ_g (Σ_{i∈g} (y_i − ȳ))² / n²

Two ways, where one dialogue serves several scenes (Cameron, Gelbach and Miller 2011):

    SE² = SE²(scene) + SE²(dialogue) − SE²(scene and dialogue)

which can fall below either part in small samples; then the larger part is used. Critical values are those of
Student's t with (the smaller number of clusters) − 1 degrees of freedom.

The difference of two means has (y_i − ȳ)/n of the first and −(y_i − ȳ)/n of the second as its terms, summed over
clusters in the same way: what the two share in a cluster cancels, and means with no cluster in common are
independent. G is the number of clusters of the set that has fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

ALPHA = 0.05
"""Two-sided: a p value up to this is significant."""
CONFIDENCE = 1 - ALPHA


class ClusteredMean(NamedTuple):
    """A mean, or a difference of means, with its clustered standard error."""

    mean: float
    se: float | None
    """``None`` with fewer than two clusters: one cluster says nothing about others."""
    n: int
    clusters: int
    """The smaller number of clusters of the two ways."""


def critical_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t."""
    return float(stdtrit(degrees, 0.5 + CONFIDENCE / 2))


def p_of_t(t: float, degrees: int) -> float:
    """The two-sided p value of Student's t."""
    return float(2 * stdtr(degrees, -abs(t)))


def clustered_mean(values: Floats, *ways: Labels) -> ClusteredMean:
    """Mean of ``values`` (shape n) with a standard error clustered one way or two.

    Args:
        values: one number an answer; at least one.
        ways: one or two arrays of cluster labels, each of shape n.
    """
    mean = float(values.mean())
    counts = [len(np.unique(labels)) for labels in ways]
    se = _error((values - mean) / len(values), ways, counts)
    return ClusteredMean(mean, se, len(values), min(counts))


def clustered_difference(first: Floats, second: Floats, *ways: tuple[Labels, Labels]) -> ClusteredMean:
    """Mean of ``first`` minus mean of ``second``; clusters with the same label are the same.

    Args:
        first: one number an answer; at least one.
        second: likewise, not always as many.
        ways: one or two pairs of arrays of cluster labels, as long as ``first`` and as ``second``.
    """
    one, two = float(first.mean()), float(second.mean())
    terms = np.concatenate([(first - one) / len(first), (two - second) / len(second)])
    counts = [min(len(np.unique(labels)) for labels in way) for way in ways]
    se = _error(terms, [np.concatenate(way) for way in ways], counts)
    return ClusteredMean(one - two, se, len(terms), min(counts))


def cluster_sums(values: Floats, labels: Labels) -> Floats:
    """The sum of ``values`` in each cluster, clusters in order of their labels."""
    _, index = np.unique(labels, return_inverse=True)
    return np.bincount(index, weights=values).astype(np.float64)


def _error(terms: Floats, ways: Sequence[Labels], counts: Sequence[int]) -> float | None:
    if min(counts) < 2:
        return None
    parts = [
        groups / (groups - 1) * float((cluster_sums(terms, labels) ** 2).sum())
        for labels, groups in zip(ways, counts, strict=True)
    ]
    variance = max(parts)
    if len(ways) == 2:
        both = ways[0] * (int(ways[1].max()) + 1) + ways[1]
        groups = len(np.unique(both))
        overlap = groups / (groups - 1) * float((cluster_sums(terms, both) ** 2).sum())
        variance = max(variance, sum(parts) - overlap)
    return float(np.sqrt(variance))
