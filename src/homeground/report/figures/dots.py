"""Values with their intervals, one a line: strategies, differences, divergences, plain beside oracle."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from homeground.experiments.table import Row, Table, Unit
from homeground.report.figures.canvas import (
    LINE,
    WIDTH,
    Canvas,
    Scale,
    Setting,
    distinct,
    focus,
    named,
    people_line,
    scale_of,
    split,
    there,
    whisker,
)
from homeground.report.figures.paint import BACKGROUND, PEOPLE, QUESTION, SIZE, Look, mark
from homeground.report.figures.words import TASK_NAMES, hover, spoken, tick, width, wrapped
from homeground.schema import STRATEGIES, SYSTEM

_LABEL = 150
"""Widest column of labels; where one would not fit in two lines, all stand above their marks."""
_STEP = 30
_SURE = 0.05


def axis(canvas: Canvas, across: Scale, top: float, unit: Unit, *, zero: bool = False) -> None:
    """Upright lines from ``top`` down to where the canvas is, with their values below."""
    for value in across.ticks(4):
        x = across(value)
        canvas.stroke("rule", x, top, x, canvas.y)
        words = tick(value, unit) + (" %" if unit == "share" else "")
        half = width(words) / 2
        canvas.text(min(max(x, half), WIDTH - half), canvas.y + 17, words, kind="soft", anchor="middle")
    if zero:
        canvas.stroke("zero", across(0), top, across(0), canvas.y)
    canvas.y += LINE + 8


def strategies(table: Table, setting: Setting) -> Markup | None:
    """Answers in the user's units by strategy, and the names of the country as a line to reach; one plot a model."""
    rows = there(table)
    level = focus(rows)
    rows = [row for row in rows if row.by.get("level", level) == level]
    quantities = distinct(rows, "quantity")
    if not quantities:
        return None
    canvas = Canvas(
        table, setting, f"By strategy, at level {spoken(level)}; the line is what the model knows."
    )
    items = [(BACKGROUND._replace(shape=""), TASK_NAMES["background"]), (QUESTION, TASK_NAMES["question"])]
    legend = [(one._replace(dash=""), name) for one, name in items if name in quantities]
    reached = setting.reached(level)
    canvas.legend(legend + ([(PEOPLE, setting.people.who)] if setting.people and reached else []))
    labels = distinct(rows, "strategy")
    left = column([wrapped(label, _LABEL, 2) for label in labels])
    across = Scale(0, 1, left, WIDTH - 24)
    for key, some in split(rows, "run", "model").items():
        canvas.head(named(key))
        known = [row for row in some if row.by.get("quantity") == TASK_NAMES["background"]]
        used = [row for row in some if row.by.get("quantity") == TASK_NAMES["question"]]
        top, canvas.y = canvas.y, canvas.y + _STEP * max(len(used), 1)
        bottom = canvas.y
        axis(canvas, across, top, "share")
        if setting.people and reached:
            people_line(canvas, setting.people.who, reached, across, (top, bottom), upright=True)
        if known:
            _reference(canvas, known[0], across, top, bottom)
        for place, row in enumerate(used):
            y = top + _STEP * (place + 0.5)
            canvas.lines(0, y, wrapped(row.by.get("strategy", ""), _LABEL, 2))
            dot(canvas, QUESTION, row, across, y, row.by.get("strategy", ""), TASK_NAMES["question"])
    return canvas.finish()


def _reference(canvas: Canvas, row: Row, across: Scale, top: float, bottom: float) -> None:
    estimate = row.estimate
    x = across(estimate.value or 0.0)
    parts = []
    if estimate.low is not None and estimate.high is not None:
        low, high = across(estimate.low), across(estimate.high)
        parts.append(
            f'<rect class="area" fill-opacity=".16" x="{low:.1f}" y="{top:.1f}" '
            f'width="{high - low:.1f}" height="{bottom - top:.1f}"/>'
        )
    title = hover(row, TASK_NAMES["background"])
    parts.append(f'<path class="line" d="M{x:.1f} {top:.1f}V{bottom:.1f}"><title>{title}</title></path>')
    canvas.group(BACKGROUND.hue, parts)


def dot(canvas: Canvas, one: Look, row: Row, across: Scale, y: float, *names: str) -> None:
    """A mark with its interval along a scale; ``names`` say what it is when pointed at."""
    x = across(row.estimate.value or 0.0)
    canvas.group(one.hue, [whisker(row, across, y), mark(one, x, y, hover=hover(row, *names))])


def column(labels: Sequence[Sequence[str]]) -> float:
    """Where the plot begins beside labels."""
    return max((width(line) for label in labels for line in label), default=0.0) + 14


# ---- differences ------------------------------------------------------------------------------------

_DIFFERENCE = ("strategy", "against", "larger", "smaller")
"""Columns that say between what a difference is."""
_HEADS = ("run", "model", "family", "measure", "concept", "task")


def forest(table: Table, setting: Setting) -> Markup | None:
    """Differences with their intervals about a line at zero, each with its figures; filled where it is sure."""
    rows = [row for row in there(table) if row.unit == "points"]
    if not rows:
        return None
    varying = [column for column in table.columns if len({row.by.get(column) for row in rows}) > 1]
    heads = [
        column for column in _HEADS if column in table.columns and (column in varying or column == "model")
    ]
    told = [column for column in varying if column not in (*heads, *_DIFFERENCE)]
    if not told and len(heads) > 1 and not _between(rows[0]):
        told = [heads.pop()]
    labels = [
        named([setting.names.get(row.by.get(column, ""), row.by.get(column, "")) for column in told])
        or _between(rows[0])
        or "difference"
        for row in rows
    ]
    heads += [column for column in _DIFFERENCE if column in table.columns and column not in heads]
    beside = all(len(wrapped(label, _LABEL, 9)) <= 2 for label in labels)
    figures = [_figures(row) for row in rows]
    right = WIDTH - max(width(words) for words in figures) - 10
    left = column([wrapped(label, _LABEL, 2) for label in labels]) if beside else 8.0
    across = scale_of(rows, left, right)
    canvas = Canvas(table, setting, "Differences in percentage points with 95 % intervals.")
    sure = [row for row in rows if _sure(row) is not None]
    if sure:
        word = "adjusted p" if any(row.holm is not None for row in sure) else "p"
        both = [(QUESTION._replace(hue="ink"), f"{word} < 0.05"), (_open("ink"), "not below")]
        canvas.legend([(one._replace(dash=""), name) for one, name in both], line=False)
    at = {id(row): (label, words) for row, label, words in zip(rows, labels, figures, strict=True)}
    for key, some in split(rows, *heads).items():
        between = _between(some[0])
        left_out = {"against", "larger", "smaller"} | ({"strategy"} if "against" in table.columns else set())
        left_out |= {"model"} if between.startswith(f"{some[0].by.get('model')}/") else set()
        where = [part for name, part in zip(heads, key, strict=True) if name not in left_out]
        canvas.head(
            ": ".join(part for part in (named([setting.names.get(p, p) for p in where]), between) if part)
        )
        top = canvas.y
        places = []
        for row in some:
            label, words = at[id(row)]
            if not beside:
                for line in wrapped(label, WIDTH - 4, 2):
                    canvas.y += LINE - 2
                    canvas.text(0, canvas.y - 3, line)
            y = canvas.y + (_STEP - 4 if beside else 22) / 2
            if beside:
                canvas.lines(0, y, wrapped(label, _LABEL, 2))
            canvas.text(WIDTH, y + SIZE * 0.35, words, anchor="end")
            tall = _STEP if beside else 24
            if beside and len(wrapped(label, _LABEL, 2)) > 1:
                tall += 12
                y += 2
            places.append((row, y))
            canvas.y += tall
        bottom = canvas.y
        axis(canvas, across, top if beside else bottom - 6, "points", zero=True)
        for row, y in places:
            if not beside:
                canvas.stroke("zero", across(0), y - 9, across(0), y + 9)
            dot(canvas, _open("ink") if _sure(row) is False else QUESTION._replace(hue="ink"), row, across, y,
                 at[id(row)][0])  # fmt: skip
    canvas.say("Percentage points with 95 % intervals.")
    return canvas.finish()


def _open(hue: str) -> Look:
    return QUESTION._replace(hue=hue, open=True)


def _sure(row: Row) -> bool | None:
    """Whether a test tells the difference from zero; ``None`` where there is no test."""
    p = row.p if row.holm is None else row.holm
    return None if p is None else p < _SURE


def _between(row: Row) -> str:
    """What a difference is between, where columns of its own say it."""
    by = row.by
    if "larger" in by and "smaller" in by:
        return f"{by['larger']} − {by['smaller']}"
    if "against" not in by:
        return ""
    strategy = by["against"] in STRATEGIES or by["against"].startswith(SYSTEM)
    one = by.get("strategy", "") if strategy else f"{by.get('model', '')}/{by.get('strategy', '')}"
    return f"{one} − {by['against']}"


def _figures(row: Row) -> str:
    estimate = row.estimate
    words = tick(estimate.value or 0.0, "points")
    if estimate.low is not None and estimate.high is not None:
        low, high = (tick(edge, "points") for edge in (estimate.low, estimate.high))
        words += f" [{low}, {high}]"
    return words


# ---- plain beside oracle ----------------------------------------------------------------------------


def plain_oracle(table: Table, setting: Setting) -> Markup | None:
    """Without and with the culture named, joined; what the second adds stands beside it."""
    rows = there(table)
    ends = [row for row in rows if row.by.get("quantity") in ("plain", "oracle")]
    if not ends:
        return None
    canvas = Canvas(
        table, setting, "Share right when only asked, and when told whose culture the question is about."
    )
    looks = {"plain": Look("hue-2", "circle", open=True), "oracle": Look("hue-1", "diamond")}
    canvas.legend([(one, name) for name, one in looks.items()], line=False)
    across = Scale(0, 1, 8, WIDTH - 130)
    columns = [column for column in table.columns if column != "quantity"]
    for key, some in split(rows, *columns).items():
        pair = {row.by["quantity"]: row for row in some if "quantity" in row.by}
        if not pair.keys() & looks.keys():
            continue
        for line in wrapped(named([setting.names.get(part, part) for part in key]), WIDTH - 4, 2):
            canvas.y += LINE
            canvas.text(0, canvas.y - 4, line)
        y = canvas.y + 12
        if pair.keys() >= looks.keys():
            a, b = (across(pair[name].estimate.value or 0.0) for name in looks)
            canvas.group("floor", [f'<path class="line" d="M{a:.1f} {y:.1f}H{b:.1f}"/>'])
        for shift, (name, one) in zip((-4, 4), looks.items(), strict=True):
            if name in pair:
                row = pair[name]
                x = across(row.estimate.value or 0.0)
                parts = [whisker(row, across, y + shift), mark(one, x, y, hover=hover(row, name))]
                canvas.group(one.hue, parts)
        gap = pair.get("gap")
        if gap is not None:
            canvas.text(WIDTH, y + SIZE * 0.35, _figures(gap), anchor="end")
        canvas.y += 28
    axis(canvas, across, canvas.y - 4, "share")
    if table.notes:
        canvas.say(table.notes[0])
    return canvas.finish()
