"""Places and languages by the names that benchmarks give them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from homeground.cultures.names import country_names
from homeground.files import read_toml
from homeground.schema import Record

_CODE = re.compile(r"[A-Z]{2}-[A-Z0-9]{1,3}")


class Place(Record, frozen=True, kw_only=True):
    """A culture's code, and the part of the country where the name means no whole country."""

    culture: str
    region: str | None = None


class Tongue(Record, frozen=True, kw_only=True):
    """A language's code, and the culture that it stands for, if it stands for one."""

    language: str
    culture: str | None = None


class _Places(Record, frozen=True, kw_only=True):
    place: dict[str, Place]
    blend: dict[str, str]
    calmqa: dict[str, Tongue]


@cache
def _places() -> _Places:
    return read_toml(Path(str(files("homeground.questions.importers"))) / "places.toml", _Places)


def blend_languages() -> dict[str, str]:
    """The language of each of BLEnD's regions."""
    return _places().blend


def calmqa_languages() -> dict[str, Tongue]:
    """CaLMQA's languages by their English names."""
    return _places().calmqa


@lru_cache(4096)
def place(name: str) -> Place | None:
    """The place that a name or a code means; ``None`` for one that is not known."""
    text = " ".join(name.replace("_", " ").split())
    known = {key.casefold(): value for key, value in _places().place.items()}
    if found := known.get(text.casefold()):
        return found
    names = country_names()
    spellings = (text, text.title(), text.upper())
    code = next((names.as_written[one] for one in spellings if one in names.as_written), None)
    code = code or names.any_case.get(text.casefold())
    if code is None and (_CODE.fullmatch(text) or text in {*names.any_case.values()}):
        code = text
    return None if code is None else Place(culture=code)
