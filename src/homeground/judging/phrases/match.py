"""The phrase judge: does an answer say the gold, in one of its forms?

A gold is looked for as a whole word, with the forgiveness of a careful reader: articles, plurals, case, missing
accents, variants of letters, number words. It earns nothing where the answer denies it, names it while refusing,
takes it back, or offers it among other candidates. Time is linear in the length of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from homeground.judging.phrases.final import final_part, listed
from homeground.judging.phrases.gold import Gold, bare, prepared
from homeground.judging.phrases.stance import Stance, Verdict
from homeground.judging.phrases.text import ReadingText, reading_form
from homeground.judging.text import judged_part

_MENTIONS = 60
"""Mentions of one gold that are weighed: an answer that earned nothing by then says it by accident, if at all."""
_UNIT = 24
_NOT_LISTED = 40
"""Characters of an item of a list in which another gold is looked for."""

Status = Literal["ok", "none", "refused", "ambiguous"]


class PhraseMatch(NamedTuple):
    """Whether an answer says a gold, and how that was told."""

    match: bool
    gold: str | None
    """The gold that was said, or that earned nothing; as it was given."""
    span: tuple[int, int] | None
    """Start and end of it in the answer, in code points."""
    status: Status
    """``ok``, ``none``, ``refused`` (a refusal) or ``ambiguous`` (one of several candidates)."""
    why: str
    """One short clause in English."""


def match_phrase(golds: Sequence[str], answer: str, *, language: str | None = None) -> PhraseMatch:
    """Whether an answer says one of the golds.

    Args:
        golds: the right answer's forms; the first in this order that the answer says is reported. Empty ones never
            match.
        answer: what the model said, reasoning block and Markdown included.
        language: ISO code of the question's language: its articles, plurals and number words are forgiven.
            Without it, those of English, Portuguese, Spanish, French, German, Italian and Dutch.

    Raises:
        InputError: a data file of the package is broken. No text raises anything.
    """
    ready = [gold for text in golds if (gold := prepared(text, language)) is not None]
    if not ready:
        return PhraseMatch(False, None, None, "none", "no gold that says anything")
    part = judged_part(answer)
    if part is None:
        return PhraseMatch(False, None, None, "none", "no answer after the reasoning")
    reading = ReadingText(answer, *part)
    if (found := _whole(ready, reading)) is not None:
        return found
    start, end, only = final_part(answer, *part)
    if (start, end) != part:
        reading = ReadingText(answer, start, end)
        if (found := _whole(ready, reading)) is not None:
            return found
    return _judged(ready, answer, reading, only, language)


def published_phrase(golds: Sequence[str], answer: str) -> bool:
    """The literature's rule: the lower-cased gold is contained in the lower-cased answer.

    It is kept for comparability, with its defects: an empty gold is contained in every answer, "1" in "18", and a
    denied gold counts.
    """
    low = answer.lower()
    return any(gold.lower() in low for gold in golds)


def _whole(golds: list[Gold], reading: ReadingText) -> PhraseMatch | None:
    """The first gold that is all there is."""
    text = reading.text
    if len(text) > 2 * max(gold.length for gold in golds) + 2 * _NOT_LISTED:
        return None
    inner = bare(text)
    if not inner:
        return None
    at = text.index(inner)
    plain = " ".join(inner.split())
    for gold in golds:
        if gold.full == plain or gold.whole.fullmatch(inner):
            span = reading.span(at, at + len(inner))
            return PhraseMatch(True, gold.gold, span, "ok", "the whole answer")
    return None


def _judged(
    golds: list[Gold], answer: str, reading: ReadingText, only: tuple[int, int] | None, language: str | None
) -> PhraseMatch:
    text = reading.text
    stance = Stance(text, language)

    def is_gold(other: str) -> bool:
        head = reading_form(other[:_NOT_LISTED])
        return any(gold.anywhere.search(head) for gold in golds)

    failed: PhraseMatch | None = None
    for gold in golds:
        for found in islice(gold.anywhere.finditer(text), _MENTIONS):
            start, end = found.span(1)
            verdict = _within(gold, text, start, end) or stance.of(start, end, is_gold)
            span = reading.span(start, end)
            if verdict.status == "ok":
                verdict = _in_place(gold, answer, span, only, is_gold)
            outcome = PhraseMatch(verdict.status == "ok", gold.gold, span, verdict.status, verdict.why)
            if outcome.match:
                return outcome
            if failed is None or _RANK[outcome.status] > _RANK[failed.status]:
                failed = outcome
    if failed is not None:
        return failed
    if stance.refuses():
        return PhraseMatch(False, None, None, "refused", "a refusal")
    return PhraseMatch(False, None, None, "none", "not in the answer")


_RANK: dict[Status, int] = {"none": 0, "refused": 1, "ambiguous": 2, "ok": 3}


def _within(gold: Gold, text: str, start: int, end: int) -> Verdict | None:
    if gold.units and not text[start:end].isdecimal():
        following = text[end : end + _UNIT]
        for unit in gold.units:
            if following.startswith(unit) and not following[len(unit) :][:1].isalpha():
                return Verdict("none", "part of a greater number")
    for name in gold.longer:
        if name in text[max(0, start - len(name)) : end + len(name)]:
            return Verdict("none", "part of a longer name")
    return None


def _in_place(
    gold: Gold,
    answer: str,
    span: tuple[int, int],
    only: tuple[int, int] | None,
    is_gold: Callable[[str], bool],
) -> Verdict:
    """What can only be seen in the answer as it was written: capitals, Markdown, lists line by line."""
    start, end = span
    if gold.function_word and not _meant(gold, answer, start, end):
        return Verdict("none", "a function word without its capitals")
    if only is not None:
        inside = only[0] <= start and end <= only[1]
        return Verdict("ok", "the marked answer") if inside else Verdict("none", "not in the marked answer")
    others = listed(answer, start, end)
    if others and not all(is_gold(other) for other in others):
        return Verdict("ambiguous", f"one of {len(others) + 1} candidates")
    return Verdict("ok", "whole token")


def _meant(gold: Gold, answer: str, start: int, end: int) -> bool:
    """Whether capitals set the word apart from the everyday word: "IT", not "it", nor "It" or "A" at a beginning."""
    said = answer[start:end]
    if not gold.capitals or said.replace(".", "").strip() != gold.gold.replace(".", "").strip():
        return False
    around = answer[max(0, start - 40) : start] + answer[end : end + 40]
    if len(said) > 1 and said.isupper():
        return any(char.islower() for char in around) or not any(char.isalpha() for char in around)
    before = answer[max(0, start - 40) : start].rstrip(" *_\"'“«(")
    opens = not before or before[-1] in ".!?\n:"
    return not opens or not any(char.isalpha() for char in answer[end : end + 40])
