"""Countries: whole names, several of them, negation."""

from __future__ import annotations

from homeground.cultures.names import mentions
from homeground.judging.negation import negated
from homeground.judging.text import Folded
from homeground.schema import Reading


def read_country(folded: Folded) -> Reading:
    """Read an answer that names the user's country."""
    found: dict[str, tuple[int, int]] = {}
    for mention in mentions(folded.text):
        if not negated(folded.text, mention.start):
            found.setdefault(mention.code, (mention.start, mention.end))
    if not found:
        return Reading(status="none")
    return Reading(
        status="ok" if len(found) == 1 else "both",
        found=tuple(found),
        span=folded.span(*next(iter(found.values()))),
    )
