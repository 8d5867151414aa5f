"""Names to find a country by, and finding them in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.files import read_bytes, read_toml
from homeground.patterns import either
from homeground.schema import Record

_HERE = Path(str(files("homeground.cultures")))


class _Curated(Record, frozen=True, kw_only=True):
    names: tuple[str, ...] = ()
    demonyms: tuple[str, ...] = ()
    capital: tuple[str, ...] = ()


class _CuratedFile(Record, frozen=True, kw_only=True):
    country: dict[str, _Curated]


class Names(NamedTuple):
    """Every name with the ISO 3166-1 code of its country."""

    any_case: dict[str, str]
    """Case-folded names and demonyms."""
    as_written: dict[str, str]
    """Names that count only in exactly this spelling, capital letters included."""


@cache
def country_names() -> Names:
    """The table of names.

    Raises:
        InputError: a data file is broken.
    """
    distilled = msgspec.json.decode(read_bytes(_HERE / "country_names.json"), type=dict[str, tuple[str, ...]])
    curated = read_toml(_HERE / "country_names.toml", _CuratedFile).country
    as_written = {name: code for code, row in curated.items() for name in row.capital}
    any_case = {
        name.casefold(): code for code, names in distilled.items() for name in names if name not in as_written
    }
    for code, row in curated.items():
        any_case |= {name.casefold(): code for name in (*row.names, *row.demonyms)}
    return Names(any_case, as_written)


class Mention(NamedTuple):
    """A country named in a text."""

    code: str
    start: int
    end: int


# Names inside longer names that are no country's.
_NO_COUNTRY = (
    "South American", "North American", "Latin American", "Central American", "South America",
    "North America", "Latin America", "Central America", "Native American", "British Columbia",
    "New England", "New South Wales", "West Indian", "Atlanta, Georgia",
)  # fmt: skip


@cache
def _pattern() -> re.Pattern[str]:
    names = country_names()
    return re.compile(
        rf"(?<!\w)(?:(?P<none>(?i:{either(_NO_COUNTRY)}))"
        rf"|(?P<folded>(?i:{either(names.any_case)}))|(?P<spelled>{either(names.as_written)}))"
    )


def mentions(text: str) -> Iterator[Mention]:
    """Countries named in a text, whole words only, in order of appearance."""
    names = country_names()
    for match in _pattern().finditer(text):
        if match["folded"]:
            code = names.any_case[re.sub(r"\s+", " ", match["folded"].casefold())]
            yield Mention(code, *match.span())
        elif match["spelled"]:
            yield Mention(names.as_written[match["spelled"]], *match.span())
