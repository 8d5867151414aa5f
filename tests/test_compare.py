"""``homeground compare``: pairs, flips, baselines, what cannot be compared, and how it is printed."""

import contextlib
import csv
import io
import json
import shutil
import sqlite3
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from homeground.benchmarks import Benchmark
from homeground.cli.main import main
from homeground.experiments.compare import compare, flips, label, versus
from homeground.experiments.study import Study, open_study
from homeground.experiments.table import Row
from homeground.plan.cells import select
from homeground.schema import OBJECTIVE, Judgement
from tests.simulated import simulated_run
from tests.test_cli import refused

SMALL = select(sample=60, conditions=["neutral", "implicit", "explicit"])
MODEL = "openai:simulated"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, benchmark: Benchmark) -> dict[str, Path]:
    """Good and poor answers to the same; two strategies; a part; half of the answers; nothing in common."""
    folder = tmp_path_factory.mktemp("runs")
    two = select(sample=60, conditions=["implicit"], strategies=["direct", "pragmatic"])
    simulated_run(folder / "good", benchmark, SMALL)
    simulated_run(folder / "poor", benchmark, SMALL, {MODEL: 0.2})
    simulated_run(folder / "two", benchmark, two, {MODEL: 1.0, "openai:other/model": 0.5})
    simulated_run(folder / "part", benchmark, SMALL, {MODEL: 0.2}, missing=range(0, 200, 2))
    simulated_run(folder / "cue1", benchmark, select(sample=60, conditions=["cue1"]))
    simulated_run(
        folder / "background", benchmark, select(sample=60, tasks=["background"], conditions=["cue1"])
    )
    return {path.name: path for path in folder.iterdir()}


@cache
def opened(*folders: Path) -> Study:
    return open_study(folders)


def studied(runs: dict[str, Path], *names: str) -> Study:
    return opened(*(runs[name] for name in names))


def everything(study: Study, against: str = "") -> list[Row]:
    return [row for table in compare(study, against) for row in table.rows]


def test_flips_are_the_difference(runs: dict[str, Path]) -> None:
    study = studied(runs, "good", "poor")
    rows = everything(study)
    assert {row.by["level"] for row in rows} == {"neutral", "implicit", "explicit"}
    for row in rows:
        e, counts = row.estimate, row.counts
        assert e.value is not None
        assert counts["only_first"] - counts["only_second"] == round(e.n * e.value)
        assert counts["right_first"] - counts["right_second"] == round(e.n * e.value)
        assert row.p is not None
        assert row.holm is not None
        assert row.p <= row.holm <= 1
    worse = next(r for r in rows if r.by["task"] == "question" and r.by["level"] == "implicit")
    assert worse.estimate.high is not None
    assert worse.estimate.high < 0
    assert worse.holm is not None
    assert worse.holm < 0.01


def _cell(judgement: Judgement) -> tuple[str, str, str, str]:
    cell = judgement.cell
    return cell.task, cell.condition, cell.item, cell.culture


def test_flips_as_counted_by_hand(runs: dict[str, Path]) -> None:
    study = studied(runs, "good", "poor")
    right: dict[str, dict[tuple[str, str, str, str], bool]] = {"good": {}, "poor": {}}
    for judgement, code in zip(study.frame.judgements, study.frame.run.codes, strict=True):
        if judgement.cell.concept in OBJECTIVE and judgement.correct is not None:
            right[study.frame.run.names[code]][_cell(judgement)] = judgement.correct
    assert right["good"].keys() == right["poor"].keys()
    for row in compare(study)[0].rows:
        keys = [k for k in right["good"] if k[:2] == (row.by["task"], row.by["level"])]
        assert row.estimate.n == len(keys)
        assert row.counts["only_first"] == sum(right["poor"][k] and not right["good"][k] for k in keys)
        assert row.counts["only_second"] == sum(right["good"][k] and not right["poor"][k] for k in keys)


def test_turned_round_it_says_the_opposite(runs: dict[str, Path]) -> None:
    one, two = (everything(studied(runs, *names)) for names in (("good", "poor"), ("poor", "good")))
    assert len(one) == len(two)
    for there, back in zip(one, two, strict=True):
        assert there.estimate.value == -(back.estimate.value or 0)
        assert (there.p, there.holm, there.test) == (back.p, back.holm, back.test)
        assert there.counts["only_first"] == back.counts["only_second"]


def test_a_run_is_like_itself(runs: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(runs["good"], copy)
    study = open_study([runs["good"], copy])
    for row in everything(study):
        assert row.counts["only_first"] == row.counts["only_second"] == 0
        assert row.estimate.value == 0
        assert row.p in (1, None)
        assert row.holm in (1, None)
        assert not any(isinstance(x, float) and np.isnan(x) for x in (row.estimate.low, row.estimate.high))
    assert flips(study, versus(study), 9) == []


def test_the_baseline_is_of_the_same_strategy_and_then_model(runs: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(runs["two"], copy)
    study = open_study([runs["two"], copy])
    pairs = versus(study)
    assert [label(pair.one).removeprefix("copy: ") for pair in pairs] == [
        label(pair.base).removeprefix("two: ") for pair in pairs
    ]
    pairs = versus(study, MODEL)
    assert {(pair.one.strategy, pair.base.strategy, pair.base.model) for pair in pairs} == {
        (s, s, MODEL) for s in ("direct", "pragmatic")
    }
    bases = {label(pair.base) for pair in versus(study, f"{MODEL}/pragmatic")}
    assert bases == {f"two: {MODEL}/pragmatic"}


def test_background_is_compared_once_for_all_strategies(runs: dict[str, Path]) -> None:
    study = studied(runs, "two")
    rows = compare(study)[0].rows
    background = [row.by["model"] for row in rows if row.by["task"] == "background"]
    assert background == ["openai:other/model"]
    assert len([row for row in rows if row.by["task"] == "question"]) == 3
    assert not any(row.by["model"] == MODEL for row in compare(study, MODEL)[0].rows)


def test_strategies_of_one_run_are_compared(runs: dict[str, Path]) -> None:
    study = studied(runs, "two")
    rows = compare(study, "openai:other/model/pragmatic")[0].rows
    assert {row.by["against"] for row in rows} == {
        "openai:other/model/pragmatic",
        "openai:other/model/direct",  # of background, which is always asked directly
    }


def test_what_one_run_lacks_is_counted(runs: dict[str, Path]) -> None:
    study = studied(runs, "good", "part")
    pair = versus(study)[0]
    assert pair.only_one == 0
    assert pair.only_base > 0
    assert pair.only_base + len(pair.bases) == int((study.of(pair.base) & study.objective).sum())
    said = " ".join(compare(study)[0].notes)
    assert f"{pair.only_base:,} that good: {MODEL}/direct alone has" in said
    assert "Left out" not in " ".join(compare(studied(runs, "good", "poor"))[0].notes)


def test_by_culture_and_concept_at_the_strongest_level_both_have(
    runs: dict[str, Path], tmp_path: Path, benchmark: Benchmark
) -> None:
    weak = select(sample=60, conditions=["neutral", "explicit"])
    simulated_run(tmp_path / "weak", benchmark, weak)
    tables = compare(open_study([runs["good"], tmp_path / "weak"]))
    assert {row.by["level"] for table in tables[1:] for row in table.rows} == {"explicit"}
    tables = compare(studied(runs, "good", "poor"))
    assert {row.by["level"] for table in tables[1:] for row in table.rows} == {"implicit"}
    assert [row.by["culture"] for row in tables[1].rows] == [
        code for code in benchmark.cultures if any(row.by["culture"] == code for row in tables[1].rows)
    ]
    by_level = next(r for r in tables[0].rows if (r.by["task"], r.by["level"]) == ("question", "implicit"))
    for table in tables[1:]:
        assert sum(row.estimate.n for row in table.rows) == by_level.estimate.n
        assert sum(row.counts["only_second"] for row in table.rows) == by_level.counts["only_second"]


def test_background_alone_can_be_compared(runs: dict[str, Path]) -> None:
    rows = everything(studied(runs, "cue1", "background"))
    assert {row.by["task"] for row in rows} == {"background"}
    assert all(row.estimate.value == 0 for row in rows)


def test_flipped_answers_are_those_of_the_stores(runs: dict[str, Path]) -> None:
    study = studied(runs, "two")
    pairs = versus(study, f"{MODEL}/direct")
    shown = flips(study, pairs, 8)
    assert len(shown) == 8 * len(pairs)
    assert {flip.gained for flip in shown[:8]} == {True, False}
    assert len({flip.by["culture"] for flip in shown[:8]}) > 3
    with study.runs[0].store() as store:
        texts: dict[tuple[str, ...], str] = {
            (j.cell.model, j.cell.strategy, *_cell(j)): store.get([j.key])[j.key].text
            for j in study.frame.judgements
        }
    for flip in shown:
        right, wrong = (flip.found, flip.base_found) if flip.gained else (flip.base_found, flip.found)
        assert set(right) <= set(flip.expected)
        assert not set(wrong) & set(flip.expected)
        cell = tuple(flip.by[name] for name in ("task", "level", "item", "culture"))
        assert flip.answer == texts[(flip.by["model"], flip.by["strategy"], *cell)]
        assert flip.base_answer == texts[(MODEL, "direct", *cell)]
    assert flips(study, pairs, 0) == []
    assert flips(study, pairs, 8) == shown


def test_what_cannot_be_compared(
    runs: dict[str, Path], tmp_path: Path, benchmark: Benchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(runs["good"], other)
    spec = (other / "run.toml").read_text()
    (other / "run.toml").write_text(spec.replace('digest = "', 'digest = "0'))
    subjective = select(sample=10, concepts=["quantifier"], tasks=["question"])
    simulated_run(tmp_path / "options", benchmark, subjective)
    for words, said in (
        ([runs["good"]], "give a second run"),
        ([runs["good"], runs["good"]], "the same run twice"),
        ([runs["good"], runs["cue1"]], "no cells in common"),
        ([runs["good"], tmp_path / "options"], "no cells in common"),
        ([runs["good"], other], "only runs over the same conversations can be compared"),
        ([runs["good"], tmp_path / "nowhere"], "not a run's folder"),
        ([runs["good"], runs["poor"], "--against", "openai:x"], f"the first run has: good: {MODEL}/direct"),
        ([runs["good"], runs["poor"], "--json", "--format", "csv"], "not both"),
        ([runs["good"], runs["poor"], "--flips", "-1"], "whole number of at least 0"),
    ):
        assert said in refused(capsys, "compare", *words)


def test_settings_that_differ_are_said(runs: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(runs["good"], copy)
    spec = (copy / "run.toml").read_text()
    (copy / "run.toml").write_text(spec.replace('homeground = "', 'homeground = "9.'))
    said = " ".join(compare(open_study([runs["good"], copy]))[0].notes)
    assert "also differ in homeground" in said


def test_every_format_says_the_same(runs: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(runs["good"]), str(runs["poor"])]
    outs = {}
    for form in ("text", "csv", "markdown"):
        assert main([*words, "--format", form, "--flips", "2"]) == 0
        outs[form] = capsys.readouterr().out
    assert main([*words, "--json", "--flips", "2"]) == 0
    said = json.loads(capsys.readouterr().out)
    rows = said["tables"][0]["rows"]
    assert len(said["flips"]) == 2
    first = list(csv.DictReader(io.StringIO(outs["csv"].split("\n\n")[0])))
    assert [int(row["only_second"]) for row in first] == [row["counts"]["only_second"] for row in rows]
    for row in rows:
        assert f"+{row['counts']['only_first']} −{row['counts']['only_second']}" in outs["text"]
        assert f"\\+{row['counts']['only_first']} −{row['counts']['only_second']}" in outs["markdown"]
    for form in ("text", "markdown"):
        assert said["flips"][0]["answer"].split("\n")[0] in outs[form]
    assert "nan" not in "".join(outs.values()).lower()
    assert all(len(line) <= 80 for line in outs["text"].splitlines())


def test_answers_are_shown_bounded_and_harmless(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "nasty"
    shutil.copytree(runs["poor"], folder)
    nasty = "```\n# owned \x1b[31m <script>[bold]\u202e" + "x" * 5_000
    with contextlib.closing(sqlite3.connect(folder / "answers.sqlite")) as db, db:
        db.execute("DROP TRIGGER answers_are_never_changed")
        db.execute("UPDATE answers SET text = ?", (nasty,))
    for form in ("text", "markdown"):
        assert main(["compare", str(runs["good"]), str(folder), "--format", form, "--flips", "1"]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "<script>[bold]" in "".join(out.split())
        assert "more characters stand in answers.sqlite" in " ".join(out.split())
        if form == "markdown":
            fence = out[: out.index("# owned")].splitlines()[-2]
            assert fence == "````"
            assert out.count(fence) == 2
