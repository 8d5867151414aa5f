"""The tables of a run, from its judgements: accuracy by level, culture and concept, and what was acted on."""

from __future__ import annotations

import csv
import io
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


NO_OPTION = "no option"


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


class Options(NamedTuple):
    """How often each option was chosen for a subjective concept, at one level."""

    series: Series
    concept: Concept
    level: Condition
    counts: dict[str, int]
    """By option, and ``NO_OPTION`` for answers that settle on none."""


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
            floor=_share(_floor(j) for j in some),
        )
        for (task, level, name), some in sorted(
            groups.items(), key=lambda item: (TASKS.index(item[0][0]), CONDITIONS.index(item[0][1]))
        )
    ]


def acted(judgements: Sequence[Judgement], series: Series) -> list[Acted]:
    """For each level the gap between the tasks, and the questions right among backgrounds right."""
    background: dict[tuple[str, str, Condition], bool] = {}
    for judgement in judgements:
        cell = judgement.cell
        if cell.task == "background" and belongs(judgement, series):
            background[cell.item, cell.culture, cell.condition] = bool(judgement.correct)
    pairs: dict[Condition, list[tuple[bool, Judgement]]] = defaultdict(list)
    for judgement in judgements:
        cell = judgement.cell
        key = (cell.item, cell.culture, cell.condition)
        scored = cell.task == "question" and judgement.correct is not None
        if scored and belongs(judgement, series) and key in background:
            pairs[cell.condition].append((background[key], judgement))
    return [
        Acted(
            series=series,
            level=level,
            gap=paired_gap(
                [known for known, _ in pairs[level]],
                [bool(j.correct) for _, j in pairs[level]],
                [j.cell.scene for _, j in pairs[level]],
                [j.cell.template for _, j in pairs[level]],
            ),
            acted=_accuracy([j for known, j in pairs[level] if known]),
        )
        for level in CONDITIONS
        if pairs[level]
    ]


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


# ---- as files ------------------------------------------------------------------------------------


def rows_csv(rows: Iterable[Row], signature: str) -> str:
    """Rows as CSV; every row carries the run's signature."""
    return _csv(
        ["model", "strategy", "task", "level", "group", "accuracy", "low", "high", "se", "n", "clusters",
         "published", "hedged", "floor", "signature"],
        (
            [
                *r.series, r.task, r.level, r.group, *_numbers(r.estimate),
                *(f"{value:.6f}" for value in (r.published, r.hedged, r.floor)), signature,
            ]
            for r in rows
        ),
    )  # fmt: skip


def acted_csv(rows: Iterable[Acted], signature: str) -> str:
    """Gaps and shares acted on, as CSV."""
    return _csv(
        ["model", "strategy", "level", "gap", "gap_low", "gap_high", "gap_se", "n", "clusters",
         "only_background", "only_question", "acted", "acted_low", "acted_high", "acted_se", "acted_n",
         "acted_clusters", "signature"],
        (
            [
                *r.series, r.level, *_numbers(r.gap.estimate), r.gap.only_first, r.gap.only_second,
                *_numbers(r.acted), signature,
            ]
            for r in rows
        ),
    )  # fmt: skip


def options_csv(rows: Iterable[Options], signature: str) -> str:
    """Options chosen, as CSV."""
    return _csv(
        ["model", "strategy", "concept", "level", "option", "count", "signature"],
        (
            [*r.series, r.concept, r.level, option, count, signature]
            for r in rows
            for option, count in sorted(r.counts.items())
        ),
    )


def _numbers(estimate: Estimate) -> list[str]:
    shares = (estimate.value, estimate.low, estimate.high, estimate.se)
    texts = ["" if value is None else f"{value:.6f}" for value in shares]
    return [*texts, str(estimate.n), str(estimate.clusters)]


def _csv(header: list[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()
