"""Tables of estimates on a terminal of 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table as Terminal

from homeground.experiments.table import Row, Table
from homeground.report.examples import pictured
from homeground.report.numbers import interval_of, p_of, value_of
from homeground.report.wide import SERIES, Grid, grids

if TYPE_CHECKING:
    from rich.console import Console

_WIDEST = 6
"""Values side by side that 80 columns hold."""


def print_table(table: Table, to: Console) -> None:
    """Print a table; columns in which all rows of a grid agree stand in its title."""
    to.print(f"[bold]{escape(table.title)}[/]")
    found = grids(table, _WIDEST)
    if not found:
        to.print("Nothing to tell from these answers.")
    for grid in found:
        # A title of the grid itself would be folded to the grid's width.
        if title := " · ".join(_name(part) for part in (*grid.series, *grid.fixed)):
            to.print(f"[italic]{title}[/]")
        to.print(_terminal(grid))
    for note in (
        *table.notes,
        *dict.fromkeys(f"{_where(row)}: {row.note}" for row in table.rows if row.note),
    ):
        to.print(escape(pictured(note)), style="dim")
    to.print()


def _terminal(grid: Grid) -> Terminal:
    table = Terminal(pad_edge=False, caption_justify="left")
    for name in grid.left:
        table.add_column(_name(name), overflow="fold")
    if grid.across:
        for name in grid.across:
            table.add_column(_name(name), justify="right", overflow="fold")
        for line in grid.lines:
            table.add_row(
                *map(_name, line.names), *(_value(cell, "\n") if cell else "–" for cell in line.cells)
            )
        counts = sorted({row.estimate.n for row in grid.rows if row.unit != "count"})
        if counts:
            table.caption = f"n = {counts[0]}" + (f" to {counts[-1]}" if len(counts) > 1 else "")
        return table
    rows = grid.rows
    tested, adjusted = any(row.p is not None for row in rows), any(row.holm is not None for row in rows)
    table.add_column("value [95 %]", justify="right", no_wrap=True)
    table.add_column("n", justify="right")
    if tested:
        table.add_column("p (Holm)" if adjusted else "p", justify="right")
    for line in grid.lines:
        row = line.cells[0]
        assert row is not None  # noqa: S101  # only lines side by side have gaps
        numbers = [_value(row), str(row.estimate.n)] + ([p_of(row) or "–"] if tested else [])
        table.add_row(*map(_name, line.names), *numbers)
    return table


def _name(text: str) -> str:
    return escape(pictured(text).replace("_", " "))


def _where(row: Row) -> str:
    return ", ".join(value for name, value in row.by.items() if name not in SERIES) or "note"


def _value(row: Row, between: str = " ") -> str:
    ends = interval_of(row)
    return value_of(row) + (rf"{between}\[{ends}]" if ends else "")
