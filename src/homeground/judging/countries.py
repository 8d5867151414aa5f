"""Countries: whole names, several of them, negation."""

from __future__ import annotations

import re
from functools import cache

from homeground.cultures.names import country_names, mentions
from homeground.judging.negation import negated
from homeground.judging.text import Folded
from homeground.schema import Reading

_WORD = 4
"""Letters from which a name is more than an abbreviation."""
_EDGES = re.compile(r"\A\W{0,40}|\W{0,40}\Z")


def read_country(folded: Folded) -> Reading:
    """Read an answer that names the user's country."""
    found: dict[str, tuple[int, int]] = {}
    for mention in mentions(folded.text):
        if not negated(folded.text, mention.start):
            found.setdefault(mention.code, (mention.start, mention.end))
    if not found:
        return _whole_answer(folded)
    return Reading(
        status="ok" if len(found) == 1 else "both",
        found=tuple(found),
        span=folded.span(*next(iter(found.values()))),
    )


def _whole_answer(folded: Folded) -> Reading:
    """A name that is an ordinary word too ("china", "us") in any case, where it is all that was said."""
    bare = _EDGES.sub("", folded.text)
    code = _ordinary().get(bare.casefold())
    if code is None:
        return Reading(status="none")
    start = folded.text.index(bare)
    return Reading(status="ok", found=(code,), span=folded.span(start, start + len(bare)))


@cache
def _ordinary() -> dict[str, str]:
    names = country_names().as_written
    return {n.casefold(): code for n, code in names.items() if len(n) >= _WORD or n in ("US", "UK", "GB")}
