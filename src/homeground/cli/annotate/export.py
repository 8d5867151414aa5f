"""``annotate export``: what was said, as files."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions, add_database_and_study, existing_study
from homeground.cli.show import add_json, print_json


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    export = actions.add_parser(
        "export",
        help="write what was said, by pseudonym, as JSON Lines and CSV; of questions, the accepted ones as a set",
    )
    add_database_and_study(export)
    export.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    export.add_argument(
        "--screened", type=Path, metavar="FILE",
        help="questions: release only what 'homeground screen' kept; the evidence that it wrote, or its --kept",
    )  # fmt: skip
    add_json(export)


def call(arguments: Namespace) -> int:
    """Write the folder."""
    from homeground.annotate.export import export
    from homeground.annotate.store.studies import kind_of

    store, study = existing_study(arguments)
    count = export(store, study, arguments.output, arguments.screened)
    questions = kind_of(store, study) == "questions"
    if arguments.json:
        noun = "questions" if questions else "judgements"
        print_json({"study": study, noun: count, "folder": str(arguments.output)})
    elif questions:
        print(f"{count} questions: {arguments.output / 'set'}")
    else:
        print(f"{count} answers: {arguments.output}")
    return 0
