"""Agreement of annotators who put items into categories: raw, Gwet's AC1, Krippendorff's alpha.

With r_ik annotators who put item i into category k of q, and r_i = Σ_k r_ik, over items with r_i ≥ 2:

    raw:    p_a = mean over items of Σ_k r_ik (r_ik − 1) / (r_i (r_i − 1))
    AC1:    (p_a − p_e) / (1 − p_e),  p_e = Σ_k π_k (1 − π_k) / (q − 1),
            π_k = mean of r_ik / r_i over items with r_i ≥ 1
            (Gwet 2008, Br. J. Math. Stat. Psychol. 61:29–48; missing ratings as in Gwet 2014, Handbook of
            Inter-Rater Reliability, 4th edition)
    alpha:  1 − (n − 1) · (n − Σ_k o_kk) / (n² − Σ_k n_k²),
            o_kk = Σ_i r_ik (r_ik − 1) / (r_i − 1),  n_k = Σ_i r_ik,  n = Σ_k n_k
            (nominal data, from the coincidence matrix: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability)

The three differ most where one category is common: there alpha asks for more than AC1. Intervals are percentiles of
the bootstrap over items (Efron and Tibshirani 1993).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from homeground.schema import Estimate
from homeground.statistics.accuracy import NOTHING
from homeground.statistics.clusters import CONFIDENCE, Floats
from homeground.statistics.divergence import Ints

_UNDEFINED = 0.05
"""With more resamples than this in which a measure has no value, it has no interval."""


class Agreement(NamedTuple):
    """Three measures of the same answers; ``n`` counts the items with two answers or more."""

    raw: Estimate
    ac1: Estimate
    alpha: Estimate
    """``AC1`` and alpha have no value where all answers are in one category: there was nothing to tell apart."""


def agreement(codes: Ints, seed: int, categories: int | None = None, resamples: int = 2_000) -> Agreement:
    """Agreement of annotators over items.

    Args:
        codes: the category of each answer as a whole number from 0, −1 for none, of shape items × annotators.
        seed: of the bootstrap.
        categories: how many categories there are to choose from; those that occur, unless said. AC1 depends on it.
        resamples: of the bootstrap.

    Raises:
        ValueError: a code is not below ``categories``.
    """
    names = np.unique(codes[codes >= 0])
    if categories is not None and len(names) and int(names[-1]) >= categories:
        raise ValueError(f"code {int(names[-1])} is not below {categories}, the number of categories")
    counts = np.stack([(codes == name).sum(axis=1) for name in names], axis=1) if len(names) else None
    if counts is None or not (paired := counts.sum(axis=1) >= 2).any():
        return Agreement(NOTHING, NOTHING, NOTHING)
    table = _sums(counts.astype(np.float64), paired)
    many = len(names) if categories is None else categories
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=resamples)
    items = int(paired.sum())
    measures: tuple[Callable[[Floats], Floats], ...] = (
        lambda weight: _raw(table, weight),
        lambda weight: _ac1(table, weight, many),
        lambda weight: _alpha(table, weight),
    )
    everything = np.ones((1, len(counts)))
    raw, ac1, alpha = (
        _estimate(measure(everything), measure(weights.astype(np.float64)), items) for measure in measures
    )
    return Agreement(raw, ac1, alpha)


class _Sums(NamedTuple):
    """What the measures sum over items."""

    paired: Floats
    """1 for an item with two answers or more."""
    rated: Floats
    """1 for an item with an answer."""
    agreeing: Floats
    """Share of an item's pairs of answers that agree; 0 for an item without pairs."""
    shares: Floats
    """Share of an item's answers in each category, items × categories."""
    coincidences: Floats
    """An item's part of Σ o_kk."""
    pairable: Floats
    """Answers in each category that have another beside them, items × categories."""


def _sums(counts: Floats, paired: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> _Sums:
    total = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    return _Sums(
        paired=paired.astype(np.float64),
        rated=(total > 0).astype(np.float64),
        agreeing=agreeing / np.maximum(total * (total - 1), 1),
        shares=counts / np.maximum(total, 1)[:, None],
        coincidences=agreeing / np.maximum(total - 1, 1),
        pairable=counts * paired[:, None],
    )


def _raw(table: _Sums, weights: Floats) -> Floats:
    return _ratio(weights @ table.agreeing, weights @ table.paired)


def _ac1(table: _Sums, weights: Floats, categories: int) -> Floats:
    if categories < 2:
        return np.full(len(weights), np.nan)
    common = _ratio(weights @ table.shares, (weights @ table.rated)[:, None])
    chance = (common * (1 - common)).sum(axis=1) / (categories - 1)
    return _ratio(_raw(table, weights) - chance, 1 - chance)


def _alpha(table: _Sums, weights: Floats) -> Floats:
    each = weights @ table.pairable
    n = each.sum(axis=1)
    return 1 - _ratio((n - 1) * (n - weights @ table.coincidences), n**2 - (each**2).sum(axis=1))


def _ratio(top: Floats, below: Floats) -> Floats:
    """``top / below``, not a number where ``below`` is 0; it goes no further than ``_estimate``."""
    return np.divide(top, below, out=np.full_like(top, np.nan), where=below > 0)


def _estimate(value: Floats, resampled: Floats, items: int) -> Estimate:
    if np.isnan(value[0]):
        return Estimate(value=None, low=None, high=None, se=None, n=items, clusters=items)
    defined = resampled[~np.isnan(resampled)]
    low = high = se = None
    if items > 1 and len(defined) >= (1 - _UNDEFINED) * len(resampled):
        tail = (1 - CONFIDENCE) / 2
        low, high = (float(end) for end in np.quantile(defined, (tail, 1 - tail)))
        se = float(defined.std(ddof=1))
    return Estimate(value=float(value[0]), low=low, high=high, se=se, n=items, clusters=items)
