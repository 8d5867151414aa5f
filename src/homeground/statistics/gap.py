"""The paired difference of two shares over the same items: what is known and what is acted on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homeground.schema import Estimate, Record
from homeground.statistics.accuracy import NOTHING, labels
from homeground.statistics.clusters import clustered_mean, critical_t


class Gap(Record, frozen=True, kw_only=True):
    """First share minus second share, over pairs."""

    estimate: Estimate
    """In [−1, 1], with a clustered t interval."""
    only_first: int
    """Pairs right in the first alone: flips one way."""
    only_second: int
    """Pairs right in the second alone: flips the other way."""


def paired_gap(
    first: Sequence[bool],
    second: Sequence[bool],
    scenes: Sequence[object],
    templates: Sequence[object] | None = None,
) -> Gap:
    """Mean of first − second over pairs, clustered as ``accuracy`` is.

    Raises:
        ValueError: the sequences differ in length.
    """
    one = np.asarray(first, dtype=np.float64)
    two = np.asarray(second, dtype=np.float64)
    if not len(one) == len(two) == len(scenes):
        raise ValueError("paired answers must come in equal numbers")
    if not len(one):
        return Gap(estimate=NOTHING, only_first=0, only_second=0)
    ways = [labels(scenes)] + ([] if templates is None else [labels(templates)])
    result = clustered_mean(one - two, *ways)
    low = high = None
    if result.se is not None:
        half = critical_t(result.clusters - 1) * result.se
        low, high = max(-1.0, result.mean - half), min(1.0, result.mean + half)
    estimate = Estimate(
        value=result.mean, low=low, high=high, se=result.se, n=result.n, clusters=result.clusters
    )
    return Gap(
        estimate=estimate,
        only_first=int(((one == 1) & (two == 0)).sum()),
        only_second=int(((one == 0) & (two == 1)).sum()),
    )
