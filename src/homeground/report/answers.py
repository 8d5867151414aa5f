"""Tables of what was said, right or wrong aside: options chosen, kinds of answer, depth of reasoning."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from homeground.report.tables import Series, belongs
from homeground.schema import CONDITIONS, OBJECTIVE, SUBJECTIVE, Concept, Condition, Judgement

NO_OPTION = "no option"
KINDS = ("right", "hedged", "another culture's", "nobody's", "no unit", "refused")
"""What an answer to the question task can be, for the user who asked."""
DEPTHS = ("L0", "L1", "L2", "L3")


class Options(NamedTuple):
    """How often each option was chosen for a subjective concept, at one level."""

    series: Series
    concept: Concept
    level: Condition
    counts: dict[str, int]
    """By option, and ``NO_OPTION`` for answers that settle on none."""


class Kinds(NamedTuple):
    """How a culture's questions were answered at one level, over the objective concepts."""

    series: Series
    level: Condition
    culture: str
    counts: dict[str, int]
    """By ``KINDS``."""


class Depths(NamedTuple):
    """How deep the reasoning went at one level."""

    series: Series
    level: Condition
    counts: dict[str, int]
    """By ``DEPTHS``."""


def options_chosen(judgements: Sequence[Judgement], series: Series) -> list[Options]:
    """Options by subjective concept and level."""
    counts: dict[tuple[Concept, Condition], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for judgement in judgements:
        cell = judgement.cell
        if cell.task == "question" and cell.concept in SUBJECTIVE and belongs(judgement, series):
            reading = judgement.reading
            chosen = reading.found[0] if reading.status == "ok" else NO_OPTION
            counts[cell.concept, cell.condition][chosen] += 1
    return [
        Options(series, concept, level, dict(counts[concept, level]))
        for concept in SUBJECTIVE
        for level in CONDITIONS
        if (concept, level) in counts
    ]


def kinds_of_answer(judgements: Sequence[Judgement], series: Series) -> list[Kinds]:
    """Kinds of answer to the question task by level and culture."""
    counts: dict[tuple[Condition, str], Counter[str]] = defaultdict(Counter)
    for judgement in judgements:
        cell = judgement.cell
        if cell.task == "question" and cell.concept in OBJECTIVE and belongs(judgement, series):
            counts[cell.condition, cell.culture][_kind(judgement)] += 1
    return [
        Kinds(series, level, culture, {kind: count[kind] for kind in KINDS})
        for (level, culture), count in sorted(counts.items(), key=lambda item: CONDITIONS.index(item[0][0]))
    ]


def _kind(judgement: Judgement) -> str:
    if judgement.correct:
        return "right"
    if judgement.hedged:
        return "hedged"
    if judgement.reading.status in ("ok", "ambiguous"):
        return "another culture's" if judgement.belongs_to else "nobody's"
    return "refused" if judgement.reading.status == "refused" else "no unit"


def depths_of_reasoning(judgements: Sequence[Judgement], series: Series) -> list[Depths]:
    """Depth of reasoning by level; empty where no answer shows any reasoning."""
    counts: dict[Condition, Counter[str]] = defaultdict(Counter)
    for judgement in judgements:
        if judgement.depth is not None and belongs(judgement, series):
            counts[judgement.cell.condition][DEPTHS[judgement.depth]] += 1
    return [
        Depths(series, level, {depth: counts[level][depth] for depth in DEPTHS})
        for level in CONDITIONS
        if level in counts
    ]
