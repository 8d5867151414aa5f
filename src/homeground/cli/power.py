"""``homeground power``."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, NamedTuple

from homeground.cli.options import positive
from homeground.cli.show import add_json, print_json
from homeground.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_DISCORDANCES = (0.1, 0.2, 0.3, 0.4)
_CORRELATIONS = (0.0, 0.25, 0.5, 0.75)
"""Between the two sides of a pair, where the accuracy stands in for the discordance."""


class _Row(NamedTuple):
    """One line of the table."""

    discordance: float
    correlation: float | None
    smallest: float | None
    pairs: int | None


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--n", type=positive, help="pairs: items that both sides answer; prints the smallest gap they find"
    )
    parser.add_argument(
        "--gap", type=_points, metavar="POINTS", help="a gap to find; prints the pairs that it needs"
    )
    parser.add_argument(
        "--discordance",
        type=_share,
        nargs="+",
        metavar="D",
        help=f"share of pairs in which just one side is right (default {' '.join(map(str, _DISCORDANCES))})",
    )
    parser.add_argument(
        "--accuracy",
        type=_share,
        metavar="A",
        help="share right on both sides: a discordance for each of four correlations between them",
    )
    parser.add_argument(
        "--design-effect",
        type=_factor,
        default=1.0,
        metavar="X",
        help="what clusters cost: (clustered / naive standard error of the gap) squared (default 1)",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Print the table, or with ``--json`` a line a row."""
    n, gap = arguments.n, arguments.gap
    if n is None and gap is None:
        raise InputError("power: give --n N for the smallest gap, --gap POINTS for the pairs, or both")
    if arguments.accuracy is not None and arguments.discordance:
        raise InputError("power: give --discordance or --accuracy, which stands in for it")
    if arguments.accuracy == 1:
        raise InputError("--accuracy: where both sides are always right, there is no gap to find")
    rows = _rows(arguments)
    if arguments.json:
        for row in rows:
            print_json(
                {
                    "discordance": row.discordance,
                    "correlation": row.correlation,
                    "design_effect": arguments.design_effect,
                    "n": n,
                    "smallest_gap_points": None if row.smallest is None else row.smallest * 100,
                    "gap_points": gap,
                    "pairs_needed": row.pairs,
                }
            )
        return 0
    _print(rows, arguments)
    return 0


def _rows(arguments: Namespace) -> list[_Row]:
    from homeground.statistics.power import discordance_of, pairs_needed, smallest_gap

    n, gap, effect = arguments.n, arguments.gap, arguments.design_effect
    wanted: list[tuple[float, float | None]]
    if arguments.accuracy is None:
        wanted = [(share, None) for share in arguments.discordance or _DISCORDANCES]
    else:
        wanted = [(discordance_of(arguments.accuracy, phi), phi) for phi in _CORRELATIONS]
    return [
        _Row(
            discordance,
            correlation,
            None if n is None else smallest_gap(n, discordance, effect),
            None if gap is None else pairs_needed(gap / 100, discordance, effect),
        )
        for discordance, correlation in wanted
    ]


def _print(rows: Sequence[_Row], arguments: Namespace) -> None:
    from rich.table import Table

    from homeground.cli.show import console
    from homeground.statistics.clusters import ALPHA
    from homeground.statistics.power import POWER

    n, gap, effect = arguments.n, arguments.gap, arguments.design_effect
    table = Table(box=None, pad_edge=False)
    if arguments.accuracy is not None:
        table.add_column("correlation", justify="right")
    table.add_column("discordance", justify="right")
    if n is not None:
        table.add_column(f"smallest gap of {n:,} pairs", justify="right")
    if gap is not None:
        table.add_column(f"pairs for {gap:g} points", justify="right")
    for row in rows:
        cells = [] if row.correlation is None else [f"{row.correlation:g}"]
        cells.append(f"{row.discordance:.3g}")
        if n is not None:
            cells.append("–" if row.smallest is None else f"{row.smallest * 100:.1f} points")
        if gap is not None:
            cells.append("–" if row.pairs is None else f"{row.pairs:,}")
        table.add_row(*cells)
    console().print(table)
    clusters = f", design effect {effect:g}" if effect != 1 else ""
    print(f"\nMcNemar test of paired answers, two-sided {ALPHA:g}, power {POWER:g}{clusters}.")
    if any((n and row.smallest is None) or (gap and row.pairs is None) for row in rows):
        print("–: not to be found, since a gap cannot be larger than the discordance.")


def _share(text: str) -> float:
    return _number(text, 0, 1, "a share above 0 and up to 1, such as 0.3")


def _points(text: str) -> float:
    return _number(text, 0.01, 100, "a number of points from 0.01 to 100")


def _factor(text: str) -> float:
    return _number(text, 0.01, 1_000, "a number from 0.01 to 1000, such as 2.5")


def _number(text: str, smallest: float, largest: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not (number > 0 and smallest <= number <= largest):
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return number
