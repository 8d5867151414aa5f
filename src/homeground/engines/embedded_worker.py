"""One process of exact mode: reads requests from its input, a JSON line each, and writes answers likewise.

It holds nothing that matters, so it may die at any moment; it ends by itself as soon as its input ends, which
happens however the parent dies.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import BinaryIO

import msgspec

from homeground.engines.embedded_server import ask, start_server
from homeground.engines.protocol import Refusal
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Record, Request


class Setup(Record, frozen=True, kw_only=True):
    """The first line: what this process works with."""

    weights: str
    core: int | None
    """Which core to stay on; ``None`` where processes cannot be kept on one."""


class Job(Record, frozen=True, kw_only=True):
    """A request and the number under which its answer comes back."""

    number: int
    request: Request


class Done(Record, frozen=True, kw_only=True):
    """What a job came to: an answer, or why there is none."""

    number: int
    answer: Answer | None = None
    refusal: str = ""
    problem: str = ""
    """The model cannot be used; there is no number then (−1), and nothing follows."""


def main() -> None:
    """Work until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints must not stand between the answers
    setup = msgspec.json.decode(sys.stdin.buffer.readline(), type=Setup)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs), daemon=True).start()
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    try:
        server = start_server(setup.weights, threads=1)
    except EnvironmentProblem as error:
        _write(replies, Done(number=-1, problem=str(error)))
        return
    while True:
        job = msgspec.json.decode(jobs.get(), type=Job)
        result = ask(server, job.request)
        if isinstance(result, Refusal):
            _write(replies, Done(number=job.number, refusal=result.reason))
        else:
            _write(replies, Done(number=job.number, answer=result))


def _read(requests: BinaryIO, jobs: SimpleQueue[bytes]) -> None:
    for line in requests:
        jobs.put(line)
    os._exit(0)  # at once, in the middle of an answer too: nobody is left to read it


def _write(replies: BinaryIO, done: Done) -> None:
    replies.write(msgspec.json.encode(done) + b"\n")
