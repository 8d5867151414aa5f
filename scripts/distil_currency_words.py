"""Distil names and symbols of currencies from CLDR (through Babel) into ``judging/words/currency_words.json``.

Run from the checkout: ``.venv/bin/python scripts/distil_currency_words.py``. Every currency that was legal tender
somewhere on ``DATE`` gets, for each of the languages below, its display names in all plural classes, and under "any"
the symbols by which the languages, and the locales of the territories that use it, write it (so also narrow symbols,
which CLDR keeps for home: "$" under CAD). Codes are left out, and so are symbols that are letters alone, which read
without case are words of some language ("um 5 Euro", "5 KM"), and names that ``judging/words/currency_words.toml`` lets
count only beside a number. That file holds the safe ones; it is read but not changed: run this again after changing it.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from babel import Locale
from babel.core import get_global
from babel.localedata import locale_identifiers
from babel.numbers import get_territory_currencies

WORDS = Path(__file__).parents[1] / "src/homeground/judging/words"
CURATED = WORDS / "currency_words.toml"
TARGET = WORDS / "currency_words.json"
# A day of CLDR 47, and not today: the table must not depend on when it is made.
DATE = date(2025, 3, 13)
LANGUAGES = (
    "en", "fr", "de", "es", "pt", "pt_PT", "it", "nl", "ru", "pl", "tr", "ar", "fa", "he", "hi", "bn", "ja", "ko",
    "zh", "zh_Hant", "zh_Hant_HK", "id", "ms", "vi", "th", "uk", "el", "sw", "sv", "da", "nb", "fi", "cs", "hu", "ro",
    "ur", "fil", "ta",
)  # fmt: skip
MARKS = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c"))
"""Soft hyphens and marks of direction, which nobody types."""
LETTERS = re.compile("[A-Za-z\u00c0-\u052f]+\\.?|[\u0600-\u06ff]")
"""Symbols that are words elsewhere."""


def tender() -> list[str]:
    """Codes of the currencies that are legal tender in some territory."""
    territories = get_global("territory_currencies")
    return sorted({c for t in territories for c in get_territory_currencies(t, DATE, DATE, tender=True)})


def clean(form: str) -> str:
    """A form as people type it, NFC."""
    form = unicodedata.normalize("NFC", form.translate(MARKS))
    return re.sub(r"\s+", " ", re.sub(r"\s*[(（].*?[)）]", " ", form).replace("’", "'")).strip()


def names(locale: Locale, code: str) -> Iterator[str]:
    """Display names of a currency in one language; nothing where CLDR has only the code."""
    plurals = locale._data["currency_names_plural"].get(code, {})
    for name in (locale.currencies.get(code), *plurals.values()):
        if name and name != code and (name := clean(name)):
            yield name
            if " & " in name:
                yield name.replace(" & ", " and ")


def symbols(codes: list[str]) -> dict[str, set[str]]:
    """By currency the symbols that the languages above, and the locales at home, write."""
    found: dict[str, set[str]] = {code: set() for code in codes}
    for identifier in sorted({*locale_identifiers(), *LANGUAGES}):
        locale = Locale.parse(identifier)
        home = get_territory_currencies(locale.territory, DATE, DATE, tender=True) if locale.territory else []
        for code in codes if identifier in LANGUAGES else home:
            symbol = clean(locale.currency_symbols.get(code, ""))
            if symbol and symbol not in codes and not LETTERS.fullmatch(symbol):
                found[code].add(symbol)
    return found


def once(forms: set[str], left_out: set[str]) -> list[str]:
    """Forms in order, those spelled alike but for case once."""
    kept: dict[str, str] = {}
    for form in sorted(forms):
        kept.setdefault(form.casefold(), form)
    return sorted(form for key, form in kept.items() if key not in left_out)


def beside_numbers(row: dict[str, dict[str, list[str]]]) -> set[str]:
    """What the curated file lets count only beside a number, for one currency or one of its units."""
    return {form.casefold() for forms in row.get("number", {}).values() for form in forms}


def distil() -> str:
    """The table as JSON, one currency and language a line."""
    codes = tender()
    marked = symbols(codes)
    locales = {language: Locale.parse(language) for language in LANGUAGES}
    curated = tomllib.loads(CURATED.read_text(encoding="utf-8"))["currency"]
    blocks = []
    for code in codes:
        row = curated.get(code, {})
        left_out = beside_numbers(row).union(*map(beside_numbers, row.get("units", {}).values()))
        lines = {
            language: once(set(names(locale, code)), left_out) for language, locale in locales.items()
        } | {"any": once(marked[code], set())}
        rows = [
            f"    {json.dumps(language)}: {json.dumps(forms, ensure_ascii=False)}"
            for language, forms in lines.items()
            if forms
        ]
        blocks.append(f"  {json.dumps(code)}: {{\n" + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(distil(), encoding="utf-8")
