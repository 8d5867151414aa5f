"""Links in sentences of scripts whose words run on or carry particles: what a clause holds, in which order.

There is no cutting into words here, so a clause is read by the pieces it holds; that is coarser than ``links``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from homeground.cultures.names import Mention, mentions
from homeground.judging.depth.words import MONEY_SIGN, SIGN, Script

_CLAUSE = re.compile(r"[,，、،；;：:]")
_LEADING = 6
"""Characters within which a connective opens a sentence."""


class Run(NamedTuple):
    """A sentence read: spans are the sentence's."""

    places: list[Mention]
    bound: list[tuple[int, int]]
    cause: tuple[int, int] | None


def read_run(text: str, words: Script, *, cued: bool, carried: bool) -> Run:
    """A sentence in one of the other scripts.

    ``cued``: it holds a cue. ``carried``: the sentence before established who the user is.
    """
    bare = text
    for ending in words.endings:
        bare = bare.replace(ending, " " * len(ending))
    places = list(mentions(bare))
    bound = []
    open_ = []
    about = _any(text, words.person) or _any(text, words.evidence)
    for place in places:
        start, end = _clause(text, place)
        clause = text[start:end]
        if _any(clause, words.negator):
            continue
        open_.append(place)
        named = _any(clause, words.cue_noun) or cued
        if (about or named) and _any(clause, words.bind):
            bound.append((start, place.end))
    return Run(places, bound, _cause(text, words, open_, bound, carried=carried))


def _clause(text: str, place: Mention) -> tuple[int, int]:
    start = 0
    for match in _CLAUSE.finditer(text, max(0, place.start - 80), place.start):
        start = match.end()
    after = _CLAUSE.search(text, place.end, place.end + 80)
    return max(start, place.start - 80), after.start() if after else min(len(text), place.end + 80)


def _cause(
    text: str, words: Script, places: list[Mention], bound: list[tuple[int, int]], *, carried: bool
) -> tuple[int, int] | None:
    known = bound or ([(p.start, p.end) for p in places] if _any(text, words.norm) else [])
    for at, word in _found(text, words.consequence):
        after = _choice(text, at + len(word), words)
        if after is None:
            continue
        before = [span for span in known if span[1] <= at]
        if before:
            return before[0][0], after
        if carried and (at <= _LEADING or _any(text[:at], words.norm)):
            return 0, after
    for at, word in _found(text, words.cause):
        behind = [span for span in known if span[1] > at]
        if not behind and not (carried and at <= _LEADING):
            continue
        after = _choice(text, behind[0][1] if behind else at + len(word), words)
        if after is not None:
            return at, after
        if behind and _choice(text[:at], 0, words) is not None:
            return 0, behind[0][1]
    return None


def _found(text: str, words: Iterable[str]) -> list[tuple[int, str]]:
    return sorted((text.find(word), word) for word in words if word in text)


def _choice(text: str, start: int, words: Script) -> int | None:
    """Where the first choice ends after ``start``."""
    ends = [at + len(word) for word in words.choice if (at := text.find(word, start)) >= 0]
    ends += [match.end() for pattern in (SIGN, MONEY_SIGN) if (match := pattern.search(text, start))]
    return min(ends, default=None)


def _any(text: str, words: Iterable[str]) -> bool:
    return any(word in text for word in words)
