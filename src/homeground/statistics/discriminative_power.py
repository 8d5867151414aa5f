"""Discriminative power: the share of pairs of models that a set of items tells apart.

In the sense of Sakai (2006, SIGIR; 2014, SIGIR Forum 48(1)), by the randomised Tukey HSD test (Carterette 2012, ACM
TOIS 30(1)): the scores of each item are dealt anew among the models, and each observed distance is held
against the distance of the best from the worst model after the deal:

    p_ab = (1 + #{max − min of dealt means ≥ |mean_a − mean_b|}) / (1 + deals)
    power = #{pairs with p_ab ≤ α} / #{pairs}

It grows with the number of items, so sets of different size are compared at an equal number, drawn at random from
each, the mean over several draws (rarefaction, as for species: Hurlbert 1971).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from homeground.statistics.accuracy import labels
from homeground.statistics.clusters import ALPHA, Floats

_ROUNDING = 1e-9
_AT_ONCE = 2_000_000
"""Dealt scores held in memory at a time."""


class DiscriminativePower(NamedTuple):
    """Pairs of models told apart, over draws of items."""

    share: float | None
    """Mean over draws; ``None`` where there is no pair of models, or no item."""
    lowest: float | None
    """Over draws."""
    highest: float | None
    pairs: int
    items: int
    """Items a draw."""
    draws: int


def discriminative_power(
    scores: Floats,
    seed: int,
    items: int | None = None,
    clusters: Sequence[object] | None = None,
    draws: int = 20,
    permutations: int = 1_000,
    alpha: float = ALPHA,
) -> DiscriminativePower:
    """Share of pairs of models that differ under the randomised Tukey HSD test.

    Args:
        scores: of shape models × items.
        seed: of draws and deals.
        items: how many items to draw; all of them, unless said.
        clusters: what each item belongs to; items of one cluster are dealt alike.
        draws: how many times ``items`` are drawn; once where they are all of them.
        permutations: deals a draw.
        alpha: the level, for all pairs together.

    Raises:
        ValueError: more items are asked for than there are.
    """
    models, there = scores.shape
    wanted = there if items is None else items
    if wanted > there:
        raise ValueError(f"{wanted} items cannot be drawn from {there}")
    pairs = models * (models - 1) // 2
    if not pairs or wanted < 1:
        return DiscriminativePower(None, None, None, pairs, wanted, 0)
    rng = np.random.default_rng(seed)
    upper = np.triu_indices(models, 1)
    found = []
    for _ in range(draws if wanted < there else 1):
        some = np.sort(rng.choice(there, wanted, replace=False))
        way = None if clusters is None else [clusters[item] for item in some]
        p = tukey_hsd(scores[:, some], rng, way, permutations)
        found.append(float((p[upper] <= alpha).mean()))
    return DiscriminativePower(float(np.mean(found)), min(found), max(found), pairs, wanted, len(found))


def tukey_hsd(
    scores: Floats,
    rng: np.random.Generator,
    clusters: Sequence[object] | None = None,
    permutations: int = 1_000,
) -> Floats:
    """Chances p_ab of the randomised Tukey HSD test, of shape models × models; 1 on the diagonal.

    Args:
        scores: of shape models × items.
        rng: where deals come from.
        clusters: what each item belongs to; items of one cluster are dealt alike.
        permutations: how many deals.
    """
    models, items = scores.shape
    # Items dealt alike are one item with their sum; distances of sums are those of means, times the number of items.
    way = np.arange(items) if clusters is None else labels(clusters)
    sums = np.zeros((int(way.max()) + 1, models))
    np.add.at(sums, way, scores.T)
    apart = np.ptp(sums, axis=1) > 0
    dealt = sums[apart]
    ranges = np.zeros(permutations)
    step = max(1, _AT_ONCE // max(1, dealt.size))
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), *dealt.shape)
        order = rng.random(size).argsort(axis=2)
        totals = np.take_along_axis(np.broadcast_to(dealt, size), order, axis=2).sum(axis=1)
        ranges[start : start + size[0]] = np.ptp(totals, axis=1)
    total = sums.sum(axis=0)
    distances = np.abs(total[:, None] - total[None, :])
    beyond = permutations - np.searchsorted(np.sort(ranges), distances - _ROUNDING, side="left")
    return np.asarray((1 + beyond) / (1 + permutations), dtype=np.float64)
