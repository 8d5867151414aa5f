"""Distil facts about every territory that CLDR knows into ``cultures/territories.json``.

One command, from the checkout, after ``npm pack cldr-core@48.2.0`` and ``tar xzf cldr-core-48.2.0.tgz``::

    python scripts/distil_territories.py package

``package`` is the unpacked folder. Needs the packages babel, phonenumbers and fluids; nothing here goes to the
network. The same input gives the same bytes. Source of each column: ``SOURCES`` below, written into the file itself.
Facts that no library has live in ``cultures/curated_facts.toml`` and are not touched.

A territory's line holds what CLDR says of that very territory; what it leaves to its world default (001) stands
once, on the line ``world``, so that a reader can tell a statement from a default.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import Any

import phonenumbers
from babel import Locale, localedata
from babel.core import get_global
from fluids import residential_power  # type: ignore[import-not-found, import-untyped, unused-ignore]

TARGET = Path(__file__).parents[1] / "src/homeground/cultures/territories.json"
# No territory: the European Union, the eurozone, the United Nations, Outlying Oceania (a grouping), two
# pseudo-locales for testing software, and "unknown region".
GROUPINGS = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}
WORLD = "001"
USAGES = {
    "temperature": ("weather",),
    "length": ("road", "person-height"),
    "speed": ("default", "wind"),
    "area": ("floor", "land"),
}
OFFICIAL = ("official", "de_facto_official")
WELL_COVERED = ("modern", "moderate")
# Below this share of speakers a language is listed only if it is official somewhere in the territory.
SHARE_WORTH_LISTING = 1.0
FEATURES = {"y": "Y", "M": "M", "L": "M", "d": "D"}


class Cldr:
    """The supplemental files of an unpacked ``cldr-core`` package."""

    def __init__(self, folder: Path) -> None:
        """Read the package's version and how well CLDR covers each language; files are read when asked for."""
        self._folder = folder
        self._read: dict[str, Any] = {}
        levels = json.loads((folder / "coverageLevels.json").read_text(encoding="utf-8"))
        self.coverage: dict[str, str] = levels["effectiveCoverageLevels"]
        self.version: str = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]

    def load(self, name: str, *keys: str) -> Any:  # noqa: ANN401 — JSON of another project
        """What stands under ``supplemental`` and then under ``keys`` in one file."""
        if name not in self._read:
            file = self._folder / "supplemental" / f"{name}.json"
            self._read[name] = json.loads(file.read_text(encoding="utf-8"))
        found = self._read[name]
        for key in ("supplemental", *keys):
            found = found[key]
        return found


def sources(cldr: Cldr) -> dict[str, str]:
    """Where each column comes from, with versions."""
    core = f"cldr-core {cldr.version} supplemental/"
    babel = f"Babel {version('babel')} (CLDR {get_global('cldr')['version']})"
    return {
        "calendars": f"{core}calendarPreferenceData.json",
        "calling_code": f"phonenumbers {version('phonenumbers')} country_code_for_region",
        "currencies": f"{core}currencyData.json; names and symbols: {babel}",
        "day_periods": f"{core}dayPeriods.json, rules of the main language",
        "formats": f"{babel}, formats of the main locale, Gregorian calendar",
        "hours": f"{core}timeData.json",
        "languages": f"{core}territoryInfo.json",
        "locale": f"well covered official language with most speakers, {core}territoryInfo.json; locale of {babel}",
        "mains": f"fluids {version('fluids')} residential_power",
        "measurement_system": f"{core}measurementData.json measurementSystem",
        "name": f"{babel} territory names in English",
        "paper": f"{core}measurementData.json paperSize",
        "units": f"{core}unitPreferenceData.json",
        "week": f"{core}weekData.json",
    }


def main_locale(cldr: Cldr, code: str, info: dict[str, Any]) -> str | None:
    """Babel's locale of the official language with most speakers; else of the likeliest language; else none.

    Languages that CLDR covers well go first: the formats of the others are mostly those of no language.
    """
    likely: dict[str, str] = cldr.load("likelySubtags", "likelySubtags")
    spoken = info.get("languagePopulation", {})
    official = [tag for tag in spoken if spoken[tag].get("_officialStatus") in OFFICIAL]
    official.sort(key=lambda tag: (-float(spoken[tag]["_populationPercent"]), tag))
    official.append(likely.get(f"und-{code}", "").partition("-")[0])
    covered = [tag for tag in official if cldr.coverage.get(tag.partition("_")[0]) in WELL_COVERED]
    for tag in (*covered, *official):
        full = likely.get(tag.replace("_", "-"), "")
        script = full.split("-")[1] if full else ""
        for name in (f"{tag}_{code}", f"{tag}_{script}_{code}"):
            if tag and localedata.exists(name):
                return str(Locale.parse(name))
    return None


def languages(info: dict[str, Any]) -> list[list[Any]]:
    """``[tag, percent of the population, official status or null]``, most spoken first."""
    rows = []
    for tag, facts in info.get("languagePopulation", {}).items():
        share, status = float(facts["_populationPercent"]), facts.get("_officialStatus")
        if status or share >= SHARE_WORTH_LISTING:
            rows.append([tag, share, status])
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def tender(rows: list[dict[str, dict[str, str]]]) -> list[list[str | None]]:
    """``[currency, start date]`` of what is legal tender with no end in sight, in CLDR's own order.

    CLDR lists the most recent first, and of those that circulate side by side the territory's own before the guest.
    """
    pairs = [(code, facts) for row in rows for code, facts in row.items()]
    return [
        [code, facts.get("_from")]
        for code, facts in pairs
        if "_to" not in facts and facts.get("_tender") != "false" and code != "XXX"
    ]


def formats(name: str, codes: list[str]) -> dict[str, Any]:
    """How the main locale writes dates, numbers and the territory's own money."""
    locale = Locale.parse(name)
    date = locale.date_formats["short"].pattern
    order = "".join(FEATURES.get(letter, "") for letter in re.sub(r"'[^']*'|(\w)(?=\1)", "", date))
    digits = locale.default_numbering_system
    symbols = locale.number_symbols[digits]
    if "decimal" not in symbols:  # a few locales name a numbering system whose signs Babel does not carry
        digits, symbols = "latn", locale.number_symbols["latn"]
    return {
        "currency_format": locale.currency_formats["standard"].pattern,
        "date": date,
        "date_order": order,
        "decimal": symbols["decimal"],
        "digits": digits,
        "group": symbols["group"],
        "local_currencies": [[locale.currency_symbols.get(c, c), locale.currencies.get(c, c)] for c in codes],
    }


def units(preferences: dict[str, Any], code: str) -> dict[str, list[str]]:
    """Preferred units by ``quantity/usage``, largest first, where CLDR says something of this territory."""
    found = {}
    for quantity, usages in USAGES.items():
        for usage in usages:
            listed = preferences[quantity][usage].get(code)
            if listed:
                found[f"{quantity}/{usage}"] = list(dict.fromkeys(entry["unit"] for entry in listed))
    return found


def regional(cldr: Cldr, code: str, language: str | None) -> dict[str, Any]:
    """What CLDR says of a territory (or the world) by region alone; nothing where it leaves the default."""
    measures, week = cldr.load("measurementData", "measurementData"), cldr.load("weekData", "weekData")
    times = cldr.load("timeData", "timeData")
    hours = times.get(f"{language}-{code}", times.get(code))
    row = {
        "calendars": cldr.load("calendarPreferenceData", "calendarPreferenceData").get(code),
        "first_day": week["firstDay"].get(code),
        "hours": [hours["_preferred"], hours["_allowed"].split()] if hours else None,
        "measurement_system": measures["measurementSystem"].get(code),
        "paper": measures["paperSize"].get(code),
        "units": units(cldr.load("unitPreferenceData", "unitPreferenceData"), code),
        "weekend_end": week["weekendEnd"].get(code),
        "weekend_start": week["weekendStart"].get(code),
    }
    return {key: value for key, value in row.items() if value}


def territories(cldr: Cldr) -> dict[str, dict[str, Any]]:
    """One row a territory."""
    names = {str(code): str(name) for code, name in Locale("en").territories.items()}
    info = cldr.load("territoryInfo", "territoryInfo")
    money = cldr.load("currencyData", "currencyData", "region")
    rows = {}
    for code in sorted(code for code in names if re.fullmatch("[A-Z]{2}", code) and code not in GROUPINGS):
        known = info.get(code, {})
        locale = main_locale(cldr, code, known)
        currencies = tender(money.get(code, []))
        power = residential_power.get(code.lower())
        row = {
            "name": names[code],
            "calling_code": phonenumbers.country_code_for_region(code) or None,
            "currencies": currencies or None,
            "formats": formats(locale, [str(c) for c, _ in currencies]) if locale else None,
            "languages": languages(known) or None,
            "locale": locale,
            "mains": [[power.voltage], [power.freq]] if power else None,
            **regional(cldr, code, locale.partition("_")[0] if locale else None),
        }
        rows[code] = {key: value for key, value in sorted(row.items()) if value is not None}
    return rows


def currency_table(cldr: Cldr, rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Names, symbol and digits of every currency in use, in English."""
    english = Locale("en")
    plurals = english._data["currency_names_plural"]
    fractions = cldr.load("currencyData", "currencyData", "fractions")
    table = {}
    for code in sorted({code for row in rows.values() for code, _ in row.get("currencies", [])}):
        forms = plurals.get(code, {})
        words = {english.currencies[code]: None, **{forms[key]: None for key in sorted(forms)}}
        table[code] = {
            "decimals": int(fractions.get(code, fractions["DEFAULT"])["_digits"]),
            "names": list(words),
            "symbol": english.currency_symbols.get(code, code),
        }
    return table


def day_periods(cldr: Cldr, rows: dict[str, dict[str, Any]]) -> dict[str, list[list[str]]]:
    """``[period, from, before]`` by main language, in the order of the day; moments such as noon are left out."""
    rules = cldr.load("dayPeriods", "dayPeriodRuleSet")
    table = {}
    for language in sorted({row["locale"].partition("_")[0] for row in rows.values() if "locale" in row}):
        spans = [(f["_from"], f["_before"], n) for n, f in rules.get(language, {}).items() if "_from" in f]
        if spans:
            table[language] = [[name, start, before] for start, before, name in sorted(spans)]
    return table


def compact(value: object) -> str:
    """JSON on one line in readable letters, but with marks and spaces that nobody can see written as escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    hidden = {c for c in text if unicodedata.category(c) in ("Cf", "Zs", "Zl", "Zp") and c != " "}
    return "".join(f"\\u{ord(c):04x}" if c in hidden else c for c in text)


def lines(table: dict[str, Any]) -> str:
    """An object with one entry a line."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}:{compact(table[key])}" for key in sorted(table)) + "\n}"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Distil CLDR's facts about territories.")
    parser.add_argument("package", type=Path, help="folder of the unpacked npm package cldr-core 48.2.0")
    parser.add_argument("--out", type=Path, default=TARGET, help="file to write")
    options = parser.parse_args()
    cldr = Cldr(options.package)
    rows = territories(cldr)
    parts = {
        "currencies": lines(currency_table(cldr, rows)),
        "day_periods": lines(day_periods(cldr, rows)),
        "sources": lines(sources(cldr)),
        "territories": lines(rows),
        "world": compact(regional(cldr, WORLD, None)),
    }
    body = ",\n".join(f"{json.dumps(name)}:{text}" for name, text in parts.items())
    options.out.write_text("{\n" + body + "\n}\n", encoding="utf-8", newline="\n")
    print(f"{options.out}: {len(rows)} territories, {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
