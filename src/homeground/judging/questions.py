"""One answer to a question of a set: whose answer it is, by both rulebooks.

``careful`` asks that the answer says the gold, and no other candidate beside it (``phrases``); ``published`` that the
lower-cased gold is contained in the lower-cased answer. A wrong answer is traced to the cultures that would give it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from homeground.benchmarks.question_set import accepted
from homeground.judging.phrases import PhraseMatch, match_phrase, published_phrase
from homeground.schema import Answer, Cell, Judgement, Question, Reading

_WORD = re.compile(r"\w+")
_WORDS, _CHARACTERS = 2, 16
"""Most of what stands between two answers of one list: "or", "and the"."""


def judge_question(
    cell: Cell, key: str, answer: Answer, question: Question, language: str | None = None
) -> Judgement:
    """Read an answer and score it.

    Args:
        cell: who was asked what.
        key: the answer's key in the store.
        answer: what the model said.
        question: with its golds, and with the answers of other cultures.
        language: of the set, such as ``pt-PT``, for a question that does not say its own.
    """
    spoken = (question.language or language or "").partition("-")[0].lower() or None
    golds = accepted(question.answers)
    contrast = {code: accepted(answers) for code, answers in (question.contrast or {}).items()}
    own = _beyond(contrast.values(), golds, answer.text, spoken)
    others = {
        code: _beyond((golds, *contrast.values()), forms, answer.text, spoken)
        for code, forms in contrast.items()
    }
    everything = (own, *others.values())
    hedged = any(match.status == "ambiguous" for match in everything) or any(
        _listed(answer.text, one, two) for one, two in combinations(everything, 2)
    )
    reading = _reading(own, others, hedged=hedged)
    if answer.finish_reason == "content_filter":
        reading, hedged = Reading(status="refused"), False
    settled = reading.status == "ok"
    return Judgement(
        cell=cell,
        key=key,
        reading=reading,
        expected=golds,
        correct=settled and own.match,
        published=published_phrase(golds, answer.text),
        hedged=hedged,
        belongs_to=tuple(
            code
            for code, match in {cell.culture: own, **others}.items()
            if settled and match.match and (not own.match or _same(own, match))
        ),
    )


def _beyond(
    rivals: Iterable[Sequence[str]], forms: Sequence[str], answer: str, language: str | None
) -> PhraseMatch:
    """Whether an answer says one of the forms, other than within a rival's longer one.

    Who says "café da manhã" does not say "café", where the former is another culture's answer.
    """
    own = match_phrase(forms, answer, language=language)
    for rival in rivals:
        if not own.match or own.span is None:
            break
        other = match_phrase(
            [form for form in rival if _holds(form, forms, language)], answer, language=language
        )
        if other.match and other.span is not None:
            (start, end), (low, high) = own.span, other.span
            if low <= start and end <= high:
                own = match_phrase(
                    forms, answer[:low] + " " * (high - low) + answer[high:], language=language
                )
    return own


def _holds(longer: str, forms: Sequence[str], language: str | None) -> bool:
    """Whether one of the forms is a part of a longer one, of which more is left than an article."""
    return match_phrase(forms, longer, language=language).match and not any(
        match_phrase([longer], form, language=language).match for form in forms
    )


def _reading(own: PhraseMatch, others: Mapping[str, PhraseMatch], *, hedged: bool) -> Reading:
    """What was said, in order of appearance; the gold alone where it is said and is no hedge."""
    matches = (own,) if own.match and not hedged else (own, *others.values())
    said = sorted(
        (match.span, match.gold)
        for match in matches
        if match.span is not None and match.gold is not None and match.status in ("ok", "ambiguous")
    )
    status: Literal["ok", "both", "none", "refused"] = "both" if hedged else "ok" if said else "none"
    if not said and own.status == "refused":
        status = "refused"
    return Reading(
        status=status,
        found=tuple(dict.fromkeys(gold for _, gold in said)),
        span=said[0][0] if said else None,
    )


def _listed(answer: str, one: PhraseMatch, two: PhraseMatch) -> bool:
    """Whether two answers stand side by side as candidates; one within the other is no second one."""
    if not (one.match and two.match) or one.span is None or two.span is None:
        return False
    (_, end), (start, _) = sorted((one.span, two.span))
    between = answer[end:start]
    return start >= end and len(between) <= _CHARACTERS and len(_WORD.findall(between)) <= _WORDS


def _same(one: PhraseMatch, two: PhraseMatch) -> bool:
    """Whether two cultures' answers are found in the same words."""
    return (
        one.span is not None
        and two.span is not None
        and max(one.span[0], two.span[0]) < min(one.span[1], two.span[1])
    )
