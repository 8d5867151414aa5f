"""Generated kinds of cue: what a rule's pattern can give, and one value of it.

Patterns: ``#`` is any digit, ``~`` a digit from 1 to 9 and ``@`` a letter that the last two places of a British
postcode use; an ``X`` stays (a masked digit: where a country has no range for fiction, a number is written so that
nobody can dial it). ``date`` is a ``strftime`` format in which ``%-d`` and ``%-m`` have no leading zero, after
``persian:`` in the Solar Hijri calendar. Mains supply, paper size and week start are used as they stand.
"""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_SYMBOLS = {"#": "0123456789", "~": "123456789", "@": _LETTERS}
_AS_THEY_STAND = ("mains_supply", "paper_size", "week_start")
_FIRST_DAY = date(2024, 1, 13)
_DAYS = 700
_PERSIAN = "persian:"
_PERSIAN_YEARS = (1402, 1403, 1404)
_DATE_PARTS = {
    "%Y": r"\d{4}", "%m": r"(?:0[1-9]|1[0-2])", "%d": r"(?:0[1-9]|[12]\d|3[01])",
    "%-m": r"(?:[1-9]|1[0-2])", "%-d": r"(?:[1-9]|[12]\d|3[01])",
}  # fmt: skip


def pattern_of(kind: str, pattern: str) -> str:
    """The regular expression of all values that a rule's pattern can generate."""
    if kind == "date":
        if pattern.startswith(_PERSIAN):
            years = "|".join(map(str, _PERSIAN_YEARS))
            return rf"(?:{years})/{_DATE_PARTS['%m']}/{_DATE_PARTS['%d']}"
        # Years of another calendar are no dates of this one.
        parts = re.split(r"(%-?[Ymd])", pattern)
        return "".join(r"20\d\d" if p == "%Y" else _DATE_PARTS.get(p) or re.escape(p) for p in parts)
    if kind in _AS_THEY_STAND:
        return re.escape(pattern)
    return "".join(f"[{_SYMBOLS[s]}]" if s in _SYMBOLS else re.escape(s) for s in pattern)


def generate(kind: str, pattern: str, rng: random.Random) -> str:
    """One value of a pattern; the same state of ``rng`` gives the same value."""
    if kind == "date":
        return _date(pattern, rng)
    if kind in _AS_THEY_STAND:
        return pattern
    return "".join(rng.choice(_SYMBOLS[s]) if s in _SYMBOLS else s for s in pattern)


def _date(pattern: str, rng: random.Random) -> str:
    """A date whose day is above 12, so that the order of day and month can be told."""
    if pattern.startswith(_PERSIAN):
        # Every Solar Hijri month has at least 29 days, so no conversion can go wrong.
        year, month, day = rng.choice(_PERSIAN_YEARS), rng.randrange(1, 13), rng.randrange(13, 30)
        return f"{year:04d}/{month:02d}/{day:02d}"
    drawn = _FIRST_DAY + timedelta(days=rng.randrange(_DAYS))
    if drawn.day <= 12:
        drawn = drawn.replace(day=drawn.day + 12)
    text = pattern.replace("%-d", str(drawn.day)).replace("%-m", str(drawn.month))
    return drawn.strftime(text)
