"""The cluster bootstrap of means: the check of the analytic intervals, for many groups of answers at once.

One way, clusters are drawn with replacement, as many as there are (Davison and Hinkley 1997, section 3.8). Two ways,
where one dialogue serves several scenes, this is the pigeonhole bootstrap (Owen 2007, Annals of Applied Statistics
1(2)): scenes and dialogues are drawn apart, and an answer counts as often as

    w(answer) = w(its scene) · w(its dialogue)

The mean of a replicate is Σ w·y / Σ w over the answers of a group; the interval is the 2.5 % and 97.5 % quantile.

Against ``clusters``: one way, the squared error is that one without its factor G/(G−1). Two ways, Owen shows that what
belongs to a pair of scene and dialogue alone counts three times, so that the interval is rather too wide than too
narrow: SE²(scene) + SE²(dialogue) + SE²(scene and dialogue), where the analytic one takes the last part off. In
simulations of the design with 60 scenes, 95 % intervals cover 92 to 94 % one way (percentiles know nothing of few
clusters) and 99 % two ways; the analytic ones stay the headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from homeground.statistics.clusters import ALPHA, Floats, Labels

Singles = NDArray[np.float32]
Members = NDArray[np.int64] | NDArray[np.bool_]
"""Which answers belong to a group: their indices, or a mask over all of them."""


class Group(NamedTuple):
    """Answers whose mean is wanted."""

    values: Floats
    """One number for each member, in their order."""
    members: Members


_GROUPS_AT_ONCE = 256
"""With 10,000 replicates the two products of a batch take 20 MB."""


class Bootstrap:
    """One set of replicates over the clusters of a study, drawn once; the same seed gives the same intervals.

    Answers are summed by distinct pair of scene and dialogue, so time and memory depend on the pairs (516 in the
    whole benchmark), not on the answers: 4 bytes × replicates × pairs are kept.
    """

    def __init__(
        self, scenes: Labels, templates: Labels | None = None, replicates: int = 10_000, seed: int = 0
    ) -> None:
        """Draw the weights.

        Args:
            scenes: the scene of each answer, shape n, n at least 1.
            templates: the dialogue of each answer, shape n; ``None`` clusters by scene alone.
            replicates: how many times the study is drawn anew.
            seed: of the draws.
        """
        ways = np.stack([scenes] if templates is None else [scenes, templates])
        pairs, place = np.unique(ways, axis=1, return_inverse=True)
        self._pair = place.ravel()  # NumPy 2.0 alone gives it two axes
        self._clusters = [np.unique(way, return_inverse=True)[1] for way in pairs]
        """For each way the cluster of each pair, counted from 0."""
        self._weights = np.ones((replicates, pairs.shape[1]), dtype=np.float32)
        rng = np.random.default_rng(seed)
        for way in self._clusters:
            count = int(way.max()) + 1
            for row in self._weights:
                row *= np.bincount(rng.integers(count, size=count), minlength=count)[way]

    def means(self, groups: Sequence[Group]) -> Singles:
        """The mean of each group in each replicate.

        Returns:
            Shape groups × replicates; NaN where no cluster of the group was drawn.
        """
        sums, counts = self._by_pair(groups)
        with np.errstate(invalid="ignore"):
            quotient: Singles = (sums @ self._weights.T) / (counts @ self._weights.T)
        return quotient

    def intervals(self, groups: Sequence[Group]) -> list[tuple[float, float] | None]:
        """The 95 % percentile interval of each group's mean, over the replicates that have a mean.

        Returns:
            Low and high a group; ``None`` with fewer than two clusters in either way.
        """
        found: list[tuple[float, float] | None] = []
        for start in range(0, len(groups), _GROUPS_AT_ONCE):
            some = groups[start : start + _GROUPS_AT_ONCE]
            means = self.means(some)
            means.sort(axis=1)  # NaN comes last
            for group, row in zip(some, means, strict=True):
                pairs = np.unique(self._pair[group.members])
                drawn = row[: np.searchsorted(row, np.nan)]
                if not len(drawn) or min(len(np.unique(way[pairs])) for way in self._clusters) < 2:
                    found.append(None)
                else:
                    found.append((_quantile(drawn, ALPHA / 2), _quantile(drawn, 1 - ALPHA / 2)))
        return found

    def _by_pair(self, groups: Sequence[Group]) -> tuple[Singles, Singles]:
        """Sum of values and number of answers, each groups × pairs."""
        sums = np.empty((len(groups), self._weights.shape[1]), dtype=np.float32)
        counts = np.empty_like(sums)
        for row, group in enumerate(groups):
            pair = self._pair[group.members]
            sums[row] = np.bincount(pair, weights=group.values, minlength=sums.shape[1])
            counts[row] = np.bincount(pair, minlength=sums.shape[1])
        return sums, counts


def _quantile(ordered: Singles, share: float) -> float:
    """Between the two nearest of ordered values, in proportion (Hyndman and Fan 1996, type 7)."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (place - below) * (high - low)
