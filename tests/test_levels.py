"""Columns, pairs and the tables by level: what is counted, once and by whom."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.errors import InputError
from homeground.experiments.catalogue import EXPERIMENTS, fitting, run_experiment
from homeground.experiments.levels import levels
from homeground.experiments.study import Study, open_study
from homeground.experiments.table import Row, Table
from homeground.plan import Selection
from homeground.runs.folder import Run
from homeground.runs.judge import judge_run
from homeground.schema import LEVELS, OBJECTIVE
from tests.simulated import simulated_run

TWO = {"openai:Qwen3-VL-8B-Instruct": 0.5, "openai:Qwen3-VL-32B-Instruct": 1.0}


@pytest.fixture(scope="module")
def run(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Run:
    selection = Selection(sample=120, strategies=("direct", "pragmatic"))
    return simulated_run(tmp_path_factory.mktemp("levels") / "run", benchmark, selection, TWO)


@pytest.fixture(scope="module")
def study(run: Run) -> Study:
    return Study([run], [judge_run(run)])


def table(tables: Iterable[Table], name: str) -> Table:
    return next(table for table in tables if table.name == name)


def numbers(value: object) -> Iterable[float]:
    """Every float anywhere in plain data."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for some in value.values():
            yield from numbers(some)
    elif isinstance(value, list | tuple):
        for some in value:
            yield from numbers(some)


def finite(tables: Iterable[Table]) -> bool:
    return all(math.isfinite(number) for number in numbers(msgspec.to_builtins(list(tables))))


def test_shares_are_those_of_the_judgements(study: Study) -> None:
    rows = table(levels(study), "accuracy_by_level").rows
    frame = study.frame
    assert len(rows) == 2 * 2 * 2 * len(LEVELS)
    for row in rows:
        mine = [
            judgement.correct
            for judgement in frame.judgements
            if judgement.cell.model == row.by["model"]
            and judgement.cell.task == row.by["task"]
            and judgement.cell.condition == row.by["level"]
            and judgement.cell.concept in OBJECTIVE
            and (judgement.cell.task == "background" or judgement.cell.strategy == row.by["strategy"])
        ]
        assert row.estimate.n == len(mine)
        assert row.estimate.value == pytest.approx(sum(map(bool, mine)) / len(mine))


def test_gaps_are_differences_of_shares_and_flips_add_up(study: Study) -> None:
    tables = levels(study)
    share = {frozenset(row.by.items()): row.estimate for row in table(tables, "accuracy_by_level").rows}
    for row in table(tables, "gap_by_level").rows:
        known = share[frozenset({**row.by, "task": "background"}.items())].value
        used = share[frozenset({**row.by, "task": "question"}.items())].value
        assert known is not None and used is not None and row.estimate.value is not None
        assert row.estimate.value == pytest.approx(known - used)
        flips = row.counts["only_first"] - row.counts["only_second"]
        assert flips == pytest.approx(row.estimate.value * row.estimate.n)
        assert row.holm is not None and row.p is not None and row.holm >= row.p


def test_a_prompt_that_serves_a_whole_concept_is_one_observation(study: Study) -> None:
    rows = table(levels(study), "accuracy_by_concept").rows
    blind = [row for row in rows if row.by["task"] == "background" and row.by["level"] == "null"]
    assert blind
    for row in blind:
        assert (row.estimate.clusters, row.estimate.low) == (1, None)


def test_pairs_agree_and_rows_without_a_partner_are_left_out(study: Study) -> None:
    frame = study.frame
    one = frame.where(task="question", strategy="direct")
    two = frame.where(task="background", culture=("FR", "US"))
    first, second = frame.pairs(one, two, "model", "item", "culture", "condition")
    assert len(first) == frame.where(task="question", strategy="direct", culture=("FR", "US")).sum()
    for a, b in zip(first, second, strict=True):
        left, right = frame.judgements[a].cell, frame.judgements[b].cell
        assert (left.task, right.task) == ("question", "background")
        assert (left.model, left.item, left.culture, left.condition) == (
            right.model, right.item, right.culture, right.condition,
        )  # fmt: skip


def test_a_model_that_always_says_the_same_tells_no_siblings_apart(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    selection = Selection(cultures=("US", "FR"), concepts=("temperature",), tasks=("question",))
    constant = Study(
        [run := simulated_run(tmp_path / "run", benchmark, selection, {"openai:constant": 0.0})],
        [judge_run(run)],
    )
    rows = table(levels(constant), "contrast_by_level").rows
    assert {row.by["level"] for row in rows} == {"cue1", "cue2", "implicit", "explicit"}
    assert all(row.estimate.value == 0 and row.counts["one"] == row.estimate.n > 0 for row in rows)


def test_strength_and_kind_cover_every_question_at_the_first_cue(study: Study) -> None:
    tables = levels(study)
    total = sum(
        row.estimate.n for row in table(tables, "accuracy_by_level").rows if row.by["level"] == "cue1"
    )
    for name in ("accuracy_by_cue_kind", "accuracy_by_cue_strength"):
        assert sum(row.estimate.n for row in table(tables, name).rows) == total


@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if "conversations" in one.kinds])
def test_no_experiment_shows_what_is_no_number(study: Study, name: str) -> None:
    tables = run_experiment(name, study)
    assert finite(tables)
    assert all(table.signature == study.signature for table in tables)
    assert all(set(row.by) <= set(table.columns) for table in tables for row in table.rows)


@pytest.mark.parametrize(
    "selection",
    [
        Selection(sample=1),
        Selection(sample=3, tasks=("background",)),
        Selection(sample=3, tasks=("question",), conditions=("null",)),
        Selection(concepts=("quantifier",), sample=2),
        Selection(cultures=("GB",), concepts=("price",), conditions=("explicit",), sample=1),
    ],
)
def test_odd_studies_have_words_where_there_is_no_number(
    benchmark: Benchmark, tmp_path: Path, selection: Selection
) -> None:
    run = simulated_run(tmp_path / "run", benchmark, selection, missing=(0, 2))
    odd = Study([run], [judge_run(run)], replicates=50)
    for name in fitting(odd):
        tables = run_experiment(name, odd)
        assert finite(tables)
        for row in (row for table in tables for row in table.rows):
            assert row.estimate.value is not None or row.note, (name, row)
            assert row.estimate.clusters >= 2 or row.estimate.low is None, (name, row)


def test_the_bootstrap_stands_beside_every_interval_where_asked(run: Run) -> None:
    checked = Study([run], [judge_run(run)], replicates=400)
    rows = [row for row in table(levels(checked), "accuracy_by_level").rows if row.estimate.clusters > 20]
    assert rows
    for row in rows:
        assert (
            row.estimate.boot is not None and row.estimate.low is not None and row.estimate.value is not None
        )
        low, high = row.estimate.boot
        assert low <= row.estimate.value <= high
        assert abs(low - row.estimate.low) < 0.15


def test_runs_that_cannot_be_compared_are_told_apart(benchmark: Benchmark, run: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the same run twice"):
        open_study([run, run.folder])
    small = simulated_run(tmp_path / "small", benchmark, Selection(sample=1))
    other = Run(small.folder, msgspec.structs.replace(small.spec, digest="other"))
    with pytest.raises(InputError, match="only runs over the same conversations can be compared"):
        Study([run, other], [[], []])
    seen = Run(small.folder, msgspec.structs.replace(small.spec, grounding="image"))
    with pytest.raises(InputError, match="never mixed"):
        Study([run, seen], [[], []])


def test_two_runs_make_one_study_with_their_names(benchmark: Benchmark, run: Run, tmp_path: Path) -> None:
    other = simulated_run(
        tmp_path / "other", benchmark, run.spec.selection, {"openai:Qwen3-VL-8B-Instruct": 0.9}
    )
    both = open_study([run, other])
    assert {series.run for series in both.series} == {run.folder.name, "other"}
    rows = table(levels(both), "gap_by_level").rows
    alone = table(levels(open_study([other])), "gap_by_level").rows
    mine = [row for row in rows if row.by["run"] == "other"]
    assert [row.estimate for row in mine] == [row.estimate for row in alone]


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "latex"])
def test_the_command_prints_every_form(run: Run, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["experiment", "levels", str(run.folder), "--table", "gap_by_level", "--format", form]) == 0
    said = capsys.readouterr().out
    assert "implicit" in said
    assert form != "text" or max(map(len, said.splitlines())) <= 80


def test_the_command_names_what_it_does_not_know(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "levels", str(run.folder), "--table", "nothing"]) == 2
    assert "one of accuracy_by_level" in capsys.readouterr().err


def test_rows_are_plain_data(study: Study) -> None:
    rows = table(levels(study), "gap_by_level").rows
    again = msgspec.json.decode(msgspec.json.encode(rows), type=tuple[Row, ...])
    assert again == rows
    assert np.isfinite([row.estimate.value for row in rows if row.estimate.value is not None]).all()
