"""Options: the one that an answer settles on, not one that it mentions."""

from __future__ import annotations

import re

from homeground.judging.negation import negated
from homeground.judging.text import Folded
from homeground.patterns import either
from homeground.schema import Reading

_SETTLED = re.compile(r"\b(?:so|therefore|thus|hence|answer is|answer:)\W", re.IGNORECASE)
_MARKED = re.compile(r"\*\*([^*\n]{1,40})\*\*|`([^`\n]{1,40})`")


def read_option(options: tuple[str, ...], folded: Folded) -> Reading:
    """Read an answer that should choose one of the options."""
    text = folded.text
    pattern = re.compile(rf"(?<!\w)(?:{either(options)})", re.IGNORECASE)
    for marked in _MARKED.finditer(text):
        if _distinct(pattern, text, *marked.span()):
            return _reading(pattern, folded, *marked.span())
    settled = [match.end() for match in _SETTLED.finditer(text)]
    if settled and _distinct(pattern, text, settled[-1], len(text)):
        return _reading(pattern, folded, settled[-1], len(text))
    return _reading(pattern, folded, 0, len(text))


def _distinct(pattern: re.Pattern[str], text: str, start: int, end: int) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for match in pattern.finditer(text, start, end):
        if not negated(text, match.start()):
            found.setdefault(" ".join(match[0].lower().split()), match.span())
    return found


def _reading(pattern: re.Pattern[str], folded: Folded, start: int, end: int) -> Reading:
    found = _distinct(pattern, folded.text, start, end)
    if not found:
        return Reading(status="none")
    return Reading(
        status="ok" if len(found) == 1 else "both",
        found=tuple(found),
        span=folded.span(*next(iter(found.values()))),
    )
