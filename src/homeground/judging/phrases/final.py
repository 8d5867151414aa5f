"""The part of an answer that is marked as final, and lists that are written line by line."""

from __future__ import annotations

import re
from functools import cache

from homeground.judging.phrases.gold import bare
from homeground.judging.phrases.text import phrase_words, reading_form

_COLONS = 40
"""Colons that are looked at from the end: a label stands close to it."""
_LABEL = 40
_BOXED = re.compile(r"\\boxed\s{0,3}\{(?:\\(?:text|mathrm|textbf)\s{0,3}\{)?([^{}\n]{1,200})\}")
_BOLD = re.compile(r"(?:\*\*|__)(?=\S)([^*\n]{1,80}?)(?:\*\*|__)")
_BULLET = re.compile(
    r"[ \t>]{0,12}(?:[-*+•·–—▪◦●○■]|\(?\d{1,2}[.)、]|[a-zA-Z][.)]|[①-⑳])[ \t\u3000]{0,4}(?=[^\s\d])"
)
_LINE = 200
_LINES = 8
"""Lines on each side in which other candidates are looked for."""
_SHORT = 4
"""Words of a candidate that has a line to itself."""
_WORD = re.compile(r"\w+")


def final_part(answer: str, start: int, end: int) -> tuple[int, int, tuple[int, int] | None]:
    """Start and end of what is judged, and the stretch within it in which the gold must stand, if one is marked.

    What is boxed, or follows a label such as "Final answer:", is judged alone. A single phrase in bold that stands by
    itself or after "is" is judged with its surroundings in view, since they may deny it.
    """
    boxed = None
    if "\\boxed" in answer:
        for boxed in _BOXED.finditer(answer, start, end):  # noqa: B007 — the last one counts
            pass
    if boxed is not None:
        return (*boxed.span(1), None)
    if (labelled := _labelled(answer, start, end)) is not None:
        return (*labelled, None)
    return start, end, _bold(answer, start, end)


@cache
def _labels() -> tuple[str, ...]:
    words = (reading_form(w) for row in phrase_words().language.values() for w in row.answer)
    return tuple(sorted(words))


@cache
def _copulas() -> tuple[str, ...]:
    return tuple(sorted(reading_form(w) for row in phrase_words().language.values() for w in row.copula))


def _ends_with(text: str, words: tuple[str, ...]) -> bool:
    form = reading_form(text).rstrip(" \n#>")
    if not form.endswith(words):
        return False
    return any(form.endswith(w) and not (len(form) > len(w) and _joins(form[-len(w) - 1], w)) for w in words)


def _joins(before: str, word: str) -> bool:
    return before.isalnum() and word[0] < "\u3040"


def _labelled(answer: str, start: int, end: int) -> tuple[int, int] | None:
    at = end
    for _ in range(_COLONS):
        at = max(answer.rfind(":", start, at), answer.rfind("：", start, at))
        if at < 0:
            return None
        if not _ends_with(answer[max(start, at - _LABEL) : at], _labels()):
            continue
        line = answer.find("\n", at, end)
        line = end if line < 0 else line
        if bare(reading_form(answer[at + 1 : line])):
            return at + 1, line
        if bare(reading_form(answer[line : line + _LINE])):
            return line, end
    return None


def _bold(answer: str, start: int, end: int) -> tuple[int, int] | None:
    if answer.find("**", start, end) < 0 and answer.find("__", start, end) < 0:
        return None
    found: dict[str, tuple[int, int]] = {}
    for match in _BOLD.finditer(answer, start, end):
        found.setdefault(bare(reading_form(match[1])), match.span(1))
        if len(found) > 1:
            return None
    if not found:
        return None
    low, high = next(iter(found.values()))
    before, after = answer[max(start, low - 2 - _LABEL) : low - 2], answer[high + 2 : high + 2 + _LABEL]
    if answer[low:high].rstrip().endswith((":", "：")) or after.startswith((":", "：")):
        return None
    lead, tail = before.rstrip(" "), after.lstrip(" ")
    alone = (not lead or lead[-1] in "\n.!?:。！？：") and (not tail or tail[0] in "\n.!?。！？")
    return (low, high) if alone or _ends_with(_without_article(lead), _copulas()) else None


def _without_article(text: str) -> str:
    words = reading_form(text).split(" ")
    articles = {reading_form(w) for row in phrase_words().language.values() for w in row.article}
    if len(words) > 1 and words[-1] in articles:
        words.pop()
    return " ".join(words)


def listed(answer: str, start: int, end: int) -> list[str]:
    """Other candidates, each on a line of its own, where the phrase stands at the head of such a line.

    Bullets count from two lines on, bare short lines from three.
    """
    low, high = _line(answer, start, end)
    if low == 0 and high >= len(answer):
        return []
    own = answer[low:high]
    bullet = _BULLET.match(own)
    lead = answer[low + (bullet.end() if bullet else 0) : start]
    if ":" in lead or "：" in lead or len(_WORD.findall(lead)) > (2 if bullet else 1):
        return []
    if not bullet and len(_WORD.findall(answer[end:high])) > 1:
        return []
    others = [*_beside(answer, low, -1), *_beside(answer, high, 1)]
    same = [line for line in others if (_BULLET.match(line) is not None) == (bullet is not None)]
    if bullet:
        return [line[m.end() :] for line in same if (m := _BULLET.match(line))]
    short = [line for line in same if 0 < len(_WORD.findall(line)) <= _SHORT and ":" not in line]
    return short if len(short) > 1 and len(short) == len(others) else []


def _line(answer: str, start: int, end: int) -> tuple[int, int]:
    low = answer.rfind("\n", max(0, start - _LINE), start) + 1
    high = answer.find("\n", end, end + _LINE)
    return low or max(0, start - _LINE), high if high >= 0 else min(len(answer), end + _LINE)


def _beside(answer: str, at: int, step: int) -> list[str]:
    """Lines that are not blank, before or after a place, up to the first paragraph that is none."""
    if step > 0:
        lines = answer[at : at + _LINES * _LINE].split("\n")[1 : 2 * _LINES]
    else:
        lines = answer[max(0, at - _LINES * _LINE) : max(0, at - 1)].split("\n")[::-1][: 2 * _LINES]
    return [line for line in lines if line.strip()][:_LINES]
