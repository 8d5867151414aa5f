"""Do cues of a culture change answers that are neither right nor wrong, and by more than anything else would?

Questions RQ5 and RQ6 of Miao, Zhu and Shwartz (2026, arXiv:2606.17688, sections 4.1 and 4.2), on times of day and
quantities. Over scaffolds, for cultures B:

    D_inter       = mean over pairs of cultures of Pr(y_B ≠ y_B'), at one level
    D_explicit(B) = Pr(y_B at explicit ≠ y_B at neutral)
    D_implicit(B) = Pr(y_B at implicit ≠ y_B at neutral)

Their floors are what changes where no culture does:

    D_placebo_cues(B)   = Pr(y_B with other cues of B ≠ y_B at implicit)
    D_placebo_filler(B) = Pr(y_B with filler ≠ y_B at neutral)
    D_rerun(B)          = Pr(y_B ≠ y_B drawn again), at one level

A rerun's floor of D_explicit and D_implicit is the mean of D_rerun at the level and at neutral. With shares P and Q of
the options at the two, what is above it has the expectation ½·Σ (P − Q)², which is zero if and only if P = Q (the
energy distance of Székely and Rizzo 2013, Journal of Statistical Planning and Inference 143(8), for categories).

Estimates and tests are those of ``statistics.divergence`` and ``statistics.extreme_cultures``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from homeground.experiments.families import adjusted
from homeground.experiments.frame import Codes, Mask
from homeground.experiments.option_grid import NOT_ASKED, OptionGrid
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import LEVELS, SUBJECTIVE, Level, Placebo
from homeground.statistics.clusters import ALPHA, Floats
from homeground.statistics.divergence import (
    MISSING,
    Divergence,
    changed,
    inter_culture,
    shifts_from_neutral,
)
from homeground.statistics.extreme_cultures import Extreme, extreme_cultures

BOTH = "both"
"""The concepts taken together, as the published tables do."""
ALL = "all"
"""Mean over cultures."""
WITH_CUES: tuple[Level, ...] = LEVELS[2:]
"""Levels that tell cultures apart."""
_DRAWN: tuple[Level, ...] = LEVELS[1:]
"""Levels whose answers are drawn again where there are several draws."""
_ANCHORS: dict[Placebo, Level] = {"placebo_cues": "implicit", "placebo_filler": "neutral"}
"""What a placebo is set against."""
_SHIFTS: tuple[Level, ...] = ("implicit", "explicit")
_SEED = 1
_SWAPS = 5_000
_LABEL_SWAPS = "culture labels swapped by scene"
_SIGN_FLIP = "sign flip by scene"
_WORDS = {
    "placebo_cues": "other cues of the same culture",
    "placebo_filler": "culture-free filler",
    "rerun": "a rerun",
}


def divergences(study: Study) -> list[Table]:
    """Divergences, what they have above their floors, and which cultures are the extremes.

    Tables ``divergences`` (concept, measure, level, culture; share), ``divergences_above_floor`` (also floor; points,
    p, holm) and ``divergence_extremes`` (concept, measure, extreme, culture; share, p, holm, verdict as note), each
    left out where it has no rows.
    """
    shares: list[Row] = []
    above: list[Row] = []
    ends: list[_End] = []
    floors: dict[str, None] = {}
    for series in study.series:
        for answers in _parts(study, series):
            shares += answers.shares()
            above += answers.above_floors()
            floors |= dict.fromkeys(answers.floors)
            if answers.pooled:
                ends += answers.extremes()
    return [
        table
        for table in (_shares(study, shares, floors), _above(study, above), _extremes(study, ends))
        if table.rows
    ]


def _shares(study: Study, rows: Sequence[Row], floors: Sequence[str] | dict[str, None]) -> Table:
    if floors:
        what = ", ".join(_WORDS[floor] for floor in floors)
        floor = f"What changes though no culture does was measured by: {what}. A divergence means something above it."
    else:
        floor = (
            "No floor was run (neither a placebo nor a second draw): how much of these would change though no culture "
            "does, nobody can say."
        )
    return study.table(
        "divergences",
        "Share of answers that change with the culture, where none is right or wrong",
        rows,
        across="culture",
        notes=(
            "Miao, Zhu and Shwartz 2026, sections 4.1 and 4.2. D_inter: mean over pairs of cultures at one level; the "
            "others: against the same culture's answer at neutral, placebo cues against implicit. Culture “all”: mean "
            "over cultures. left_out counts comparisons in which an answer settles on no option.",
            floor,
        ),
    )


def _above(study: Study, rows: Sequence[Row]) -> Table:
    return study.table(
        "divergences_above_floor",
        "Divergences above what changes though no culture does",
        _by_family(rows, _family),
        across="culture",
        notes=(
            "Paired over the same scaffolds. Holm over the cultures of a measure and floor; over measures and floors "
            "where culture is “all”; each for a series and concept by itself.",
        ),
    )


def _family(row: Row) -> tuple[str, ...]:
    own = () if row.by["culture"] == ALL else ("measure", "level", "floor")
    return tuple(row.by.get(name, "") for name in ("run", "model", "strategy", "concept", *own))


def _extremes(study: Study, ends: Sequence[_End]) -> Table:
    rows = adjusted([end.row for end in ends])
    return study.table(
        "divergence_extremes",
        "Cultures that answers shift most and least for",
        [replace(row, note=_verdict(row, end)) for row, end in zip(rows, ends, strict=True)],
        notes=(
            "Some culture always comes first. p: chance of an end as far out if labels of cultures meant nothing, "
            "or of a distance as large from any other culture, whichever is larger "
            f"({_SWAPS:,} swaps). Holm over the whole table.",
        ),
    )


def _verdict(row: Row, end: _End) -> str:
    name, extreme = row.by["culture"], row.by["extreme"]
    if row.holm is not None and row.holm <= ALPHA:
        return f"supported: {name} is {'the most alien' if extreme == 'most alien' else 'the closest'}"
    if end.extreme.p > ALPHA:
        return "not supported: the cultures differ by no more than chance"
    if len(end.extreme.cultures) > 1:
        return "not supported: several cultures share this end"
    if end.extreme.p_next > ALPHA:
        return f"not supported: {name} cannot be told from the next culture"
    return "not supported after the correction for several tests"


def _by_family(rows: Sequence[Row], family: Callable[[Row], Hashable]) -> list[Row]:
    """The rows with each p value adjusted for those of its family."""
    families: dict[Hashable, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        families[family(row)].append(place)
    result = list(rows)
    for places in families.values():
        for place, row in zip(places, adjusted([rows[place] for place in places]), strict=True):
            result[place] = row
    return result


class _Floor(NamedTuple):
    """What changes though no culture does."""

    name: str
    moved: Floats | Codes
    """By ``changed``, of shape rows × cultures."""


class _End(NamedTuple):
    """One end of a ranking of cultures."""

    row: Row
    extreme: Extreme


def _parts(study: Study, series: Series) -> Iterator[_Answers]:
    """The answers of a series on both concepts together, and on each where there are two."""
    frame = study.frame
    mine = study.of(series) & frame.where(task="question")
    there = [concept for concept in SUBJECTIVE if (mine & frame.where(concept=concept)).any()]
    if len(there) > 1:
        yield _Answers(study, series, BOTH, mine & frame.where(concept=SUBJECTIVE), pooled=True)
    for concept in there:
        yield _Answers(study, series, concept, mine & frame.where(concept=concept), pooled=len(there) == 1)


class _Answers:
    """A series' answers on some concepts, and what is computed from them."""

    def __init__(self, study: Study, series: Series, concept: str, rows: Mask, *, pooled: bool) -> None:
        """Take the answers of ``rows``, at least one."""
        self._grid = OptionGrid(study.frame, rows)
        self._by = {**series.by, "concept": concept}
        self.pooled = pooled
        """These are all the subjective answers of the series."""

    @property
    def floors(self) -> list[str]:
        """Which floors were run."""
        run: list[str] = [placebo for placebo in _ANCHORS if placebo in self._grid.conditions]
        return run + (["rerun"] if self._grid.draws > 1 else [])

    def shares(self) -> Iterator[Row]:
        """Every divergence and every floor."""
        grid = self._grid
        for level in WITH_CUES:
            yield from self._inter(level)
        for level in _SHIFTS:
            yield from self._against(f"D_{level}", level, grid.at(level), grid.at("neutral"))
        for placebo, level in _ANCHORS.items():
            yield from self._against(f"D_{placebo}", level, grid.at(placebo), grid.at(level))
        for level in _DRAWN if grid.draws > 1 else ():
            again = grid.again(level)
            if grid.draws == 2:
                again[1::2] = NOT_ASKED  # the second beside the first is the first beside the second
            yield from self._against("D_rerun", level, grid.at(level), again)

    def above_floors(self) -> Iterator[Row]:
        """Every divergence above every floor that was run for it."""
        grid = self._grid
        moved = {placebo: changed(grid.at(placebo), grid.at(level)) for placebo, level in _ANCHORS.items()}
        rerun = {level: changed(grid.at(level), grid.again(level)) for level in _DRAWN if grid.draws > 1}
        yield from self._inter("implicit", _Floor("placebo_cues", moved["placebo_cues"]))
        for level in WITH_CUES if rerun else ():
            yield from self._inter(level, _Floor("rerun", rerun[level]))
        for level in _SHIFTS:
            floors = [_Floor("placebo_filler", moved["placebo_filler"])]
            if level == "implicit":
                floors.append(_Floor("placebo_cues", moved["placebo_cues"]))
            if rerun:
                one, two = rerun[level], rerun["neutral"]
                floors.append(_Floor("rerun", np.where((one < 0) | (two < 0), MISSING, (one + two) / 2)))
            for floor in floors:
                yield from self._against(f"D_{level}", level, grid.at(level), grid.at("neutral"), floor)

    def extremes(self) -> Iterator[_End]:
        """Both ends of D_implicit and of D_explicit."""
        grid = self._grid
        for level in _SHIFTS:
            answers, neutral = grid.at(level), grid.at("neutral")
            both = extreme_cultures(changed(answers, neutral), grid.scenes, seed=_SEED, permutations=_SWAPS)
            each = shifts_from_neutral(answers, neutral, grid.scenes, grid.templates).by_culture
            for extreme, end in zip(("most alien", "closest"), both or (), strict=both is not None):
                names = [grid.cultures[column] for column in end.cultures]
                culture = ALL if len(names) == len(grid.cultures) else ", ".join(names)
                row = Row(
                    by=self._by | {"measure": f"D_{level}", "extreme": extreme, "culture": culture},
                    estimate=each[end.cultures[0]].estimate,
                    p=max(end.p, end.p_next),
                    test=_LABEL_SWAPS,
                )
                yield _End(row, end)

    def _inter(self, level: Level, floor: _Floor | None = None) -> Iterator[Row]:
        grid, answers = self._grid, self._grid.at(level)
        below = None if floor is None else floor.moved
        asked = (answers > NOT_ASKED).sum(axis=1)
        by = {"measure": "D_inter", "level": level, "culture": ALL}
        result = inter_culture(answers, grid.scenes, grid.templates, below)
        yield from self._row(by, result, int((asked * (asked - 1) // 2).sum()), floor)

    def _against(
        self, measure: str, level: Level, answers: Codes, anchor: Codes, floor: _Floor | None = None
    ) -> Iterator[Row]:
        grid = self._grid
        below = None if floor is None else floor.moved
        shifts = shifts_from_neutral(answers, anchor, grid.scenes, grid.templates, below)
        asked = ((answers > NOT_ASKED) & (anchor > NOT_ASKED)).sum(axis=0)
        by = {"measure": measure, "level": level}
        yield from self._row(by | {"culture": ALL}, shifts.mean, int(asked.sum()), floor)
        for name, one, cells in zip(grid.cultures, shifts.by_culture, asked.tolist(), strict=True):
            yield from self._row(by | {"culture": name}, one, cells, floor)

    def _row(self, by: dict[str, str], one: Divergence, asked: int, floor: _Floor | None) -> Iterator[Row]:
        if one.estimate.value is None:
            return
        yield Row(
            by=self._by | by | ({} if floor is None else {"floor": floor.name}),
            estimate=one.estimate,
            unit="share" if floor is None else "points",
            p=one.p,
            test="" if floor is None else _SIGN_FLIP,
            counts={"left_out": asked - one.estimate.n},
        )
