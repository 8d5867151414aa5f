"""Cells to requests: each distinct one once, equal prefixes side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from homeground.benchmarks import Benchmark
from homeground.dialogues import conversation
from homeground.files import sha256_json
from homeground.prompts import Prompts, closing_question, sampling
from homeground.schema import Cell, Message, Request, Turn


class Plan(NamedTuple):
    """What to ask, and which cell each answer serves."""

    requests: Mapping[str, Request]
    """Distinct requests by key, in the order to send them: sorted by model, image and text, which
    keeps requests with a long common prefix adjacent."""
    keys: tuple[str, ...]
    """For every cell, in order, the key of its request."""
    model_of: Mapping[str, str]
    """The model each request is for."""


def request_key(request: Request) -> str:
    """SHA-256 of everything that can change the answer."""
    return sha256_json(request)


def make_plan(
    benchmark: Benchmark,
    cells: Sequence[Cell],
    prompts: Prompts,
    engines: Mapping[str, Mapping[str, str]],
    max_tokens: int | None = None,
) -> Plan:
    """Plan the cells of one study.

    Args:
        benchmark: the conversations.
        cells: what to ask.
        prompts: writes the messages.
        engines: for each model, what its engine says of itself (``Engine.identity``).
        max_tokens: a limit of new tokens instead of the published one.
    """
    turns_of = _conversations(benchmark)
    requests: dict[str, Request] = {}
    key_of: dict[tuple[object, ...], str] = {}
    models: dict[str, str] = {}
    keys = []
    for cell in cells:
        # The prompt is the same for all cultures at null and neutral, so it is written only once.
        name = (
            cell.model,
            cell.item,
            cell.condition,
            "" if cell.condition in ("null", "neutral") else cell.culture,
            cell.task,
            cell.strategy,
        )
        if name not in key_of:
            request = Request(
                engine=dict(engines[cell.model]),
                messages=_messages(benchmark, cell, turns_of(cell), prompts),
                sampling=sampling(cell.strategy, max_tokens),
            )
            key = key_of[name] = request_key(request)
            requests[key] = request
            models[key] = cell.model
        keys.append(key_of[name])
    order = sorted(requests, key=lambda key: (models[key], *_sort_key(requests[key])))
    return Plan({key: requests[key] for key in order}, tuple(keys), models)


def _conversations(benchmark: Benchmark) -> Callable[[Cell], tuple[Turn, ...]]:
    def turns(cell: Cell) -> tuple[Turn, ...]:
        return conversation(
            benchmark.scaffolds[cell.item],
            benchmark.cultures[cell.culture],
            benchmark.cues[cell.item, cell.culture],
            cell.condition,
            closing_question(cell.concept),
        )

    return turns


def _messages(
    benchmark: Benchmark, cell: Cell, turns: tuple[Turn, ...], prompts: Prompts
) -> tuple[Message, ...]:
    if cell.task == "background":
        return prompts.background(turns, cell.model)
    return prompts.question(turns, benchmark.scenes[cell.scene], cell.strategy, cell.model)


def _sort_key(request: Request) -> tuple[tuple[str, str], ...]:
    return tuple((message.image or "", message.text) for message in request.messages)
