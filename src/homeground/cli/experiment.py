"""``homeground experiment``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from homeground.cli.options import positive
from homeground.cli.show import add_json, console, print_json
from homeground.experiments.catalogue import EXPERIMENTS

FORMATS = ("text", "csv", "markdown", "latex")


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = RawDescriptionHelpFormatter
    width = max(map(len, EXPERIMENTS))
    parser.epilog = "experiments:\n" + "\n".join(
        f"  {name:<{width}}  {one.line}" for name, one in EXPERIMENTS.items()
    )
    parser.add_argument("experiment", choices=EXPERIMENTS, metavar="EXPERIMENT", help="one of those below")
    parser.add_argument("run", type=Path, nargs="+", help="folders of runs over one benchmark")
    parser.add_argument("--table", metavar="NAME", help="this table alone")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how to print (default: %(default)s)"
    )
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
    from homeground.errors import InputError
    from homeground.experiments.catalogue import run_experiment
    from homeground.experiments.people_times import read_people
    from homeground.experiments.study import open_study

    people = read_people(arguments.people) if arguments.people else None
    study = open_study(arguments.run, arguments.replicates or 0, people)
    tables = run_experiment(arguments.experiment, study)
    if arguments.table:
        names = [table.name for table in tables]
        tables = [table for table in tables if table.name == arguments.table]
        if not tables:
            raise InputError(
                f"--table: {arguments.experiment} has no {arguments.table!r}; one of {', '.join(names)}"
            )
    if arguments.json:
        print_json(tables)
    elif arguments.format == "text":
        from homeground.cli.tables import print_table

        out = console()
        for table in tables:
            print_table(table, out)
    else:
        from homeground.report.formats import csv, latex, markdown

        write = {"csv": csv, "markdown": markdown, "latex": latex}[arguments.format]
        print("\n".join(write(table) for table in tables))
    return 0
