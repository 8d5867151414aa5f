"""The heat map: every culture and concept as a cell with its figure."""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup, escape

from homeground.experiments.people_ceiling import LEVEL
from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import (
    LINE,
    WIDTH,
    Canvas,
    Setting,
    distinct,
    focus,
    named,
    split,
    there,
)
from homeground.report.figures.paint import SIZE
from homeground.report.figures.words import hover, plain, spoken, tick, width, wrapped
from homeground.schema import CONCEPTS

_TALL = 34
_STRONGEST = 0.5
"""Opacity of a cell at 100 %: text on it keeps a contrast above 4.5 : 1 on light and on dark pages."""

_BROKEN = {"temperature": ["temper-", "ature"]}
"""Long words, broken where English breaks them."""


def anchor(culture: str, concept: str) -> str:
    """The name that a page gives to what it says of a cell; cells of the heat map link to it."""
    return quote(f"cell-{plain(culture)}-{plain(concept)}", safe="-_.~")


def heat_map(table: Table, setting: Setting) -> Markup | None:
    """Shares right by culture and concept at one level, the fuller the colour the larger; one map a series."""
    rows = [row for row in there(table) if "culture" in row.by and "concept" in row.by]
    if not rows:
        return None
    level = focus(rows)
    rows = [row for row in rows if row.by.get("level", level) == level]
    canvas = Canvas(table, setting, f"Share answered in the user's units at level {spoken(level)}.")
    concepts = distinct(rows, "concept")
    if set(concepts) <= set(CONCEPTS):
        concepts = [concept for concept in CONCEPTS if concept in concepts]
    cultures = sorted(distinct(rows, "culture"), key=lambda code: setting.names.get(code, code))
    names = {culture: wrapped(setting.names.get(culture, culture), 135, 1) for culture in cultures}
    left = max((width(line) for lines in names.values() for line in lines), default=0.0) + 12
    step = (WIDTH - left) / len(concepts)
    strategies = len(distinct(rows, "strategy")) > 1
    for key, some in split(rows, "run", "model", *(("strategy",) if strategies else ())).items():
        canvas.head(named(key))
        heads = [_BROKEN.get(concept) or wrapped(spoken(concept), step - 2, 2) for concept in concepts]
        for place, words in enumerate(heads):
            canvas.lines(left + step * (place + 0.5), canvas.y + LINE, words, kind="soft", anchor="middle")
        canvas.y += LINE * max(len(words) for words in heads) + (14 if max(map(len, heads)) == 1 else 4)
        cells = {(row.by["culture"], row.by["concept"]): row for row in some}
        for culture in cultures:
            mine = [concept for concept in concepts if (culture, concept) in cells]
            if not mine:
                continue
            canvas.lines(0, canvas.y + _TALL / 2, names[culture])
            for concept in (concept for concept in concepts if concept not in mine):
                x = left + step * (concepts.index(concept) + 0.5)
                canvas.text(x, canvas.y + _TALL / 2 + SIZE * 0.35, "–", kind="soft", anchor="middle")
            for concept in mine:
                x = left + step * concepts.index(concept)
                canvas.parts.append(
                    _cell(
                        cells[culture, concept],
                        x,
                        canvas.y,
                        step,
                        setting.names.get(culture, culture),
                        setting,
                    )
                )
            canvas.y += _TALL
        canvas.y += 8
    if level:
        reached = any(_reached(row, setting) is not None for row in rows)
        people = f"; the second figure is of {setting.people.who}" if setting.people and reached else ""
        canvas.say(f"Percent right at level {spoken(level)}{people}.")
    # What stands inside an image cannot be reached, and these cells are links.
    return canvas.finish(role="img" if canvas.alone else "group")


def _reached(row: Row, setting: Setting) -> float | None:
    """What people reach in a cell, at the level that they saw."""
    if setting.people is None or row.by.get("level") != LEVEL:
        return None
    found = setting.people.of(row.by["culture"], row.by["concept"])
    return found.value if found else None


def _cell(row: Row, x: float, y: float, step: float, name: str, setting: Setting) -> str:
    value = row.estimate.value or 0.0
    concept = row.by["concept"]
    words, title = tick(value, "share"), hover(row, name, concept)
    reached = _reached(row, setting)
    if setting.people and reached is not None:
        words += f"/{tick(reached, 'share')}"
        title += f"; {setting.people.who} {tick(reached, 'share')} %"
    cell = (
        f'<g class="is-question"><rect class="area cut" fill-opacity="{0.03 + value * (_STRONGEST - 0.03):.2f}" '
        f'x="{x:.1f}" y="{y:.1f}" width="{step:.1f}" height="{_TALL}"><title>{title}</title></rect></g>'
        f'<text x="{x + step / 2:.1f}" y="{y + _TALL / 2 + SIZE * 0.35:.1f}" text-anchor="middle" '
        f'pointer-events="none">{words}</text>'
    )
    if setting.alone:
        return cell
    return f'<a href="#{escape(anchor(row.by["culture"], concept))}" aria-label="{title}">{cell}</a>'
