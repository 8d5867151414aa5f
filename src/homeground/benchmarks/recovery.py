"""Slots recovered from finished conversations: they are where a scaffold's siblings differ from the neutral one.

Two turns of the user may differ, in one stretch each, and the same two in every sibling; then filling the slots again
gives every conversation back word by word. What differs elsewhere was made in another way and is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from homeground.benchmarks.published_records import Version
from homeground.dialogues.levels import SLOTS
from homeground.dialogues.scaffolds import problems
from homeground.schema import Cue, CuePair, Scaffold, Slot, Turn

Turns = tuple[Turn, ...]
_KIND = "published"
"""Kind of a cue where no record says it."""


class Recovered(NamedTuple):
    """A scaffold and its fills."""

    scaffold: Scaffold
    pairs: list[CuePair]


class Siblings:
    """All versions of the conversations that share a scaffold."""

    def __init__(self, first: Version) -> None:
        """Begin with the version that names the scaffold first."""
        self.first = first
        self.others: list[Version] = []
        """Versions at the levels that are derived and not needed here."""
        self.closings: set[str] = set()
        """Wordings of the closing question."""
        self._neutral: dict[str, Turns] = {}
        self._implicit: dict[str, Version] = {}

    def add(self, version: Version) -> str | None:
        """Take one more version, or say why it cannot belong here."""
        first = self.first
        if (version.scene, version.concept, version.kind) != (first.scene, first.concept, first.kind):
            return f"its scaffold {first.scaffold} is {first.kind} about {first.scene}, {first.concept}"
        if version.level not in ("neutral", "implicit"):
            self.others.append(version)
            return None
        turns = version.turns
        if turns[-1].speaker == "user":
            # The closing question follows at every level, so it is no part of the scaffold.
            self.closings.add(turns[-1].text)
            turns = turns[:-1]
        if version.level == "implicit":
            if version.culture in self._implicit:
                return f"stands twice for {version.culture}"
            self._implicit[version.culture] = version._replace(turns=turns)
        elif self._neutral.setdefault(version.culture, turns) != turns:
            return f"a second neutral conversation of {first.scaffold} differs from the first"
        return None

    def recover(self, left_out: list[str]) -> Recovered | None:
        """The scaffold with its fills; conversations that do not fit are named in ``left_out``."""
        for version in {v.culture: v for v in self.others if v.culture not in self._implicit}.values():
            left_out.append(f"{version.where}: no implicit conversation beside it")
        neutral = Counter(self._neutral.values()).most_common(1)
        if not neutral:
            left_out += [f"{v.where}: no neutral conversation beside it" for v in self._implicit.values()]
            return None
        base = neutral[0][0]
        changed: dict[str, frozenset[int]] = {}
        for code, version in self._implicit.items():
            if reason := self._odd(base, version):
                left_out.append(f"{version.where}: {reason}")
            else:
                both = enumerate(zip(base, version.turns, strict=True))
                changed[code] = frozenset(place for place, (a, b) in both if a != b)
        in_two = Counter(places for places in changed.values() if len(places) == 2).most_common(1)
        slots = in_two[0][0] if in_two else frozenset()
        fitting = {
            code: self._implicit[code] for code, places in changed.items() if places and places <= slots
        }
        for code, places in changed.items():
            if code not in fitting:
                left_out.append(f"{self._implicit[code].where}: {_elsewhere(places, slots)}")
        return self._made(base, sorted(slots), fitting, left_out) if fitting else None

    def _odd(self, base: Turns, version: Version) -> str | None:
        """Why a conversation cannot have been made by filling the slots of this scaffold."""
        if self._neutral.get(version.culture, base) != base:
            return "its neutral conversation differs from its siblings'"
        if [turn.speaker for turn in version.turns] != [turn.speaker for turn in base]:
            return (
                f"{len(version.turns)} turns, but the neutral conversation has {len(base)} or other speakers"
            )
        return None

    def _made(
        self, base: Turns, places: list[int], fitting: dict[str, Version], left_out: list[str]
    ) -> Recovered | None:
        first, turns, slots = self.first, list(base), []
        fills: dict[str, list[Cue]] = {code: [] for code in fitting}
        for place, mark, name in zip(places, SLOTS, ("cue1", "cue2"), strict=True):
            texts = {code: version.turns[place].text for code, version in fitting.items()}
            before, after = cut(base[place].text, [(texts[c], v.given[name]) for c, v in fitting.items()])
            kinds = Counter(version.given[f"{name}_kind"] for version in fitting.values())
            kind = kinds.most_common(1)[0][0] or _KIND
            slots.append(Slot(kind=kind, neutral=base[place].text[len(before) :].removesuffix(after)))
            turns[place] = Turn(speaker=base[place].speaker, text=f"{before}{mark}{after}")
            for code, text in texts.items():
                value = text[len(before) :].removesuffix(after)
                fills[code].append(Cue(kind=kind, value=value, source=f"as published: {fitting[code].where}"))
        if found := problems(turns):
            for version in fitting.values():
                left_out.append(f"{version.where}: {'; '.join(found)}")
            return None
        scaffold = Scaffold(
            id=first.scaffold,
            scene=first.scene,
            concept=first.concept,
            kind=first.kind,
            template=first.given["template"] or first.scaffold,
            slots=(slots[0], slots[1]),
            turns=tuple(turns),
            source="published",
        )
        pairs = [
            CuePair(scaffold=scaffold.id, culture=code, cues=(one, two)) for code, (one, two) in fills.items()
        ]
        return Recovered(scaffold, pairs)


def _elsewhere(places: frozenset[int], slots: frozenset[int]) -> str:
    there = ", ".join(str(place + 1) for place in sorted(places)) or "none"
    wanted = " and ".join(str(place + 1) for place in sorted(slots)) or "two"
    return (
        f"differs from the neutral conversation in turns {there}, not {wanted}: its slots cannot be recovered"
    )


def cut(base: str, others: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """What stands before and after the slot in a turn, the same in all siblings.

    Args:
        base: the turn with its neutral fill.
        others: the turn of each sibling, and its cue where a record names it, or "".

    The cues decide where they can. Otherwise the slot is the least that differs, in whole words and never empty.
    """
    if frames := [_frames(base, text, cue) for text, cue in others]:
        named = set.intersection(*frames)
        if len(named) == 1:
            return named.pop()
    texts = [base, *(text for text, _ in others)]
    before = _beginning(texts)
    after = _beginning([text[len(before) :][::-1] for text in texts])[::-1]
    while before and before[-1].isalnum() and any(t[len(before) :][:1].isalnum() for t in texts):
        before = before[:-1]
    while after and after[0].isalnum() and any(t[: len(t) - len(after)][-1:].isalnum() for t in texts):
        after = after[1:]
    while min(map(len, texts)) <= len(before) + len(after) and (before or after):
        if before:
            before = re.sub(r"\S+\s*\Z", "", before)
        else:
            after = re.sub(r"\A\s*\S+", "", after)
    return before, after


def _beginning(texts: Sequence[str]) -> str:
    return "".join(letters[0] for letters in takewhile(lambda c: len(set(c)) == 1, zip(*texts, strict=False)))


def _frames(base: str, text: str, cue: str) -> set[tuple[str, str]]:
    """What may stand around a cue in a text so that the neutral text has it too."""
    places = [match.span() for match in re.finditer(re.escape(cue), text)] if cue else []
    around = {(text[:start], text[end:]) for start, end in places}
    return {
        (before, after)
        for before, after in around
        if base.startswith(before) and base.endswith(after) and len(base) > len(before) + len(after)
    }
