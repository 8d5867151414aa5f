"""``homeground experiment``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from textwrap import fill

from homeground.cli.formats import add_formats, print_tables
from homeground.cli.options import add_study, human_of, people_of
from homeground.cli.show import add_json
from homeground.errors import InputError
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
    add_study(parser)
    add_formats(parser)
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Compute and print."""
    from homeground.experiments.catalogue import run_experiment
    from homeground.experiments.study import open_study

    human = human_of(arguments)
    if arguments.experiment == "ceiling" and human is None:
        raise InputError(
            "experiment ceiling needs --human people.json; 'annotate analyse EXPORT -o DIR' writes it"
        )
    study = open_study(arguments.run, arguments.replicates, people_of(arguments), human)
    print_tables(run_experiment(arguments.experiment, study), arguments)
    return 0
