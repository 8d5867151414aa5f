"""What an answer says is not so."""

from __future__ import annotations

import re

_NO_DENIAL = "more|less|only|just|exactly|quite|over|under|above|below"
"""Words after "not" that deny nothing: "not more than 30 °C", "not only France"."""
_NEGATED = re.compile(
    r"\b(?:not|isn't|never|rather than|instead of)\s{1,3}"
    rf"(?!(?:{_NO_DENIAL})\b)(?:(?!but\b)\w{{1,20}}\s{{1,3}}){{0,2}}$",
    re.IGNORECASE,
)
_BEFORE = 40


def negated(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is said not to be so ("not 104 °F but…")."""
    return _NEGATED.search(text[max(0, start - _BEFORE) : start]) is not None
