"""Accuracy: a share of right answers with a clustered Korn–Graubard interval (``intervals``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homeground.schema import Estimate
from homeground.statistics.clusters import Labels, clustered_mean
from homeground.statistics.intervals import share

Truths = Sequence[bool] | NDArray[np.bool_]
Names = Sequence[object] | Labels
"""What clusters are called; integers are quickest."""
NOTHING = Estimate(value=None, low=None, high=None, se=None, n=0, clusters=0)
"""The estimate from no answers at all."""


def accuracy(correct: Truths, scenes: Names, templates: Names | None = None) -> Estimate:
    """Share of right answers.

    Args:
        correct: one truth value an answer.
        scenes: the scene of each answer.
        templates: the dialogue of each answer, where one dialogue can serve several scenes.

    Returns:
        The share with a 95 % interval; the interval is ``None`` with fewer than two clusters.
    """
    if not len(correct):
        return NOTHING
    ways = [labels(scenes)] + ([] if templates is None else [labels(templates)])
    return share(clustered_mean(np.asarray(correct, dtype=np.float64), *ways))


def labels(names: Names) -> Labels:
    """Names as consecutive integers; an array of integers is taken as labels already."""
    if isinstance(names, np.ndarray) and names.dtype == np.int64:
        return names
    seen: dict[object, int] = {}
    return np.asarray([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)
