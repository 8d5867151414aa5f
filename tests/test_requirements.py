"""``homeground check``: the expressions, the gate on simulated runs, and what is written for a build server."""

import json
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.benchmarks import Benchmark
from homeground.cli.check import junit, markdown
from homeground.cli.main import main
from homeground.errors import InputError
from homeground.experiments.gate import Verdict, check
from homeground.experiments.levels import levels
from homeground.experiments.requirements import (
    BOUNDS,
    MEASURES,
    OPS,
    Requirement,
    parse_requirement,
    read_requirements,
)
from homeground.experiments.study import Study, open_study
from homeground.plan.cells import select
from homeground.schema import CONCEPTS, CONDITIONS, Estimate
from homeground.statistics.accuracy import NOTHING
from tests.simulated import simulated_run
from tests.test_cli import refused

MODEL = "openai:simulated"
PIECES = (
    *MEASURES, *CONDITIONS, *CONCEPTS, *BOUNDS, *OPS, "FR", "school-teachers", ".", " ", "[", "]", "%", "0.8", "80",
    "-1", "==", "#", "\n", "[a/b]", "nan", "inf", "1e999", "٣", "0.8.1",
)  # fmt: skip


def shares(least: float) -> st.SearchStrategy[float]:
    return st.floats(least, 1).filter(lambda x: str(x) != "-0.0")


@st.composite
def requirements(draw: st.DrawFn) -> Requirement:
    measure = draw(st.sampled_from(MEASURES))
    groups = st.sampled_from(("", *CONCEPTS))
    if measure != "contrast":
        groups |= st.from_regex(r"[A-Z]{2}(-[A-Z0-9]{1,8})?|[a-z][a-z0-9-]{2,40}", fullmatch=True)
    names = st.text(st.characters(exclude_characters="[]"), max_size=20).map(str.strip)
    return Requirement(
        series=draw(names.filter(str.isprintable)),
        measure=measure,
        level=draw(st.sampled_from(CONDITIONS)),
        group=draw(groups),
        bound=draw(st.sampled_from(BOUNDS)),
        op=draw(st.sampled_from(OPS)),
        limit=draw(shares(-1 if measure == "gap" else 0)),
    )


@given(requirements())
def test_what_is_written_is_read(requirement: Requirement) -> None:
    assert parse_requirement(str(requirement)) == requirement


@given(requirements(), st.lists(st.sampled_from(["", " ", "  ", "\t"]), min_size=4, max_size=4))
def test_spaces_count_for_nothing(requirement: Requirement, spaces: list[str]) -> None:
    r = requirement
    target = f"{r.measure}.{r.level}" + (f".{r.group}" if r.group else "")
    series = f"[{r.series}]" if r.series else ""
    text = f"{series}{spaces[0]}{target} {spaces[1]}{r.bound}{spaces[2]}{r.op}{spaces[3]}{r.limit!r}"
    assert parse_requirement(text) == r


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        found = parse_requirement(text)
    except InputError as error:
        said = str(error)
        assert said.startswith("requirement ")
        assert "column " in said
        assert said.isprintable()
        assert 1 <= int(said.rpartition("column ")[2].partition(":")[0]) <= len(text) + 1
    else:
        assert parse_requirement(str(found)) == found


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("question.implicit >= 0.8", "question.implicit low >= 0.8"),
        ("question.implicit>=80%", "question.implicit low >= 0.8"),
        ("question.implicit.FR value >= 80 %", "question.implicit.FR value >= 0.8"),
        ("gap.implicit <= 0.2", "gap.implicit high <= 0.2"),
        ("gap.explicit < -5 %", "gap.explicit high < -0.05"),
        ("acted.implicit.temperature low >= .5", "acted.implicit.temperature low >= 0.5"),
        ("[openai:a/b/direct] contrast.cue1 > 1e-3", "[openai:a/b/direct] contrast.cue1 low > 0.001"),
        (" background.null high\t<= 1 ", "background.null high <= 1.0"),
    ],
)
def test_what_expressions_mean(text: str, means: str) -> None:
    assert str(parse_requirement(text)) == means


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "expected TASK.LEVEL"),
        ("qestion.implicit > 0", 1, "did you mean question?"),
        ("question > 0", 9, "expected a level"),
        ("question.implict > 0", 10, "did you mean implicit?"),
        ("question.implicit. > 0", 19, "expected a culture or a concept"),
        ("question.implicit.FR.size > 0", 21, "not 4 parts"),
        ("contrast.implicit.FR > 0", 19, "name a concept"),
        ("question.implicit lower > 0", 19, "did you mean low?"),
        ("question.implicit == 0.8", 19, "no operator '=='"),
        ("question.implicit 0.8", 19, "expected an operator"),
        ("question.implicit >=", 21, "expected a number"),
        ("question.implicit >= 80", 22, "did you mean 80 %?"),
        ("question.implicit >= -0.1", 22, "from 0 to 1"),
        ("question.implicit >= nan", 22, "expected a number"),
        ("gap.implicit <= 101 %", 17, "from -1 to 1"),
        ("question.implicit >= 0.8 please", 26, "nothing can follow"),
        ("[] question.implicit > 0", 2, "expected a model"),
        ("[a question.implicit > 0", 1, "a bracket that closes"),
    ],
)
def test_where_the_fault_is(text: str, column: int, said: str) -> None:
    with pytest.raises(InputError) as error:
        parse_requirement(text)
    assert f"column {column}: " in str(error.value)
    assert said in str(error.value)


def test_a_file_of_requirements(tmp_path: Path) -> None:
    path = tmp_path / "gate.txt"
    path.write_text("# what we promise\n\nquestion.implicit >= 80 %\r\n  gap.implicit <= 0.2  \n")
    assert list(map(str, read_requirements(path))) == [
        "question.implicit low >= 0.8", "gap.implicit high <= 0.2",
    ]  # fmt: skip
    path.write_text("question.implicit >= 80 %\n\nquestion.implicit >= 80\n")
    with pytest.raises(InputError, match=r"gate\.txt:3: requirement .* column 22"):
        read_requirements(path)


# ---- the gate -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, benchmark: Benchmark) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("gate")
    some = select(sample=150, conditions=["null", "implicit", "explicit"], strategies=["direct", "pragmatic"])
    simulated_run(folder / "good", benchmark, some)
    simulated_run(folder / "poor", benchmark, some, {MODEL: 0.2})
    part = select(sample=20, conditions=["implicit"])
    simulated_run(folder / "part", benchmark, part, missing=range(5))
    simulated_run(folder / "one", benchmark, select(sample=1, conditions=["implicit"], concepts=["price"]))
    return {path.name: path for path in folder.iterdir()}


@cache
def opened(folder: Path) -> Study:
    return open_study([folder])


def judged(folder: Path, text: str) -> list[Verdict]:
    return check(opened(folder), [parse_requirement(text)])


@pytest.mark.parametrize(
    "text",
    [
        f"[{MODEL}/pragmatic] question.implicit >= 0.5",
        f"[{MODEL}/pragmatic] question.implicit.temperature >= 0.35",
        f"[{MODEL}/pragmatic] question.implicit.JP value >= 50 %",
        f"[{MODEL}/pragmatic] gap.implicit <= 0.3",
        f"[{MODEL}/pragmatic] acted.implicit > 60 %",
        f"[{MODEL}/pragmatic] contrast.implicit value > 40 %",
    ],
)
def test_a_skilled_model_passes_what_another_fails(runs: dict[str, Path], text: str) -> None:
    (good,), (poor,) = judged(runs["good"], text), judged(runs["poor"], text)
    assert good.met, good
    assert not poor.met, poor
    assert good.why == poor.why == ""
    assert good.seen is not None


def test_every_series_must_pass(runs: dict[str, Path]) -> None:
    both = judged(runs["good"], "question.implicit >= 0.7")
    assert {(v.by["strategy"], v.met) for v in both} == {("direct", False), ("pragmatic", True)}
    assert len(judged(runs["good"], f"[{MODEL}] question.implicit >= 0.7")) == 2
    (once,) = judged(runs["good"], "background.implicit >= 0.7")
    assert once.by == {"model": MODEL}


def test_estimates_are_those_of_the_tables(runs: dict[str, Path]) -> None:
    study = opened(runs["good"])
    tables = {table.name: table for table in levels(study)}
    seen = 0
    for measure, name in (
        ("gap", "gap_by_level"),
        ("acted", "acted_by_level"),
        ("contrast", "contrast_by_level"),
    ):
        for row in tables[name].rows:
            text = f"[{row.by['model']}/{row.by['strategy']}] {measure}.{row.by['level']} value >= 0"
            (verdict,) = judged(runs["good"], text)
            assert verdict.estimate.value == row.estimate.value
            assert verdict.estimate.n == row.estimate.n
            seen += row.estimate.value is not None
    assert seen > 8
    for column in ("culture", "concept"):
        for row in tables[f"accuracy_by_{column}"].rows:
            if row.by["task"] in ("question", "background"):
                text = f"{row.by['task']}.{row.by['level']}.{row.by[column]} >= 0"
                found = [
                    v
                    for v in judged(runs["good"], text)
                    if v.by.get("strategy") in (row.by["strategy"], None)
                ]
                assert found[0].estimate == row.estimate


def test_a_gap_without_flips_has_a_width(runs: dict[str, Path]) -> None:
    (verdict, _) = judged(runs["good"], "gap.null <= 0")
    e = verdict.estimate
    assert e.low is not None
    assert e.high is not None
    assert e.value is not None
    assert e.low < e.value < e.high
    (plain,) = {
        row.estimate for row in next(t for t in levels(opened(runs["good"])) if t.name == "gap_by_level").rows
        if row.by["level"] == "null" and row.by["strategy"] == "direct"
    }  # fmt: skip
    assert plain.low is not None
    assert plain.high is not None
    assert e.low <= plain.low
    assert e.high >= plain.high


def test_the_bound_decides(runs: dict[str, Path]) -> None:
    series = f"[{MODEL}/direct]"
    e = judged(runs["good"], f"{series} question.implicit >= 0")[0].estimate
    assert e.low is not None
    assert e.value is not None
    assert e.high is not None
    between = (e.low + e.value) / 2
    for bound, op, met in (
        ("", ">=", False),
        ("value", ">=", True),
        ("high", ">", True),
        ("", "<=", False),
        ("low", "<", True),
    ):
        (verdict,) = judged(runs["good"], f"{series} question.implicit {bound} {op} {between!r}")
        assert verdict.met == met, verdict
    for op, met in ((">=", True), (">", False), ("<=", True), ("<", False)):
        (verdict,) = judged(runs["good"], f"{series} question.implicit value {op} {e.value!r}")
        assert verdict.met == met


@pytest.mark.parametrize(
    ("run", "text", "why"),
    [
        ("good", "question.cue1 >= 0", "no answers to the question task at level cue1"),
        ("good", "question.implicit.quantifier >= 0", "nothing is right or wrong"),
        ("good", "question.implicit.fr >= 0", "did you mean FR?"),
        ("good", "question.implicit.tempreature >= 0", "did you mean temperature?"),
        ("good", "[openai:another] question.implicit >= 0", "unknown series 'openai:another'"),
        ("poor", "acted.null.JP >= 0", "no country was named right"),
        ("one", "question.implicit >= 0", "no interval"),
        ("one", "gap.implicit <= 1", "no interval"),
        ("one", "contrast.implicit >= 0", "no two cultures expect different answers"),
    ],
)
def test_what_cannot_be_judged_is_not_met(runs: dict[str, Path], run: str, text: str, why: str) -> None:
    for verdict in judged(runs[run], text):
        assert not verdict.met
        assert why in verdict.why


def test_one_scene_can_still_be_held_against_its_estimate(runs: dict[str, Path]) -> None:
    assert [v.met for v in judged(runs["one"], "background.implicit value >= 0")] == [True]


# ---- the command ----------------------------------------------------------------------------------------


def test_exit_codes_and_lines(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = str(runs["good"])
    assert main(["check", run, "--require", "question.implicit >= 0.1"]) == 0
    assert capsys.readouterr().out == "2 of 2 met\n"
    path = tmp_path / "gate.txt"
    path.write_text("question.implicit >= 0.99\n")
    words = ["check", run, "--require", "question.implicit >= 10%", "--require-file", str(path)]
    assert main(words) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 3
    assert all(line.startswith("not met: question.implicit low >= 0.99 (openai:") for line in out[:2])
    assert out[2] == "2 of 4 met"
    assert main([*words, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert not said["met"]
    assert [v["met"] for v in said["verdicts"]] == [True, True, False, False]
    for line, words in (
        ("column 19", ["--require", "question.implicit ? 1"]),
        ("nothing is required", []),
        ("gate.txt:1", ["--require-file", str(_written(tmp_path / "gate.txt", "nonsense"))]),
        ("nowhere", ["--require-file", str(tmp_path / "nowhere")]),
    ):
        assert line in refused(capsys, "check", run, *words)


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_an_unfinished_run_is_said(runs: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(runs["part"]), "--require", "background.implicit value >= 0"]) == 0
    said = capsys.readouterr().err
    assert "cells have no answer yet" in said
    assert "part: " in said


def test_files_for_a_build_server(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    xml, page = tmp_path / "gate.xml", tmp_path / "gate.md"
    words = ["check", str(runs["good"]), "--junit", str(xml), "--markdown", str(page)]
    assert main([*words, "--require", "question.implicit >= 0.7", "--require", "question.cue1 >= 0"]) == 1
    capsys.readouterr()
    suite = ElementTree.parse(xml).getroot().find("testsuite")  # noqa: S314  (we wrote it)
    assert suite is not None
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["question.implicit low >= 0.7"] * 2 + [
        "question.cue1 low >= 0.0"
    ] * 2
    assert [case.get("classname") for case in cases] == [f"{MODEL}/direct", f"{MODEL}/pragmatic"] * 2
    failures = [case.find("failure") for case in cases]
    assert [f is not None for f in failures] == [True, False, True, True]
    assert [f.get("type") for f in failures if f is not None] == ["not met", "not judged", "not judged"]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "3")
    text = page.read_text()
    assert "3 of 4 requirements not met" in text
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert [row.startswith("| **not met** |") for row in rows] == [True, True, True, False]


@given(st.text(), st.text(), st.floats(0, 1))
def test_any_name_and_reason_can_be_written(model: str, why: str, share: float) -> None:
    requirement = parse_requirement("question.implicit >= 0.5")
    estimate = Estimate(value=share, low=share, high=share, se=0.0, n=3, clusters=3)
    by = {"model": model, "strategy": "direct"}
    verdicts = [
        Verdict(requirement=requirement, by=by, met=False, estimate=NOTHING, why=why),
        Verdict(requirement=requirement, by=by, met=share >= 0.5, seen=share, estimate=estimate),
    ]
    root = ElementTree.fromstring(junit(verdicts))  # noqa: S314  (we wrote it)
    cases = root.findall("testsuite/testcase")
    assert len(cases) == 2
    assert (cases[1].find("failure") is None) == (share >= 0.5)
    if model.isprintable():
        assert cases[0].get("classname") == f"{model}/direct"
    lines = markdown(verdicts, "signature").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 4
    for row in rows[2:]:
        unescaped = row.replace("\\\\", "").replace("\\|", "")
        assert unescaped.count("|") == 5


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_number_shown_is_on_its_side_of_the_limit(seen: float, limit: float) -> None:
    requirement = parse_requirement(f"question.implicit value >= {limit!r}")
    estimate = Estimate(value=seen, low=None, high=None, se=None, n=1, clusters=1)
    verdict = Verdict(
        requirement=requirement, by={"model": "m"}, met=requirement.met_by(seen), seen=seen, estimate=estimate
    )
    case = ElementTree.fromstring(junit([verdict])).find("testsuite/testcase")  # noqa: S314
    assert case is not None
    said = "".join(case.itertext()).strip()
    number = float(said.removeprefix("value is ").partition(",")[0].replace("−", "-"))
    assert requirement.met_by(number) == verdict.met
