"""The six levels of cue, derived from a scaffold and never stored.

Weakest first (Miao, Zhu and Shwartz 2026, section 2.2): ``null`` is the question alone; ``neutral`` the
conversation with culture-free fills; ``cue1`` and ``cue2`` the culture's conversation cut right after the
utterance with that cue; ``implicit`` the whole of it; ``explicit`` the neutral one whose first user
utterance also says where the user is from. The closing question follows in every case.

Two placebos stand beside the levels: ``placebo_cues`` is ``implicit`` with a second cue set of the same culture, and
``placebo_filler`` is ``neutral`` with culture-free words that are as long as the culture's cues.
"""

from __future__ import annotations

from homeground.cultures.library import kinds
from homeground.errors import InputError
from homeground.schema import Condition, Cue, CuePair, Culture, Scaffold, Turn

SLOTS = ("{cue1}", "{cue2}")


def conversation(
    scaffold: Scaffold, culture: Culture, pair: CuePair, condition: Condition, question: str
) -> tuple[Turn, ...]:
    """The turns at one level or placebo, the closing question last.

    ``culture`` and ``pair`` do not matter at ``null`` and ``neutral``: the result is the same for all.

    Raises:
        InputError: ``placebo_cues`` of a pair that has no second cue set, or a condition of question sets.
    """
    closing = Turn(speaker="user", text=question)
    match condition:
        case "null":
            return (closing,)
        case "neutral":
            return (*_filled(scaffold, _neutral(scaffold)), closing)
        case "explicit":
            first, *rest = _filled(scaffold, _neutral(scaffold))
            stated = Turn(speaker=first.speaker, text=f"{first.text} I am from {culture.name}.")
            return (stated, *rest, closing)
        case "implicit":
            return (*_filled(scaffold, _values(pair.cues)), closing)
        case "placebo_cues":
            if pair.placebo is None:
                raise InputError(
                    f"condition placebo_cues: scaffold {pair.scaffold} has no second cue set for {pair.culture}"
                )
            return (*_filled(scaffold, _values(pair.placebo)), closing)
        case "placebo_filler":
            one, two = (filler(cue) for cue in pair.cues)
            return (*_filled(scaffold, (one, two)), closing)
        case "cue1":
            return (*_filled(scaffold, _values(pair.cues))[: slot_turn(scaffold, 0) + 1], closing)
        case "cue2":
            return (*_filled(scaffold, _values(pair.cues))[: slot_turn(scaffold, 1) + 1], closing)
        case "plain" | "oracle" | "foreign":
            raise InputError(
                f"condition {condition}: for question sets alone; conversations have levels of cue"
            )


def slot_turn(scaffold: Scaffold, slot: int) -> int:
    """Index of the turn that holds a slot (0 for cue 1, 1 for cue 2)."""
    return next(i for i, turn in enumerate(scaffold.turns) if SLOTS[slot] in turn.text)


def _neutral(scaffold: Scaffold) -> tuple[str, str]:
    return scaffold.slots[0].neutral, scaffold.slots[1].neutral


def _values(cues: tuple[Cue, Cue]) -> tuple[str, str]:
    return cues[0].value, cues[1].value


def filler(cue: Cue) -> str:
    """Culture-free words for a cue's place: those of its kind that come closest to its length.

    Raises:
        InputError: no such kind of cue, as an imported benchmark may have.
    """
    if cue.kind not in kinds():
        raise InputError(f"condition placebo_filler: no culture-free words for cues of kind {cue.kind!r}")
    return min(kinds()[cue.kind].fillers, key=lambda words: abs(len(words) - len(cue.value)))


def _filled(scaffold: Scaffold, fills: tuple[str, str]) -> tuple[Turn, ...]:
    return tuple(Turn(speaker=turn.speaker, text=_fill(turn.text, fills)) for turn in scaffold.turns)


def _fill(text: str, fills: tuple[str, str]) -> str:
    # A slot stands once in a scaffold, so a fill that happens to hold "{cue2}" is never filled again.
    for slot, fill in zip(SLOTS, fills, strict=True):
        if slot in text:
            return text.replace(slot, fill, 1)
    return text
