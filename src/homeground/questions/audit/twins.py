"""Near-duplicates in a set: questions that differ in a word or in the country they name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from homeground.cultures.names import mentions
from homeground.schema import Question

_ALIKE = 0.8
"""Share of common shingles (Jaccard) from which two questions count as nearly the same."""
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
