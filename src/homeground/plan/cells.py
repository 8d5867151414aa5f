"""Which cells a study has: item × culture × condition × task × strategy, for every model."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace
from typing import TypeVar

from homeground.benchmarks import Benchmark
from homeground.errors import InputError, unknown
from homeground.schema import (
    CONCEPTS,
    CONDITIONS,
    LEVELS,
    STRATEGIES,
    SYSTEM,
    TASKS,
    TOLD,
    Cell,
    Concept,
    Condition,
    CuePair,
    Record,
    Strategy,
    Task,
)

N = TypeVar("N", bound=str)


class Selection(Record, frozen=True, kw_only=True):
    """What to run of a benchmark; the default is all of it, answered directly."""

    tasks: tuple[Task, ...] = TASKS
    strategies: tuple[Strategy, ...] = ("direct",)
    """Strategies of the ``question`` task; ``background`` is always asked directly."""
    conditions: tuple[Condition, ...] = LEVELS
    concepts: tuple[Concept, ...] = CONCEPTS
    cultures: tuple[str, ...] | None = None
    sample: int | None = None
    """Number of conversations (scaffold and culture) to draw, balanced over concepts and cultures."""
    seed: int = 1
    """Draws the sample."""
    draws: int = 1
    """Answers of each cell, above temperature 0."""
    foreign: str | None = None
    """In a question set, the other culture that the model is told under ``foreign``."""


def select(
    *,
    tasks: Sequence[str] | None = None,
    strategies: Sequence[str] | None = None,
    conditions: Sequence[str] | None = None,
    concepts: Sequence[str] | None = None,
    cultures: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int = 1,
    draws: int = 1,
    foreign: str | None = None,
) -> Selection:
    """A selection from names as a user writes them, in the schema's order; ``None`` means the default.

    A strategy may also be ``system:NAME``; whoever runs it has the text.

    Raises:
        InputError: an unknown task, strategy, condition or concept. Cultures are the benchmark's to know.
    """
    return Selection(
        tasks=_named("task", tasks, TASKS, TASKS),
        strategies=_strategies(strategies),
        conditions=_named("condition", conditions, (*CONDITIONS, *TOLD), LEVELS),
        concepts=_named("concept", concepts, CONCEPTS, CONCEPTS),
        cultures=None if cultures is None else tuple(sorted(set(cultures))),
        sample=sample,
        seed=seed,
        draws=draws,
        foreign=foreign,
    )


def _strategies(names: Sequence[str] | None) -> tuple[Strategy, ...]:
    if names is None:
        return ("direct",)
    own = tuple(dict.fromkeys(name for name in names if name.startswith(SYSTEM)))
    others = [name for name in names if not name.startswith(SYSTEM)]
    return (*_named("strategy", others, STRATEGIES, ()), *own)


def _named(
    noun: str, names: Sequence[str] | None, known: tuple[N, ...], default: tuple[N, ...]
) -> tuple[N, ...]:
    if names is None:
        return default
    check_names(noun, names, known)
    return tuple(name for name in known if name in names)


def check_names(noun: str, names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a name that is not known, with the closest one.

    Raises:
        InputError: the first unknown name.
    """
    for name in names:
        if name not in known:
            raise unknown(noun, name, tuple(known))


def conversation_cells(benchmark: Benchmark, selection: Selection, models: Sequence[str]) -> list[Cell]:
    """All cells of the selection, in a fixed order.

    Raises:
        InputError: an unknown culture, or nothing is left to run.
    """
    check_names("culture", selection.cultures or (), tuple(benchmark.cultures))
    check_names("condition", selection.conditions, CONDITIONS)
    if selection.foreign is not None:
        raise InputError(
            "--foreign: for question sets alone; conversations are between one culture and another"
        )
    pairs = _chosen(benchmark, selection)
    _check_placebos(pairs, selection)
    ways: list[tuple[Task, Strategy]] = []
    if "background" in selection.tasks:
        ways.append(("background", "direct"))
    if "question" in selection.tasks:
        ways += [("question", strategy) for strategy in selection.strategies]
    cells = [
        Cell(
            item=pair.scaffold,
            scene=benchmark.scaffolds[pair.scaffold].scene,
            template=benchmark.scaffolds[pair.scaffold].template,
            concept=benchmark.scaffolds[pair.scaffold].concept,
            culture=pair.culture,
            condition=level,
            task=task,
            strategy=strategy,
            model=model,
            draw=draw,
        )
        for model in models
        for pair in pairs
        for level in selection.conditions
        for task, strategy in ways
        for draw in range(selection.draws)
    ]
    if not cells:
        raise InputError("nothing to run: no conversation of the benchmark fits the selection")
    return cells


def _check_placebos(pairs: Sequence[CuePair], selection: Selection) -> None:
    single = [pair for pair in pairs if pair.placebo is None]
    if "placebo_cues" in selection.conditions and single:
        raise InputError(
            f"condition placebo_cues: {len(single)} conversations have no second cue set, the first is "
            f"{single[0].scaffold} for {single[0].culture}; build the benchmark anew, or leave the condition out"
        )


def _chosen(benchmark: Benchmark, selection: Selection) -> list[CuePair]:
    pairs = [
        pair
        for pair in benchmark.cues.values()
        if benchmark.scaffolds[pair.scaffold].concept in selection.concepts
        and (selection.cultures is None or pair.culture in selection.cultures)
    ]
    if selection.sample is None or selection.sample >= len(pairs):
        return pairs
    if selection.sample < 1:
        raise InputError("--sample: give a number of conversations of at least 1")
    picked = set(_balanced(benchmark, pairs, selection.sample, selection.seed))
    return [pair for pair in pairs if (pair.scaffold, pair.culture) in picked]


def _balanced(benchmark: Benchmark, pairs: list[CuePair], size: int, seed: int) -> list[tuple[str, str]]:
    """Conversations taken one by one, each time from where least has been taken so far.

    Balance is kept first over concept and culture together, then over concepts, cultures, scenes and kinds of
    dialogue; ties fall as the seed draws.
    """
    rng = random.Random(f"{seed}/sample")
    left = pairs[:]
    rng.shuffle(left)
    names = {(pair.scaffold, pair.culture): _names(benchmark, pair) for pair in left}
    taken: Counter[tuple[str, ...]] = Counter()

    def load(index: int) -> tuple[list[int], int]:
        pair = left[index]
        return [taken[name] for name in names[pair.scaffold, pair.culture]], index

    # Loads only grow, so what is lightest by an old load is looked at again before it is taken.
    heap = [load(index) for index in range(len(left))]
    heapify(heap)
    picked: list[tuple[str, str]] = []
    while len(picked) < size:
        index = heap[0][1]
        now = load(index)
        if now > heap[0]:
            heapreplace(heap, now)
            continue
        heappop(heap)
        pair = left[index]
        taken.update(names[pair.scaffold, pair.culture])
        picked.append((pair.scaffold, pair.culture))
    return picked


def _names(benchmark: Benchmark, pair: CuePair) -> tuple[tuple[str, ...], ...]:
    """What a sample is balanced over, most important first."""
    scaffold = benchmark.scaffolds[pair.scaffold]
    return (
        (scaffold.concept, pair.culture),
        ("concept", scaffold.concept),
        ("culture", pair.culture),
        ("scene", scaffold.scene),
        ("kind", scaffold.concept, scaffold.kind),
    )
