"""``homeground frequencies``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, console, print_json
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.experiments.corpus_counts import Counts


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, nargs="?", help="a run's folder")
    parser.add_argument(
        "--counts", type=Path, metavar="FILE", help="counts of the terms: JSON, or CSV with term,count"
    )
    parser.add_argument("--server", metavar="URL", help="count on an infini-gram server, with --index")
    parser.add_argument("--index", metavar="NAME", help="with --server: which of its indexes")
    parser.add_argument(
        "--local",
        type=Path,
        metavar="DIR",
        help="count in an infini-gram index on this machine, with --tokenizer",
    )
    parser.add_argument(
        "--tokenizer",
        type=Path,
        metavar="FILE",
        help="with --local: the tokenizer.json that the index was made with",
    )
    parser.add_argument("--terms", action="store_true", help="print the terms to count, one a line, and stop")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Print the shares of units in a corpus beside those in a run's answers."""
    from homeground.experiments.study import open_study
    from homeground.experiments.term_frequency import term_frequency, terms

    if arguments.terms:
        if arguments.json:
            print_json(terms())
        else:
            print("\n".join(terms()))
        return 0
    if arguments.run is None:
        raise InputError("frequencies: give a run's folder, or --terms for the terms to count")
    _check(arguments)
    study = open_study([arguments.run])
    counts = _counts(arguments)
    tables = term_frequency(study, counts)
    if arguments.json:
        print_json(tables)
    else:
        from homeground.cli.tables import print_table

        out = console()
        for table in tables:
            print_table(table, out)
    return 0


def _check(arguments: Namespace) -> None:
    ways = [name for name in ("counts", "server", "local") if getattr(arguments, name) is not None]
    if len(ways) != 1:
        raise InputError("frequencies: give --counts FILE, --server URL with --index NAME, or --local DIR")
    for switch, belongs_to in (("index", "server"), ("tokenizer", "local")):
        if (getattr(arguments, switch) is not None) != (ways == [belongs_to]):
            raise InputError(f"--{switch} and --{belongs_to} belong together")


def _counts(arguments: Namespace) -> Counts:
    from homeground.experiments.corpus_counts import count_in_index, count_on_server, read_counts
    from homeground.experiments.term_frequency import terms

    if arguments.counts is not None:
        return read_counts(arguments.counts)
    if arguments.server is not None:
        return count_on_server(arguments.server, arguments.index, terms())
    return count_in_index(arguments.local, arguments.tokenizer, terms())
