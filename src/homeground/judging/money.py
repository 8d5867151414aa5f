"""Money: which currency, with the ambiguity of a symbol that several share."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from homeground.files import read_toml
from homeground.judging.negation import negated
from homeground.judging.numbers import MULTIPLIER, NUMBER, WORDS, multiplier_of, value_of
from homeground.judging.text import Folded
from homeground.patterns import either
from homeground.schema import Reading, Record

# "5,000 Korean won", "10 British pounds"
_ADJECTIVES = "(?:US|American|Chinese|Israeli|British|Korean|South Korean|Japanese|Indian|Iranian|Brazilian)"


class _Currency(Record, frozen=True, kw_only=True):
    symbols: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    needs_number: tuple[str, ...] = ()


class _Currencies(Record, frozen=True, kw_only=True):
    currency: dict[str, _Currency]


class _Found(NamedTuple):
    currencies: frozenset[str]
    value: float | None
    start: int
    end: int


@cache
def _tables() -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    path = Path(str(files("homeground.judging"))) / "currencies.toml"
    table = read_toml(path, _Currencies).currency
    who: dict[str, set[str]] = {}
    for code, row in table.items():
        for form in (*row.symbols, *row.alone, *row.needs_number):
            who.setdefault(form.casefold(), set()).add(code)
    symbols = either(form for row in table.values() for form in row.symbols)
    alone = either(form for row in table.values() for form in row.alone)
    words = either(form for row in table.values() for form in row.needs_number)
    number = rf"(?:{NUMBER}|(?<!\w)(?:{WORDS}))"
    pattern = (
        rf"(?<!\w)(?P<before>{symbols}|{alone})\s{{0,3}}(?P<after_number>{NUMBER})(?P<after_times>{MULTIPLIER})?"
        rf"|(?<![\w.,])(?P<number>{number})(?P<times>{MULTIPLIER})?\s{{0,3}}-?\s{{0,3}}"
        rf"(?:{_ADJECTIVES}\s)?(?P<unit>{symbols}|{alone}|{words})"
        rf"|(?<!\w)(?P<word>{alone})"
    )
    return re.compile(pattern, re.IGNORECASE), {form: frozenset(codes) for form, codes in who.items()}


def read_money(folded: Folded) -> Reading:
    """Read an answer about a price."""
    pattern, who = _tables()
    found = []
    for match in pattern.finditer(folded.text):
        if negated(folded.text, match.start()):
            continue
        form = match["before"] or match["unit"] or match["word"]
        number = match["after_number"] or match["number"]
        value = value_of(number) if number else None
        times = match["after_times"] or match["times"]
        if value is not None and times:
            value *= multiplier_of(times)
        found.append(_Found(who[form.casefold()], value, match.start(), match.end()))
    if not found:
        return Reading(status="none")
    common = frozenset.intersection(*(f.currencies for f in found))
    first = next((f for f in found if f.value is not None), found[0])
    if common:
        status, names = ("ok" if len(common) == 1 else "ambiguous"), tuple(sorted(common))
    else:
        status, names = "both", tuple(dict.fromkeys("/".join(sorted(f.currencies)) for f in found))
    return Reading(
        status=status,  # type: ignore[arg-type]
        found=names,
        value=first.value,
        unit=folded.text[first.start : first.end].strip("0123456789., ").lower() or None,
        span=folded.span(first.start, first.end),
    )
