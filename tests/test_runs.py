"""Runs on the real embedded model: nothing asked twice, nothing lost, the same bytes."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from homeground.benchmarks import Benchmark
from homeground.engines import AnswerStore
from homeground.errors import InputError
from homeground.plan import Selection
from homeground.report import write_report
from homeground.runs import open_run
from homeground.runs.ask import Tally
from homeground.runs.judge import judge_run
from homeground.runs.run import RunResult, run_benchmark
from homeground.schema import Answer
from tests.conftest import results
from tests.test_cli import homeground, refused

pytestmark = pytest.mark.model
MODEL = "embedded:smollm2-135m"
FEW = Selection(concepts=("temperature", "time_expression"), conditions=("null", "explicit"), sample=2)


def run_few(benchmark: Benchmark | Path, folder: Path, **kwargs: object) -> RunResult:
    return run_benchmark(benchmark, folder, [MODEL], selection=FEW, max_tokens=8, **kwargs)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def finished(benchmark: Benchmark, weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert weights.is_file()
    folder = tmp_path_factory.mktemp("runs") / "run"
    result = run_few(benchmark, folder)
    assert result.asked == result.requests == result.answered
    assert result.cells == 8
    write_report(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    derived = [folder / "report.html", folder / "judgements.jsonl", *(folder / "tables").iterdir(),
               *(folder / "figures").iterdir()]  # fmt: skip
    return {path.name: path.read_bytes() for path in derived}


def test_again_means_no_call_and_the_same_bytes(finished: Path, benchmark: Benchmark) -> None:
    before = contents(finished)
    seen: list[Tally] = []
    again = run_few(benchmark, finished, watch=seen.append)
    assert again.asked == 0
    assert again.model_seconds == 0
    assert [tally.asked for tally in seen] == [0]
    assert seen[0].done == seen[0].total
    write_report(finished)
    assert contents(finished) == before


def test_another_folder_gives_the_same_tables(finished: Path, benchmark: Benchmark, tmp_path: Path) -> None:
    run_few(benchmark, tmp_path / "other")
    write_report(tmp_path / "other")
    assert contents(tmp_path / "other") == contents(finished)


def test_a_run_stands_alone(finished: Path) -> None:
    run = open_run(finished)
    judged = judge_run(run)
    assert [j.cell for j in judged] == run.cells
    lines = run.judgements.read_text().splitlines()
    assert json.loads(lines[0])["cell"]["model"] == MODEL
    subjective = [j for j in judged if j.cell.concept == "time_expression" and j.cell.task == "question"]
    assert subjective
    assert all(j.correct is None for j in subjective)


def test_other_settings_are_refused_by_name(finished: Path, benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match=r"another max_tokens \(there 8, now 9\)"):
        run_benchmark(benchmark, finished, [MODEL], selection=FEW, max_tokens=9)
    with pytest.raises(InputError, match=r"another selection.sample \(there 2, now 3\)"):
        run_benchmark(
            benchmark, finished, [MODEL], max_tokens=8,
            selection=Selection(concepts=FEW.concepts, conditions=FEW.conditions, sample=3),
        )  # fmt: skip


def test_a_second_process_is_told(finished: Path, benchmark: Benchmark) -> None:
    with (
        open_run(finished).locked(),
        pytest.raises(InputError, match="another homeground process is writing"),
    ):
        run_few(benchmark, finished)
    assert run_few(benchmark, finished).asked == 0


def test_a_blind_model_gets_no_pictures(benchmark: Benchmark, weights: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot see; use --grounding description"):
        run_few(benchmark, tmp_path / "r", grounding="image")
    assert weights.is_file()
    assert not (tmp_path / "r").exists()


def test_broken_run_files_are_named(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "run.toml").write_text(
        (finished / "run.toml").read_text().replace("homeground =", "homegroud =")
    )
    assert "run.toml" in refused(capsys, "judge", folder)
    (folder / "run.toml").write_text((finished / "run.toml").read_text())
    assert "no such benchmark folder" in refused(capsys, "judge", folder)


def test_kill_at_any_moment_loses_nothing(benchmark_folder: Path, weights: Path, tmp_path: Path) -> None:
    """kill -9 again and again: what was stored stays, nothing stored is asked again."""
    assert weights.is_file()
    folder = tmp_path / "run"
    words = [
        sys.executable, "-m", "homeground", "run", str(benchmark_folder), "--model", MODEL, "-o", str(folder),
        "--condition", "null", "--max-tokens", "4", "--json",
    ]  # fmt: skip
    before: dict[str, tuple[object, ...]] = {}
    kills = 0
    for delay in (0.4, 1.1, 1.5, 1.9, 2.4, 3.0):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
        now = stored(folder)
        assert before.items() <= now.items()
        before = now
    assert kills >= 3
    last = subprocess.run(words, capture_output=True, text=True, check=True)
    result = json.loads(last.stdout)["run"]
    assert result["asked"] == result["requests"] - len(before)
    assert result["answered"] == result["requests"] == len(stored(folder))
    assert not [p for p in tmp_path.iterdir() if p.name != "run"], "no scratch folder is left behind"


def stored(folder: Path) -> dict[str, tuple[object, ...]]:
    path = folder / "answers.sqlite"
    if not path.is_file():
        return {}
    with sqlite3.connect(path) as db:
        try:
            return {row[0]: row[1:] for row in db.execute("SELECT * FROM answers")}
        except sqlite3.OperationalError:
            return {}  # killed before the table was made


def test_ctrl_c_says_what_is_kept(benchmark_folder: Path, weights: Path, tmp_path: Path) -> None:
    assert weights.is_file()
    words = ["run", str(benchmark_folder), "--model", MODEL, "-o", str(tmp_path / "run")]
    process = subprocess.Popen(
        [sys.executable, "-m", "homeground", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not stored(tmp_path / "run"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "what was done so far is kept" in err
    assert "Traceback" not in err
    done = homeground("report", tmp_path / "run", "--json")
    assert 0 < json.loads(done.stdout)["judged"] < json.loads(done.stdout)["cells"]
    assert "Unfinished" in (tmp_path / "run" / "report.html").read_text()


def test_reuse_never_changes_an_answer(benchmark: Benchmark, weights: Path) -> None:
    """Exact mode: planned order with a shared prefix cache against each prompt in a fresh model."""
    from homeground.engines.embedded import EmbeddedEngine
    from homeground.plan import Way, conversation_cells, make_plan
    from homeground.prompts import Prompts

    assert weights.is_file()
    engine = EmbeddedEngine("smollm2-135m")
    selection = Selection(concepts=("speed",), cultures=("FR", "US"), sample=2)
    cells = conversation_cells(benchmark, selection, (engine.name,))
    plan = make_plan(benchmark, cells, Way(Prompts("description"), {engine.name: engine.identity}, 6))
    planned = {k: getattr(a, "text", None) for k, a in results(engine, list(plan.requests.items())).items()}
    engine.close()
    for key, request in list(plan.requests.items())[::4]:
        fresh = EmbeddedEngine("smollm2-135m")
        answer = results(fresh, [(key, request)])[key]
        assert getattr(answer, "text", "") == planned[key]
        fresh.close()


def test_a_prompt_that_is_too_long_is_refused_alone(weights: Path) -> None:
    from homeground.engines.embedded import EmbeddedEngine
    from homeground.engines.protocol import Refusal
    from homeground.schema import Message, Request, Sampling

    assert weights.is_file()
    long, short = (
        Request(engine={}, messages=(Message(role="user", text=text),), sampling=Sampling(max_tokens=2))
        for text in ("word " * 6000, "Hello")
    )
    engine = EmbeddedEngine("smollm2-135m")
    found = results(engine, [("long", long), ("short", short)])
    engine.close()
    assert isinstance(found["long"], Refusal)
    assert isinstance(found["short"], Answer)


def test_the_store_of_a_run_is_readable_by_key(finished: Path) -> None:
    run = open_run(finished)
    with AnswerStore(finished / "answers.sqlite") as store:
        keys = [key for key in run.plan.keys if key is not None]
        assert set(store.get(keys)) == set(keys)


def test_every_other_strategy_runs_and_goes_on(benchmark_folder: Path, weights: Path, tmp_path: Path) -> None:
    """Sequential asks its second turn only when the first has an answer; a second call asks nothing."""
    assert weights.is_file()
    (tmp_path / "home.txt").write_text("Answer in the units of the user's country.")
    words = (
        "run", benchmark_folder, "--model", MODEL, "-o", tmp_path / "run", "--concepts", "speed", "--sample", "2",
        "--condition", "implicit", "--max-tokens", "4", "--strategy", f"natural,sequential,system:{tmp_path}/home.txt",
    )  # fmt: skip
    log = tmp_path / "log.txt"
    before = json.loads(homeground(*words, "--dry-run", "--json").stdout)
    assert (before["cells"], before["requests"], before["left"]) == (8, 8, 8)
    done = homeground(*words, "--json", "--log", log, "--prices", "1000,2000")
    first = json.loads(done.stdout)
    assert re.search(r"asking: 8 of 8 prompts answered, \d+/min, [\d.]+k\+\d+ tokens, cost \d", done.stderr)
    lines = log.read_text().splitlines()
    assert re.fullmatch(r"\d{4}-\S+ 0 of 6 answered, .* cost 0.00", lines[0])
    assert " 8 of 8 answered, " in lines[-1]
    assert (first["run"]["asked"], first["run"]["requests"], first["judged"]) == (8, 8, 8)
    assert {one["strategy"] for one in first["series"]} == {"natural", "sequential", "system:home"}
    run = open_run(tmp_path / "run")
    assert run.plan.waiting == 0
    assert run.spec.systems == {"home": "Answer in the units of the user's country."}
    again = json.loads(homeground(*words, "--json").stdout)
    assert again["run"]["asked"] == 0
    after = json.loads(homeground(*words, "--dry-run", "--json").stdout)
    assert (after["left"], after["prompt_tokens"]) == (0, 0)
