"""The paired difference of two shares over the same items, and the difference of two such gaps.

A gap has a clustered t interval and two tests: sign flips by scene, and the exact McNemar test, which counts each pair
for itself. Under 25 flips a t interval is not to be trusted and the exact p is what to print; there the larger of the
two p values stands, since flips that share a scene are one observation rather than several, and McNemar's test would
take them for several.

The difference of two gaps is paired where both are over the same scenes with equally many pairs in each, as two models
on the same items are: its test flips the signs of scenes. Otherwise it is a t test, in which scenes that both have
still count as shared; where there are none, the two gaps are independent.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from homeground.schema import Estimate, Record
from homeground.statistics.accuracy import NOTHING, Names, Truths, labels
from homeground.statistics.clusters import Floats, Labels, clustered_difference, clustered_mean, p_of_t
from homeground.statistics.flips import exact_p
from homeground.statistics.intervals import difference
from homeground.statistics.sign_flip import sign_flip

FEW_FLIPS = 25
"""With fewer pairs that differ, the exact p is printed rather than an interval."""
_ROUNDING = 1e-9
"""The two tests agree up to this where each flip has its own scene."""


class Gap(Record, frozen=True, kw_only=True):
    """First share minus second share, over pairs."""

    estimate: Estimate
    """In [−1, 1], with a clustered t interval."""
    only_first: int
    """Pairs right in the first alone: flips one way."""
    only_second: int
    """Pairs right in the second alone: flips the other way."""
    p: float | None = None
    """Two-sided, of no difference; ``None`` without pairs."""
    test: Literal["sign flip by scene", "exact McNemar"] | None = None
    """Where the p value comes from."""


class GapDifference(Record, frozen=True, kw_only=True):
    """First gap minus second gap."""

    estimate: Estimate
    """In [−2, 2], with a clustered t interval; ``n`` counts the pairs of both gaps."""
    p: float | None
    """Two-sided, of no difference; ``None`` where there is no test."""
    test: Literal["sign flip by scene", "t by scene"] | None
    """``None`` without pairs in both, and where a t test has no error to go by."""


class Pairs(NamedTuple):
    """The answers behind one gap: what ``paired_gap`` takes."""

    first: Truths
    second: Truths
    scenes: Names
    templates: Names | None = None


def paired_gap(
    first: Truths,
    second: Truths,
    scenes: Names,
    templates: Names | None = None,
) -> Gap:
    """Mean of first − second over pairs, clustered as ``accuracy`` is.

    Raises:
        ValueError: the sequences differ in length.
    """
    differences = _differences(Pairs(first, second, scenes, templates))
    if not len(differences):
        return Gap(estimate=NOTHING, only_first=0, only_second=0)
    scene = labels(scenes)
    ways = [scene] + ([] if templates is None else [labels(templates)])
    b, c = int((differences > 0).sum()), int((differences < 0).sum())
    by_scene, exact = sign_flip(differences, scene).p, exact_p(b, c)
    few = b + c < FEW_FLIPS and exact >= by_scene - _ROUNDING
    return Gap(
        estimate=difference(clustered_mean(differences, *ways)),
        only_first=b,
        only_second=c,
        p=exact if few else by_scene,
        test="exact McNemar" if few else "sign flip by scene",
    )


def difference_of_gaps(one: Pairs, two: Pairs) -> GapDifference:
    """The gap of ``one`` minus the gap of ``two``; a scene or dialogue of the same name is the same in both.

    Clustered by dialogue too where both name dialogues.

    Raises:
        ValueError: the sequences of a gap differ in length.
    """
    first, second = _differences(one), _differences(two)
    if not len(first) or not len(second):
        return GapDifference(estimate=NOTHING, p=None, test=None)
    ways = [_together(one.scenes, two.scenes)]
    if one.templates is not None and two.templates is not None:
        ways.append(_together(one.templates, two.templates))
    result = clustered_difference(first, second, *ways)
    estimate = difference(result, limit=2)
    if np.array_equal(np.sort(ways[0][0]), np.sort(ways[0][1])):
        p = sign_flip(np.concatenate([first, -second]), np.concatenate(ways[0])).p
        return GapDifference(estimate=estimate, p=p, test="sign flip by scene")
    if not result.se:
        return GapDifference(estimate=estimate, p=None, test=None)
    p = p_of_t(result.mean / result.se, result.clusters - 1)
    return GapDifference(estimate=estimate, p=p, test="t by scene")


def _differences(pairs: Pairs) -> Floats:
    one = np.asarray(pairs.first, dtype=np.float64)
    two = np.asarray(pairs.second, dtype=np.float64)
    if not len(one) == len(two) == len(pairs.scenes):
        raise ValueError("paired answers must come in equal numbers")
    return one - two


def _together(one: Names, two: Names) -> tuple[Labels, Labels]:
    both = labels([*one, *two])
    return both[: len(one)], both[len(one) :]
