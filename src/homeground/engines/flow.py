"""Many tasks at once on an event loop in a thread of its own; what comes of them arrives in groups."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from homeground.engines.pace import Pace
from homeground.errors import EnvironmentProblem

T = TypeVar("T")
R = TypeVar("R")
_PATIENCE = 5.0
"""Seconds that closing waits for what should take none."""


class LoopThread:
    """An event loop that runs in a daemon thread until it is closed."""

    def __init__(self) -> None:
        """Start the thread."""
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name="homeground-engine", daemon=True)
        self._thread.start()

    def call(self, work: Awaitable[R], timeout: float | None = None) -> R:
        """Wait for a coroutine's result; it is cancelled when the wait ends otherwise.

        Raises:
            TimeoutError: it took longer than ``timeout`` seconds.
        """

        async def wait() -> R:
            return await work

        future = asyncio.run_coroutine_threadsafe(wait(), self.loop)
        try:
            return future.result(timeout)
        finally:
            future.cancel()

    def close(self) -> None:
        """Cancel what still runs, stop the loop, end the thread; takes a few seconds at most."""
        try:
            self.call(_cancel_all(), _PATIENCE)
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(_PATIENCE)
            if not self._thread.is_alive():
                self.loop.close()


async def _cancel_all() -> None:
    # It runs inside the task of whoever waits for it, which must live to report that it is done.
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Flow(Generic[T, R]):
    """Tasks that are started in order, as many at a time as the pace allows.

    After a result that is an ``EnvironmentProblem`` nothing new starts: what has not started comes back as ``None``.
    All methods are called from one thread, which is not the loop's.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pace: Pace,
        work: Callable[[T], Awaitable[R | EnvironmentProblem | None]],
    ) -> None:
        """Work on ``loop``; ``work`` must turn every fault into a result."""
        self._loop = loop
        self._pace = pace
        self._work = work
        self._waiting: deque[tuple[str, T]] = deque()
        self._back: deque[asyncio.Future[None]] = deque()
        self._running: set[asyncio.Task[Any]] = set()
        self._places = 0
        self._done: list[tuple[str, R | EnvironmentProblem | None]] = []
        self._groups: SimpleQueue[list[tuple[str, R | EnvironmentProblem | None]]] = SimpleQueue()
        self._stop = asyncio.Event()

    @property
    def window(self) -> int:
        """How many tasks may be with the flow: those in flight, and as many again that wait or are being stored.

        It bounds what a crash can lose.
        """
        return 2 * self._pace.limit

    @property
    def stopped(self) -> bool:
        """Whether nothing new starts any more."""
        return self._stop.is_set()

    async def rest(self, seconds: float, *, keep_place: bool) -> None:
        """Sleep, on the loop, until the flow stops at the latest.

        Unless it keeps its place, another task goes in the meantime, and this one goes before those that have not
        started.
        """
        if seconds <= 0:
            return
        if not keep_place:
            self._places -= 1
            self._pump()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stop.wait()
            if not keep_place:
                place = self._loop.create_future()
                self._back.append(place)
                self._pump()
                await place
        except asyncio.CancelledError:
            self._places += not keep_place
            raise

    def work_through(self, tasks: Iterable[tuple[str, T]]) -> Iterator[list[tuple[str, R]]]:
        """What came of the tasks, each with its key, in groups as they come.

        Tasks are fetched no earlier than there is room for them. After a fault nothing new starts; what is in flight
        is still waited for and yielded. Whatever ends the iterator, nothing of it goes on.

        Raises:
            EnvironmentProblem: the first that a task came to.
        """
        left = iter(tasks)
        fault: EnvironmentProblem | None = None
        running = 0
        try:
            while True:
                room = 0 if fault else max(0, self.window - running)
                if some := list(islice(left, room)):
                    self.put(some)
                    running += len(some)
                if running == 0:
                    break
                done = self.take()
                running -= len(done)
                results: list[tuple[str, R]] = []
                for key, result in done:
                    if isinstance(result, EnvironmentProblem):
                        fault = fault or result
                    elif result is not None:
                        results.append((key, result))
                if results:
                    yield results
        finally:
            if running:
                self.cancel()
        if fault is not None:
            raise fault

    def put(self, tasks: Iterable[tuple[str, T]]) -> None:
        """Hand over tasks with their keys."""
        self._loop.call_soon_threadsafe(self._add, list(tasks))

    def take(self) -> list[tuple[str, R | EnvironmentProblem | None]]:
        """Everything that is done by now, at least one; waits for it."""
        group = self._groups.get()
        while True:
            try:
                group += self._groups.get_nowait()
            except Empty:
                return group

    def cancel(self) -> None:
        """Let go of all that is not done."""
        gone = Event()
        try:
            self._loop.call_soon_threadsafe(self._cancel, gone)
        except RuntimeError:
            return  # the loop is closed already, and nothing of the flow outlived it
        gone.wait(_PATIENCE)

    def _add(self, tasks: list[tuple[str, T]]) -> None:
        self._waiting.extend(tasks)
        self._pump()

    def _pump(self) -> None:
        if self.stopped:
            for key, _ in self._waiting:
                self._finish(key, None)
            self._waiting.clear()
        while self._places < self._pace.limit and (self._back or self._waiting):
            self._places += 1
            if self._back:
                self._back.popleft().set_result(None)
                continue
            task = self._loop.create_task(self._run(*self._waiting.popleft()))
            self._running.add(task)
            task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        self._places -= 1
        self._pump()

    async def _run(self, key: str, task: T) -> None:
        result = await self._work(task)
        if isinstance(result, EnvironmentProblem):
            self._stop.set()
        self._finish(key, result)

    def _finish(self, key: str, result: R | EnvironmentProblem | None) -> None:
        if not self._done:
            # After what is ready in this turn of the loop, so that all of it makes one group.
            self._loop.call_soon(self._flush)
        self._done.append((key, result))

    def _flush(self) -> None:
        self._groups.put(self._done)
        self._done = []

    def _cancel(self, gone: Event) -> None:
        self._stop.set()
        self._waiting.clear()
        self._back.clear()
        for task in self._running:
            task.cancel()
        waiter = asyncio.gather(*self._running, return_exceptions=True)
        waiter.add_done_callback(lambda _: gone.set())
