"""Countries: whole names, several of them, negation."""

from __future__ import annotations

import re
from functools import cache

from homeground.cultures.names import country_names
from homeground.judging.forms import either, negated
from homeground.judging.text import Folded
from homeground.schema import Reading

# Names inside longer names that are no country's.
_NO_COUNTRY = (
    "South American", "North American", "Latin American", "Central American", "South America",
    "North America", "Latin America", "Central America", "Native American", "British Columbia",
    "New England", "New South Wales", "West Indian", "Atlanta, Georgia",
)  # fmt: skip


@cache
def _pattern() -> re.Pattern[str]:
    names = country_names()
    spelled = either(names.as_written)
    return re.compile(
        rf"(?<!\w)(?:(?P<none>(?i:{either(_NO_COUNTRY)}))"
        rf"|(?P<folded>(?i:{either(names.any_case)}))|(?P<spelled>{spelled}))"
    )


def read_country(folded: Folded) -> Reading:
    """Read an answer that names the user's country."""
    names = country_names()
    found: dict[str, tuple[int, int]] = {}
    for match in _pattern().finditer(folded.text):
        if match["none"] or negated(folded.text, match.start()):
            continue
        code = (
            names.any_case[re.sub(r"\s+", " ", match["folded"].casefold())]
            if match["folded"]
            else names.as_written[match["spelled"]]
        )
        found.setdefault(code, match.span())
    if not found:
        return Reading(status="none")
    start, end = next(iter(found.values()))
    return Reading(
        status="ok" if len(found) == 1 else "both",
        found=tuple(found),
        span=folded.span(start, end),
    )
