"""Do larger models of a family close the gap? (arXiv:2606.17688, research question 3)

Sizes are those of the models' registry (``engines/models.toml``, and the user's own rows), in billions of parameters;
what has no known size is left out. Two models are set side by side where size is all that tells them apart: one
family, the same thinking mode, quantisation and role, asked in the same way. They are compared conversation by
conversation (``statistics.gap``), and so are their gaps:

    (background − question) of the larger − (background − question) of the smaller

Below zero, the larger model leaves less of what it knows unused. Each table of tests is one family (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np

from homeground.engines import model_facts
from homeground.engines.registry import ModelFacts
from homeground.experiments.families import adjusted
from homeground.experiments.frame import Codes, Mask
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS, TASKS, Task
from homeground.statistics import Pairs, difference_of_gaps

_CONVERSATION = ("item", "culture", "condition")


class _Sized(NamedTuple):
    """A series whose model's size is known."""

    series: Series
    facts: ModelFacts
    billions: float


def sizes(study: Study) -> list[Table]:
    """Accuracy by size; larger minus smaller models of a family, in both tasks and in the gap between them."""
    sized = _sized(study)
    unknown = dict.fromkeys(
        series.model for series in study.series if model_facts(series.model).parameters is None
    )
    left_out = (f"Left out, since their size is not known: {', '.join(unknown)}.",) if unknown else ()
    pairing = (
        "Two models are paired where they are of one family with the same thinking mode, quantisation and role, and "
        "were asked in the same way.",
        *left_out,
    )
    return [
        study.table("sizes", "By size of the model", _accuracies(study, sized), across="level", notes=(
            "Parameters in billions.",
            *left_out,
        )),
        study.table("size_differences", "Larger minus smaller models of a family", _differences(study, sized), notes=(
            "Points, over the conversations that both answered. The country is always asked for directly.",
            *pairing,
        )),
        study.table("size_gap_differences", "Gaps of larger minus smaller models", _gaps(study, sized), notes=(
            "Points: the gap is names the country minus answers in its units; below zero, the larger model's gap is "
            "the smaller one. Over the conversations where both models answered both tasks; n counts them twice.",
            *pairing,
        )),
    ]  # fmt: skip


def _sized(study: Study) -> list[_Sized]:
    """Families in order of appearance, small models first."""
    found = []
    for series in study.series:
        facts = model_facts(series.model)
        if facts.parameters is not None:
            found.append(_Sized(series, facts, facts.parameters))
    families = list(dict.fromkeys(one.facts.family for one in found))
    return sorted(found, key=lambda one: (families.index(one.facts.family), one.billions))


def _accuracies(study: Study, sized: list[_Sized]) -> list[Row]:
    rows = []
    for series, facts, billions in sized:
        size = {"family": facts.family, "parameters": f"{billions:g}"}
        for task in TASKS:
            mine = _asked(study, series, task)
            for level in CONDITIONS:
                some = mine & study.frame.where(condition=level)
                if some.any():
                    by = {**series.by, **size, "task": task, "level": level}
                    rows.append(Row(by=by, estimate=study.accuracy(some)))
    return rows


def _asked(study: Study, series: Series, task: Task) -> Mask:
    return study.of(series) & study.objective & study.frame.where(task=task)


def _pairs(study: Study, sized: list[_Sized]) -> Iterator[tuple[Series, Series, dict[str, str]]]:
    """Larger and smaller of each pair that size alone tells apart, and what their rows speak of."""
    # A run that can be opened has answers, so names and runs go in step; a study of nothing has no names.
    specs = {name: run.spec for name, run in zip(study.frame.run.names, study.runs, strict=False)}

    def way(one: _Sized) -> tuple[object, ...]:
        facts, spec = one.facts, specs[one.series.run]
        model = (facts.family, facts.thinking, facts.quantisation, facts.role, facts.speciality)
        return (*model, spec.prompts, spec.framing, spec.temperature, spec.max_tokens)

    for larger, smaller in permutations(sized, 2):
        if larger.facts.family and way(larger) == way(smaller) and larger.billions > smaller.billions:
            one, two = larger.series, smaller.series
            runs = {"larger_run": one.run, "smaller_run": two.run} if one.run else {}
            yield one, two, {**runs, "family": larger.facts.family, "larger": one.model, "smaller": two.model}


def _differences(study: Study, sized: list[_Sized]) -> list[Row]:
    frame = study.frame
    rows = []
    done = set()
    for larger, smaller, models in _pairs(study, sized):
        for task in TASKS:
            # Background answers serve all strategies, so that their difference is one test, not one a strategy.
            strategies = ("direct", "direct") if task == "background" else (larger.strategy, smaller.strategy)
            test = (task, strategies[0], *models.values())
            if test in done or strategies[0] != strategies[1]:
                continue
            done.add(test)
            one, two = frame.pairs(_asked(study, larger, task), _asked(study, smaller, task), *_CONVERSATION)
            for level in CONDITIONS:
                some = frame.where(condition=level)[one]
                if some.any():
                    by = {**models, "strategy": strategies[0], "task": task, "level": level}
                    rows.append(study.gap(one[some], two[some], by))
    return adjusted(rows)


def _gaps(study: Study, sized: list[_Sized]) -> list[Row]:
    frame = study.frame
    conversations = frame.same(*_CONVERSATION)
    rows = []
    for larger, smaller, models in _pairs(study, sized):
        if larger.strategy != smaller.strategy:
            continue
        first, second = _both_tasks(study, larger), _both_tasks(study, smaller)
        _, one, two = np.intersect1d(
            conversations[first[0]], conversations[second[0]], return_indices=True, assume_unique=True
        )
        for level in CONDITIONS:
            at = frame.where(condition=level)[first[0][one]]
            if not at.any():
                continue
            found = difference_of_gaps(
                _answers(study, first[0][one[at]], first[1][one[at]]),
                _answers(study, second[0][two[at]], second[1][two[at]]),
            )
            by = {**models, "strategy": larger.strategy, "level": level}
            rows.append(Row(by=by, estimate=found.estimate, unit="points", p=found.p, test=found.test or ""))
    return adjusted(rows)


def _both_tasks(study: Study, series: Series) -> tuple[Codes, Codes]:
    """Places of background and question answers over the same conversations."""
    background, question = (_asked(study, series, task) for task in TASKS)
    return study.frame.pairs(background, question, *_CONVERSATION)


def _answers(study: Study, background: Codes, question: Codes) -> Pairs:
    frame = study.frame
    right = frame.correct == 1
    return Pairs(
        right[background], right[question], frame.cluster[background], frame.template.codes[background]
    )
