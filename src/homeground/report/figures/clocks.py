"""Small clocks of 24 hours, noon above and midnight below: which word a model uses when, by culture and level."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from markupsafe import Markup

from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import LINE, WIDTH, Canvas, Setting, distinct, named, split, there
from homeground.report.figures.paint import Look, mark
from homeground.report.figures.words import hover, marked, spoken, tick, width, wrapped

Clock: TypeAlias = Callable[[Sequence[Row], float, float, float], None]
"""Draws the clock of some rows at a centre with a radius."""
_OPTIONS = ("morning", "noon", "afternoon", "evening", "night")
_LOOKS = {
    "morning": Look("hue-5", "up"),
    "noon": Look("hue-2", "diamond"),
    "afternoon": Look("hue-3", "square"),
    "evening": Look("hue-4", "down"),
    "night": Look("hue-1", "circle"),
}
_OTHER = Look("hue-6", "cross")
_WIDEST = 84
"""Of a clock with its margin."""


def time_word_means(table: Table, setting: Setting) -> Markup | None:
    """Where each word gathers on the clock: on the ring for the model, around it for people of the culture."""
    rows = [row for row in there(table) if row.unit == "hours" and "option" in row.by]
    said = [row for row in rows if row.by.get("quantity", "model") == "model"]
    if not said:
        return None
    canvas = Canvas(
        table, setting, "Clocks of 24 hours, noon above: the mean hour at which each word is chosen."
    )
    people = split((row for row in rows if row.by.get("quantity") == "people"), "culture")
    drawn = distinct(said, "culture")
    _legend(
        canvas, [*said, *(row for (culture,), mine in people.items() if culture in drawn for row in mine)]
    )
    if people:
        canvas.say("Filled, on the ring: the model. Open, around it: people of the culture.")

    def clock(some: Sequence[Row], x: float, y: float, r: float) -> None:
        inner = r - 9 if people else r - 3
        canvas.parts.append(f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{inner:.1f}"/>')
        _quarters(canvas, x, y, inner)
        theirs = people.get((some[0].by.get("culture", ""),), [])
        for row in [*theirs, *some]:
            asked = row in theirs
            one, away = _LOOKS.get(row.by["option"], _OTHER)._replace(open=asked), r if asked else inner
            names = [_who(row, setting), "people" if asked else row.by.get("level", ""), row.by["option"]]
            at = _place(row.estimate.value or 0.0, x, y, away)
            dot = mark(one, *at, r=3.2 if asked else 4.2, hover=hover(row, *names))
            canvas.group(one.hue, [_interval(row, x, y, away), dot])

    return _grid(canvas, said, setting, clock)


def time_words(table: Table, setting: Setting) -> Markup | None:
    """The word chosen most at each hour, as arcs with its mark inside; the fuller the colour, the more often."""
    rows = [row for row in there(table) if "option" in row.by and _hours(row) is not None]
    if not rows:
        return None
    canvas = Canvas(
        table, setting, "Clocks of 24 hours, noon above: the word chosen most often at each hour."
    )
    _legend(canvas, rows)

    def clock(some: Sequence[Row], x: float, y: float, r: float) -> None:
        most = [
            max(mine, key=lambda row: row.estimate.value or 0.0) for mine in split(some, "hours").values()
        ]
        spans = [(span, row) for row in most if (span := _hours(row)) is not None]
        spans.sort(key=lambda pair: pair[0])
        for span, row in spans:
            shares = [one for one in some if one.by["hours"] == row.by["hours"]]
            told = ", ".join(
                f"{one.by['option']} {tick(one.estimate.value or 0.0, 'share')} %" for one in shares
            )
            names = ", ".join((_who(row, setting), spoken(row.by.get("level", "")), row.by["hours"]))
            strength = 0.25 + 0.75 * (row.estimate.value or 0.0)
            canvas.group(_LOOKS.get(row.by["option"], _OTHER).hue, [
                f'<path class="area" fill-opacity="{strength:.2f}" d="{_sector(span, x, y, r * 0.68, r)}">'
                f"<title>{marked(f'{names}: {told}, n = {row.estimate.n}')}</title></path>"
            ])  # fmt: skip
        for start, end, option in _runs([(*span, row.by["option"]) for span, row in spans]):
            one = _LOOKS.get(option, _OTHER)
            canvas.group(one.hue, [mark(one, *_place((start + end) / 2, x, y, r * 0.44), r=3.6)])

    return _grid(canvas, rows, setting, clock)


def _runs(spans: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Spans in order, those of one word that follow each other as one, over midnight too."""
    runs: list[tuple[float, float, str]] = []
    for start, end, option in spans:
        if runs and runs[-1][1:] == (start, option):
            runs[-1] = (runs[-1][0], end, option)
        else:
            runs.append((start, end, option))
    if len(runs) > 1 and runs[0][2] == runs[-1][2] and runs[-1][1] == runs[0][0] + 24:
        last = runs.pop()
        runs[0] = (last[0], runs[0][1] + 24, last[2])
    return runs


def _who(row: Row, setting: Setting) -> str:
    culture = row.by.get("culture", "")
    return "all cultures" if culture == "all" else setting.names.get(culture, culture)


def _legend(canvas: Canvas, rows: Sequence[Row]) -> None:
    asked = distinct(rows, "option")
    options = [option for option in _OPTIONS if option in asked] + [o for o in asked if o not in _OPTIONS]
    canvas.legend([(_LOOKS.get(option, _OTHER), option) for option in options], line=False)
    canvas.say("Each clock has 24 hours: noon above, midnight below, morning at the left.")


def _grid(canvas: Canvas, rows: Sequence[Row], setting: Setting, clock: Clock) -> Markup:
    """Cultures downwards and levels across; what holds for all cultures in a block of its own, with its own levels."""
    names = {key[0]: wrapped(_who(mine[0], setting), 110, 2) for key, mine in split(rows, "culture").items()}
    left = max((width(line) for lines in names.values() for line in lines), default=0.0) + 10
    for key, some in split(rows, "run", "model", "strategy").items():
        canvas.head(named(key))
        shared = [row for row in some if row.by.get("culture") == "all"]
        for block in (shared, [row for row in some if row.by.get("culture") != "all"]):
            if block:
                _block(canvas, block, names, left, clock)
    return canvas.finish()


def _block(
    canvas: Canvas, rows: Sequence[Row], names: dict[str, list[str]], left: float, clock: Clock
) -> None:
    levels = distinct(rows, "level")
    step = min(_WIDEST, (WIDTH - left) / max(1, len(levels)))
    canvas.y += LINE + 2
    for place, level in enumerate(levels):
        canvas.text(left + step * (place + 0.5), canvas.y - 6, spoken(level), kind="soft", anchor="middle")
    for (culture,), mine in sorted(split(rows, "culture").items(), key=lambda item: names[item[0][0]]):
        canvas.lines(0, canvas.y + step / 2, names[culture])
        for place, level in enumerate(levels):
            here = [row for row in mine if row.by.get("level") == level]
            if here:
                clock(here, left + step * (place + 0.5), canvas.y + step / 2, step / 2 - 6)
        canvas.y += step
    canvas.y += 4


def _place(hour: float, x: float, y: float, r: float) -> tuple[float, float]:
    """A place on the clock: noon above, morning at the left."""
    angle = (hour - 12) / 24 * 2 * math.pi
    return x + r * math.sin(angle), y - r * math.cos(angle)


def _quarters(canvas: Canvas, x: float, y: float, r: float) -> None:
    for hour in (0, 6, 12, 18):
        canvas.stroke("rule", *_place(hour, x, y, r - 3), *_place(hour, x, y, r + 3))


def _interval(row: Row, x: float, y: float, r: float) -> str:
    low, high = row.estimate.low, row.estimate.high
    if low is None or high is None:
        return ""
    long = int(high - low > 12)
    (x1, y1), (x2, y2) = _place(low, x, y, r), _place(high, x, y, r)
    return f'<path class="bar" d="M{x1:.1f} {y1:.1f}A{r:.1f} {r:.1f} 0 {long} 1 {x2:.1f} {y2:.1f}"/>'


def _sector(span: tuple[float, float], x: float, y: float, inner: float, outer: float) -> str:
    long = int(span[1] - span[0] > 12)
    (ax, ay), (bx, by) = (_place(hour, x, y, outer) for hour in span)
    (cx, cy), (dx, dy) = (_place(hour, x, y, inner) for hour in reversed(span))
    return (
        f"M{ax:.1f} {ay:.1f}A{outer:.1f} {outer:.1f} 0 {long} 1 {bx:.1f} {by:.1f}"
        f"L{cx:.1f} {cy:.1f}A{inner:.1f} {inner:.1f} 0 {long} 0 {dx:.1f} {dy:.1f}Z"
    )


def _hours(row: Row) -> tuple[float, float] | None:
    """From when to when a row speaks of: a band such as 06–09; half an hour about a single hour."""
    found = re.findall(r"(\d{1,2})(?::(\d{2}))?", row.by.get("hours", ""))
    times = [int(hour) + int(minutes or 0) / 60 for hour, minutes in found]
    if len(times) == 1:
        return times[0] - 0.5, times[0] + 0.5
    if len(times) == 2:
        return times[0], times[1] if times[1] > times[0] else times[1] + 24
    return None
