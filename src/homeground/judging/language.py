"""The language of a text, as far as a form that languages share needs it: 坪, mil, pie."""

from __future__ import annotations

from collections.abc import Container
from functools import cache

from homeground.judging.number_words import tables
from homeground.judging.tables import read_words
from homeground.judging.tokens import Tokens, fold_word
from homeground.schema import Record

_LOOKED_AT = 60
"""Tokens that are looked at."""
_SIMPLIFIED = frozenset("为们个国这来时说对会过还进间听见门问马鸟龙车东书买卖亩里约")
_KANA = ("\u3041", "\u30ff")
_HANGUL = ("\uac00", "\ud7af")
_HAN = ("\u3400", "\u9fff")


class _File(Record, frozen=True, kw_only=True):
    common: dict[str, tuple[str, ...]]


@cache
def _common() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for code, words in read_words("common_words", _File).common.items():
        for word in words:
            found.setdefault(fold_word(word), set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


def language_of(tokens: Tokens, among: Container[str]) -> str:
    """The one of some languages that a text is most likely in; "any" where nothing tells.

    Kana and Hangul tell at once; Han is Chinese without them. Elsewhere common words and number words vote.
    """
    keys = tokens.keys[:_LOOKED_AT]
    text = "".join(keys)
    if any(_KANA[0] <= char <= _KANA[1] for char in text) and "ja" in among:
        return "ja"
    if any(_HANGUL[0] <= char <= _HANGUL[1] for char in text) and "ko" in among:
        return "ko"
    han = [char for char in text if _HAN[0] <= char <= _HAN[1]]
    if len(han) > 1 and "zh-Hans" in among:
        return "zh-Hans" if any(char in _SIMPLIFIED for char in han) or "zh-Hant" not in among else "zh-Hant"
    votes: dict[str, int] = {}
    for index, key in enumerate(keys):
        for code in _common().get(key, ()):
            votes[code] = votes.get(code, 0) + 1
        number = tables().values.at(tokens, index)
        for code in number[0] if number else ():
            votes[code] = votes.get(code, 0) + 1
    known = sorted((-count, code) for code, count in votes.items() if code in among)
    return known[0][1] if known else "any"
