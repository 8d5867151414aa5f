"""A GGUF model on this machine, on llama.cpp.

Exact mode means that reuse never changes an answer: one slot, flash attention off, no cache reuse across
positions, one request in flight a process. Then a prompt gives the same text and log-probabilities whatever was asked
before it and in whichever process, so the order of the plan may share prefixes freely. The number of processes and of
threads changes nothing either, and is no part of the identity.

The fast mode answers several prompts at once in one process. What it says depends on what else is in flight, so it is
another engine to the answer store.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib.metadata import version
from pathlib import Path
from typing import Any

from homeground.engines.embedded_processes import answer_in_processes
from homeground.engines.embedded_server import CONTEXT, FAST_SLOTS, ask, cores, start_server
from homeground.engines.protocol import Images, Refusal, Results, Say
from homeground.engines.registry import model_facts
from homeground.engines.shares import in_shares
from homeground.engines.weights import embedded_models, get_weights, weights_path
from homeground.schema import Answer, Request

__all__ = ["CONTEXT", "EmbeddedEngine", "start_server"]
_FEW = 24
"""Below so many requests the time to start processes is not won back."""


class EmbeddedEngine:
    """One embedded model; the weights load with the first request."""

    sees: bool | None = False

    def __init__(
        self,
        model: str,
        *,
        fast: bool = False,
        processes: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Name the model.

        Args:
            model: a row of ``models.toml`` with weights.
            fast: answer several prompts at once, at the price of exactness.
            processes: how many at most, in exact mode; as many as there are cores and room for by default.
            threads: how many work on one prompt where there is a single process.

        Raises:
            InputError: no such model.
        """
        self.name = f"embedded:{model}"
        self._model = model
        weights_path(model)  # an unknown name is refused here
        self._path: Path | None = None
        self._server: Any = None
        self._fast = fast
        self._processes = processes
        self._threads = threads
        self._running: Generator[Results, None, None] | None = None
        self.identity: Mapping[str, str] = {
            "engine": "embedded",
            "model": model,
            "weights": embedded_models()[model].sha256,
            "runtime": f"xllamacpp {version('xllamacpp')}",
            "mode": "fast" if fast else "exact",
            "context": str(CONTEXT),
        }
        self.sees = model_facts(model).sees

    def ready(self, say: Say) -> None:
        """Fetch the weights where they are not in the cache yet.

        Raises:
            EnvironmentProblem: they cannot be fetched.
        """
        self._path = get_weights(self._model, say=say)

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer on every core: in processes in exact mode, in slots of one process in fast mode."""
        del images
        wanted = list(requests)
        if self._fast:
            answers = self._in_slots(wanted)
        else:
            count = 1 if len(wanted) < _FEW else self._processes or _processes(self._weights)
            answers = self._in_processes(wanted, count) if count > 1 else self._in_turn(wanted)
        self._running = answers
        return answers

    def close(self) -> None:
        """Free the model, and end what still answers."""
        if self._running is not None:
            self._running.close()
            self._running = None
        self._server = None

    def _in_turn(self, wanted: Sequence[tuple[str, Request]]) -> Generator[Results, None, None]:
        for key, request in wanted:
            yield [self._result(key, self._ask(request))]

    def _in_processes(
        self, wanted: Sequence[tuple[str, Request]], count: int
    ) -> Generator[Results, None, None]:
        self._server = None  # the processes need the room
        for group in answer_in_processes(str(self._weights), [request for _, request in wanted], count):
            yield [self._result(wanted[number][0], result) for number, result in group]

    def _in_slots(self, wanted: Sequence[tuple[str, Request]]) -> Generator[Results, None, None]:
        left = in_shares(wanted, FAST_SLOTS)
        open_: dict[Future[Answer | Refusal], str] = {}
        pool = ThreadPoolExecutor(FAST_SLOTS)
        self._loaded()
        try:
            while True:
                for key, request in left:
                    open_[pool.submit(self._ask, request)] = key
                    if len(open_) >= FAST_SLOTS:
                        break
                if not open_:
                    return
                done = wait(open_, return_when=FIRST_COMPLETED).done
                yield [self._result(open_.pop(future), future.result()) for future in done]
        finally:
            pool.shutdown(cancel_futures=True)

    def _ask(self, request: Request) -> Answer | Refusal:
        return ask(self._loaded(), request)

    def _result(self, key: str, result: Answer | Refusal) -> tuple[str, Answer | Refusal]:
        return key, Refusal(f"{self.name}: {result.reason}") if isinstance(result, Refusal) else result

    @property
    def _weights(self) -> Path:
        if self._path is None:
            self.ready(lambda line: None)
        assert self._path is not None  # noqa: S101  # ready() has set it
        return self._path

    def _loaded(self) -> Any:  # noqa: ANN401
        if self._server is None:
            self._server = start_server(str(self._weights), fast=self._fast, threads=self._threads)
        return self._server


def _processes(weights: Path) -> int:
    """A process a core, but no more than half of the memory holds: each has the weights and its cache for itself."""
    if not hasattr(os, "sysconf"):
        return 1
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(1, min(cores(), memory // 2 // (2 * weights.stat().st_size)))
