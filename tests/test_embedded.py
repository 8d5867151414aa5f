"""The embedded model: processes and threads change no answer, fast mode says so, nothing outlives its use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from homeground.engines import open_engine
from homeground.engines.embedded import EmbeddedEngine
from homeground.engines.embedded_processes import answer_in_processes
from homeground.engines.protocol import EngineOptions
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import MODEL, results

pytestmark = pytest.mark.model
STEM = "You are a chatbot. A user in another country talks to you; answer the question in a few words.\n\n"
PLACES = ("Paris", "Boston", "Seoul", "Osaka", "Tehran", "Leeds")
QUESTIONS = ("How warm is it?", "How far is it?", "What does it cost?", "How large is it?")
REQUESTS = {
    f"{place}/{question}": Request(
        engine={},
        messages=(Message(role="user", text=f"{STEM}I live in {place}. {question}"),),
        sampling=Sampling(max_tokens=6, logprobs=True),
    )
    for place in PLACES
    for question in QUESTIONS
}
SMALL = Sampling(max_tokens=2)
needs_proc = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="looks for processes in /proc"
)


def said(processes: int, threads: int | None = None) -> dict[str, Answer]:
    """Everything but the time that each answer took."""
    engine = EmbeddedEngine(MODEL, processes=processes, threads=threads)
    found = results(engine, REQUESTS.items())
    engine.close()
    answers = {key: answer for key, answer in found.items() if isinstance(answer, Answer)}
    assert answers.keys() == REQUESTS.keys()
    assert all(len(answer.logprobs) == answer.completion_tokens for answer in answers.values())
    return {key: replace(answer, seconds=0.0) for key, answer in answers.items()}


@pytest.fixture(scope="module")
def one_process(weights: Path) -> dict[str, Answer]:
    assert weights.is_file()
    return said(processes=1, threads=2)


def test_processes_and_threads_change_nothing(one_process: dict[str, Answer]) -> None:
    assert said(processes=2) == one_process
    assert said(processes=1, threads=1) == one_process


def test_the_number_of_processes_is_no_part_of_the_identity() -> None:
    assert EmbeddedEngine(MODEL, processes=2).identity == EmbeddedEngine(MODEL, threads=1).identity


def test_fast_is_another_engine_that_answers_everything(weights: Path) -> None:
    assert weights.is_file()
    exact, fast = open_engine(f"embedded:{MODEL}"), open_engine(f"embedded:{MODEL}", EngineOptions(fast=True))
    assert (exact.identity["mode"], fast.identity["mode"]) == ("exact", "fast")
    found = results(fast, REQUESTS.items())
    fast.close()
    assert found.keys() == REQUESTS.keys()
    assert all(isinstance(answer, Answer) and answer.completion_tokens > 0 for answer in found.values())


def test_a_prompt_that_is_too_long_is_refused_alone_in_processes_too(weights: Path) -> None:
    assert weights.is_file()
    long = Request(engine={}, messages=(Message(role="user", text="word " * 6000),), sampling=SMALL)
    engine = EmbeddedEngine(MODEL, processes=2)
    found = results(engine, ({"long": long} | REQUESTS).items())
    engine.close()
    refused = [key for key, result in found.items() if not isinstance(result, Answer)]
    assert refused == ["long"]


def test_weights_that_cannot_be_loaded_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF?")
    with pytest.raises(EnvironmentProblem, match=r"broken\.gguf: llama\.cpp cannot load it"):
        list(answer_in_processes(str(broken), list(REQUESTS.values()), 2))


def children(parent: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()}


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ended(processes: set[int]) -> bool:
    deadline = time.monotonic() + 60
    while any(alive(process) for process in processes) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(alive(process) for process in processes)


@needs_proc
def test_a_process_that_dies_is_one_clear_line_and_answers_are_kept(weights: Path) -> None:
    before = children(os.getpid())
    groups = answer_in_processes(str(weights), list(REQUESTS.values()), 2)
    kept = len(next(groups))
    workers = children(os.getpid()) - before
    assert len(workers) == 2
    os.kill(min(workers), signal.SIGKILL)
    with pytest.raises(EnvironmentProblem, match=r"was killed by SIGKILL.*run again to go on") as caught:
        for group in groups:
            kept += len(group)
    assert "\n" not in str(caught.value)
    assert 0 < kept < len(REQUESTS)
    assert ended(workers)


@needs_proc
def test_closing_an_engine_ends_its_processes(weights: Path) -> None:
    assert weights.is_file()
    before = children(os.getpid())
    engine = EmbeddedEngine(MODEL, processes=2)
    answers = engine.answer(REQUESTS.items(), lambda _: b"")
    assert next(answers)
    workers = children(os.getpid()) - before
    assert len(workers) == 2
    engine.close()
    assert ended(workers)
    assert list(answers) == []


# Unguarded, as scripts are: the processes must not run it again.
SCRIPT = f"""
from homeground.engines.embedded import EmbeddedEngine
from tests.test_embedded import REQUESTS
engine = EmbeddedEngine({MODEL!r}, processes=2)
for group in engine.answer(list(REQUESTS.items()) * 50, lambda _: b""):
    print(len(group), flush=True)
"""


@pytest.fixture
def parent(weights: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that answers in two others, and has the first answers."""
    assert weights.is_file()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert int(process.stdout.readline()) > 0
    yield process
    process.kill()
    process.communicate()


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_processes_end_with_their_parent(parent: subprocess.Popen[str], how: signal.Signals) -> None:
    workers = children(parent.pid)
    assert len(workers) == 2
    parent.send_signal(how)
    _, err = parent.communicate(timeout=60)
    assert ended(workers)
    if how == signal.SIGINT:
        assert err.count("Traceback") == 1, (
            "the parent's own, since this script has no command line around it"
        )
        assert err.rstrip().endswith("KeyboardInterrupt")
