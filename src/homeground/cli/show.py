"""What commands share: JSON output, the progress bar, the terminal table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from rich.console import Console

    from homeground.report.write import Chapter
    from homeground.schema import Estimate


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


def print_chapter(one: Chapter, to: Console) -> None:
    """The result of one series as a table that fits 80 columns."""
    from rich.table import Table

    from homeground.report.figure import CONDITION_NAMES
    from homeground.schema import CONDITIONS

    if not one.levels:
        _print_options(one, to)
        return
    table = Table(title=f"{one.series.model}, {one.series.strategy}", title_justify="left")
    table.add_column("level")
    for name in ("names the country", "uses its units", "floor", "acted on, if known"):
        table.add_column(name, justify="right")
    table.caption = (
        "Below each figure, in italics, the same by the literature's rulebook: an accepted form anywhere."
    )
    table.caption_justify = "left"
    for level in CONDITIONS:
        known = [r for r in one.levels if r.task == "background" and r.level == level]
        used = [r for r in one.levels if r.task == "question" and r.level == level]
        pair = [a for a in one.acted if a.level == level]
        if known or used:
            table.add_row(
                CONDITION_NAMES[level],
                _both(_cell(known[0].estimate), known[0].published) if known else "–",
                _both(_cell(used[0].estimate), used[0].published) if used else "–",
                f"{used[0].floor * 100:.0f} %" if used else "–",
                _both(f"{_cell(pair[0].acted)} of {pair[0].acted.n}", pair[0].published_acted)
                if pair and pair[0].acted.n
                else "–",
            )
    to.print(table)


def _print_options(one: Chapter, to: Console) -> None:
    """What was chosen where nothing is right or wrong."""
    from rich.table import Table

    from homeground.report.figure import CONDITION_NAMES

    table = Table(title=f"{one.series.model}, {one.series.strategy}", title_justify="left")
    for name in ("concept", "level", "options chosen"):
        table.add_column(name)
    for row in one.options:
        chosen = sorted(row.counts.items(), key=lambda item: (-item[1], item[0]))
        table.add_row(
            row.concept.replace("_", " "),
            CONDITION_NAMES[row.level],
            ", ".join(f"{o} {n}" for o, n in chosen),
        )
    to.print(table)


def _both(careful: str, published: float | None) -> str:
    """A figure by the careful rulebook over the same by the published one."""
    from homeground.report.write import percent

    return f"{careful}\n[italic dim]{percent(published)}[/]"


def _cell(estimate: Estimate) -> str:
    from homeground.report.write import interval, percent

    low_high = interval(estimate)
    return percent(estimate.value) + (f" [{low_high}]" if low_high else "")
