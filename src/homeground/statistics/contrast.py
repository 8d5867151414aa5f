"""Contrast accuracy: of two siblings that expect different answers, how often both get the right one.

Two cultures in front of one scaffold are a contrast pair if no answer is right for both. A contrast set shows whether
a model decides by what differs between its members (Gardner et al. 2020, arXiv:2004.02709):

    contrast accuracy = #{contrast pairs with both right} / #{contrast pairs}

A model that always says the same, metric or anything else, scores 0 whatever its accuracy.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from homeground.schema import Estimate, Record
from homeground.statistics.accuracy import Names, accuracy
from homeground.statistics.divergence import Ints


class Contrast(Record, frozen=True, kw_only=True):
    """Contrast pairs, by how many of the two are right."""

    estimate: Estimate
    """Share with both right; ``n`` counts the pairs."""
    both: int
    one: int
    neither: int
    left_out: int
    """Contrast pairs of which an answer is missing."""


def contrast_accuracy(
    correct: Ints,
    accepted: NDArray[np.bool_],
    scenes: Names,
    templates: Names | None = None,
) -> Contrast:
    """Share of contrast pairs with both right, clustered as ``accuracy`` is.

    Args:
        correct: 1 for a right answer, 0 for a wrong one, −1 for none, of shape scaffolds × cultures.
        accepted: which answers a culture accepts in front of a scaffold, of shape scaffolds × cultures × answers; a
            culture that accepts none is left out of the scaffold.
        scenes: the scene of each scaffold.
        templates: the dialogue of each scaffold, where one dialogue can serve several scenes.
    """
    expects: NDArray[np.bool_] = np.asarray(accepted.any(axis=2))
    rights: list[NDArray[np.int64]] = []
    rows: list[NDArray[np.int64]] = []
    left_out = 0
    for a, b in combinations(range(correct.shape[1]), 2):
        common: NDArray[np.bool_] = np.asarray((accepted[:, a] & accepted[:, b]).any(axis=1))
        apart = expects[:, a] & expects[:, b] & ~common
        known = apart & (correct[:, a] >= 0) & (correct[:, b] >= 0)
        left_out += int((apart & ~known).sum())
        rights.append(correct[known, a] + correct[known, b])
        rows.append(np.flatnonzero(known))
    right = np.concatenate(rights) if rights else np.zeros(0, dtype=np.int64)
    row = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
    estimate = accuracy(
        [bool(count == 2) for count in right],
        [scenes[i] for i in row],
        None if templates is None else [templates[i] for i in row],
    )
    both, one, neither = (int((right == count).sum()) for count in (2, 1, 0))
    return Contrast(estimate=estimate, both=both, one=one, neither=neither, left_out=left_out)
