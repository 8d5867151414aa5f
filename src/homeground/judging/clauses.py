"""Clauses that hold a country at arm's length: disbelieved, granted only to be outweighed, or the weaker of two.

The words are those of ``words/clauses.toml``. Windows are short, so that reading stays linear in the length of a text.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple

from homeground.judging.negation import CUTS, Phrases, covered, stance, words_of
from homeground.judging.tables import read_words
from homeground.schema import Record

CLAUSE = 80
"""How far the word that governs a clause is looked for, in characters."""
_REACH = 2
"""Words that may stand between a country and what weighs it."""
_RUN_REACH = 2
_NONE: frozenset[str] = frozenset()


class ClauseWords(Record, frozen=True, kw_only=True):
    """What ``words/clauses.toml`` knows of one language."""

    disbelief: tuple[str, ...] = ()
    conceded: tuple[str, ...] = ()
    conceded_after: tuple[str, ...] = ()
    than: tuple[str, ...] = ()
    visited: tuple[str, ...] = ()
    likelier: tuple[str, ...] = ()


class _File(Record, frozen=True, kw_only=True):
    language: dict[str, ClauseWords]


class _Tables(NamedTuple):
    disbelief: Phrases
    conceded: Phrases
    conceded_after: Phrases
    than: Phrases
    likelier: Phrases


@cache
def clause_words() -> dict[str, ClauseWords]:
    """Language → its words.

    Raises:
        InputError: the data file is broken.
    """
    return read_words("clauses", _File).language


@cache
def _tables() -> _Tables:
    rows = clause_words().items()
    return _Tables(
        disbelief=Phrases(((c, w) for c, row in rows for w in row.disbelief), by_last=True, hangul=False),
        conceded=Phrases(
            ((c, w) for c, row in rows for w in row.conceded + row.visited), by_last=True, hangul=False
        ),
        likelier=Phrases(((c, w) for c, row in rows for w in row.likelier), by_last=True, hangul=False),
        conceded_after=Phrases((c, w) for c, row in rows for w in row.conceded_after),
        than=Phrases(((c, w) for c, row in rows for w in row.than), by_last=True, hangul=False),
    )


def may_doubt(text: str) -> bool:
    """Whether any word of disbelief or comparison stands anywhere in a text."""
    words = words_of(text)
    return _tables().disbelief.may_be_in(words, text) or _tables().than.may_be_in(words, text)


@lru_cache(4096)
def in_clause(kind: Literal["disbelief", "conceded", "likelier"], window: str) -> frozenset[str]:
    """Languages of a phrase that governs the whole clause in which ``window`` ends; empty: none, or it was turned."""
    table, but = getattr(_tables(), kind), stance().but
    words, turned = words_of(window), _NONE
    if not table.keys.isdisjoint(words):
        for index in range(len(words) - 1, -1, -1):
            if (hit := table.at(words, index)) is not None:
                # "No doubt", "cannot be anything but": two denials are none.
                nearby = range(max(0, hit[0] - 2), hit[0])
                twice = any(stance().before.at(words, place) is not None for place in nearby)
                found: frozenset[str] = _NONE if twice else hit[2] - turned
                return found
            if words[index] in CUTS:
                break
            if (turn := but.at(words, index)) is not None:
                turned |= turn[2]
    if table.runs_in(window):
        for phrase, languages in table.runs:
            at = window.rfind(phrase)
            if at >= 0 and CUTS.isdisjoint(rest := window[at + len(phrase) :]):
                said: frozenset[str] = languages - but.languages((), rest)
                return said
    return _NONE


def conceded_behind(window: str) -> bool:
    """Whether what stands at the beginning of ``window`` grants only that what stands before it is possible."""
    table, words = _tables().conceded_after, words_of(window)
    for index in range(min(len(words), _REACH)):
        if words[index] in CUTS:
            break
        if table.at(words, index) is not None:
            return True
    near = window[:_RUN_REACH]
    return table.runs_in(window) and any(
        (at := window.find(phrase, 0, _RUN_REACH + len(phrase))) >= 0 and CUTS.isdisjoint(near[:at])
        for phrase, _ in table.runs
    )


@lru_cache(4096)
def weaker_side(window: str) -> frozenset[str]:
    """Languages in which ``window`` ends in a word for "than", but for an article or preposition."""
    table, words = _tables().than, words_of(window)
    for index in range(len(words) - 1, max(-1, len(words) - _REACH - 2), -1):
        if words[index] in CUTS:
            break
        hit = table.at(words, index)
        if hit is not None and not covered(stance(), words, hit[0], hit[1]):
            return hit[2]
    return _NONE
