"""From hand-written dialogues to scaffolds (one a scene and dialogue) and their fills (one a culture)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from homeground.cultures import draw_cue
from homeground.cultures.library import kinds
from homeground.dialogues.levels import SLOTS
from homeground.errors import InputError
from homeground.files import line_of, read_toml
from homeground.schema import (
    DIALOGUE_KINDS,
    SUBJECTIVE,
    Concept,
    Cue,
    CuePair,
    Culture,
    DialogueKind,
    Record,
    Scaffold,
    Scene,
    Slot,
    Turn,
)

GIVES_AWAY: dict[Concept, str] = {
    "temperature": "temperature",
    "price": "money_amount",
    "time_expression": "public_holiday",  # "Bonfire Night"
}
"""A kind of cue that can name the very unit, currency or word that a concept's closing question asks for."""
DATA = Path(str(files("homeground.dialogues"))) / "data"


class WrittenTurn(Record, frozen=True, kw_only=True):
    """One utterance of a dialogue file: ``user`` or ``chatbot``, not both."""

    user: str | None = None
    chatbot: str | None = None

    def turn(self, thing: str, place: str) -> Turn:
        """The utterance about one scene."""
        text = self.user if self.user is not None else self.chatbot or ""
        text = text.replace("{thing}", thing).replace("{place}", place)
        text = text[:1].upper() + text[1:]
        return Turn(speaker="user" if self.user is not None else "chatbot", text=text)


class Dialogue(Record, frozen=True, kw_only=True):
    """A hand-written dialogue that fits every scene of its concept."""

    id: str
    kind: DialogueKind
    cue1: Slot
    cue2: Slot
    turns: tuple[WrittenTurn, ...]


class DialogueFile(Record, frozen=True, kw_only=True):
    """The dialogues of one concept."""

    dialogue: tuple[Dialogue, ...]


@cache
def dialogues(concept: Concept) -> tuple[Dialogue, ...]:
    """The hand-written dialogues of a concept.

    Raises:
        InputError: the file is broken, or a dialogue breaks a rule of ``problems``.
    """
    path = DATA / f"{concept}.toml"
    found = read_toml(path, DialogueFile).dialogue
    for dialogue in found:
        turns = [w.turn("it", "here") for w in dialogue.turns]
        for problem in (*slot_problems(concept, (dialogue.cue1, dialogue.cue2)), *problems(turns)):
            line = line_of(path, f'id = "{dialogue.id}"')
            raise InputError(f"{path}:{line}: dialogue {dialogue.id}: {problem}")
    return found


def slot_problems(concept: Concept, slots: tuple[Slot, Slot]) -> list[str]:
    """What is wrong with the kinds of cue of a scaffold's slots, in words; empty when nothing is."""
    found = []
    for slot in slots:
        if slot.kind not in kinds():
            found.append(f"no kind of cue called {slot.kind!r}; known: {', '.join(kinds())}")
        if slot.kind == GIVES_AWAY.get(concept):
            found.append(f"a cue of kind {slot.kind!r} gives the answer to a question of {concept} away")
    if slots[0].kind == slots[1].kind:
        found.append(f"both cues are of kind {slots[0].kind!r}")
    return found


def problems(turns: list[Turn]) -> list[str]:
    """What is wrong with a scaffold's turns, in words; empty when nothing is."""
    found = []
    where = []
    for slot in SLOTS:
        holders = [i for i, turn in enumerate(turns) for _ in range(turn.text.count(slot))]
        if len(holders) != 1:
            found.append(f"slot {slot} stands {len(holders)} times; it must stand exactly once")
        elif turns[holders[0]].speaker != "user":
            found.append(f"slot {slot} stands in a turn of the chatbot; cues belong to the user")
        where += holders
    if not found and where[0] >= where[1]:
        found.append("slot {cue1} must come in an earlier turn than {cue2}")
    if not found and len(turns) - 1 - where[1] < 2:
        found.append("at least one exchange must follow the turn with {cue2}")
    if not turns or turns[0].speaker != "user" or turns[-1].speaker != "chatbot":
        found.append("the user speaks first and the chatbot last")
    if any(a.speaker == b.speaker for a, b in pairwise(turns)):
        found.append("speakers must alternate")
    return found


def make_scaffolds(scenes: Sequence[tuple[Scene, str]], seed: int) -> list[Scaffold]:
    """Three scaffolds a scene, one of each kind; the dialogues of a kind take turns over the scenes.

    Args:
        scenes: each with its place, as dialogues say it.
        seed: draws which dialogue begins.
    """
    seen: Counter[Concept] = Counter()
    made = []
    for scene, place in scenes:
        for kind in DIALOGUE_KINDS:
            choices = [d for d in dialogues(scene.concept) if d.kind == kind]
            random.Random(f"{seed}/dialogues/{scene.concept}/{kind}").shuffle(choices)
            made.append(_scaffold(scene, place, choices[seen[scene.concept] % len(choices)]))
        seen[scene.concept] += 1
    return made


def _scaffold(scene: Scene, place: str, dialogue: Dialogue) -> Scaffold:
    return Scaffold(
        id=f"{scene.id}/{dialogue.kind}",
        scene=scene.id,
        concept=scene.concept,
        kind=dialogue.kind,
        template=dialogue.id,
        slots=(dialogue.cue1, dialogue.cue2),
        turns=tuple(w.turn(scene.thing, place) for w in dialogue.turns),
    )


def fill_scaffolds(
    scaffolds: list[Scaffold], cultures: tuple[Culture, ...], seed: int, *, unverified: bool = False
) -> list[CuePair]:
    """The cues of every scaffold and culture; objective concepts only where the culture expects something.

    Raises:
        InputError: a culture has no cue of a kind that a scaffold asks for.
    """
    return [pair for scaffold in scaffolds for pair in _pairs(scaffold, cultures, seed, unverified)]


def _pairs(scaffold: Scaffold, cultures: tuple[Culture, ...], seed: int, unverified: bool) -> list[CuePair]:
    """The fills of one scaffold; cultures share a value in a slot only where there is no other way."""
    taken: tuple[set[str], set[str]] = (set(), set())
    others: tuple[set[str], set[str]] = (set(), set())
    pairs = []
    for culture in cultures:
        if not takes_part(culture, scaffold.concept):
            continue
        cues = _draw(f"{seed}/cues", scaffold, culture.code, taken, unverified)
        for used, cue in zip(others, cues, strict=True):
            used.add(cue.value)
        placebo = _draw(f"{seed}/placebo", scaffold, culture.code, others, unverified)
        pairs.append(CuePair(scaffold=scaffold.id, culture=culture.code, cues=cues, placebo=placebo))
    return pairs


def _draw(
    seed: str, scaffold: Scaffold, code: str, taken: tuple[set[str], set[str]], unverified: bool
) -> tuple[Cue, Cue]:
    """A cue a slot, not among those taken where there is another; what is drawn is taken from then on."""
    rng = random.Random(f"{seed}/{scaffold.id}/{code}")
    drawn = []
    for slot, used in zip(scaffold.slots, taken, strict=True):
        cue = draw_cue(code, slot.kind, rng, unverified=unverified, avoid=used)
        used.add(cue.value)
        drawn.append(cue)
    return drawn[0], drawn[1]


def takes_part(culture: Culture, concept: Concept) -> bool:
    """Whether the protocol has conversations of this culture on this concept."""
    return concept in SUBJECTIVE or concept in culture.accepted
