"""Screening against a scripted chat server over real HTTP, and against the embedded model."""

import json
import os
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from homeground.benchmarks.build_questions import build_questions
from homeground.cli import screen as verb
from homeground.engines import AnswerStore
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import read_jsonl
from homeground.plan import Selection
from homeground.questions import load_questions
from homeground.runs.run import run_benchmark
from homeground.runs.screen import Evidence, Screening, screen
from tests.conftest import MODEL, everything
from tests.servers import Recorder, completion

FOODS = [("Q1", "What goes with beer?", "lupins"), ("Q2", "What is eaten on the eve?", "cod"),
         ("Q3", "What is drunk at five?", "tea")]  # fmt: skip
Reply = Callable[[str, str, float], str | int]
"""Model, question and temperature to an answer, or an HTTP status."""


def write(path: Path, rows: list[tuple[str, str, str]] | None = None, **more: object) -> Path:
    rows = FOODS if rows is None else rows
    lines = [
        json.dumps({"id": i, "question": q, "answers": [a], "culture": "PT", **more}) for i, q, a in rows
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def serve(reply: Reply, sent: Callable[[], object] = lambda: None) -> Recorder:
    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        said = reply(body["model"], body["messages"][-1]["content"], body["temperature"])
        if isinstance(said, int):
            return said, json.dumps({"error": {"message": "scripted \x1b[31m fault"}}).encode()
        return 200, completion(said)

    return Recorder(answer, sent)


def call(*words: object) -> int:
    parser = ArgumentParser()
    verb.arguments(parser)
    return verb.call(parser.parse_args([str(word) for word in words]))


def knows(*questions: str) -> Reply:
    """A model that knows the answers to these questions, whoever it is called."""
    golds = {text: gold for name, text, gold in FOODS if name in questions}
    return lambda model, question, heat: f"It is {golds.get(question, 'nothing')}."


def test_what_models_know_is_left_out_and_they_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "q.jsonl")

    def reply(model: str, question: str, heat: float) -> str | int:
        return knows("Q1")(model, question, heat) if model == "big" else knows("Q3")(model, question, heat)

    with serve(reply) as server:
        code = call(
            source, "--model", "openai:big", "--model", "openai:other", "--base-url", server.url,
            "-o", tmp_path / "e.jsonl", "--kept", tmp_path / "kept.jsonl",
        )  # fmt: skip
    said = capsys.readouterr().out
    assert code == 0
    assert all(len(line) <= 80 for line in said.splitlines() if str(tmp_path) not in line)
    assert "Candidates left: 1 of 3." in said
    assert "openai:big, openai:other out of headline claims" in " ".join(said.split())
    # 3 questions, 2 models, one greedy answer and 3 samples, each plain, short and with no other message
    assert len(server.bodies) == 24
    assert Counter(body["temperature"] for body in server.bodies) == {0.0: 6, 0.7: 18}
    for body in server.bodies:
        assert body.get("max_tokens", body.get("max_completion_tokens")) == 64
        assert [message["role"] for message in body["messages"]] == ["user"]
    lines = (tmp_path / "e.jsonl").read_bytes().splitlines()
    assert len(lines) == 1 + 6
    (tmp_path / "head").write_bytes(lines[0])
    (tmp_path / "rest").write_bytes(b"\n".join(lines[1:]))
    head = next(read_jsonl(tmp_path / "head", Screening))[1]
    assert head.screened_by == ("openai:big", "openai:other")
    assert [one.already for one in head.models] == [1, 1]
    assert head.models[0].engine["base_url"] == server.url
    evidence = [record for _, record in read_jsonl(tmp_path / "rest", Evidence)]
    assert {(e.id, e.model) for e in evidence if e.already} == {("Q1", "openai:big"), ("Q3", "openai:other")}
    assert all(len(e.said) == 3 and e.greedy is not None for e in evidence)
    kept = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert [(k["id"], k["screened_by"]) for k in kept] == [("Q2", ["openai:big", "openai:other"])]
    assert load_questions(tmp_path / "kept.jsonl")[0].answers == ("cod",)


@pytest.mark.parametrize(("right", "already"), [(0, False), (1, False), (2, False), (3, True), (4, True)])
def test_more_than_half_of_the_samples_and_the_greedy_answer_does_not_count(
    tmp_path: Path, right: int, already: bool
) -> None:
    source = write(tmp_path / "q.jsonl", FOODS[:1])
    drawn = iter(range(9))
    lock = threading.Lock()

    def reply(model: str, question: str, heat: float) -> str:
        with lock:
            return "lupins" if heat == 0 or next(drawn) < right else "crisps"

    with serve(reply) as server:
        found = screen(source, ["openai:m"], tmp_path / "a", samples=4, base_url=server.url)
    (item,) = found.evidence
    assert item.greedy is not None
    assert item.greedy.careful
    assert (item.careful, item.already) == (right, already)
    assert [question["id"] for question in found.left] == ([] if already else ["Q1"])


def test_both_rulebooks_stand_in_the_evidence(tmp_path: Path) -> None:
    source = write(tmp_path / "q.jsonl", FOODS[2:])
    with serve(lambda model, question, heat: "A steak with coffee.") as server:  # "tea" is in "steak"
        (item,) = screen(source, ["openai:m"], tmp_path / "a", base_url=server.url).evidence
    assert (item.careful, item.published, item.already) == (0, 3, False)


def test_a_cut_loses_nothing_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    source = write(tmp_path / "q.jsonl")
    store, models = tmp_path / "answers.sqlite", ["openai:a", "openai:b"]
    lock, count = threading.Lock(), 0

    def reply(model: str, question: str, heat: float) -> str | int:
        nonlocal count
        with lock:
            count += 1
            return 401 if count > 17 else "tea"

    with serve(reply) as server:
        url = server.url
        with pytest.raises(EnvironmentProblem, match="401"):
            screen(source, models, store, base_url=url)
        with AnswerStore(store) as there:
            kept = len(everything(there))
        assert kept == 17
        count = -1000
        found = screen(source, models, store, base_url=url)
        assert count == -1000 + 24 - kept
    # The server is gone, and nobody needs it.
    again = screen(source, models, store, base_url=url)
    assert again.evidence_lines() == found.evidence_lines()
    assert again.left == found.left


def test_a_killed_screening_goes_on(tmp_path: Path) -> None:
    rows = [(f"Q{n}", f"What is number {n}?", f"number{n}") for n in range(40)]
    source = write(tmp_path / "q.jsonl", rows)
    answered = threading.Semaphore(0)
    script = (
        "import sys; from pathlib import Path; from homeground.runs.screen import screen; "
        "screen(Path(sys.argv[1]), ['openai:m'], Path(sys.argv[2]), base_url=sys.argv[3])"
    )
    with serve(lambda model, question, heat: "no idea", answered.release) as server:
        child = subprocess.Popen(
            [sys.executable, "-c", script, str(source), str(tmp_path / "a"), server.url],
            stderr=subprocess.DEVNULL,
        )
        for _ in range(60):
            assert answered.acquire(timeout=60)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        with AnswerStore(tmp_path / "a") as there:
            kept = len(everything(there))
        assert kept > 0
        before = len(server.bodies)
        screen(source, ["openai:m"], tmp_path / "a", base_url=server.url)
        assert len(server.bodies) - before == 160 - kept


def test_a_run_pays_nothing_for_what_screening_asked(tmp_path: Path) -> None:
    source = write(tmp_path / "q.jsonl")
    build_questions(source, tmp_path / "set")
    store = tmp_path / "answers.sqlite"
    with serve(knows("Q1")) as server:
        screen(source, ["openai:m"], store, base_url=server.url)
        before = len(server.bodies)
        result = run_benchmark(
            tmp_path / "set", tmp_path / "run", ["openai:m"], base_url=server.url, answers=store,
            selection=Selection(conditions=("plain",), concepts=(), tasks=("question",)),
        )  # fmt: skip
    assert (result.asked, result.answered, len(server.bodies)) == (0, 3, before)


@pytest.mark.parametrize(
    "said",
    [
        "x" * 1_000_000,
        "<script>alert(1)</script>\x1b[2J\x00 [bold]lupins",
        "",
        "```json\n{}\n```",
        "\ud800 lupins",
    ],
)
def test_hostile_answers_are_bounded_and_harmless(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    source = write(tmp_path / "q.jsonl", FOODS[:1])
    with serve(lambda model, question, heat: said) as server:
        output = tmp_path / "e.jsonl"
        assert (
            call(source, "--model", "openai:[red]m", "--base-url", server.url, "-o", output, "--samples", 1)
            == 0
        )
    assert len(output.read_bytes()) < 10_000
    printed = capsys.readouterr().out
    assert "openai:[red]m" in printed
    assert "\x1b" not in printed
    item = json.loads(output.read_text().splitlines()[1])
    assert len(item["said"][0]["text"]) <= 500


def test_a_refused_prompt_is_evidence_and_no_end(tmp_path: Path) -> None:
    source = write(tmp_path / "q.jsonl")

    def reply(model: str, question: str, heat: float) -> str | int:
        return 400 if question == FOODS[0][1] else knows("Q3")(model, question, heat)

    with serve(reply) as server:
        found = screen(source, ["openai:m"], tmp_path / "a", base_url=server.url)
        assert [question["id"] for question in found.left] == ["Q1", "Q2"]
        refused = found.evidence[0]
        assert (refused.greedy, refused.said, len(refused.refused)) == (None, (), 4)
        assert "\x1b" not in refused.refused[0]
        many = write(
            tmp_path / "many.jsonl", [(f"N{n}", FOODS[0][1], "lupins") for n in range(9)] + FOODS[1:]
        )
        for _ in range(2):  # asked again, and refused again
            assert len(screen(many, ["openai:m"], tmp_path / "a", base_url=server.url).left) == 10
    with (
        serve(lambda model, question, heat: 400) as server,
        pytest.raises(EnvironmentProblem, match="refused"),
    ):
        screen(source, ["openai:m"], tmp_path / "b", base_url=server.url)


def test_a_second_screening_remembers_the_first(tmp_path: Path) -> None:
    source = write(tmp_path / "q.jsonl", screened_by=["openai:earlier"])
    with serve(knows()) as server:
        found = screen(source, ["openai:m"], tmp_path / "a", base_url=server.url)
    assert found.head.screened_by == ("openai:earlier", "openai:m")
    assert all(left["screened_by"] == ("openai:earlier", "openai:m") for left in found.left)


def test_fields_that_nobody_knows_are_kept(tmp_path: Path) -> None:
    table = tmp_path / "q.csv"
    table.write_text("id,question,answers,options,topic\n Q1 ,What goes with beer?,lupins,,food\n")
    lines = write(tmp_path / "q.jsonl", FOODS[:1], topic="food", answered_in=1999)
    with serve(knows()) as server:
        for path in (table, lines):
            (left,) = screen(path, ["openai:m"], tmp_path / "a", base_url=server.url).left
            assert (left["id"], left["topic"], left["answers"]) == ("Q1", "food", ("lupins",))
            assert "options" not in left
        assert left["answered_in"] == 1999


def test_what_cannot_be_screened_is_refused_before_anybody_is_asked(tmp_path: Path) -> None:
    good = write(tmp_path / "q.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.write_text(
        '{"id": "A", "question": "Why?", "answers": ["x1"]}\n{"id": "B", "question": "Why?", "answers": []}\n'
    )
    twice = write(tmp_path / "twice.jsonl", [FOODS[0], FOODS[0]])
    cases: list[tuple[list[object], str]] = [
        ([empty, "--model", "openai:m", "-o", tmp_path / "e"], r"empty\.jsonl:2: question B"),
        ([twice, "--model", "openai:m", "-o", tmp_path / "e"], r"twice\.jsonl:2: .*line 1"),
        ([good, "--model", "openai:m", "-o", tmp_path / "e", "--temperature", "0"], "--temperature"),
        ([good, "--model", "nobody", "-o", tmp_path / "e"], "nobody"),
        ([good, "--model", "openai:m", "-o", good], "the file to screen"),
        (
            [good, "--model", "openai:m", "-o", tmp_path / "e", "--kept", tmp_path / "e"],
            "the evidence goes there",
        ),
        ([good, "--model", "batch:m", "-o", tmp_path / "e"], "through the files of a run"),
        (
            [good, "--model", "openai:m", "-o", tmp_path / "e", "--answers", tmp_path / "no" / "a"],
            "no such folder",
        ),
    ]
    with serve(knows()) as server:
        for words, said in cases:
            with pytest.raises(InputError, match=said):
                call(*words, "--base-url", server.url)
        assert server.bodies == []
    assert good.read_text().count("\n") == 3
    assert not (tmp_path / "e").exists()


def test_json_is_one_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "q.jsonl")
    with serve(knows("Q2")) as server:
        call(source, "--model", "openai:m", "--base-url", server.url, "-o", tmp_path / "e.jsonl", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["left"] == ["Q1", "Q3"]
    assert found["already"] == {"openai:m": ["Q2"]}
    assert found["screening"]["samples"] == 3


@pytest.mark.model
def test_the_embedded_model_can_be_screened_with(tmp_path: Path, weights: Path) -> None:
    assert weights.is_file()
    rows = [
        ("Q1", "What is the capital of France?", "Paris"),
        ("Q2", "What goes with beer at five?", "lupins"),
    ]
    source = write(tmp_path / "q.jsonl", rows)
    found = screen(source, [f"embedded:{MODEL}"], tmp_path / "a", samples=1)
    assert [item.id for item in found.evidence] == ["Q1", "Q2"]
    assert all(item.greedy is not None and item.greedy.text for item in found.evidence)
    assert found.head.models[0].engine["engine"] == "embedded"
    assert not found.evidence[1].already
