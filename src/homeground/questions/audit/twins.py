"""Near-duplicates in a set: questions that differ in a word or in the country they name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from homeground.cultures.names import mentions
from homeground.schema import Question

_ALIKE = 0.8
"""Share of common shingles (Jaccard) from which two questions count as nearly the same."""
_SIMILAR = 0.5
"""Share from which one is worth a look. Of the starter set's 170 questions two are as near to each other."""
_RAREST = 3
_WORD = re.compile(r"[^\W_]+")
_RUN_ON = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_MOST = 60
"""Candidates looked at for one question."""


def nearly_same(questions: Sequence[Question]) -> list[str | None]:
    """For each question the id of the first that asks nearly the same, names of countries aside; in linear time.

    Candidates share one of the three rarest shingles, so a pair above the threshold is seldom missed and no list of
    all pairs is made.
    """
    first: dict[frozenset[str], int] = {}
    keys = [_shingles(item.question) for item in questions]
    twin: list[str | None] = [None] * len(keys)
    for place, key in enumerate(keys):
        if key and (earlier := first.setdefault(key, place)) != place:
            twin[place] = questions[earlier].id
    counts: dict[str, int] = defaultdict(int)
    for key in first:
        for shingle in key:
            counts[shingle] += 1
    index: dict[str, list[int]] = defaultdict(list)
    for key, place in first.items():
        rarest = sorted(key, key=lambda shingle: (counts[shingle], shingle))[: max(_RAREST, len(key) // 4)]
        candidates = dict.fromkeys(c for shingle in rarest for c in index[shingle][:_MOST])
        near = next((c for c in candidates if _jaccard(key, keys[c]) >= _ALIKE), None)
        if near is not None:
            twin[place] = questions[near].id
        for shingle in rarest:
            index[shingle].append(place)
    return twin


class Near(NamedTuple):
    """A question that is like a text."""

    id: str
    share: float
    """Of common shingles (Jaccard), from 0.5 to 1."""

    @property
    def same(self) -> bool:
        """Whether both ask nearly the same, as ``nearly_same`` has it."""
        return self.share >= _ALIKE


class Neighbours:
    """Questions to look among for what is like a text; each is cut up once, when it is put in."""

    def __init__(self, questions: Iterable[Question] = ()) -> None:
        """Begin with some."""
        self._keys: dict[str, frozenset[str]] = {}
        for question in questions:
            self.put(question)

    def put(self, question: Question) -> None:
        """Add a question, in the place of one with the same id."""
        self._keys[question.id] = _shingles(question.question)

    def drop(self, name: str) -> None:
        """Take a question out, if it is there."""
        self._keys.pop(name, None)

    def nearest(self, text: str, most: int = 3, without: str = "") -> list[Near]:
        """What is like a text, the nearest first, names of countries aside; ``without`` is an id to pass over."""
        key = _shingles(text)
        found = (
            Near(name, share)
            for name, other in self._keys.items()
            if key and other and name != without and (share := _jaccard(key, other)) >= _SIMILAR
        )
        return sorted(found, key=lambda near: -near.share)[:most]


def nearest(text: str, questions: Iterable[Question], most: int = 3) -> list[Near]:
    """The questions that are like a text, the nearest first; ``Neighbours`` answers more than once."""
    return Neighbours(questions).nearest(text, most)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _shingles(text: str) -> frozenset[str]:
    """Words, pairs of characters where there are no spaces; a country is a blank."""
    pieces, end = [], 0
    for mention in mentions(text):
        pieces.append(text[end : mention.start])
        end = mention.end
    bare = "_".join([*pieces, text[end:]]).casefold()
    words = _WORD.findall(bare)
    if len(_RUN_ON.findall(bare)) * 2 > len(bare):
        joined = "".join(words)
        return frozenset(joined[i : i + 2] for i in range(len(joined) - 1))
    return frozenset(words)
