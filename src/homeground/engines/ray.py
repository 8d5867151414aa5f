"""Any other engine, many times over on a Ray cluster; needs the extra ``homeground[ray]``.

``ray:ENGINE:NAME`` maps the requests over Ray Data actors, each with an engine of its own, in contiguous groups of the
plan's order, so that neighbours with a long common prefix meet in one actor. Without a cluster (``RAY_ADDRESS``) Ray
runs on this machine. Who answers changes no answer, so a request has the key that the inner engine gives it, and the
answer store serves both. Keys of providers must stand in the environment of the cluster's machines: they are not sent.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from homeground.engines.protocol import Engine, EngineOptions, Images, Refusal, Results, Say
from homeground.errors import EnvironmentProblem, InputError
from homeground.schema import Answer, Record, Request

RAY = "ray:"
"""How the names of such models begin."""
_GROUP = 16
"""Requests that go to an actor together, and whose answers are stored together."""
_LONGEST = 300
Opener = Callable[[str, EngineOptions], Engine]
"""Opens an engine by its name."""


class _Task(Record, frozen=True, kw_only=True):
    """What goes to an actor for one request."""

    key: str
    request: Request
    images: dict[str, bytes]
    """PNGs by their SHA-256."""


class _Done(Record, frozen=True, kw_only=True):
    """What came of one request: an answer, a refusal of the prompt, or a problem that stops the run."""

    key: str
    answer: Answer | None = None
    refusal: str = ""
    problem: str = ""


class RayEngine:
    """Actors of one engine."""

    def __init__(self, inner: Engine, opener: Opener, options: EngineOptions) -> None:
        """Spread ``inner``, which ``opener`` opened with ``options``; it answers nothing itself.

        Raises:
            InputError: ``inner`` cannot be spread.
        """
        kind = inner.name.partition(":")[0]
        if kind in ("batch", "ray"):
            raise InputError(
                f"{RAY}{inner.name}: {kind} asks nobody by itself; name embedded, openai or inspect"
            )
        self.name = f"{RAY}{inner.name}"
        self.identity: Mapping[str, str] = inner.identity
        self.sees = inner.sees
        self._inner = inner
        self._opener = opener
        self._actors = options.actors
        self._options = options._replace(processes=1, threads=1)
        self._started = False

    def ready(self, say: Say) -> None:
        """Make the inner engine ready here, and reach the cluster or start Ray on this machine.

        Raises:
            EnvironmentProblem: Ray is not installed, no cluster answers, or the inner engine cannot be used.
        """
        self._inner.ready(say)
        self._cluster()

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer in groups, each by one actor; a group whose actor dies is asked again by another."""
        ray = self._cluster()
        from ray.data import ActorPoolStrategy

        tasks = [_task(key, request, images) for key, request in requests]
        blocks = (len(tasks) + _GROUP - 1) // _GROUP
        actors = max(1, min(self._actors or int(ray.cluster_resources().get("CPU", 1)), blocks))
        answered = ray.data.from_items(tasks, override_num_blocks=blocks).map_batches(
            _Actor,
            fn_constructor_args=(self._opener, self._inner.name, self._options),
            batch_size=_GROUP,
            compute=ActorPoolStrategy(size=actors),
            num_cpus=1,
        )
        problem = ""
        try:
            for batch in answered.iter_batches(batch_size=None, prefetch_batches=0):
                results: Results = []
                for line in batch["done"]:
                    done = msgspec.msgpack.decode(line, type=_Done)
                    problem = problem or done.problem
                    if not done.problem:
                        results.append((done.key, done.answer or Refusal(done.refusal)))
                if results:
                    yield results
                if problem:
                    break
        except ray.exceptions.RayError as error:
            raise EnvironmentProblem(f"{self.name}: {_one_line(error)}") from None
        if problem:
            raise EnvironmentProblem(problem)

    def close(self) -> None:
        """Let go of the inner engine, and of Ray where this engine started or joined it."""
        self._inner.close()
        if self._started:
            import ray

            ray.shutdown()
            self._started = False

    def _cluster(self) -> Any:  # noqa: ANN401
        try:
            import ray
            import ray.data
        except ImportError as error:
            raise EnvironmentProblem(
                f"{self.name}: needs Ray; install it with: pip install 'homeground[ray]'"
            ) from error
        if not ray.is_initialized():
            os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
            here = not os.environ.get("RAY_ADDRESS")
            try:
                ray.init(
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    include_dashboard=False if here else None,
                )
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise EnvironmentProblem(f"{self.name}: no Ray cluster: {_one_line(error)}") from None
            self._started = True
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        ray.data.DataContext.get_current().enable_progress_bars = False
        return ray


class _Actor:
    """One engine on some machine of the cluster."""

    def __init__(self, opener: Opener, name: str, options: EngineOptions) -> None:
        self._engine = opener(name, options)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        tasks = [msgspec.msgpack.decode(item, type=_Task) for item in batch["item"]]
        pictures = {sha256: png for task in tasks for sha256, png in task.images.items()}
        done: list[_Done] = []
        try:
            for group in self._engine.answer([(t.key, t.request) for t in tasks], pictures.__getitem__):
                for key, result in group:
                    if isinstance(result, Refusal):
                        done.append(_Done(key=key, refusal=result.reason))
                    else:
                        done.append(_Done(key=key, answer=result))
        except EnvironmentProblem as error:
            done.append(_Done(key="", problem=str(error)))
        return {"done": [msgspec.msgpack.encode(one) for one in done]}


def _task(key: str, request: Request, images: Images) -> bytes:
    shown = {message.image for message in request.messages if message.image}
    return msgspec.msgpack.encode(
        _Task(key=key, request=request, images={sha256: images(sha256) for sha256 in sorted(shown)})
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST]
