"""Reading one answer: what it says, before anybody asks whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from homeground.errors import InputError
from homeground.judging.blocks import judged_part
from homeground.judging.countries import read_country
from homeground.judging.measures import read_measure
from homeground.judging.money import read_money
from homeground.judging.options import read_option
from homeground.judging.phrases import match_phrase
from homeground.judging.refusals import refuses
from homeground.judging.text import Folded, fold
from homeground.prompts import marker, options_of
from homeground.schema import CONCEPTS, SUBJECTIVE, Concept, Reading

About: TypeAlias = Concept | Literal["country", "phrase"]
"""What an answer is read for: a concept, the user's country, or the gold of a question."""
ABOUTS: tuple[About, ...] = (*CONCEPTS, "country", "phrase")


def judged_text(answer: str, *, after_marker: bool = False) -> Folded | None:
    """The part of an answer that counts, folded; ``None`` where a block never closes or the marker never comes.

    Args:
        answer: the model's text, any text at all.
        after_marker: only what follows the pragmatic strategy's marker counts.
    """
    part = judged_part(answer, marker() if after_marker else None)
    return None if part is None else fold(answer, *part)


def read_answer(
    about: About,
    answer: str,
    *,
    golds: Sequence[str] = (),
    after_marker: bool = False,
    language: str | None = None,
) -> Reading:
    """What an answer says.

    Args:
        about: what to read it for.
        answer: the model's text, any text at all.
        golds: for ``phrase`` the gold in all its forms.
        after_marker: judge only what follows the pragmatic strategy's marker.
        language: of the golds, where that is known.

    Raises:
        InputError: ``phrase`` without golds.
    """
    if about == "phrase":
        return _phrase(answer, golds, after_marker, language)
    folded = judged_text(answer, after_marker=after_marker)
    return Reading(status="none") if folded is None else read_folded(about, folded)


def read_folded(about: Concept | Literal["country"], folded: Folded) -> Reading:
    """What the part of an answer that counts says."""
    if about == "country":
        reading = read_country(folded)
    elif about == "price":
        reading = read_money(folded)
    elif about in SUBJECTIVE:
        reading = read_option(options_of(about), folded)
    else:
        reading = read_measure(about, folded)
    if reading.status == "none" and refuses(folded.text):
        return Reading(status="refused", value=reading.value)
    return reading


def _phrase(answer: str, golds: Sequence[str], after_marker: bool, language: str | None) -> Reading:
    if not golds:
        raise InputError("about phrase: give the gold, at least one form of it")
    part = judged_part(answer, marker() if after_marker else None)
    if part is None:
        return Reading(status="none")
    match = match_phrase(golds, answer[slice(*part)], language=language)
    span = None if match.span is None else (match.span[0] + part[0], match.span[1] + part[0])
    status: Literal["ok", "both", "ambiguous", "none", "refused"] = match.status
    if match.status == "ok" and not match.match:
        status = "none"
    return Reading(
        status=status, found=(match.gold,) if match.match and match.gold is not None else (), span=span
    )
