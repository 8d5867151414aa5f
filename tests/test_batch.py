"""Batch files: what is written, what is read back, whatever the services make of it."""

import base64
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.engines import AnswerStore, batch_results, open_engine
from homeground.engines.batch_intake import Intake
from homeground.engines.batch_requests import BatchFormat, batch_services, cut, request_line
from homeground.engines.batch_results import Failure, Unusable, read_line, result_lines
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan import Selection
from homeground.report import write_report
from homeground.runs import Run, open_run
from homeground.runs import batch as runs_batch
from homeground.runs.batch import read_batch, write_batch
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import everything
from tests.test_cli import homeground, refused

MODEL = "batch:some/model"
FEW = Selection(concepts=("temperature", "price"), conditions=("null", "cue1", "explicit"), sample=6)
SECRET = "sk-do-not-write-this"


def begin(benchmark: Benchmark, folder: Path, models: tuple[str, ...] = (MODEL,), **options: object) -> Path:
    options.setdefault("selection", FEW)
    with pytest.raises(EnvironmentProblem, match="homeground batch write RUN"):
        run_benchmark(benchmark, folder, models, **options)  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="module")
def begun(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(benchmark, tmp_path_factory.mktemp("batch") / "run")


@pytest.fixture
def run(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / "run"))


def sent(folder: Path) -> list[dict[str, Any]]:
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def keys(folder: Path) -> list[str]:
    return [line.get("custom_id") or line["key"] for line in sent(folder)]


def completion(text: str = "Celsius.", finish: str | None = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }  # fmt: skip


def openai_result(key: str, body: object = None, status: int = 200, error: object = None) -> dict[str, Any]:
    response = {"status_code": status, "request_id": "r", "body": completion() if body is None else body}
    return {"id": "b", "custom_id": key, "response": response, "error": error}


def generated(text: str = "Celsius.", finish: str = "STOP", **more: object) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11}
    return {"candidates": [{"content": content, "finishReason": finish}], "usageMetadata": usage} | more


def write_lines(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def outcome(line: object) -> Answer | Failure:
    read = read_line(json.dumps(line).encode())
    assert not isinstance(read, Unusable), read
    return read[1]


# ---- writing ------------------------------------------------------------------------------------


def test_every_request_is_written_once_in_the_order_of_the_plan(run: Path, tmp_path: Path) -> None:
    written = write_batch(run, tmp_path / "b")
    assert keys(tmp_path / "b") == list(open_run(run).plan.requests)
    assert written.requests == len(keys(tmp_path / "b")) == sum(one.requests for one in written.shards)
    for line, request in zip(sent(tmp_path / "b"), open_run(run).plan.requests.values(), strict=True):
        body = line["body"]
        assert body["model"] == "some/model"
        assert body["max_completion_tokens"] == request.sampling.max_tokens
        assert body["temperature"] == 0
        assert body["messages"] == [{"role": m.role, "content": m.text} for m in request.messages]
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")


def test_the_index_names_run_and_shards(run: Path, tmp_path: Path) -> None:
    write_batch(run, tmp_path / "b")
    index = tomllib.loads((tmp_path / "b" / "batch.toml").read_text())
    assert index["run"] == "run"
    assert index["run_sha256"] == hashlib.sha256((run / "run.toml").read_bytes()).hexdigest()
    for shard in index["shard"]:
        data = (tmp_path / "b" / shard["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (shard["bytes"], shard["sha256"])
        assert data.count(b"\n") == shard["requests"]
    assert index["requests"] == sum(shard["requests"] for shard in index["shard"])


@pytest.mark.parametrize("format", ["openai", "gemini"])
def test_repetition_gives_equal_bytes_and_no_secret(
    run: Path, tmp_path: Path, format: BatchFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, SECRET)
    for name in ("one", "two"):
        write_batch(run, tmp_path / name, format=format)
    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    for data in files.values():
        assert SECRET.encode() not in data
        assert str(tmp_path).encode() not in data


@given(
    sizes=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 40)), max_size=60),
    most=st.none() | st.integers(1, 7),
    size=st.integers(40, 120),
)
def test_shards_keep_the_limits(sizes: list[tuple[int, int]], most: int | None, size: int) -> None:
    lines = [(group, b"x" * length) for group, length in sorted(sizes, key=lambda one: one[0])]
    shards: dict[tuple[int, int], list[bytes]] = {}
    for name, line in cut(lines, requests=most, size=size):
        shards.setdefault(name, []).append(line)
    assert [(group, line) for (_, group), held in shards.items() for line in held] == lines
    assert [number for number, _ in shards] == list(range(1, len(shards) + 1))
    for held in shards.values():
        assert sum(map(len, held)) <= size
        assert most is None or len(held) <= most
    every = list(shards.items())
    for ((_, group), held), ((_, after), later) in pairwise(every):
        full = len(held) == most or sum(map(len, held)) + len(later[0]) > size
        assert full or group != after, "a file ends only where it must"


def test_small_limits_hold_on_disk(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = batch_services()["openai"]
    longest = max(len(line) for line in _lines_of(run))

    def limited(most: int, size: int) -> Callable[[], Any]:
        fields = {name: getattr(service, name) for name in service.__struct_fields__}
        small = type(service)(**(fields | {"requests": most, "bytes": size}))
        return lambda: {"openai": small}

    monkeypatch.setattr(runs_batch, "batch_services", limited(7, longest * 4))
    written = write_batch(run, tmp_path / "b")
    assert len(written.shards) > 1
    assert all(one.requests <= 7 and one.bytes <= longest * 4 for one in written.shards)
    assert keys(tmp_path / "b") == list(open_run(run).plan.requests)
    monkeypatch.setattr(runs_batch, "batch_services", limited(7, longest - 1))
    with pytest.raises(InputError, match="more than a file may hold"):
        write_batch(run, tmp_path / "c")
    assert not (tmp_path / "c").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "run"], "nothing half written"


def _lines_of(run: Path) -> list[bytes]:
    return [request_line("openai", k, r, lambda _: b"") for k, r in open_run(run).plan.requests.items()]


def test_services_limits_are_those_of_their_documentation() -> None:
    services = batch_services()
    assert (services["openai"].requests, services["openai"].bytes) == (50_000, 200_000_000)
    assert (services["gemini"].requests, services["gemini"].bytes) == (None, 2_000_000_000)


def test_pictures_travel_in_the_line(benchmark: Benchmark, tmp_path: Path) -> None:
    run = begin(
        benchmark, tmp_path / "run", grounding="image", selection=Selection(sample=1, cultures=("FR",))
    )
    pictures = {s.image_sha256 for s in benchmark.scenes.values()}
    write_batch(run, tmp_path / "o")
    write_batch(run, tmp_path / "g", format="gemini")
    urls = [
        part["image_url"]["url"]
        for line in sent(tmp_path / "o")
        for message in line["body"]["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    data = [
        part["inlineData"]["data"]
        for line in sent(tmp_path / "g")
        for content in line["request"]["contents"]
        for part in content["parts"]
        if "inlineData" in part
    ]
    assert urls
    assert [url.removeprefix("data:image/png;base64,") for url in urls] == data
    assert {hashlib.sha256(base64.b64decode(one)).hexdigest() for one in data} <= pictures


def test_gemini_requests_have_the_documented_shape() -> None:
    messages = (
        Message(role="system", text="You help."),
        Message(role="user", text="How warm?", image="ab"),
        Message(role="assistant", text="Warm."),
        Message(role="user", text="In numbers?"),
    )
    seen: list[Any] = []
    for thinking in (True, False):
        sampling = Sampling(temperature=0.5, max_tokens=9, thinking=thinking)
        request = Request(engine={"engine": "batch", "model": "g"}, messages=messages, sampling=sampling)
        seen.append(json.loads(request_line("gemini", "k" * 64, request, lambda _: b"png")))
    assert seen[0] == {
        "key": "k" * 64,
        "request": {
            "systemInstruction": {"parts": [{"text": "You help."}]},
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {"inlineData": {"mimeType": "image/png", "data": "cG5n"}},
                        {"text": "How warm?"},
                    ],
                },
                {"role": "model", "parts": [{"text": "Warm."}]},
                {"role": "user", "parts": [{"text": "In numbers?"}]},
            ],
            "generationConfig": {
                "temperature": 0.5,
                "maxOutputTokens": 9,
                "thinkingConfig": {"thinkingBudget": -1, "includeThoughts": True},
            },
        },
    }
    assert seen[1]["request"]["generationConfig"]["thinkingConfig"] == {"thinkingBudget": 0}


def test_one_model_a_file(benchmark: Benchmark, tmp_path: Path) -> None:
    few = Selection(concepts=("speed",), sample=1, cultures=("FR",))
    run = begin(benchmark, tmp_path / "run", ("batch:b", "batch:a"), selection=few)
    written = write_batch(run, tmp_path / "both")
    assert [one.model for one in written.shards] == ["a", "b"]
    for shard in written.shards:
        lines = (tmp_path / "both" / shard.file).read_text().splitlines()
        assert {json.loads(line)["body"]["model"] for line in lines} == {shard.model}
    for name in ("b", "batch:b"):
        assert [s.model for s in write_batch(run, tmp_path / name.replace(":", "-"), model=name).shards] == [
            "b"
        ]
    with pytest.raises(InputError, match="unknown model 'c'"):
        write_batch(run, tmp_path / "c", model="c")


def test_the_engine_calls_nobody() -> None:
    engine = open_engine("batch:x/y")
    assert engine.identity == {"engine": "batch", "model": "x/y"}
    engine.ready(pytest.fail)
    assert list(engine.answer([], lambda _: b"")) == []
    engine.close()


# ---- reading ------------------------------------------------------------------------------------


def service(lines: list[dict[str, Any]], random_: random.Random) -> list[Any]:
    """What a service with a bad day makes of requests: out of order, partial, repeated, partly failed."""
    results: list[Any] = []
    for line in lines:
        key = line["custom_id"]
        luck = random_.random()
        if luck < 0.15:
            continue
        if luck < 0.25:
            results.append(
                {"id": "b", "custom_id": key, "response": None, "error": {"code": "batch_expired"}}
            )
        elif luck < 0.35:
            body = {"error": {"code": "rate_limit_exceeded", "message": "later"}}
            results.append(openai_result(key, body, status=429))
        else:
            results.append(openai_result(key, completion(f"{key[:4]} degrees Celsius")))
        if luck > 0.8:
            results.append(openai_result(key, completion("a second answer")))
    random_.shuffle(results)
    return results


@pytest.mark.parametrize("seed", range(4))
def test_round_trip_until_everything_is_there(
    run: Path, tmp_path: Path, seed: int, benchmark: Benchmark
) -> None:
    luck = random.Random(seed)
    wanted = set(open_run(run).plan.requests)
    for turn in range(40):
        folder = tmp_path / f"b{turn}"
        written = write_batch(run, folder)
        with open_run(run).store() as store:
            known = store.known(wanted)
        assert set(keys(folder) if written.folder else []) == wanted - known
        if written.folder is None:
            break
        lines = service(sent(folder), luck) or [openai_result(keys(folder)[0])]
        half = luck.randrange(1, len(lines) + 1)
        parts = [part for part in (lines[:half], lines[half:]) if part]
        files = [write_lines(tmp_path / f"r{turn}-{i}.jsonl", part) for i, part in enumerate(parts)]
        for again in (False, True):
            read = read_batch(run, files)
            assert read.lines == len(lines)
            assert read.lines == read.stored + read.already + sum(kind.count for kind in read.failed)
            assert read.unused == ()
            assert (read.stored == 0) or not again
        with open_run(run).store() as store:
            assert read.missing == len(wanted) - len(store.known(wanted))
    with open_run(run).store() as store:
        assert set(everything(store)) == wanted
        for key, answer in everything(store).items():
            assert answer.text in (f"{key[:4]} degrees Celsius", "a second answer", "Celsius.")
    done = run_benchmark(benchmark, run, [MODEL], selection=FEW)
    assert done.asked == 0
    assert done.answered == done.requests
    assert write_report(run).judged == done.cells


def test_sequential_cells_are_written_when_their_first_turn_is_read(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    few = Selection(concepts=("price",), strategies=("sequential",), tasks=("question",), sample=2)
    run = begin(benchmark, tmp_path / "run", selection=few)
    first = write_batch(run, tmp_path / "first")
    assert first.waiting > 0
    results = [openai_result(key, completion("France")) for key in keys(tmp_path / "first")]
    read = read_batch(run, [write_lines(tmp_path / "r1", results)])
    assert read.waiting == 0
    assert read.missing > 0
    second = write_batch(run, tmp_path / "second")
    assert second.requests == read.missing
    assert not set(keys(tmp_path / "second")) & set(keys(tmp_path / "first"))
    assert "France" in (tmp_path / "second" / "requests-001.jsonl").read_text()


def test_lines_of_others_are_counted_and_named(run: Path, tmp_path: Path) -> None:
    ours = list(open_run(run).plan.requests)
    path = write_lines(
        tmp_path / "r.jsonl",
        [
            openai_result(ours[0]), "", "{broken", openai_result("0" * 64), openai_result("request-1"), "[]", '"text"',
            {"response": {}}, openai_result("f" * 64), {"custom_id": ours[1], "body": {}}, openai_result(ours[0]),
            openai_result(ours[2], status=500, body={}), {"custom_id": 7, "response": {}},
        ],
    )  # fmt: skip
    read = read_batch(run, [path])
    assert (read.lines, read.stored, read.already, read.missing) == (12, 1, 1, len(ours) - 1)
    assert [(kind.kind, kind.count, kind.first) for kind in read.failed] == [("HTTP 500", 1, f"{path}:12")]
    assert {(kind.kind, kind.count, kind.first) for kind in read.unused} == {
        ("not a result in JSON", 4, f"{path}:3"),
        ("of another run", 2, f"{path}:4"),
        ("with a key that no run has", 1, f"{path}:5"),
        ("without custom_id or key", 1, f"{path}:8"),
        ("without a response or an error, as lines that were sent", 1, f"{path}:10"),
    }


def test_a_failure_that_was_answered_elsewhere_is_none(run: Path, tmp_path: Path) -> None:
    key = next(iter(open_run(run).plan.requests))
    failed = write_lines(tmp_path / "errors", [openai_result(key, {}, status=500)] * 2)
    right = write_lines(tmp_path / "right", [openai_result(key)])
    for files in ([failed, right], [right, failed], [failed]):
        read = read_batch(run, files)
        assert read.failed == ()
    assert read.already == 2


def test_files_of_another_run_are_refused(run: Path, tmp_path: Path) -> None:
    key = next(iter(open_run(run).plan.requests))
    other = write_lines(tmp_path / "other", [openai_result("0" * 64)] * 3)
    empty = write_lines(tmp_path / "empty", [])
    right = write_lines(tmp_path / "right", [openai_result(key)])
    with pytest.raises(
        InputError, match=r"other: holds no result of this run: 3 lines, 3 of another run \(first"
    ):
        read_batch(run, [other])
    with pytest.raises(InputError, match="it is empty; 1 answers from the other files are stored"):
        read_batch(run, [empty, right])
    assert read_batch(run, [right]).already == 1
    with pytest.raises(InputError, match="no such file"):
        read_batch(run, [tmp_path / "absent"])
    with pytest.raises(InputError, match="no such file"):
        read_batch(run, [tmp_path])


def test_long_lines_and_marks_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_results, "LONGEST", 10)
    path = tmp_path / "r"
    path.write_bytes(
        b"\xef\xbb\xbf{}\n" + b"x" * 10 + b"\n" + b"y" * 57 + b"\n\n \r\n{1}\r\nlast" + b"z" * 20
    )
    assert list(result_lines(path)) == [
        (1, b"{}\n"), (2, b"x" * 10 + b"\n"), (3, None), (6, b"{1}\r\n"), (7, None),
    ]  # fmt: skip


K = "a" * 64


def test_openai_and_vllm_results() -> None:
    answer = outcome(openai_result(K, completion("20 °C", "length")))
    assert answer == Answer(
        text="20 °C", finish_reason="length", prompt_tokens=11, completion_tokens=3, seconds=0.0
    )
    thought = completion()
    thought["choices"][0]["message"] |= {"reasoning_content": "Hm.", "content": None}
    assert isinstance(found := outcome(openai_result(K, thought)), Answer)
    assert (found.text, found.reasoning) == ("", "Hm.")
    filtered = {"error": {"code": "content_filter", "message": "…"}}
    for line in (
        openai_result(K, completion("", "content_filter")),
        openai_result(K, filtered, status=400),
    ):
        assert isinstance(found := outcome(line), Answer)
        assert found.finish_reason == "content_filter"
    vllm = {"status_code": 400, "request_id": "r", "body": None}
    huge = completion()
    huge["usage"]["prompt_tokens"] = 2**70
    for line, kind in (
        ({"custom_id": K, "response": None, "error": {"code": "batch_expired"}}, "batch_expired"),
        ({"custom_id": K, "response": vllm, "error": "The model is gone"}, "HTTP 400"),
        (
            {"custom_id": K, "response": vllm, "error": {"error": {"type": "BadRequestError", "code": 400}}},
            "HTTP 400 BadRequestError",
        ),
        (
            openai_result(K, {"error": {"code": None, "type": "server_error"}}, status=500),
            "HTTP 500 server_error",
        ),
        (openai_result(K, {"error": {"message": "no"}}), "response without an answer"),
        (openai_result(K, {"choices": []}), "response without an answer"),
        (openai_result(K, completion(finish="abort")), "ended by abort"),
        (openai_result(K, huge), "response without an answer"),
        (
            openai_result(K, {"error": {"code": "a\nb\x1b[1m" + "c" * 99}}, status=500),
            "HTTP 500 a b [1m" + "c" * 53,
        ),
    ):
        assert outcome(line) == Failure(kind)


def test_gemini_results() -> None:
    body = generated("20 °C")
    body["candidates"][0]["content"]["parts"].insert(0, {"text": "Hm.", "thought": True})
    body["usageMetadata"]["thoughtsTokenCount"] = 5
    expected = Answer(
        text="20 °C", reasoning="Hm.", finish_reason="stop", prompt_tokens=9, completion_tokens=7, seconds=0.0
    )
    for line in (
        {"key": K, "response": body},
        {"metadata": {"key": K}, "response": body},
        {"key": K, "status": "", "response": body, "request": {"contents": []}},
    ):
        assert outcome(line) == expected
    ends: tuple[tuple[dict[str, Any], str], ...] = (
        (generated("cut", "MAX_TOKENS"), "length"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "content_filter"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "content_filter"),
    )
    for response, finish in ends:
        assert isinstance(found := outcome({"key": K, "response": response}), Answer)
        assert found.finish_reason == finish
    for failing, kind in (
        (
            {"key": K, "error": {"code": 8, "message": "quota", "status": "RESOURCE_EXHAUSTED"}},
            "RESOURCE_EXHAUSTED",
        ),
        ({"key": K, "status": {"code": 13, "message": "internal"}}, "code 13"),
        ({"key": K, "status": "Bad Request: …", "response": {}}, "error without a code"),
        ({"metadata": {"key": K}, "error": {"code": 3}}, "code 3"),
        ({"key": K, "response": {"usageMetadata": {}}}, "response without an answer"),
        ({"key": K, "response": generated("x", "OTHER")}, "ended by OTHER"),
        ({"key": K, "response": {"candidates": "x"}}, "response that cannot be read"),
    ):
        assert outcome(failing) == Failure(kind)


NAMES = [
    "custom_id", "key", "metadata", "response", "error", "status", "status_code", "body", "choices", "message",
    "content", "finish_reason", "usage", "prompt_tokens", "candidates", "parts", "text", "finishReason", "code",
]  # fmt: skip
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([K, "stop"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)
LINES = (
    st.binary(max_size=60)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.sampled_from([openai_result(K), {"key": K, "response": generated()}])
    .flatmap(
        lambda line: st.tuples(st.just(json.dumps(line).encode()), st.integers(0, 400), st.binary(max_size=3))
    )
    .map(lambda cut_: cut_[0][: cut_[1]] + cut_[2] + cut_[0][cut_[1] + len(cut_[2]) :])
)


@settings(max_examples=400)
@given(LINES)
def test_no_line_makes_an_exception(line: bytes) -> None:
    read = read_line(line)
    assert isinstance(read, Unusable) or isinstance(read[1], Answer | Failure)


@pytest.mark.parametrize("field", ["response", "error", "metadata", "status", "other"])
def test_depth_makes_no_exception(field: str) -> None:
    for opening, closing in (("[", "]"), ('{"error":', "}")):
        for depth in (10, 200, 300, 400, 500, 700, 900, 100_000):
            deep = opening * depth + "1" + closing * depth
            read_line(f'{{"custom_id": "{K}", "{field}": {deep}}}'.encode())
            read_line(f'{{"key": "{K}", "{field}": {deep}}}'.encode())


@settings(max_examples=60)
@given(st.lists(LINES, max_size=12))
def test_every_line_is_accounted_for(lines: list[bytes]) -> None:
    request = Request(engine={}, messages=(), sampling=Sampling())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.jsonl"
        path.write_bytes(b"\n".join(lines))
        with AnswerStore(Path(folder) / "answers.sqlite", write=True) as store:
            intake = Intake({K: request}, store)
            intake.read(path)
            intake.keep()
            kinds = [*intake.failed(), *intake.unused()]
            assert intake.lines == intake.stored + intake.already + sum(kind.count for kind in kinds)
            assert intake.already >= 0
            assert len(everything(store)) == intake.stored
            if not intake.stored + intake.already + len(intake.failed()):
                with pytest.raises(InputError, match="holds no result of this run"):
                    intake.check()


# ---- the command --------------------------------------------------------------------------------


def test_the_command_says_how_to_go_on(
    benchmark_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    begin_ = ["run", str(benchmark_folder), "--model", "batch:m", "-o", str(run), "--sample", "2"]
    begin_ += ["--concepts", "price"]
    line = refused(capsys, *begin_)
    assert "have no answer yet" in line
    assert "homeground batch write RUN" in line
    assert main(["batch", "write", str(run), "-o", str(tmp_path / "b")]) == 0
    assert f"homeground batch read {run}" in capsys.readouterr().out
    assert "already exists" in refused(capsys, "batch", "write", run, "-o", tmp_path / "b")
    every = keys(tmp_path / "b")
    part = write_lines(tmp_path / "part", [openai_result(every[0]), openai_result(every[1], {}, status=500)])
    assert main(["batch", "read", str(run), str(part)]) == 0
    out = capsys.readouterr().out
    assert "1 answers stored" in out
    assert f"failed: 1 HTTP 500 (first {part}:2)" in out
    assert f"still missing: {len(every) - 1}" in out
    assert "homeground batch write" in out
    assert "no result of this run" in refused(
        capsys, "batch", "read", run, tmp_path / "b" / "requests-001.jsonl"
    )
    rest = write_lines(tmp_path / "rest", [openai_result(key) for key in every])
    assert main(["batch", "read", str(run), str(rest), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["stored"], read["already"], read["missing"]) == (len(every) - 1, 1, 0)
    assert main(["batch", "write", str(run), "-o", str(tmp_path / "c")]) == 0
    assert "nothing to write" in capsys.readouterr().out
    assert not (tmp_path / "c").exists()
    assert main(begin_) == 0
    assert (run / "report.html").is_file()


def test_other_runs_are_refused(tmp_path: Path, benchmark: Benchmark, run: Path) -> None:
    with pytest.raises(InputError, match="not a run's folder"):
        write_batch(tmp_path, tmp_path / "b")
    spec = (run / "run.toml").read_text().replace("batch:some/model", "openai:some/model")
    (run / "run.toml").write_text(spec)
    with pytest.raises(InputError, match="none of its models is asked through files"):
        write_batch(run, tmp_path / "b")
    with pytest.raises(InputError, match="unknown format 'xml'"):
        write_batch(run, tmp_path / "b", format="xml")  # type: ignore[arg-type]


def test_two_processes_at_once(run: Path, tmp_path: Path) -> None:
    every = list(open_run(run).plan.requests)
    results = write_lines(tmp_path / "r", [openai_result(key) for key in every])
    with open_run(run).locked():
        for words in (("read", run, results), ("write", run, "-o", tmp_path / "b")):
            done = homeground("batch", *words)
            assert done.returncode == 2
            assert "another homeground process is writing here" in done.stderr
    words_ = [sys.executable, "-m", "homeground", "batch", "read", str(run), str(results)]
    both = [
        subprocess.Popen(words_, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [(process.communicate()[1], process.returncode) for process in both]
    # Who comes at the very same moment may find the other at the door: either is refused, or both.
    assert all(code == 0 or "another homeground process" in err for err, code in said), said
    assert read_batch(run, [results]).missing == 0
    with open_run(run).store() as store:
        assert set(everything(store)) == set(every)


def test_a_full_disk_keeps_what_was_stored(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = list(open_run(run).plan.requests)
    results = write_lines(tmp_path / "r", [openai_result(key) for key in every])
    monkeypatch.setattr("homeground.engines.batch_intake._GROUP", 5)
    real, calls = AnswerStore.add_all, []

    def full(store: AnswerStore, answers: Iterable[tuple[str, Request, Answer]]) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise EnvironmentProblem("the disk is full")
        real(store, answers)

    monkeypatch.setattr(AnswerStore, "add_all", full)
    with pytest.raises(EnvironmentProblem, match="the disk is full"):
        read_batch(run, [results])
    read = read_batch(run, [results])
    assert (read.already, read.stored, read.missing) == (10, len(every) - 10, 0)


@pytest.mark.model
def test_a_real_server_takes_the_written_lines(
    benchmark: Benchmark, llama_server: str, tmp_path: Path
) -> None:
    """A sample of two conversations: each line's body as it stands, posted to a llama.cpp server."""
    few = Selection(concepts=("temperature",), conditions=("null", "explicit"), sample=2)
    folder = begin(benchmark, tmp_path / "run", selection=few, max_tokens=6)
    write_batch(folder, tmp_path / "b")
    results = []
    for line in sent(tmp_path / "b"):
        asked = urllib.request.Request(  # noqa: S310
            llama_server + line["url"].removeprefix("/v1"),
            json.dumps(line["body"]).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer test-key"},
        )
        with urllib.request.urlopen(asked, timeout=120) as reply:  # noqa: S310
            results.append(openai_result(line["custom_id"], json.load(reply), reply.status))
    read = read_batch(folder, [write_lines(tmp_path / "r.jsonl", results[::-1])])
    assert (read.stored, read.missing, read.failed) == (len(results), 0, ())
    run: Run = open_run(folder)
    with run.store() as store:
        answers = everything(store).values()
    assert all(0 < answer.completion_tokens <= 6 for answer in answers)
    assert any(answer.finish_reason == "length" and answer.text for answer in answers)
    report = write_report(folder)
    assert report.judged == report.cells == len(run.cells)
    assert MODEL in report.page.read_text()
