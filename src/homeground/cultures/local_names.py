"""What a culture and its language are called in the languages that pages for people are written in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from homeground.cultures.facts import facts_of, territory_codes
from homeground.cultures.library import codes, load_file
from homeground.errors import unknown
from homeground.files import read_bytes
from homeground.schema import Record

PageLanguage: TypeAlias = Literal["en", "pt", "fa"]
"""English, Portuguese as it is written in Portugal, or Persian as it is written in Iran."""
PAGE_LANGUAGES: tuple[PageLanguage, ...] = ("en", "pt", "fa")


class _Table(Record, frozen=True, kw_only=True):
    languages: dict[PageLanguage, dict[str, str]]
    territories: dict[PageLanguage, dict[str, str]]
    """English names stand in ``territories.json``."""


class Local(NamedTuple):
    """A culture by name."""

    code: str
    culture: str
    language: str | None
    """Name of its main language; none where nobody lives for good, or where only its territory's is known."""
    tag: str | None
    """BCP 47 tag of that language there, such as ``pt-PT``; none likewise."""


@cache
def _table() -> _Table:
    path = Path(str(files("homeground.cultures"))) / "local_names.json"
    return msgspec.json.decode(read_bytes(path), type=_Table)


def local_names(code: str, language: PageLanguage) -> Local:
    """A culture's name and its language's name, in the language of a page.

    The language is that of the territory's main locale. A culture that is no territory keeps the name that its file
    has, in English; which language it speaks is not known.

    Args:
        code: a territory, or a culture that has a data file.
        language: the page's.

    Raises:
        InputError: no such culture, or its file is broken.
    """
    data = load_file(code) if code in codes() else None
    if data is None and code not in territory_codes():
        raise unknown("culture", code, (*codes(), *territory_codes()))
    if data and data.inherits:
        return Local(code, data.name, None, None)
    facts, table = facts_of(code), _table()
    name = table.territories.get(language, {}).get(code, facts.name.value)
    if facts.locale is None:
        return Local(code, name, None, None)
    locale = facts.locale.value
    spoken = table.languages[language][locale.partition("_")[0]]
    return Local(code, name, spoken, locale.replace("_", "-"))
