"""Item discrimination: do models that are good at the rest of a set get this item right?

The corrected item–total correlation (Lord and Novick 1968, chapter 15; "corrected" as the item is taken out of the
total: Henrysson 1963), over models m, of item i with the score on all other items:

    r_i = corr(x_mi, Σ_{j≠i} x_mj)

For items that are right or wrong it is the point-biserial correlation. It is a correlation over models: with a few of
them, or many of one kind, it says as much about the models as about the item.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from homeground.statistics.clusters import Floats

MODELS_TO_DROP = 50
"""With fewer models than this no item should be dropped for its discrimination."""
_ROUNDING = 1e-9


class ItemDiscrimination(NamedTuple):
    """One correlation an item."""

    correlations: tuple[float | None, ...]
    """In the order of the columns; ``None`` where all models agree on the item, or are alike on the rest."""
    models: int
    may_drop: bool
    """Whether there are models enough to drop items for it; a person must still say so."""


def item_discrimination(scores: Floats) -> ItemDiscrimination:
    """Corrected item–total correlation of each item.

    Args:
        scores: of shape models × items, usually 0 or 1.
    """
    models = len(scores)
    rest = scores.sum(axis=1, keepdims=True) - scores
    item = scores - scores.mean(axis=0) if models else scores
    rest = rest - rest.mean(axis=0) if models else rest
    scale = np.sqrt((item**2).sum(axis=0) * (rest**2).sum(axis=0))
    sums = (item * rest).sum(axis=0)
    found = tuple(
        max(-1.0, min(1.0, float(top / below))) if below > _ROUNDING else None
        for top, below in zip(sums, scale, strict=True)
    )
    return ItemDiscrimination(found, models, models >= MODELS_TO_DROP)
