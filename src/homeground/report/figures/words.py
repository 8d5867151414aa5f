"""Words of the figures: names of levels and tasks, numbers as they are read, text that no name can break."""

from __future__ import annotations

import unicodedata
from functools import cache

from markupsafe import escape

from homeground.experiments.table import Row, Unit
from homeground.report.examples import visible
from homeground.report.figures.paint import SIZE
from homeground.report.numbers import CONDITION_NAMES, interval_of, p_of, value_of

TASK_NAMES = {"background": "names the country", "question": "answers in its units"}
_LONGEST, _SAID = 300, 2000
"""Characters of a name, of a remark."""
_NARROW, _WIDE = frozenset(" .,:;'|!/()[]ijlftrI-"), frozenset("mwMW%@&–—−")


def plain(text: str, most: int = _LONGEST) -> str:
    """Text fit for one line of XML: bounded, control characters as pictures; markup is escaped later."""
    shown = " ".join(visible(text[:most]).split())
    return "".join("\ufffd" if ord(char) & 0xFFFE == 0xFFFE else char for char in shown)


def marked(text: str, most: int = _LONGEST) -> str:
    """``plain`` text with its markup escaped."""
    return str(escape(plain(text, most)))


def spoken(name: str) -> str:
    """A level, task or other identifier as it is read: ``time_expression`` → time expression."""
    return CONDITION_NAMES.get(name) or TASK_NAMES.get(name) or name.replace("_", " ")


def width(text: str) -> float:
    """About how wide a text is; rather too wide than too narrow, since fonts differ."""
    return sum(map(_width, text))


@cache
def _width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return SIZE
    if char in _NARROW:
        return 0.37 * SIZE
    if char in _WIDE:
        return 0.92 * SIZE
    return (0.7 if char.isupper() else 0.61) * SIZE


def wrapped(text: str, most: float, lines: int) -> list[str]:
    """A text in at most so many lines no wider than ``most``; what does not fit ends in an ellipsis."""
    left = plain(text, _SAID)
    found: list[str] = []
    while left and len(found) < lines:
        end = _fitting(left, most)
        if end < len(left) and len(found) == lines - 1:
            found.append(left[: max(1, end - 1)].rstrip() + "…")
            break
        if end < len(left):
            breaks = [i + 1 for i, char in enumerate(left[:end]) if char in " /:-_,"]
            end = breaks[-1] if breaks and breaks[-1] > end // 3 else end
        found.append(left[:end].rstrip())
        left = left[end:].lstrip()
    return found


def _fitting(text: str, most: float) -> int:
    """How many characters are no wider than this; one at least."""
    so_far = 0.0
    for place, char in enumerate(text):
        so_far += _width(char)
        if so_far > most and place:
            return place
    return len(text)


def tick(value: float, unit: Unit) -> str:
    """A value beside a scale or in a small space, without its unit: shares and points times 100."""
    if unit in ("share", "points"):
        text = f"{value * 100:{'+' if unit == 'points' else ''}.0f}"
        return ("0" if text in ("-0", "+0") else text).replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def measured(row: Row) -> str:
    """An estimate in words, with its interval and what it rests on."""
    text = value_of(row) + (" points" if row.unit == "points" else "")
    ends = interval_of(row)
    text += f", 95\N{NO-BREAK SPACE}% interval {ends}" if ends else ""
    text += f", n = {row.estimate.n}"
    p = p_of(row)
    if p:
        word = "p" if row.holm is None else "adjusted p"
        text += f", {word} {p}" if p.startswith("<") else f", {word} = {p}"
    return f"{text}; {row.note}" if row.note else text


def hover(row: Row, *names: str) -> str:
    """What a mark says when pointed at: its names, then the estimate; markup is escaped."""
    return marked(", ".join(spoken(plain(name)) for name in names if name) + ": " + measured(row), _SAID)
