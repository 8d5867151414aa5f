"""The openai engine against servers that fail, and against its own sudden death: every request one answer."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.engines import open_engine
from homeground.engines.flow import Flow, LoopThread
from homeground.engines.openai_http import pause
from homeground.engines.pace import MOST, START, Pace
from homeground.engines.protocol import EngineOptions
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Message, Request, Sampling
from tests.conftest import results
from tests.servers import completion

KILLS = 20
MANY = [
    (str(i), Request(engine={}, messages=(Message(role="user", text=str(i)),), sampling=Sampling()))
    for i in range(60)
]


class Chaos:
    """A server whose replies are drawn: right, slow, or one of nine faults. It knows what each process asked it."""

    def __init__(self, faults: float, seed: int = 1) -> None:
        self.life = 0
        self.calls: Counter[tuple[int, str]] = Counter()
        self.provoked: Counter[tuple[int, str]] = Counter()
        self.kinds: Counter[str] = Counter()
        self.busy = 0
        self.headers: set[str] = set()
        self._row: Counter[str] = Counter()
        self._faults = faults
        self._draw = random.Random(seed)
        self._lock = threading.Lock()
        chaos = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.reply(200, b'{"data": []}')

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                name = prompt(body["messages"], "content")
                fault, delay = chaos.draw(name, self.headers.get("Authorization", ""))
                try:
                    time.sleep(delay)
                    FAULTS[fault](self) if fault else self.reply(200, completion(echo(name)))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    chaos.done()

            def reply(self, status: int, payload: bytes, wait: str = "", missing: int = 0) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(payload) + missing))
                if wait:
                    self.send_header("Retry-After", wait)
                self.end_headers()
                self.wfile.write(payload)
                self.wfile.flush()
                self.close_connection = self.close_connection or missing > 0

            def log_message(self, *_: object) -> None:
                pass

        def busy(wait: str) -> Callable[[Handler], None]:
            return lambda to: to.reply(429, b'{"error": {"message": "slow down"}}', wait)

        def cut(to: Handler) -> None:
            to.close_connection = True

        FAULTS: dict[str, Callable[[Handler], None]] = {
            "429": busy(""),
            "429, at once": busy("0"),
            "429, seconds": busy("0.2"),
            "429, date": lambda to: busy(formatdate(time.time() + 0.5, usegmt=True))(to),
            "500": lambda to: to.reply(500, b"oops"),
            "503": lambda to: to.reply(503, b'{"error": "starting"}'),
            "garbage": lambda to: to.reply(200, b"\x00\xff<html>"),
            "half a body": lambda to: to.reply(200, completion("x")[:40], missing=200),
            "nothing": cut,
        }
        self._names = list(FAULTS)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that was killed resets its connections; that is what this is about, and no error.
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def draw(self, name: str, key: str) -> tuple[str, float]:
        """A fault, or none, and how long it takes; never more faults in a row for a request than it has tries."""
        with self._lock:
            self.busy += 1
            self.calls[self.life, name] += 1
            self.headers.add(key)
            fault = self._draw.choice(self._names) if self._draw.random() < self._faults else ""
            if self._row[name] >= 4:
                fault = ""
            self._row[name] = self._row[name] + 1 if fault else 0
            self.provoked[self.life, name] += bool(fault)
            self.kinds[fault] += 1
            return fault, self._draw.choice((0.002, 0.01, 0.03, 0.2 if self._draw.random() < 0.1 else 0.02))

    def done(self) -> None:
        with self._lock:
            self.busy -= 1

    def settle(self) -> None:
        """Wait until nothing that a dead client sent is still being worked on."""
        quiet = 0
        while quiet < 5:
            time.sleep(0.02)
            quiet = 0 if self.busy else quiet + 1

    def seen(self, life: int) -> Counter[str]:
        with self._lock:
            return Counter({name: count for (when, name), count in self.calls.items() if when == life})

    def __enter__(self) -> "Chaos":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def prompt(messages: list[dict[str, str]], field: str) -> str:
    return "\n".join(f"{message['role']}: {message[field]}" for message in messages)


def echo(name: str) -> str:
    """A text that tells one prompt's answer from another's."""
    return f"{len(name)} {hash(name)}"


def stored(folder: Path) -> dict[str, str]:
    """Prompts and answers in a run's store."""
    path = folder / "answers.sqlite"
    if not path.is_file():
        return {}
    with sqlite3.connect(path) as db:
        try:
            rows = db.execute("SELECT request, text FROM answers").fetchall()
        except sqlite3.OperationalError:
            return {}  # killed before the table was made
    db.close()
    found = {prompt(json.loads(request)["messages"], "text"): text for request, text in rows}
    assert len(found) == len(rows), "a prompt has one answer"
    return found


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    yield


def test_a_run_survives_a_failing_server_and_twenty_kills(benchmark_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    draw = random.Random(7)
    with Chaos(faults=0.15) as chaos:
        words = [
            sys.executable, "-m", "homeground", "run", str(benchmark_folder), "--model", "openai:m", "-o", str(folder),
            "--base-url", chaos.url, "--concepts", "temperature,distance", "--cultures", "FR,US",
            "--sample", "36", "--json",
        ]  # fmt: skip
        before = stored(folder)
        in_flight = 0
        for kill in range(KILLS):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if kill % 5:  # most in the thick of it, some while it starts
                while process.poll() is None and not chaos.seen(kill):
                    time.sleep(0.005)
            time.sleep(draw.uniform(0, 0.3))
            assert process.poll() is None, process.stderr and process.stderr.read()
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            chaos.settle()
            after = stored(folder)
            assert before.items() <= after.items(), "what was stored stays"
            in_flight += check_life(chaos, kill, before, after)
            before = after
            chaos.life = kill + 1
        last = subprocess.run(words, capture_output=True, text=True, check=False)
        assert last.returncode == 0, last.stderr
        after = stored(folder)
        assert check_life(chaos, KILLS, before, after) == 0, "nothing is in flight at the end"
    said = json.loads(last.stdout)["run"]
    assert said["answered"] == said["requests"] == len(after)
    assert all(text == echo(name) for name, text in after.items()), "each prompt has its own answer"
    assert chaos.calls.total() <= len(after) + chaos.provoked.total() + in_flight
    assert chaos.calls.total() > len(after), "there was chaos"
    assert {"429", "429, seconds", "500", "garbage", "half a body", "nothing"} <= set(chaos.kinds)


def check_life(chaos: Chaos, life: int, before: dict[str, str], after: dict[str, str]) -> int:
    """What one process asked: nothing that was stored, nothing twice but after a fault; gives what it had in flight."""
    seen = chaos.seen(life)
    assert not before.keys() & seen.keys(), "nothing stored is asked again"
    for name, calls in seen.items():
        assert calls <= 1 + chaos.provoked[life, name]
    lost = len(seen.keys() - after.keys())
    assert lost <= 2 * MOST
    return lost


def test_every_fault_that_may_pass_is_outlived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homeground.engines.openai_http._BASE", 0.01)
    with Chaos(faults=0.5, seed=3) as chaos:
        engine = open_engine("openai:m", EngineOptions(chaos.url))
        found = results(engine, MANY)
        engine.close()
    assert {key: getattr(answer, "text", None) for key, answer in found.items()} == {
        key: echo(f"user: {request.messages[0].text}") for key, request in MANY
    }
    assert chaos.calls.total() == len(MANY) + chaos.provoked.total()
    assert chaos.headers == {"Bearer test-key"}


def test_tries_end_and_the_last_fault_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homeground.engines.openai_http._BASE", 0.001)
    monkeypatch.setattr(Chaos, "draw", lambda self, name, key: (self.calls.update([name]), ("503", 0.0))[1])
    with Chaos(faults=1) as chaos:
        engine = open_engine("openai:m", EngineOptions(chaos.url))
        with pytest.raises(EnvironmentProblem, match=r"HTTP 503 for model 'm': starting \(tried 6 times\)"):
            results(engine, MANY[:1])
        engine.close()
    assert chaos.calls.total() == 6


def test_a_server_that_is_not_there_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine("openai:m", EngineOptions("http://127.0.0.1:9/v1"))
    paused: list[int] = []

    def paused_after(tries: int, draw: random.Random) -> float:
        paused.append(tries)
        return 0

    monkeypatch.setattr("homeground.engines.openai.pause", paused_after)
    with pytest.raises(
        EnvironmentProblem, match=r"cannot reach http://127\.0\.0\.1:9/v1.*is the server running"
    ):
        results(engine, MANY)
    engine.close()
    assert paused == []


def test_a_server_that_goes_away_leaves_its_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homeground.engines.openai_http._BASE", 0.001)
    with Chaos(faults=0) as chaos:
        engine = open_engine("openai:m", EngineOptions(chaos.url))
        found: list[str] = []
        with pytest.raises(EnvironmentProblem, match=r"127\.0\.0\.1.*tried 6 times"):
            for group in engine.answer(MANY, lambda _: b""):
                found += [key for key, answer in group if isinstance(answer, Answer)]
                if len(found) >= 10:
                    chaos.server.shutdown()
                    chaos.server.server_close()
                    monkeypatch.setattr(Chaos, "draw", lambda self, name, key: ("nothing", 0.0))
        engine.close()
    assert len(set(found)) == len(found) >= 10


def test_letting_go_in_the_middle_is_clean() -> None:
    """Warnings are errors here: no session, task or thread is left behind."""
    with Chaos(faults=0.3) as chaos:
        for way in ("close", "throw", "engine"):
            engine = open_engine("openai:m", EngineOptions(chaos.url))
            answers = engine.answer(MANY, lambda _: b"")
            assert next(iter(answers))
            if way == "close":
                answers.close()  # type: ignore[attr-defined]
            elif way == "throw":
                with pytest.raises(KeyboardInterrupt):
                    answers.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
            engine.close()
            del answers
            assert "homeground-engine" not in {thread.name for thread in threading.enumerate()}
            assert len(results(engine, MANY[:3])) == 3, "an engine can be opened again"
            engine.close()


def test_ctrl_c_ends_a_run_that_waits(benchmark_folder: Path, tmp_path: Path) -> None:
    with Chaos(faults=0) as chaos:
        words = [
            "run",
            str(benchmark_folder),
            "--model",
            "openai:m",
            "-o",
            str(tmp_path / "run"),
            "--base-url",
        ]
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "homeground", *words, chaos.url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        while process.poll() is None and not stored(tmp_path / "run"):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "what was done so far is kept" in err
    assert not any(word in err for word in ("Traceback", "Unclosed", "destroyed", "never retrieved"))


@pytest.mark.parametrize("said", ["7", "date"])
def test_retry_after_is_honoured(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []

    async def rest(self: object, seconds: float, *, keep_place: bool) -> None:
        rests.append(seconds)

    monkeypatch.setattr(Flow, "rest", rest)
    value = formatdate(time.time() + 8, usegmt=True) if said == "date" else said
    replies = iter([value])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            wait = next(replies, None)
            self.send_response(200 if wait is None else 429)
            if wait is not None:
                self.send_header("Retry-After", wait)
            self.end_headers()
            self.wfile.write(b"{}" if wait is not None else completion("x"))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    engine = open_engine("openai:m", EngineOptions(f"http://127.0.0.1:{server.server_port}/v1"))
    assert isinstance(results(engine, MANY[:1])["0"], Answer)
    engine.close()
    server.shutdown()
    server.server_close()
    assert 5 < max(rests) <= 8


@given(tries=st.integers(1, 100), seed=st.integers())
def test_pauses_grow_and_are_bounded(tries: int, seed: int) -> None:
    assert 0 <= pause(tries, random.Random(seed)) <= min(60, 0.5 * 2 ** (tries - 1))


def test_the_pace_grows_while_answers_come_quickly() -> None:
    pace = Pace()
    assert pace.limit == START
    limits = []
    for _ in range(20_000):
        pace.answered(pace.sent(), 0.1)
        limits.append(pace.limit)
    assert limits == sorted(limits)
    assert limits[-1] == MOST


def test_one_busy_moment_is_one_cut() -> None:
    pace = Pace()
    mark = pace.sent()
    for _ in range(100):
        pace.answered(mark, 0.1)
    before = pace.limit
    for _ in range(before):
        pace.busy(mark)
    assert pace.limit == before // 2


def test_waiting_longer_for_nothing_is_too_much() -> None:
    """A server that answers four at a time makes the others wait: more in flight brings nothing but latency."""
    pace = Pace()
    for _ in range(20_000):
        pace.answered(pace.sent(), 0.1 * max(pace.limit, 4) / 4)
        assert pace.limit <= 5 * START
    pace = Pace()
    for _ in range(20_000):  # one that batches is slower with more, and still worth it
        pace.answered(pace.sent(), 0.1 * (1 + pace.limit / 40))
    assert pace.limit == MOST


@given(st.lists(st.tuples(st.sampled_from(["answer", "busy"]), st.floats(0, 1000)), max_size=300))
def test_the_pace_stays_within_its_bounds(events: list[tuple[str, float]]) -> None:
    pace = Pace()
    for kind, seconds in events:
        if kind == "busy":
            pace.busy(pace.sent())
        else:
            pace.answered(pace.sent(), seconds)
        assert 1 <= pace.limit <= MOST


def test_neighbours_start_in_the_order_of_the_plan() -> None:
    started: list[int] = []

    async def work(task: int) -> int:
        started.append(task)
        await asyncio.sleep(random.Random(task).uniform(0, 0.003))
        return task

    thread = LoopThread()
    flow: Flow[int, int] = Flow(thread.loop, Pace(), work)
    flow.put((str(i), i) for i in range(300))
    done: list[str] = []
    while len(done) < 300:
        done += [key for key, _ in flow.take()]
    thread.close()
    assert started == list(range(300))
    assert sorted(done, key=int) == [str(i) for i in range(300)]
