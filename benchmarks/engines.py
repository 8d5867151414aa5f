"""How many requests a second go out, come back, and are stored, against an instant server.

Run from the checkout: ``make bench-engines``. The server runs in a process of its own and answers at once, so that
only clients are measured. Ours is the `openai` engine with the run's own loop: each group of answers is committed to a
new answer store. Against it stand loops that store nothing, of bare aiohttp and of the bare openai client, and, where
they are installed, an Inspect task (one sample a request) and lm-evaluation-harness's own client.

``BENCH_PYTHON`` names a Python that has ``inspect-ai`` or ``lm-eval``, since neither is a dependency.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ROUNDS = 3
IN_FLIGHT = 64
PROMPT = "Answer in a few words. How far is it to the next town? " * 12
REPLY = json.dumps(
    {
        "id": "x", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": "About 12 kilometres."}}],
        "usage": {"prompt_tokens": 150, "completion_tokens": 6, "total_tokens": 156},
    }
).encode()  # fmt: skip


def serve(tell: Connection) -> None:
    """Answer every completion at once, until the process is ended."""
    from aiohttp import web

    async def complete(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=REPLY, content_type="application/json")

    async def start() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", complete)
        app.router.add_get("/v1/models", complete)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        tell.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(start())


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Base URL of an instant server in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def homeground(url: str, count: int) -> None:
    """Our engine; every answer is stored and committed."""
    from homeground.engines import AnswerStore, open_engine
    from homeground.engines.protocol import EngineOptions
    from homeground.schema import Answer, Message, Request, Sampling

    engine = open_engine("openai:m", EngineOptions(url))
    identity = dict(engine.identity)
    requests = {
        f"{i:064x}": Request(
            engine=identity,
            messages=(Message(role="user", text=f"{PROMPT}{i}"),),
            sampling=Sampling(max_tokens=16),
        )
        for i in range(count)
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        AnswerStore(Path(folder) / "answers.sqlite", write=True) as store,
    ):
        for group in engine.answer(requests.items(), lambda _: b""):
            store.add_all((key, requests[key], answer) for key, answer in group if isinstance(answer, Answer))
        stored = len(store.known(requests))
    engine.close()
    if stored != count:
        raise SystemExit(f"only {stored} of {count} answers were stored")


def _body(i: int) -> dict[str, Any]:
    content = f"{PROMPT}{i}"
    return {
        "model": "m",
        "messages": [{"role": "user", "content": content}],
        "max_tokens": 16,
        "temperature": 0.0,
    }


async def _in_flight(count: int, one: Callable[[int], Any]) -> None:
    numbers = iter(range(count))

    async def work() -> None:
        for i in numbers:
            await one(i)

    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))


def bare_aiohttp(url: str, count: int) -> None:
    """The least that a client can do: send, receive, parse; store nothing."""
    import aiohttp

    async def run() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def one(i: int) -> None:
                async with session.post(f"{url}/chat/completions", json=_body(i)) as response:
                    (await response.json())["choices"][0]["message"]["content"]

            await _in_flight(count, one)

    asyncio.run(run())


def bare_openai(url: str, count: int) -> None:
    """The openai client, asynchronous; stores nothing."""
    import openai

    async def run() -> None:
        async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

            async def one(i: int) -> None:
                await client.chat.completions.create(**_body(i))

            await _in_flight(count, one)

    asyncio.run(run())


def inspect_task(url: str, count: int) -> None:
    """An Inspect task, one sample a request, with its log as it is by default."""
    import inspect_ai
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    samples = [Sample(input=f"{PROMPT}{i}", target="kilometres") for i in range(count)]
    task = inspect_ai.Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes())
    model = get_model("openai/m", base_url=url, api_key="none", responses_api=False)
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_ai.eval(
            task, model=model, log_dir=folder, display="none", max_connections=IN_FLIGHT,
            max_samples=IN_FLIGHT, temperature=0.0, max_tokens=16,
        )  # fmt: skip
    if log.status != "success":
        raise SystemExit(f"Inspect: {log.status}: {log.error}")


def harness(url: str, count: int) -> None:
    """lm-evaluation-harness's client for chat completions."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.api_models import JsonChatStr
    from lm_eval.models.openai_completions import LocalChatCompletion

    model = LocalChatCompletion(
        model="m", base_url=f"{url}/chat/completions", num_concurrent=IN_FLIGHT, tokenizer_backend=None
    )
    asked = [
        Instance(
            "generate_until", {}, (JsonChatStr(json.dumps([{"role": "user", "content": f"{PROMPT}{i}"}])),
                                   {"max_gen_toks": 16, "until": []}), i,
        )
        for i in range(count)
    ]  # fmt: skip
    if len(model.generate_until(asked, disable_tqdm=True)) != count:
        raise SystemExit("lm-evaluation-harness lost an answer")


CLIENTS: dict[str, tuple[Callable[[str, int], None], int, str, str]] = {
    "homeground": (homeground, 10_000, "", "`openai` engine of Homeground, stored and committed"),
    "aiohttp": (bare_aiohttp, 10_000, "", "bare aiohttp loop, nothing stored"),
    "openai": (bare_openai, 1_500, "", "bare openai client (async), nothing stored"),
    "inspect": (inspect_task, 300, "inspect_ai", "Inspect task, one sample a request"),
    "harness": (harness, 1_500, "lm_eval", "lm-evaluation-harness client"),
}
"""By name: the client, requests a round, the module that it needs beside our own, and what it is called."""


def measure(name: str, url: str) -> float:
    """Requests a second; run in a fresh process, after a short warm-up."""
    client, count, _, _ = CLIENTS[name]
    client(url, count // 20)
    began = time.perf_counter()
    client(url, count)
    return count / (time.perf_counter() - began)


def _python(module: str) -> str | None:
    """A Python that has a module, or ``None``."""
    for python in (sys.executable, os.environ.get("BENCH_PYTHON", "")):
        code = f"import sys; from importlib.util import find_spec; sys.exit(find_spec({module!r}) is None)"
        if python and subprocess.run([python, "-c", code], check=False).returncode == 0:
            return python
    return None


def main() -> None:
    """Measure every client and print a table."""
    if len(sys.argv) == 3:
        print(measure(sys.argv[1], sys.argv[2]))
        return
    rates: dict[str, list[float]] = {name: [] for name in CLIENTS}
    missing = set()
    with server() as url:
        for _ in range(ROUNDS):
            for name, (_, _, module, _) in CLIENTS.items():
                python = _python(module) if module else sys.executable
                if python is None:
                    missing.add(name)
                    continue
                done = subprocess.run(
                    [python, __file__, name, url], stdout=subprocess.PIPE, text=True, check=True
                )
                rates[name].append(float(done.stdout.split()[-1]))
    ours = statistics.median(rates["homeground"])
    print("| client | requests a second (median, range) | Homeground's rate to it |")
    print("|---|---:|---:|")
    for name, (_, _, _, title) in CLIENTS.items():
        if name in missing:
            print(f"| {title} | not installed | |")
            continue
        rate = statistics.median(rates[name])
        print(
            f"| {title} | {rate:,.0f} ({min(rates[name]):,.0f}–{max(rates[name]):,.0f}) | {ours / rate:.2f} |"
        )


if __name__ == "__main__":
    main()
