"""``homeground report``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.options import add_study, human_of, people_of
from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_study(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the page (default: report.html in the run's folder); needed for several runs",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Write the report and show the result."""
    from homeground.cli.study import show, summary
    from homeground.report import write_report

    files = write_report(
        arguments.run, arguments.output, replicates=arguments.replicates, people=people_of(arguments),
        human=human_of(arguments),
    )  # fmt: skip
    if arguments.json:
        print_json(summary(files))
    else:
        show(files)
    return 0
