"""Tidy tables made wide: a grid for each model and strategy, one column's values side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from homeground.experiments.table import Row, Table

SERIES = ("run", "model", "strategy")
_PLAIN = 4
"""With more columns than model, strategy, task and level, tasks stand in grids of their own."""


class Line(NamedTuple):
    """One line of a grid."""

    names: tuple[str, ...]
    """What it speaks of, by ``Grid.left``."""
    cells: tuple[Row | None, ...]
    """By ``Grid.across``; one cell where that is empty."""


class Grid(NamedTuple):
    """The part of a table that one model and strategy has."""

    series: tuple[str, ...]
    """Run, model and strategy, as far as the table names them."""
    fixed: tuple[str, ...]
    """Values that all lines share, such as the task."""
    left: tuple[str, ...]
    """Columns of names."""
    across: tuple[str, ...]
    """Values side by side; empty where each line has one estimate."""
    lines: tuple[Line, ...]

    @property
    def rows(self) -> list[Row]:
        """All estimates."""
        return [cell for line in self.lines for cell in line.cells if cell is not None]


def grids(table: Table, most: int = 12, *, values_only: bool = True) -> list[Grid]:
    """A table as grids.

    Args:
        table: what to print.
        most: with more values side by side than this, a grid has one estimate a line.
        values_only: leave out rows that have no value.
    """
    apart = (*SERIES, "task") if len(table.columns) > _PLAIN else SERIES
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in table.rows:
        if row.estimate.value is not None or not values_only:
            groups.setdefault(tuple(row.by.get(name, "") for name in apart), []).append(row)
    return [_grid(table, apart, rows, most) for rows in groups.values()]


def _grid(table: Table, apart: Sequence[str], rows: Sequence[Row], most: int) -> Grid:
    values = {name: list(dict.fromkeys(row.by.get(name, "") for row in rows)) for name in table.columns}
    series = tuple(values[name][0] for name in SERIES if name in values and values[name][0])
    varying = [name for name, some in values.items() if len(some) > 1 and name not in apart]
    fixed = tuple(values[name][0] for name in table.columns if name not in (*varying, *SERIES))
    across = table.across
    if across not in varying or len(values[across]) > most or any(row.p is not None for row in rows):
        lines = [Line(tuple(row.by.get(name, "") for name in varying), (row,)) for row in rows]
        return Grid(series, fixed, tuple(varying), (), tuple(lines))
    left = tuple(name for name in varying if name != across)
    found: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.by.get(name, "") for name in left), {})[row.by[across]] = row
    side = tuple(values[across])
    return Grid(
        series,
        fixed,
        left,
        side,
        tuple(Line(names, tuple(cells.get(name) for name in side)) for names, cells in found.items()),
    )
