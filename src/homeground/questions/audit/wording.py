"""Rules of wording: generic and time-bound words, opinion, format instructions and the like, by a language's tables."""

from __future__ import annotations

import re
from datetime import date

from homeground.questions.audit.text import Text
from homeground.questions.audit.verdicts import Flag, told
from homeground.questions.audit.words import Language, kinds

_EXEMPTED = frozenset({"generic", "superlative", "opinion", "deictic", "timely", "format", "listing"})
_YEAR = re.compile(r"(?<![\d.,])20\d\d(?![\d.,]\d|\d)")
_HORIZON = 3
"""Years that an answer must be old: guideline E5 of Tuguesice-PT."""
_AT_MOST = 3
"""Findings of one kind; more say nothing new."""


def wording(text: Text, rules: Language, *, one_answer: bool) -> list[Flag]:
    """All findings of the kinds in ``kinds.toml``.

    Args:
        text: the question.
        rules: its language.
        one_answer: whether a single answer stands beside it; then a plural in the question is only a doubt.
    """
    spared = list(rules.spans("exempt", text.raw))
    found = []
    for name, kind in kinds().items():
        seen = [
            (start, end)
            for start, end in rules.spans(name, text.raw)
            if not (name in _EXEMPTED and any(start < stop and first < end for first, stop in spared))
            and not _within(text.quoted, start, end)
        ]
        found += [
            Flag(
                guideline=kind.guideline,
                verdict=told(not (name == "listing" and one_answer)),
                evidence=text.raw[start:end],
                why=kind.why,
                confidence=kind.confidence,
            )
            for start, end in seen[:_AT_MOST]
        ]
    return found


def _within(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(first <= start and end <= stop for first, stop in spans)


def recent_years(text: Text, today: date | None = None) -> list[Flag]:
    """A year within the last three, or to come (E5).

    Args:
        text: the question.
        today: the day from which years are counted; the clock's where it is not given.
    """
    since = (today or date.today()).year - _HORIZON
    return [
        Flag(
            guideline="E5",
            evidence=year[0],
            why="asks about a year less than three years ago",
            confidence=0.8,
        )
        for year in _YEAR.finditer(text.raw)
        if int(year[0]) > since
    ]
