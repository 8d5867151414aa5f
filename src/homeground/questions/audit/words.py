"""The tables of words: what is looked for in each language. They are data, in ``questions/words``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.files import read_toml
from homeground.questions.audit.verdicts import Rule
from homeground.schema import Record

WORDS = Path(str(files("homeground.questions"))) / "words"
LANGUAGES = ("en", "pt", "es", "fr", "de", "zh")
"""Languages that have rules of wording; the others are judged by what needs no words."""
_RUN_ON = frozenset({"zh"})
_BEGINS = r"(?:\A|(?<=[.?!:;(\n])|(?<=[.?!:;(\n][\s¿¡]))"
"""Stands for ``^`` in the tables: the beginning of a sentence or of what is in brackets."""
_NEVER = re.compile(r"(?!)")
_ISO_NAMES = {
    "english": "en", "portuguese": "pt", "spanish": "es", "french": "fr", "german": "de", "chinese": "zh", "eng": "en",
    "por": "pt", "spa": "es", "fra": "fr", "deu": "de", "zho": "zh", "cmn": "zh", "mandarin": "zh", "korean": "ko",
    "japanese": "ja", "arabic": "ar", "russian": "ru", "hindi": "hi", "hebrew": "he", "persian": "fa", "greek": "el",
}  # fmt: skip


class Kind(Record, frozen=True, kw_only=True):
    """What one kind of wording means."""

    guideline: Rule
    confidence: float
    why: str


class _Kinds(msgspec.Struct, frozen=True):
    advice: dict[Rule, str]
    titles: dict[Rule, str]
    generic: Kind
    superlative: Kind
    opinion: Kind
    format: Kind
    chained: Kind
    options: Kind
    deictic: Kind
    timely: Kind
    stereotype: Kind
    slang: Kind
    listing: Kind


class Language(NamedTuple):
    """The patterns of one language."""

    code: str
    everyday: frozenset[str]
    """Common words, by which the language is told from others."""
    not_asking: frozenset[str]
    """Words that ask only at the beginning of a clause; elsewhere they join clauses."""
    patterns: dict[str, re.Pattern[str]]

    @property
    def spaced(self) -> bool:
        """Whether spaces stand between words."""
        return self.code not in _RUN_ON

    def spans(self, kind: str, text: str) -> Iterator[tuple[int, int]]:
        """Where words of a kind stand in a text."""
        return (found.span() for found in self.patterns.get(kind, _NEVER).finditer(text))


@cache
def language(code: str) -> Language | None:
    """The patterns of a language; nothing for one that has no rules.

    Raises:
        InputError: a data file is broken.
    """
    if code not in LANGUAGES:
        return None
    rows = read_toml(WORDS / f"{code}.toml", dict[str, tuple[str, ...]])
    everyday, not_asking = frozenset(rows.pop("everyday")), frozenset(rows.pop("not_asking"))
    return Language(
        code, everyday, not_asking, {kind: _pattern(code, row) for kind, row in rows.items() if row}
    )


def _pattern(code: str, forms: tuple[str, ...]) -> re.Pattern[str]:
    joined = "|".join(
        _BEGINS + form[1:] if form.startswith("^") and code not in _RUN_ON else form for form in forms
    )
    return re.compile(joined if code in _RUN_ON else rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)


@cache
def _kinds() -> _Kinds:
    return read_toml(WORDS / "kinds.toml", _Kinds)


@cache
def kinds() -> dict[str, Kind]:
    """Kinds of wording by name, each with the guideline that it breaks."""
    return {
        name: value for name, value in msgspec.structs.asdict(_kinds()).items() if isinstance(value, Kind)
    }


def titles() -> dict[Rule, str]:
    """What each guideline asks for and each defect is, in a few words."""
    return _kinds().titles


def advice() -> dict[Rule, str]:
    """What to change, by guideline."""
    return _kinds().advice


@lru_cache(512)
def base_code(tag: str | None) -> str | None:
    """The language of a tag or name: ``pt`` for ``pt-PT``, ``POR`` and ``Portuguese``."""
    if not tag or not tag.strip():
        return None
    first = re.split(r"[-_ ]", tag.strip().lower())[0]
    return _ISO_NAMES.get(first, first)
