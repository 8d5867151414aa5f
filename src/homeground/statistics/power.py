"""How large a gap a study can find, and how large a study a gap needs, before anything is run.

For the McNemar test of a gap δ over n pairs, of which a share ψ (the discordance) differ between the two sides
(Connor 1987, Biometrics 43(1)):

    n = ((z_{α/2} · √ψ + z_β · √(ψ − δ²)) / δ)²

with α = .05 two-sided and power 1 − β = .8. A design effect (Kish 1965) multiplies n where answers come in clusters:
it is the square of the clustered over the naive standard error of the gap.
"""

from __future__ import annotations

import math

from scipy.special import ndtri

from homeground.statistics.clusters import CONFIDENCE

POWER = 0.8
_Z_ALPHA = float(ndtri(0.5 + CONFIDENCE / 2))
_Z_BETA = float(ndtri(POWER))


def smallest_gap(n: int, discordance: float, design_effect: float = 1.0) -> float | None:
    """The smallest gap that ``n`` pairs find with 80 % power, in (0, 1].

    Args:
        n: pairs, at least 1.
        discordance: share of pairs that differ, in (0, 1].
        design_effect: at least 1 as a rule; pairs count for n / design effect.

    Returns:
        The gap; ``None`` where even a gap as large as the discordance (all flips one way) would be missed.
    """
    effective = n / design_effect
    rest = effective - _Z_ALPHA**2 + _Z_BETA**2
    if rest < 0:
        return None
    gap = math.sqrt(discordance) * (_Z_ALPHA * math.sqrt(effective) + _Z_BETA * math.sqrt(rest))
    gap /= effective + _Z_BETA**2
    return gap if gap <= discordance else None


def pairs_needed(gap: float, discordance: float, design_effect: float = 1.0) -> int | None:
    """How many pairs find a gap with 80 % power.

    Args:
        gap: in (0, 1].
        discordance: share of pairs that differ, in (0, 1].
        design_effect: multiplies the pairs.

    Returns:
        Pairs; ``None`` where the gap is larger than the discordance, which cannot be.
    """
    if gap > discordance:
        return None
    root = _Z_ALPHA * math.sqrt(discordance) + _Z_BETA * math.sqrt(discordance - gap**2)
    return math.ceil(design_effect * (root / gap) ** 2)


def discordance_of(accuracy: float, correlation: float) -> float:
    """Share of pairs that differ between two sides of about the same accuracy.

    Args:
        accuracy: of both, in (0, 1).
        correlation: of right answers between the two (phi), 0 where they have nothing to do with each other, 1 where
            both are right on the same items.
    """
    return 2 * accuracy * (1 - accuracy) * (1 - correlation)
