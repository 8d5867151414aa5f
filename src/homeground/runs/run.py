"""Ask everything that has no answer yet; stop at any moment, go on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

from homeground.benchmarks import Benchmark
from homeground.engines import AnswerStore, Engine
from homeground.engines.protocol import Refusal, Results, Say
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan import Plan
from homeground.plan.forecast import Forecast, Prices, forecast
from homeground.runs.folder import SPEC, Run, begin_run
from homeground.runs.prepare import RunOptions, prepared
from homeground.schema import Answer, Record

_LOOK_AGAIN = 0.5
"""Seconds after which to look whether another run has answered what it claimed."""
_HOPELESS = 16
"""Refusals in a row, with no answer yet, after which the rest is not tried."""


class Tally(NamedTuple):
    """How far a call of ``run_benchmark`` has come. Tokens and seconds are of this call's answers alone."""

    done: int
    """Requests that have an answer, stored and committed."""
    total: int
    refused: int
    asked: int
    prompt_tokens: int
    completion_tokens: int
    model_seconds: float


Watch = Callable[[Tally], None]
"""Told at the start, and after each group of answers."""


class RunResult(Record, frozen=True, kw_only=True):
    """What a call of ``run_benchmark`` did."""

    folder: str
    cells: int
    requests: int
    """Distinct prompts behind the cells."""
    asked: int
    """Model calls of this call; zero when every answer was there already."""
    answered: int
    model_seconds: float
    """Time that this call's answers took, as the engines measured it."""


def run_benchmark(
    benchmark: Benchmark | Path | str,
    folder: Path | str,
    models: Sequence[str],
    *,
    watch: Watch = lambda tally: None,
    say: Say = lambda line: None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """Run a benchmark, or go on with a run that was stopped.

    Args:
        benchmark: a loaded benchmark or its folder.
        folder: the run's folder; made when it is not there.
        models: ``engine:name``, at least one.
        watch: follows the progress.
        say: told what takes time before the first answer, such as fetching weights.
        options: how the study is asked.

    Raises:
        InputError: something does not exist, or the folder holds another run.
        EnvironmentProblem: a model or server cannot be used or refuses prompts, or the disk is full; every answer so
            far is kept.
    """
    with prepared(benchmark, Path(folder), models, **options) as (wanted, engines):
        if not (wanted.folder / SPEC).exists():
            for engine in engines.values():
                engine.ready(say)
        run = begin_run(wanted.folder, wanted.benchmark, wanted.spec)
        if run.spec.answers and not Path(run.spec.answers).parent.is_dir():
            raise InputError(f"--answers {run.spec.answers}: there is no such folder")
        with run.locked():
            return _ask(run, engines, watch)


def forecast_run(
    benchmark: Benchmark | Path | str,
    models: Sequence[str],
    *,
    folder: Path | str | None = None,
    prices: Prices | None = None,
    **options: Unpack[RunOptions],
) -> Forecast:
    """What a run will take; nothing is asked and nothing is written.

    Args:
        benchmark: a loaded benchmark or its folder.
        models: ``engine:name``, at least one.
        folder: a run that was begun already: what it has an answer for is left out.
        prices: of a million tokens.
        options: how the study is asked.

    Raises:
        InputError: something does not exist, or the folder holds another run.
    """
    where = Path(folder) if folder is not None else Path()
    with prepared(benchmark, where, models, **options) as (wanted, _):
        if folder is None or not (where / SPEC).exists():
            return forecast(wanted.plan, wanted.cells, frozenset(), prices)
        run = begin_run(where, wanted.benchmark, wanted.spec)
        try:
            with run.store() as store:
                known = frozenset(store.known(run.plan.requests))
        except InputError:
            known = frozenset()  # begun, and nothing answered yet
        return forecast(run.plan, run.cells, known, prices)


def _ask(run: Run, engines: Mapping[str, Engine], watch: Watch) -> RunResult:
    with run.store(write=True) as store:
        asking = _Asking(run, store, watch)
        while True:
            waiting = run.plan.waiting
            asking.ask(run.plan, engines)
            if asking.refusals or not waiting:
                break
            # What was said in the first turn is known now, so more requests can be written.
            run.forget_plan()
    if asking.refusals:
        raise EnvironmentProblem(
            f"{len(asking.refusals)} prompts were refused, the first with {asking.refusals[0].reason}; "
            f"{asking.done} of {asking.total} have an answer, and the same command asks the others again"
        )
    return RunResult(
        folder=str(run.folder),
        cells=len(run.cells),
        requests=asking.total,
        asked=asking.asked,
        answered=asking.done,
        model_seconds=round(asking.seconds, 2),
    )


class _Asking:
    """Asks what has no answer yet, and counts."""

    def __init__(self, run: Run, store: AnswerStore, watch: Watch) -> None:
        self._folder = run.benchmark.folder
        self._paths = {s.image_sha256: s.image for s in run.benchmark.scenes.values()}
        self._store = store
        self._watch = watch
        self.asked = self.done = self.total = 0
        self.seconds = 0.0
        self._prompt_tokens = self._completion_tokens = 0
        self.refusals: list[Refusal] = []

    def ask(self, plan: Plan, engines: Mapping[str, Engine]) -> None:
        """Ask the requests of a plan that have no answer, engine by engine."""
        known = self._store.known(plan.requests)
        self.done, self.total = len(known), len(plan.requests)
        self._tell()
        left = {key for key in plan.requests if key not in known}
        try:
            while left:
                mine = self._store.claim(left)
                if not mine:
                    time.sleep(_LOOK_AGAIN)
                for name, engine in engines.items():
                    asked = [
                        (key, request)
                        for key, request in plan.requests.items()
                        if plan.model_of[key] == name and key in mine
                    ]
                    for group in engine.answer(asked, self._image) if asked else ():
                        self._keep(plan, group)
                        if len(self.refusals) >= _HOPELESS and self.asked == 0:
                            return
                # Another run on the same store may be asking the rest: its answers count as they come.
                left -= mine | self._store.known(left - mine)
                self.done = len(plan.requests) - len(left) - len(self.refusals)
        finally:
            self._store.release()

    def _keep(self, plan: Plan, group: Results) -> None:
        """Store a group as a whole; only then does it count as done."""
        self.refusals += [result for _, result in group if isinstance(result, Refusal)]
        answers = [(key, result) for key, result in group if isinstance(result, Answer)]
        self._store.add_all((key, plan.requests[key], answer) for key, answer in answers)
        for _, answer in answers:
            self.asked += 1
            self.done += 1
            self.seconds += answer.seconds
            self._prompt_tokens += answer.prompt_tokens
            self._completion_tokens += answer.completion_tokens
        self._tell()

    def _tell(self) -> None:
        self._watch(
            Tally(
                self.done, self.total, len(self.refusals), self.asked, self._prompt_tokens, self._completion_tokens,
                self.seconds,
            )
        )  # fmt: skip

    def _image(self, sha256: str) -> bytes:
        return (self._folder / self._paths[sha256]).read_bytes()
