"""Distil names of countries from CLDR (through Babel) and ``countrynames`` into ``cultures/country_names.json``.

Run from the checkout: ``.venv/bin/python scripts/distil_country_names.py COUNTRYNAMES_DATA``, where the argument is
the ``data.py`` inside the wheel of ``countrynames`` 1.17.0 (``pip download --no-deps countrynames``; MIT licence).
From CLDR come the names in the languages below, with case forms for Russian, Ukrainian, Polish and Greek; from
``countrynames`` only official names ("French Republic"), since its other entries include cities, misspellings and
words. The curated names beside them live in ``cultures/country_names.toml``, which is read (for what to drop, and to
write its names without accents) but not changed: run this again after changing it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from babel import Locale

CURATED = Path(__file__).parents[1] / "src/homeground/cultures/country_names.toml"
TARGET = Path(__file__).parents[1] / "src/homeground/cultures/country_names.json"
LANGUAGES = (
    "en", "fr", "de", "es", "pt", "pt_PT", "it", "nl", "ru", "pl", "tr", "ar", "fa", "he", "hi", "bn", "ja", "ko",
    "zh", "zh_Hant", "zh_Hant_HK", "id", "vi", "th", "uk", "el", "sw", "sv", "da", "nb", "cs", "ro", "ur",
)  # fmt: skip
# Groupings and outlying codes that are no country a user would be said to be from.
NOT_COUNTRIES = {"EU", "EZ", "UN", "XA", "XB", "QO", "ZZ", "AC", "CP", "DG", "EA", "IC", "TA", "CQ"}
OFFICIAL = re.compile(
    r"\b(?:republi\w*|kingdom|state of|federa\w*|emirates|commonwealth of|principality|grand duchy|sultanate"
    r"|république|república|royaume|reino|königreich|republik|республика|федерация|королевство|δημοκρατία)\b"
    r"|共和国|共和國|공화국",
    re.IGNORECASE,
)
# What was official once, or of a part of the country, or is misspelt in the source.
NOT_OFFICIAL = re.compile(
    r"[\d(),/;]|  |confederate|socialist|soviet|mysore|democratic republic of georgia|kingdom of england|former"
    r"|nutome|emetab|orílẹ|orílɛ|\bbrasi$|puntland|somaliland|crimea|srpska|chechen|dagestan|bashkor|tatarstan"
    r"|of ireland and|people.?s republic of (?:kampuchea|angola|mozambique|benin|the congo)",
    re.IGNORECASE,
)
UNMARKED = str.maketrans("łŁøØđĐı", "lLoOdDi")
VOWELS = "аеёиоуыэюяєіїaeiouyáéíóúάέήίόύώαεηιουω"


def forms(language: str, name: str) -> Iterator[str]:
    """The case forms in which an answer uses a name of one word ("из Франции")."""
    if re.search(r"[\s\-]", name) or len(name) < 4:
        return
    endings = {
        "ru": {
            "ия": "ии ию ией",
            "ея": "еи ее ею еей",
            "й": "я ю ем е",
            "ь": "я ю ем е и",
            "а": "ы и е у ой",
        },
        "uk": {"ія": "ії ію ією", "ея": "еї ею еєю", "й": "ю я єм ї", "ь": "ю я ем і", "а": "и і у ою"},
        "pl": {"ja": "ji ję ją", "ia": "ii ię ią", "ka": "ki ce kę ką", "a": "y ę ą"},
        "el": {"ία": "ίας", "α": "ας", "η": "ης", "ος": "ου ο", "ός": "ού ό", "άς": "ά"},
    }.get(language)
    if endings is None:
        return
    for ending, others in endings.items():
        if name.endswith(ending) and (ending not in ("а", "a") or name[-2] not in VOWELS):
            yield from (name.removesuffix(ending) + other for other in others.split())
            return
    if language != "el" and name[-1] not in VOWELS:
        others = {"ru": "а у ом е", "uk": "у а ом і", "pl": "u a em ie owi"}[language]
        yield from (name + other for other in others.split())


def plain(name: str) -> set[str]:
    """A CLDR name in the spellings that texts use."""
    name = re.sub(r"[’ʼ]", "'", name.replace("\u200f", "").replace("\u00ad", ""))
    inside = re.search(r"[(（](.*)[)）]", name)
    name = re.sub(r"\s*[(（].*?[)）]\s*|,.*| SAR China", " ", name).strip()
    names = {name, name.replace(" - ", "-")}
    for mark, word in (("&", "and"), ("St.", "Saint"), ("St.", "St")):
        names |= {other.replace(mark, word) for other in names}
    names |= {re.sub(r"\bо-ва\b", "острова", name)}
    if inside and re.fullmatch(
        r"Bur?mi?a|Birmanie|Birm[aâ]nia|Barma|Бирма|Бірма|Βιρμανία|بورما|برمه|בורמה|ビルマ|พม่า", inside[1]
    ):
        names.add(inside[1])
    return {n for n in names if not n.isascii() or len(n) > 2}


def cldr() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Names by code that count in any case, and those that count only with a capital."""
    anyhow: dict[str, set[str]] = defaultdict(set)
    capital: dict[str, set[str]] = defaultdict(set)
    for language in LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if not re.fullmatch("[A-Z]{2}", code) or code in NOT_COUNTRIES:
                continue
            names = plain(name)
            for spelled in names:
                # Short names of other languages are words of somebody's: Swahili "mali", Turkish "fas".
                short = language != "en" and len(spelled) < 5 and spelled[0] < "\u0590"
                (capital if short and not spelled.isupper() else anyhow)[code].add(spelled)
                capital[code] |= set(forms(language, spelled))
    return anyhow, {code: names - anyhow[code] for code, names in capital.items()}


def official(path: Path) -> Iterator[tuple[str, str]]:
    """Code and official name of what ``countrynames`` lists."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign) or not isinstance(target := node.targets[0], ast.Subscript):
            continue
        code = ast.literal_eval(target.slice)
        if not re.fullmatch("[A-Z]{2}", code) or code in NOT_COUNTRIES:
            continue
        for name in ast.literal_eval(node.value):
            name = name.replace("’", "'").strip()
            if OFFICIAL.search(name) and not NOT_OFFICIAL.search(name):
                yield code, re.sub(r"^the ", "", name, flags=re.IGNORECASE)


def written_otherwise(name: str) -> Iterator[str]:
    """A Latin name without its accents, as keyboards and hurried models write it; Arabic "to the"."""
    if name.startswith("ال"):
        yield "لل" + name[2:]
    if name[0] < "\u0250" and not name.isascii():
        marked = name.translate(UNMARKED)
        bare = "".join(
            c for c in unicodedata.normalize("NFD", marked.replace("ß", "ss")) if not unicodedata.combining(c)
        )
        if len(bare) > 4:
            yield bare


def once(names: set[str], left_out: set[str]) -> list[str]:
    """Names in order, those spelled alike but for case once."""
    kept: dict[str, str] = {}
    for name in sorted(names, key=lambda n: (n.isupper(), n)):
        if name.casefold() not in left_out:
            kept.setdefault(name.casefold(), name)
    return sorted(kept.values())


def main() -> None:
    """Write the table. A name that two countries share is left to the curated file."""
    anyhow, capital = cldr()
    for code, name in official(Path(sys.argv[1])):
        if code in anyhow:
            anyhow[code].add(name)
    curated = tomllib.loads(CURATED.read_text(encoding="utf-8"))
    small = {name.casefold() for row in curated["country"].values() for name in row.get("capital", ())}
    small |= {name.casefold() for name in curated["capitalised"]}
    for code in anyhow.keys() | curated["country"].keys():
        row = curated["country"].get(code, {})
        for name in {
            *anyhow.get(code, ()),
            *capital.get(code, ()),
            *(n for names in row.values() for n in names),
        }:
            cased = name.casefold() in small or name in capital.get(code, ())
            (capital if cased else anyhow).setdefault(code, set()).update(written_otherwise(name))
    owners: dict[str, set[str]] = defaultdict(set)
    for rows in (anyhow, capital):
        for code, names in rows.items():
            for name in names:
                owners[name.casefold()].add(code)
    own = {
        n.casefold(): code
        for code, row in curated["country"].items()
        for names in row.values()
        for n in names
    }
    shared = {name for name, codes in owners.items() if len(codes) > 1}
    print("left out, since shared:", sorted((n, *sorted(owners[n])) for n in shared))
    print(
        "overridden:",
        sorted((n, *owners[n], own[n]) for n in own.keys() & owners.keys() if {own[n]} != owners[n]),
    )
    left_out = shared | own.keys() | {name.casefold() for name in curated["dropped"]}
    lines = []
    for code in sorted(anyhow):
        row = {"names": once(anyhow[code], left_out), "capital": once(capital.get(code, set()), left_out)}
        lines.append(
            f"  {json.dumps(code)}: {json.dumps({k: v for k, v in row.items() if v}, ensure_ascii=False)}"
        )
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
