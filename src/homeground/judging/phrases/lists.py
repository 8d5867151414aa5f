"""Candidates beside one another: "x or y", and the list of three or more from which anything could be picked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from homeground.judging.phrases.edges import UNSPACED
from homeground.judging.phrases.events import CUTS, Event

_SHORT = 3
"""Words of one candidate."""
_BESIDE = 2
"""Words that may stand between a candidate and what separates it from the next."""
SHOTGUN = 3
"""Candidates from which a list earns nothing, whatever joins them."""
_RUN_WORD = 6
"""Characters that count as one word where no spaces are written."""
_COMMAS = frozenset(",،、;")
_SLASH = frozenset("/")
_SEPARATORS = _COMMAS | _SLASH
_LIST_ENDS = frozenset("()[]:…")
_RUN = re.compile(rf"[{UNSPACED}]")

_NO_CANDIDATE = ("attribute", "retract", "retract_within", "verb")
"""What another candidate does not begin with."""

_Joined = Literal["", "comma", "or", "and"]


class _Item(NamedTuple):
    tokens: list[str]
    joined: _Joined
    """What stands before it."""


class Candidates:
    """The sentence around a phrase, cut where candidates may be listed."""

    def __init__(self, before: list[str], after: list[str], left: list[Event], right: list[Event]) -> None:
        """Tokens before and after the phrase, each with its events."""
        start = max((i + 1 for i, token in enumerate(before) if token in _LIST_ENDS), default=0)
        stop = min((i for i, token in enumerate(after) if token in _LIST_ENDS), default=len(after))
        self._left = _cut(before, left, start, len(before))
        self._right = _cut(after, right, 0, stop)
        self._led = start > 0
        self._words = {
            kind: {
                tokens[event.start]
                for tokens, events in ((before, left), (after, right))
                for event in events
                if event.kind == kind
            }
            for kind in (
                "attribute",
                "light",
                "article",
                "turn",
                "but",
                "settled",
                "retract",
                "retract_within",
                "verb",
            )
        }

    def others(self) -> tuple[list[str], bool]:
        """What stands beside the phrase as another candidate, and whether an "or" joins them."""
        found: list[_Item] = []
        joined: set[str] = set()
        own_left, own_right = self._left[-1], self._right[0]
        if len(self._left) > 1 and self._names(own_left.tokens):
            joined |= self._to_the_left(found)
        if len(self._right) > 1 and self._ends(own_right.tokens) and not self._described(own_left.tokens):
            joined |= self._to_the_right(found)
        return [" ".join(item.tokens) for item in found], "or" in joined

    def _names(self, tokens: list[str]) -> bool:
        """Whether the phrase is what its item names, not a word further on in it."""
        content = [t for t in tokens if not self._light(t)]
        if content and content[0] in self._words["verb"]:
            return False
        if not all(self._words[kind].isdisjoint(tokens) for kind in ("turn", "but", "settled")):
            return False
        return len(content) <= _BESIDE and not (len(content) > 1 and self._describes(tokens))

    def _ends(self, tokens: list[str]) -> bool:
        return self._content(tokens) <= _BESIDE and not self._describes(tokens)

    def _describes(self, tokens: Iterable[str]) -> bool:
        return not self._words["attribute"].isdisjoint(tokens)

    def _described(self, tokens: list[str]) -> bool:
        """An article on the phrase and none on what follows: "a galão, hot, milky, sweet" names one thing."""
        articles = self._words["article"]
        if not tokens or tokens[-1] not in articles or len(self._left) > 1:
            return False
        return not any(i.joined == "or" or not articles.isdisjoint(i.tokens[:1]) for i in self._right[1:])

    def _apposition(self, item: _Item) -> bool:
        """Without an article on the phrase and with one on what follows: "galão, a mixture of coffee, milk, foam"."""
        articles = self._words["article"]
        bare = len(self._left) == 1 and articles.isdisjoint(self._left[0].tokens[-1:])
        return bare and item.joined == "comma" and not articles.isdisjoint(item.tokens[:1])

    def _to_the_left(self, found: list[_Item]) -> set[str]:
        joined: set[str] = {self._left[-1].joined}
        for place in range(len(self._left) - 2, -1, -1):
            item = self._left[place]
            if not self._candidate(item.tokens):
                # The lead-in of a list ends with its first candidate ("It could be red, …"), but so does a clause.
                if place == 0 and (found or "or" in joined) and self._candidate(item.tokens[-_BESIDE:]):
                    found.append(_Item(item.tokens[-_BESIDE:], item.joined))
                break
            found.append(item)
            joined.add(item.joined)
        return joined if found else set()

    def _to_the_right(self, found: list[_Item]) -> set[str]:
        joined: set[str] = set()
        for item in self._right[1:]:
            if not item.tokens:
                continue
            if not found and self._apposition(item):
                break
            last = item.joined in ("or", "and")
            if not self._candidate(item.tokens[:_SHORT] if last else item.tokens):
                break
            found.append(item)
            joined.add(item.joined)
            if last and self._content(item.tokens) > _SHORT:
                break
        return joined

    def _candidate(self, tokens: list[str]) -> bool:
        content = [t for t in tokens if not self._light(t)]
        if not content or self._content(tokens) > _SHORT:
            return False
        heads = (tokens[0], content[0])
        return all(self._words[kind].isdisjoint(heads) for kind in _NO_CANDIDATE)

    def _light(self, token: str) -> bool:
        return token in self._words["light"] or token in self._words["article"] or token in CUTS

    def _content(self, tokens: Iterable[str]) -> int:
        sizes = (-(-len(t) // _RUN_WORD) if _RUN.match(t) else 1 for t in tokens if not self._light(t))
        return sum(sizes)


def listing(tokens: list[str], events: list[Event]) -> bool:
    """Whether anything here could separate two candidates."""
    return not _SEPARATORS.isdisjoint(tokens) or any(event.kind in ("or", "and") for event in events)


def verdict_of_list(others: list[str], either: bool, is_gold: Callable[[str], bool]) -> str | None:
    """Why a phrase among other candidates earns nothing; nothing if it stands alone or all of them are golds."""
    wrong = len({other for other in others if not is_gold(other)})
    if (wrong and either) or wrong + 1 >= SHOTGUN:
        return f"one of {wrong + 1} candidates"
    return None


def _cut(tokens: list[str], events: list[Event], start: int, stop: int) -> list[_Item]:
    """Items between commas, slashes, "or" and "and"."""
    attributes = {event.start for event in events if event.kind == "attribute"}
    marks = {e.start: e for e in events if e.kind == "or" or (e.kind == "and" and e.start not in attributes)}
    items = [_Item([], "")]
    place = start
    while place < stop:
        token, event = tokens[place], marks.get(place)
        joined: _Joined = ""
        if event is not None:
            joined = "or" if event.kind == "or" else "and"
        elif token in _SLASH:
            joined = "or"
        elif token in _COMMAS:
            joined = "comma"
        if not joined:
            items[-1].tokens.append(token)
        elif not items[-1].tokens and len(items) > 1:
            items[-1] = _Item([], "or" if "or" in (joined, items[-1].joined) else joined)
        else:
            items.append(_Item([], joined))
        place = event.end if event is not None else place + 1
    return items
