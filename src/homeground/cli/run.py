"""``homeground run``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.options import names, positive
from homeground.cli.show import add_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("benchmark", type=Path, help="a benchmark's folder")
    parser.add_argument(
        "--model", action="append", required=True, metavar="ENGINE:NAME",
        help="embedded:smollm2-135m or openai:NAME; can be repeated",
    )  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="RUN", help="the run's folder")
    parser.add_argument("--task", type=names, metavar="A,B", help="background, question (default: both)")
    parser.add_argument("--strategy", type=names, metavar="A,B", help="direct, pragmatic (default: direct)")
    parser.add_argument(
        "--condition",
        type=names,
        metavar="A,B",
        help="null, neutral, cue1, cue2, implicit, explicit (default: these); placebo_cues, placebo_filler",
    )
    parser.add_argument(
        "--concepts",
        type=names,
        metavar="A,B",
        help="temperature, distance, speed, size, price, time_expression, quantifier (default: all)",
    )
    parser.add_argument("--cultures", type=names, metavar="A,B", help="codes, such as FR,US (default: all)")
    parser.add_argument("--sample", type=positive, metavar="N", help="a balanced sample of N conversations")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (default: %(default)s)")
    parser.add_argument(
        "--grounding", choices=["image", "description"],
        help="show the picture or describe it (default: as the model can see)",
    )  # fmt: skip
    parser.add_argument(
        "--framing", choices=["transcript", "chat"], default="transcript",
        help="show the conversation as text, as published, or as chat turns (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--fold-system", action="store_true",
        help="with --framing chat: the model has no system role; put that text into the first user turn",
    )  # fmt: skip
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="server for openai: models (default: OPENAI_BASE_URL); its key comes from OPENAI_API_KEY",
    )
    parser.add_argument(
        "--max-tokens", type=positive, metavar="N",
        help="new tokens at most (default: 256, with reasoning 2048)",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Run, judge, report."""
    from homeground.cli.study import study
    from homeground.plan.cells import select

    selection = select(
        tasks=arguments.task,
        strategies=arguments.strategy,
        conditions=arguments.condition,
        concepts=arguments.concepts,
        cultures=arguments.cultures,
        sample=arguments.sample,
        seed=arguments.seed,
    )
    return study(
        arguments.benchmark,
        arguments.output,
        arguments.model,
        selection,
        grounding=arguments.grounding,
        framing=arguments.framing,
        fold_system=arguments.fold_system,
        base_url=arguments.base_url,
        max_tokens=arguments.max_tokens,
        as_json=arguments.json,
    )
