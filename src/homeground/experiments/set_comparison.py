"""Do two question sets tell models apart equally well (the table of the question paper, with intervals)?

Each set has its own items, so only models are in common. Beside each model's plain and oracle scores stand, for each
specialised model and the base model it was made from (``models.toml``), the specialised one's plain score minus the
base's over the same questions, and the difference of these gaps between sets, which are independent of each other
(``statistics.gap.difference_of_gaps``). Discriminative power and exhaustion follow at equal numbers of items
(``sets``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from homeground.engines import model_facts
from homeground.errors import InputError
from homeground.experiments.families import adjusted
from homeground.experiments.frame import Codes
from homeground.experiments.oracle import oracle
from homeground.experiments.sets import sets
from homeground.experiments.study import Series, Study, open_study
from homeground.experiments.table import Row, Table
from homeground.runs import Run, open_run
from homeground.statistics import Pairs, difference_of_gaps

_PLAIN = ("plain", "implicit")
"""How models are compared: without being told."""


class _Couple(NamedTuple):
    """A specialised model and its base in one set."""

    specialised: Series
    base: Series

    @property
    def by(self) -> dict[str, str]:
        return {"specialised": self.specialised.model, "base": self.base.model}


def open_sets(folders: Sequence[Run | Path | str]) -> list[Study]:
    """Runs as studies, one for each benchmark, in order of appearance.

    Raises:
        InputError: no such run, a run has no answers yet, or runs over one benchmark cannot be compared.
    """
    groups: dict[str, list[Run]] = {}
    for folder in folders:
        run = folder if isinstance(folder, Run) else open_run(folder)
        groups.setdefault(run.spec.digest, []).append(run)
    return [open_study(some) for some in groups.values()]


def compare_sets(studies: Sequence[Study]) -> list[Table]:
    """Tables ``set_scores``, ``pair_gaps`` and ``pair_gap_differences``, then those of ``sets``.

    Args:
        studies: one for each set; two or more.

    Raises:
        InputError: there is one set only.
    """
    if len(studies) < 2:
        raise InputError(
            "one question set alone: give runs over two or more, or use 'homeground experiment sets'"
        )
    names = [study.source.signature for study in studies]
    signature = " + ".join(study.signature for study in studies)
    scores = [
        replace(row, by={"set": name, **row.by})
        for name, study in zip(names, studies, strict=True)
        for row in oracle(study)[0].rows
    ]
    couples = [_couples(study) for study in studies]
    gaps = [
        study.gap(*_asked_of_both(study, couple), {"set": name, **couple.by})
        for name, study, some in zip(names, studies, couples, strict=True)
        for couple in some
    ]
    differences = [
        _difference(studies[i], one, studies[j], two, {**one.by, "set": names[i], "against": names[j]})
        for i, j in combinations(range(len(studies)), 2)
        for one in couples[i]
        for two in couples[j]
        if one.by == two.by and one.specialised.strategy == two.specialised.strategy
    ]
    nobody = (
        "" if any(couples) else "No specialised model stands beside its base; models.toml names such pairs."
    )
    table = studies[0].table
    tables = [
        table("set_scores", "Plain and oracle, set by set", scores, across="quantity"),
        table("pair_gaps", "A specialised model minus its base", adjusted(gaps), notes=(
            "Points, over the same questions asked plainly.", *filter(None, (nobody,)),
        )),
        table("pair_gap_differences", "Further apart in one set than in another?", adjusted(differences), notes=(
            "The gap in the one set minus the gap in the other, in points.",
        )),
    ]  # fmt: skip
    return [replace(one, signature=signature) for one in (*tables, *sets(studies[0], *studies[1:]))]


def _couples(study: Study) -> list[_Couple]:
    """Every specialised model of a study whose base is there too, under the same strategy."""
    found = []
    for one in study.series:
        facts = model_facts(one.model)
        if facts.role != "specialised":
            continue
        for two in study.series:
            if model_facts(two.model).name == facts.pair and one.strategy == two.strategy:
                found.append(_Couple(one, two))
    return found


def _asked_of_both(study: Study, couple: _Couple) -> tuple[Codes, Codes]:
    """The rows of both models that answer the same questions."""
    frame = study.frame
    asked = study.objective & frame.where(task="question")
    level = next((level for level in _PLAIN if (asked & frame.where(condition=level)).any()), _PLAIN[0])
    asked &= frame.where(condition=level)
    return frame.pairs(
        study.of(couple.specialised) & asked, study.of(couple.base) & asked, "item", "culture", "condition"
    )


def _pairs(study: Study, couple: _Couple) -> Pairs:
    one, two = _asked_of_both(study, couple)
    frame, right = study.frame, study.frame.correct == 1
    # Items of two sets are never the same, whatever they are called.
    items = [f"{study.source.signature}/{frame.scene.names[code]}" for code in frame.scene.codes[one]]
    return Pairs(right[one], right[two], items)


def _difference(one: Study, first: _Couple, two: Study, second: _Couple, by: dict[str, str]) -> Row:
    found = difference_of_gaps(_pairs(one, first), _pairs(two, second))
    note = "" if found.estimate.n else "no questions that both models answered in both sets"
    return Row(by=by, estimate=found.estimate, unit="points", p=found.p, test=found.test or "", note=note)
