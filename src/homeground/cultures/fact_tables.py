"""The two tables of facts about territories as they stand on disk: their rows, and reading them.

``territories.json`` is distilled from the npm package cldr-core, Babel, phonenumbers and fluids by
``scripts/distil_territories.py`` (Unicode License v3, see ``UNICODE-LICENSE.txt``); ``curated_facts.toml`` holds
what no library has. ``facts.py`` joins them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from homeground.errors import InputError
from homeground.files import field_error, read_bytes, read_toml
from homeground.schema import Concept, Record

Side: TypeAlias = Literal["left", "right"]

_HERE = Path(str(files("homeground.cultures")))


class Language(Record, frozen=True, array_like=True):
    """A language spoken in a territory."""

    tag: str
    percent: float
    """Share of the population that speaks it, as a first or a further language; shares add up to more than 100."""
    status: str | None
    """``official``, ``de_facto_official``, ``official_regional``… or none."""


class Formats(Record, frozen=True, kw_only=True):
    """How the main locale writes dates (in the Gregorian calendar), numbers and money; patterns as in CLDR."""

    date: str
    """Short date."""
    date_order: Literal["DMY", "MDY", "YMD"]
    decimal: str
    group: str
    digits: str
    """Numbering system: ``latn``, ``arab``…"""
    currency_format: str
    local_currencies: tuple[tuple[str, str], ...]
    """Symbol and name of each of the territory's currencies."""


class Hours(Record, frozen=True, array_like=True):
    """Hour cycles: ``H`` is 0–23, ``h`` 1–12, ``K`` 0–11; ``hB`` and ``hb`` also name the part of the day."""

    preferred: str
    allowed: tuple[str, ...]


class DayPeriod(Record, frozen=True, array_like=True):
    """A part of the day with its limits on the clock; it may run over midnight."""

    name: str
    start: str
    before: str


class Mains(Record, frozen=True, array_like=True):
    """Household supply; more than one value where the country is split."""

    volts: tuple[int, ...]
    hertz: tuple[int, ...]


class Region(Record, frozen=True, kw_only=True):
    """What CLDR says by region alone; empty where it leaves its world default."""

    calendars: tuple[str, ...] = ()
    first_day: str = ""
    hours: Hours | None = None
    measurement_system: str = ""
    paper: str = ""
    units: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    weekend_end: str = ""
    weekend_start: str = ""


class Row(Region, frozen=True, kw_only=True):
    """A territory's line."""

    name: str
    calling_code: int | None = None
    currencies: tuple[tuple[str, str | None], ...] = ()
    """Code and start of what is legal tender."""
    formats: Formats | None = None
    languages: tuple[Language, ...] = ()
    locale: str | None = None
    mains: Mains | None = None


class Money(Record, frozen=True, kw_only=True):
    """A currency's line."""

    decimals: int
    names: tuple[str, ...]
    symbol: str


class Table(Record, frozen=True, kw_only=True):
    """``territories.json``."""

    currencies: dict[str, Money]
    day_periods: dict[str, tuple[DayPeriod, ...]]
    sources: dict[str, str]
    territories: dict[str, Row]
    world: Region


class MoneyWord(Record, frozen=True, kw_only=True):
    """A word or sign for money that is no currency's name."""

    currency: str
    kind: Literal["subunit", "superunit", "nickname", "symbol"]
    forms: tuple[str, ...]
    units: float = 1
    """What one of it is worth in the currency."""
    note: str = ""
    source: str


class Curated(Record, frozen=True, kw_only=True):
    """A curated row: some territories, and the page that says so."""

    territories: tuple[str, ...]
    source: str
    note: str = ""


class Accepted(Curated, frozen=True, kw_only=True):
    """Systems of units that count as right beside what CLDR prefers."""

    concept: Concept
    systems: tuple[str, ...]


class LocalUnit(Curated, frozen=True, kw_only=True):
    """A unit of area of everyday life that is neither metric nor imperial."""

    name: str
    forms: tuple[str, ...]
    usage: Literal["floor", "land"]
    square_metres: float | None = None


class Oven(Curated, frozen=True, kw_only=True):
    """Scales on ovens and in recipes."""

    scales: tuple[str, ...]


class Supply(Curated, frozen=True, kw_only=True):
    """Mains where the library knows only half of the country."""

    volts: tuple[int, ...]
    hertz: tuple[int, ...]


class Driving(Record, frozen=True, kw_only=True):
    """Sides of the road: rows for some territories, none for the unknown ones, right elsewhere."""

    elsewhere_right: str
    """Source of the rule for all the others."""
    unknown: tuple[str, ...]
    left: tuple[Curated, ...]
    right: tuple[Curated, ...]


class CuratedFile(Record, frozen=True, kw_only=True):
    """``curated_facts.toml``."""

    driving: Driving
    accepted: tuple[Accepted, ...]
    local_units: tuple[LocalUnit, ...]
    oven: tuple[Oven, ...]
    mains: tuple[Supply, ...]
    money: tuple[MoneyWord, ...]


@cache
def distilled() -> Table:
    """The distilled table.

    Raises:
        InputError: the file is missing or broken.
    """
    path = _HERE / "territories.json"
    try:
        return msgspec.json.decode(read_bytes(path), type=Table)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {field_error(error)}") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: not valid JSON: {error}") from error


@cache
def curated() -> CuratedFile:
    """The curated table.

    Raises:
        InputError: the file is missing or broken.
    """
    return read_toml(_HERE / "curated_facts.toml", CuratedFile)
