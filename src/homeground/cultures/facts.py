"""Facts about every territory that CLDR knows, each with its source.

Two tables are joined on first use (``fact_tables.py``): one distilled from libraries, one curated by hand. Where both
know a fact (mains in Brazil and Japan) the curated row wins, since it was made because the library is wrong there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from homeground.cultures.fact_tables import (
    Curated,
    DayPeriod,
    Formats,
    Hours,
    Language,
    LocalUnit,
    Mains,
    MoneyWord,
    Row,
    Side,
    curated,
    distilled,
)
from homeground.errors import unknown
from homeground.schema import Concept, Record

T = TypeVar("T")
C = TypeVar("C", bound=Curated)

WORLD_DEFAULT = " (world default, 001)"
"""Ends the source of a fact that CLDR says of the world and not of the territory itself: a weaker statement."""
_UNITS_OF: dict[Concept, str] = {
    "temperature": "temperature/weather",
    "distance": "length/road",
    "speed": "speed/default",
    "size": "area/floor",
}
_SYSTEM_OF = {
    "celsius": "metric",
    "fahrenheit": "imperial",
    "foot": "imperial",
    "kilometer": "metric",
    "kilometer-per-hour": "metric",
    "meter": "metric",
    "mile": "imperial",
    "mile-per-hour": "imperial",
    "mile-scandinavian": "metric",  # ten kilometres
    "square-foot": "imperial",
    "square-meter": "metric",
    "yard": "imperial",
}


class Fact(Record, Generic[T], frozen=True, kw_only=True):
    """A value and where it was found."""

    value: T
    source: str


class Currency(Record, frozen=True, kw_only=True):
    """A currency that is legal tender now."""

    code: str
    since: str | None
    """ISO date."""
    names: tuple[str, ...]
    """In English: as a title, then singular and plural."""
    symbol: str
    """As CLDR writes it in English, where many have only their code."""
    decimals: int
    local_symbol: str | None
    """In the territory's main locale."""
    local_name: str | None
    words: tuple[MoneyWord, ...]
    """Subunits, nicknames and further symbols, each with its own source."""


class Facts(Record, frozen=True, kw_only=True):
    """All that is known of a territory; ``None`` or nothing where nothing is."""

    code: str
    name: Fact[str]
    units: dict[str, Fact[tuple[str, ...]]]
    """CLDR's preferred units by ``quantity/usage``, largest first."""
    accepted: dict[Concept, tuple[Fact[str], ...]]
    """What counts as right under protocol ``cldr``: systems of units, or currencies for ``price``; CLDR's first."""
    measurement_system: Fact[str]
    currencies: Fact[tuple[Currency, ...]] | None
    """In CLDR's order: of those that circulate side by side mostly the territory's own first."""
    languages: Fact[tuple[Language, ...]] | None
    locale: Fact[str] | None
    """Main locale: that of the most spoken official language that CLDR covers well."""
    formats: Fact[Formats] | None
    calendars: Fact[tuple[str, ...]]
    """Preferred first."""
    hours: Fact[Hours]
    first_day: Fact[str]
    weekend: Fact[tuple[str, str]]
    """First and last day."""
    paper: Fact[str]
    day_periods: Fact[tuple[DayPeriod, ...]] | None
    """Of the main language: CLDR has none by territory."""
    calling_code: Fact[int] | None
    mains: Fact[Mains] | None
    driving_side: Fact[Side] | None
    local_units: tuple[LocalUnit, ...]
    oven: Fact[tuple[str, ...]] | None


@cache
def territory_codes() -> tuple[str, ...]:
    """ISO 3166-1 alpha-2 codes of all territories, and the few that CLDR has beside them (such as XK), sorted."""
    return tuple(distilled().territories)


@cache
def facts_of(code: str) -> Facts:
    """All facts about a territory.

    Raises:
        InputError: no such territory, or a table is broken.
    """
    table, extra = distilled(), curated()
    if code not in table.territories:
        raise unknown("territory", code, territory_codes())
    row, world = table.territories[code], table.world
    language = row.locale.partition("_")[0] if row.locale else ""
    weekend = (row.weekend_start or world.weekend_start, row.weekend_end or world.weekend_end)
    units = {
        usage: _fact("units", row.units.get(usage, preferred), own=usage in row.units)
        for usage, preferred in world.units.items()
    }
    supply, oven = _first(extra.mains, code), _first(extra.oven, code)
    return Facts(
        code=code,
        name=_fact("name", row.name),
        units=units,
        accepted=_accepted(code, units, row),
        measurement_system=_regional("measurement_system", row.measurement_system, world.measurement_system),
        currencies=_maybe("currencies", _currencies(row)),
        languages=_maybe("languages", row.languages),
        locale=_maybe("locale", row.locale),
        formats=_maybe("formats", row.formats),
        calendars=_regional("calendars", row.calendars, world.calendars),
        hours=_regional("hours", row.hours, world.hours),
        first_day=_regional("week", row.first_day, world.first_day),
        weekend=_fact("week", weekend, own=bool(row.weekend_start or row.weekend_end)),
        paper=_regional("paper", row.paper, world.paper),
        day_periods=_maybe("day_periods", table.day_periods.get(language)),
        calling_code=_maybe("calling_code", row.calling_code),
        mains=Fact(value=Mains(supply.volts, supply.hertz), source=supply.source)
        if supply
        else _maybe("mains", row.mains),
        driving_side=_driving_side(code),
        local_units=tuple(unit for unit in extra.local_units if code in unit.territories),
        oven=Fact(value=oven.scales, source=oven.source) if oven else None,
    )


def cldr_accepted(code: str) -> dict[Concept, tuple[str, ...]]:
    """What counts as right under protocol ``cldr``: systems that CLDR prefers, then the curated ones beside them.

    For ``price`` the currencies that are legal tender now; the concept is absent where there are none.

    Raises:
        InputError: no such territory.
    """
    return {
        concept: tuple(fact.value for fact in found) for concept, found in facts_of(code).accepted.items()
    }


def _fact(column: str, value: T, *, own: bool = True) -> Fact[T]:
    return Fact(value=value, source=distilled().sources[column] + ("" if own else WORLD_DEFAULT))


def _maybe(column: str, value: T | None) -> Fact[T] | None:
    return _fact(column, value) if value else None


def _regional(column: str, own: T | None, default: T | None) -> Fact[T]:
    if own:
        return _fact(column, own)
    if not default:
        raise ValueError(f"territories.json: the world's line has no {column}")
    return _fact(column, default, own=False)


def _first(rows: Iterable[C], code: str) -> C | None:
    return next((row for row in rows if code in row.territories), None)


def _accepted(
    code: str, units: dict[str, Fact[tuple[str, ...]]], row: Row
) -> dict[Concept, tuple[Fact[str], ...]]:
    found: dict[Concept, dict[str, str]] = {
        concept: {_SYSTEM_OF[unit]: units[usage].source for unit in units[usage].value}
        for concept, usage in _UNITS_OF.items()
    }
    for more in curated().accepted:
        if code in more.territories:
            for system in more.systems:
                found[more.concept].setdefault(system, more.source)
    if row.currencies:
        found["price"] = {currency: distilled().sources["currencies"] for currency, _ in row.currencies}
    return {
        concept: tuple(Fact(value=value, source=source) for value, source in systems.items())
        for concept, systems in found.items()
    }


def _currencies(row: Row) -> tuple[Currency, ...]:
    money, words = distilled().currencies, curated().money
    local = row.formats.local_currencies if row.formats else ()
    return tuple(
        Currency(
            code=code,
            since=since,
            names=money[code].names,
            symbol=money[code].symbol,
            decimals=money[code].decimals,
            local_symbol=local[place][0] if local else None,
            local_name=local[place][1] if local else None,
            words=tuple(word for word in words if word.currency == code),
        )
        for place, (code, since) in enumerate(row.currencies)
    )


def _driving_side(code: str) -> Fact[Side] | None:
    rules = curated().driving
    if code in rules.unknown:
        return None
    if left := _first(rules.left, code):
        return Fact(value="left", source=left.source)
    right = _first(rules.right, code)
    return Fact(value="right", source=right.source if right else rules.elsewhere_right)
