"""Flips: the exact McNemar test, and what published margins alone can support.

Of the pairs where one side is right and the other wrong, b are right in the first alone and c in the second alone. If
the sides do not differ, b is binomial with b + c draws and probability one half (McNemar 1947; exact: Mosteller 1952):

    p = min(1, 2 · Pr(X ≤ min(b, c))),   X ~ Binomial(b + c, 1/2)

A table that gives two accuracies over n items gives b − c, not b + c. Over all b + c that the margins allow, p has a
smallest and a largest value: between them lies what the table can support.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from scipy.special import bdtr

from homeground.statistics.clusters import ALPHA


class MarginVerdict(NamedTuple):
    """What a difference of two published accuracies supports."""

    best: float
    """The smallest p value that the margins allow."""
    worst: float
    """The largest."""
    significant: Literal["every", "some", "none"]
    """Under which of the possible dependences between the two sides p is at most .05."""


def exact_p(b: int, c: int) -> float:
    """The two-sided exact p value of ``b`` flips one way and ``c`` the other; 1 without flips."""
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))


def verdict_for_margins(n: int, difference: int, first: int | None = None) -> MarginVerdict:
    """The p values that a difference of two counts can have over every dependence between the two sides.

    Args:
        n: items that both sides answered.
        difference: items right in the first minus items right in the second.
        first: items right in the first, where that is published too: it bounds the flips. Without it any
            number of items may have flipped.

    Raises:
        ValueError: no two sides can differ by so much.
    """
    bounds = [(n - abs(difference)) // 2]
    if first is not None:
        bounds += [right for side in (first, first - difference) for right in (side, n - side)]
    if min(bounds) < 0:
        raise ValueError(f"no two counts of {n} items: {first} and a difference of {difference}")
    ps = [exact_p(abs(difference) + back, back) for back in range(min(bounds) + 1)]
    beyond = [p <= ALPHA for p in ps]
    return MarginVerdict(min(ps), max(ps), "every" if all(beyond) else "some" if any(beyond) else "none")


def items_of(points: float, n: int, digits: int = 2) -> int:
    """The whole number of items nearest to a published share, or difference of shares, in percentage points.

    Args:
        points: rounded to ``digits`` after the point.
        n: items in all; up to half of 10 ^ (2 + digits) the number is the only one.
        digits: the difference of two rounded figures is off by up to one unit of the last digit.

    Raises:
        ValueError: no whole number of items gives these points.
    """
    items = round(points * n / 100)
    if abs(items / n * 100 - points) > 10**-digits:
        raise ValueError(f"{points} points are no whole number of {n} items")
    return items
