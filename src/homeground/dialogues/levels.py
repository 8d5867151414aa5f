"""The six levels of cue, derived from a scaffold and never stored.

Weakest first (Miao, Zhu and Shwartz 2026, section 2.2): ``null`` is the question alone; ``neutral`` the
conversation with culture-free fills; ``cue1`` and ``cue2`` the culture's conversation cut right after the
utterance with that cue; ``implicit`` the whole of it; ``explicit`` the neutral one whose first user
utterance also says where the user is from. The closing question follows in every case.
"""

from __future__ import annotations

from homeground.schema import CuePair, Culture, Level, Scaffold, Turn

SLOTS = ("{cue1}", "{cue2}")


def conversation(
    scaffold: Scaffold, culture: Culture, pair: CuePair, level: Level, question: str
) -> tuple[Turn, ...]:
    """The turns at one level, the closing question last.

    ``culture`` and ``pair`` do not matter at ``null`` and ``neutral``: the result is the same for all.
    """
    closing = Turn(speaker="user", text=question)
    match level:
        case "null":
            return (closing,)
        case "neutral":
            return (*_filled(scaffold, _neutral(scaffold)), closing)
        case "explicit":
            first, *rest = _filled(scaffold, _neutral(scaffold))
            stated = Turn(speaker=first.speaker, text=f"{first.text} I am from {culture.name}.")
            return (stated, *rest, closing)
        case "implicit":
            return (*_filled(scaffold, _values(pair)), closing)
        case "cue1":
            return (*_filled(scaffold, _values(pair))[: slot_turn(scaffold, 0) + 1], closing)
        case "cue2":
            return (*_filled(scaffold, _values(pair))[: slot_turn(scaffold, 1) + 1], closing)


def slot_turn(scaffold: Scaffold, slot: int) -> int:
    """Index of the turn that holds a slot (0 for cue 1, 1 for cue 2)."""
    return next(i for i, turn in enumerate(scaffold.turns) if SLOTS[slot] in turn.text)


def _neutral(scaffold: Scaffold) -> tuple[str, str]:
    return scaffold.slots[0].neutral, scaffold.slots[1].neutral


def _values(pair: CuePair) -> tuple[str, str]:
    return pair.cues[0].value, pair.cues[1].value


def _filled(scaffold: Scaffold, fills: tuple[str, str]) -> tuple[Turn, ...]:
    return tuple(Turn(speaker=turn.speaker, text=_fill(turn.text, fills)) for turn in scaffold.turns)


def _fill(text: str, fills: tuple[str, str]) -> str:
    # A slot stands once in a scaffold, so a fill that happens to hold "{cue2}" is never filled again.
    for slot, fill in zip(SLOTS, fills, strict=True):
        if slot in text:
            return text.replace(slot, fill, 1)
    return text
