"""Does reasoning close the gap? (arXiv:2606.17688, research question 2)

Each strategy of a model stands beside the background task, which says how much it could have acted on. Two strategies
are compared over the conversations that both answered, pair by pair: the interval is a clustered t interval, the test
the sign flips of scenes or, with few flips, the exact McNemar test (``statistics.gap``). All tests of the table are one
family (Holm 1979).
"""

from __future__ import annotations

from itertools import combinations

from homeground.experiments.families import adjusted
from homeground.experiments.frame import Mask
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS, Task

QUANTITIES: dict[Task, str] = {"background": "names the country", "question": "answers in its units"}


def strategies(study: Study) -> list[Table]:
    """Each strategy beside the background task by level; the differences between two strategies of one model."""
    return [
        study.table("strategies", "Strategies beside what is known", _accuracies(study), across="level", notes=(
            "The country is asked for once and always directly: its rows are the same for all strategies of a model.",
        )),
        study.table("strategy_differences", "One strategy minus another", _differences(study), notes=(
            "Points: the strategy minus the one that it stands against, over the conversations that both answered. "
            "Flips: conversations right in the strategy alone (only first), or in the other alone (only second).",
        )),
    ]  # fmt: skip


def _accuracies(study: Study) -> list[Row]:
    rows = []
    for series in study.series:
        mine = study.of(series) & study.objective
        for task, quantity in QUANTITIES.items():
            for level in CONDITIONS:
                some = mine & study.frame.where(task=task, condition=level)
                if some.any():
                    by = {**series.by, "quantity": quantity, "level": level}
                    rows.append(Row(by=by, estimate=study.accuracy(some)))
    return rows


def _differences(study: Study) -> list[Row]:
    frame = study.frame
    rows = []
    for earlier, later in combinations(study.series, 2):
        if (earlier.run, earlier.model) != (later.run, later.model):
            continue
        one, two = frame.pairs(
            _questions(study, later), _questions(study, earlier), "item", "culture", "condition"
        )
        for level in CONDITIONS:
            some = frame.where(condition=level)[one]
            if some.any():
                by = {**later.by, "against": earlier.strategy, "level": level}
                rows.append(study.gap(one[some], two[some], by))
    return adjusted(rows)


def _questions(study: Study, series: Series) -> Mask:
    return study.of(series) & study.objective & study.frame.where(task="question")
