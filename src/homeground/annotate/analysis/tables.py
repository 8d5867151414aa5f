"""A study's answers as tables, each of which says whether its people were simulated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from homeground.annotate.analysis.agreement import agreement_on
from homeground.annotate.analysis.answers import ALL, Answers, cells_of
from homeground.annotate.lines import AnswerLine, Group
from homeground.experiments.table import Row, Table, Unit
from homeground.files import sha256_json
from homeground.report.numbers import percent
from homeground.schema import Estimate
from homeground.statistics.human_table import HumanLine, human_table
from homeground.version import __version__

SIMULATED = "Simulated: a program made these answers up, so they say nothing of people."
_WHEN = {"before": False, "after": True}
_GROUPS: tuple[Group, ...] = ("evaluation", "control")
_NAMED, _LONGEST = 12, 40
"""Typed units that a concept names, the most frequent; characters of each."""


def tables_of(answers: Answers, priming: str) -> list[Table]:
    """All tables that have a row; ``priming`` is the line on how people came to the items."""
    make = _Maker(answers)
    both, after = ((f"{when} {make.out}.", *make.shares) for when in ("Before and after", "After"))
    found = [
        make("people_exclusion", "who is left out", _exclusion(answers), across="quantity", notes=(
            _rules(answers), priming,
        )),
        make("people_excluded", "left out, by pseudonym", _excluded(answers), across="quantity"),
        make("people_accuracy_by_concept", "accuracy by concept", _by_concept(answers), across="exclusion",
             notes=both),
        make("people_accuracy_by_culture", "accuracy by culture", _by_culture(answers), across="exclusion",
             notes=both),
        make("people_accuracy_by_cell", "accuracy by culture and concept", _by_cell(answers), across="exclusion",
             notes=both),
        make("people_table_5", "answers kept and right, by concept and by culture", _table_5(answers),
             across="quantity", notes=("In the shape of table 5 of arXiv:2606.17688.", *after)),
        make("people_table_6", "people and answers of each cell", _table_6(answers), across="quantity", notes=(
            "In the shape of table 6 of arXiv:2606.17688. Sums count a person once for each cell.", *after,
        )),
        make("people_agreement", "agreement on an item", _agreement(answers), across="measure", notes=(
            "Of answers to the same item, evaluation and control, on the system or currency read first, or none; n "
            "counts the items with two answers or more. Intervals by resampling items; none where all agree.",
        )),
        make("people_seconds", "seconds on task", _seconds(answers), across="quantity", notes=(
            "All evaluation and control answers whose time is known, before exclusion.",
        )),
        make("people_units", "units typed in", _units(answers), notes=(
            "How many of the n evaluation and control answers, before exclusion, have a unit that was not on offer.",
        )),
    ]  # fmt: skip
    return [table for table in found if table.rows]


class _Maker:
    """Tables of one study: their signature, and what each of them must say."""

    def __init__(self, answers: Answers) -> None:
        study, rules = answers.study, answers.study.exclusion
        self.who = "Simulated people" if study.simulated else "People"
        self.first = (SIMULATED,) if study.simulated else ()
        parts = {
            "homeground": __version__,
            "study": study.id,
            "simulated": str(study.simulated).lower(),
            "benchmark": study.benchmark,
            "judge": study.judge,
            "exclusion": f"{rules.control_share:g}/{rules.control_fewest}/{rules.attention_missed}",
            "cells": f"{','.join(answers.cultures)}×{','.join(answers.concepts)}",
            "answers": sha256_json(answers.lines)[:8],
        }
        self.signature = "|".join(f"{name}:{value}" for name, value in parts.items())
        self.out = f"leaving out {len(answers.left_out)} of {len(answers.people)} people"
        self.shares = [
            "95 % intervals, clustered by person and by conversation; none with fewer than two of either."
        ]
        if answers.withdrawn:
            self.shares.append(
                f"Answers of people who withdrew: {answers.withdrawn}. Nobody knows whose they are, so each counts as "
                "a person of its own, and none is left out."
            )
        if unjudged := sum(line.correct is None for line in answers.of(*_GROUPS)):
            self.shares.append(f"Answers neither right nor wrong, which count for nothing: {unjudged}.")

    def __call__(
        self, name: str, title: str, rows: Sequence[Row], *, across: str = "", notes: Sequence[str] = ()
    ) -> Table:
        columns = dict.fromkeys(column for row in rows for column in row.by)
        return Table(
            name=name, title=f"{self.who}: {title}", columns=tuple(columns), rows=tuple(rows), across=across,
            notes=(*self.first, *(note for note in notes if note)), signature=self.signature,
        )  # fmt: skip


def _number(by: dict[str, str], value: float, n: int, unit: Unit = "count") -> Row:
    return Row(
        by=by, estimate=Estimate(value=value, low=None, high=None, se=None, n=n, clusters=n), unit=unit
    )


# ---- who is left out --------------------------------------------------------------------------------


def _rules(answers: Answers) -> str:
    rules = answers.study.exclusion
    said = (
        f"Left out is whoever has fewer than {percent(rules.control_share)} right of at least "
        f"{rules.control_fewest} control answers, or missed more than {rules.attention_missed} of the attention items; "
        f"evaluation answers play no part. Fixed on {answers.study.fixed}"
    )
    first = min((line.made for line in answers.lines), default="")
    if first and first < answers.study.fixed[:10]:
        return f"{said}: after the first answer ({first}), so the rules may have been chosen by what they do."
    return f"{said}."


def _exclusion(answers: Answers) -> list[Row]:
    rows = []
    for culture in (*answers.cultures, ALL):
        people = [person for person, of in answers.people.items() if culture in (ALL, of)]
        lines = [line for line in answers.lines if culture in (ALL, line.culture)]
        out = [answers.left_out[person] for person in people if person in answers.left_out]
        counts = {
            "people": len(people),
            "left out": len(out),
            "by control items": sum("control" in one.rules for one in out),
            "by attention items": sum("attention" in one.rules for one in out),
            "answers": len(lines),
            "answers of withdrawn": sum(not line.person for line in lines),
        }
        for quantity, count in counts.items():
            n = len(lines) if quantity.startswith("answers") else len(people)
            if lines:
                rows.append(_number({"culture": culture, "quantity": quantity}, count, n))
    return rows


def _excluded(answers: Answers) -> list[Row]:
    rows = []
    for one in answers.left_out.values():
        by = {"person": one.person, "culture": one.culture, "rule": " and ".join(one.rules)}
        (right, asked), (missed, told) = one.control, one.attention
        rows += [
            _number({**by, "quantity": "control right"}, right, asked),
            _number({**by, "quantity": "control asked"}, asked, asked),
            _number({**by, "quantity": "attention missed"}, missed, told),
        ]
    return rows


# ---- accuracy ---------------------------------------------------------------------------------------


def _shares(answers: Answers, by: dict[str, str], culture: str = ALL, concept: str = ALL) -> Iterator[Row]:
    """Both groups before and after; a group that was never asked here has no rows."""
    for group in _GROUPS:
        for when, after in _WHEN.items():
            found = answers.share(group, after=after, culture=culture, concept=concept)
            if found.n or (after and answers.of(group, culture=culture, concept=concept)):
                yield Row(by={**by, "group": group, "exclusion": when}, estimate=found)


def _by_concept(answers: Answers) -> list[Row]:
    names = (*answers.concepts, ALL)
    return [row for name in names for row in _shares(answers, {"concept": name}, concept=name)]


def _by_culture(answers: Answers) -> list[Row]:
    names = (*answers.cultures, ALL)
    return [row for name in names for row in _shares(answers, {"culture": name}, culture=name)]


def _by_cell(answers: Answers) -> list[Row]:
    return [
        row
        for culture in answers.cultures
        for concept in answers.concepts
        for row in _shares(answers, {"culture": culture, "concept": concept}, culture, concept)
    ]


def _table_5(answers: Answers) -> list[Row]:
    table = human_table(cells_of(answers))
    rows = []
    for concept in (c for c in answers.concepts if c in table.by_concept):
        rows += _line_5(answers, table.by_concept[concept], {"part": concept}, concept=concept)
    for culture, line in table.by_culture.items():
        rows += _line_5(answers, line, {"part": culture}, culture=culture)
    if rows:
        rows += _line_5(answers, table.total, {"part": ALL})
    return rows


def _line_5(
    answers: Answers, line: HumanLine, by: dict[str, str], culture: str = ALL, concept: str = ALL
) -> list[Row]:
    rows = [_number({**by, "quantity": "kept"}, line.kept, line.instances)]
    for group, asked in zip(_GROUPS, (line.evaluation, line.control), strict=True):
        if asked is not None:
            found = answers.share(group, after=True, culture=culture, concept=concept)
            rows.append(_number({**by, "quantity": f"{group} answers"}, asked[1], line.kept))
            rows.append(Row(by={**by, "quantity": f"{group} right"}, estimate=found))
    return rows


def _table_6(answers: Answers) -> list[Row]:
    cells = cells_of(answers)
    rows = []
    for cell in cells:
        line = human_table([cell]).total
        rows += _line_6(answers, line, cell.culture, cell.concept)
    return rows + (_line_6(answers, human_table(cells).total, ALL, ALL) if cells else [])


def _line_6(answers: Answers, line: HumanLine, culture: str, concept: str) -> list[Row]:
    by = {"culture": culture, "concept": concept}
    rows = [
        _number({**by, "quantity": "people"}, line.annotators, line.annotators),
        _number({**by, "quantity": "out"}, line.annotators_dropped, line.annotators),
        _number({**by, "quantity": "answers"}, line.instances, line.instances),
        _number({**by, "quantity": "kept"}, line.kept, line.instances),
    ]
    for group in _GROUPS if line.control is not None else _GROUPS[:1]:
        found = answers.share(group, after=True, culture=culture, concept=concept)
        rows.append(Row(by={**by, "quantity": group}, estimate=found))
    return rows


# ---- agreement, time, units -------------------------------------------------------------------------


def _agreement(answers: Answers) -> list[Row]:
    rows = []
    for concept in (*answers.concepts, ALL):
        for when, after in _WHEN.items():
            found = agreement_on(answers.of(*_GROUPS, after=after, concept=concept))
            by = {"concept": concept, "exclusion": when}
            measures: tuple[tuple[str, Estimate, Unit], ...] = (
                ("raw", found.raw, "share"), ("AC1", found.ac1, "number"), ("alpha", found.alpha, "number"),
            )  # fmt: skip
            rows += [
                Row(by={**by, "measure": name}, estimate=_with_width(one), unit=unit)
                for name, one, unit in measures
                if one.value is not None
            ]
    return rows


def _with_width(estimate: Estimate) -> Estimate:
    """Without its interval where that has no width: resampling items that are all alike finds nothing else."""
    return replace(estimate, low=None, high=None, se=None) if estimate.low == estimate.high else estimate


def _each_concept(answers: Answers) -> Iterator[tuple[str, list[AnswerLine]]]:
    for concept in (*answers.concepts, ALL):
        yield concept, answers.of(*_GROUPS, concept=concept)


def _seconds(answers: Answers) -> list[Row]:
    rows = []
    for concept, lines in _each_concept(answers):
        seconds = [line.seconds for line in lines if line.seconds is not None]
        if seconds:
            for name, value in zip(
                ("first quartile", "median", "third quartile"),
                np.quantile(seconds, (0.25, 0.5, 0.75)),
                strict=True,
            ):
                by = {"concept": concept, "quantity": name}
                rows.append(_number(by, float(value), len(seconds), "number"))
    return rows


def _units(answers: Answers) -> list[Row]:
    rows = []
    for concept, lines in _each_concept(answers):
        typed = Counter(_typed(line.unit) for line in lines if line.other)
        if not typed:
            continue
        rows.append(_number({"concept": concept, "typed": "any"}, typed.total(), len(lines)))
        if concept == ALL:
            continue
        order: Callable[[tuple[str, int]], tuple[int, str]] = lambda pair: (-pair[1], pair[0])  # noqa: E731
        ranked = sorted(typed.items(), key=order)
        rows += [
            _number({"concept": concept, "typed": f"“{unit}”"}, count, len(lines))
            for unit, count in ranked[:_NAMED]
        ]
        if rest := sum(count for _, count in ranked[_NAMED:]):
            rows.append(_number({"concept": concept, "typed": "others"}, rest, len(lines)))
    return rows


def _typed(unit: str) -> str:
    return " ".join(unit.casefold().split())[:_LONGEST]
