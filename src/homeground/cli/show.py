"""What commands share: JSON output, lines on standard error, a terminal of known width."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from rich.console import Console


def add_json(parser: ArgumentParser) -> None:
    """The ``--json`` switch of every command that prints a result."""
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON on standard output, nothing else there"
    )


def print_json(value: object) -> None:
    """One JSON value on one line of standard output."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def say(line: str) -> None:
    """A line about what is going on, on standard error."""
    print(line, file=sys.stderr, flush=True)


def console(*, stderr: bool = False) -> Console:
    """A terminal that is as wide as it says, 80 columns when it says nothing."""
    from rich.console import Console

    plain = Console(stderr=stderr, highlight=False, soft_wrap=False)
    return plain if plain.is_terminal else Console(stderr=stderr, highlight=False, width=80)
