"""The audit: what is wrong with a question before any model sees it.

So far it sees defects of the item itself (F1 no gold, F2 empty gold, F3 a gold so short that it stands inside other
answers by chance) and D1, a question that names its country and so hands the model the culture.
"""

from __future__ import annotations

from typing import Literal

from homeground.cultures.names import mentions
from homeground.schema import Question, Record

_SHORTEST = 3


class Flag(Record, frozen=True, kw_only=True):
    """One finding about one question."""

    guideline: Literal["F1", "F2", "F3", "D1"]
    verdict: Literal["flag"] = "flag"
    evidence: str
    why: str


class Audited(Record, frozen=True, kw_only=True):
    """A question's findings; none is the good case."""

    id: str
    flags: tuple[Flag, ...]


def audit_question(question: Question, culture: str | None = None) -> Audited:
    """Audit one question.

    Args:
        question: the item.
        culture: ISO code of the culture that the set is about; without it any country's name counts.
    """
    return Audited(id=question.id, flags=(*_gold(question), *_scope(question, culture or question.culture)))


def _gold(question: Question) -> list[Flag]:
    if not question.answers:
        return [
            Flag(
                guideline="F1", evidence="", why="the question has no right answer, so nothing can be scored"
            )
        ]
    forms = [f for a in question.answers for f in ((a,) if isinstance(a, str) else a.forms)]
    if not any(form.strip() for form in forms):
        return [Flag(guideline="F2", evidence="", why="an empty answer is contained in every answer")]
    short = [f for f in forms if 0 < len(f.strip()) < _SHORTEST]
    return [
        Flag(guideline="F3", evidence=form, why="so short an answer stands inside others by chance")
        for form in short
    ]


def _scope(question: Question, culture: str | None) -> list[Flag]:
    named = [m for m in mentions(question.question) if culture in (None, m.code)]
    return [
        Flag(
            guideline="D1",
            evidence=question.question[mention.start : mention.end],
            why="naming the country tells the model which culture to answer for",
        )
        for mention in named
    ]
