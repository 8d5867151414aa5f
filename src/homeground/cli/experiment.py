"""``homeground experiment``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from textwrap import fill

from homeground.cli.formats import add_formats, print_tables
from homeground.cli.options import positive
from homeground.cli.show import add_json
from homeground.experiments.catalogue import EXPERIMENTS

_COLUMNS = 80


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = RawDescriptionHelpFormatter
    width = max(map(len, EXPERIMENTS))
    parser.epilog = "experiments:\n" + "\n".join(
        fill(one.line, _COLUMNS, initial_indent=f"  {name:<{width}}  ", subsequent_indent=" " * (width + 4))
        for name, one in EXPERIMENTS.items()
    )
    parser.add_argument("experiment", choices=EXPERIMENTS, metavar="EXPERIMENT", help="one of those below")
    parser.add_argument("run", type=Path, nargs="+", help="folders of runs over one benchmark")
    add_formats(parser)
    parser.add_argument(
        "--replicates",
        type=positive,
        metavar="N",
        help="check every interval by a cluster bootstrap of so many replicates, such as 10000",
    )
    parser.add_argument(
        "--people", type=Path, metavar="FILE",
        help="what people say of morning, noon…: JSON Lines of start and end times by country",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Compute and print."""
    from homeground.experiments.catalogue import run_experiment
    from homeground.experiments.people_times import read_people
    from homeground.experiments.study import open_study

    people = read_people(arguments.people) if arguments.people else None
    study = open_study(arguments.run, arguments.replicates or 0, people)
    print_tables(run_experiment(arguments.experiment, study), arguments)
    return 0
