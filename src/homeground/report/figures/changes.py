"""Divergences: how often answers that are neither right nor wrong change with the user, and with a placebo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import (
    LINE,
    WIDTH,
    Canvas,
    Scale,
    Setting,
    distinct,
    named,
    scale_of,
    split,
    there,
)
from homeground.report.figures.dots import axis, column, dot
from homeground.report.figures.paint import Look, look
from homeground.report.figures.words import hover, spoken, wrapped

_BETWEEN = "D_inter"
_APART = 11
"""Between marks of one line."""


def divergences(table: Table, setting: Setting) -> Markup | None:
    """Between cultures by level, then against neutral by culture, one mark a measure; placebos and reruns as ticks."""
    rows = there(table)
    rows = [row for row in rows if row.by.get("concept") == "both"] or rows
    if not rows:
        return None
    canvas = Canvas(
        table,
        setting,
        "Shares of answers that change; ticks are what changes though no culture does.",
    )
    between = [row for row in rows if row.by.get("measure") == _BETWEEN]
    shifts = [row for row in rows if row.by.get("measure") != _BETWEEN]
    measures = [measure for measure in distinct(shifts, "measure") if not _placebo(measure)]
    looks = {measure: look(place) for place, measure in enumerate(measures)}
    ticks = [measure for measure in distinct(shifts, "measure") if _placebo(measure)]
    dashes = dict(zip(ticks, ("", "5 3", "2 3"), strict=False))
    labels = [spoken(level) for level in distinct(between, "level")]
    labels += [_who(culture, setting) for culture in distinct(shifts, "culture")]
    across = scale_of(rows, column([wrapped(label, 135, 1) for label in labels]), WIDTH - 24)
    for key, some in split(rows, "run", "model", "strategy", "concept").items():
        canvas.head(named([part for part in key if part != "both"]))
        mine = [row for row in some if row.by.get("measure") == _BETWEEN]
        if mine:
            _title(canvas, "Between two cultures, by level (D inter)")
            _block(canvas, split(mine, "level"), across, {_BETWEEN: Look("hue-1")}, {}, setting)
        mine = [row for row in some if row.by.get("measure") != _BETWEEN]
        if mine:
            _title(canvas, "Against the same culture's answer at neutral")
            canvas.legend([(one, _measure(measure)) for measure, one in looks.items()], line=False)
            if ticks:
                canvas.legend([(Look("floor", "", dashes.get(tick, "")), _measure(tick)) for tick in ticks])
            cultures = split(mine, "culture")
            order = sorted(cultures, key=lambda key: (key != ("all",), _who(key[0], setting)))
            _block(canvas, {key: cultures[key] for key in order}, across, looks, dashes, setting)
    return canvas.finish()


def _title(canvas: Canvas, words: str) -> None:
    canvas.y += LINE
    canvas.text(0, canvas.y - 5, words, kind="soft")


def _block(
    canvas: Canvas,
    lines: Mapping[tuple[str, ...], Sequence[Row]],
    across: Scale,
    looks: Mapping[str, Look],
    dashes: Mapping[str, str],
    setting: Setting,
) -> None:
    """One line of marks for each key, on a scale of their own below."""
    top, step = canvas.y, max(26, _APART * len(looks) + 8)
    canvas.y += step * len(lines)
    axis(canvas, across, top, "share")
    for place, ((name,), rows) in enumerate(lines.items()):
        y = top + step * (place + 0.5)
        label = _who(name, setting)
        canvas.lines(0, y, wrapped(label, 135, 1))
        shown = [row for row in rows if row.by["measure"] in looks]
        for row in rows:
            measure = row.by["measure"]
            if measure in dashes:
                x = across(row.estimate.value or 0.0)
                dash = f' stroke-dasharray="{dashes[measure]}"' if dashes[measure] else ""
                title = hover(row, label, _measure(measure))
                canvas.group("floor", [
                    f'<path class="line" d="M{x:.1f} {y - step * 0.42:.1f}V{y + step * 0.42:.1f}"{dash}>'
                    f"<title>{title}</title></path>"
                ])  # fmt: skip
        for number, row in enumerate(shown):
            at = y + (number - (len(shown) - 1) / 2) * _APART
            dot(canvas, looks[row.by["measure"]], row, across, at, label, _measure(row.by["measure"]))
    canvas.y += 6


def _measure(name: str) -> str:
    return name.replace("_", " ")


def _placebo(measure: str) -> bool:
    return "placebo" in measure or "rerun" in measure


def _who(name: str, setting: Setting) -> str:
    return "all cultures" if name == "all" else setting.names.get(name, spoken(name))
