"""What was found in a text before it is put together: amounts of units or money, as ranges and compounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from homeground.judging.negation import negated
from homeground.judging.number_words import role, tables
from homeground.judging.scan import BETWEEN_REACH, range_joint
from homeground.judging.tokens import Tokens

Value = float | tuple[float, float] | None


class Amount(NamedTuple):
    """An amount at a stretch of tokens."""

    unit: str
    system: str
    """System of units, or the currencies that it can be, with "/" between them."""
    value: Value
    start: int
    end: int
    """Index of the token after it."""


class Finding(NamedTuple):
    """An amount as it stands in the text, and whether it counts."""

    amount: Amount
    denied: bool
    """It is said not to be so."""


Smaller = Callable[[str, str], float | None]
"""How many of the second unit make one of the first, where people write them together; ``None`` where they don't."""


def findings(tokens: Tokens, amounts: list[Amount]) -> list[Finding]:
    """Amounts with those marked that the text denies."""
    return [
        Finding(amount, negated(tokens.text, tokens.starts[amount.start], tokens.ends[amount.end - 1]))
        for amount in amounts
    ]


def combined(tokens: Tokens, amounts: list[Amount], smaller: Smaller) -> list[Amount]:
    """Amounts with those put together that are one: the ends of a range, and the parts of a compound.

    A range has the two values of its ends ("10 km to 15 km"); a compound is reported in its first unit ("5 ft 3 in").
    """
    result: list[Amount] = []
    for amount in amounts:
        last = result[-1] if result else None
        merged = (
            None if last is None else _compound(tokens, last, amount, smaller) or _range(tokens, last, amount)
        )
        if merged is None:
            result.append(amount)
        else:
            result[-1] = merged
    return result


def _compound(tokens: Tokens, one: Amount, two: Amount, smaller: Smaller) -> Amount | None:
    system = _common(one, two)
    if not isinstance(one.value, float) or not isinstance(two.value, float) or not system:
        return None
    gap = two.start - one.end
    joint = role("joiners", tokens, one.end)
    joined = gap == 0 or (joint is not None and 0 <= two.start - joint[1] <= (tokens.keys[joint[1]] == "-"))
    if not joined or "\n" in tokens.text[tokens.ends[one.end - 1] : tokens.starts[two.start]]:
        return None
    per = smaller(one.unit, two.unit)
    if per is None or two.value >= per or one.value != int(one.value):
        return None
    return one._replace(system=system, value=one.value + two.value / per, end=two.end)


def _common(one: Amount, two: Amount) -> str:
    """The systems or currencies that two amounts share."""
    return "/".join(sorted(set(one.system.split("/")) & set(two.system.split("/"))))


def _range(tokens: Tokens, one: Amount, two: Amount) -> Amount | None:
    if one.unit != two.unit or not isinstance(one.value, float) or not isinstance(two.value, float):
        return None
    near = range(max(0, one.start - BETWEEN_REACH), one.start)
    between = any(tables().between.at(tokens, place) for place in near)
    if range_joint(tokens, one.end, between=between) != two.start or one.value >= two.value:
        return None
    return one._replace(value=(one.value, two.value), end=two.end)
