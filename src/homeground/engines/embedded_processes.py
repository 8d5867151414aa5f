"""Exact mode on several cores: a process a core, each with a contiguous block of the plan's order.

Neighbours in the plan share prefixes, so blocks keep almost all of the sharing. In exact mode an answer does not
depend on what was asked before it, so neither the blocks nor the number of processes change one.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, NamedTuple

import msgspec

from homeground.engines.embedded_server import core_numbers
from homeground.engines.embedded_worker import Done, Job, Setup
from homeground.engines.protocol import Refusal
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Record, Request

_AHEAD = 2
"""Requests that a worker has been sent and has not answered: one that it works on, and the next."""
_START = (
    "import sys; sys.path.append(sys.argv[1]); from homeground.engines.embedded_worker import main; main()"
)
# Not multiprocessing: its children run the caller's main module again, which not every caller has guarded.


class Arrival(NamedTuple):
    """A line of a worker; empty when the worker has ended."""

    worker: _Worker
    line: bytes


class _Worker:
    """One child process and what it has been given."""

    def __init__(self, setup: Setup, block: deque[int], arrivals: SimpleQueue[Arrival]) -> None:
        self.block = block
        """Numbers of requests that it has not been sent yet, in the order of the plan."""
        self.open = 0
        """How many it has been sent and has not answered."""
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            bufsize=0,
            start_new_session=True,  # a terminal's Ctrl-C reaches the parent alone
        )
        self._reader = threading.Thread(target=self._read, args=(arrivals,), daemon=True)
        self._reader.start()
        self.send(setup)

    def send(self, record: Record) -> None:
        """Write a line. A worker that is dead is noticed where its output ends, not here."""
        left = memoryview(msgspec.json.encode(record) + b"\n")
        try:
            while left:
                left = left[_pipe(self._process.stdin).write(left) :]
        except BrokenPipeError:
            return

    def _read(self, arrivals: SimpleQueue[Arrival]) -> None:
        with open(_pipe(self._process.stdout).fileno(), "rb", closefd=False) as lines:
            for line in lines:
                arrivals.put(Arrival(self, line))
        arrivals.put(Arrival(self, b""))

    def how_it_ended(self) -> str:
        """In words, once its output has ended."""
        code = self._process.wait()
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        if code == -signal.SIGKILL:
            how += ", as a system does that is out of memory"
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how} ({last})" if last else how

    def stop(self) -> None:
        """End it at once; it holds nothing that matters."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            if stream is not None:
                stream.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101  # both were asked for
    return stream


def answer_in_processes(
    weights: str, requests: Sequence[Request], count: int
) -> Iterator[list[tuple[int, Answer | Refusal]]]:
    """Answers by the index of their request, in groups of those that are there at the same time.

    The processes end with the iterator, however it ends.

    Args:
        weights: path of a GGUF file.
        requests: what to ask, in an order in which neighbours share prefixes.
        count: how many processes, at least 1.

    Raises:
        EnvironmentProblem: the weights cannot be loaded, or a process died; what was answered until then has been
            yielded.
    """
    arrivals: SimpleQueue[Arrival] = SimpleQueue()
    cores = core_numbers()
    workers: list[_Worker] = []
    left = len(requests)
    try:
        for n in range(count):
            setup = Setup(weights=weights, core=cores[n % len(cores)] if cores else None)
            block = deque(range(n * left // count, (n + 1) * left // count))
            workers.append(_Worker(setup, block, arrivals))
        for worker in workers:
            _feed(worker, workers, requests)
        while left:
            group, trouble = [], ""
            for worker, line in _waiting(arrivals):
                done = msgspec.json.decode(line, type=Done) if line else None
                if done is None or done.problem:
                    trouble = trouble or (done.problem if done else _died(worker))
                    continue
                group.append((done.number, done.answer or Refusal(done.refusal)))
                worker.open -= 1
                _feed(worker, workers, requests)
            left -= len(group)
            if group:
                yield group
            if trouble:
                raise EnvironmentProblem(trouble)
    finally:
        for worker in workers:
            worker.stop()


def _died(worker: _Worker) -> str:
    return (
        f"a process of the embedded model {worker.how_it_ended()}; every answer before that is kept, "
        "run again to go on"
    )


def _waiting(arrivals: SimpleQueue[Arrival]) -> Iterator[Arrival]:
    """What is there, waiting for the first."""
    yield arrivals.get()
    while True:
        try:
            yield arrivals.get_nowait()
        except Empty:
            return


def _feed(worker: _Worker, workers: Sequence[_Worker], requests: Sequence[Request]) -> None:
    """Send what a worker needs so as never to wait; out of its own block, or half of what another has left."""
    while worker.open < _AHEAD:
        if not worker.block:
            longest = max((other.block for other in workers), key=len)
            half = [longest.pop() for _ in range((len(longest) + 1) // 2)]
            worker.block.extend(reversed(half))
        if not worker.block:
            return
        number = worker.block.popleft()
        worker.send(Job(number=number, request=requests[number]))
        worker.open += 1
