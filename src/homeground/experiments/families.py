"""The tests of a table as one family."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from homeground.experiments.table import Row
from homeground.statistics import holm


def adjusted(rows: Sequence[Row]) -> list[Row]:
    """The rows with each p value adjusted for all of them (Holm 1979)."""
    return [replace(row, holm=p) for row, p in zip(rows, holm([row.p for row in rows]), strict=True)]
