"""What rules can see of a transposed question: a bad translation, and things that the target country does not have."""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from homeground.cultures.local_names import Local, local_names
from homeground.cultures.names import mentions
from homeground.errors import InputError
from homeground.files import read_toml
from homeground.questions.audit import audit_question
from homeground.questions.chat import Opinion, one_line
from homeground.schema import Question, Record

_ROOM = 300
"""Characters that a translation may have, however short the question…"""
_TIMES = 3
"""…and beyond that, times the length of the question."""
_SAME = 0.5
"""Share of words in common from which a question is taken for one in its old language."""
_SHOWN = 40
_WORD = re.compile(r"[^\W\d_]+")


class _Bound(Record, frozen=True, kw_only=True):
    words: tuple[str, ...]
    at: tuple[str, ...] = ()
    not_at: tuple[str, ...] = ()
    elsewhere: Literal["no", "unsure"]
    why: str


class _Table(msgspec.Struct, frozen=True):
    bound: tuple[_Bound, ...]


class _Things:
    """Words that are bound to some countries, ready to be looked for."""

    def __init__(self) -> None:
        table = read_toml(Path(str(files("homeground.questions"))) / "transpose.toml", _Table)
        self.bound = [(row, _pattern(row.words)) for row in table.bound]


_things = cache(_Things)


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words in any case; what is written in capitals, such as SAT, only so."""
    forms = [
        re.escape(word) if word.isupper() else f"(?i:{re.escape(word)})"
        for word in sorted(words, key=len, reverse=True)
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")


class Places:
    """Where a question comes from and where it goes."""

    def __init__(self, origin: str | None, target: str, target_name: str, language: str) -> None:
        """Keep the codes, the target's English name and its language's tag."""
        self.origin, self.target, self.target_name, self.language = origin, target, target_name, language
        self.from_country = _country(origin) if origin else None
        self.to_country = _country(target)

    @cached_property
    def origin_name(self) -> str:
        """English name of the country that the question is about."""
        if self.origin is None:
            return "no country in particular"
        known = _local(self.origin)
        return known.culture if known else self.origin

    @cached_property
    def language_name(self) -> str:
        """The target's language for a prompt, such as ``Portuguese (pt-PT)``."""
        known = _local(self.target)
        same = known and known.tag and known.tag.split("-")[0] == self.language.split("-")[0]
        return f"{known.language} ({self.language})" if known and same else self.language

    @cached_property
    def can_be_named(self) -> bool:
        """Whether rules know what the target is called in its language."""
        return _local(self.target) is not None


def _local(code: str) -> Local | None:
    try:
        return local_names(code, "en")
    except InputError:
        return None


def _country(code: str) -> str:
    return code.partition("-")[0].upper()


def translation_fault(source: str, transposed: str, places: Places) -> str:
    """What is wrong with a translation as such; empty where rules find nothing.

    Args:
        source: the English question.
        transposed: the same in the target's language.
        places: whence and whither.
    """
    if not places.language.lower().startswith("en") and _kept(source, transposed) > _SAME:
        return "it is not translated"
    if len(transposed) > max(_ROOM, _TIMES * len(source)):
        return f"it has {len(transposed)} characters where the source has {len(source)}"
    named = [(mention.code, transposed[mention.start : mention.end]) for mention in mentions(transposed)]
    moved = places.from_country not in (None, places.to_country)
    for code, word in named:
        if moved and code == places.from_country:
            return f"it still names {places.origin_name}: “{one_line(word, _SHOWN)}”"
    item = Question(id="", question=transposed, answers=None)
    flags = audit_question(item, places.target, places.language).flags
    if places.can_be_named and any(mention.code == places.from_country for mention in mentions(source)):
        there = places.to_country in {code for code, _ in named}
        people = any(flag.guideline == "D1" and flag.why.startswith("names a people") for flag in flags)
        if not there and not people and places.target_name.casefold() not in transposed.casefold():
            return f"it does not name {places.target_name}"
    for flag in flags:
        if flag.guideline == "E1":
            return f"{flag.why}: “{one_line(flag.evidence, _SHOWN)}”"
    return ""


def _kept(source: str, transposed: str) -> float:
    """The share of a translation's words that stand in the source too."""
    words = set(_WORD.findall(transposed.lower()))
    return len(words & set(_WORD.findall(source.lower()))) / max(1, len(words))


def applies(source: str, places: Places) -> tuple[Opinion, str]:
    """Whether a transposed question applies as far as rules can tell, and why not.

    ``no`` where it names a feast or institution that the target country does not have; ``unsure`` where the country may
    or may not have it, and where a proper name stays in the question.

    Args:
        source: the English question.
        places: whence and whither.
    """
    found: dict[str, Opinion] = {}
    taken: list[str] = []
    for row, pattern in _things().bound:
        seen = pattern.search(source)
        if seen is None:
            continue
        taken.append(seen[0])
        at_home = places.to_country in row.at if row.at else places.to_country not in row.not_at
        if not at_home:
            found[f"{seen[0]}: {row.why}"] = row.elsewhere
    if places.origin is None:
        found["the source names no country"] = "unsure"
    for name in _proper_names(source):
        if not any(name in word or word in name for word in taken):
            found[f"the name {one_line(name, _SHOWN)} stays: does {places.target_name} have it?"] = "unsure"
    verdict: Opinion = "no" if "no" in found.values() else "unsure" if found else "yes"
    return verdict, "; ".join(found)


def _proper_names(source: str) -> list[str]:
    """Names other than countries' in an English question."""
    flags = audit_question(Question(id="", question=source, answers=None), None, "en").flags
    named = [flag.evidence for flag in flags if flag.guideline == "D1"]
    return [name for name in dict.fromkeys(named) if not any(True for _ in mentions(name))]
