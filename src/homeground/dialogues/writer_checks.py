"""Whether what a model wrote may stand: the rules of hand-written scaffolds, and what a prompt asked for besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from homeground.dialogues.rules import likeness, neutral_problems, quote, rules, shingles, wording_problems
from homeground.dialogues.scaffolds import GIVES_AWAY, problems, slot_problems
from homeground.schema import Concept, Slot, Turn

Phrases: TypeAlias = frozenset[tuple[str, ...]]
_SHOWN = 6
"""Shared phrases that are named to the model."""


def fitting(offered: Iterable[str], concept: Concept) -> list[str]:
    """The kinds of cue that do not give a concept's answer away."""
    return [kind for kind in offered if kind != GIVES_AWAY.get(concept)]


def turns_problems(turns: Sequence[Turn], thing: str, options: Sequence[str]) -> list[str]:
    """What is wrong with a dialogue that a model wrote about a thing; empty when nothing is.

    Args:
        turns: with ``{cue1}`` and ``{cue2}`` in their places.
        thing: words that must occur.
        options: answers to the closing question, which must not.
    """
    found = [*problems(list(turns)), *wording_problems(turns, options)]
    if not any(turn.speaker == "user" and thing.casefold() in turn.text.casefold() for turn in turns):
        found.append(f"no turn of the user holds the words {thing!r}")
    return found


def slots_problems(
    slots: tuple[Slot, Slot] | None, kinds: Sequence[str], concept: Concept, options: Sequence[str]
) -> list[str]:
    """What is wrong with what a model chose for the slots; empty when nothing is.

    Args:
        slots: its choice.
        kinds: those that it was offered.
        concept: the scene's.
        options: answers to the closing question, which must not occur.
    """
    if slots is None:
        return ["the answer has no slots"]
    strange = [f"there is no kind {quote(slot.kind)} in the list" for slot in slots if slot.kind not in kinds]
    found = strange or slot_problems(concept, slots)
    return [*found, *(said for slot in slots for said in neutral_problems(slot.neutral, options))]


def phrases(turns: Iterable[Turn], own: Iterable[str]) -> Phrases:
    """A dialogue's phrases of four words, without the scene's own words: those say nothing of likeness."""
    text = " ".join(turn.text for turn in turns).lower()
    for words in own:
        text = text.replace(words.lower(), " ")
    return shingles(text)


def copies(new: Phrases, passed: Iterable[Phrases]) -> list[str]:
    """What is wrong with a dialogue that is almost one of those that passed; empty when it is none."""
    for other in passed:
        if likeness(new, other) > rules().alike.written:
            shared = sorted(" ".join(words) for words in new & other)[:_SHOWN]
            return [
                f"it is almost another dialogue over again; avoid phrases such as {', '.join(map(quote, shared))}"
            ]
    return []
