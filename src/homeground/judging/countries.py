"""Countries: whole names and flags, several of them, those that an answer denies, and the one it settles on."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from homeground.cultures.names import Mention, country_names, folded_word, mentions
from homeground.judging.clauses import CLAUSE, conceded_behind, in_clause, may_doubt, weaker_side
from homeground.judging.negation import (
    RUN,
    SENTENCE_ENDS,
    TOKEN,
    WINDOW,
    denied_after,
    denied_before,
    may_deny,
    stance,
    words_of,
)
from homeground.judging.text import Folded
from homeground.schema import Reading

_WORD = 4
"""Letters from which a name is more than an abbreviation."""
_REACH = 5
"""Words that may stand between "not" and a country: "does not seem to be from Spain"."""
_LINKED = 24
"""Characters that may stand between two countries named as alternatives."""
_LINE = 80
_LABEL = 4
"""Words of a label: "**The user's country:** Japan"."""
_ARTICLE = 3
_TRIED = 8
"""Clauses, from the end, in which a conclusion is looked for."""
_BARE = re.compile(r"\A\W{0,40}|\W{0,40}\Z")
_BARE_LONGEST = 120
# Two regional indicators, or a black flag with tags (England, Scotland, Wales).
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}|\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f?")
_INDICATOR, _TAG = 0x1F1E6 - ord("A"), 0xE0061 - ord("A")


_CLOSED = ".!?\n。！？।"
_COMMAS = ",、，،/"
_NONE: frozenset[str] = frozenset()

_READ = 150_000
"""Characters that are read at the beginning of a long text, and at its end."""


class _Denial(NamedTuple):
    """A country and the languages in which what stands before or after denies it."""

    named: Mention
    before: frozenset[str]
    after: frozenset[str]


def read_country(folded: Folded) -> Reading:
    """Read an answer that names the user's country.

    Countries that the answer denies or only compares with are left out; of several that remain, the one on a line of
    its own or after a word such as "therefore" is the answer. Otherwise they are all reported.
    """
    text = folded.text
    named = _named(text)
    if not text.isascii():
        named = _with_flags(text, named)
    if not named:
        return _whole_answer(folded)
    asserted = _asserted(text, named) if may_deny(text) or may_doubt(text) else named
    if not asserted:
        return Reading(status="none")
    found = _first_of_each(asserted)
    if len(found) > 1:
        asserted = _outweighing(text, asserted)
        found = _first_of_each(asserted)
    if len(found) > 1 and (settled := _settled(text, asserted)) is not None:
        found = {settled.code: settled}
    first = next(iter(found.values()))
    return Reading(
        status="ok" if len(found) == 1 else "both",
        found=tuple(found),
        span=folded.span(first.start, first.end),
    )


def _named(text: str) -> list[Mention]:
    """Countries named in a text; of one as long as a book, in its beginning and its end, where an answer stands."""
    if len(text) <= 2 * _READ:
        return list(mentions(text))
    cut = text.find(" ", len(text) - _READ)
    cut = cut if cut >= 0 else len(text) - _READ
    return [
        *mentions(text[:_READ]),
        *(Mention(m.code, m.start + cut, m.end + cut) for m in mentions(text[cut:])),
    ]


def _first_of_each(named: list[Mention]) -> dict[str, Mention]:
    found: dict[str, Mention] = {}
    for one in named:
        found.setdefault(one.code, one)
    return found


def _with_flags(text: str, named: list[Mention]) -> list[Mention]:
    flags = [Mention(code, *match.span()) for match in _FLAG.finditer(text) if (code := _flown_by(match[0]))]
    if not flags:
        return named
    together = sorted([*named, *flags], key=lambda one: one.start)
    kept = together[:1]
    for one in together[1:]:
        last = kept[-1]
        # A flag beside its country's name says the same once.
        if one.code != last.code or text[last.end : one.start].strip():
            kept.append(one)
    return kept


@lru_cache(1024)
def _flown_by(flag: str) -> str | None:
    letters, base = (flag, _INDICATOR) if len(flag) == 2 else (flag[1:3], _TAG)
    code = "".join(chr(ord(letter) - base) for letter in letters)
    return code if code in _codes() else None


# ---- denials ------------------------------------------------------------------------------------


def _asserted(text: str, named: list[Mention]) -> list[Mention]:
    """The countries that are not denied, alone or as one of several alternatives ("not the US or Canada")."""
    asserted: list[Mention] = []
    group: list[_Denial] = []
    alternatives = _NONE
    last, floor = len(named) - 1, 0
    for place, one in enumerate(named):
        before = denied_before(text, one.start, floor=floor, reach=_REACH) or _doubted(text, floor, one.start)
        link = None if before or not group else _link(text, floor, one.start)
        if link is None:
            asserted += _kept(group, alternatives)
            group, alternatives = [], _NONE
        else:
            alternatives |= link
        floor = one.end
        after = denied_after(text, floor, ceiling=named[place + 1].start if place < last else None)
        group.append(_Denial(one, before, after))
    return asserted + _kept(group, alternatives)


def _doubted(text: str, floor: int, start: int) -> frozenset[str]:
    """Languages in which the clause before a country is disbelieved, or names the likelier country."""
    window = _clause(text, floor, start)
    return in_clause("disbelief", window) or (weaker_side(window) if floor else _NONE)


def _clause(text: str, floor: int, start: int) -> str:
    low = max(floor, start - CLAUSE)
    # A word cut in two would be another word.
    while (
        floor < low < start and text[low - 1].isalnum() and text[low].isalnum() and not RUN.match(text[low])
    ):
        low += 1
    return text[low:start]


def _outweighing(text: str, asserted: list[Mention]) -> list[Mention]:
    """Without the countries that are only granted ("although Canada is possible"), unless all of them are."""
    strong = [
        one
        for one in asserted
        if not in_clause("conceded", _clause(text, 0, one.start))
        and not conceded_behind(text[one.end : one.end + WINDOW])
    ]
    strong = strong or asserted
    last, before = strong[-1], strong[-2:-1]
    if before and in_clause("likelier", _clause(text, before[0].end, last.start)):
        # "Most likely the US, UK or Canada" says no more for one of them.
        return strong if _link(text, before[0].end, last.start) is not None else [last]
    return strong


def _kept(group: list[_Denial], alternatives: frozenset[str]) -> list[Mention]:
    """Of countries with nothing but commas and words for "or" between them, those that are not denied.

    A denial before the first of them, or after the last, holds for all if the "or" is of its language.
    """
    if group and (group[0].before & alternatives or group[-1].after & alternatives):
        return []
    return [one for one, before, after in group if not before and not after]


def _link(text: str, end: int, start: int) -> frozenset[str] | None:
    """What links two countries: languages of a word for "or", none of them for a comma; nothing if they are apart."""
    return None if start - end > _LINKED else _linked_by(text[end:start])


@lru_cache(4096)
def _linked_by(between: str) -> frozenset[str] | None:
    words = words_of(between)
    tables = stance()
    if any(word in SENTENCE_ENDS for word in words):
        return None
    turned = tables.but.languages(words, between)
    if languages := tables.either.languages(words, between):
        return languages - turned or None  # French "or" is a "but"
    if turned:
        return None
    return _NONE if words and words[0] in _COMMAS and len(words) <= 2 else None


# ---- the one that an answer settles on ------------------------------------------------------------


def _settled(text: str, asserted: list[Mention]) -> Mention | None:
    bare = [one for one in asserted[:_TRIED] + asserted[_TRIED:][-_TRIED:] if _on_its_own(text, one)]
    if len({one.code for one in bare}) == 1:
        return bare[0]
    for place in range(len(asserted) - 1, max(-1, len(asserted) - 1 - _TRIED), -1):
        one = asserted[place]
        at = _settles_at(text, one.start)
        if at is None:
            continue
        concluded = [other for other in asserted[max(0, place - _TRIED) :] if other.start >= at]
        same = [other for other in concluded if not _parted(text, one, other)]
        return one if len({other.code for other in same}) == 1 else None
    return None


def _parted(text: str, one: Mention, other: Mention) -> bool:
    """Whether a sentence ends between two countries."""
    start, end = sorted((one.end, other.start))
    return end - start > 2 * WINDOW or any(word in SENTENCE_ENDS for word in words_of(text[start:end]))


def _on_its_own(text: str, one: Mention) -> bool:
    """Whether a country is all that its line says, but for a label, on the last line or one set apart."""
    low, high = max(0, one.start - _LINE), min(len(text), one.end + _LINE)
    line_start = text.rfind("\n", low, one.start) + 1
    line_end = text.find("\n", one.end, high)
    if (line_start == 0 and low > 0) or (line_end < 0 and high < len(text)):
        return False
    line_end = len(text) if line_end < 0 else line_end
    label = text[line_start : one.start]
    if any(char.isalnum() for char in text[one.end : line_end]):
        return False
    words = [word for word in words_of(label) if any(map(str.isalnum, word))]
    labelled = bool(words) and ":" in label and len(words) <= _LABEL
    article = len(words) == 1 and len(words[0]) <= _ARTICLE and label.endswith((" ", "'"))
    if words and not labelled and (not article or words[0] in stance().marks):
        return False
    following = text[line_end + 1 : line_end + 1 + _LINE]
    return labelled or not following.strip() or following.lstrip(" *_").startswith("\n")


def _settles_at(text: str, start: int) -> int | None:
    """Where, in the clause before ``start``, a word such as "therefore" stands; nothing if there is none.

    It must be English or of a language that the text speaks: German "also" is an English word too.
    """
    low = max(0, start - WINDOW)
    window = text[low:start]
    table = stance().settled
    if table.runs_in(window):
        for phrase, languages in table.runs:
            if (at := window.rfind(phrase)) >= 0 and not languages.isdisjoint(_spoken_in(text)):
                return low + at
    words = words_of(window)
    if table.keys.isdisjoint(words):
        return None
    tokens = list(TOKEN.finditer(window))
    for index in range(len(words) - 1, -1, -1):
        if words[index] in _CLOSED:
            break
        hit = table.at(words, index)
        if hit is not None and ("en" in hit[2] or not hit[2].isdisjoint(_spoken_in(text))):
            return low + tokens[hit[0]].start()
    return None


@lru_cache(16)
def _spoken_in(text: str) -> frozenset[str]:
    """Languages that a text may be in, by its words for "and", "or", "but" and "not"."""
    marks, found = stance().marks, _NONE
    for token in islice(TOKEN.finditer(text), 2_000):
        languages = marks.get(folded_word(token[0]), found)
        if "en" not in languages:
            found |= languages
    for mark, languages in marks.items():
        if RUN.match(mark) and mark in text:
            found |= languages
    return found


# ---- nothing but a word -----------------------------------------------------------------------------


def _whole_answer(folded: Folded) -> Reading:
    """What is a country only where it is all that was said: "china" or "us" in any case, ISO codes."""
    text = folded.text
    stripped = text.strip()
    if not stripped or len(stripped) > _BARE_LONGEST:
        return Reading(status="none")
    bare = _BARE.sub("", stripped)
    code = _ordinary().get(bare.casefold())
    if code is None and bare in _codes() and bare.casefold() not in stance().marks:
        code = bare
    if code is None:
        return Reading(status="none")
    start = text.index(bare)
    return Reading(status="ok", found=(code,), span=folded.span(start, start + len(bare)))


@cache
def _ordinary() -> dict[str, str]:
    names = country_names().as_written
    return {n.casefold(): code for n, code in names.items() if len(n) >= _WORD or n in ("US", "UK", "GB")}


@cache
def _codes() -> frozenset[str]:
    names = country_names()
    return frozenset(names.any_case.values()) | frozenset(names.as_written.values())
