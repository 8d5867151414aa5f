"""Strategies, sizes, priors, depth of reasoning and cases: held against plain loops over the judgements."""

from __future__ import annotations

import json
import math
import random
import unicodedata
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from homeground.benchmarks import Benchmark, load_benchmark
from homeground.benchmarks.save import save_tables
from homeground.cli import case as command
from homeground.errors import InputError
from homeground.experiments.case import Case, case, pick
from homeground.experiments.priors import priors
from homeground.experiments.reasoning import reasoning
from homeground.experiments.sizes import sizes
from homeground.experiments.strategies import strategies
from homeground.experiments.study import Study, open_study
from homeground.experiments.table import Row, Table
from homeground.plan import Selection
from homeground.runs import Run
from homeground.runs.judge import judge_run
from homeground.schema import CONCEPTS, OBJECTIVE, Answer, Judgement
from tests.simulated import simulated_run

SMALL, LARGE = "openai:Qwen3-VL-8B-Instruct", "openai:Qwen3-VL-32B-Instruct"
ALWAYS = 100.0
"""A skill that acts on all it knows."""
CHOSEN = Selection(strategies=("direct", "pragmatic"), cultures=("US", "FR", "JP"))
EXPERIMENTS: tuple[Callable[[Study], list[Table]], ...] = (strategies, sizes, priors, reasoning)
Key = tuple[str, ...]
slow = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def few(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Three scaffolds a concept, over two scenes, with all cultures: cells that differ in one thing alone."""
    of = {concept: [s for s in benchmark.scaffolds.values() if s.concept == concept] for concept in CONCEPTS}
    scaffolds = [scaffold for some in of.values() for scaffold in (some[0], some[1], some[3])]
    names, scenes = {one.id for one in scaffolds}, {one.scene for one in scaffolds}
    folder = tmp_path_factory.mktemp("few")
    kept = [scene for scene in benchmark.scenes.values() if scene.id in scenes]
    cues = [pair for pair in benchmark.cues.values() if pair.scaffold in names]
    save_tables(folder, benchmark.about, list(benchmark.cultures.values()), kept, scaffolds, cues, "")
    for scene in kept:
        (folder / scene.image).parent.mkdir(exist_ok=True)
        (folder / scene.image).write_bytes((benchmark.folder / scene.image).read_bytes())
    return load_benchmark(folder)


@pytest.fixture(scope="module")
def run(few: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("experiments") / "run"
    return simulated_run(folder, few, CHOSEN, {SMALL: 0.5, LARGE: ALWAYS})


class Judgements(list[Judgement]):
    """Judgements that a failing property can print."""

    def __repr__(self) -> str:
        return f"{len(self)} judgements"


@pytest.fixture(scope="module")
def judged(run: Run) -> list[Judgement]:
    return Judgements(judge_run(run))


@pytest.fixture(scope="module")
def study(run: Run, judged: list[Judgement]) -> Study:
    return Study([run], [judged])


def all_numbers(value: object) -> Iterable[float]:
    """Every number in plain data."""
    if isinstance(value, dict):
        yield from (number for one in value.values() for number in all_numbers(one))
    elif isinstance(value, (list, tuple)):
        yield from (number for one in value for number in all_numbers(one))
    elif isinstance(value, (int, float)):
        yield value


def check(tables: Sequence[Table]) -> None:
    """What holds for every table: numbers are numbers, intervals hold their value, rows are told apart."""
    for table in tables:
        assert all(math.isfinite(number) for number in all_numbers(msgspec.to_builtins(table)))
        assert len({tuple(row.by.items()) for row in table.rows}) == len(table.rows)
        assert table.signature
        for row in table.rows:
            estimate = row.estimate
            assert set(row.by) <= set(table.columns)
            assert estimate.value is not None
            assert estimate.n
            if estimate.low is not None and estimate.high is not None:
                assert estimate.low <= estimate.value + 1e-12
                assert estimate.value <= estimate.high + 1e-12
            if row.p is not None:
                assert row.holm is not None
                assert row.p <= row.holm <= 1


def named(tables: Sequence[Table], name: str) -> dict[Key, Row]:
    """The rows of one table by what they speak of."""
    (table,) = (table for table in tables if table.name == name)
    return {tuple(row.by[column] for column in table.columns): row for row in table.rows}


def value(row: Row) -> float:
    assert row.estimate.value is not None
    return row.estimate.value


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def right(judged: Iterable[Judgement]) -> dict[Key, float]:
    """Right or wrong by model, task, strategy, level, item and culture, over the objective concepts."""
    return {
        (c.model, c.task, c.strategy, c.condition, c.item, c.culture): float(bool(j.correct))
        for j in judged
        if (c := j.cell).concept in OBJECTIVE
    }


def some_of(judged: list[Judgement], seed: int, share: float) -> list[Judgement]:
    """Judgements with answers missing at random, in an order of its own."""
    draw = random.Random(seed)
    kept = [one for one in judged if draw.random() < share]
    draw.shuffle(kept)
    return kept


@slow
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0, 0.003, 0.02, 0.3, 0.8]))
def test_whatever_is_missing_tables_hold(run: Run, judged: list[Judgement], seed: int, share: float) -> None:
    kept = some_of(judged, seed, share)
    study = Study([run], [kept])
    truths = right(kept)

    for experiment in EXPERIMENTS:
        check(experiment(study))

    tables = strategies(study)
    for (model, strategy, quantity, level), row in named(tables, "strategies").items():
        way = ("background", "direct") if quantity == "names the country" else ("question", strategy)
        mine = [truth for key, truth in truths.items() if key[:4] == (model, *way, level)]
        assert row.estimate.n == len(mine)
        assert value(row) == pytest.approx(mean(mine))
    for (model, strategy, against, level), row in named(tables, "strategy_differences").items():
        both = [
            truth - truths[other]
            for key, truth in truths.items()
            if key[:4] == (model, "question", strategy, level)
            and (other := (model, "question", against, *key[3:])) in truths
        ]
        assert row.estimate.n == len(both)
        assert value(row) == pytest.approx(mean(both))
        assert row.counts == {"only_first": both.count(1), "only_second": both.count(-1)}


@slow
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.02, 0.3, 0.8]))
def test_sizes_are_compared_over_what_both_answered(
    run: Run, judged: list[Judgement], seed: int, share: float
) -> None:
    kept = some_of(judged, seed, share)
    truths = right(kept)
    tables = sizes(Study([run], [kept]))
    for (family, larger, smaller, strategy, task, level), row in named(tables, "size_differences").items():
        assert (family, larger, smaller) == ("Qwen3-VL", LARGE, SMALL)
        both = [
            truth - truths[other]
            for key, truth in truths.items()
            if key[:4] == (LARGE, task, strategy, level) and (other := (SMALL, *key[1:])) in truths
        ]
        assert row.estimate.n == len(both)
        assert value(row) == pytest.approx(mean(both))
    for (_, _, _, strategy, level), row in named(tables, "size_gap_differences").items():
        gaps = []
        for where in {key[3:] for key in truths if key[3] == level}:
            four = [
                truths.get((model, *way, *where))
                for model in (LARGE, SMALL)
                for way in (("background", "direct"), ("question", strategy))
            ]
            if None not in four:
                known, used, also_known, also_used = (one for one in four if one is not None)
                gaps.append((known - used) - (also_known - also_used))
        assert row.estimate.n == 2 * len(gaps)
        assert value(row) == pytest.approx(mean(gaps))


def test_differences_of_strategies_are_antisymmetric(run: Run, judged: list[Judgement]) -> None:
    def asked(strategy: str) -> list[Judgement]:
        return [j for j in judged if j.cell.task == "question" and j.cell.strategy == strategy]

    one = strategies(Study([run], [asked("direct") + asked("pragmatic")]))
    two = strategies(Study([run], [asked("pragmatic") + asked("direct")]))
    there, back = named(one, "strategy_differences"), named(two, "strategy_differences")
    assert len(there) == len(back) == 12
    for (model, strategy, against, level), row in there.items():
        other = back[model, against, strategy, level]
        assert value(row) == pytest.approx(-value(other))
        assert row.p == pytest.approx(other.p)
        assert row.holm == pytest.approx(other.holm)
        assert row.counts["only_first"] == other.counts["only_second"]
        assert row.estimate.low is not None
        assert row.estimate.low == pytest.approx(-(other.estimate.high or 0))


def test_a_model_that_always_acts_is_right_wherever_the_country_is_stated(study: Study) -> None:
    rows = named(strategies(study), "strategies")
    depths = named(reasoning(study), "accuracy_by_depth")
    for strategy in CHOSEN.strategies:
        for quantity in ("names the country", "answers in its units"):
            assert value(rows[LARGE, strategy, quantity, "explicit"]) == 1
        assert value(rows[SMALL, strategy, "answers in its units", "explicit"]) < 0.9
    assert {value(row) for key, row in depths.items() if key[0] == LARGE and key[2] == "explicit"} == {1.0}
    gaps = named(sizes(study), "size_gap_differences")
    gap = gaps["Qwen3-VL", LARGE, SMALL, "direct", "explicit"]
    assert value(gap) == pytest.approx(value(rows[SMALL, "direct", "answers in its units", "explicit"]) - 1)
    assert gap.p is not None
    assert gap.p < 0.01


def test_what_is_asked_once_is_tested_once(study: Study) -> None:
    tests = named(sizes(study), "size_differences")
    assert len(tests) == 18  # background and two strategies at six levels
    assert {key[3] for key in tests if key[4] == "background"} == {"direct"}


def test_only_models_that_size_tells_apart_are_paired(benchmark: Benchmark, tmp_path: Path) -> None:
    models = [SMALL, "openai:Qwen3-VL-32B-Thinking", "openai:Gemma-4-E4B-it", "openai:simulated"]
    chosen = Selection(sample=14, conditions=("implicit",))
    tables = sizes(
        open_study([simulated_run(tmp_path / "run", benchmark, chosen, dict.fromkeys(models, 1.0))])
    )
    check(tables)
    shown, *tested = tables
    assert [table.rows for table in tested] == [(), ()]
    assert {row.by["model"]: row.by["parameters"] for row in shown.rows} == {
        SMALL: "8", "openai:Qwen3-VL-32B-Thinking": "32", "openai:Gemma-4-E4B-it": "4",
    }  # fmt: skip
    assert all("openai:simulated" in table.notes[-1] for table in tables)


def test_models_of_two_runs_are_paired_if_asked_alike(few: Benchmark, study: Study, tmp_path: Path) -> None:
    one = simulated_run(tmp_path / "one", few, CHOSEN, {SMALL: 0.5})
    two = simulated_run(tmp_path / "two", few, CHOSEN, {LARGE: ALWAYS})
    apart = open_study([one, two])
    for name in ("size_differences", "size_gap_differences"):
        together = named(sizes(study), name)
        across = named(sizes(apart), name)
        assert {key[:2] for key in across} == {("two", "one")}
        assert {key[2:]: row.estimate for key, row in across.items()} == {
            key: row.estimate for key, row in together.items()
        }
    shorter = msgspec.structs.replace(two.spec, max_tokens=9)
    (tmp_path / "two" / "run.toml").unlink()
    other = Study([one, Run(two.folder, shorter)], [judge_run(one), judge_run(two)])
    assert not named(sizes(other), "size_differences")


# ---- priors ----------------------------------------------------------------------------------------


@slow
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.02, 0.3, 1.0]))
def test_priors_sum_to_one_and_count_an_answer_once(
    run: Run, judged: list[Judgement], seed: int, share: float
) -> None:
    kept = some_of(judged, seed, share)
    null = [j for j in kept if j.cell.condition == "null"]
    sums: dict[Key, float] = defaultdict(float)
    answers: dict[Key, int] = defaultdict(int)
    rows = named(priors(Study([run], [kept])), "priors")
    for (*group, _), row in rows.items():
        sums[tuple(group)] += value(row)
        answers[tuple(group)] += row.counts["answers"]
    for (model, strategy, kind, concept), total in sums.items():
        assert total == pytest.approx(1)
        distinct = {
            j.key
            for j in null
            if j.cell.model == model
            and (j.cell.task == "background" if kind == "country" else j.cell.task == "question")
            and (kind == "country" or j.cell.strategy == strategy)
            and (kind == "country" or j.cell.concept in OBJECTIVE)
            and (kind != "system" or j.cell.concept != "price")
            and (concept in ("all", j.cell.concept))
        }
        assert len(distinct) == answers[model, strategy, kind, concept]


def test_priors_do_not_depend_on_how_many_cultures_asked(run: Run, judged: list[Judgement]) -> None:
    first = {j.key: j for j in reversed(judged)}
    once = [j for j in judged if first[j.key] is j]
    assert len(once) < len(judged)
    assert named(priors(Study([run], [once])), "priors") == named(priors(Study([run], [judged])), "priors")


def test_few_prompts_are_named(study: Study) -> None:
    rows = named(priors(study), "priors")
    countries = [row for key, row in rows.items() if key[2] == "country"]
    assert {row.note for row in countries} == {"only 7 distinct answers to 7 prompts"}
    assert {(row.estimate.n, row.estimate.clusters) for row in countries} == {(7, 7)}
    assert {key[4] for key in rows if key[2] == "country"} == {"US", "refused"}


# ---- depth -----------------------------------------------------------------------------------------


@slow
@given(seed=st.integers(0, 2**32))
def test_depths_sum_to_one_over_what_shows_reasoning(run: Run, judged: list[Judgement], seed: int) -> None:
    draw = random.Random(seed)
    deep = [
        msgspec.structs.replace(j, depth=draw.choice([None, 0, 1, 2, 3])) if j.cell.task == "question" else j
        for j in judged[: len(judged) // 2]
    ]
    tables = reasoning(Study([run], [deep]))
    check(tables)
    shares, accuracies = named(tables, "depth"), named(tables, "accuracy_by_depth")
    for model, strategy, level in {key[:3] for key in shares}:
        mine = [
            j
            for j in deep
            if (j.cell.model, j.cell.strategy, j.cell.condition) == (model, strategy, level)
            and j.cell.task == "question"
            and j.cell.concept in OBJECTIVE
        ]
        shown = [j for j in mine if j.depth is not None]
        assert sum(value(shares[model, strategy, level, f"L{n}"]) for n in range(4)) == pytest.approx(1)
        for n in range(4):
            at = [float(bool(j.correct)) for j in shown if j.depth == n]
            row = shares[model, strategy, level, f"L{n}"]
            assert value(row) == pytest.approx(len(at) / len(shown))
            assert row.counts == {"no_reasoning": len(mine) - len(shown)}
            found = accuracies.get((model, strategy, level, f"L{n}"))
            assert (found is None) == (not at)
            if found is not None:
                assert value(found) == pytest.approx(mean(at))


# ---- little to go by -------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_one_scene_gives_no_interval(
    run: Run, judged: list[Judgement], experiment: Callable[[Study], list[Table]]
) -> None:
    scene = next(j.cell.scene for j in judged if j.cell.concept == "price")
    tables = experiment(Study([run], [[j for j in judged if j.cell.scene == scene]]))
    check(tables)
    rows = [row for table in tables for row in table.rows]
    assert rows
    assert {(row.estimate.low, row.estimate.high, row.estimate.se) for row in rows} == {(None, None, None)}


@pytest.mark.parametrize(
    "selection",
    [
        Selection(tasks=("background",), sample=14),
        Selection(tasks=("question",), conditions=("null",), sample=14),
        Selection(concepts=("quantifier",), sample=14),
        Selection(conditions=("placebo_cues", "placebo_filler"), sample=14),
    ],
    ids=["background", "null", "subjective", "placebos"],
)
def test_odd_runs_give_what_can_be_said(benchmark: Benchmark, selection: Selection, tmp_path: Path) -> None:
    run = simulated_run(tmp_path / "run", benchmark, selection, missing=range(0, 10**6, 3))
    study = open_study([run])
    assert len(study.frame) < len(run.cells)
    for experiment in EXPERIMENTS:
        check(experiment(study))
    shown(case(study, pick(study)))


# ---- one case --------------------------------------------------------------------------------------


def moves(judged: Iterable[Judgement], item: str) -> int:
    """Answers to the question that differ from the neutral one, counted one by one."""
    said = {
        (j.cell.model, j.cell.strategy, j.cell.culture, j.cell.condition): (j.reading.status, j.reading.found)
        for j in judged
        if j.cell.item == item and j.cell.task == "question"
    }
    neutral = {key[:3]: what for key, what in said.items() if key[3] == "neutral"}
    cued = ("cue1", "cue2", "implicit", "explicit")
    return sum(
        key[3] in cued and key[:3] in neutral and what != neutral[key[:3]] for key, what in said.items()
    )


def test_the_case_with_the_most_moves_is_picked(run: Run, judged: list[Judgement], study: Study) -> None:
    counts = {item: moves(judged, item) for item in study.frame.item.names}
    chosen = pick(study)
    assert counts[chosen] == max(counts.values()) > 0
    tied = [item for item, count in counts.items() if count == counts[chosen]]
    assert chosen == next(item for item in run.benchmark.scaffolds if item in tied)
    shuffled = some_of(judged, 1, 1.0)
    assert pick(Study([run], [shuffled])) == chosen
    still = [j for j in shuffled if j.cell.condition == "neutral"]
    assert pick(Study([run], [still])) == next(iter(run.benchmark.scaffolds))
    for item in list(counts)[:10]:
        assert case(study, item).shifts == counts[item]


def test_a_case_holds_all_that_was_said(run: Run, study: Study) -> None:
    found = case(study, pick(study), LARGE)
    mine = [c for c in run.cells if c.item == found.scaffold.id and c.model == LARGE]
    assert [answer.judgement.cell for answer in found.answers] == mine
    with run.store() as store:
        for answer in found.answers:
            assert answer.text == store.get([answer.judgement.key])[answer.judgement.key].text
    assert [pair.culture for pair in found.cues] == [culture.code for culture in found.cultures]
    told = {(one.level, one.culture): one.turns for one in found.conversations}
    assert len(told) == 2 + 4 * len(found.cultures)
    for culture, pair in zip(found.cultures, found.cues, strict=True):
        spoken = " ".join(turn.text for turn in told["implicit", culture.code])
        assert all(cue.value in spoken for cue in pair.cues)
        assert f"I am from {culture.name}." in told["explicit", culture.code][0].text
    for answer in found.answers:
        assert (answer.shifted is None) == (answer.judgement.cell.condition in ("null", "neutral"))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Case) == found


def shown(found: Case) -> str:
    """A case as text, which fits the terminal and holds nothing that could steer it."""
    text = command.as_markdown(found)
    for line in text.splitlines():
        assert cell_len(line) <= 80, line
    steering = [
        c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\u200c\u200d"
    ]
    assert steering == []
    return text


HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07 90 °F \x9b31m and \u202eturned\u2066 round \u2028# a heading\r\n# another\n\n- a list",
    "| a | b |\n|---|---|\n<script>alert(1)</script> ![x](http://example.org/x.png) `code` " + "30 °C",
    "気温は" * 300 + "30 °C",
    "x" * 1_000_000,
    "",
)


def hostile_study(benchmark: Benchmark, folder: Path) -> Study:
    selection = Selection(concepts=("temperature",), sample=10, cultures=("US", "FR"))
    run = simulated_run(folder, benchmark, selection, missing=range(10**6))
    say = partial(Answer, finish_reason="stop", prompt_tokens=1, completion_tokens=1, seconds=0.1)
    with run.store(write=True) as store:
        store.add_all(
            (key, request, say(text=HOSTILE[place % len(HOSTILE)]))
            for place, (key, request) in enumerate(run.plan.requests.items())
        )
    return open_study([run])


def test_hostile_answers_do_nothing_on_the_terminal(benchmark: Benchmark, tmp_path: Path) -> None:
    study = hostile_study(benchmark, tmp_path / "run")
    text = "".join(shown(case(study, item)) for item in study.frame.item.names)
    assert "characters; --json gives all" in text.replace("\n    ", " ")
    assert "(nothing)" in text
    for line in text.splitlines():
        if any(sign in line for sign in ("<script", "heading", "![x]", "`code`", "気温", "xxx")):
            assert line.startswith("    ")
    for experiment in EXPERIMENTS:
        check(experiment(study))


def call(*words: str | Path) -> int:
    parser = ArgumentParser()
    command.arguments(parser)
    return command.call(parser.parse_args([str(word) for word in words]))


def test_the_command_shows_a_case(run: Run, study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(run.folder) == 0
    assert capsys.readouterr().out == shown(case(study, pick(study)))
    item = study.frame.item.names[3]
    assert call(run.folder, item, "--model", SMALL, "--json") == 0
    plain: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert plain["scaffold"]["id"] == item
    assert {answer["judgement"]["cell"]["model"] for answer in plain["answers"]} == {SMALL}


def test_unknown_names_are_refused(run: Run, study: Study) -> None:
    item = study.frame.item.names[0]
    with pytest.raises(InputError, match=f"did you mean {item}"):
        call(run.folder, f"{item}x")
    with pytest.raises(InputError, match="unknown model"):
        call(run.folder, "--model", "openai:nobody")
