"""Numbers that a language writes as one word of several parts: fünfhundertzwei, duecentotrenta."""

from __future__ import annotations

from collections.abc import Container
from functools import cache, lru_cache
from itertools import pairwise

from homeground.judging.number_words import Languages, tables

_WORD = 5
"""Letters up to which no number is cut."""
_PARTS = 16
"""Parts of one word that are put together."""


@lru_cache(16384)
def cut(word: str) -> tuple[float, Languages] | None:
    """The value of a number written as one word of several parts, in the languages that write so."""
    found: dict[str, float] = {}
    for code, rows in tables().glued.items():
        stack: list[float] = []
        ends = _pieces(word, rows)
        for index, end in pairwise((0, *ends)):
            kind, value = rows[word[index:end]]
            if kind == "power":
                below = [part for part in stack if part < value]
                stack = [part for part in stack if part >= value] + [(sum(below) if below else 1.0) * value]
            elif kind != "joiner":
                stack.append(value)
        if 1 < len(ends) <= _PARTS:
            found[code] = sum(stack)
    if not found:
        return None
    value = next(iter(found.values()))
    return value, frozenset(code for code, other in found.items() if other == value)


def _pieces(word: str, rows: Container[str]) -> list[int]:
    """Where the pieces of a word end, the longest piece first wherever the rest can still be cut; none: it cannot."""
    size = len(word)
    after: dict[int, int] = {size: size}
    for index in range(size - 1, -1, -1):
        end = next((e for e in range(size, index, -1) if e in after and word[index:e] in rows), 0)
        if end:
            after[index] = end
    ends: list[int] = []
    index = 0
    while index < size:
        if index not in after:
            return []
        index = after[index]
        ends.append(index)
    return ends


def is_glued(word: str) -> bool:
    """Whether a word is a number of several parts ("fünfhundertzwei")."""
    return len(word) > _WORD and word[:2] in _beginnings() and cut(word) is not None


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(part[:2] for rows in tables().glued.values() for part in rows)
