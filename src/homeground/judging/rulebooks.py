"""When a reading is right: ``careful`` (ours, the headline) and ``published`` (for comparison)."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from homeground.cultures.names import mentions
from homeground.files import read_toml
from homeground.schema import Concept, Reading, Record


class _Published(Record, frozen=True, kw_only=True):
    forms: dict[Concept, dict[str, tuple[str, ...]]]


@cache
def _published() -> dict[Concept, dict[str, tuple[str, ...]]]:
    path = Path(str(files("homeground.judging"))) / "published.toml"
    return read_toml(path, _Published).forms


def careful(reading: Reading, expected: tuple[str, ...]) -> bool:
    """Exactly one system, currency or country was given, and an expected one.

    An ambiguous currency sign is right for a user of any currency that it can stand for.
    """
    if reading.status in ("ok", "ambiguous"):
        return any(name in expected for name in (*reading.found, *reading.candidates))
    return False


def published_measure(concept: Concept, text: str, expected: tuple[str, ...]) -> bool:
    """An accepted form stands anywhere in the text, whatever else does."""
    return any(
        _anywhere(_published()[concept][name]).search(text) is not None
        for name in expected
        if name in _published()[concept]
    )


def published_country(text: str, expected: tuple[str, ...]) -> bool:
    """A name or demonym of the expected country stands anywhere in the text."""
    return any(mention.code in expected for mention in mentions(text))


@cache
def _anywhere(forms: tuple[str, ...]) -> re.Pattern[str]:
    body = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?<![^\W\d_])(?:{body})(?![^\W\d_])", re.IGNORECASE)
