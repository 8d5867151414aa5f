"""Bars: what is said as parts of a whole, depths of reasoning, items that no model or every model gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from homeground.experiments.table import Row, Table
from homeground.report.figures.canvas import (
    LINE,
    WIDTH,
    Canvas,
    Scale,
    Setting,
    hatch,
    named,
    split,
    swatches,
    there,
)
from homeground.report.figures.paint import SIZE
from homeground.report.figures.words import hover, marked, measured, spoken, tick, width

_TALL = 28
_LEAST = 0.03
"""Parts smaller than this are drawn as one."""
_KINDS = {"country": "Country", "system": "System of units", "currency": "Currency"}
_NOTHING = ("refused", "no answer", "ambiguous", "several")
"""What is said where nothing is settled on: grey, and hatched where the model refuses."""
_HUES = ("hue-1", "hue-2", "hue-3", "hue-4", "hue-5")


class Part(NamedTuple):
    """A part of a stacked bar."""

    share: float
    label: str
    """Stands in the part where it fits."""
    short: str
    """Stands in the part where ``label`` does not fit."""
    hover: str
    """Escaped."""
    hue: str
    strength: float
    """Opacity of its colour."""
    hatched: bool = False


def stacked(canvas: Canvas, parts: Sequence[Part], left: float) -> list[Part]:
    """One bar of parts from ``left`` to the right edge; the canvas moves below it.

    Returns:
        The parts that have no room for any name.
    """
    untold = []
    across = Scale(0, 1, left, WIDTH - 2)
    at, top = 0.0, canvas.y
    for part in parts:
        x, end = across(at), across(at + part.share)
        at += part.share
        inside = [
            f'<rect class="area cut" fill-opacity="{part.strength}" x="{x:.1f}" y="{top:.1f}" '
            f'width="{end - x:.1f}" height="{_TALL}"><title>{part.hover}</title></rect>'
        ]
        if part.hatched and end - x > 3:
            inside.append(f'<path class="hatch" d="{hatch(x + 1, top + 1, end - x - 2, _TALL - 2)}"/>')
        canvas.group(part.hue, inside)
        percent = f"{' ' if part.label else ''}{tick(part.share, 'share')} %"
        for words in (part.label + percent, part.short + percent, part.label, part.short):
            wide = width(words)
            if words and wide + 8 <= end - x:
                if part.hatched:
                    canvas.parts.append(
                        f'<rect x="{(x + end - wide) / 2 - 3:.1f}" y="{top + 5:.1f}" width="{wide + 6:.1f}" '
                        f'height="{_TALL - 10}" class="paper"/>'
                    )
                canvas.text((x + end) / 2, top + _TALL / 2 + SIZE * 0.35, words, anchor="middle")
                break
        else:
            untold.append(part)
    canvas.y += _TALL + 6
    return untold


def priors(table: Table, setting: Setting) -> Markup | None:
    """What is assumed of a user of whom nothing is known: countries, systems of units, currencies."""
    rows = [row for row in there(table) if row.by.get("kind") in _KINDS]
    if not rows:
        return None
    about = "Shares of what a model says where nothing is known of the user; hatched where it refuses."
    canvas = Canvas(table, setting, about)
    for key, some in split(rows, "run", "model", "strategy").items():
        canvas.head(named(key))
        for kind, words in _KINDS.items():
            mine = [row for row in some if row.by["kind"] == kind]
            # Of the systems, those over all concepts stand for the single ones.
            mine = [row for row in mine if row.by.get("concept") == "all"] or mine
            if not mine:
                continue
            canvas.y += LINE
            canvas.text(0, canvas.y - 5, words, kind="soft")
            canvas.text(WIDTH - 2, canvas.y - 5, f"n = {mine[0].estimate.n}", kind="soft", anchor="end")
            _said_bar(canvas, mine, setting)
        canvas.y += 8
    return canvas.finish()


def _said_bar(canvas: Canvas, rows: Sequence[Row], setting: Setting) -> None:
    """The bar of one kind, and below it what had no room inside."""
    settled = [row for row in rows if row.by.get("said") not in _NOTHING]
    settled.sort(key=lambda row: -(row.estimate.value or 0.0))
    large = [row for row in settled if (row.estimate.value or 0.0) >= _LEAST][: len(_HUES)]
    rest = [row for row in settled if row not in large]
    parts = [
        Part(
            row.estimate.value or 0.0,
            _said(row, setting),
            row.by["said"],
            hover(row, _said(row, setting)),
            hue,
            0.42,
        )
        for row, hue in zip(large, _HUES, strict=False)
    ]
    if rest:
        share = sum(row.estimate.value or 0.0 for row in rest)
        what = "; ".join(f"{_said(row, setting)}: {measured(row)}" for row in rest)
        parts.append(Part(share, "others", "others", marked(what), "hue-6", 0.42))
    for row in sorted(rows, key=lambda row: -(row.estimate.value or 0.0)):
        said = row.by.get("said", "")
        if said in _NOTHING:
            hatched = said == "refused"
            parts.append(
                Part(row.estimate.value or 0.0, said, said, hover(row, said), "floor", 0.15, hatched)
            )
    untold = stacked(canvas, parts, 0)
    told = [
        (part.hue, part.strength, f"{part.label} {tick(part.share, 'share')} %", part.hatched)
        for part in untold
    ]
    swatches(canvas, told)


def _said(row: Row, setting: Setting) -> str:
    said = row.by.get("said", "")
    return setting.names.get(said, said) if row.by.get("kind") == "country" else said


# ---- depth of reasoning -----------------------------------------------------------------------------

_DEPTHS = {
    "L0": "no cue",
    "L1": "cue mentioned",
    "L2": "identity inferred",
    "L3": "identity drives the answer",
}


def depth(table: Table, setting: Setting) -> Markup | None:
    """Depths of reasoning as parts of the answers that show any; one bar a level."""
    rows = [row for row in there(table) if row.by.get("depth") in _DEPTHS]
    if not rows:
        return None
    canvas = Canvas(
        table, setting, "Shares of the four depths of reasoning, shallow to deep from left to right."
    )
    strengths = {name: 0.08 + 0.14 * place for place, name in enumerate(_DEPTHS)}
    swatches(
        canvas, [("hue-1", strengths[name], f"{name} {words}", False) for name, words in _DEPTHS.items()]
    )
    for key, some in split(rows, "run", "model", "strategy").items():
        canvas.head(named(key))
        levels = split(some, "level")
        left = max(width(spoken(level)) for (level,) in levels) + 12 if levels else 0.0
        for (level,), mine in levels.items():
            canvas.lines(0, canvas.y + _TALL / 2, [spoken(level)])
            by_depth = {row.by["depth"]: row for row in mine}
            stacked(canvas, [
                Part(
                    by_depth[name].estimate.value or 0.0, name, name,
                    hover(by_depth[name], level, f"{name} {words}"), "hue-1", round(strengths[name], 2),
                )
                for name, words in _DEPTHS.items()
                if name in by_depth
            ], left)  # fmt: skip
        canvas.y += 6
    return canvas.finish()
