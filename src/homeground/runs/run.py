"""Ask everything that has no answer yet; stop at any moment, go on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from homeground.benchmarks import Benchmark, load_benchmark
from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.engines import Engine, model_facts, open_engine
from homeground.engines.protocol import EngineOptions, Refusal, Say
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan import Selection
from homeground.prompts import Prompts
from homeground.runs.folder import SPEC, Run, begin_run, make_spec
from homeground.schema import Answer, Framing, Grounding, Record

_HOPELESS = 16
"""Refusals in a row, with no answer yet, after which the rest is not tried."""
Watch = Callable[[int, int, Answer | None], None]
"""Told how many requests have an answer, of how many, and the newest answer (none at the start)."""


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
    selection: Selection | None = None,
    grounding: Grounding | None = None,
    framing: Framing = "transcript",
    fold_system: bool = False,
    base_url: str | None = None,
    max_tokens: int | None = None,
    watch: Watch = lambda done, total, answer: None,
    say: Say = lambda line: None,
) -> RunResult:
    """Run a benchmark, or go on with a run that was stopped.

    Args:
        benchmark: a loaded benchmark or its folder.
        folder: the run's folder; made when it is not there.
        models: ``engine:name``, at least one.
        selection: what to run; all of it, answered directly, by default.
        grounding: whether models see the picture or read its description; by default as the models can.
        framing: the conversation as text, as published, or as native chat turns.
        fold_system: no model has a system role; those that are known to have none need no word.
        base_url: server for ``openai:`` models.
        max_tokens: a limit of new tokens instead of the published one.
        watch: follows the progress.
        say: told what takes time before the first answer, such as fetching weights.

    Raises:
        InputError: something does not exist, or the folder holds another run.
        EnvironmentProblem: a model or server cannot be used or refuses prompts, or the disk is full; every answer so
            far is kept.
    """
    if not isinstance(benchmark, Benchmark):
        benchmark = load_benchmark(benchmark)
    if not models:
        raise InputError("no model given; name one with --model engine:name")
    if max_tokens is not None and max_tokens < 1:
        raise InputError("--max-tokens: give a number of at least 1")
    engines = {name: open_engine(name, EngineOptions(base_url)) for name in dict.fromkeys(models)}
    try:
        identities = {name: dict(engine.identity) for name, engine in engines.items()}
        shown = _grounding(engines, grounding)
        mute = [s.id for s in benchmark.scenes.values() if s.description == NO_DESCRIPTION]
        if shown == "description" and mute:
            raise InputError(
                f"{len(mute)} scenes have no description, the first is {mute[0]}: only models that see can be asked"
            )
        folded = [m for m in engines if fold_system or model_facts(m).system_role is False]
        prompts = Prompts(shown, framing, folded if framing == "chat" else ())
        spec = make_spec(benchmark, selection or Selection(), identities, prompts, max_tokens)
        run = Run(Path(folder), spec)
        run.__dict__["benchmark"] = benchmark
        _ = run.cells  # an unknown name is refused before anything is written
        if not (run.folder / SPEC).exists():
            for engine in engines.values():
                engine.ready(say)
        run = begin_run(Path(folder), benchmark, spec)
        with run.locked():
            return _ask(run, engines, watch)
    finally:
        for engine in engines.values():
            engine.close()


def _grounding(engines: Mapping[str, Engine], wanted: Grounding | None) -> Grounding:
    blind = [name for name, engine in engines.items() if engine.sees is False]
    if wanted == "image" and blind:
        raise InputError(f"--grounding image: {blind[0]} cannot see; use --grounding description")
    if wanted is not None:
        return wanted
    seeing = [name for name, engine in engines.items() if engine.sees]
    if seeing and len(seeing) < len(engines):
        raise InputError(
            f"{seeing[0]} can see and others cannot or may not; results from pictures and from descriptions "
            "are never mixed: say --grounding description, or run them apart"
        )
    return "image" if seeing else "description"


def _ask(run: Run, engines: Mapping[str, Engine], watch: Watch) -> RunResult:
    plan = run.plan
    paths = {s.image_sha256: s.image for s in run.benchmark.scenes.values()}

    def image(sha256: str) -> bytes:
        return (run.benchmark.folder / paths[sha256]).read_bytes()

    asked, seconds = 0, 0.0
    refusals: list[Refusal] = []
    with run.store(write=True) as store:
        known = store.known(plan.requests)
        done, total = len(known), len(plan.requests)
        watch(done, total, None)
        for name, engine in engines.items():
            left = [
                (key, request)
                for key, request in plan.requests.items()
                if plan.model_of[key] == name and key not in known
            ]
            for group in engine.answer(left, image):
                refusals += [result for _, result in group if isinstance(result, Refusal)]
                answers = [(key, result) for key, result in group if isinstance(result, Answer)]
                store.add_all((key, plan.requests[key], answer) for key, answer in answers)
                for _, answer in answers:
                    asked += 1
                    done += 1
                    seconds += answer.seconds
                    watch(done, total, answer)
                if len(refusals) >= _HOPELESS and asked == 0:
                    break
    if refusals:
        raise EnvironmentProblem(
            f"{len(refusals)} prompts were refused, the first with {refusals[0].reason}; "
            f"{done} of {total} have an answer, and the same command asks the others again"
        )
    return RunResult(
        folder=str(run.folder),
        cells=len(run.cells),
        requests=total,
        asked=asked,
        answered=done,
        model_seconds=round(seconds, 2),
    )
