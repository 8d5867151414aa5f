"""The forms in which commands print tables of estimates."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from homeground.cli.show import console, print_json, say
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.experiments.table import Table

FORMATS = ("text", "csv", "markdown", "latex")


def add_formats(parser: ArgumentParser) -> None:
    """Switches that say which tables to print, and how."""
    parser.add_argument("--table", metavar="NAME", help="this table alone")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how to print (default: %(default)s)"
    )


def chosen(tables: Sequence[Table], arguments: Namespace) -> Sequence[Table]:
    """The table that ``--table`` names, or all of them.

    Raises:
        InputError: there is no table of the wanted name.
    """
    if not arguments.table or not tables:
        return tables
    found = [table for table in tables if table.name == arguments.table]
    if not found:
        names = ", ".join(table.name for table in tables)
        raise InputError(f"--table: there is no {arguments.table!r} here; one of {names}")
    return found


def print_tables(tables: Sequence[Table], arguments: Namespace) -> None:
    """Print tables as ``add_formats`` and ``add_json`` say.

    Raises:
        InputError: there is no table of the wanted name.
    """
    if not tables:
        say("nothing to tell from these answers: none of them speaks to this experiment")
    tables = chosen(tables, arguments)
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
