"""A drawing that grows downwards: heads, legends, scales, and the frame around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from homeground.experiments.people_ceiling import LEVEL, Ceiling
from homeground.experiments.table import Row, Table
from homeground.report.figures.paint import FLOOR, PEOPLE, SIZE, STYLE_ALONE, STYLE_ON_PAGE, Look, mark
from homeground.report.figures.words import hover, marked, plain, spoken, width, wrapped
from homeground.schema import CONDITIONS, LEVELS, Estimate

WIDTH = 480
"""Of every figure, in units of the view box: on a telephone one unit is three quarters of a pixel."""
LINE = 20
"""From one line of text to the next."""


_DESCRIBED = 4000
"""Characters of each remark, and of the signature."""


class Setting(NamedTuple):
    """What figures need beside the table."""

    alone: bool = False
    """A file of its own rather than part of a page."""
    names: Mapping[str, str] = {}
    """Names of cultures by code; where one is missing the code stands for it."""
    floor: Mapping[str, float] = {}
    """Share right of a model that always says the same, by level."""
    people: Ceiling | None = None
    """What people reach at the level that they saw."""

    def reached(self, level: str) -> Estimate | None:
        """What people reach over all cultures and concepts; none at another level than theirs."""
        return self.people.of() if self.people and level == LEVEL else None


class Canvas:
    """What has been drawn so far."""

    def __init__(self, table: Table, setting: Setting, about: str) -> None:
        """Begin a figure; ``about`` says in a sentence what it shows."""
        self.table = table
        self.alone = setting.alone
        self.about = about
        self.y = 4.0
        """Where the next thing begins."""
        self.parts: list[str] = []
        if self.alone:
            self.head(table.title, kind="head title")

    def text(self, x: float, y: float, words: str, *, kind: str = "", anchor: str = "start") -> None:
        """A line of text whose base line is at ``y``; the words are escaped here."""
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        # Some letters, such as J, reach to the left of where they begin.
        x = max(x, 1.5) if anchor == "start" else x
        named = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text{named} x="{x:.1f}" y="{y:.1f}"{where}>{marked(words)}</text>')

    def lines(
        self, x: float, y: float, words: Sequence[str], *, kind: str = "", anchor: str = "start"
    ) -> None:
        """Lines of text centred around ``y``."""
        first = y + SIZE * 0.35 - (len(words) - 1) * (LINE - 2) / 2
        for place, line in enumerate(words):
            self.text(x, first + place * (LINE - 2), line, kind=kind, anchor=anchor)

    def head(self, words: str, *, kind: str = "head") -> None:
        """A heading over the full width; none where it is empty."""
        self.y += 6 if words else 0
        for line in wrapped(words, (WIDTH - 4) * (0.8 if "title" in kind else 0.9), 3):
            self.y += LINE
            self.text(0, self.y - 5, line, kind=kind)
        self.y += 4

    def say(self, words: str) -> None:
        """A remark over the full width."""
        for line in wrapped(words, WIDTH - 4, 6):
            self.y += LINE
            self.text(0, self.y - 5, line, kind="soft")
        self.y += 4

    def stroke(self, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
        """A straight line."""
        self.parts.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def group(self, hue: str, parts: Iterable[str]) -> None:
        """Things of one colour."""
        inside = "".join(parts)
        if inside:
            self.parts.append(f'<g class="is-{hue}">{inside}</g>')

    def legend(self, items: Sequence[tuple[Look, str]], *, line: bool = True) -> None:
        """Names beside a piece of their line or their mark, as many side by side as fit."""
        x, sample = 0.0, 34 if line else 18
        self.y += LINE
        for one, name in items:
            words = wrapped(name, WIDTH - sample - 4, 1)[0] if plain(name) else ""
            wide = sample + 6 + width(words)
            if x and x + wide > WIDTH:
                x, self.y = 0.0, self.y + LINE + 2
            y = self.y - SIZE * 0.35 - 5
            parts = [path(one, [(x, y), (x + sample - 2, y)])] if line else []
            if one.shape:
                parts.append(mark(one, x + sample / 2 - 1, y))
            self.group(one.hue, parts)
            self.text(x + sample + 4, self.y - 5, words)
            x += wide + 18
        self.y += 8

    def finish(self, *, role: str = "img") -> Markup:
        """The whole figure."""
        high = math.ceil(self.y)
        label = marked(self.table.title)
        parts = (self.about, *self.table.notes, f"[{self.table.signature}]" if self.table.signature else "")
        described = " ".join(marked(part, _DESCRIBED) for part in parts if part)
        size = f' width="{WIDTH + 20}" height="{high + 20}"' if self.alone else ""
        style = f"<style>{STYLE_ALONE if self.alone else STYLE_ON_PAGE}</style>"
        paper = (
            f'<rect width="{WIDTH + 20}" height="{high + 20}" x="-10" y="-10" fill="#fff"/>'
            if self.alone
            else ""
        )
        box = f"-10 -10 {WIDTH + 20} {high + 20}" if self.alone else f"0 0 {WIDTH} {high}"
        return Markup(  # noqa: S704  (every text inside is escaped or a number)
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" viewBox="{box}"{size} role="{role}" '
            f'aria-label="{label}"><title>{label}</title><desc>{described}</desc>{style}{paper}'
            f"{''.join(self.parts)}</svg>"
        )


def hatch(x: float, y: float, wide: float, tall: float) -> str:
    """Path of slanted lines inside a rectangle; a pattern would need a name, and names must not meet on a page."""
    steps = []
    for place in range(1, max(0, math.floor((wide + tall) / 7)) + 1):
        reach = place * 7.0
        x1, y1 = (reach, 0.0) if reach <= wide else (wide, reach - wide)
        x2, y2 = (0.0, reach) if reach <= tall else (reach - tall, tall)
        steps.append(f"M{x + x1:.1f} {y + y1:.1f}L{x + x2:.1f} {y + y2:.1f}")
    return "".join(steps)


def swatches(canvas: Canvas, items: Sequence[tuple[str, float, str, bool]]) -> None:
    """Names beside a small field of their colour: hue, strength, words of each, and whether it is hatched."""
    x = 0.0
    canvas.y += LINE if items else 0
    for hue, strength, words, hatched in items:
        words = wrapped(words, WIDTH - 26, 1)[0] if plain(words) else ""
        if x and x + 22 + width(words) > WIDTH:
            x, canvas.y = 0.0, canvas.y + LINE + 2
        field = (
            f'x="{x + 1:.1f}" y="{canvas.y - 17:.1f}" width="14" height="14" fill-opacity="{strength:.2f}"'
        )
        canvas.group(hue, [f'<rect class="area" stroke="currentColor" stroke-opacity=".5" {field}/>'])
        if hatched:
            canvas.parts.append(f'<path class="hatch" d="{hatch(x + 1, canvas.y - 17, 14, 14)}"/>')
        canvas.text(x + 22, canvas.y - 5, words)
        x += 22 + width(words) + 18
    canvas.y += 8 if items else 0


def path(one: Look, points: Sequence[tuple[float, float]]) -> str:
    """A line through points; nothing for fewer than two."""
    if len(points) < 2:
        return ""
    steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{one.dash}"' if one.dash else ""
    thin = ' stroke-width="2"' if one in (FLOOR, PEOPLE) else ""
    return f'<path class="line" d="M{steps}"{dash}{thin}/>'


class Scale(NamedTuple):
    """A stretch of values on a stretch of the paper."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value lies; those outside lie at the edge."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Round values, at most so many."""
        step = 10 ** math.floor(math.log10((self.high - self.low) / most))
        step = next(step * k for k in (1, 2, 2.5, 5, 10, 20) if (self.high - self.low) / (step * k) <= most)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def scale_of(rows: Iterable[Row], start: float, end: float, *, zero: bool = True) -> Scale:
    """A scale that holds the rows' values and intervals, with a little air; zero too where asked."""
    values = [
        v for row in rows for v in (row.estimate.value, row.estimate.low, row.estimate.high) if v is not None
    ]
    low, high = min(values, default=0.0), max(values, default=0.0)
    low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
    air = (high - low) * 0.04 or 0.05
    return Scale(low - air if low < 0 or not zero else low, high + air, start, end)


def whisker(row: Row, scale: Scale, y: float, *, upright: bool = False) -> str:
    """The interval of a row along a scale, at ``y``, or upright at that place across; nothing without an interval."""
    low, high = row.estimate.low, row.estimate.high
    if low is None or high is None:
        return ""
    one, two = f"{scale(low):.1f}", f"{scale(high):.1f}"
    if upright:
        return f'<line class="bar" x1="{y:.1f}" x2="{y:.1f}" y1="{one}" y2="{two}"/>'
    return f'<line class="bar" x1="{one}" x2="{two}" y1="{y:.1f}" y2="{y:.1f}"/>'


def people_line(
    canvas: Canvas,
    who: str,
    found: Estimate,
    scale: Scale,
    ends: tuple[float, float],
    *,
    upright: bool = False,
) -> None:
    """What people reach as a line between two places, its interval as a band; ``upright`` on a scale across."""
    row = Row(by={}, estimate=found)
    one, two = ends
    at = scale(found.value or 0.0)
    parts = []
    if found.low is not None and found.high is not None:
        low, high = sorted((scale(found.low), scale(found.high)))
        x, y, wide, tall = (low, one, high - low, two - one) if upright else (one, low, two - one, high - low)
        parts.append(
            f'<rect class="area" fill-opacity=".13" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}"/>'
        )
    title = hover(row, who)
    line = path(PEOPLE, [(at, one), (at, two)] if upright else [(one, at), (two, at)])
    parts.append(f"<g>{line}<title>{title}</title></g>")
    canvas.group(PEOPLE.hue, parts)


# ---- what rows speak of -----------------------------------------------------------------------------


def there(table: Table) -> list[Row]:
    """The rows that have a value."""
    return [row for row in table.rows if row.estimate.value is not None and _finite(row.estimate)]


def _finite(estimate: Estimate) -> bool:
    return all(v is None or math.isfinite(v) for v in (estimate.value, estimate.low, estimate.high))


def split(rows: Iterable[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    """Rows by what they have in the columns, in order of appearance."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.by.get(column, "") for column in columns), []).append(row)
    return found


def distinct(rows: Iterable[Row], column: str) -> list[str]:
    """What the rows have in a column, in order of appearance; levels in their own order."""
    found = list(dict.fromkeys(row.by[column] for row in rows if column in row.by))
    return (
        sorted(found, key=CONDITIONS.index) if column == "level" and set(found) <= set(CONDITIONS) else found
    )


def named(key: Sequence[str]) -> str:
    """The heading of what a key speaks of."""
    return ", ".join(spoken(part) for part in key if part)


def focus(rows: Iterable[Row]) -> str:
    """The level that a figure of one level shows: implicit, or the strongest there is; empty without levels."""
    found = {row.by["level"] for row in rows if "level" in row.by}
    for level in ("implicit", *reversed(LEVELS), *sorted(found)):
        if level in found:
            return level
    return ""
