"""Numbers as people write them: grouping, decimals, words, multipliers."""

from __future__ import annotations

import re

NUMBER = r"\d{1,30}(?:(?:[.,]|[' \u00a0\u202f](?=\d{3}(?!\d)))\d{1,30}){0,9}"
"""Digits with grouping and a decimal sign; a space or apostrophe groups only before exactly three digits.

Every repetition here is bounded, so that no text at all takes more than linear time.
"""

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: float(value) for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10.0 * value for value, word in enumerate(_TENS, start=2)}
_VALUES |= {"half": 0.5, "quarter": 0.25}
_POWERS = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "lakh": 1e5, "crore": 1e7}
_SIGNS = {"k": 1e3, "万": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8, "천": 1e3, "千": 1e3}
_WORD = "|".join(sorted((*_VALUES, *_POWERS), key=len, reverse=True))

WORDS = rf"(?:{_WORD})(?:(?:-| and a | and | an? |\s)(?:{_WORD})){{0,6}}(?:\s(?:of\s)?an?)?"
"""A number in English words, with the article that follows "half"."""
VAGUE = r"(?:a few|a couple of|several|some|an|a)"
"""Amounts without a value, before a unit that is a word: "a mile", "a few metres"."""
MULTIPLIER = rf"(?:\s?(?:{'|'.join(_POWERS)})|{'|'.join(_SIGNS)})"


def value_of(text: str) -> float | None:
    """The value of a match of ``NUMBER`` or ``WORDS``; ``None`` where it cannot be told."""
    if text[:1].isdigit():
        return _digits(text)
    if re.fullmatch(VAGUE, text, re.IGNORECASE):
        return 1.0 if text.lower() in ("a", "an") else None
    total = part = 0.0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _POWERS:
            part = (part or 1.0) * _POWERS[word]
            if _POWERS[word] > 100:
                total, part = total + part, 0.0
        elif word in _VALUES:
            part += _VALUES[word]
    return total + part


def multiplier_of(text: str) -> float:
    """What a match of ``MULTIPLIER`` multiplies by."""
    word = text.strip().lower()
    return _POWERS.get(word) or _SIGNS[word]


def _digits(text: str) -> float | None:
    plain = re.sub(r"[ \u00a0\u202f']", "", text)
    marks = [char for char in plain if char in ".,"]
    if len(set(marks)) == 2:
        # Two kinds of mark: the last one is the decimal sign, once.
        decimal = marks[-1]
        plain = plain.replace("," if decimal == "." else ".", "")
        if plain.count(decimal) > 1:
            return None
        plain = plain.replace(decimal, ".")
    elif len(marks) > 1:
        plain = plain.replace(marks[0], "")
    elif marks == [","]:
        head, tail = plain.split(",")
        plain = head + tail if len(tail) == 3 and head != "0" else f"{head}.{tail}"
    return float(plain)
