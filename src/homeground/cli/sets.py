"""``homeground sets``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.formats import add_formats, print_tables
from homeground.cli.show import add_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, nargs="+", help="runs' folders, over two question sets or more")
    add_formats(parser)
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Compare the sets and print."""
    from homeground.experiments.set_comparison import compare_sets, open_sets

    print_tables(compare_sets(open_sets(arguments.run)), arguments)
    return 0
