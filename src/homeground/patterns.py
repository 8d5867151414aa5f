"""Compiling tables of written forms into patterns that find whole words."""

from __future__ import annotations

import re
from collections.abc import Iterable


def either(forms: Iterable[str]) -> str:
    """An alternation of literal forms, longest first, bounded where a letter or digit would run on."""
    return "|".join(_bounded(form) for form in sorted(set(forms), key=lambda f: (-len(f), f)))


def _bounded(form: str) -> str:
    body = re.escape(form).replace(r"\ ", r"\s?" if form.startswith("°") else r"\s{1,3}")
    # "5 in the picture" is no length.
    runs_on = r"(?!\s{1,3}[a-z])" if form == "in" else ""
    last = form[-1]
    end = r"(?!\w)" if last.isascii() and last.isalnum() else ""
    return body + end + runs_on
