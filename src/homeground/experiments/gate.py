"""Does each series meet the requirements? What cannot be judged is not met.

Shares are held against their Korn–Graubard interval, which has a width at 0 and 1 too. The gap has a t interval, which
is not to be trusted with few flips and has no width without any; there its ends are those of the wider of two, it and
what the intervals of both kinds of flip give:

    [low(only background right) − high(only question right), high(only background right) − low(only question right)]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from homeground.errors import unknown
from homeground.experiments.compare import names_of
from homeground.experiments.frame import Codes
from homeground.experiments.requirements import Requirement
from homeground.experiments.siblings import contrast_of
from homeground.experiments.study import Series, Study
from homeground.schema import CONCEPTS, Estimate, Record
from homeground.statistics.accuracy import NOTHING
from homeground.statistics.gap import FEW_FLIPS


class Verdict(Record, frozen=True, kw_only=True):
    """One requirement, held against one series."""

    requirement: Requirement
    by: dict[str, str]
    """The series; without a strategy where the task is background, empty where there is no such series."""
    met: bool
    seen: float | None = None
    """The number that was held against the limit; ``None`` where there is none."""
    estimate: Estimate
    why: str = ""
    """Why it could not be judged; empty where it could."""


def check(study: Study, requirements: Sequence[Requirement]) -> list[Verdict]:
    """A verdict for each requirement and each series that it speaks of; at least one each."""
    found = []
    for requirement in requirements:
        series = [s for s in study.series if not requirement.series or requirement.series in names_of(s)]
        by: dict[tuple[str, ...], Series] = {}
        for one in series:
            by.setdefault(tuple(_by(one, requirement).values()), one)
        found += [_verdict(study, one, requirement) for one in by.values()]
        if not series:
            known = tuple(dict.fromkeys(names_of(one)[-1] for one in study.series))
            why = str(unknown("series", requirement.series, known))
            found.append(Verdict(requirement=requirement, by={}, met=False, estimate=NOTHING, why=why))
    return found


def _by(series: Series, requirement: Requirement) -> dict[str, str]:
    """Background is asked once for all strategies of a model."""
    by = series.by
    return {k: v for k, v in by.items() if k != "strategy"} if requirement.measure == "background" else by


def _verdict(study: Study, series: Series, requirement: Requirement) -> Verdict:
    estimate, why = _measured(study, series, requirement)
    seen = {"low": estimate.low, "value": estimate.value, "high": estimate.high}[requirement.bound]
    if not why and seen is None:
        why = "all answers are about one scene, or from one dialogue, which gives no interval"
    return Verdict(
        requirement=requirement,
        by=_by(series, requirement),
        met=not why and seen is not None and requirement.met_by(seen),
        seen=seen,
        estimate=estimate,
        why=why,
    )


def _measured(study: Study, series: Series, requirement: Requirement) -> tuple[Estimate, str]:
    """The estimate, or the reason why there is none."""
    frame, group = study.frame, requirement.group
    if group in CONCEPTS:
        rows = frame.where(concept=group)
    elif not group or group in study.source.cultures:
        rows = frame.where(culture=group or frame.culture.names)
    else:
        known = (*study.source.cultures, *CONCEPTS)
        return NOTHING, str(unknown("culture or concept", group, known))
    rows &= study.of(series) & frame.where(condition=requirement.level)
    asked = {task: rows & frame.where(task=task) for task in ("background", "question")}
    needed = {
        "question": ("question",), "background": ("background",), "contrast": ("question",),
    }.get(requirement.measure, ("background", "question"))  # fmt: skip
    # Both tasks are comparable over objective concepts alone; a country is right or wrong in front of any.
    scored = frame.correct >= 0 if group in CONCEPTS else study.objective
    for task in needed:
        if not asked[task].any():
            return NOTHING, f"no answers to the {task} task at level {requirement.level}{_of(group)}"
        if not (asked[task] & scored).any():
            return NOTHING, f"nothing is right or wrong at level {requirement.level}{_of(group)}"
    background, question = (asked[task] & scored for task in ("background", "question"))
    if requirement.measure == "contrast":
        found = contrast_of(study, question).estimate
        return found, "" if found.n else f"no two cultures expect different answers{_of(group)}"
    if len(needed) == 1:
        return study.accuracy(question if needed == ("question",) else background), ""
    used, known_rows = frame.pairs(question, background, "run", "model", "item", "culture", "concept")
    if not len(used):
        return NOTHING, "no conversation has both tasks answered"
    if requirement.measure == "gap":
        return _gap(study, known_rows, used), ""
    told = used[frame.correct[known_rows] == 1]
    return study.accuracy(told), "" if len(told) else "no country was named right, so none could be acted on"


def _of(group: str) -> str:
    return f" for {group}" if group else ""


def _gap(study: Study, known: Codes, used: Codes) -> Estimate:
    """Background minus question, with the wider interval where flips are few."""
    row = study.gap(known, used)
    estimate = row.estimate
    flips = row.counts["only_first"] + row.counts["only_second"]
    if flips >= FEW_FLIPS or estimate.low is None or estimate.high is None:
        return estimate
    right = study.frame.correct == 1
    shares = []
    for flipped in (right[known] & ~right[used], right[used] & ~right[known]):
        values = np.zeros(len(right), dtype=np.bool_)
        values[known] = flipped
        shares.append(_ends(study.share(values, known)))
    (low_known, high_known), (low_used, high_used) = shares
    return replace(
        estimate,
        low=min(estimate.low, low_known - high_used),
        high=max(estimate.high, high_known - low_used),
    )


def _ends(estimate: Estimate) -> tuple[float, float]:
    """The ends of a share's interval; nothing is known where there is none."""
    return (0.0 if estimate.low is None else estimate.low, 1.0 if estimate.high is None else estimate.high)
