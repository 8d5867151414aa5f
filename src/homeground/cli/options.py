"""Arguments that several commands share, and their types."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homeground.experiments.people_times import People
    from homeground.statistics.ceiling import HumanCeiling


def names(text: str) -> tuple[str, ...]:
    """A comma-separated list."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError("give at least one name")
    return found


def prices(text: str) -> dict[str, float]:
    """Prices of a million prompt tokens, new tokens and, where it is given, prompt tokens in the server's cache."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or any(not 0 <= number < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is not IN,OUT or IN,OUT,CACHED, such as 0.15,0.60")
    return dict(zip(("prompt", "completion", "cached"), numbers, strict=False))


def positive(text: str) -> int:
    """A whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def add_study(parser: argparse.ArgumentParser) -> None:
    """What commands need that compute from the stored answers of runs."""
    parser.add_argument("run", type=Path, nargs="+", help="folders of runs over one benchmark")
    parser.add_argument(
        "--replicates",
        type=positive,
        default=0,
        metavar="N",
        help="check every interval by a cluster bootstrap of so many replicates, such as 10000",
    )
    parser.add_argument(
        "--people", type=Path, metavar="FILE",
        help="what people say of morning, noon…: JSON Lines of start and end times by country",
    )  # fmt: skip
    parser.add_argument(
        "--human", type=Path, metavar="FILE",
        help="people's accuracy as a ceiling: people.json of 'annotate analyse -o'",
    )  # fmt: skip


def people_of(arguments: argparse.Namespace) -> People | None:
    """What ``--people`` names.

    Raises:
        InputError: naming file and line.
    """
    from homeground.experiments.people_times import read_people

    return read_people(arguments.people) if arguments.people else None


def human_of(arguments: argparse.Namespace) -> HumanCeiling | None:
    """What ``--human`` names.

    Raises:
        InputError: naming file and field.
    """
    from homeground.experiments.people_ceiling import read_ceiling

    return read_ceiling(arguments.human) if arguments.human else None


def add_asking(parser: argparse.ArgumentParser, beside: str) -> None:
    """What commands need that ask a model outside a run; ``beside`` is the file that the store stands beside."""
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="server for an openai: model (default: OPENAI_BASE_URL; key: OPENAI_API_KEY)",
    )
    parser.add_argument(
        "--answers", type=Path, metavar="STORE",
        help=f"where answers are kept, so that nothing is asked twice (default: {beside}.answers.sqlite)",
    )  # fmt: skip
