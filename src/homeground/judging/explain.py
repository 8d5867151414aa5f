"""Why a judge reads an answer as it does: what was found, where, what counts, and for whom it would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from homeground.cultures import cultures_of
from homeground.cultures.names import mentions
from homeground.judging.blocks import judged_part
from homeground.judging.found import Finding, Value
from homeground.judging.measures import find_measures
from homeground.judging.money import currencies_of, find_money
from homeground.judging.phrases import match_phrase
from homeground.judging.reader import About, judged_text, read_answer
from homeground.judging.rulebooks import careful, published_country, published_measure
from homeground.judging.text import Folded
from homeground.judging.tokens import Tokens
from homeground.prompts import options_of
from homeground.schema import SUBJECTIVE, Concept, Reading


class Evidence(NamedTuple):
    """Something in the answer that speaks to what it is read for."""

    text: str
    span: tuple[int, int]
    """Where in the answer (code points)."""
    means: str
    counts: bool
    why: str
    """Why it counts, or why not."""


class Explanation(NamedTuple):
    """Everything about the reading of one answer."""

    reading: Reading
    judged: tuple[int, int] | None
    """The stretch of the answer that is judged; ``None`` where there is no answer."""
    evidence: tuple[Evidence, ...]
    careful: tuple[str, ...]
    """Cultures of the published table for which it is right by the careful rulebook."""
    published: tuple[str, ...]
    """The same by the published rulebook."""


def explain(about: About, answer: str, *, golds: Sequence[str] = ()) -> Explanation:
    """Read an answer and say why it is read so.

    Raises:
        InputError: ``about`` is ``phrase`` and no gold is given.
    """
    reading = read_answer(about, answer, golds=golds)
    judged = judged_part(answer)
    folded = judged_text(answer)
    if folded is None:
        return Explanation(reading, None, (), (), ())
    right, published = _right_for(about, reading, folded.text)
    return Explanation(
        reading, judged, tuple(_evidence(about, answer, folded, reading, golds)), right, published
    )


def _evidence(
    about: About, answer: str, folded: Folded, reading: Reading, golds: Sequence[str]
) -> list[Evidence]:
    if about == "phrase":
        match = match_phrase(golds, answer)
        if match.span is None or match.gold is None:
            return []
        return [Evidence(answer[slice(*match.span)], match.span, match.gold, match.match, match.why)]
    if about == "country":
        return [
            _said(answer, folded, (m.start, m.end), m.code, counts=m.code in reading.found)
            for m in mentions(folded.text)
        ]
    tokens = Tokens(folded.text)
    if about in SUBJECTIVE:
        return _options(about, answer, folded, reading)
    if about == "price":
        return [_amount(answer, folded, tokens, finding) for finding in find_money(tokens)]
    return [_amount(answer, folded, tokens, finding) for finding in find_measures(about, tokens)[0]]


def _said(
    answer: str, folded: Folded, place: tuple[int, int], means: str, *, counts: bool, otherwise: str = ""
) -> Evidence:
    span = folded.span(*place)
    why = "said of the user" if counts else otherwise or "denied, or not what the answer settles on"
    return Evidence(answer[slice(*span)], span, means, counts, why)


def _options(about: Concept, answer: str, folded: Folded, reading: Reading) -> list[Evidence]:
    found = []
    low = folded.text.casefold()
    for option in options_of(about):
        start = low.find(option)
        if start >= 0 and len(low) == len(folded.text):
            span = folded.span(start, start + len(option))
            counts = option in reading.found
            why = "what the answer settles on" if counts else "mentioned, but not settled on"
            found.append(Evidence(answer[slice(*span)], span, option, counts, why))
    return found


def _amount(answer: str, folded: Folded, tokens: Tokens, finding: Finding) -> Evidence:
    amount = finding.amount
    span = folded.span(tokens.starts[amount.start], tokens.ends[amount.end - 1])
    value = shown_value(amount.value)
    means = f"{value} {amount.unit}, {' or '.join(currencies_of(amount)[:3])}".strip()
    return Evidence(
        answer[slice(*span)],
        span,
        means,
        not finding.denied,
        "said not to be so" if finding.denied else "stated",
    )


def shown_value(value: Value) -> str:
    """A value or a range as text; empty where there is none."""
    if isinstance(value, tuple):
        return f"{value[0]:.10g} to {value[1]:.10g}"
    return "" if value is None else f"{value:.10g}"


def _right_for(about: About, reading: Reading, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if about == "phrase" or about in SUBJECTIVE:
        return (), ()
    people = cultures_of("capri", None)
    if about == "country":
        return (
            tuple(c.code for c in people if careful(reading, (c.code,))),
            tuple(c.code for c in people if published_country(text, (c.code,))),
        )
    wants = {c.code: c.accepted.get(about, ()) for c in people}
    return (
        tuple(code for code, expected in wants.items() if careful(reading, expected)),
        tuple(code for code, expected in wants.items() if published_measure(about, text, expected)),
    )
