"""``homeground annotate sheet``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action", choices=["sheet"], help="a page on which residents check the cues of their country"
    )
    parser.add_argument("benchmark", type=Path, help="a benchmark's folder")
    parser.add_argument("--culture", required=True, metavar="CODE", help="such as FR")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the page, HTML")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Write the page."""
    from homeground.annotate import cue_sheet
    from homeground.benchmarks import load_benchmark
    from homeground.files import write_whole

    write_whole(arguments.output, cue_sheet(load_benchmark(arguments.benchmark), arguments.culture))
    if arguments.json:
        print_json({"culture": arguments.culture, "page": str(arguments.output)})
    else:
        print(f"Cue sheet: {arguments.output}")
    return 0
