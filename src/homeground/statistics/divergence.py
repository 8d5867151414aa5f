"""Divergences: how often answers without a right or wrong change with the culture of who asks.

Over scaffolds, for cultures B (Miao, Zhu and Shwartz 2026, arXiv:2606.17688, sections 4.1 and 4.2):

    D_inter    = mean over pairs of cultures of Pr(y_B ≠ y_B'), at one level
    D_level(B) = Pr(y_B at the level ≠ y at neutral), for the levels implicit and explicit

Neither means anything by itself: answers also change when nothing about the culture does. So each can be asked for
above its floor, the share of changes under a placebo (other cues of the same culture, words without a culture, a
rerun), by the paired difference over the same scaffolds:

    D_level(B) − F(B),    D_inter − mean over cultures of F(B)

A divergence is a mean of K shares p_k, each over the n_k scaffolds where both answers are there. Its error comes
from the linear approximation (delta method; exact when no answer is missing): the n = Σ n_k values

    z = D + n/(K·n_k) · (y − p_k)

have mean D, and their clustered error is that of D. Shares get the Korn–Graubard interval of ``accuracy``,
differences the t interval of ``gap`` and, for where few answers change, the p value of ``sign_flip``.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from homeground.schema import Estimate, Record
from homeground.statistics.accuracy import NOTHING, Names, labels
from homeground.statistics.clusters import Floats, clustered_mean
from homeground.statistics.intervals import difference, share
from homeground.statistics.sign_flip import sign_flip

Ints = NDArray[np.int64]

MISSING = -1
"""The code of an answer that is not there, and of a comparison that cannot be made."""


class Divergence(Record, frozen=True, kw_only=True):
    """A share of changed answers, or what it has above its floor."""

    estimate: Estimate
    """``n`` counts the comparisons."""
    left_out: int
    """Comparisons that an absent answer made impossible."""
    p: float | None
    """Above a floor: chance of a distance as large if there were none, with signs flipped by scene."""


class Shifts(Record, frozen=True, kw_only=True):
    """D_level: how often the answers of a level differ from the neutral ones."""

    by_culture: tuple[Divergence, ...]
    """In the order of the columns."""
    mean: Divergence
    """Mean over cultures."""


def changed(first: Ints, second: Ints) -> Ints:
    """Where two sets of answers differ: 1 for a change, 0 for none, −1 where either answer is missing.

    Args:
        first: answers as whole numbers, −1 for none.
        second: answers to set beside them, of a shape that broadcasts with the first's.
    """
    one, two = np.broadcast_arrays(np.asarray(first), np.asarray(second))
    return np.where((one < 0) | (two < 0), MISSING, one != two).astype(np.int64)


def inter_culture(
    answers: Ints,
    scenes: Names,
    templates: Names | None = None,
    floor: Ints | Floats | None = None,
) -> Divergence:
    """D_inter, or D_inter above its floor.

    Args:
        answers: one level's answers, of shape scaffolds × cultures; −1 for none.
        scenes: the scene of each scaffold.
        templates: the dialogue of each scaffold, where one dialogue can serve several scenes.
        floor: what a placebo changed, by ``changed``, of shape scaffolds × cultures (or × 1, for all alike). A pair of
            cultures is set against the mean of its two floors.
    """
    pairs = list(combinations(range(answers.shape[1]), 2))
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    moved = changed(answers[:, left], answers[:, right])
    if floor is None:
        return _divergence(moved.astype(np.float64), moved >= 0, scenes, templates, signed=False)
    still = np.broadcast_to(np.asarray(floor, dtype=np.float64), answers.shape)
    below = (still[:, left] + still[:, right]) / 2
    known = (moved >= 0) & (still[:, left] >= 0) & (still[:, right] >= 0)
    return _divergence(moved.astype(np.float64) - below, known, scenes, templates, signed=True)


def shifts_from_neutral(
    answers: Ints,
    neutral: Ints,
    scenes: Names,
    templates: Names | None = None,
    floor: Ints | Floats | None = None,
) -> Shifts:
    """D_level of each culture and their mean, or what these have above their floor.

    Args:
        answers: one level's answers, of shape scaffolds × cultures; −1 for none.
        neutral: the neutral answers, one a scaffold, or of shape scaffolds × cultures where each culture drew its
            own; −1 for none.
        scenes: the scene of each scaffold.
        templates: the dialogue of each scaffold, where one dialogue can serve several scenes.
        floor: what a placebo changed, by ``changed``, of shape scaffolds × cultures (or × 1, for all alike); a mean
            of two placebos will do.
    """
    anchor = np.asarray(neutral)
    moved = changed(answers, anchor if anchor.ndim > 1 else anchor[:, None])
    values, known = moved.astype(np.float64), moved >= 0
    if floor is not None:
        still = np.broadcast_to(np.asarray(floor, dtype=np.float64), moved.shape)
        values, known = values - still, known & (still >= 0)
    signed = floor is not None
    each = [
        _divergence(values[:, [column]], known[:, [column]], scenes, templates, signed)
        for column in range(values.shape[1])
    ]
    return Shifts(by_culture=tuple(each), mean=_divergence(values, known, scenes, templates, signed))


def _divergence(
    values: Floats,
    known: NDArray[np.bool_],
    scenes: Names,
    templates: Names | None,
    signed: bool,
) -> Divergence:
    """Mean over columns of the mean of a column's known values; columns without any are passed over."""
    left_out = int((~known).sum())
    counts = known.sum(axis=0)
    if not counts.any():
        return Divergence(estimate=NOTHING, left_out=left_out, p=None)
    some = counts > 0
    values, known, counts = values[:, some], known[:, some], counts[some]
    shares = np.where(known, values, 0.0).sum(axis=0) / counts
    weights = counts.sum() / (len(counts) * counts)
    terms = shares.mean() + weights * (values - shares)
    rows = np.nonzero(known)[0]
    ways = [labels(scenes)[rows]] + ([] if templates is None else [labels(templates)[rows]])
    result = clustered_mean(terms[known], *ways)
    if not signed:
        return Divergence(estimate=share(result), left_out=left_out, p=None)
    p = sign_flip((weights * values)[known], ways[0]).p
    return Divergence(estimate=difference(result), left_out=left_out, p=p)
