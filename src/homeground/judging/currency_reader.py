"""The currency that stands at a token: a word, a sign or an ISO 4217 code."""

from __future__ import annotations

from typing import NamedTuple

from homeground.judging.currencies import currencies, shown
from homeground.judging.tokens import Tokens


class CurrencyForm(NamedTuple):
    """A form of money at a token."""

    units: dict[str, str]
    """For each currency that it can be, the unit it names."""
    end: int
    """Index of the token after it."""


def currency_at(tokens: Tokens, index: int, *, before: bool, alone: bool = False) -> CurrencyForm | None:
    """The currencies that a form at a token can be.

    Args:
        index: the token.
        before: it stands before its number.
        alone: it has no number.
    """
    if index >= len(tokens):
        return None
    found = currencies().forms.at(tokens, index, inflected=not before)
    if found is None:
        return _code(tokens, index, alone=alone)
    money, end = found
    written = tokens.text[tokens.starts[index] : tokens.ends[end - 1]]
    if not shown(money, written) or (before and not money.before):
        return _code(tokens, index, alone=alone)
    if (
        len(written) == 1
        and written.isalpha()
        and end + 1 < len(tokens)
        and tokens.keys[end] == "."
        and tokens.glued(end + 1)
    ):
        return None  # "5 p.m."
    units = {code: unit for code, unit in money.units.items() if not alone or code in money.alone}
    return CurrencyForm(units, end) if units else _code(tokens, index, alone=alone)


def _code(tokens: Tokens, index: int, *, alone: bool) -> CurrencyForm | None:
    """An ISO 4217 code in capitals; beside a number in small letters too, unless it is a word."""
    table = currencies()
    code = tokens.keys[index].upper()
    if code not in table.codes:
        return None
    capitals = tokens.text[tokens.starts[index] : tokens.ends[index]] == code
    is_word = code in table.codes_that_are_words
    if (alone and (is_word or not capitals)) or (is_word and not capitals):
        return None
    return CurrencyForm({code: table.names.get(code, code)}, index + 1)
