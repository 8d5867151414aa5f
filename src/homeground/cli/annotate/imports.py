"""``annotate import``: questions of another set into the adjudicators' queue."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions, add_database
from homeground.cli.show import add_json, print_json
from homeground.errors import InputError


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    imports = actions.add_parser(
        "import", help="put questions of another set into the adjudicators' queue of a study of questions"
    )
    imports.add_argument(
        "source", type=Path, metavar="FILE",
        help="questions (JSON Lines or CSV), a question set's folder, or a review file of 'transpose'",
    )  # fmt: skip
    imports.add_argument("--study", type=Path, required=True, metavar="FILE", help="study.toml")
    add_database(imports)
    add_json(imports)


def call(arguments: Namespace) -> int:
    """Read, leave out what does not fit, put in what is not there yet."""
    import time

    from homeground.annotate.review import for_review
    from homeground.annotate.serve import open_study
    from homeground.annotate.store.writing import put_imported
    from homeground.annotate.study import load_study

    # The study's file is read first of all: a database is made only for one that fits.
    study, _ = load_study(arguments.study)
    if study.kind != "questions":
        raise InputError(f"{arguments.study}: field kind: {study.kind!r}; right is 'questions' for a review")
    found = for_review(arguments.source, study.cultures[0], study.language)
    store, _, _ = open_study(arguments.study, arguments.db)
    try:
        new = put_imported(store, study.id, found.questions, time.time(), screened_by=found.screened_by)
    finally:
        store.close()
    had = len(found.questions) - new
    if arguments.json:
        print_json({"study": study.id, "new": new, "there_already": had, "left_out": found.left_out})
        return 0
    print(f"{new:,} questions wait for review in {study.id}; {had:,} were there already")
    for why, count in found.left_out.items():
        print(f"left out: {count:,} {why}")
    return 0
