"""Options: the one that an answer settles on, not one that it mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from homeground.judging.lexicon import Lexicon
from homeground.judging.negation import negated, stance_rows
from homeground.judging.refusals import refuses
from homeground.judging.tables import read_words
from homeground.judging.text import Folded
from homeground.judging.tokens import Tokens
from homeground.schema import Reading, Record

_MARKED = re.compile(r"\*\*([^*\n]{1,40})\*\*|`([^`\n]{1,40})`|\\boxed\{([^}\n]{1,40})\}")
_LISTED = frozenset((",", "/", "or", "and", ";", "|", "(", ")", "[", "]", "'", '"', "-", "、", "\n", ":"))
_MENU = 3
"""Options in a row from which they are the list that the answer chooses from, not what it chooses."""
_MARKS = frozenset((".", ",", "!", ";", ":", "\n", "。", "、"))


class _Words(Record, frozen=True, kw_only=True):
    choosing: tuple[str, ...]
    yielding: tuple[str, ...]


class _File(Record, frozen=True, kw_only=True):
    not_behind: dict[str, tuple[str, ...]]
    not_before: dict[str, tuple[str, ...]]
    words: _Words


class _Mention(NamedTuple):
    option: str
    start: int
    end: int


class _Turns(NamedTuple):
    """Words after which an answer settles, turns round, or only concedes."""

    settled: Lexicon[bool]
    choosing: Lexicon[bool]
    but: Lexicon[bool]
    yielding: Lexicon[bool]


@cache
def _file() -> _File:
    return read_words("options", _File)


@cache
def _turns() -> _Turns:
    table = _Turns(Lexicon(bounded=False), Lexicon(), Lexicon(bounded=False), Lexicon())
    for lexicon, field in ((table.settled, "settled"), (table.but, "but")):
        for _, phrase in stance_rows(field):
            lexicon.add(phrase, True)
    for phrase in _file().words.choosing:
        table.choosing.add(phrase, True)
    for phrase in _file().words.yielding:
        table.yielding.add(phrase, True)
    return table


@cache
def _lexicon(options: tuple[str, ...]) -> Lexicon[str]:
    lexicon: Lexicon[str] = Lexicon()
    for option in options:
        lexicon.add(option, option)
    return lexicon


def read_option(options: tuple[str, ...], folded: Folded) -> Reading:
    """Read an answer that should choose one of the options."""
    tokens = Tokens(folded.text)
    mentions = _mentions(tokens, options)
    if not mentions:
        return Reading(status="none")
    chosen = _chosen(tokens, mentions, folded.text)
    if chosen is None:
        return Reading(status="refused")
    names = tuple(dict.fromkeys(mention.option for mention in chosen))
    first = chosen[0]
    return Reading(
        status="ok" if len(names) == 1 else "both",
        found=names,
        span=folded.span(tokens.starts[first.start], tokens.ends[first.end - 1]),
    )


def _mentions(tokens: Tokens, options: tuple[str, ...]) -> list[_Mention]:
    """Options that are neither denied nor part of the list that was chosen from nor of another word."""
    lexicon = _lexicon(options)
    found: list[_Mention] = []
    index = 0
    while index < len(tokens):
        here = lexicon.at(tokens, index)
        if here is None:
            index += 1
            continue
        option, end = here
        if not _is_another_word(tokens, option, index, end):
            found.append(_Mention(option, index, end))
        index = end
    return [
        mention
        for mention in _without_menu(tokens, found)
        if not negated(tokens.text, tokens.starts[mention.start], tokens.ends[mention.end - 1])
    ]


def _is_another_word(tokens: Tokens, option: str, start: int, end: int) -> bool:
    table, keys = _file(), tokens.keys
    before = start > 0 and keys[start - 1] in table.not_behind.get(option, ())
    return before or (end < len(tokens) and keys[end] in table.not_before.get(option, ()))


def _without_menu(tokens: Tokens, mentions: list[_Mention]) -> list[_Mention]:
    kept: list[_Mention] = []
    group: list[_Mention] = []
    for mention in [*mentions, None]:
        if mention is not None and (not group or _is_list(tokens.keys[group[-1].end : mention.start])):
            group.append(mention)
            continue
        if len({one.option for one in group}) < _MENU:
            kept += group
        group = [] if mention is None else [mention]
    return kept or mentions


def _is_list(between: Sequence[str]) -> bool:
    return 0 < len(between) <= _MENU and all(key in _LISTED for key in between)


def _chosen(tokens: Tokens, mentions: list[_Mention], text: str) -> list[_Mention] | None:
    """The mentions that the answer settles on; ``None`` where it declines to choose."""
    whole = _on_its_own(tokens, mentions)
    if whole is not None:
        return [whole]
    for marked in _MARKED.finditer(text):
        inside = [
            m
            for m in mentions
            if marked.start() <= tokens.starts[m.start] and tokens.ends[m.end - 1] <= marked.end()
        ]
        if len({m.option for m in inside}) == 1:
            return inside
    if len({m.option for m in mentions}) == 1:
        first = tokens.starts[mentions[0].start]
        return None if refuses(text[:first]) and not _turned(tokens, mentions) else mentions
    for lexicon in (_turns().settled, _turns().but, _turns().choosing):
        after = _after_last(tokens, lexicon, mentions)
        if after:
            return after
    if conceded := _after_concession(tokens, mentions):
        return conceded
    return None if refuses(text) else mentions


def _turned(tokens: Tokens, mentions: list[_Mention]) -> bool:
    """Whether "but" stands before the first mention."""
    return any(_turns().but.at(tokens, index) for index in range(mentions[0].start))


def _on_its_own(tokens: Tokens, mentions: list[_Mention]) -> _Mention | None:
    """An option that is the answer's whole first line."""
    first = mentions[0]
    before = [key for key in tokens.keys[: first.start] if key[0].isalnum()]
    if before or first.end >= len(tokens):
        return None
    index = first.end
    while index < len(tokens) and tokens.keys[index] in _MARKS - {"\n", ","}:
        index += 1
    return first if index < len(tokens) and tokens.keys[index] == "\n" else None


def _after_last(tokens: Tokens, lexicon: Lexicon[bool], mentions: list[_Mention]) -> list[_Mention]:
    """The mentions after the last of some words that has any after it, if they agree."""
    last = mentions[-1].start
    for index in range(last, -1, -1):
        if lexicon.at(tokens, index):
            after = [mention for mention in mentions if mention.start > index]
            return after if len({mention.option for mention in after}) == 1 else []
    return []


def _after_concession(tokens: Tokens, mentions: list[_Mention]) -> list[_Mention]:
    """What follows the comma of "although it looks like night, it is morning"."""
    for index in range(mentions[0].start):
        if _turns().yielding.at(tokens, index):
            comma = next(
                (i for i in range(mentions[0].end, len(tokens)) if tokens.keys[i] == ","), len(tokens)
            )
            after = [mention for mention in mentions if mention.start > comma]
            return after if len({mention.option for mention in after}) == 1 else []
    return []
