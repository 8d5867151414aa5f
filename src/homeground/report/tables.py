"""The tables of a run, from its judgements: accuracy by level, culture and concept, and what was acted on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from homeground.schema import (
    CONDITIONS,
    OBJECTIVE,
    SUBJECTIVE,
    TASKS,
    Concept,
    Condition,
    Estimate,
    Judgement,
    Strategy,
    Task,
)
from homeground.statistics import Gap, accuracy, paired_gap

FLOOR_SYSTEM, FLOOR_CURRENCY, FLOOR_COUNTRY = "metric", "USD", "US"
"""What the chance floor always answers: metric and dollars, and the United States as the country."""


class Series(NamedTuple):
    """One model under one strategy of the question task."""

    model: str
    strategy: Strategy


class Row(NamedTuple):
    """One estimate of a table."""

    series: Series
    task: Task
    level: Condition
    group: str
    """``all``, a culture's code or a concept."""
    estimate: Estimate
    """By the careful rulebook."""
    published: float
    """Share right by the published rulebook."""
    hedged: float
    """Share of answers that gave several systems, currencies or countries."""
    lenient: float
    """Share right if an answer in several systems counted where one of them is expected."""
    value_right: float | None
    """Share of values that are right once converted, among those that can be told; ``None`` where none can."""
    valued: int
    """Answers whose value can be told."""
    floor: float
    """What always answering metric, dollars and the United States would score on the same cells."""


class Acted(NamedTuple):
    """Background against question over the same conversations, at one level."""

    series: Series
    level: Condition
    gap: Gap
    """Background minus question."""
    acted: Estimate
    """Share of questions right among those whose background was right."""
    published_gap: float
    """The same difference by the published rulebook."""
    published_acted: float | None
    """The same share by the published rulebook; ``None`` where no background is right by it."""


def series_of(judgements: Iterable[Judgement]) -> list[Series]:
    """Every model and question strategy, in order of appearance; ``direct`` where only background was asked."""
    seen = dict.fromkeys(
        Series(j.cell.model, j.cell.strategy) for j in judgements if j.cell.task == "question"
    )
    asked = {series.model for series in seen}
    for judgement in judgements:
        if judgement.cell.model not in asked:
            seen.setdefault(Series(judgement.cell.model, "direct"))
    return list(seen)


def belongs(judgement: Judgement, series: Series) -> bool:
    """Whether a judgement is part of a series; background answers serve all strategies of their model."""
    cell = judgement.cell
    return cell.model == series.model and (cell.task == "background" or cell.strategy == series.strategy)


def by_level(judgements: Sequence[Judgement], series: Series) -> list[Row]:
    """Both tasks by level, over the objective concepts, where background and question can be compared."""
    return _rows(judgements, series, OBJECTIVE, lambda j: "all")


def by_culture(judgements: Sequence[Judgement], series: Series) -> list[Row]:
    """Both tasks by level and culture, over the objective concepts."""
    return _rows(judgements, series, OBJECTIVE, lambda j: j.cell.culture)


def by_concept(judgements: Sequence[Judgement], series: Series) -> list[Row]:
    """Both tasks by level and concept; the subjective ones have a background row alone."""
    return _rows(judgements, series, (*OBJECTIVE, *SUBJECTIVE), lambda j: j.cell.concept)


def by_first_system(
    judgements: Sequence[Judgement], series: Series, first: Callable[[str], str | None]
) -> list[Row]:
    """The question task split by the system that the scene's description names first."""
    chosen = [j for j in judgements if j.cell.task == "question" and first(j.cell.scene)]
    return _rows(chosen, series, OBJECTIVE, lambda j: f"{first(j.cell.scene)} first")


def _rows(
    judgements: Sequence[Judgement],
    series: Series,
    concepts: tuple[Concept, ...],
    group: Callable[[Judgement], str],
) -> list[Row]:
    groups: dict[tuple[Task, Condition, str], list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        cell = judgement.cell
        if belongs(judgement, series) and cell.concept in concepts and judgement.correct is not None:
            groups[cell.task, cell.condition, group(judgement)].append(judgement)
    return [
        Row(
            series=series,
            task=task,
            level=level,
            group=name,
            estimate=_accuracy(some),
            published=_share(bool(j.published) for j in some),
            hedged=_share(j.hedged for j in some),
            lenient=_share(j.hedged_right for j in some),
            value_right=_share(told)
            if (told := [j.value_right for j in some if j.value_right is not None])
            else None,
            valued=len(told),
            floor=_share(_floor(j) for j in some),
        )
        for (task, level, name), some in sorted(
            groups.items(), key=lambda item: (TASKS.index(item[0][0]), CONDITIONS.index(item[0][1]))
        )
    ]


def acted(judgements: Sequence[Judgement], series: Series) -> list[Acted]:
    """For each level the gap between the tasks, and the questions right among backgrounds right."""
    background: dict[tuple[str, str, Condition], Judgement] = {}
    for judgement in judgements:
        cell = judgement.cell
        if cell.task == "background" and belongs(judgement, series):
            background[cell.item, cell.culture, cell.condition] = judgement
    pairs: dict[Condition, list[tuple[Judgement, Judgement]]] = defaultdict(list)
    for judgement in judgements:
        cell = judgement.cell
        known = background.get((cell.item, cell.culture, cell.condition))
        scored = cell.task == "question" and judgement.correct is not None
        if scored and belongs(judgement, series) and known is not None:
            pairs[cell.condition].append((known, judgement))
    return [_acted(series, level, pairs[level]) for level in CONDITIONS if pairs[level]]


def _acted(series: Series, level: Condition, pairs: Sequence[tuple[Judgement, Judgement]]) -> Acted:
    published = [(bool(known.published), bool(used.published)) for known, used in pairs]
    told = [used for known, used in published if known]
    return Acted(
        series=series,
        level=level,
        gap=paired_gap(
            [bool(known.correct) for known, _ in pairs],
            [bool(used.correct) for _, used in pairs],
            [used.cell.scene for _, used in pairs],
            [used.cell.template for _, used in pairs],
        ),
        acted=_accuracy([used for known, used in pairs if known.correct]),
        published_gap=_share(known for known, _ in published) - _share(used for _, used in published),
        published_acted=_share(told) if told else None,
    )


def _accuracy(judgements: Sequence[Judgement]) -> Estimate:
    return accuracy(
        [bool(j.correct) for j in judgements],
        [j.cell.scene for j in judgements],
        [j.cell.template for j in judgements],
    )


def _floor(judgement: Judgement) -> bool:
    return any(always in judgement.expected for always in (FLOOR_SYSTEM, FLOOR_CURRENCY, FLOOR_COUNTRY))


def _share(values: Iterable[bool]) -> float:
    known = list(values)
    return sum(known) / len(known)
