"""``homeground report``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.options import positive
from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, nargs="+", help="folders of runs over one benchmark")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the page (default: report.html in the run's folder); needed for several runs",
    )
    parser.add_argument(
        "--replicates",
        type=positive,
        default=0,
        metavar="N",
        help="check every interval by a cluster bootstrap of so many replicates, such as 10000",
    )
    parser.add_argument(
        "--people", type=Path, metavar="FILE",
        help="what people say of morning, noon…: JSON Lines of start and end times by country",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Write the report and show the result."""
    from homeground.cli.study import show, summary
    from homeground.experiments.people_times import read_people
    from homeground.report import write_report

    people = read_people(arguments.people) if arguments.people else None
    files = write_report(arguments.run, arguments.output, replicates=arguments.replicates, people=people)
    if arguments.json:
        print_json(summary(files))
    else:
        show(files)
    return 0
