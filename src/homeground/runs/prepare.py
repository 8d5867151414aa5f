"""What a study is to be: its options checked against its models, before anything is written or asked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from homeground.benchmarks import Benchmark, QuestionSet, open_benchmark
from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.engines import Engine, model_facts, open_engine
from homeground.engines.protocol import EngineOptions
from homeground.errors import InputError
from homeground.plan import Selection, fitted
from homeground.prompts import Prompts, QuestionPrompts, Thinking
from homeground.prompts.questions import oracle_language
from homeground.runs.folder import Run, make_spec
from homeground.schema import SYSTEM, Framing, Grounding

_HOTTEST = 2.0


class RunOptions(TypedDict, total=False):
    """How a study is asked; everything has a default."""

    selection: Selection | None
    """What to run; all of it, answered directly, by default."""
    grounding: Grounding | None
    """Whether models see the picture or read its description; by default as the models can."""
    framing: Framing
    """The conversation as text, as published and by default, or as native chat turns."""
    fold_system: bool
    """No model has a system role; those that are known to have none need no word."""
    base_url: str | None
    """Server for ``openai:`` models, and for providers of ``inspect:`` models."""
    max_tokens: int | None
    """A limit of new tokens instead of the published one."""
    temperature: float
    """Greedy at 0, as published and by default; above it each cell draws its own answers."""
    logprobs: bool
    """Store the log-probabilities of the new tokens too, where an engine offers them."""
    systems: Mapping[str, str]
    """The texts of ``system:NAME`` strategies by name."""
    oracle_language: str | None
    """Language in which a question set's models are told whose culture is meant: the set's by default, else English."""
    answers: Path | None
    """A store that several runs share, so that a prompt that one has paid for is free for the others."""
    fast: bool
    """Let the embedded engine answer several prompts at once, at the price of exactness."""
    actors: int | None
    """How many Ray actors ``ray:`` models work in; one a CPU of the cluster by default."""


@contextlib.contextmanager
def prepared(
    benchmark: Benchmark | QuestionSet | Path | str,
    folder: Path,
    models: Sequence[str],
    **options: Unpack[RunOptions],
) -> Iterator[tuple[Run, Mapping[str, Engine]]]:
    """A run as it would stand in a folder, with its engines open; nothing is written.

    Raises:
        InputError: something does not exist, or a model cannot do what is wanted.
    """
    if not isinstance(benchmark, Benchmark | QuestionSet):
        benchmark = open_benchmark(benchmark)
    if not models:
        raise InputError("no model given; name one with --model engine:name")
    max_tokens = options.get("max_tokens")
    if max_tokens is not None and max_tokens < 1:
        raise InputError("--max-tokens: give a number of at least 1")
    selection = options.get("selection") or Selection()
    if isinstance(benchmark, QuestionSet):
        selection = fitted(benchmark, selection)
        _check_shown(options)
    elif options.get("oracle_language"):
        raise InputError("--oracle-language: for question sets alone")
    temperature = options.get("temperature", 0.0)
    systems = options.get("systems") or {}
    how = EngineOptions(options.get("base_url"), options.get("fast", False), actors=options.get("actors"))
    engines = {name: open_engine(name, how) for name in dict.fromkeys(models)}
    try:
        thinking = {name: model_facts(name).thinking for name in engines}
        _check_strategies(selection, thinking, systems, temperature)
        spec = make_spec(
            benchmark,
            selection,
            {name: dict(engine.identity) for name, engine in engines.items()},
            _question_prompts(benchmark, engines, thinking, options)
            if isinstance(benchmark, QuestionSet)
            else _prompts(benchmark, engines, thinking, systems, options),
            max_tokens,
            temperature=temperature,
            logprobs=options.get("logprobs", False),
            thinking=thinking,
            answers=options.get("answers"),
        )
        run = Run(folder, spec)
        run.__dict__["source"] = benchmark
        _ = run.cells  # an unknown name is refused before anything is written
        yield run, engines
    finally:
        for engine in engines.values():
            engine.close()


def _prompts(
    benchmark: Benchmark,
    engines: Mapping[str, Engine],
    thinking: Mapping[str, Thinking],
    systems: Mapping[str, str],
    options: RunOptions,
) -> Prompts:
    shown = _grounding(engines, options.get("grounding"))
    mute = [s.id for s in benchmark.scenes.values() if s.description == NO_DESCRIPTION]
    if shown == "description" and mute:
        raise InputError(
            f"{len(mute)} scenes have no description, the first is {mute[0]}: only models that see can be asked"
        )
    framing = options.get("framing", "transcript")
    fold = options.get("fold_system", False)
    folded = [name for name in engines if fold or model_facts(name).system_role is False]
    return Prompts(
        shown,
        framing,
        folded if framing == "chat" or systems else (),
        thinkers=[name for name, mode in thinking.items() if mode in ("switch", "always")],
        systems=systems,
    )


def _check_shown(options: RunOptions) -> None:
    if options.get("grounding"):
        raise InputError(f"--grounding {options.get('grounding')}: a question set has nothing to show")


def _question_prompts(
    questions: QuestionSet,
    engines: Mapping[str, Engine],
    thinking: Mapping[str, Thinking],
    options: RunOptions,
) -> QuestionPrompts:
    fold = options.get("fold_system", False)
    return QuestionPrompts(
        oracle_language(options.get("oracle_language"), questions.about.language),
        [name for name in engines if fold or model_facts(name).system_role is False],
        thinkers=[name for name, mode in thinking.items() if mode in ("switch", "always")],
    )


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


def _check_strategies(
    wanted: Selection, thinking: Mapping[str, Thinking], systems: Mapping[str, str], temperature: float
) -> None:
    """Refuse what no model of the run can do, before anything is written."""
    plain = [name for name, mode in thinking.items() if mode == "none"]
    if "cot" in wanted.strategies and plain:
        raise InputError(
            f"--strategy cot: {plain[0]} has no thinking mode; use pragmatic, which reasons in the answer"
        )
    for strategy in wanted.strategies:
        if strategy.startswith(SYSTEM) and strategy.removeprefix(SYSTEM) not in systems:
            raise InputError(f"strategy {strategy}: its text is not given")
    if not 0 <= temperature <= _HOTTEST:
        raise InputError(f"--temperature: {temperature:g} is not between 0 and {_HOTTEST:g}")
    if wanted.draws > 1 and temperature == 0:
        raise InputError("--samples: at temperature 0 every draw is the same; give --temperature too")
