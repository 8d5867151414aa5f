"""Distil how thirty-odd languages write units into ``judging/words/unit_words.json``.

One command, from the checkout, after ``npm pack cldr-units-full@48.2.0`` and ``tar xzf cldr-units-full-48.2.0.tgz``::

    python scripts/distil_unit_words.py package

``package`` is the unpacked folder (Unicode-3.0). From it come the patterns of all plural classes, widths and
grammatical cases, and the display names; through Babel come the patterns of the release before, which now and then
spell a unit in another way that is still about. Nothing here goes to the network; the same input gives the same bytes.

The file holds ``{"unit": {"language": ["form", …]}}``: forms in NFC, sorted, without the number's placeholder, without
direction marks, with plain spaces. A form that takes up the place before the number is written with ``{}`` for the
number ("时速{}公里"). Words that CLDR has not live in ``unit_words.toml`` beside the file, which is read (for what to
drop, and for what counts in one language only) but not changed: run this again after changing it. What two units of
one dimension would still share is left to neither, and printed.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from babel import Locale
from babel.numbers import format_decimal
from babel.units import format_unit

CURATED = Path(__file__).parents[1] / "src/homeground/judging/words/unit_words.toml"
TARGET = Path(__file__).parents[1] / "src/homeground/judging/words/unit_words.json"
UNITS = {
    "temperature": ("celsius", "fahrenheit", "kelvin"),
    "length": (
        "kilometer", "meter", "centimeter", "millimeter", "mile", "yard", "foot", "inch", "nautical-mile",
        "furlong", "fathom",
    ),
    "speed": ("kilometer-per-hour", "meter-per-second", "mile-per-hour", "knot"),
    "area": (
        "square-meter", "square-centimeter", "square-kilometer", "square-foot", "square-inch", "square-yard",
        "square-mile", "hectare", "acre", "dunam",
    ),
}  # fmt: skip
# A language, and the locales whose spellings it takes in.
LANGUAGES = {
    "en": ("en", "en-GB", "en-IN", "en-CA", "en-AU", "en-ZA"),
    "zh-Hans": ("zh", "zh-Hans-SG"),
    "zh-Hant": ("zh-Hant", "zh-Hant-HK"),
    "es": ("es", "es-419", "es-MX"),
    "fr": ("fr", "fr-CA"),
    "pt": ("pt", "pt-PT"),
} | {
    code: (code,)
    for code in (
        "ar", "as", "bg", "bn", "ca", "cs", "da", "de", "el", "eu", "fa", "fi", "fil", "gl", "gu", "he", "hi", "hr",
        "hu", "id", "it", "ja", "kn", "ko", "ml", "mr", "ms", "nb", "ne", "nl", "pa", "pl", "ro", "ru", "sk", "sr",
        "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "vi",
    )
}  # fmt: skip
WIDTHS: tuple[Literal["long", "short", "narrow"], ...] = ("long", "short", "narrow")
NUMBERS = (0, 1, 2, 3, 5, 11, 20, 100, 1_000_000, 1.5)
PATTERN = re.compile(r"displayName|(?:unitPattern|[a-z]+)-count-[a-z]+")
# Direction marks and places to break a line say how to lay text out, not what it says.
MARKS = dict.fromkeys((0x200B, 0x200E, 0x200F, 0x061C, *range(0x2066, 0x206A)))


def form_of(pattern: str) -> str | None:
    """A CLDR pattern as a form; none where nothing but the number, or a remark in brackets, is left."""
    text = unicodedata.normalize("NFC", pattern.translate(MARKS))
    text = re.sub(r"\s+", " ", text.replace("{0}", "{}")).strip()
    before, number, after = (part.strip() for part in text.partition("{}"))
    form = before + number + after if before else after if number else text
    return None if not form or re.search(r"[()（）]", form) else form


def from_package(folder: Path, locale: str, unit: str) -> Iterator[str]:
    """The patterns of one locale's file, with the cases and the display names."""
    text = (folder / "main" / locale / "units.json").read_text(encoding="utf-8")
    widths: dict[str, Any] = json.loads(text)["main"][locale]["units"]
    for width in WIDTHS:
        for key, pattern in widths[width].get(unit, {}).items():
            if PATTERN.fullmatch(key):
                yield pattern


def from_babel(locale: str, unit: str) -> Iterator[str]:
    """The patterns that Babel carries, from numbers that touch every plural class."""
    parsed = Locale.parse(locale, sep="-")
    for width in WIDTHS:
        for number in NUMBERS:
            written = format_decimal(number, locale=parsed)
            text = format_unit(number, unit, length=width, locale=parsed).replace(written, "{0}")
            if unit not in text:  # what Babel writes where CLDR has no pattern
                yield text


def name_of(unit: str) -> str:
    """The name under which this project knows a CLDR unit: British spelling, underscores."""
    return unit.replace("meter", "metre").replace("-", "_")


def folded(form: str) -> str:
    """The form with neither compatibility forms nor case nor accents."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", form).casefold())
    return "".join(c for c in text if not unicodedata.combining(c))


def collect(folder: Path) -> dict[str, dict[str, set[str]]]:
    """Unit → language → forms, less what the curated file takes out and what two units of one dimension share."""
    curated = tomllib.loads(CURATED.read_text(encoding="utf-8"))
    elsewhere = {folded(form) for form in curated["by_language"]}
    table: dict[str, dict[str, set[str]]] = {}
    for dimension, units in UNITS.items():
        owners: dict[str, set[str]] = defaultdict(set)
        for unit in units:
            name = name_of(unit)
            left_out = elsewhere | {folded(form) for form in curated["dropped"].get(name, ())}
            table[name] = {
                language: {
                    form
                    for locale in locales
                    for source in (from_package(folder, locale, unit_id), from_babel(locale, unit_id))
                    for pattern in source
                    if (form := form_of(pattern)) and folded(form) not in left_out
                }
                for unit_id in (f"{dimension}-{unit}",)
                for language, locales in LANGUAGES.items()
            }
            for forms in table[name].values():
                for form in forms:
                    owners[folded(form)].add(name)
        shared = {form for form, names in owners.items() if len(names) > 1}
        for name in map(name_of, units):
            for language, forms in table[name].items():
                for form in sorted(forms):
                    if folded(form) in shared:
                        print("left out, since shared:", dimension, language, name, form)
                        forms.remove(form)
    return table


def rendered(table: dict[str, dict[str, set[str]]]) -> str:
    """The table as JSON, one language a line."""
    blocks = []
    for unit, rows in table.items():
        lines = [
            f"    {json.dumps(language)}: {json.dumps(sorted(forms), ensure_ascii=False)}"
            for language, forms in sorted(rows.items())
            if forms
        ]
        blocks.append(f"  {json.dumps(unit)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", type=Path, help="the unpacked npm package cldr-units-full 48.2.0")
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(rendered(collect(arguments.package)), encoding="utf-8")


if __name__ == "__main__":
    main()
