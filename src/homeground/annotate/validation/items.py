"""Which conversations people answer: drawn from a benchmark by a seed, with controls and attention items.

The design is the published one (Miao, Zhu and Shwartz 2026, arXiv:2606.17688, appendix A): objective concepts at level
``implicit``, 29 a culture and concept, a fifth of them conversations of US users. No scaffold is asked in two cultures
for the same people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from homeground.annotate.store.studies import NewItem
from homeground.benchmarks import Benchmark
from homeground.dialogues.levels import conversation
from homeground.errors import InputError
from homeground.files import sha256_json
from homeground.prompts import closing_question
from homeground.schema import OBJECTIVE, Concept, Scaffold

_ATTENTION: tuple[tuple[Concept, str, str], ...] = (
    ("distance", "77", "yd"),
    ("temperature", "41", "K"),
    ("size", "63", "yd²"),
    ("speed", "88", "ft/s"),
)
"""What attention items ask people to answer: nothing that anybody would answer by chance."""
_ALL = 1_000_000_000


class Plan(NamedTuple):
    """How items are drawn."""

    study: str
    cultures: Sequence[str]
    concepts: Sequence[Concept]
    a_cell: int
    """Items of a culture and concept."""
    control: float
    """Share of them that are of the control culture."""
    control_culture: str
    attention: bool
    seed: int


def items_of(benchmark: Benchmark, plan: Plan) -> Iterator[NewItem]:
    """The items of all cells.

    Raises:
        InputError: the benchmark has too few scaffolds for a cell, or the control culture is not in it.
    """
    if plan.control and plan.control_culture not in benchmark.cultures:
        raise InputError(
            f"field control_culture: {plan.control_culture!r} is not in {benchmark.signature}; "
            f"right is one of {', '.join(benchmark.cultures)}, or control = 0"
        )
    for culture in plan.cultures:
        for concept in plan.concepts:
            if concept in benchmark.cultures[culture].accepted:
                yield from _cell(benchmark, plan, culture, concept)
        if plan.attention:
            for concept, value, unit in _ATTENTION:
                yield _attention(plan, culture, concept, value, unit)


def _cell(benchmark: Benchmark, plan: Plan, culture: str, concept: Concept) -> Iterator[NewItem]:
    drawn = _order(benchmark, plan, culture, concept)
    controls = 0 if culture == plan.control_culture else round(plan.control * plan.a_cell)
    both = [s for s in drawn if (s.id, plan.control_culture) in benchmark.cues] if controls else []
    controlled = both[:controls]
    taken = {scaffold.id for scaffold in controlled}
    own = [s for s in drawn if s.id not in taken][: plan.a_cell - controls]
    if len(own) + len(controlled) < plan.a_cell:
        raise InputError(
            f"field items_per_cell: {plan.a_cell} are wanted, and {benchmark.signature} has only "
            f"{len(drawn)} conversations of {culture} about {concept}"
        )
    for scaffold in own:
        yield _conversation(benchmark, plan, culture, culture, scaffold)
    for scaffold in controlled:
        yield _conversation(benchmark, plan, culture, plan.control_culture, scaffold)


def _order(benchmark: Benchmark, plan: Plan, culture: str, concept: Concept) -> list[Scaffold]:
    """The scaffolds of a cell by the seed; all scenes come before any scene comes again."""
    drawn = sorted(
        (
            s
            for s in benchmark.scaffolds.values()
            if s.concept == concept and (s.id, culture) in benchmark.cues
        ),
        key=lambda s: sha256_json([plan.seed, culture, s.id]),
    )
    seen: dict[str, int] = defaultdict(int)
    ranked = []
    for place, scaffold in enumerate(drawn):
        ranked.append((seen[scaffold.scene], place, scaffold))
        seen[scaffold.scene] += 1
    return [scaffold for _, _, scaffold in sorted(ranked, key=lambda row: row[:2])]


def _conversation(benchmark: Benchmark, plan: Plan, culture: str, asked: str, scaffold: Scaffold) -> NewItem:
    scene = benchmark.scenes[scaffold.scene]
    turns = conversation(
        scaffold, benchmark.cultures[asked], benchmark.cues[scaffold.id, asked], "implicit",
        closing_question(scaffold.concept),
    )  # fmt: skip
    content: dict[str, Any] = {
        "turns": [[turn.speaker, turn.text] for turn in turns],
        "concept": scaffold.concept,
        "asked": asked,
        "scaffold": scaffold.id,
        "picture": scene.image_sha256,
        "description": scene.description,
    }
    return NewItem(
        sha256_json([plan.study, culture, asked, scaffold.id])[:32], culture, content, scaffold.concept,
        scaffold.id, "evaluation" if asked == culture else "control",
    )  # fmt: skip


def _attention(plan: Plan, culture: str, concept: Concept, value: str, unit: str) -> NewItem:
    turns = [
        [
            "user",
            "Hi! Nothing to work out this time: this message is only here to see that somebody reads it.",
        ],
        ["chatbot", "All right. What should I answer?"],
        ["user", f"Please answer exactly {value} {unit}, whatever comes next."],
        ["user", closing_question(concept)],
    ]
    content: dict[str, Any] = {
        "turns": turns, "concept": concept, "asked": "", "scaffold": "", "picture": "", "description": "",
        "instructed": [value, unit],
    }  # fmt: skip
    return NewItem(
        sha256_json([plan.study, culture, "attention", concept])[:32],
        culture,
        content,
        "",
        "",
        "attention",
        _ALL,
    )


def concepts_of(given: Sequence[str]) -> tuple[Concept, ...]:
    """The concepts of a study, all objective ones unless some are named.

    Raises:
        InputError: one has no right answer, or is none.
    """
    wrong = [name for name in given if name not in OBJECTIVE]
    if wrong:
        raise InputError(f"field concepts: {wrong[0]!r}; right are {', '.join(OBJECTIVE)}")
    return tuple(concept for concept in OBJECTIVE if not given or concept in given)
