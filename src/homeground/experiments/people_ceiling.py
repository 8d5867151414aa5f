"""People's accuracy on the conversations of a study of models: read, matched to its benchmark, cut to its cells.

A ceiling stands beside a model's figure only where both speak of the same cultures and concepts; where they do not, it
is left out and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from homeground.errors import InputError
from homeground.files import read_json
from homeground.schema import Estimate, Level
from homeground.statistics.ceiling import CeilingPart, HumanCeiling

LEVEL: Level = "implicit"
"""What people saw."""
ALL = "all"
_NAMED = 5
"""Cells that a note names."""
_REMEDY = " 'annotate analyse' counts people on some cells alone, with --cultures and --concepts."


class Ceiling(NamedTuple):
    """What people reach on the cells that models were asked about, after exclusion."""

    who: str
    """``people`` or ``simulated people``."""
    study: str
    signature: str
    shares: dict[tuple[str, str], Estimate]
    """By culture and concept, ``all`` for all of them; only those parts that both asked alike."""
    notes: tuple[str, ...]
    """What a reader must know."""

    def of(self, culture: str = ALL, concept: str = ALL) -> Estimate | None:
        """The ceiling of a part; none where people and models were not asked about the same cells."""
        return self.shares.get((culture, concept))


def read_ceiling(path: Path) -> HumanCeiling:
    """Read a ``people.json`` that ``annotate analyse -o`` wrote.

    Raises:
        InputError: there is no such file, or it is not of the shape; names file and field.
    """
    return read_json(path, HumanCeiling)


def ceiling_for(human: HumanCeiling, benchmark: str, judge: str, cells: Iterable[tuple[str, str]]) -> Ceiling:
    """The ceiling of a study of models.

    Args:
        human: what people reach.
        benchmark: signature of the benchmark that the models were asked.
        judge: signature of the judge that read their answers.
        cells: cultures and objective concepts that the models were asked about at level ``implicit``.

    Raises:
        InputError: people answered another benchmark.
    """
    name, _, build = benchmark.rpartition("@")
    theirs, _, their_build = human.benchmark.rpartition("@")
    if name != theirs:
        raise InputError(
            f"the people of study {human.study!r} answered benchmark {human.benchmark}, the models {benchmark}; "
            "people's accuracy is a ceiling for the same benchmark alone"
        )
    notes = []
    if human.simulated:
        notes.append(f"The people of study {human.study} are simulated: a program made their answers up.")
    if build != their_build:
        notes.append(
            f"People answered another build of the benchmark ({human.benchmark}, the models {benchmark}): another "
            "seed, or other cultures, so other conversations of the same make."
        )
    if judge != human.judge:
        notes.append(f"People's answers were read by {human.judge}, the models' by {judge}.")
    asked, told = set(cells), _studied(human)
    shares: dict[tuple[str, str], Estimate] = {}
    for culture, concept, part in _parts(human):
        where = {c for c in told if culture in (ALL, c[0]) and concept in (ALL, c[1])}
        found = part.after.estimate
        if found and where == {c for c in asked if culture in (ALL, c[0]) and concept in (ALL, c[1])}:
            shares[culture, concept] = found
    notes += _differences(asked, told, human)
    return Ceiling(
        "simulated people" if human.simulated else "people", human.study, human.signature, shares, tuple(notes)
    )  # fmt: skip


def _parts(human: HumanCeiling) -> Iterable[tuple[str, str, CeilingPart]]:
    yield ALL, ALL, human.total
    for concept, part in human.by_concept.items():
        yield ALL, concept, part
    for culture, part in human.by_culture.items():
        yield culture, ALL, part
    for culture, concepts in human.by_cell.items():
        for concept, part in concepts.items():
            yield culture, concept, part


def _studied(human: HumanCeiling) -> set[tuple[str, str]]:
    return {
        (culture, concept)
        for culture, concepts in human.by_cell.items()
        for concept, part in concepts.items()
        if part.before.asked
    }


def _differences(asked: set[tuple[str, str]], told: set[tuple[str, str]], human: HumanCeiling) -> list[str]:
    """What people and models were not asked alike, and of whom no answer is left."""
    if not asked:
        return [f"People saw conversations at level {LEVEL}; no model was asked at that level."]
    notes = []
    for one, other, words, remedy in (
        (asked, told, "models but not people", ""),
        (told, asked, "people but not models", _REMEDY),
    ):
        if missing := sorted(one - other):
            notes.append(
                f"Asked of {words}: {_named(missing)}; people's accuracy is left out wherever these would "
                f"count.{remedy}"
            )
    none = sorted(
        (culture, concept)
        for culture, concept in asked & told
        if not human.by_cell[culture][concept].after.asked
    )
    if none:
        notes.append(f"Of people, no answer is left of {_named(none)}.")
    return notes


def _named(cells: list[tuple[str, str]]) -> str:
    """The first few cells by name."""
    words = ", ".join(f"{culture} {concept.replace('_', ' ')}" for culture, concept in cells[:_NAMED])
    return words + (f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else "")
