"""Did this model, strategy or release answer otherwise than that one, over the same conversations?

Each answer of a series stands beside the answer of its baseline to the same item, culture, condition, task, concept and
draw; what only one of them has is counted and left out. Points are the share right in the series minus the share right
in the baseline over these pairs, with the clustered interval, the tests and the flips of ``statistics.gap``; the tests
of a table are one family (Holm 1979).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from homeground.errors import InputError
from homeground.experiments.families import adjusted
from homeground.experiments.frame import Codes, Column, Mask
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.runs import Run
from homeground.schema import CONCEPTS, CONDITIONS, LEVELS, TASKS, TOLD, Answer, Judgement, Record
from homeground.statistics.gap import FEW_FLIPS

PREFERRED = tuple(dict.fromkeys(("implicit", *reversed(LEVELS), *CONDITIONS, *TOLD)))
"""Where cultures and concepts are compared: the first of these that both sides have."""
_SETTINGS = ("homeground", "prompts", "framing", "max_tokens", "temperature")


class Versus(NamedTuple):
    """A series beside its baseline."""

    one: Series
    base: Series
    ones: Codes
    """Places of its answers, those of ``base`` beside them in ``bases``."""
    bases: Codes
    only_one: int
    """Answers without a partner in the baseline."""
    only_base: int
    """Answers of the baseline without a partner."""


class Flip(Record, frozen=True, kw_only=True):
    """One answer that is right on one side alone."""

    by: dict[str, str]
    """The series, its baseline, and the cell: task, level, concept, culture, item."""
    gained: bool
    """Right in the series and wrong in the baseline; otherwise the other way round."""
    expected: tuple[str, ...]
    answer: str
    """What the series said, as it came: unbounded, and with whatever characters the model gave."""
    found: tuple[str, ...]
    """What was read in it."""
    base_answer: str
    base_found: tuple[str, ...]


def compare(study: Study, against: str = "") -> list[Table]:
    """Differences by task and level, by culture and by concept, each table one family of tests.

    Args:
        study: one run or several.
        against: the baseline, see ``versus``.

    Raises:
        InputError: nothing can be compared.
    """
    pairs = versus(study, against)
    notes = [
        "Points: share right minus share right in the baseline, over answers that both have.",
        "Flips: right in the series alone (+), right in the baseline alone (−). p is adjusted for its whole table.",
        f"With fewer than {FEW_FLIPS} flips the t interval is not to be trusted; p is exact.",
        *(note for pair in pairs if (note := _left_out(pair))),
        *_settings(study),
    ]
    frame = study.frame
    return [
        study.table("comparison", "Against the baseline", _by_level(study, pairs), notes=notes),
        study.table(
            "comparison_by_culture",
            "Against the baseline, by culture",
            _split(study, pairs, "culture", frame.culture, study.source.cultures),
        ),
        study.table(
            "comparison_by_concept",
            "Against the baseline, by concept",
            _split(study, pairs, "concept", frame.concept, CONCEPTS),
        ),
    ]


def versus(study: Study, against: str = "") -> list[Versus]:
    """Every series beside its baseline: those of later runs beside one of the first, those of one run beside its first.

    Of several possible baselines the one of the same strategy is taken, then the one of the same model.

    Args:
        study: one run or several.
        against: a model, or model and strategy, as ``names_of`` has them; the first run's series, unless said.

    Raises:
        InputError: no such baseline, nothing beside it, or no answers that two sides share.
    """
    first = study.frame.run.names[0] if study.frame.run.names else ""
    there = [series for series in study.series if series.run == first]
    bases = [series for series in there if not against or against in names_of(series)]
    if not bases:
        known = ", ".join(map(label, there)) or "none"
        raise InputError(f"no series {against!r} to compare against; the first run has: {known}")
    several = len(study.runs) > 1
    if not several and not against:
        bases = bases[:1]
    others = [s for s in study.series if (s.run != first if several else s not in bases)]
    if not others:
        raise InputError(
            f"{study.runs[0].folder}: nothing to compare {label(bases[0])} with; give a second run"
        )
    found = [_paired(study, one, _baseline(one, bases)) for one in others]
    if not any(len(pair.ones) for pair in found):
        raise InputError(
            f"{' and '.join(str(run.folder) for run in study.runs)}: no cells in common that are right or wrong; "
            "compare runs over the same conditions, tasks and sample"
        )
    return found


def flips(study: Study, pairs: Sequence[Versus], most: int) -> list[Flip]:
    """Answers of each pair of series that are right on one side alone, spread over both ways, cultures and concepts.

    Args:
        study: what the pairs are of.
        pairs: from ``versus``.
        most: how many for each pair of series; the same ones for the same runs.
    """
    run_of = dict(zip(study.frame.run.names, study.runs, strict=True))
    found = []
    for pair in pairs:
        chosen = _chosen(study, pair, most)
        ones = [study.frame.judgements[pair.ones[place]] for place in chosen]
        bases = [study.frame.judgements[pair.bases[place]] for place in chosen]
        said = _answers(run_of[pair.one.run], ones)
        base_said = _answers(run_of[pair.base.run], bases)
        for one, base in zip(ones, bases, strict=True):
            cell = one.cell
            by = {
                "task": cell.task, "level": cell.condition, "concept": cell.concept, "culture": cell.culture,
                "item": cell.item,
            }  # fmt: skip
            found.append(
                Flip(
                    by={**_by(pair, cell.task), **by},
                    gained=bool(one.correct),
                    expected=one.expected,
                    answer=said[one.key].text,
                    found=one.reading.found,
                    base_answer=base_said[base.key].text,
                    base_found=base.reading.found,
                )
            )
    return found


def label(series: Series) -> str:
    """A series in one word or two: ``engine:model/strategy``, after the run's name where a study has several."""
    bare = f"{series.model}/{series.strategy}"
    return f"{series.run}: {bare}" if series.run else bare


def names_of(series: Series) -> tuple[str, ...]:
    """What a user can call a series: its model, with or without the strategy, each also after the run's name."""
    bare = (series.model, f"{series.model}/{series.strategy}")
    return (*bare, *(f"{series.run}: {name}" for name in bare)) if series.run else bare


def _baseline(one: Series, bases: Sequence[Series]) -> Series:
    return min(bases, key=lambda base: (base.strategy != one.strategy, base.model != one.model))


def _paired(study: Study, one: Series, base: Series) -> Versus:
    frame = study.frame
    first, second = study.of(one) & study.objective, study.of(base) & study.objective
    if (one.run, one.model) == (base.run, base.model):
        # Two strategies of one model share their background answers.
        asked = frame.where(task="question")
        first, second = first & asked, second & asked
    ones, bases = frame.pairs(first, second, "item", "culture", "condition", "task", "concept")
    return Versus(one, base, ones, bases, int(first.sum()) - len(ones), int(second.sum()) - len(bases))


def _by(pair: Versus, task: str) -> dict[str, str]:
    """Of background the strategy says nothing: it is always asked directly."""
    one, base = pair.one, pair.base
    if task == "background":
        one, base = one._replace(strategy="direct"), base._replace(strategy="direct")
    return {**one.by, "against": label(base)}


def _row(study: Study, pair: Versus, some: Mask, by: dict[str, str]) -> Row:
    ones, bases = pair.ones[some], pair.bases[some]
    row = study.gap(ones, bases, by)
    right = study.frame.correct == 1
    counts = {"right_first": int(right[ones].sum()), "right_second": int(right[bases].sum())}
    return replace(row, counts={**row.counts, **counts})


def _by_level(study: Study, pairs: Sequence[Versus]) -> list[Row]:
    """Each task at each level; background once for each two models, whatever their strategies."""
    frame = study.frame
    rows: dict[tuple[str, ...], Row] = {}
    for pair in pairs:
        for task in TASKS:
            for level in (*CONDITIONS, *TOLD):
                some = frame.where(task=task, condition=level)[pair.ones]
                by = {**_by(pair, task), "task": task, "level": level}
                if some.any():
                    rows.setdefault(tuple(by.values()), _row(study, pair, some, by))
    return adjusted(list(rows.values()))


def _split(
    study: Study, pairs: Sequence[Versus], name: str, column: Column, values: Iterable[str]
) -> list[Row]:
    """The question task, or background where only that was asked, at one level, by culture or concept."""
    frame = study.frame
    rows = []
    for pair in pairs:
        if not len(pair.ones):
            continue
        task = "question" if frame.where(task="question")[pair.ones].any() else "background"
        asked = frame.where(task=task)[pair.ones]
        levels = frame.condition
        level = next(level for level in PREFERRED if (asked & levels.is_(level)[pair.ones]).any())
        asked &= levels.is_(level)[pair.ones]
        for value in values:
            some = asked & column.is_(value)[pair.ones]
            if some.any():
                by = {**_by(pair, task), "task": task, "level": level, name: value}
                rows.append(_row(study, pair, some, by))
    return adjusted(rows)


def _left_out(pair: Versus) -> str:
    if not pair.only_one and not pair.only_base:
        return ""
    return (
        f"Left out: {pair.only_one:,} answers that {label(pair.one)} alone has, "
        f"{pair.only_base:,} that {label(pair.base)} alone has."
    )


def _settings(study: Study) -> list[str]:
    """What else differs between the runs, since a difference may come from that."""
    specs = [run.spec for run in study.runs]
    apart = {name: list(dict.fromkeys(str(getattr(spec, name)) for spec in specs)) for name in _SETTINGS}
    return [
        f"The runs also differ in {name}: {', '.join(values)}."
        for name, values in apart.items()
        if len(values) > 1
    ]


def _chosen(study: Study, pair: Versus, most: int) -> list[int]:
    """Places in the pair: each time a flip of the way, culture and concept shown least so far."""
    frame = study.frame
    right = frame.correct == 1
    one, base = right[pair.ones], right[pair.bases]
    left = [int(place) for place in np.flatnonzero(one != base)]
    cells = {place: frame.judgements[pair.ones[place]].cell for place in left}
    left.sort(key=lambda place: (cells[place].task != "question", PREFERRED.index(cells[place].condition)))
    seen: Counter[object] = Counter()
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = min(
            left,
            key=lambda place: (
                cells[place].task != "question",
                seen[bool(one[place])],
                seen[cells[place].culture] + seen[cells[place].concept],
            ),
        )
        left.remove(best)
        chosen.append(best)
        seen.update((bool(one[best]), cells[best].culture, cells[best].concept))
    return chosen


def _answers(run: Run, judgements: Sequence[Judgement]) -> dict[str, Answer]:
    with run.store() as store:
        return store.get(judgement.key for judgement in judgements)
