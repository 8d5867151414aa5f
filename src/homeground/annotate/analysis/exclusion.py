"""Who is left out of a study: whole people, by what they said to control and attention items alone.

Published filters dropped annotators whose majority of answers was wrong (arXiv:2606.17688, appendix A.3): that looks at
the outcome and lifts it. These rules are recorded before the first answer and never see an evaluation answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from homeground.annotate.lines import AnswerLine, Exclusion
from homeground.schema import Record

Rule = Literal["control", "attention"]


class Excluded(Record, frozen=True, kw_only=True):
    """Somebody who is left out, with all that led to it."""

    person: str
    culture: str
    rules: tuple[Rule, ...]
    """At least one."""
    control: tuple[int, int]
    """Right control answers, and all of them."""
    attention: tuple[int, int]
    """Attention items missed, and all of them."""


def excluded(answers: Iterable[AnswerLine], rules: Exclusion) -> dict[str, Excluded]:
    """Who is left out, by pseudonym in order.

    Answers of people who have withdrawn name nobody, so nobody is left out for them.
    """
    control: dict[str, list[bool]] = {}
    attention: dict[str, list[bool]] = {}
    cultures: dict[str, str] = {}
    for answer in answers:
        if answer.person and answer.group != "evaluation" and answer.correct is not None:
            said = control if answer.group == "control" else attention
            said.setdefault(answer.person, []).append(answer.correct)
            cultures[answer.person] = answer.culture
    found = {}
    for person in sorted(cultures):
        asked = control.get(person, [])
        told = attention.get(person, [])
        missed = told.count(False)
        broken: list[Rule] = []
        if len(asked) >= rules.control_fewest and sum(asked) / len(asked) < rules.control_share:
            broken.append("control")
        if missed > rules.attention_missed:
            broken.append("attention")
        if broken:
            found[person] = Excluded(
                person=person, culture=cultures[person], rules=tuple(broken), control=(sum(asked), len(asked)),
                attention=(missed, len(told)),
            )  # fmt: skip
    return found
