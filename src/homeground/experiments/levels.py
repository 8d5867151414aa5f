"""What a model knows of its user and what it acts on, by level of cue (arXiv:2606.17688, research question 1).

``background`` is whether the model names the user's country, ``question`` whether its answer uses that country's units
or currency; both over the objective concepts. Their paired difference is the gap; P(question right | background right)
asks the same more directly: of what it knew, how much did it act on? Contrast accuracy counts pairs of siblings with
both right, which no constant answer can reach (``statistics.contrast``).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from homeground.experiments.families import adjusted
from homeground.experiments.frame import Codes, Column, Mask
from homeground.experiments.people_ceiling import LEVEL
from homeground.experiments.siblings import contrast_of
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS, TASKS, Condition, CuePair, Task

_STRENGTHS = ("1", "2–3", "4–6", "7–10")
"""Of the ten published cultures, how many a cue fits; fewer say more."""
_CUED = ("cue1", "cue2", "implicit", "explicit")


def levels(study: Study) -> list[Table]:
    """Both tasks by level, and by concept, culture, kind and strength of cue; the gap; what was acted on; contrasts."""
    frame = study.frame
    return [
        study.table("accuracy_by_level", "Known and acted on, by level of cue", _split(study), across="level"),
        study.table("gap_by_level", "Known but not acted on", _gaps(study), notes=(
            "Points: names the country minus answers in its units, over the same conversations.",
        )),
        study.table("acted_by_level", "Acted on, where known", _acted(study), across="level", notes=(
            "Share of questions right among the conversations whose country the model named.",
        )),
        study.table("contrast_by_level", "Siblings told apart", _contrasts(study), across="level", notes=(
            "Share of pairs of conversations alike but for the cues, whose cultures expect different answers, with "
            "both right; a model that always says the same scores 0.",
        )),
        study.table("accuracy_by_culture", "By culture", _split(study, culture=frame.culture), across="level"),
        study.table(
            "accuracy_by_concept", "By concept", _split(study, frame.correct >= 0, concept=frame.concept),
            across="level",
        ),
        study.table("heat_map", "By culture and concept", _heat_map(study), across="concept"),
        study.table("accuracy_by_cue_kind", "By kind of the first cue", _by_first_cue(study, "kind"), notes=(
            "At level cue 1, where the conversation ends with the first cue.",
        )),
        study.table("accuracy_by_cue_strength", "By strength of cue", _by_first_cue(study, "fits"), notes=(
            "At level cue 1: how many of the ten published cultures the cue would fit too. 1 is a cue of that culture "
            "alone.",
        )),
    ]  # fmt: skip


def _split(study: Study, among: Mask | None = None, **columns: Column) -> list[Row]:
    """Accuracy by series, task and level, and by what the columns name; of objective concepts unless told."""
    frame = study.frame
    judged = study.objective if among is None else among
    rows = []
    for series in study.series:
        mine = study.of(series) & judged
        for task in TASKS:
            for level in CONDITIONS:
                some = mine & frame.where(task=task, condition=level)
                for by, group in _groups(some, columns):
                    named = {**series.by, **by, "task": task, "level": level}
                    told = int((frame.value_right[group] >= 0).sum())
                    rows.append(
                        Row(
                            by=named,
                            estimate=study.accuracy(group),
                            beside=study.beside(group) | _people(study, task, level, by),
                            counts={"valued": told},
                        )
                    )
    return rows


def _people(study: Study, task: Task, level: Condition, by: dict[str, str]) -> dict[str, float]:
    """What people reach on the same cultures and concepts, where they were asked the same."""
    if study.ceiling is None or (task, level) != ("question", LEVEL):
        return {}
    reached = study.ceiling.of(**by)
    return {"people": reached.value} if reached and reached.value is not None else {}


def _groups(rows: Mask, columns: dict[str, Column]) -> Iterable[tuple[dict[str, str], Codes]]:
    """The rows split by every combination of the columns' names that occurs, in order of appearance."""
    places = np.flatnonzero(rows)
    if not len(places):
        return
    key = np.zeros(len(places), dtype=np.int64)
    for column in columns.values():
        key = key * len(column.names) + column.codes[places]
    for one in np.unique(key):
        group = places[key == one]
        yield {name: column.names[column.codes[group[0]]] for name, column in columns.items()}, group


def _heat_map(study: Study) -> list[Row]:
    frame = study.frame
    rows = _split(study, culture=frame.culture, concept=frame.concept)
    return [
        replace(row, by={name: value for name, value in row.by.items() if name != "task"})
        for row in rows
        if row.by["task"] == "question"
    ]


def _by_first_cue(study: Study, what: str) -> list[Row]:
    """Accuracy at level cue 1, split by a property of the first cue."""
    frame = study.frame
    names: dict[str, int] = {}
    scaffolds, cultures = frame.item, frame.culture
    # One name for each pair of scaffold and culture, of which there are far fewer than rows.
    found = np.full((len(scaffolds.names), len(cultures.names)), -1, dtype=np.int64)
    for i, item in enumerate(scaffolds.names):
        for j, culture in enumerate(cultures.names):
            pair = study.benchmark.cues.get((item, culture))
            name = _name(pair, what) if pair else None
            if name is not None:
                found[i, j] = names.setdefault(name, len(names))
    codes = found[scaffolds.codes, cultures.codes]
    column = Column(np.maximum(codes, 0), tuple(names))
    rows = []
    for series in study.series:
        mine = study.of(series) & study.objective & frame.where(condition="cue1") & (codes >= 0)
        for task in TASKS:
            for by, group in _groups(
                mine & frame.where(task=task), {"kind" if what == "kind" else "strength": column}
            ):
                rows.append(Row(by={**series.by, **by, "task": task}, estimate=study.accuracy(group)))
    return sorted(rows, key=lambda row: _STRENGTHS.index(row.by["strength"])) if what == "fits" else rows


def _name(pair: CuePair, what: str) -> str | None:
    cue = pair.cues[0]
    if what == "kind":
        return cue.kind
    fits = len(cue.fits)
    if not fits:
        return None
    return next(name for name, most in zip(_STRENGTHS, (1, 3, 6, 10), strict=True) if fits <= most)


def _pairs(study: Study, series: Series, level: str) -> tuple[Codes, Codes]:
    """The rows of both tasks over the same conversations."""
    frame = study.frame
    mine = study.of(series) & study.objective & frame.where(condition=level)
    background, question = mine & frame.where(task="background"), mine & frame.where(task="question")
    used, known = frame.pairs(question, background, "run", "model", "item", "culture")
    return known, used


def _gaps(study: Study) -> list[Row]:
    rows = []
    for series in study.series:
        for level in CONDITIONS:
            known, used = _pairs(study, series, level)
            if len(known):
                row = study.gap(known, used, {**series.by, "level": level})
                published = study.frame.published
                difference = float(published[known].mean() - published[used].mean())
                rows.append(replace(row, beside={"published": difference}))
    return adjusted(rows)


def _acted(study: Study) -> list[Row]:
    rows = []
    for series in study.series:
        for level in CONDITIONS:
            known, used = _pairs(study, series, level)
            told = used[study.frame.correct[known] == 1]
            if len(known):
                note = "" if len(told) else "the model named no country right, so there is nothing to act on"
                by_rule = study.frame.published[used[study.frame.published[known] == 1]]
                beside = {"published": float(by_rule.mean())} if len(by_rule) else {}
                estimate = study.accuracy(told)
                rows.append(
                    Row(by={**series.by, "level": level}, estimate=estimate, beside=beside, note=note)
                )
    return rows


def _contrasts(study: Study) -> list[Row]:
    rows = []
    for series in study.series:
        for level in _CUED:
            mine = study.of(series) & study.objective & study.frame.where(task="question", condition=level)
            found = contrast_of(study, mine)
            if found.estimate.n:
                counts = {"both": found.both, "one": found.one, "neither": found.neither}
                rows.append(Row(by={**series.by, "level": level}, estimate=found.estimate, counts=counts))
    return rows
