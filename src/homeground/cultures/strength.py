"""How strong a cue is: the cultures in whose library or rules it would be valid too.

"25 °C" fits nearly everybody, "Fnac" hardly anybody else; a cue that fits one culture alone is unique.
"""

from __future__ import annotations

import re
from functools import cache

from homeground.cultures.library import codes, load_file
from homeground.cultures.rules import pattern_of

TEN = ("US", "CN", "IL", "GB", "FR", "KR", "JP", "IN", "IR", "BR")
"""The cultures of the published benchmark, among which strength is measured."""


def fits(kind: str, value: str) -> tuple[str, ...]:
    """Codes of those of the ten cultures in which a value of a kind would be valid, sorted."""
    return _fits(kind, value.casefold())


@cache
def _fits(kind: str, value: str) -> tuple[str, ...]:
    return tuple(code for code in sorted(TEN) if code in codes() and _valid(code, kind, value))


def _valid(code: str, kind: str, value: str) -> bool:
    listed, patterns = _values(code)
    if value in listed.get(kind, frozenset()):
        return True
    return any(pattern.fullmatch(value) for pattern in patterns.get(kind, ()))


@cache
def _values(code: str) -> tuple[dict[str, frozenset[str]], dict[str, tuple[re.Pattern[str], ...]]]:
    data = load_file(code)
    listed = {kind: frozenset(cue.value.casefold() for cue in cues) for kind, cues in data.cues.items()}
    patterns = {
        kind: tuple(re.compile(pattern_of(kind, pattern), re.IGNORECASE) for pattern in rule.patterns)
        for kind, rule in data.rules.items()
    }
    return listed, patterns
