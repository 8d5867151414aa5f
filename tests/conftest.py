"""What tests share: the built benchmark, the embedded model, a real llama.cpp server, a real browser."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from homeground.benchmarks import Benchmark, load_benchmark
from homeground.benchmarks.build import build_conversations
from homeground.engines import AnswerStore, Engine
from homeground.engines.protocol import Refusal
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Request

# Whoever starts the suite in the background may have it ignore Ctrl-C, and what it starts would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("tests", deadline=None, print_blob=True)
settings.load_profile("tests")

MODEL = "smollm2-135m"
SHARED = Path(__file__).parents[2] / "shared"


def results(engine: Engine, requests: Iterable[tuple[str, Request]]) -> dict[str, Answer | Refusal]:
    """Everything that an engine says to requests without pictures, by key."""
    return {key: result for group in engine.answer(requests, lambda _: b"") for key, result in group}


def everything(store: AnswerStore) -> dict[str, Answer]:
    """Every answer of a store by key."""
    return store.get([key for (key,) in store._db.execute("SELECT key FROM answers")])


def skip_or_fail(reason: str) -> None:
    """Skip with a clear word; under ``CI=true`` what CI must have is missing, and that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def benchmark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole built-in benchmark, seed 1."""
    folder = tmp_path_factory.mktemp("benchmark") / "capri"
    build_conversations(folder)
    return folder


@pytest.fixture(scope="session")
def benchmark(benchmark_folder: Path) -> Benchmark:
    return load_benchmark(benchmark_folder)


@pytest.fixture(scope="session")
def weights() -> Path:
    """The embedded model's weights."""
    from homeground.engines.weights import find_weights

    try:
        return find_weights(MODEL)
    except EnvironmentProblem as error:
        skip_or_fail(str(error))
        raise


@pytest.fixture(scope="session")
def llama_server(weights: Path) -> Iterator[str]:
    """Base URL of a real llama.cpp server on the embedded model's weights; its key is ``test-key``."""
    from homeground.engines.embedded import start_server

    server: Any = start_server(str(weights), api_key="test-key")
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Debian's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        skip_or_fail("no Chromium here: apt-get install chromium")
    return str(found)
