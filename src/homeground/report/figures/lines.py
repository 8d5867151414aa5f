"""Lines against the levels of cue, or against the size of a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import (
    LINE,
    WIDTH,
    Canvas,
    Scale,
    Setting,
    distinct,
    focus,
    named,
    path,
    people_line,
    split,
    there,
    whisker,
)
from homeground.report.figures.paint import BACKGROUND, FLOOR, PEOPLE, QUESTION, SIZE, Look, look, mark
from homeground.report.figures.words import TASK_NAMES, hover, spoken, tick, width
from homeground.schema import LEVELS, PLACEBOS

_LEFT, _RIGHT = 56, WIDTH - 6
_TALL, _LOW = 230, 170
"""Height of a plot: of the only one or a crowded one, of one of several."""
_CROWD = 4
"""Lines."""


class Line(NamedTuple):
    """Points that belong together."""

    name: str
    look: Look
    points: Mapping[str, Row]
    """By level, or by the size of the model."""


def accuracy_by_level(table: Table, setting: Setting) -> Markup | None:
    """Both tasks by level of cue; one plot a model, one line a strategy, and the floor where it is known."""
    rows = [row for row in there(table) if row.by.get("task") in TASK_NAMES]
    several = len(distinct((row for row in rows if row.by["task"] == "question"), "strategy")) > 1

    def lines(some: Sequence[Row]) -> list[Line]:
        known = [row for row in some if row.by["task"] == "background"]
        used = [row for row in some if row.by["task"] == "question"]
        found = []
        if known:
            found.append(Line(TASK_NAMES["background"], BACKGROUND, _by_level(known)))
        if not several:
            return found + ([Line(TASK_NAMES["question"], QUESTION, _by_level(used))] if used else [])
        for place, strategy in enumerate(distinct(rows, "strategy")):
            mine = [row for row in used if row.by["strategy"] == strategy]
            if mine:
                found.append(Line(f"{TASK_NAMES['question']}: {strategy}", look(place), _by_level(mine)))
        return found

    about = (
        "Share of conversations whose country the model names, and share answered in that country's units."
    )
    if setting.floor:
        about += " The floor is what a model scores that always says the same."
    return _by_model(Canvas(table, setting, about), rows, lines, setting)


def shares_by_level(table: Table, setting: Setting) -> Markup | None:
    """One share by level of cue; one plot a model, one line a strategy."""
    rows = there(table)
    strategies = distinct(rows, "strategy")

    def lines(some: Sequence[Row]) -> list[Line]:
        return [
            Line(strategy, look(strategies.index(strategy)), _by_level(mine))
            for (strategy,), mine in split(some, "strategy").items()
        ]

    return _by_model(Canvas(table, setting, "A share at each level of cue."), rows, lines, Setting())


def _by_level(rows: Sequence[Row]) -> dict[str, Row]:
    return {row.by["level"]: row for row in rows if "level" in row.by}


def _by_model(
    canvas: Canvas,
    rows: Sequence[Row],
    lines: Callable[[Sequence[Row]], list[Line]],
    beside: Setting,
) -> Markup | None:
    asked = {row.by.get("level") for row in rows}
    levels: list[str] = [level for level in LEVELS if level in asked]
    levels = levels or [level for level in PLACEBOS if level in asked]
    if not levels:
        return None
    models = split(rows, "run", "model")
    items = {line.name: line.look for some in models.values() for line in lines(some)}
    if beside.floor:
        items["floor"] = FLOOR
    if beside.people and any(beside.reached(level) for level in levels):
        items[beside.people.who] = PEOPLE
    canvas.legend([(one, name) for name, one in items.items()])
    tall = _TALL if len(models) == 1 or len(items) > _CROWD else _LOW
    for key, some in models.items():
        canvas.head(named(key))
        _plot(canvas, lines(some), levels, beside, tall)
    return canvas.finish()


def _plot(canvas: Canvas, lines: Sequence[Line], levels: Sequence[str], beside: Setting, tall: int) -> None:
    up = _shares(canvas, tall)
    step = (_RIGHT - _LEFT) / len(levels)
    across = {level: _LEFT + step * (place + 0.5) for place, level in enumerate(levels)}
    for level, x in across.items():
        canvas.text(x, canvas.y + tall + 26, spoken(level), kind="soft", anchor="middle")
        reached = beside.reached(level)
        if beside.people and reached:
            people_line(canvas, beside.people.who, reached, up, (x - step * 0.46, x + step * 0.46))
    floor = beside.floor
    canvas.group(
        FLOOR.hue, [path(FLOOR, [(across[level], up(floor[level])) for level in levels if level in floor])]
    )
    apart = min(10.0, step * 0.6 / len(lines))
    for place, line in enumerate(lines):
        shift = (place - (len(lines) - 1) / 2) * apart
        points = {across[level] + shift: line.points[level] for level in levels if level in line.points}
        _draw(canvas, line, points, up)
    canvas.y += tall + LINE + 18


def _shares(canvas: Canvas, tall: int) -> Scale:
    """The grid of a plot of shares, and the scale upwards."""
    up = _upwards(canvas, tall)
    for percent in (0, 25, 50, 75, 100):
        y = up(percent / 100)
        canvas.stroke("rule", _LEFT, y, _RIGHT, y)
        canvas.text(_LEFT - 7, y + SIZE * 0.35, f"{percent} %", kind="soft", anchor="end")
    return up


def _upwards(canvas: Canvas, tall: int) -> Scale:
    return Scale(0, 1, canvas.y + 8 + tall, canvas.y + 8)


def _draw(canvas: Canvas, line: Line, points: Mapping[float, Row], up: Scale) -> None:
    """A line with its intervals and marks; points by their place across."""
    at = [(x, up(row.estimate.value or 0.0)) for x, row in points.items()]
    marks = [
        mark(line.look, x, y, hover=hover(row, line.name, row.by.get("level", "")))
        for (x, y), row in zip(at, points.values(), strict=True)
    ]
    bars = [whisker(row, up, x, upright=True) for x, row in points.items()]
    canvas.group(line.look.hue, [*bars, path(line.look, at), *marks])


# ---- sizes ------------------------------------------------------------------------------------------


def sizes(table: Table, setting: Setting) -> Markup | None:
    """Both tasks against the number of parameters, the gap between them shaded; one plot a family and strategy."""
    rows = [row for row in there(table) if row.by.get("task") in TASK_NAMES and _parameters(row) > 0]
    if not rows:
        return None
    level = focus(rows)
    rows = [row for row in rows if row.by.get("level", level) == level]
    canvas = Canvas(
        table, setting, f"Both tasks by size of the model, at level {spoken(level)}; the gap is shaded."
    )
    tasks = [(BACKGROUND, "background"), (QUESTION, "question")]
    reached = setting.reached(level)
    items = [(one, TASK_NAMES[task]) for one, task in tasks if task in distinct(rows, "task")]
    canvas.legend(items + ([(PEOPLE, setting.people.who)] if setting.people and reached else []))
    strategies = distinct(rows, "strategy")
    families = split(rows, "run", "family", *(("strategy",) if len(strategies) > 1 else ()))
    for key, some in families.items():
        canvas.head(named(key))
        if setting.people and reached:
            tall = _TALL if len(families) == 1 else _LOW
            people_line(canvas, setting.people.who, reached, _upwards(canvas, tall), (_LEFT, _RIGHT))
        _grown(canvas, some, _TALL if len(families) == 1 else _LOW)
    canvas.say(
        f"Parameters in billions, on a logarithmic scale. Level {spoken(level)}. The shaded area is the gap."
    )
    return canvas.finish()


def _parameters(row: Row) -> float:
    try:
        found = float(row.by.get("parameters", ""))
    except ValueError:
        return 0.0
    return found if math.isfinite(found) else 0.0


def _grown(canvas: Canvas, rows: Sequence[Row], tall: int) -> None:
    up = _shares(canvas, tall)
    logs = [math.log(_parameters(row)) for row in rows]
    air = (max(logs) - min(logs)) * 0.12 or 1.0
    across = Scale(min(logs) - air, max(logs) + air, _LEFT, _RIGHT)
    taken = -math.inf
    for size in sorted({_parameters(row) for row in rows}):
        x, words = across(math.log(size)), f"{tick(size, 'number')} B"
        if x - width(words) / 2 > taken:
            canvas.text(x, canvas.y + tall + 26, words, kind="soft", anchor="middle")
            taken = x + width(words) / 2 + 4
    lines = []
    for one, task in ((BACKGROUND, "background"), (QUESTION, "question")):
        mine = sorted((row for row in rows if row.by["task"] == task), key=_parameters)
        lines.append((Line(TASK_NAMES[task], one, {}), mine))
    known, used = ({_parameters(row): up(row.estimate.value or 0.0) for row in mine} for _, mine in lines)
    both = sorted(known.keys() & used.keys())
    if len(both) > 1:
        there_and_back = [(size, known[size]) for size in both] + [
            (size, used[size]) for size in reversed(both)
        ]
        corners = " ".join(f"{across(math.log(size)):.1f},{y:.1f}" for size, y in there_and_back)
        canvas.group("floor", [f'<polygon class="area" fill-opacity=".18" points="{corners}"/>'])
    for shift, (line, mine) in zip((-3, 3), lines, strict=True):
        points = {across(math.log(_parameters(row))) + shift: row for row in mine}
        _draw(canvas, line, points, up)
    canvas.y += tall + LINE + 18
