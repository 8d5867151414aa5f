"""``annotate sheet``: a page to print."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions
from homeground.cli.show import add_json, print_json


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    sheet = actions.add_parser(
        "sheet", help="a page to print, on which residents check the cues of a country"
    )
    sheet.add_argument("benchmark", type=Path, help="a benchmark's folder")
    sheet.add_argument("--culture", required=True, metavar="CODE", help="such as FR")
    sheet.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the page, HTML")
    add_json(sheet)


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
