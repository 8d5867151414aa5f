"""Measures: which unit, of which system, with which value."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from homeground.files import read_toml
from homeground.judging.negation import negated
from homeground.judging.numbers import NUMBER, VAGUE, WORDS, value_of
from homeground.judging.text import Folded
from homeground.patterns import either
from homeground.schema import Concept, Reading, Record

_LENGTH = {"metre": "square_metre", "centimetre": "square_centimetre", "foot": "square_foot"}
_WORD = 4
"""Letters from which a form is a word of its own, so that "a" before it can only mean one of them."""
_COMPOUND = {("foot", "inch"): 12.0, ("yard", "foot"): 3.0, ("mile", "yard"): 1760.0}


class _Unit(Record, frozen=True, kw_only=True):
    concept: Concept
    system: str
    alone: tuple[str, ...] = ()
    needs_number: tuple[str, ...] = ()


class _Units(Record, frozen=True, kw_only=True):
    unit: dict[str, _Unit]


class _Found(NamedTuple):
    unit: str
    system: str
    value: float | None
    start: int
    end: int


class _Tables(NamedTuple):
    pattern: re.Pattern[str]
    unit_of: dict[str, str]
    system_of: dict[str, str]


@cache
def _tables(concept: Concept) -> _Tables:
    path = Path(str(files("homeground.judging"))) / "units.toml"
    units = {k: u for k, u in read_toml(path, _Units).unit.items() if u.concept == concept}
    alone = [form for unit in units.values() for form in unit.alone]
    every = alone + [form for unit in units.values() for form in unit.needs_number]
    words = [form for form in every if len(form) >= _WORD]
    whole = [form for form in every if len(form) >= 2 and form != "in"]
    pattern = (
        rf"(?<![\w.,])(?P<sign>-)?(?P<number>{NUMBER}|(?<!\w)(?:{WORDS}))"
        rf"\s{{0,3}}-?\s{{0,3}}(?P<unit>{either(every)})"
        rf"|(?<!\w)(?P<vague>{VAGUE})\s{{1,3}}(?P<some>{either(words)})"
        rf"|(?<!\w)(?P<alone>{either(alone) or '(?!)'})"
        rf"|\A\W{{0,9}}(?P<whole>{either(whole)})\W{{0,9}}\Z"
    )
    unit_of = {_key(form): name for name, unit in units.items() for form in (*unit.alone, *unit.needs_number)}
    systems = {name: unit.system for name, unit in units.items()}
    return _Tables(re.compile(pattern, re.IGNORECASE), unit_of, systems)


def read_measure(concept: Concept, folded: Folded) -> Reading:
    """Read an answer about temperature, distance, speed or size."""
    areas = _areas(folded.text) if concept == "size" else []
    starts = [area.start for area in areas]
    found = areas[:]
    tables = _tables(concept)
    for match in tables.pattern.finditer(folded.text):
        before = bisect_right(starts, match.start())
        inside = before > 0 and match.start() < areas[before - 1].end
        if inside or negated(folded.text, match.start()):
            continue
        unit = tables.unit_of[_key(match["unit"] or match["some"] or match["alone"] or match["whole"])]
        number = match["number"] or match["vague"]
        value = value_of(number) if number else None
        if value is not None and match["sign"] and concept == "temperature":
            value = -value
        found.append(_Found(unit, tables.system_of[unit], value, match.start(), match.end()))
    found.sort(key=lambda f: f.start)
    if not found:
        return Reading(status="none", value=_bare_number(folded.text))
    systems = tuple(dict.fromkeys(f.system for f in found))
    first = found[0]
    return Reading(
        status="ok" if len(systems) == 1 else "both",
        found=systems,
        value=_compound(found),
        unit=first.unit,
        span=folded.span(first.start, first.end),
    )


def _areas(text: str) -> list[_Found]:
    """Areas given as a product of lengths: "3 m × 4 m", "10 by 13 feet"."""
    lengths = _tables("distance")
    metre = "metre|meter|metres|meters|m"
    foot = "feet|foot|ft"
    length = rf"(?:{metre}|{foot})"
    product = re.compile(
        rf"(?<![\w.,])({NUMBER})\s{{0,3}}({length})?\s{{0,3}}(?:x|×|\*|by)\s{{0,3}}({NUMBER})\s{{0,3}}({length})(?!\w)",
        re.IGNORECASE,
    )
    found = []
    for match in product.finditer(text):
        unit = _LENGTH[lengths.unit_of[_key(match[4])]]
        one, two = value_of(match[1]), value_of(match[3])
        value = None if one is None or two is None else one * two
        system = "imperial" if unit == "square_foot" else "metric"
        found.append(_Found(unit, system, value, match.start(), match.end()))
    return found


def _compound(found: list[_Found]) -> float | None:
    """The value of the first measure, with the smaller unit right behind it added ("5 ft 3 in")."""
    first = found[0]
    if len(found) > 1 and first.value is not None and found[1].value is not None:
        per = _COMPOUND.get((first.unit, found[1].unit))
        if per is not None and found[1].start - first.end <= 2:
            return first.value + found[1].value / per
    return first.value


def _bare_number(text: str) -> float | None:
    match = re.search(rf"(?<![\w.,]){NUMBER}", text)
    return value_of(match[0]) if match else None


def _key(form: str) -> str:
    return re.sub(r"\s+", " ", form.casefold()).replace("° ", "°")
