"""Ask everything that has no answer yet; stop at any moment, go on where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from homeground.benchmarks import Benchmark, QuestionSet
from homeground.engines import Engine
from homeground.engines.protocol import Say
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan.forecast import Forecast, Prices, forecast
from homeground.runs.ask import Asking, Watch
from homeground.runs.folder import SPEC, Run, begin_run
from homeground.runs.prepare import RunOptions, prepared
from homeground.schema import Record


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
    benchmark: Benchmark | QuestionSet | Path | str,
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
        run = begin_run(wanted.folder, wanted.source, wanted.spec)
        if run.spec.answers and not Path(run.spec.answers).parent.is_dir():
            raise InputError(f"--answers {run.spec.answers}: there is no such folder")
        with run.locked():
            return _ask(run, engines, watch)


def forecast_run(
    benchmark: Benchmark | QuestionSet | Path | str,
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
        run = begin_run(where, wanted.source, wanted.spec)
        try:
            with run.store() as store:
                known = frozenset(store.known(run.plan.requests))
        except InputError:
            known = frozenset()  # begun, and nothing answered yet
        return forecast(run.plan, run.cells, known, prices)


def _ask(run: Run, engines: Mapping[str, Engine], watch: Watch) -> RunResult:
    with run.store(write=True) as store:
        paths = {scene.image_sha256: scene.image for scene in run.source.scenes.values()}
        asking = Asking(store, watch, lambda sha256: (run.source.folder / paths[sha256]).read_bytes())
        while True:
            waiting = run.plan.waiting
            asking.ask(run.plan, engines)
            if asking.refused or not waiting:
                break
            # What was said in the first turn is known now, so more requests can be written.
            run.forget_plan()
    if asking.refused:
        first = next(iter(asking.refused.values())).reason
        raise EnvironmentProblem(
            f"{len(asking.refused)} prompts were refused, the first with {first}; "
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
