"""Bindings in one sentence: a place to whoever or whatever is from there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from homeground.cultures.names import mentions
from homeground.judging.depth import words as dw
from homeground.judging.depth.words import Lexicon, Table

_TOKEN = re.compile(rf"(?P<word>{dw.WORD.pattern})|[^\w\s]")
_SIGNED = frozenset((*"€£¥₪₩₹￥$°º˚℃℉㎡㎞", "r", "us", "km", "m", "k", "sq", "cm", "mi", "ft", "yd"))
"""What a sign of a unit or of money may begin with."""
_KEPT = dw.PERSON | dw.BE | dw.CUE_NOUN
_STOPS = frozenset(";:?")
_PAUSES = frozenset(",()[]—–-;:?")
_ARROWS = frozenset("→⇒➜>")
_QUOTES = frozenset("\"'“”‘’«»*`_")
BACK = 25
"""Words that a link reaches back over, so that time is linear in the length of a sentence."""


class Token(NamedTuple):
    """A word, a phrase that is in a table, or a sign; positions are the sentence's."""

    word: str
    start: int
    end: int
    mask: int
    number: bool = False
    capital: bool = False


class Sentence(NamedTuple):
    """A sentence as tokens, with the tokens that name a place: bound to somebody, and all that are not denied."""

    tokens: list[Token]
    bound: dict[int, int]
    """Token of a bound place → token where the binding begins."""
    named: list[int]


def parse(text: str, lexicon: Lexicon, own: Table) -> Sentence:
    """A sentence of a language whose words stand apart."""
    language = dw.language_of((m[0].lower() for m in dw.WORD.finditer(text)), lexicon.stops)
    tokens = list(_tokens(text, lexicon.tables[language], own))
    named = [i for i, t in enumerate(tokens) if t.mask & dw.PLACE and not _denied(tokens, i)]
    bound = {i: head for i in named if (head := _binding(tokens, i, english=language == "en")) is not None}
    return Sentence(tokens, bound, named)


def _tokens(text: str, table: Table, own: Table) -> Iterator[Token]:
    places, words = {m.start: m.end for m in mentions(text)}, table.words
    resume = 0
    counted = digit = chosen = quoted = linked = False
    matches = list(_TOKEN.finditer(text))
    for index, match in enumerate(matches):
        start, end = match.span()
        if start < resume:
            continue
        word = match[0].lower()
        if word in _SIGNED and (sign := _sign(text, start)) is not None:
            resume, mask = sign
            yield Token(word, start, resume, mask, mask == dw.UNIT and counted)
            counted = digit = chosen = quoted = linked = False
            continue
        if not match["word"]:
            yield Token(word, start, end, 0)
            quoted, counted = match[0] in _QUOTES, counted and word in ("-", "'", ".", ",")
            continue
        mask = words.get(word, 0)
        for known in (own, table):
            if word in known.phrases and (phrase := _phrase(text, start, known)) is not None:
                form, extra = phrase
                end = start + len(form)
                inside = (m for m in matches[index : index + 8] if m.start() < end)
                mask = extra | _any(table, inside) & _KEPT
                break
        if mask & dw.BESIDE:
            mask = _beside(mask, counted=counted, digit=digit, linked=linked)
        if mask & dw.OPTION and (chosen or quoted):
            mask |= dw.CHOICE
        if start in places:
            end, mask = max(end, places[start]), dw.PLACE
        yield Token(word, start, end, mask, bool(mask & dw.UNIT) and counted, text[start].isupper())
        resume, chosen, quoted = end, bool(mask & dw.CHOSEN), False
        linked = bool(mask & (dw.LINK | dw.NORM | dw.CONSEQUENCE))
        digit = word[0].isdigit()
        counted = digit or bool(mask & dw.COUNTING)


def _sign(text: str, start: int) -> tuple[int, int] | None:
    """Where a sign of money or of a unit ends that begins here, and what it is."""
    for pattern, mask in ((dw.MONEY_SIGN, dw.MONEY), (dw.SIGN, dw.UNIT)):
        if (match := pattern.match(text, start)) is not None:
            return match.end(), mask
    return None


def _beside(mask: int, *, counted: bool, digit: bool, linked: bool) -> int:
    """What a word that counts beside a number is here; "in feet" and "use feet" choose a unit without one."""
    if mask & dw.LINK:
        return mask
    kind = dw.MONEY if mask & dw.MONEY else dw.UNIT
    if digit or (counted and kind == dw.UNIT):
        return mask | kind
    return (mask & ~dw.MONEY) | (dw.CHOICE if linked else 0) | (dw.UNIT if linked and kind == dw.UNIT else 0)


def _any(table: Table, matches: Iterator[re.Match[str]]) -> int:
    mask = 0
    for match in matches:
        mask |= table.words.get(match[0].lower(), 0)
    return mask


def _phrase(text: str, start: int, table: Table) -> tuple[str, int] | None:
    first = dw.WORD.match(text, start)
    for form, exact, mask in table.phrases.get(first[0].lower(), ()) if first else ():
        end = start + len(form)
        found = text[start:end]
        if (found if exact else found.lower()) == form and not (
            text[end : end + 1].isalnum() and form[-1].isalnum()
        ):
            return form, mask
    return None


def _denied(tokens: list[Token], place: int) -> bool:
    """Whether the clause says, or asks, or supposes, that it is not so."""
    if tokens[0].mask & dw.BE and tokens[-1].word == "?":
        return True
    for index in range(place - 1, max(-1, place - BACK), -1):
        token = tokens[index]
        if token.word == "," and index and tokens[index - 1].mask & dw.PLACE:
            continue  # a list: "whether they are American, British or Canadian"
        if token.word in _PAUSES or token.mask & (dw.BOUNDARY | dw.CONSEQUENCE):
            return False
        if token.mask & dw.NEGATOR and not token.mask & dw.NO_NEGATOR and not token.mask & dw.LINK:
            return True
    return False


def customary(tokens: list[Token]) -> bool:
    """Whether words speak of what is usual somewhere: "people use…", "distances are in metres"."""
    return any(t.mask & dw.NORM or (t.mask & dw.UNIT and not t.number) for t in tokens)


def ends(tokens: list[Token], place: int) -> bool:
    """Whether a place stands for itself: what follows is no noun that it would only describe."""
    if place + 1 >= len(tokens):
        return True
    after = tokens[place + 1]
    closed = (
        dw.AFTER | dw.PERSON | dw.IDENTITY | dw.CONSEQUENCE | dw.CAUSE | dw.BOUNDARY | dw.HEDGE | dw.BE | dw.LINK
        | dw.GLUE | dw.PRONOUN | dw.PLACE | dw.NORM
    )  # fmt: skip
    return not after.word[0].isalnum() or bool(after.mask & closed)


def _binding(tokens: list[Token], place: int, *, english: bool) -> int | None:
    """Where a binding of a place begins, or nothing if the place is only mentioned."""
    after = tokens[place + 1 : place + 4]
    if after and after[0].mask & dw.AFTER:
        return place  # "a Korean user"
    head, passed, paused = _walk_back(tokens, place)
    linked = bool(place and tokens[place - 1].mask & dw.LINK)
    alone = ends(tokens, place)
    noun = any(t.mask & dw.CUE_NOUN for t in after)
    before = tokens[max(0, place - 14) : place]
    earlier = any(t.mask & dw.PERSON for t in before)
    if passed & dw.RESIDE and linked and earlier:
        return max(head, 0)  # "the user was born in India and lives in the US"
    if passed & dw.HEDGE and alone and not (head >= 0 and tokens[head].mask & dw.PICTURE):
        return max(head, 0)  # "likely in the UK"
    if head < 0:
        return 0 if passed & dw.CUE_NOUN and passed & dw.BE else None  # "the number is a French number"
    token, mask = tokens[head], tokens[head].mask
    if token.word in _ARROWS and alone:
        return max(head - 1, 0)  # "Diwali → India"
    if mask & dw.BOUNDARY and linked and earlier:
        return head  # "the user is not from the US but from Canada"
    if mask & dw.PRONOUN:
        # "the Suneung, which is taken in South Korea", "the user, who is from Spain"
        said_of = [t.mask & (dw.CUE | dw.PERSON) for t in tokens[max(0, head - 2) : head]]
        mask = max(said_of, default=0) or mask
    described = alone or linked or noun or passed & dw.CUE_NOUN
    direct = head == place - 1
    named = _of_user(
        mask,
        passed,
        linked=linked,
        alone=alone,
        paused=paused,
        direct=direct,
        english=english,
        described=bool(described),
    )
    colon = mask & dw.PERSON and alone and tokens[head + 1].word == ":"
    about = (
        after
        and after[0].mask & dw.IDENTITY
        and (linked or passed & dw.LINK or mask & (dw.PERSON | dw.EVIDENCE))
    )
    inferred = mask & dw.EVIDENCE and described and not _pictured(tokens, head)
    if (
        named
        or colon
        or about
        or inferred
        or _of_cue(token, mask, passed, paused=paused, linked=linked, alone=alone, noun=noun)
    ):
        return head
    return None


def _of_user(
    mask: int,
    passed: int,
    *,
    linked: bool,
    alone: bool,
    paused: bool,
    direct: bool,
    english: bool,
    described: bool,
) -> bool:
    """Whether a place is said of the user, or of the user's country or background."""
    if mask & dw.PERSON and described:
        # "the user is from Brazil", "a user in Japan", "l'utilisateur brésilien"
        return bool(passed & dw.BE or (passed & dw.LINK and linked) or (direct and not english))
    # "background: Chinese", "the country is probably Israel"
    return bool(mask & dw.IDENTITY and alone and (passed & (dw.BE | dw.LINK) or paused or direct))


def _of_cue(
    token: Token, mask: int, passed: int, *, paused: bool, linked: bool, alone: bool, noun: bool
) -> bool:
    """Whether a place is said of a cue: one of the tables, or a name or kind of thing that none holds."""
    stated = bool(passed & dw.BE) or paused
    kind = noun or bool(passed & dw.CUE_NOUN)
    if mask & dw.CUE and stated:
        return bool(passed & dw.BE) or alone or linked or kind
    if mask & dw.PRONOUN and passed & dw.BE:
        return kind or (alone and not linked)
    if stated and kind and (passed & dw.CUE_NOUN or token.capital or token.word[0].isdigit()):
        return True  # "Felipe Neto, a Brazilian influencer"
    return token.capital and bool(passed & dw.BE) and linked and not mask


def _walk_back(tokens: list[Token], place: int) -> tuple[int, int, bool]:
    """The word that a place is said of, what stands between, and whether a comma or bracket sets it off."""
    passed, paused = 0, False
    heads = dw.PERSON | dw.CUE | dw.EVIDENCE | dw.IDENTITY | dw.PRONOUN
    between = dw.BE | dw.LINK | dw.HEDGE | dw.GLUE | dw.CUE_NOUN | dw.PLACE
    for head in range(place - 1, max(-1, place - 14), -1):
        token = tokens[head]
        if token.word in _QUOTES:
            continue
        if token.word in _PAUSES:
            if paused or (
                token.word == "," and passed & dw.LINK and not passed & (dw.BE | dw.GLUE | dw.HEDGE)
            ):
                return head, passed, paused
            paused = True
            continue
        # "a Korean name": the noun; "the name is Korean": what it is said of.
        noun = token.mask & dw.CUE_NOUN and not passed & dw.BE
        if token.mask & heads and not noun:
            return head, passed | (token.mask & dw.BE), paused
        if passed & dw.CUE_NOUN and not token.mask and head and tokens[head - 1].mask & dw.GLUE:
            continue  # "a grocery chain in the US"
        if not token.mask & between or token.mask & (dw.CONSEQUENCE | dw.CAUSE):
            return head, passed, paused
        passed |= token.mask
    return -1, passed, paused


def _pictured(tokens: list[Token], verb: int) -> bool:
    return any(t.mask & dw.PICTURE for t in tokens[max(0, verb - 4) : verb])
