"""What was said, right or wrong aside: kinds of answer, options chosen, and the order in which units were named."""

from __future__ import annotations

import numpy as np

from homeground.experiments.frame import KINDS, Codes
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS, OBJECTIVE, SUBJECTIVE

NO_OPTION = "no option"


def answers(study: Study) -> list[Table]:
    """Kinds of answer by culture and level, options by concept and level, accuracy by the system named first."""
    return [
        study.table("kinds", "What it answers instead", _kinds(study), across="kind", notes=(
            "“Hedged” names several systems or currencies, “another culture's” one that other users of this benchmark "
            "would expect, “nobody's” one that none of them would.",
        )),
        study.table("options", "Words for the time of day and for quantities", _options(study), notes=(
            "These have no right answer; what matters is whether they move with the user.",
        )),
        study.table("accuracy_by_first_system", "Does the order in the description matter?", _by_first(study),
                    across="level"),
    ]  # fmt: skip


def _kinds(study: Study) -> list[Row]:
    frame = study.frame
    rows = []
    for series in study.series:
        mine = study.of(series) & frame.where(task="question", concept=OBJECTIVE)
        for level in CONDITIONS:
            at = mine & frame.where(condition=level)
            for culture in frame.culture.names:
                some = np.flatnonzero(at & frame.culture.is_(culture))
                if len(some):
                    by = {**series.by, "culture": culture, "level": level}
                    rows += _shares(study, some, by, "kind", KINDS)
    return rows


def _options(study: Study) -> list[Row]:
    frame = study.frame
    rows = []
    for series in study.series:
        for concept in SUBJECTIVE:
            mine = study.of(series) & frame.where(task="question", concept=concept)
            names = [frame.said.names[code] for code in np.unique(frame.said.codes[mine])]
            for level in CONDITIONS:
                some = np.flatnonzero(mine & frame.where(condition=level))
                if len(some):
                    by = {**series.by, "concept": concept, "level": level}
                    rows += _shares(study, some, by, "option", sorted(names))
    return rows


def _shares(
    study: Study, some: Codes, by: dict[str, str], column: str, names: tuple[str, ...] | list[str]
) -> list[Row]:
    """The share of each name among the rows, of the column that ``kind`` and ``option`` stand for."""
    frame = study.frame
    values = frame.kind if column == "kind" else frame.said
    rows = []
    for name in names:
        is_ = values.is_(name)
        count = int(is_[some].sum())
        if count or column == "kind":
            named = {**by, column: name or NO_OPTION}
            rows.append(Row(by=named, estimate=study.share(is_, some), counts={"answers": count}))
    return rows


def _by_first(study: Study) -> list[Row]:
    """Accuracy of the question task, split by the system that a scene's description names first."""
    frame, scenes = study.frame, study.benchmark.scenes
    if study.runs[0].spec.grounding != "description":
        return []
    first = np.asarray([str(scenes[name].first_system) for name in frame.scene.names])[frame.scene.codes]
    rows = []
    for series in study.series:
        mine = study.of(series) & study.objective & frame.where(task="question")
        for system in ("metric", "imperial"):
            for level in CONDITIONS:
                some = np.flatnonzero(mine & (first == system) & frame.where(condition=level))
                if len(some):
                    by = {**series.by, "first": system, "level": level}
                    rows.append(Row(by=by, estimate=study.accuracy(some), beside=study.beside(some)))
    return rows
