"""``annotate analyse``: what people answered in a validation study."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions
from homeground.cli.formats import add_formats, chosen, print_tables
from homeground.cli.options import names
from homeground.cli.show import add_json, print_json, say


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    analyse = actions.add_parser(
        "analyse",
        help="who is left out, accuracy, agreement and time on task, from a validation study's export",
    )
    analyse.add_argument("export", type=Path, help="a folder that 'annotate export' wrote")
    analyse.add_argument(
        "--cultures", type=names, default=(), metavar="CODES", help="these alone, such as FR,JP"
    )
    analyse.add_argument(
        "--concepts", type=names, default=(), metavar="NAMES", help="likewise, such as price,size"
    )
    analyse.add_argument(
        "-o", "--output", type=Path, metavar="DIR",
        help="write the tables (CSV, Markdown, LaTeX) there, and people.json for 'report --human'",
    )  # fmt: skip
    add_formats(analyse)
    add_json(analyse)


def call(arguments: Namespace) -> int:
    """Analyse, write where asked, and print."""
    from homeground.annotate.analysis import analyse, read_export
    from homeground.annotate.analysis.write import write_analysis

    export = read_export(arguments.export)
    found = analyse(export, arguments.cultures, arguments.concepts)
    if arguments.output:
        write_analysis(found, arguments.output)
    if arguments.json:
        print_json({
            "study": export.study.id, "simulated": export.study.simulated, "excluded": found.excluded,
            "ceiling": found.ceiling, "tables": chosen(found.tables, arguments),
        })  # fmt: skip
    else:
        print_tables(found.tables, arguments)
    if arguments.output:
        say(f"people.json and tables: {arguments.output}")
    return 0
