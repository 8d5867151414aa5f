"""Holm's step-down adjustment of p values (Holm 1979, Scandinavian Journal of Statistics 6(2)).

Ordered p_(1) ≤ … ≤ p_(m), the adjusted values are

    p̃_(k) = min(1, max over j ≤ k of (m − j + 1) · p_(j))

Calling significant what stays at or below α errs with a probability of at most α over the whole family, whatever the
dependence between its tests.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjusted p values of one family, in the order given.

    ``None`` marks a test that could not be made: it stays ``None`` and does not count as part of the family.

    Raises:
        ValueError: a p value outside [0, 1].
    """
    made = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    largest = 0.0
    for rank, (p, place) in enumerate(made):
        if not 0 <= p <= 1:
            raise ValueError(f"{p} is no p value")
        largest = max(largest, min(1.0, (len(made) - rank) * p))
        adjusted[place] = largest
    return adjusted
