"""Two question sets side by side: pairs of specialised and base models, and the marks of screening models."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from homeground.benchmarks.build_questions import build_questions
from homeground.benchmarks.question_set import load_question_set
from homeground.cli import main
from homeground.errors import InputError
from homeground.experiments.set_comparison import compare_sets, open_sets
from homeground.experiments.table import Row
from homeground.report import write_report
from homeground.runs.run import run_benchmark
from tests.servers import Recorder, completion

BASE, SPECIALISED = "openai:Llama-3-70B-Instruct", "openai:Gervasio-70B-PTPT"
ITEMS = 40
Knows = Callable[[int, bool, bool], bool]
"""Whether a model gets a question: its number, whether the model is specialised, whether it is told."""


def built(folder: Path, name: str, **more: object) -> Path:
    items = [
        {"id": f"{name}-{n}", "question": f"Como se chama a coisa {n}?", "answers": [f"resposta{n}x"],
         "contrast": {"BR": [f"outra{n}x"]}, "culture": "PT", "language": "pt-PT", **more}
        for n in range(ITEMS)
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    build_questions(path, folder / name)
    return folder / name


def answered(benchmark: Path, folder: Path, knows: Knows) -> Path:
    def reply(body: dict[str, object]) -> tuple[int, bytes]:
        messages = body["messages"]
        assert isinstance(messages, list)
        number = int(messages[-1]["content"].split()[-1].rstrip("?"))
        right = knows(number, body["model"] == SPECIALISED.partition(":")[2], len(messages) > 1)
        return 200, completion(f"resposta{number}x" if right else f"outra{number}x")

    with Recorder(reply) as server:
        run_benchmark(benchmark, folder, [BASE, SPECIALISED], base_url=server.url)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A set that tells the two models apart by 20 questions of 40, and one that does not at all."""
    folder = tmp_path_factory.mktemp("sets")
    telling = answered(
        built(folder, "telling"), folder / "a", lambda n, special, told: told or n < (28 if special else 8)
    )
    flat = answered(built(folder, "flat"), folder / "b", lambda n, special, told: n < 24)
    return [telling, flat]


def rows(tables: list, name: str) -> list[Row]:  # type: ignore[type-arg]
    return list(next(table for table in tables if table.name == name).rows)


def test_gaps_of_pairs_and_their_difference_between_sets(runs: list[Path]) -> None:
    tables = compare_sets(open_sets(runs))
    telling, flat = rows(tables, "pair_gaps")
    assert (telling.by["specialised"], telling.by["base"]) == (SPECIALISED, BASE)
    assert telling.estimate.value == pytest.approx(20 / ITEMS)
    assert telling.counts == {"only_first": 20, "only_second": 0}
    assert telling.holm is not None and telling.holm < 0.001
    assert flat.estimate.value == 0
    (difference,) = rows(tables, "pair_gap_differences")
    assert difference.estimate.value == pytest.approx(20 / ITEMS)
    assert difference.test == "t by scene"  # no question is in both, so the two gaps are independent
    assert difference.p is not None and difference.p < 0.01
    scores = {(row.by["set"], row.by["model"], row.by["quantity"]): row for row in rows(tables, "set_scores")}
    first = telling.by["set"]
    assert scores[first, BASE, "plain"].estimate.value == pytest.approx(8 / ITEMS)
    assert scores[first, BASE, "oracle"].estimate.value == 1
    assert scores[first, BASE, "gap"].estimate.value == pytest.approx(32 / ITEMS)
    power = {
        row.by["set"]: row.estimate.value
        for row in rows(tables, "discriminative_power")
        if row.by["level"] == "plain"
    }
    assert power == {first: 1.0, flat.by["set"]: 0.0}
    assert all(
        row.estimate.value is None or math.isfinite(row.estimate.value)
        for table in tables
        for row in table.rows
    )


def test_one_set_alone_is_refused(runs: list[Path]) -> None:
    with pytest.raises(InputError, match="one question set alone"):
        compare_sets(open_sets(runs[:1]))


def test_the_command_prints_the_tables(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sets", *map(str, runs), "--table", "pair_gaps"]) == 0
    said = capsys.readouterr().out
    assert "+50.0" in said
    assert max(map(len, said.splitlines())) <= 80
    assert main(["sets", *map(str, runs), "--table", "nothing"]) == 2


def test_screening_models_are_marked_and_make_no_headline(tmp_path: Path) -> None:
    benchmark = built(tmp_path, "screened", screened_by=[BASE])
    assert load_question_set(benchmark).about.screened_by == (BASE,)
    assert f"say nothing: `{BASE}`" in (benchmark / "README.md").read_text()
    run = answered(benchmark, tmp_path / "run", lambda n, special, told: n < 3)
    results = write_report(run, print_forms=False).results
    headlines = {series.model: results.headline(series) for series in results.study.series}
    assert "says nothing of it and makes no headline" in headlines[BASE]
    assert "Asked plainly it answers" in headlines[SPECIALISED]
