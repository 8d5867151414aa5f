"""What a model is asked when it writes scaffolds, from the templates in ``writer.toml``."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

from homeground.cultures.library import kinds
from homeground.dialogues.rules import rules, rules_digest
from homeground.files import read_toml, sha256_json
from homeground.schema import DIALOGUE_KINDS, DialogueKind, Message, Record, Sampling, Scene, Turn

Stage: TypeAlias = Literal["dialogue", "cues"]
_MOST_REASONS = 12
"""Reasons that a prompt repeats, the newest: it must stay short however many tries there are."""
_FEWEST_TURNS, _MOST_TURNS = 6, 8
"""The even numbers that fit between the fewest and most turns with the closing question."""


class _Stage(Record, frozen=True, kw_only=True):
    text: str
    forbidden: str


class _Again(Record, frozen=True, kw_only=True):
    text: str


class _Templates(Record, frozen=True, kw_only=True):
    version: str
    temperatures: tuple[float, ...]
    max_tokens: int
    kinds: dict[DialogueKind, str]
    stage: dict[Stage, _Stage]
    again: _Again
    topics: dict[DialogueKind, tuple[str, ...]]


@cache
def _templates() -> _Templates:
    return read_toml(Path(str(files("homeground.dialogues"))) / "writer.toml", _Templates)


@cache
def signature() -> str:
    """Version and hash of the prompts, the kinds of cue they list and the rules that answers must keep."""
    return f"{_templates().version}@{sha256_json([_templates(), kinds(), rules_digest()])[:8]}"


def sampling(attempt: int) -> Sampling:
    """How the answer to a try (from 1) is drawn: greedily at first, then with a temperature that varies."""
    steps = _templates().temperatures
    return Sampling(temperature=steps[min(attempt, len(steps)) - 1], max_tokens=_templates().max_tokens)


def deal_topics(scenes: Sequence[Scene], seed: int) -> dict[tuple[str, DialogueKind], str]:
    """What each scene's dialogues turn on; within a kind each topic is dealt before any returns."""
    dealt = {}
    for kind in DIALOGUE_KINDS:
        topics = list(_templates().topics[kind])
        random.Random(f"{seed}/topics/{kind}").shuffle(topics)
        for place, scene in enumerate(scenes):
            dealt[scene.id, kind] = topics[place % len(topics)]
    return dealt


def dialogue_prompt(
    scene: Scene,
    place: str,
    kind: DialogueKind,
    topic: str,
    question: str,
    forbidden: Sequence[str],
    reasons: Sequence[str],
) -> tuple[Message, ...]:
    """Ask for a dialogue with two open places.

    Args:
        scene: what the dialogue is about; the model reads its description.
        place: the scene's place, as dialogues say it.
        kind: of dialogue.
        topic: what the dialogue turns on.
        question: the closing question that follows.
        forbidden: words that answer it.
        reasons: why earlier answers were refused.
    """
    stage = _templates().stage["dialogue"]
    text = stage.text.format(
        kind=_templates().kinds[kind],
        topic=topic,
        description=scene.description,
        thing=scene.thing,
        place=place,
        question=question,
        about="; ".join(kind.about for kind in kinds().values()),
        least=_FEWEST_TURNS,
        most=_MOST_TURNS,
        longest=rules().turn.most,
        forbidden=_forbidden(stage, forbidden),
    )
    return _message(text, reasons)


def cues_prompt(
    turns: Sequence[Turn], offered: Sequence[str], forbidden: Sequence[str], reasons: Sequence[str]
) -> tuple[Message, ...]:
    """Ask what kinds of cue fit a dialogue's open places.

    Args:
        turns: the dialogue.
        offered: kinds to choose from.
        forbidden: words that answer the closing question.
        reasons: why earlier answers were refused.
    """
    stage = _templates().stage["cues"]
    table: Mapping[str, str] = {
        name: f'- {name}: {kind.about}; "{kind.sentence.format("...")}"; {kind.neutral}'
        for name, kind in kinds().items()
    }
    text = stage.text.format(
        dialogue="\n".join(f"{turn.speaker}: {turn.text}" for turn in turns),
        kinds="\n".join(table[name] for name in offered),
        longest=rules().neutral.most,
        forbidden=_forbidden(stage, forbidden),
    )
    return _message(text, reasons)


def _forbidden(stage: _Stage, words: Sequence[str]) -> str:
    return stage.forbidden.format(words=", ".join(words)) if words else ""


def _message(text: str, reasons: Sequence[str]) -> tuple[Message, ...]:
    if reasons:
        listed = "\n".join(f"- {reason}" for reason in reasons[-_MOST_REASONS:])
        text += _templates().again.text.format(reasons=listed)
    return (Message(role="user", text=text.strip()),)
