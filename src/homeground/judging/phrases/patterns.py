"""The pattern of a gold's forms: spellings that begin or end alike stand in it once, with their scripts' edges."""

from __future__ import annotations

from collections.abc import Sequence

from homeground.judging.phrases.edges import gap, glued, kind_of, left_edge, right_edge, shared_edge, spelt

Alternatives = tuple[str, ...]
"""The forms of one word of a gold, or what stands between two."""
_ORDINAL = "(?:st|nd|rd|th|º|ª|er|e|\\.)?"


def body(pieces: list[Alternatives], *, edges: bool) -> str:
    """A pattern for a gold's words and what stands between them, with ``edges`` as whole words in a text."""
    last = len(pieces) - 1
    size = sum(len(piece[0]) for piece in pieces)
    parts: list[str] = []
    for place, forms in enumerate(pieces):
        if place % 2 == 1:
            parts.append(gap(forms[0], pieces[place - 1][0][-1], pieces[place + 1][0][0]))
            continue
        inner = "(?:ال)?" if place and kind_of(forms[0][0]) == "arabic" else ""
        ordinal = _ORDINAL if place < last and forms[0].isdecimal() else ""
        parts.append(
            inner + _either(forms, size, first=edges and place == 0, last=edges and place == last) + ordinal
        )
    return (glued(pieces[0], size) if edges else "") + f"({''.join(parts)})"


def _either(forms: Alternatives, size: int, *, first: bool, last: bool) -> str:
    """The forms of one word, those that begin or end alike as one.

    Classes of characters take far longer to compile than to match.
    """
    letters = [form for form in forms if kind_of(form[0]) == "letter"]
    shared = shared_edge(letters) if first else ""
    if shared and len(letters) < len(forms):
        others = tuple(form for form in forms if form not in letters)
        return _group(
            [
                _either(tuple(letters), size, first=first, last=last),
                _either(others, size, first=first, last=last),
            ]
        )
    grouped: dict[str, list[Alternatives]] = {}
    for form in forms:
        right = right_edge(form, size) if last else ""
        left = left_edge(form, size, edges=first and not shared)
        grouped.setdefault(right, []).append((left, *spelt(form)[1:]))
    ends = [_merged(spellings) + right for right, spellings in grouped.items()]
    return shared + _group(ends)


def _merged(spellings: Sequence[Alternatives]) -> str:
    """A pattern for all of some spellings, whose common beginnings stand in it once."""
    rests: dict[str, list[Alternatives]] = {}
    for spelling in spellings:
        if spelling:
            rests.setdefault(spelling[0], []).append(spelling[1:])
    branches = [head + _merged(tails) for head, tails in rests.items()]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)})?" if () in spellings else _group(branches)


def _group(alternatives: list[str]) -> str:
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"
