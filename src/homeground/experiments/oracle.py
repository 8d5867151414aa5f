"""What does telling a model whose culture is meant add to its score (plain against oracle)?

For each series, over the questions that were asked in both ways: the share right plain, the share right with the
oracle, their paired difference (Δ) with its tests and flips, and P(right plain | right with the oracle): of what the
model gets when it is told, how much does it get untold? Any two conditions can stand for the two; in conversations, a
country that can be inferred stands for plain and one that is said for the oracle. Where the questions were also asked
with another culture's oracle, ``foreign`` is the share that is still right for their own.
"""

from __future__ import annotations

from homeground.errors import InputError
from homeground.experiments.families import adjusted
from homeground.experiments.frame import Mask
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.schema import Estimate

_PAIRS = (("plain", "oracle"), ("implicit", "explicit"))
"""Which two conditions are compared unless others are named: the first of these that a study has."""


def oracle(study: Study, plain: str = "", told: str = "") -> list[Table]:
    """Plain against oracle by series; quantities are ``plain``, ``oracle``, ``gap`` and ``plain where oracle``.

    Where there is a foreign oracle too, ``foreign`` and ``oracle minus foreign``.

    Args:
        study: one run or several.
        plain: the condition that says less.
        told: the condition that says more; unless both are named, plain and oracle, or else implicit and explicit.

    Raises:
        InputError: the study has no answers to the question task under those that are named.
    """
    frame = study.frame
    pair = _conditions(study, plain, told)
    if pair is None:
        note = f"No questions under both {' or both '.join(' and '.join(names) for names in _PAIRS)}."
        return [study.table("plain_oracle", "Plain against oracle", [], notes=(note,))]
    plain, told = pair
    asked = study.objective & frame.where(task="question")
    rows, notes = [], []
    for series in study.series:
        mine = study.of(series) & asked
        one, two = mine & frame.where(condition=told), mine & frame.where(condition=plain)
        tolds, plains = frame.pairs(one, two, "item", "culture", "concept")
        alone = int(one.sum()) + int(two.sum()) - 2 * len(tolds)
        if alone:
            notes.append(
                f"{series.model}, {series.strategy}: {alone:,} answers without the other condition are left out."
            )
        if not len(tolds):
            continue
        knew = plains[frame.correct[tolds] == 1]
        rows += [
            _share(study.accuracy(plains), {**series.by, "quantity": "plain"}),
            _share(study.accuracy(tolds), {**series.by, "quantity": "oracle"}),
            study.gap(tolds, plains, {**series.by, "quantity": "gap"}),
            _share(study.accuracy(knew), {**series.by, "quantity": "plain where oracle"}),
        ]
        others = mine & frame.where(condition="foreign")
        if told == "oracle" and others.any():
            rows += _foreign(study, one, others, series.by)
    return [
        study.table(
            "plain_oracle",
            f"{plain.capitalize()} against {told}",
            adjusted(rows),
            across="quantity",
            notes=(
                *([] if told == "oracle" else [f"Plain is the level {plain}, oracle the level {told}."]),
                "The gap is oracle minus plain, in points. Plain where oracle: share right plain among the questions "
                "that are right with the oracle.",
                *notes,
            ),
        )
    ]


def _foreign(study: Study, told: Mask, others: Mask, by: dict[str, str]) -> list[Row]:
    """The same questions under another culture's oracle: what is right for their own culture should fall there."""
    tolds, foreign = study.frame.pairs(told, others, "item", "culture", "concept")
    return [
        _share(study.accuracy(foreign), {**by, "quantity": "foreign"}),
        study.gap(tolds, foreign, {**by, "quantity": "oracle minus foreign"}),
    ]


def _conditions(study: Study, plain: str, told: str) -> tuple[str, str] | None:
    """The two conditions; ``None`` where none were named and the study has neither of the usual pairs."""
    frame = study.frame
    asked = study.objective & frame.where(task="question")
    there = [name for name in frame.condition.names if (asked & frame.where(condition=name)).any()]
    for one, two in [(plain, told)] if plain or told else _PAIRS:
        if one in there and two in there and one != two:
            return one, two
    if not plain and not told:
        return None
    raise InputError(
        f"{study.runs[0].folder}: no questions under {plain!r} and {told!r} to compare; there are: "
        f"{', '.join(there) or 'none'}"
    )


def _share(estimate: Estimate, by: dict[str, str]) -> Row:
    note = "" if estimate.n else "nothing was right with the oracle"
    return Row(by=by, estimate=estimate, note=note)
