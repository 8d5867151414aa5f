"""Models beside people: a band for what people reach, a mark for each model, by concept and by culture."""

from __future__ import annotations

from markupsafe import Markup

from homeground.experiments.people_ceiling import ALL
from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import (
    WIDTH,
    Canvas,
    Scale,
    Setting,
    distinct,
    named,
    people_line,
    split,
    there,
)
from homeground.report.figures.dots import axis, column, dot
from homeground.report.figures.paint import PEOPLE, QUESTION, Look, look
from homeground.report.figures.words import wrapped

_PEOPLE = ("people", "simulated people")
_LABEL, _STEP, _APART = 150, 30, 11
_HEADS = ("", "By concept", "By culture")
_BY_CULTURE = 2


def ceiling(table: Table, setting: Setting) -> Markup | None:
    """Shares right of people and models on the same cells; one line a concept and a culture."""
    rows = [row for row in there(table) if row.by.keys() >= {"culture", "concept", "who"}]
    if not rows:
        return None
    models = [name for name in distinct(rows, "who") if name not in _PEOPLE]
    looks = {models[0]: QUESTION} if len(models) == 1 else {name: look(i) for i, name in enumerate(models)}
    people = next((row.by["who"] for row in rows if row.by["who"] in _PEOPLE), "")
    canvas = Canvas(
        table,
        setting,
        "Share answered in the user's units by people, as a line with its interval, and by models.",
    )
    items: list[tuple[Look, str]] = [(one._replace(dash=""), name) for name, one in looks.items()]
    canvas.legend(items + ([(PEOPLE, people)] if people else []))
    lines = split(rows, "culture", "concept")
    labels = {key: wrapped(_label(key, setting), _LABEL, 2) for key in lines}
    across = Scale(0, 1, column(list(labels.values())), WIDTH - 24)
    step = max(_STEP, _APART * len(models) + 10)
    for place, head in enumerate(_HEADS):
        mine = {key: some for key, some in lines.items() if _place(key) == place}
        if place == _BY_CULTURE:
            mine = dict(sorted(mine.items(), key=lambda line: labels[line[0]]))
        if not mine:
            continue
        canvas.head(head)
        top = canvas.y
        canvas.y += step * len(mine)
        axis(canvas, across, top, "share")
        for number, (key, some) in enumerate(mine.items()):
            _line(canvas, some, looks, across, top + step * number, step)
            canvas.lines(0, top + step * (number + 0.5), labels[key])
    return canvas.finish()


def _line(
    canvas: Canvas, rows: list[Row], looks: dict[str, Look], across: Scale, top: float, step: float
) -> None:
    middle = top + step / 2
    for row in rows:
        if row.by["who"] in _PEOPLE:
            ends = (top + 3, top + step - 3)
            people_line(canvas, row.by["who"], row.estimate, across, ends, upright=True)
    for row in rows:
        if row.by["who"] in looks:
            place = list(looks).index(row.by["who"]) - (len(looks) - 1) / 2
            dot(canvas, looks[row.by["who"]], row, across, middle + place * _APART, row.by["who"])


def _place(key: tuple[str, ...]) -> int:
    culture, concept = key
    return _BY_CULTURE if culture != ALL else int(concept != ALL)


def _label(key: tuple[str, ...], setting: Setting) -> str:
    culture, concept = key
    if culture != ALL:
        return setting.names.get(culture, culture)
    return ALL if concept == ALL else named([concept])
