"""Inspect's providers behind our protocol: real Inspect, a real server, answers as from any other engine."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from homeground.engines import Engine, open_engine
from homeground.engines.protocol import EngineOptions, Refusal
from homeground.errors import EnvironmentProblem, InputError
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import results
from tests.servers import Recorder, completion

MODEL = "inspect:openai-api/somewhere/m"
KEY = "sk-never-to-be-seen"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMEWHERE_API_KEY", KEY)


def ask(text: str, image: str | None = None, **sampling: Any) -> Request:  # noqa: ANN401
    user = Message(role="user", text=text, image=image)
    return Request(
        engine={}, messages=(Message(role="system", text="Be brief."), user), sampling=Sampling(**sampling)
    )


def reply(body: dict[str, Any]) -> tuple[int, bytes]:
    said = str(body["messages"][-1]["content"])
    errors = {
        "odd": (400, "odd", ""),
        "filtered": (400, "content", "content_filter"),
        "key": (401, f"no {KEY}", ""),
    }
    errors |= {"endless": (400, "maximum context length is 5 tokens", "context_length_exceeded")}
    for word, (status, message, code) in errors.items():
        if word in said:
            return status, json.dumps({"error": {"message": message, "code": code}}).encode()
    answer = json.loads(completion("30 °C", reasoning_content="Hm."))
    if body.get("logprobs"):
        answer["choices"][0]["logprobs"] = {
            "content": [{"token": "30", "logprob": -0.25, "top_logprobs": []}]
        }
    return 200, json.dumps(answer).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Recorder]:
    with Recorder(reply) as recorder:
        yield recorder


@pytest.fixture
def engine(server: Recorder) -> Iterator[Engine]:
    server.bodies.clear()
    opened = open_engine(MODEL, EngineOptions(server.url))
    opened.ready(lambda line: None)
    yield opened
    opened.close()


def test_answers_carry_what_ours_do(engine: Engine, server: Recorder) -> None:
    (answer,) = results(
        engine, [("a", ask("How warm?", logprobs=True, max_tokens=9, thinking=False))]
    ).values()
    assert isinstance(answer, Answer)
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("30 °C", "Hm.", "stop")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.logprobs) == (7, 3, (-0.25,))
    assert answer.seconds > 0
    (body,) = server.bodies
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "How warm?"}
    ]  # fmt: skip
    assert {name: body[name] for name in ("model", "max_tokens", "temperature", "reasoning_effort", "logprobs")} == {
        "model": "m", "max_tokens": 9, "temperature": 0.0, "reasoning_effort": "none", "logprobs": True
    }  # fmt: skip


def test_pictures_come_before_the_text(engine: Engine, server: Recorder) -> None:
    list(engine.answer([("a", ask("What is it?", image="ab"))], {"ab": b"\x89PNG"}.__getitem__))
    picture, text = server.bodies[0]["messages"][-1]["content"]
    assert picture["image_url"]["url"] == "data:image/png;base64,iVBORw=="
    assert text == {"type": "text", "text": "What is it?"}


def test_refused_prompts_are_told_from_faults(engine: Engine) -> None:
    found = results(engine, [(word, ask(word)) for word in ("odd", "filtered", "endless", "fine")])
    assert found["odd"] == Refusal(f"{MODEL}: Error code: 400 - odd")
    assert isinstance(found["endless"], Refusal) and "context length" in found["endless"].reason
    filtered = found["filtered"]
    assert isinstance(filtered, Answer)
    assert (filtered.text, filtered.finish_reason) == ("", "content_filter")
    assert isinstance(found["fine"], Answer)


def test_a_key_that_is_refused_is_a_problem_that_does_not_show_it(engine: Engine) -> None:
    with pytest.raises(EnvironmentProblem, match="401") as caught:
        results(engine, [("key", ask("key")), ("later", ask("fine"))])
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_retries_ended_with_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homeground.engines.inspect._RETRIES", 0)
    with Recorder(lambda body: (500, b'{"error": {"message": "the oven is cold"}}')) as broken:
        opened = open_engine(MODEL, EngineOptions(broken.url))
        opened.ready(lambda line: None)
        try:
            with pytest.raises(EnvironmentProblem, match="500") as caught:
                results(opened, [("a", ask("How warm?"))])
        finally:
            opened.close()
    assert "RetryError" not in str(caught.value)


def test_many_requests_have_one_answer_each(engine: Engine, server: Recorder) -> None:
    wanted = [(str(number), ask(f"question {number}")) for number in range(120)]
    assert results(engine, wanted).keys() == dict(wanted).keys()
    assert len(server.bodies) == 120


@pytest.mark.parametrize(
    ("name", "said"),
    [("inspect:nowhere/m", "nowhere"), ("inspect:openai-api/elsewhere/m", "ELSEWHERE_")],
)
def test_what_inspect_misses_is_said_before_anything_is_written(
    benchmark_folder: Path, tmp_path: Path, name: str, said: str
) -> None:
    with pytest.raises(EnvironmentProblem, match=said) as caught:
        run_benchmark(benchmark_folder, tmp_path / "run", [name], grounding="description")
    assert "[" not in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_without_the_extra_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    with pytest.raises(EnvironmentProblem, match=r"pip install 'homeground\[inspect\]'"):
        open_engine(MODEL).ready(lambda line: None)


@pytest.mark.parametrize("name", ["ray:batch:m", "ray:ray:openai:m", "ray:m", "inspect:"])
def test_names_that_mean_nothing_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        open_engine(name)
