"""``homeground audit``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, help="questions, JSON Lines with id, question and answers")
    parser.add_argument(
        "--culture", metavar="CODE", help="such as PT; without it any country's name is flagged"
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Audit; with ``--json`` a line an item."""
    from homeground.questions import audit_question, load_questions

    audited = [audit_question(question, arguments.culture) for question in load_questions(arguments.file)]
    for item in audited:
        if arguments.json:
            print_json(item)
        for flag in item.flags if not arguments.json else ():
            print(f"{item.id}: {flag.guideline} {flag.evidence!r}: {flag.why}")
    if not arguments.json:
        print(f"{sum(bool(item.flags) for item in audited)} of {len(audited)} questions flagged")
    return 0
