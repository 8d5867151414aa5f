"""``homeground build conversations``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.options import names
from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", choices=["conversations"], help="what to build")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    parser.add_argument("--cultures", type=names, metavar="A,B", help="codes, such as FR,US (default: all)")
    parser.add_argument(
        "--concepts", type=names, metavar="A,B", help="such as temperature,price (default: all seven)"
    )
    parser.add_argument("--protocol", default="capri", help="capri or cldr (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="draws scenes and cues (default: %(default)s)")
    parser.add_argument("--unverified", action="store_true", help="also use cues without a looked-up source")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Build and say what there is."""
    from homeground.benchmarks.build import build_conversations
    from homeground.benchmarks.check import check_benchmark

    build_conversations(
        arguments.output,
        cultures=arguments.cultures,
        concepts=arguments.concepts,
        protocol=arguments.protocol,
        seed=arguments.seed,
        unverified=arguments.unverified,
    )
    result = check_benchmark(arguments.output)
    if arguments.json:
        print_json(result)
    else:
        print(
            f"{arguments.output}: {result.scenes} scenes, {result.scaffolds} scaffolds, "
            f"{result.conversations} conversations"
        )
    return 1 if result.problems else 0
