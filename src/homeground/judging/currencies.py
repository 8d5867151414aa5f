"""Currencies: the words and signs for them in many languages, as one table that tokens are looked up in.

The words stand in ``words/currency_words.toml`` (curated) and ``words/currency_words.json`` (distilled from CLDR).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from homeground.judging.lexicon import Lexicon
from homeground.judging.tables import read_distilled, read_words
from homeground.schema import Record

TEN = frozenset(("USD", "CNY", "ILS", "GBP", "EUR", "KRW", "JPY", "INR", "IRR", "BRL"))
"""The currencies of the published benchmark, among which a sign is looked for first."""
_Forms = dict[str, tuple[str, ...]]


class _Subunit(Record, frozen=True, kw_only=True):
    per: float
    words: _Forms = {}  # noqa: RUF012  (msgspec copies it for each record)
    symbols: tuple[str, ...] = ()


class _Named(Record, frozen=True, kw_only=True):
    per: float
    alone: _Forms = {}  # noqa: RUF012
    number: _Forms = {}  # noqa: RUF012


class _Currency(Record, frozen=True, kw_only=True):
    symbols: tuple[str, ...] = ()
    alone: _Forms = {}  # noqa: RUF012
    number: _Forms = {}  # noqa: RUF012
    subunits: dict[str, _Subunit] = {}  # noqa: RUF012
    units: dict[str, _Named] = {}  # noqa: RUF012


class _File(Record, frozen=True, kw_only=True):
    words: tuple[str, ...]
    nothing: tuple[str, ...]
    names: dict[str, str]
    currency: dict[str, _Currency]


class Money(NamedTuple):
    """What a form can mean."""

    units: dict[str, str]
    """For each currency the unit it names: ``pound``, ``penny``, ``toman``…"""
    alone: set[str]
    """Currencies that it means without a number too."""
    before: bool
    """It may stand before its number as well as behind it."""
    written: set[str] | None
    """Spellings that it counts in, where letters make a sign ("kr", "R"); ``None``: any case."""


class Currencies(NamedTuple):
    """All that is needed to read money."""

    forms: Lexicon[Money]
    codes: frozenset[str]
    """Every ISO 4217 code known."""
    codes_that_are_words: frozenset[str]
    per: dict[tuple[str, str], float]
    """How many of a subunit make one of its currency."""
    names: dict[str, str]


@cache
def currencies() -> Currencies:
    """The tables of all currencies.

    Raises:
        InputError: a data file is broken.
    """
    table = read_words("currency_words", _File)
    distilled = read_distilled("currency_words", dict[str, _Forms])
    forms: Lexicon[Money] = Lexicon()
    per: dict[tuple[str, str], float] = {}
    for form in table.nothing:
        forms.add(form, Money({}, set(), before=False, written=None))
    for code, row in table.currency.items():
        unit = table.names.get(code, code)
        for sign in row.symbols:
            _add(forms, sign, code, unit, before=True, sign=True)
        _all(forms, row.alone, code, unit, alone=True)
        _all(forms, row.number, code, unit, alone=False)
        for name, part in row.subunits.items():
            per[code, name] = part.per
            _all(forms, part.words, code, name, alone=False)
            for sign in part.symbols:
                _add(forms, sign, code, name, before=True, sign=True)
        for name, named in row.units.items():
            _all(forms, named.alone, code, name, alone=True)
            _all(forms, named.number, code, name, alone=False)
    for code, groups in distilled.items():
        for language, group in groups.items():
            for form in group:
                _distilled(forms, form, code, table.names.get(code, code), sign=language == "any")
    codes = frozenset(table.currency) | frozenset(distilled)
    return Currencies(forms, codes, frozenset(table.words), per, table.names)


def _distilled(forms: Lexicon[Money], form: str, code: str, unit: str, *, sign: bool) -> None:
    _add(forms, form, code, unit, before=sign, sign=sign, alone=not sign)


def _all(forms: Lexicon[Money], groups: _Forms, code: str, unit: str, *, alone: bool) -> None:
    for group in groups.values():
        for form in group:
            _add(forms, form, code, unit, before=alone, alone=alone)


def _add(
    forms: Lexicon[Money],
    form: str,
    code: str,
    unit: str,
    *,
    before: bool,
    sign: bool = False,
    alone: bool = False,
) -> None:
    lettered = sign and form.isalpha() and form.isascii()
    money = forms.add(form, Money({}, set(), before, {form} if lettered else None))
    claimed = code in money.units
    money.units.setdefault(code, unit)
    if alone and not claimed:
        money.alone.add(code)
    if money.written is not None:
        if lettered:
            money.written.add(form)
        else:
            money.written.clear()  # a word in any case


def shown(money: Money, text: str) -> bool:
    """Whether a form counts as it is written."""
    return not money.written or text in money.written
