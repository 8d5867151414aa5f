"""One answer, one cell: read it, then score it by both rulebooks."""

from __future__ import annotations

import re
from typing import Literal

from homeground.judging.countries import read_country
from homeground.judging.measures import read_measure
from homeground.judging.money import read_money
from homeground.judging.options import read_option
from homeground.judging.rulebooks import careful, published_country, published_measure
from homeground.judging.text import fold, judged_part
from homeground.prompts import marker, options_of
from homeground.schema import SUBJECTIVE, Answer, Cell, Concept, Culture, Judgement, Reading

SIGNATURE = "judge-1"
"""Changes with every change of a rule or table that can change a judgement."""

_REFUSAL = re.compile(
    r"\b(?:unknown|unclear|unable to|undetermined|(?:can(?:not|'t| not)|could(?:n't| not))"
    r"|(?:do|does)(?:n't| not) (?:know|say|tell)"
    r"|not (?:enough|possible|clear|specified|stated|mentioned|provided|sure)"
    r"|no (?:information|indication|mention|way))\b",
    re.IGNORECASE,
)


def read_answer(about: Concept | Literal["country"], answer: str, *, after_marker: bool = False) -> Reading:
    """What an answer says, before anybody asks whether it is right.

    Args:
        about: the concept asked about, or ``"country"`` for the background task.
        answer: the model's text, any text at all.
        after_marker: judge only what follows the pragmatic strategy's marker.
    """
    part = judged_part(answer, marker() if after_marker else None)
    if part is None:
        return Reading(status="none")
    folded = fold(answer, *part)
    if about == "country":
        reading = read_country(folded)
    elif about == "price":
        reading = read_money(folded)
    elif about in SUBJECTIVE:
        reading = read_option(options_of(about), folded)
    else:
        reading = read_measure(about, folded)
    if reading.status == "none" and _REFUSAL.search(folded.text):
        return Reading(status="refused")
    return reading


def judge_answer(cell: Cell, key: str, answer: Answer, culture: Culture) -> Judgement:
    """Read an answer and score it for a cell of ``culture``."""
    after = cell.strategy == "pragmatic" and cell.task == "question"
    about: Concept | Literal["country"] = "country" if cell.task == "background" else cell.concept
    if answer.finish_reason == "content_filter":
        reading = Reading(status="refused")
    else:
        reading = read_answer(about, answer.text, after_marker=after)
    expected = expected_of(cell, culture)
    part = judged_part(answer.text, marker() if after else None)
    text = fold(answer.text, *part).text if part else ""
    published = (
        published_country(text, expected) if about == "country" else published_measure(about, text, expected)
    )
    return Judgement(
        cell=cell,
        key=key,
        reading=reading,
        expected=expected,
        correct=careful(reading, expected) if expected else None,
        published=published if expected else None,
        hedged=reading.status == "both",
    )


def expected_of(cell: Cell, culture: Culture) -> tuple[str, ...]:
    """What counts as right for a cell; empty where nothing is right or wrong."""
    if cell.task == "background":
        return (culture.code,)
    return culture.accepted.get(cell.concept, ())
