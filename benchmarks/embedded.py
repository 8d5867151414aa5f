"""What the plan and the exact mode are worth on the embedded model, in time and in changed answers.

The grid is 12 scaffolds × 10 cultures × 6 levels × 2 tasks, 16 new tokens each. It is asked in four ways, scaffold by
scaffold and way by way in turn, so that a busy machine is slow for all of them:

a. every cell for itself in the order of the table, each prompt evaluated in full;
b. as ``homeground run`` does it: distinct requests in prefix order, exact mode, a process a core, stored on disk;
c. every cell in the order of the table, on a server with llama.cpp's defaults (slots, flash attention, cache);
d. as ``homeground run --fast`` does it.

Each time includes loading the model. The log-probabilities of all new tokens are compared with those of (a).
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from homeground.benchmarks import Benchmark, build, load_benchmark
from homeground.dialogues import conversation
from homeground.engines import AnswerStore
from homeground.engines.embedded import EmbeddedEngine
from homeground.engines.embedded_server import ask, cores, start_server
from homeground.engines.protocol import Refusal
from homeground.engines.weights import find_weights
from homeground.plan import Plan, Selection, conversation_cells, make_plan
from homeground.plan.requests import Way
from homeground.prompts import Prompts, closing_question
from homeground.prompts.messages import transcript
from homeground.schema import Answer, Cell, Request

SCAFFOLDS, CULTURES, NEW_TOKENS = 12, 10, 16
KEY = "benchmark"


class Outcome(NamedTuple):
    """What a model said to one request."""

    text: str
    logprobs: tuple[float, ...]


Outcomes = dict[str, Outcome]
"""By the key of the request."""


def grid(benchmark: Benchmark, model: str) -> list[list[Cell]]:
    """The cells of 12 scaffolds that all cultures have, spread over the benchmark, a list for each scaffold."""
    of: dict[str, list[Cell]] = {}
    for cell in conversation_cells(benchmark, Selection(), (f"embedded:{model}",)):
        of.setdefault(cell.item, []).append(cell)
    full = [cells for cells in of.values() if len({cell.culture for cell in cells}) == CULTURES]
    return [full[n * len(full) // SCAFFOLDS] for n in range(SCAFFOLDS)]


def planned(benchmark: Benchmark, cells: Sequence[Cell], engine: EmbeddedEngine) -> Plan:
    """The plan of some cells for an engine."""
    way = Way(Prompts("description"), {engine.name: engine.identity}, NEW_TOKENS, logprobs=True)
    return make_plan(benchmark, cells, way)


def in_table_order(model: str, plan: Plan, *, reuse: bool) -> Outcomes:
    """Ways (a), without reuse, and (c): cell by cell, one in flight. A cell's request may come several times."""
    server = start_server(str(find_weights(model)), fast=reuse)
    found: Outcomes = {}
    for key in plan.keys:
        assert key is not None  # noqa: S101  # no cell of the grid waits for another
        answer = _answer(ask(server, plan.requests[key], reuse=reuse))
        found[key] = Outcome(answer.text, answer.logprobs)
    return found


def as_a_run(model: str, plan: Plan, *, fast: bool) -> Outcomes:
    """Ways (b) and (d): what ``homeground run`` does, the store included."""
    engine = EmbeddedEngine(model, fast=fast)
    found: dict[str, Answer] = {}
    with tempfile.TemporaryDirectory() as folder, AnswerStore(Path(folder) / "s", write=True) as store:
        for group in engine.answer(list(plan.requests.items()), lambda _: b""):
            answers = [(key, _answer(result)) for key, result in group]
            store.add_all((key, plan.requests[key], answer) for key, answer in answers)
            found |= answers
    engine.close()
    return {key: Outcome(answer.text, answer.logprobs) for key, answer in found.items()}


def _answer(result: Answer | Refusal) -> Answer:
    if isinstance(result, Refusal):
        sys.exit(f"a prompt of the grid was refused: {result.reason}")
    return result


WAYS: dict[str, Callable[[str, Plan], Outcomes]] = {
    "a. each cell in full, table order": lambda model, plan: in_table_order(model, plan, reuse=False),
    "b. planned, exact mode": lambda model, plan: as_a_run(model, plan, fast=False),
    "c. llama.cpp's defaults, table order": lambda model, plan: in_table_order(model, plan, reuse=True),
    "d. planned, --fast": lambda model, plan: as_a_run(model, plan, fast=True),
}


def measure(benchmark: Benchmark, model: str, parts: Sequence[Sequence[Cell]]) -> bool:
    """Time all ways and print their table; true when (b) changed nothing."""
    engine = EmbeddedEngine(model)
    seconds = dict.fromkeys(WAYS, 0.0)
    texts, probabilities = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0)
    total = 0
    for part in parts:
        plan = planned(benchmark, part, engine)
        total += len(plan.keys)
        truth: Outcomes = {}
        for name, way in WAYS.items():
            began = time.perf_counter()
            found = way(model, plan)
            seconds[name] += time.perf_counter() - began
            truth = truth or found
            pairs = [(truth[key], found[key]) for key in plan.keys if key is not None]
            texts[name] += sum(one.text != two.text for one, two in pairs)
            probabilities[name] += sum(one.logprobs != two.logprobs for one, two in pairs)
        print(f"after {total} cells:\n{_table(seconds, texts, probabilities, total)}\n", file=sys.stderr)
    print(_table(seconds, texts, probabilities, total))
    exact = list(WAYS)[1]
    return not texts[exact] and not probabilities[exact]


def _table(
    seconds: dict[str, float], texts: dict[str, int], probabilities: dict[str, int], total: int
) -> str:
    first = seconds[next(iter(WAYS))]
    lines = [
        "| way | wall time, s | times faster than a | texts that differ | log-probabilities that differ |"
    ]
    lines.append("|---|--:|--:|--:|--:|")
    lines += [
        f"| {name} | {seconds[name]:.1f} | {first / seconds[name]:.2f} | "
        f"{texts[name] / total:.1%} | {probabilities[name] / total:.1%} |"
        for name in WAYS
    ]
    return "\n".join(lines)


def layouts(benchmark: Benchmark, model: str, cells: Sequence[Cell]) -> None:
    """Print the tokens to evaluate with the ideal prefix tree, for the task first and the conversation first."""
    server: Any = start_server(str(find_weights(model)), KEY)
    plan = planned(benchmark, cells, EmbeddedEngine(model))
    prompts: dict[str, tuple[str, str]] = {}
    for cell, key in zip(cells, plan.keys, strict=True):
        if key is not None and key not in prompts:
            prompts[key] = _both(benchmark, cell, plan.requests[key])
    print("| layout | tokens, each cell in full | distinct requests | ideal prefix tree | sorted by text |")
    print("|---|--:|--:|--:|--:|")
    for number, name in enumerate(("task first", "conversation first")):
        tokens = {key: _tokens(server, both[number]) for key, both in prompts.items()}
        every = sum(len(tokens[key]) for key in plan.keys if key is not None)
        by_text = [tokens[key] for key in sorted(prompts, key=lambda key: prompts[key][number])]
        print(
            f"| {name} | {every:,} | {sum(map(len, by_text)):,} | "
            f"{_to_evaluate(sorted(by_text)):,} | {_to_evaluate(by_text):,} |"
        )


def _both(benchmark: Benchmark, cell: Cell, request: Request) -> tuple[str, str]:
    """The text of a prompt as it is, and with the conversation before everything else."""
    (message,) = request.messages
    turns = conversation(
        benchmark.scaffolds[cell.item],
        benchmark.cultures[cell.culture],
        benchmark.cues[cell.item, cell.culture],
        cell.condition,
        closing_question(benchmark.scaffolds[cell.item].concept),
    )
    said = transcript(turns)
    before, found, after = message.text.partition(said)
    assert found  # noqa: S101  # the templates show the transcript as it is
    return message.text, f"{said}\n\n{before}{after}".strip()


def _tokens(server: Any, text: str) -> tuple[int, ...]:  # noqa: ANN401
    """Of a prompt with the model's chat template around it."""
    shown = _post(server, "apply-template", {"messages": [{"role": "user", "content": text}]})["prompt"]
    return tuple(
        _post(server, "tokenize", {"content": shown, "add_special": True, "parse_special": True})["tokens"]
    )


def _post(server: Any, path: str, body: object) -> Any:  # noqa: ANN401
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    url = f"{server.listening_address}/{path}"
    question = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(question) as reply:  # noqa: S310
        return json.load(reply)


def _to_evaluate(prompts: Iterable[tuple[int, ...]]) -> int:
    """Tokens after the prefix that each prompt has in common with the one before."""
    return sum(len(two) - _common(one, two) for one, two in pairwise([(), *prompts]))


def _common(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def main() -> int:
    """Measure and print; 1 when exact mode changed anything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="ask only every Nth scaffold")
    parser.add_argument("--benchmark", type=Path, help="a built benchmark (default: build one)")
    parser.add_argument("--only", choices=["time", "layouts"])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.benchmark
        if folder is None:
            folder = Path(scratch) / "benchmark"
            build.build_conversations(folder)
        benchmark = load_benchmark(folder)
        parts = grid(benchmark, chosen.model)
        asked = parts[:: chosen.share]
        print(
            f"{date.today()}, {platform.machine()}, {cores()} cores, {chosen.model}; "
            f"{sum(map(len, asked))} of {sum(map(len, parts))} cells, {NEW_TOKENS} new tokens\n"
        )
        same = chosen.only == "layouts" or measure(benchmark, chosen.model, asked)
        if chosen.only != "time":
            print()
            layouts(benchmark, chosen.model, [cell for part in parts for cell in part])
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
