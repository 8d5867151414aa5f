"""Units: their systems, their sizes, and the words for them in many languages, as tables that tokens are looked up in.

The words stand in ``words/unit_words.toml`` (curated) and ``words/unit_words.json`` (distilled from CLDR).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from homeground.judging.lexicon import Lexicon
from homeground.judging.number_words import Languages
from homeground.judging.tables import read_distilled, read_words
from homeground.schema import Concept, Record

Dimension = Literal["temperature", "length", "speed", "area"]
DIMENSION_OF: dict[Concept, Dimension] = {
    "temperature": "temperature",
    "distance": "length",
    "speed": "speed",
    "size": "area",
}
_SPEEDS = {
    ("kilometre", 3600.0): "kilometre_per_hour",
    ("metre", 1.0): "metre_per_second",
    ("mile", 3600.0): "mile_per_hour",
    ("foot", 1.0): "foot_per_second",
    ("nautical_mile", 3600.0): "knot",
}
_KELVIN, _FREEZING, _DEGREE = 273.15, 32.0, 1.8


class _Words(Record, frozen=True, kw_only=True):
    alone: tuple[str, ...] = ()
    number: tuple[str, ...] = ()


class _Unit(Record, frozen=True, kw_only=True):
    dimension: Dimension
    system: str
    factor: float | None = None
    cldr: Literal["alone", "number"] | None = None
    words: dict[str, _Words]


class _Around(Record, frozen=True, kw_only=True):
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class _File(Record, frozen=True, kw_only=True):
    unit: dict[str, _Unit]
    degree: dict[str, tuple[str, ...]]
    per_hour: dict[str, _Around]
    per_second: dict[str, _Around]
    square: dict[str, _Around]
    times: dict[str, tuple[str, ...]]
    side: dict[str, tuple[str, ...]]
    by_language: dict[str, dict[str, str]]
    dropped: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class Form:
    """What a form of words means; added to while the tables are read."""

    unit: str
    """Empty where only ``by_language`` says."""
    languages: set[str]
    """Languages it is a word of; "any" for signs that all write."""
    alone: bool
    """It counts without a number beside it."""
    by_language: dict[str, str] = field(default_factory=dict)
    """The units it stands for in some languages, where languages differ."""


class Unit(NamedTuple):
    """One unit."""

    dimension: Dimension
    system: str
    factor: float | None
    """How many of the base unit (metre, kilometre per hour, square metre) it is; ``None`` for temperatures."""


class Units(NamedTuple):
    """All that is needed to read measures."""

    unit: dict[str, Unit]
    forms: dict[Dimension, Lexicon[Form]]
    """Forms after a number or alone."""
    heads: dict[Dimension, Lexicon[set[str]]]
    """What stands before the number where the unit encloses it (摄氏…度, 時速…キロ), with the units it can be."""
    degree: Lexicon[set[str]]
    per: Lexicon[dict[str, float]]
    """What makes a speed of a length: seconds by language."""
    heads_per: Lexicon[dict[str, float]]
    square_before: Lexicon[set[str]]
    square_after: Lexicon[set[str]]
    times: Lexicon[set[str]]
    """What stands between two lengths whose product is an area."""
    side: Lexicon[set[str]]
    """What names one side of an area, before or behind its length."""


def _form(lexicon: Lexicon[Form], words: str, unit: str, language: str, *, alone: bool) -> None:
    form = lexicon.add(words, Form(unit, {language}, alone))
    if form.unit == unit:  # the first unit that claims a form keeps it: curated before distilled
        form.languages.add(language)
        form.alone = form.alone or alone


@cache
def units() -> Units:
    """The tables of all units.

    Raises:
        InputError: a data file is broken.
    """
    table = read_words("unit_words", _File)
    distilled = read_distilled("unit_words", dict[str, dict[str, tuple[str, ...]]])
    forms: dict[Dimension, Lexicon[Form]] = {
        dimension: Lexicon() for dimension in ("temperature", "length", "speed", "area")
    }
    heads: dict[Dimension, Lexicon[set[str]]] = {dimension: Lexicon(bounded=False) for dimension in forms}
    for name, row in table.unit.items():
        for code, words in row.words.items():
            for alone, group in ((True, words.alone), (False, words.number)):
                for form in group:
                    _either(forms, heads, row.dimension, form, name, code, alone=alone)
    for name, by_code in distilled.items():
        row = table.unit[name]
        dropped = table.dropped.get(name, ())
        for code, group in by_code.items():
            for form in group:
                if form not in dropped:
                    _either(forms, heads, row.dimension, form, name, code, alone=row.cldr == "alone")
    for form, names in table.by_language.items():
        dimension = table.unit[next(iter(names.values()))].dimension
        shared = forms[dimension].add(form, Form(names.get("any", ""), set(names), alone=False))
        shared.by_language |= names
    per: Lexicon[dict[str, float]] = Lexicon()
    heads_per: Lexicon[dict[str, float]] = Lexicon(bounded=False)
    for rows, seconds in ((table.per_hour, 3600.0), (table.per_second, 1.0)):
        for code, around in rows.items():
            for words_after in around.after:
                per.add(words_after, {}).setdefault(code, seconds)
            for words_before in around.before:
                heads_per.add(words_before, {}).setdefault(code, seconds)
    squares = table.square
    facts = {name: Unit(row.dimension, row.system, row.factor) for name, row in table.unit.items()}
    return Units(
        facts,
        forms,
        heads,
        degree=_words({code: [w for w in group if "{" not in w] for code, group in table.degree.items()}),
        per=per,
        heads_per=heads_per,
        square_before=_words({code: around.before for code, around in squares.items()}, bounded=False),
        square_after=_words({code: around.after for code, around in squares.items()}),
        times=_words(table.times),
        side=_words(table.side, bounded=False),
    )


def _words(rows: Mapping[str, Iterable[str]], *, bounded: bool = True) -> Lexicon[set[str]]:
    """Forms with the languages that they are words of."""
    lexicon: Lexicon[set[str]] = Lexicon(bounded=bounded)
    for code, group in rows.items():
        for form in group:
            lexicon.add(form, set()).add(code)
    return lexicon


def _either(
    forms: dict[Dimension, Lexicon[Form]],
    heads: dict[Dimension, Lexicon[set[str]]],
    dimension: Dimension,
    words: str,
    unit: str,
    code: str,
    *,
    alone: bool,
) -> None:
    head, slot, _ = words.partition("{}")
    if not slot:
        _form(forms[dimension], words, unit, code, alone=alone)
    elif head:
        heads[dimension].add(head, set()).add(unit)


def speed_unit(length: str, seconds: float) -> str | None:
    """The unit of speed that a length in a time makes; ``None`` for those that nobody uses."""
    return _SPEEDS.get((length, seconds))


def convert(value: float, unit: str, to: str) -> float | None:
    """A value in another unit of the same dimension; ``None`` where they differ.

    Raises:
        KeyError: no such unit.
    """
    if unit == to:
        return value
    one, other = units().unit[unit], units().unit[to]
    if one.dimension != other.dimension:
        return None
    if one.dimension == "temperature":
        return _from_celsius(_to_celsius(value, unit), to)
    if one.factor is None or other.factor is None:
        return None
    return value * one.factor / other.factor


def _to_celsius(value: float, unit: str) -> float:
    if unit == "fahrenheit":
        return (value - _FREEZING) / _DEGREE
    return value - _KELVIN if unit == "kelvin" else value


def _from_celsius(value: float, unit: str) -> float:
    if unit == "fahrenheit":
        return value * _DEGREE + _FREEZING
    return value + _KELVIN if unit == "kelvin" else value


def fits_language(form: Form, languages: Languages | None, *, risky: bool = False) -> bool:
    """Whether a form can stand behind number words of some languages; behind ``risky`` ones it must be one of them."""
    if languages is None or ("any" in form.languages and not risky):
        return True
    return not languages.isdisjoint(
        "en" if code == "any" else code.partition("-")[0] for code in form.languages
    )
