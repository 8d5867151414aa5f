"""``homeground guidelines``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--culture", required=True, metavar="CODE", help="any territory or culture, such as PT"
    )
    parser.add_argument(
        "--language",
        choices=["en", "pt", "fa"],
        help="of the sheet (default: that of the culture where it is one of these, else en)",
    )
    parser.add_argument(
        "--format", choices=["markdown", "html", "text"], default="markdown", help="default: markdown"
    )
    parser.add_argument(
        "--examples",
        type=Path,
        metavar="FILE",
        help="rejected entries to show as bad examples, JSON Lines with guideline, question, answer and why",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the sheet here (default: standard output)"
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Print or write the sheet; with ``--json`` print the guidelines themselves."""
    from homeground.files import write_whole
    from homeground.questions.guideline_sheet import guideline_sheet
    from homeground.questions.guidelines import guidelines

    sheet = guidelines(arguments.culture, arguments.language, arguments.examples)
    if arguments.output:
        write_whole(arguments.output, guideline_sheet(sheet, arguments.format))
    if arguments.json:
        print_json(sheet)
    elif arguments.output:
        print(f"Guidelines: {arguments.output}")
    else:
        sys.stdout.write(guideline_sheet(sheet, arguments.format))
    return 0
