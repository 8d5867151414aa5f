"""Cells to requests: each distinct one once, equal prefixes side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from msgspec import UNSET

from homeground.benchmarks import Benchmark
from homeground.dialogues import conversation
from homeground.files import sha256_json
from homeground.prompts import Prompts, QuestionPrompts, Thinking, closing_question, sampling
from homeground.schema import Cell, Message, Request, Strategy, Turn


class Plan(NamedTuple):
    """What to ask, and which cell each answer serves."""

    requests: Mapping[str, Request]
    """Distinct requests by key, in the order to send them: sorted by model, image and text, which
    keeps requests with a long common prefix adjacent."""
    keys: tuple[str | None, ...]
    """For every cell, in order, the key of its request; ``None`` where its first turn has no answer yet."""
    model_of: Mapping[str, str]
    """The model each request is for."""

    @property
    def waiting(self) -> int:
        """Cells whose request cannot be written yet."""
        return sum(key is None for key in self.keys)


P = TypeVar("P", Prompts, QuestionPrompts)


class Way(NamedTuple, Generic[P]):
    """How requests are made, the same for a whole study."""

    prompts: P
    """Writes the messages."""
    engines: Mapping[str, Mapping[str, str]]
    """For each model, what its engine says of itself (``Engine.identity``)."""
    max_tokens: int | None = None
    """A limit of new tokens instead of the published one."""
    temperature: float = 0.0
    thinking: Mapping[str, Thinking] = MappingProxyType({})
    """For each model whether it has a thinking mode, where that is known."""
    logprobs: bool = False
    """Whether the log-probabilities of the new tokens are wanted."""


def request_key(request: Request) -> str:
    """SHA-256 of everything that can change the answer."""
    return sha256_json(request)


def make_plan(
    benchmark: Benchmark,
    cells: Sequence[Cell],
    way: Way[Prompts],
    said: Callable[[str], str | None] = lambda key: None,
) -> Plan:
    """Plan the cells of one study.

    Args:
        benchmark: the conversations.
        cells: what to ask.
        way: how requests are made.
        said: what was answered to the request of a key already; ``sequential`` cells go on from there.
    """
    return _Planner(benchmark, way, said).plan(cells)


class Requests(Generic[P]):
    """Distinct requests, each kept once."""

    def __init__(self, way: Way[P]) -> None:
        """Begin with none."""
        self._way: Way[P] = way
        self._requests: dict[str, Request] = {}
        self._models: dict[str, str] = {}

    def add(
        self, cell: Cell, messages: tuple[Message, ...], strategy: Strategy, limit: int | None = None
    ) -> str:
        """Keep the request of a cell and return its key.

        Args:
            cell: what it serves.
            messages: what is asked.
            strategy: how; with reasoning there is room for more tokens.
            limit: new tokens at most, unless the way says another number; by default as the strategy has it.
        """
        way = self._way
        drawn = sampling(
            strategy,
            limit if way.max_tokens is None else way.max_tokens,
            temperature=way.temperature,
            thinking=way.thinking.get(cell.model),
            logprobs=way.logprobs,
        )
        request = Request(
            engine=dict(way.engines[cell.model]),
            messages=messages,
            sampling=drawn,
            draw=f"{cell.item}/{cell.culture}/{cell.condition}/{cell.draw}" if way.temperature else UNSET,
        )
        key = request_key(request)
        self._requests[key] = request
        self._models[key] = cell.model
        return key

    def plan(self, keys: Iterable[str | None]) -> Plan:
        """The plan for cells whose requests have these keys."""
        served = tuple(keys)
        order = sorted(self._requests, key=lambda key: (self._models[key], *_sort_key(self._requests[key])))
        return Plan({key: self._requests[key] for key in order}, served, self._models)


class _Planner:
    """Writes each distinct request once."""

    def __init__(self, benchmark: Benchmark, way: Way[Prompts], said: Callable[[str], str | None]) -> None:
        self._benchmark = benchmark
        self._way = way
        self._said = said
        self._turns = _conversations(benchmark)
        self._requests = Requests(way)
        self._key_of: dict[tuple[object, ...], str | None] = {}

    def plan(self, cells: Sequence[Cell]) -> Plan:
        return self._requests.plan(self._key(cell) for cell in cells)

    def _key(self, cell: Cell) -> str | None:
        # The prompt is the same for all cultures at null and neutral, so it is written only once; above temperature 0
        # every cell draws for itself.
        shared = cell.condition in ("null", "neutral") and self._way.temperature == 0
        name = (
            cell.model,
            cell.item,
            cell.condition,
            "" if shared else cell.culture,
            cell.task,
            cell.strategy,
            cell.draw,
        )
        if name not in self._key_of:
            self._key_of[name] = self._request(cell)
        return self._key_of[name]

    def _request(self, cell: Cell) -> str | None:
        turns = self._turns(cell)
        first = None
        if cell.task == "question" and cell.strategy == "sequential":
            first = self._said(self._requests.add(cell, self._way.prompts.background(turns), "direct"))
            if first is None:
                return None
        return self._requests.add(cell, self._messages(cell, turns, first), cell.strategy)

    def _messages(self, cell: Cell, turns: tuple[Turn, ...], first: str | None) -> tuple[Message, ...]:
        prompts = self._way.prompts
        if cell.task == "background":
            return prompts.background(turns)
        scene = self._benchmark.scenes[cell.scene]
        return prompts.question(turns, scene, cell.strategy, cell.model, first)


def _conversations(benchmark: Benchmark) -> Callable[[Cell], tuple[Turn, ...]]:
    def turns(cell: Cell) -> tuple[Turn, ...]:
        return conversation(
            benchmark.scaffolds[cell.item],
            benchmark.cultures[cell.culture],
            benchmark.cues[cell.item, cell.culture],
            cell.condition,
            closing_question(benchmark.scaffolds[cell.item].concept),
        )

    return turns


def _sort_key(request: Request) -> tuple[tuple[str, str], ...]:
    return tuple((message.image or "", message.text) for message in request.messages)
