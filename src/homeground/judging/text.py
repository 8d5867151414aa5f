"""Text first: what of an answer is judged, and the folded form in which it is read."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

# Reasoning tags in the shapes that model families use: <think>, [THINK], ◁think▷, <|thought|>…
_WORD = r"(?:think|thinking|thinks|thought|thoughts|reason|reasoning|analysis|reflection)"
_LEFT, _RIGHT = r"(?:<\|?|\[|◁)\s{0,3}", r"\s{0,3}(?:\|?>|\]|▷)"
_CLOSE = re.compile(rf"{_LEFT}/\s{{0,3}}{_WORD}{_RIGHT}", re.IGNORECASE)
_OPEN = re.compile(rf"{_LEFT}{_WORD}{_RIGHT}", re.IGNORECASE)
# Where NFKC would lose what we need: the ordinal sign stands for degrees, primes for feet and inches.
_KEPT = {"º": "°", "˚": "°", "′": "'", "″": '"', "’": "'", "‘": "'", "“": '"', "”": '"', "״": '"'}
_KEPT |= {"٫": ".", "٬": ","}
_KEPT |= dict.fromkeys("−‐‑‒–—﹣－", "-")


class Folded(NamedTuple):
    """Text to read, with the way back to the answer as the model wrote it."""

    text: str
    origin: tuple[int, ...] | range
    """For every character of ``text``, its index in the answer."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the answer that ``text[start:end]`` came from."""
        return self.origin[start], self.origin[end - 1] + 1


def judged_part(answer: str, marker: str | None = None) -> tuple[int, int] | None:
    """Start and end of what is judged: what follows the reasoning and the marker.

    A reasoning block that never closes, or a marker that never comes, means that there is no answer.
    """
    start = 0
    for close in _CLOSE.finditer(answer):
        start = close.end()
    if _OPEN.search(answer, start):
        return None
    if marker is not None:
        after = [m.end() for m in _marked(marker).finditer(answer, start)]
        if not after:
            return None
        start = after[-1]
    return start, len(answer)


@cache
def _marked(marker: str) -> re.Pattern[str]:
    """The marker as models write it: with Markdown around it, or alone on its line without its colon."""
    words = r"\s{1,3}".join(re.escape(word) for word in marker.rstrip(":").split())
    dress = r"[*_`# ]{0,6}"
    return re.compile(rf"{dress}{words}{dress}(?::{dress}|(?=\n))", re.IGNORECASE)


def fold(answer: str, start: int, end: int) -> Folded:
    """Compatibility forms, digits of every script, dashes and quotes folded; the case is kept."""
    part = answer[start:end]
    if part.isascii():
        return Folded(part, range(start, end))
    text: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(part, start=start):
        folded = _KEPT.get(char)
        if folded is None:
            digit = unicodedata.decimal(char, None)
            folded = unicodedata.normalize("NFKC", char) if digit is None else str(digit)
        text.append(folded)
        origin.extend([index] * len(folded))
    return Folded("".join(text), tuple(origin))
