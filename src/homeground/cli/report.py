"""``homeground report``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, help="a run's folder")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the page (default: report.html in the run's folder)",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Write the report and show the result."""
    from homeground.cli.study import show, summary
    from homeground.report import write_report

    files = write_report(arguments.run, arguments.output)
    if arguments.json:
        print_json(summary(files))
    else:
        show(files)
    return 0
