"""The sign-flip test by cluster: is the mean of paired differences zero?

If it is, and the two sides of a pair could change places, the sum of the differences of each cluster is as likely with
the other sign. The two-sided p value is the share of all 2^G ways to sign the G sums whose total is at least as far
from zero as the total seen (Fisher 1935, The Design of Experiments, section 21; by cluster: Canay, Romano and Shaikh
2017, Econometrica 85(3)). Where each pair is its own cluster and differences are −1, 0 and 1, it is the exact McNemar
test.

The distribution of the total is built cluster by cluster, and equal totals are kept once. So it is exact for up to 16
clusters, and for any number of them where differences are whole numbers, as those of right and wrong are. Beyond that,
signs are drawn, and p = (1 + as far) / (1 + draws), which never is zero (Phipson and Smyth 2010).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from homeground.statistics.clusters import Floats, Labels, cluster_sums

_TOTALS = 2**16
"""As many different totals are kept; 16 clusters cannot have more."""
_ROUNDING = 1e-9
"""Totals this close, as a part of the largest possible one, are equal."""
_DRAWS_AT_ONCE = 1_000


class SignFlip(NamedTuple):
    """The outcome of the test."""

    p: float
    exact: bool
    """All ways to sign the clusters were counted, none drawn."""


def sign_flip(differences: Floats, clusters: Labels, draws: int = 9_999, seed: int = 0) -> SignFlip:
    """Test the mean of ``differences`` (shape n) against zero.

    Args:
        differences: first minus second, a pair each.
        clusters: the cluster of each pair, shape n.
        draws: how many ways to sign the clusters are drawn where they are too many to count.
        seed: of the draws.
    """
    sums = np.abs(cluster_sums(differences, clusters))
    bound = abs(float(differences.sum())) - _ROUNDING * float(sums.sum())
    sums = sums[sums > 0]
    p = _exact(sums, bound)
    return SignFlip(_drawn(sums, bound, draws, seed), exact=False) if p is None else SignFlip(p, exact=True)


def _exact(sums: Floats, bound: float) -> float | None:
    """The share of totals beyond the bound; ``None`` if there are too many to keep."""
    totals, shares = np.zeros(1), np.ones(1)
    for one in sums:
        totals, place = np.unique(np.concatenate([totals - one, totals + one]), return_inverse=True)
        if len(totals) > _TOTALS:
            return None
        shares = np.bincount(place, weights=np.tile(shares / 2, 2)).astype(np.float64)
    return min(1.0, float(shares[np.abs(totals) >= bound].sum()))


def _drawn(sums: Floats, bound: float, draws: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    far = 0
    for start in range(0, draws, _DRAWS_AT_ONCE):
        some = min(_DRAWS_AT_ONCE, draws - start)
        signs = rng.integers(2, size=(some, len(sums)), dtype=np.int8) * 2.0 - 1.0
        far += int((np.abs(signs @ sums) >= bound).sum())
    return (1 + far) / (1 + draws)
