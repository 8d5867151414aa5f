"""Runs whose answers a made-up model gave: it knows more with each cue, and acts on less than it knows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from homeground.benchmarks import Benchmark
from homeground.plan import Selection
from homeground.prompts import Prompts, marker
from homeground.runs.folder import Run, begin_run, make_spec
from homeground.schema import SYSTEM, Answer, Cell, Condition

KNOWS: dict[Condition, float] = {
    "null": 0.05, "neutral": 0.05, "cue1": 0.8, "cue2": 0.95, "implicit": 0.95, "explicit": 1.0,
    "placebo_cues": 0.95, "placebo_filler": 0.05,
}  # fmt: skip
"""How often the user's country is named."""
ACTS: dict[str, float] = {"direct": 0.5, "pragmatic": 0.9, "natural": 0.3, "cot": 0.7, "sequential": 0.85}
"""How often what is known is acted on, by strategy."""
UNITS = {
    ("temperature", "metric"): "30 °C", ("temperature", "imperial"): "86 °F", ("distance", "metric"): "3 km",
    ("distance", "imperial"): "2 miles", ("speed", "metric"): "50 km/h", ("speed", "imperial"): "30 mph",
    ("size", "metric"): "20 m²", ("size", "imperial"): "215 sq ft",
}  # fmt: skip
MONEY = {
    "USD": "$5", "GBP": "£4", "EUR": "5 euros", "KRW": "6000 won", "JPY": "700 yen", "CNY": "35 yuan",
    "INR": "400 rupees", "IRR": "90000 toman", "ILS": "18 shekels", "BRL": "R$25",
}  # fmt: skip
HOURS = ((5, "night"), (12, "morning"), (14, "noon"), (18, "afternoon"), (21, "evening"), (25, "night"))
SHARES = ((0.2, "few"), (0.45, "some"), (0.55, "half"), (0.9, "most"), (2.0, "almost all"))


def says(benchmark: Benchmark, cell: Cell, skill: float = 1.0) -> str:
    """What the made-up model says; the same for the same cell and skill (1 acts as ``ACTS`` says, 0 never)."""
    # Nothing before the first cue can tell siblings apart.
    who = "" if cell.condition in ("null", "neutral", "placebo_filler") else cell.culture
    draw = random.Random(f"{cell.item}/{who}/{cell.condition}/{cell.task}/{cell.strategy}/{cell.model}")
    culture = benchmark.cultures[cell.culture if who and draw.random() < KNOWS[cell.condition] else "US"]
    if cell.task == "background":
        return "I cannot tell." if not who and draw.random() < 0.5 else f"Answer: {culture.name}"
    if draw.random() > skill * ACTS.get(cell.strategy, 0.5):
        culture = benchmark.cultures["US"]
    scene = benchmark.scenes[cell.scene]
    if cell.concept == "time_expression":
        hour = (scene.value + (1.5 if culture.code in ("BR", "IN") else 0)) % 24
        return next(word for until, word in HOURS if hour < until)
    if cell.concept == "quantifier":
        return next(word for until, word in SHARES if scene.value * draw.uniform(0.9, 1.1) < until)
    first = culture.accepted.get(scene.concept, ("metric",))[0]
    thought = "" if cell.strategy in ("direct", "natural") else f"The user is from {culture.name}, so: "
    answer = MONEY[first] if cell.concept == "price" else UNITS[cell.concept, first]
    return f"{thought}{marker() if thought else 'Answer:'} {answer}"


def simulated_run(
    folder: Path,
    benchmark: Benchmark,
    selection: Selection,
    skills: dict[str, float] | None = None,
    *,
    missing: Sequence[int] = (),
    systems: Sequence[str] = (),
) -> Run:
    """A run whose answers are there already.

    Args:
        folder: where it goes.
        benchmark: the conversations.
        selection: which cells.
        skills: how well each model does, by its name; one ``openai:simulated`` of skill 1 by default.
        systems: ``system:NAME`` strategies among those selected.
        missing: which of the distinct requests have no answer, counted in the order of the plan.
    """
    skills = skills or {"openai:simulated": 1.0}
    engines = {
        name: {"engine": "openai", "model": name.partition(":")[2], "base_url": "http://127.0.0.1/v1"}
        for name in skills
    }
    texts = {name.removeprefix(SYSTEM): f"Be helpful ({name})." for name in systems}
    prompts = Prompts("description", systems=texts)
    run = begin_run(folder, benchmark, make_spec(benchmark, selection, engines, prompts, None))
    cell_of = {key: cell for cell, key in zip(reversed(run.cells), reversed(run.plan.keys), strict=True)}
    with run.store(write=True) as store:
        store.add_all(
            (
                key,
                request,
                Answer(
                    text=says(benchmark, cell_of[key], skills[cell_of[key].model]),
                    finish_reason="stop", prompt_tokens=300, completion_tokens=5, seconds=0.1,
                ),
            )
            for number, (key, request) in enumerate(run.plan.requests.items())
            if number not in missing
        )  # fmt: skip
    return run
