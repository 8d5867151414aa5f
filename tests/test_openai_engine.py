"""The openai engine: a real llama.cpp server for text, a recording server for pictures and for faults."""

import base64
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from PIL import Image

from homeground.benchmarks import Benchmark
from homeground.engines import known_models, open_engine
from homeground.engines.embedded import EmbeddedEngine
from homeground.engines.openai import OpenAIEngine
from homeground.engines.openai_dialect import Dialect, family_of, messages_json
from homeground.engines.protocol import EngineOptions, Refusal
from homeground.engines.shares import in_shares
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan import Selection
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import results
from tests.servers import Recorder, completion

REQUEST = Request(
    engine={}, messages=(Message(role="user", text="Name one country."),), sampling=Sampling(max_tokens=6)
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    monkeypatch.setattr("homeground.engines.openai._RETRIES", 1)
    yield "test-key"


def ask(url: str, request: Request = REQUEST) -> Answer:
    engine = open_engine("openai:m", EngineOptions(url))
    try:
        ((name, answer),) = results(engine, [("k", request)]).items()
    finally:
        engine.close()
    assert name == "k"
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.model
def test_a_llama_cpp_server_answers_as_the_embedded_model_does(llama_server: str) -> None:
    over_http = ask(llama_server)
    embedded = EmbeddedEngine("smollm2-135m")
    in_process = results(embedded, [("k", REQUEST)])["k"]
    embedded.close()
    assert isinstance(in_process, Answer)
    assert over_http.text == in_process.text
    assert over_http.prompt_tokens == in_process.prompt_tokens > 0
    assert over_http.finish_reason in ("stop", "length")


@pytest.mark.model
def test_a_wrong_key_is_named_and_not_shown(llama_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-the-right-one")
    with pytest.raises(EnvironmentProblem, match="HTTP 401") as caught:
        ask(llama_server)
    assert "sk-not" not in str(caught.value)


def test_pictures_arrive_whole_and_first(benchmark: Benchmark, tmp_path: Path) -> None:
    with Recorder(lambda body: (200, completion("30 °C"))) as server:
        result = run_benchmark(
            benchmark, tmp_path / "run", ["openai:eye"], grounding="image", base_url=server.url,
            selection=Selection(concepts=("temperature",), conditions=("null", "explicit"), sample=2),
        )  # fmt: skip
    assert result.asked == len(server.bodies) == result.requests
    pictures = 0
    for body in server.bodies:
        content = body["messages"][0]["content"]
        if isinstance(content, str):
            assert "which country" in content, "the background task is asked without the picture"
            continue
        assert [part["type"] for part in content] == ["image_url", "text"]
        head, data = content[0]["image_url"]["url"].split(",", 1)
        assert head == "data:image/png;base64"
        with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
            assert picture.size == (640, 480)
        assert "Picture:" not in content[1]["text"]
        pictures += 1
    assert pictures
    assert set(server.headers) == {"Bearer test-key"}
    stored = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert b"test-key" not in stored


def test_every_request_is_answered_once_in_parallel() -> None:
    requests = [
        (str(i), Request(engine={}, messages=(Message(role="user", text=str(i)),), sampling=Sampling()))
        for i in range(50)
    ]
    with Recorder(lambda body: (200, completion("got " + body["messages"][0]["content"]))) as server:
        engine = open_engine("openai:m", EngineOptions(server.url))
        found = results(engine, requests)
        engine.close()
    assert {key: getattr(answer, "text", None) for key, answer in found.items()} == {
        str(i): f"got {i}" for i in range(50)
    }
    assert len(server.bodies) == 50
    assert server.bodies[0]["temperature"] == 0


def test_reasoning_is_kept_apart() -> None:
    with Recorder(lambda body: (200, completion("30 °C", reasoning_content="The user is French."))) as server:
        answer = ask(server.url)
    assert (answer.text, answer.reasoning) == ("30 °C", "The user is French.")
    assert (answer.prompt_tokens, answer.completion_tokens) == (7, 3)


def test_reasoning_is_read_wherever_it_comes() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "A French user."}]}
    for reply in (
        completion("30 °C", reasoning="A French user."),
        completion("30 °C", reasoning_content=[{"type": "text", "text": "A French user."}]),
        completion([thought, {"type": "text", "text": "30 °C"}]),
    ):
        with Recorder(lambda body, reply=reply: (200, reply)) as server:  # type: ignore[misc]
            answer = ask(server.url)
        assert (answer.text, answer.reasoning) == ("30 °C", "A French user.")


def test_what_the_engine_is_never_changes() -> None:
    """The identity is in the key of every stored answer."""
    engine = open_engine("openai:m", EngineOptions("http://127.0.0.1:8000/v1/"))
    assert dict(engine.identity) == {"engine": "openai", "model": "m", "base_url": "http://127.0.0.1:8000/v1"}


LIMITS = ("max_tokens", "max_completion_tokens")


@pytest.mark.parametrize("taken", LIMITS)
def test_the_limit_goes_by_the_name_that_the_server_takes(taken: str) -> None:
    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        if taken in body:
            return 200, completion("x")
        said = f"Unsupported parameter: '{LIMITS[taken == LIMITS[0]]}' is not supported with this model."
        return 400, json.dumps({"error": {"message": said, "code": "unsupported_parameter"}}).encode()

    with Recorder(reply) as server:
        engine = open_engine("openai:m", EngineOptions(server.url))
        for _ in range(3):
            ((_, answer),) = results(engine, [("k", REQUEST)]).items()
            assert isinstance(answer, Answer)
        engine.close()
    assert len(server.bodies) == (3 if taken == LIMITS[0] else 4), "what was refused once is not said again"
    assert server.bodies[-1][taken] == REQUEST.sampling.max_tokens


def test_a_limit_that_is_too_large_is_the_prompts_fault() -> None:
    said = (
        b'{"error": {"message": "max_tokens is too large: 6. It supports at most 4.", "param": "max_tokens"}}'
    )
    with Recorder(lambda body: (400, said)) as server:
        engine = open_engine("openai:m", EngineOptions(server.url))
        assert isinstance(results(engine, [("k", REQUEST)])["k"], Refusal)
        engine.close()
    assert len(server.bodies) == 1


def test_a_temperature_that_is_refused_names_the_switch() -> None:
    said = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported."
    reply = json.dumps({"error": {"message": said, "param": "temperature", "code": "unsupported_value"}})
    with Recorder(lambda body: (400, reply.encode())) as server:
        with pytest.raises(EnvironmentProblem, match=r"model 'm' takes no temperature of 0.*--temperature 1"):
            ask(server.url)
        assert len(server.bodies) == 1


def test_a_prompt_about_temperature_is_no_setting() -> None:
    said = b'{"error": {"message": "prompt not supported: what temperature is it"}}'
    with Recorder(lambda body: (400, said)) as server:
        engine = open_engine("openai:m", EngineOptions(server.url))
        assert isinstance(results(engine, [("k", REQUEST)])["k"], Refusal)
        engine.close()


@pytest.mark.parametrize(
    ("family", "thinking", "sent"),
    [
        ("vllm", True, {"chat_template_kwargs": {"enable_thinking": True}}),
        ("SGLang", False, {"chat_template_kwargs": {"enable_thinking": False}}),
        ("llama.cpp", False, {"chat_template_kwargs": {"enable_thinking": False}}),
        ("ollama", False, {"think": False, "reasoning_effort": "none"}),
        ("openai", True, {"reasoning_effort": "medium"}),
        ("openai", UNSET, {}),
        ("vllm", UNSET, {}),
    ],
)
def test_thinking_is_said_in_the_servers_own_words(
    family: str,
    thinking: bool | UnsetType,
    sent: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = tmp_path / "models.toml"
    rows.write_text(f'[[model]]\nname = "m"\nserver = "{family}"\n')
    monkeypatch.setenv("HOMEGROUND_MODELS", str(rows))
    known_models.cache_clear()
    try:
        with Recorder(lambda body: (200, completion("x"))) as server:
            ask(server.url, replace(REQUEST, sampling=Sampling(thinking=thinking)))
    finally:
        known_models.cache_clear()
    usual = {"model", "messages", "temperature", *LIMITS}
    assert {name: value for name, value in server.bodies[0].items() if name not in usual} == sent


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://mine.openai.azure.com/openai/v1", "openai"),
        ("https://notapi.openai.com.example/v1", "vllm"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://localhost:8080/v1", "llama.cpp"),
        ("http://10.0.0.1:8000/v1", "vllm"),
    ],
)
def test_the_family_is_told_by_the_address(url: str, name: str) -> None:
    assert family_of(url).name == name


def test_thinking_is_put_in_other_words_or_the_problem_is_named() -> None:
    dialect = Dialect("m", family_of("https://api.openai.com/v1"))
    request = replace(REQUEST, sampling=Sampling(thinking=False))
    messages = messages_json(request.messages, lambda _: b"")
    error = {"error": {"message": "Unsupported value: 'reasoning_effort'", "param": "reasoning_effort"}}
    first = dialect.write(request, messages)
    assert b'"none"' in first.body
    assert dialect.other_words(request, first, error)
    second = dialect.write(request, messages)
    assert b'"minimal"' in second.body
    assert dialect.other_words(request, first, error), "sent before the first refusal came back"
    with pytest.raises(EnvironmentProblem, match=r"takes no reasoning_effort.*models\.toml"):
        dialect.other_words(request, second, error)


def test_a_family_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="server 'x' is not known; one of vllm"):
        family_of("http://127.0.0.1/v1", "x")


def test_a_redirect_gets_no_key() -> None:
    with Recorder(lambda body: (307, b"")) as server:
        with pytest.raises(EnvironmentProblem, match="HTTP 307"):
            ask(server.url)
        assert len(server.bodies) == 1


def test_a_busy_server_is_asked_again() -> None:
    replies = iter([(429, b'{"error": {"message": "slow down"}}'), (200, completion("France"))])
    with Recorder(lambda body: next(replies)) as server:
        assert ask(server.url).text == "France"
    assert len(server.bodies) == 2


def test_a_content_filter_is_an_answer() -> None:
    reply = b'{"error": {"message": "blocked", "code": "content_filter"}}'
    with Recorder(lambda body: (400, reply)) as server:
        assert ask(server.url).finish_reason == "content_filter"
    with Recorder(lambda body: (200, completion("", "content_filter"))) as server:
        assert ask(server.url).finish_reason == "content_filter"


@pytest.mark.parametrize(
    ("status", "payload", "word"),
    [
        (404, b'{"error": {"message": "model m does not exist"}}', "HTTP 404.*model 'm'.*does not exist"),
        (401, b'{"error": {"message": "bad key test-key"}}', "HTTP 401.*bad key …"),
        (500, b"oops", "HTTP 500"),
        (200, b"<html>hello</html>", "not the answer of an OpenAI-compatible server"),
        (200, b"{}", "not the answer of an OpenAI-compatible server"),
        (200, b'{"choices": []}', "not the answer of an OpenAI-compatible server"),
        (200, b'{"choices": [{}], "usage": 3}', "not the answer of an OpenAI-compatible server"),
        (200, completion("x").replace(b'"prompt_tokens": 7', b'"prompt_tokens": "many"'), "not the answer"),
    ],
)
def test_faults_are_one_clear_line(status: int, payload: bytes, word: str) -> None:
    with Recorder(lambda body: (status, payload)) as server:
        with pytest.raises(EnvironmentProblem, match=word) as caught:
            ask(server.url)
        assert len(server.bodies) == (2 if payload in (b"oops", b"<html>hello</html>") else 1)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert "test-key" not in str(caught.value)


def test_answers_before_a_fault_are_kept(benchmark: Benchmark, tmp_path: Path) -> None:
    count = iter(range(10_000))
    faulty = True

    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        return (
            (403, b'{"error": {"message": "quota"}}')
            if faulty and next(count) >= 20
            else (200, completion("x"))
        )

    selection = Selection(sample=6)
    with Recorder(reply) as server:
        with pytest.raises(EnvironmentProblem, match=r"HTTP 403.*quota"):
            run_benchmark(benchmark, tmp_path / "r", ["openai:m"], base_url=server.url, selection=selection)
        faulty = False
        again = run_benchmark(
            benchmark, tmp_path / "r", ["openai:m"], base_url=server.url, selection=selection
        )
    assert 0 < again.asked < again.requests == again.answered
    assert again.requests - again.asked >= 20, "what was in flight at the fault is waited for and kept"


def test_a_refused_prompt_stops_no_other(benchmark: Benchmark, tmp_path: Path) -> None:
    refusing = True

    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        if refusing and "Picture: Two" in body["messages"][0]["content"]:
            return 400, b'{"error": {"message": "prompt\\ntoo long"}}'
        return 200, completion("x")

    selection = Selection(concepts=("distance",), conditions=("null", "neutral"))
    with Recorder(reply) as server:
        with pytest.raises(
            EnvironmentProblem, match=r"\d+ prompts were refused.*HTTP 400.*prompt too long"
        ) as caught:
            run_benchmark(benchmark, tmp_path / "r", ["openai:m"], base_url=server.url, selection=selection)
        assert "\n" not in str(caught.value)
        refusing = False
        again = run_benchmark(
            benchmark, tmp_path / "r", ["openai:m"], base_url=server.url, selection=selection
        )
    assert 0 < again.asked < again.requests == again.answered


def test_a_server_that_refuses_everything_is_left_soon(benchmark: Benchmark, tmp_path: Path) -> None:
    with Recorder(lambda body: (422, b'{"error": {"message": "no"}}')) as server:
        with pytest.raises(EnvironmentProblem, match="HTTP 422"):
            run_benchmark(
                benchmark, tmp_path / "r", ["openai:m"], base_url=server.url, selection=Selection(sample=20)
            )
        assert len(server.bodies) < 40


def test_odd_but_whole_replies_are_read() -> None:
    parts = json.loads(completion("x"))
    parts["choices"][0]["message"]["content"] = [
        {"type": "text", "text": "30 "},
        {"type": "text", "text": "°C"},
    ]
    parts["usage"] = {"prompt_tokens": None, "completion_tokens": 5.0}
    with Recorder(lambda body: (200, json.dumps(parts).encode())) as server:
        answer = ask(server.url)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("30 °C", 0, 5)


@pytest.mark.parametrize(
    "url", ["nowhere", "http://", "http://127.0.0.1:abc/v1", "http://[::1", "ftp://x/v1", "http://u:hunter2@h/v1",
            "u:hunter2@h/v1", "http://h/v1?key=hunter2", "http://h/v1#hunter2"],
)  # fmt: skip
def test_addresses_that_are_none_are_refused_without_repeating_them(url: str) -> None:
    with pytest.raises(InputError, match="--base-url: not an address such as") as caught:
        open_engine("openai:m", EngineOptions(url))
    assert "hunter2" not in str(caught.value)


def test_keys_with_white_space_are_trimmed_and_odd_ones_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2\n")
    with Recorder(lambda body: (403, b'{"error": {"message": "no sk-hunter2 here"}}')) as server:
        with pytest.raises(EnvironmentProblem) as caught:
            ask(server.url)
        assert server.headers == ["Bearer sk-hunter2"]
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\x07hunter2")
    with pytest.raises(InputError) as refused:
        open_engine("openai:m", EngineOptions("http://127.0.0.1/v1"))
    assert "hunter2" not in str(refused.value)


def test_pictures_are_checked_before_they_are_sent(benchmark_folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(benchmark_folder, tmp_path / "copy"))
    images = sorted((copy / "images").iterdir())
    images[0].write_bytes(images[1].read_bytes())
    with Recorder(lambda body: (200, completion("x"))) as server:
        with pytest.raises(InputError, match=r"scenes\.jsonl:\d+: scene .* is not the one recorded"):
            run_benchmark(copy, tmp_path / "r", ["openai:m"], base_url=server.url, grounding="image")
        assert server.bodies == []
    assert not (tmp_path / "r").exists()


@given(st.lists(st.integers()), st.integers(1, 9))
def test_each_slot_gets_a_contiguous_share(items: list[int], slots: int) -> None:
    order = list(in_shares(list(enumerate(items)), slots))
    assert sorted(order) == list(enumerate(items))
    share = -(-len(items) // slots)
    for slot in range(share and -(-len(items) // share)):
        mine = [number for number, _ in order if number // share == slot]
        assert mine == list(range(slot * share, min(len(items), (slot + 1) * share)))


def test_a_server_with_slots_is_sent_contiguous_shares() -> None:
    class Slots(Recorder):
        def get(self, path: str) -> tuple[int, bytes]:
            return (200, b'{"total_slots": 3}') if path == "/props" else (404, b"{}")

    with Slots(lambda body: (200, completion("x"))) as server:
        engine = OpenAIEngine("m", server.url)
        engine._slots_at = "/../props"
        assert engine._slots() == 3
        engine._slots_at = "/nothing"
        assert engine._slots() == 1
        engine.close()
