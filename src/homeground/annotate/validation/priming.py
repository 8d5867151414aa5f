"""Priming: a few easy questions about everyday things of the person's country, before the task.

The published study asked where celebrities are from. Ours ask for things of the culture files instead, each with its
source there: any culture has them, and no real person is needed. Answers are scored and decide nothing.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import NamedTuple

from homeground.cultures.library import UNVERIFIED, codes, load_file

KINDS = ("news_outlet", "supermarket", "tv_channel", "public_holiday", "bank", "music_service", "sport")
"""Kinds of thing that are asked for, the first that a culture has enough of."""
_QUESTIONS, _OTHERS = 4, 3


class Question(NamedTuple):
    """Which of ``options`` belongs to the culture."""

    kind: str
    options: tuple[str, ...]
    right: str


def questions(culture: str, seed: int, used: Collection[str] = ()) -> tuple[Question, ...]:
    """The priming questions of a culture by a seed.

    Args:
        culture: its code.
        seed: of the study.
        used: values that the study's items contain; others come first, so that priming gives nothing away.
    """
    rng = random.Random(f"{seed}:{culture}")
    own_territory = load_file(culture).territory
    found = []
    for kind in KINDS:
        elsewhere: dict[str, set[str]] = {}
        for code in codes():
            for cue in load_file(code).cues.get(kind, ()):
                elsewhere.setdefault(cue.value, set()).add(load_file(code).territory)
        mine = sorted(
            cue.value
            for cue in load_file(culture).cues.get(kind, ())
            if elsewhere[cue.value] == {own_territory} and cue.source != UNVERIFIED
        )
        others = sorted(value for value, where in elsewhere.items() if own_territory not in where)
        if not mine or len(others) < _OTHERS:
            continue
        right = rng.choice([value for value in mine if value not in used] or mine)
        options = [right, *rng.sample(others, _OTHERS)]
        rng.shuffle(options)
        found.append(Question(kind, tuple(options), right))
        if len(found) == _QUESTIONS:
            break
    return tuple(found)
