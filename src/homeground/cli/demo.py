"""``homeground demo``: a real model, a real report, nothing to configure."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, say

MODEL = "smollm2-135m"
SAMPLE = 5
"""Conversations on the objective concepts: measured to stay under two minutes of model time on two cores."""
MAX_TOKENS = 12
"""A country or a value with its unit fits."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("homeground-demo"), metavar="DIR",
        help="folder of the demo, gone on with when it is there (default: %(default)s)",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Fetch the model, build the benchmark, run a subset, report."""
    from homeground.benchmarks.build import build_conversations
    from homeground.cli.study import study
    from homeground.plan import Selection
    from homeground.schema import OBJECTIVE

    benchmark = arguments.output / "benchmark"
    if not benchmark.exists():
        say("Drawing the scenes and building the benchmark (about half a minute).")
        build_conversations(benchmark)
    say(
        f"Demo: a balanced sample of {SAMPLE} conversations about units and prices, at most {MAX_TOKENS} "
        "new tokens each: under two minutes of model time on two cores. For all of them: homeground run --help"
    )
    return study(
        benchmark,
        arguments.output / "run",
        [f"embedded:{MODEL}"],
        selection=Selection(sample=SAMPLE, concepts=OBJECTIVE),
        max_tokens=MAX_TOKENS,
        as_json=arguments.json,
    )
