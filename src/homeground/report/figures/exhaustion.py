"""What a set of items has left to tell: those that every model gets, those that none gets, and the best model."""

from __future__ import annotations

from markupsafe import Markup

from homeground.experiments.table import Row, Table
from homeground.report.figures.bars import Part, stacked
from homeground.report.figures.canvas import (
    WIDTH,
    Canvas,
    Scale,
    Setting,
    named,
    split,
    swatches,
    there,
    whisker,
)
from homeground.report.figures.paint import Look, mark
from homeground.report.figures.words import hover, spoken, width, wrapped

_EVERY, _NONE, _BEST = "every model gets", "no model gets", "best model"
_BEST_LOOK = Look("ink", "diamond")


def exhaustion(table: Table, setting: Setting) -> Markup | None:
    """One bar for each set and level, its items split by who gets them; the best model as a mark with its interval."""
    groups = {
        key: {row.by.get("quantity", ""): row for row in some}
        for key, some in split(there(table), *(name for name in table.columns if name != "quantity")).items()
    }
    groups = {key: rows for key, rows in groups.items() if _EVERY in rows and _NONE in rows}
    if not groups:
        return None
    canvas = Canvas(table, setting, "Items by who gets them, and the share that the best model gets.")
    swatches(
        canvas,
        [
            ("hue-1", 0.42, _EVERY, False),
            ("hue-1", 0.15, "some models get", False),
            ("floor", 0.15, _NONE, True),
        ],
    )
    if any(_BEST in rows for rows in groups.values()):
        canvas.legend([(_BEST_LOOK, "the best model")], line=False)
    labels = {key: wrapped(named(key), 150, 2) for key in groups}
    left = max((width(line) for lines in labels.values() for line in lines), default=0.0) + 12
    across = Scale(0, 1, left, WIDTH - 2)
    for key, rows in groups.items():
        top = canvas.y
        canvas.lines(0, top + 14, labels[key])
        stacked(canvas, _parts(rows), left)
        best = rows.get(_BEST)
        if best is not None:
            x, y = across(best.estimate.value or 0.0), canvas.y + 2
            title = hover(best, *(spoken(part) for part in key), _BEST)
            canvas.group("ink", [whisker(best, across, y), mark(_BEST_LOOK, x, y, hover=title)])
            canvas.y += 10
        canvas.y += 4
    return canvas.finish()


def _parts(rows: dict[str, Row]) -> list[Part]:
    every, none = rows[_EVERY], rows[_NONE]
    shares = [row.estimate.value or 0.0 for row in (every, none)]
    some = max(0.0, 1 - sum(shares))
    return [
        Part(shares[0], "", "", hover(every, _EVERY), "hue-1", 0.42),
        Part(some, "", "", f"some models get: {some * 100:.0f} %", "hue-1", 0.15),
        Part(shares[1], "", "", hover(none, _NONE), "floor", 0.15, True),
    ]
