"""Causes in one sentence: an identity that drives the choice of a unit, a currency or a word."""

from __future__ import annotations

from homeground.judging.depth import words as dw
from homeground.judging.depth.links import BACK, Sentence, Token, customary, ends

_AHEAD = 45
"""Words that a cause reaches over, so that time is linear in the length of a sentence."""


def cause_of_choice(sentence: Sentence, *, carried: bool) -> tuple[int, int] | None:
    """First and last token of a causal link between somebody's identity and a choice.

    ``carried``: whether the sentence before established who the user is.
    """
    tokens = sentence.tokens
    for at, token in enumerate(tokens):
        if token.mask & dw.NO_CONNECTIVE:
            continue
        link = None
        if token.mask & dw.CONSEQUENCE:
            link = _consequence(sentence, at, carried=carried)
        if link is None and (token.mask & dw.CAUSE or _custom(sentence, at)):
            link = _cause(sentence, at, carried=carried)
        if link is not None:
            return link
    return None


def _custom(sentence: Sentence, at: int) -> bool:
    """Whether an "as" gives a country's custom as the reason ("as the UK uses mph")."""
    tokens = sentence.tokens
    place = next((i for i in (at + 1, at + 2) if i in sentence.named), None)
    return (
        tokens[at].word == "as"
        and place is not None
        and any(t.mask & dw.NORM for t in tokens[place : place + 5])
    )


def _consequence(sentence: Sentence, at: int, *, carried: bool) -> tuple[int, int] | None:
    tokens = sentence.tokens
    choice = _choice(tokens, at + 1, at + 1 + _AHEAD)
    if choice is None:
        return None
    begin, near = _segment(tokens, at)
    if carried and _leads(tokens, at):
        return 0, choice
    places = [i for i in sentence.named if begin <= i < at]
    norm = customary(tokens[near:at])
    pictured = any(t.mask & dw.PICTURE for t in tokens[near:at]) and not any(i >= near for i in places)
    if pictured:
        return None
    bound = [sentence.bound[i] for i in places if i in sentence.bound]
    if bound:
        return min(bound), choice
    if norm:
        earlier = [i for i in sentence.named if i < at and at - i < _AHEAD]
        if earlier:
            return earlier[0], choice
        if carried:
            return begin, choice
    return None


def _cause(sentence: Sentence, at: int, *, carried: bool) -> tuple[int, int] | None:
    tokens = sentence.tokens
    until = at + 1
    while until < min(len(tokens), at + BACK) and not _breaks(tokens, until):
        until += 1
    region = tokens[at:until]
    places = [i for i in sentence.named if at < i < until]
    norm = any(t.mask & dw.NORM for t in region)
    place = next(
        (i for i in places if i in sentence.bound or norm or (i - at <= 3 and ends(tokens, i))), None
    )
    if place is None:
        about = dw.IDENTITY | dw.PERSON | dw.NORM
        if not (carried and _leads(tokens, at) and any(t.mask & about for t in region)):
            return None
        place = at
    choice = _choice(tokens, place + 1, place + _AHEAD)
    if choice is not None:
        return at, choice
    near = _segment(tokens, at)[1]
    before = _choice(tokens, near, at)
    return None if before is None else (before, place)


def _segment(tokens: list[Token], at: int) -> tuple[int, int]:
    """Where the clause before a connective begins, and the last of those that "and" joins."""
    begin = near = at
    if at and tokens[at - 1].word == ";":
        begin = near = at - 1
    joined = False
    while begin > 0 and at - begin < _AHEAD and not _breaks(tokens, begin - 1, before=True):
        begin -= 1
        if tokens[begin].word in ("and", "et", "e", "y", "und", ",") and not joined and begin < at - 2:
            near, joined = begin, True
    return begin, near if joined else begin


def _leads(tokens: list[Token], at: int) -> bool:
    """Whether a connective opens its sentence, but for a number, a heading or "and"."""
    return sum(1 for t in tokens[max(0, at - 12) : at] if t.word[0].isalpha()) <= 1 and at <= 12


def _breaks(tokens: list[Token], index: int, *, before: bool = False) -> bool:
    token = tokens[index]
    if token.word == ";" or token.mask & dw.BOUNDARY:
        return True
    if token.mask & dw.CONSEQUENCE and not token.mask & dw.NO_CONNECTIVE:
        return True
    following = tokens[index + 1].word if index + 1 < len(tokens) else ""
    return not before and token.word == "," and following == "and"


def _choice(tokens: list[Token], start: int, end: int) -> int | None:
    """The first token of a choice: a unit, a currency, or a word that names one."""
    wanted = dw.CHOICE | dw.UNIT | dw.MONEY
    for index in range(start, min(end, len(tokens))):
        if tokens[index].word == ";":
            return None
        if tokens[index].mask & wanted:
            return index
    return None
