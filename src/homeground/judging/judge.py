"""One answer, one cell: read it, then score it by both rulebooks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from homeground.judging.blocks import judged_part
from homeground.judging.depth import read_depth
from homeground.judging.reader import read_folded
from homeground.judging.rulebooks import careful, published_country, published_measure
from homeground.judging.text import fold
from homeground.judging.units import convert
from homeground.prompts import marker
from homeground.schema import Answer, Cell, Concept, Cue, Culture, Judgement, Reading, Scene

VERSION = "judge-2"
_ROOMS = ("judging", "cultures", "prompts")
"""Rooms whose files can change a judgement: the readers with their tables, names of countries, options."""


class Asked(NamedTuple):
    """What a judge must know of a cell beside the cell itself."""

    cultures: Mapping[str, Culture]
    """The cultures of the benchmark by code, the cell's own among them."""
    scene: Scene | None = None
    """What the picture shows; without it nobody asks whether a value is right."""
    cues: Sequence[Cue] = ()
    """The cues that the conversation holds."""
    marked: bool = True
    """A ``pragmatic`` answer stands behind the marker, since the model cannot think apart."""


@cache
def signature() -> str:
    """Version of the judges with a hash over every file that can change a judgement, so that any change shows."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        folder = Path(str(files(f"homeground.{room}")))
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".toml", ".json")):
            digest.update(f"{room}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return f"{VERSION}@{digest.hexdigest()[:8]}"


def judge_answer(cell: Cell, key: str, answer: Answer, asked: Asked) -> Judgement:
    """Read an answer and score it for a cell.

    Args:
        cell: who was asked what.
        key: the answer's key in the store.
        answer: what the model said.
        asked: the rest of what the judge must know.
    """
    after = cell.strategy == "pragmatic" and cell.task == "question" and asked.marked
    about: Concept | Literal["country"] = "country" if cell.task == "background" else _concept(cell)
    part = judged_part(answer.text, marker() if after else None)
    folded = None if part is None else fold(answer.text, *part)
    if answer.finish_reason == "content_filter":
        reading = Reading(status="refused")
    elif folded is None:
        reading = Reading(status="none")
    else:
        reading = read_folded(about, folded)
    expected = expected_of(cell, asked.cultures[cell.culture])
    text = folded.text if folded else ""
    published = (
        published_country(text, expected)
        if about == "country"
        else published_measure(_concept(cell), text, expected)
    )
    return Judgement(
        cell=cell,
        key=key,
        reading=reading,
        expected=expected,
        correct=careful(reading, expected) if expected else None,
        published=published if expected else None,
        hedged=reading.status == "both",
        value_right=value_right(reading, asked.scene) if cell.task == "question" else None,
        belongs_to=belongs_to(reading, cell, asked.cultures),
        depth=_depth(cell, answer, asked.cues, part[0] if part else len(answer.text) if after else 0),
    )


def expected_of(cell: Cell, culture: Culture) -> tuple[str, ...]:
    """What counts as right for a cell; empty where nothing is right or wrong."""
    if cell.task == "background":
        return (culture.code,)
    return culture.accepted.get(_concept(cell), ())


def belongs_to(reading: Reading, cell: Cell, cultures: Mapping[str, Culture]) -> tuple[str, ...]:
    """Codes of the cultures that would have expected this answer to the question task; empty for any other."""
    if cell.task == "background":
        return ()
    concept = _concept(cell)
    return tuple(
        code for code, culture in cultures.items() if careful(reading, culture.accepted.get(concept, ()))
    )


def _concept(cell: Cell) -> Concept:
    if cell.concept == "fact":
        raise ValueError("an answer to a question of a set is for judge_question")
    return cell.concept


def value_right(reading: Reading, scene: Scene | None) -> bool | None:
    """Whether a value is right once it is converted: within the scene's plausible range, a range by its middle.

    ``None`` where nobody can say: no value, no unit, a price, an option.
    """
    if scene is None or reading.value is None or reading.unit is None or reading.status not in ("ok", "both"):
        return None
    if scene.concept in ("price", "time_expression", "quantifier"):
        return None
    value = sum(reading.value) / 2 if isinstance(reading.value, tuple) else reading.value
    converted = convert(value, reading.unit, scene.unit)
    return None if converted is None else scene.plausible[0] <= converted <= scene.plausible[1]


def _depth(cell: Cell, answer: Answer, cues: Sequence[Cue], begins: int) -> int | None:
    """Depth of the reasoning that an answer shows, where it shows any: in its thinking, or before what is judged.

    ``begins`` says where in the text that is.
    """
    if cell.task != "question":
        return None
    reasoning = f"{answer.reasoning}\n{answer.text[:begins]}".strip()
    return read_depth(reasoning, cues).level if reasoning else None
