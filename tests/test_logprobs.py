"""Log-probabilities: stored where they are wanted and offered, another request where they are; draws repeat."""

import json
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from homeground.engines import AnswerStore, open_engine
from homeground.engines.batch_requests import request_line
from homeground.engines.batch_results import Unusable, read_line
from homeground.engines.embedded import EmbeddedEngine
from homeground.engines.protocol import EngineOptions
from homeground.plan import Selection
from homeground.plan.requests import request_key
from homeground.runs.folder import open_run
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import MODEL, everything, results
from tests.servers import Recorder, completion

SMALL = Selection(sample=1, tasks=("background",), conditions=("implicit",))
TOKENS = [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1.25}]
REQUEST = Request(
    engine={"model": "m"}, messages=(Message(role="user", text="?"),), sampling=Sampling(logprobs=True)
)


def offered() -> bytes:
    body = json.loads(completion("France"))
    body["choices"][0]["logprobs"] = {"content": TOKENS}
    return json.dumps(body).encode()


def test_a_run_stores_them_when_asked(benchmark_folder: Path, tmp_path: Path) -> None:
    with Recorder(lambda body: (200, offered())) as server:
        for name, wanted in (("with", True), ("without", False)):
            run_benchmark(
                benchmark_folder, tmp_path / name, ["openai:m"], base_url=server.url, grounding="description",
                selection=SMALL, logprobs=wanted,
            )  # fmt: skip
        assert [body.get("logprobs") for body in server.bodies] == [True, None]
    with open_run(tmp_path / "with").store() as store:
        (answer,) = everything(store).values()
    assert answer.logprobs == (-0.5, -1.25)
    keys = [set(open_run(tmp_path / name).plan.requests) for name in ("with", "without")]
    assert not keys[0] & keys[1]


def test_a_server_that_offers_none_is_asked_without(tmp_path: Path) -> None:
    def reply(body: dict[str, object]) -> tuple[int, bytes]:
        if "logprobs" in body:
            return 400, b'{"error": {"message": "Unsupported parameter: \'logprobs\'", "param": "logprobs"}}'
        return 200, completion("France")

    with Recorder(reply) as server:
        engine = open_engine("openai:m", EngineOptions(server.url))
        for key in ("a", "b"):
            (answer,) = results(engine, [(key, REQUEST)]).values()
            assert isinstance(answer, Answer)
            assert (answer.text, answer.logprobs) == ("France", ())
        engine.close()
        assert ["logprobs" in body for body in server.bodies] == [True, False, False]


def test_a_store_of_an_earlier_version_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    old = Answer(text="old", finish_reason="stop", prompt_tokens=1, completion_tokens=2, seconds=0.5)
    with AnswerStore(path, write=True) as store:
        store.add("old", REQUEST, old)
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE answers DROP COLUMN logprobs")
    with AnswerStore(path) as store:
        assert store.get(["old"]) == {"old": old}
    new = replace(old, text="new", logprobs=(-0.125, -3.0))
    with AnswerStore(path, write=True) as store:
        store.add("new", REQUEST, new)
        assert store.get(["old", "new"]) == {"old": old, "new": new}


def test_batches_ask_for_them_and_bring_them_back() -> None:
    key = request_key(REQUEST)
    sent = {
        format: json.loads(request_line(format, key, REQUEST, lambda _: b""))
        for format in ("openai", "gemini")
    }
    assert sent["openai"]["body"]["logprobs"] is True
    assert sent["gemini"]["request"]["generationConfig"]["responseLogprobs"] is True
    openai = {"custom_id": key, "response": {"status_code": 200, "body": json.loads(offered())}}
    candidate = {
        "content": {"parts": [{"text": "France"}]}, "finishReason": "STOP",
        "logprobsResult": {"chosenCandidates": [{"token": "a", "logProbability": -0.5}]},
    }  # fmt: skip
    gemini = {"key": key, "response": {"candidates": [candidate]}}
    for line, expected in ((openai, (-0.5, -1.25)), (gemini, (-0.5,))):
        result = read_line(json.dumps(line).encode())
        assert not isinstance(result, Unusable) and isinstance(result[1], Answer)
        assert result[1].logprobs == expected


@pytest.mark.model
def test_a_draw_of_the_embedded_model_repeats_and_another_differs(weights: Path) -> None:
    assert weights.is_file()
    hot = Sampling(temperature=1.5, max_tokens=12)
    asked = Request(engine={}, messages=(Message(role="user", text="Name a town."),), sampling=hot)
    drawn = {draw: replace(asked, draw=draw) for draw in ("a", "b", "c")}
    said = []
    for _ in range(2):
        engine = EmbeddedEngine(MODEL, processes=1)
        said.append([a.text for a in results(engine, drawn.items()).values() if isinstance(a, Answer)])
        engine.close()
    assert said[0] == said[1]
    assert len(set(said[0])) == len(drawn)
