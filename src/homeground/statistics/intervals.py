"""From a clustered mean to an estimate: the Korn–Graubard interval of a share, the t interval of a difference.

Korn and Graubard (1998): the exact interval of Clopper and Pearson at the effective sample size

    n* = min(n, p(1−p)/SE²) · (t(n−1) / t(clusters−1))²

It stays inside [0, 1], and has a width where the error is zero, as when all answers are right or all are wrong
(there n* is the number of clusters: answers of one cluster may be all of one piece). In simulations of the
design it covers 95 to 96 %, near 100 % accuracy too, where a t interval covers 90 to 91 % and a clustered Wilson
interval 93 %.

A difference d has a t interval. Where its error is zero, as when no pair flips or all flip one way, that has no width;
there h, the share interval's upper end at 0 of so many clusters, is the share of clusters that may be of another kind,
in the extreme at −limit or +limit:

    [d − h (limit + d), d + h (limit − d)]
"""

from __future__ import annotations

from scipy.special import betaincinv

from homeground.schema import Estimate
from homeground.statistics.clusters import ALPHA, ClusteredMean, critical_t

_ROUNDING = 1e-9
"""A standard error below this is zero: all clusters have the same share."""


def share(result: ClusteredMean) -> Estimate:
    """A share in [0, 1]; the interval is ``None`` with fewer than two clusters."""
    p, n, clusters = result.mean, result.n, result.clusters
    if result.se is None:
        return Estimate(value=p, low=None, high=None, se=None, n=n, clusters=clusters)
    effective = float(clusters)
    if result.se > _ROUNDING:
        effective = min(p * (1 - p) / result.se**2, n)
        effective *= (critical_t(n - 1) / critical_t(clusters - 1)) ** 2
    low, high = clopper_pearson(p, effective)
    return Estimate(value=p, low=low, high=high, se=result.se, n=n, clusters=clusters)


def difference(result: ClusteredMean, limit: float = 1) -> Estimate:
    """A difference of shares in [−1, 1], or within another limit; no interval with fewer than two clusters."""
    low = high = None
    if result.se is not None:
        d = result.mean
        if result.se > _ROUNDING:
            half = critical_t(result.clusters - 1) * result.se
            low, high = max(-limit, d - half), min(limit, d + half)
        else:
            unseen = clopper_pearson(0, result.clusters)[1]
            low, high = d - unseen * (limit + d), d + unseen * (limit - d)
    return Estimate(value=result.mean, low=low, high=high, se=result.se, n=result.n, clusters=result.clusters)


def clopper_pearson(p: float, n: float) -> tuple[float, float]:
    """The exact 95 % interval (Clopper and Pearson 1934) for a share ``p`` of ``n``, not always whole."""
    tail = ALPHA / 2
    right = p * n
    low = float(betaincinv(right, n - right + 1, tail)) if p > 0 else 0.0
    high = float(betaincinv(right + 1, n - right, 1 - tail)) if p < 1 else 1.0
    return low, high
