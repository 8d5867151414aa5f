"""Two things with a gap between them, true to scale beside things of known size."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    palette_of,
    text_of,
)
from homeground.scenes.drawing.props import PROPS, Prop

BASE = 366.0
ROOM = 560.0
TALL = 300.0


@dataclass(frozen=True)
class Layout:
    """Where the two things stand, in pixels, and how many pixels a metre takes."""

    scale: float
    left: float
    right: float
    start: float
    end: float


def layout(gap: float, first: Prop, second: Prop) -> Layout:
    """Place two things so that the gap between their feet has the right length."""
    centres = first.foot + gap + second.foot
    span = max(first.half, 0.0) + centres + max(second.half, 0.0)
    scale = min(ROOM / span, TALL / max(first.height, second.height))
    left = 320 - scale * span / 2 + scale * first.half
    right = left + scale * centres
    return Layout(scale, left, right, left + scale * first.foot, right - scale * second.foot)


def gap(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """Two things and a dashed arrow over the gap between them."""
    c, p = Canvas(), palette_of(params, rng)
    first = PROPS[text_of(params, "left", "bench")]
    second = PROPS[text_of(params, "right", text_of(params, "left", "bench"))]
    setting = text_of(params, "setting", "park")
    plan = layout(value, first, second)
    tone = _setting(c, p, setting, rng)
    inside = setting in ("room", "table")
    between = text_of(params, "between", "")
    if between:
        prop = PROPS[between]
        middle = (plan.start + plan.end) / 2
        _stand(c, p, prop, middle, plan.scale, flip=rng.random() < 0.5)
    _stand(c, p, first, plan.left, plan.scale, flip=False)
    _stand(c, p, second, plan.right, plan.scale, flip=True)
    _arrow(c, plan.start, plan.end, BASE + (34 if inside else 40), tone)
    return c.svg()


def _stand(c: Canvas, p: Palette, prop: Prop, x: float, scale: float, *, flip: bool) -> None:
    reach = prop.foot * 1.3 if prop.height > 20 else max(prop.foot * 1.1, prop.half * 0.7)
    wide = reach * scale
    c.shadow(x, BASE, wide, max(3.0, min(9.0, wide * 0.12)))
    with c.group(x, BASE, scale / 100, flip=flip):
        prop.draw(c, p)


def _arrow(c: Canvas, start: float, end: float, y: float, tone: str) -> None:
    """A dashed double arrow between two upright ticks."""
    for x, way in ((start, 1), (end, -1)):
        c.line(x, BASE + 8, x, y + 12, stroke=tone, width=2.4)
        c.path(
            f"M{x + way * 10:.2f} {y - 6:.2f}L{x + way * 2:.2f} {y:.2f}L{x + way * 10:.2f} {y + 6:.2f}",
            stroke=tone,
            width=2.8,
        )
    c.line(start + 4, y, end - 4, y, stroke=tone, width=2.8, dash="9 7")


def _setting(c: Canvas, p: Palette, setting: str, rng: random.Random) -> str:
    """Paint what is behind; return a tone that shows well on its ground."""
    if setting == "room":
        scenery.room(c, p, horizon=340)
        for x in (252.0, 388.0):
            c.drop(x - 50, 44, 100, 120, 2, 6)
            c.rect(x - 50, 44, 100, 120, 2, fill=CREAM)
            c.rect(x - 40, 54, 80, 100, fill=p.panel)
            c.circle(x, 104, 24, fill=rng.choice([p.accent, p.second, p.third]))
        return CREAM
    if setting == "table":
        c.rect(0, 0, 640, 480, fill=c.gradient(lighter(p.wall, 0.2), p.wall))
        c.circle(320, 170, 210, fill=lighter(p.wall, 0.35))
        scenery.table(c, 344, mix(WOOD, p.floor, 0.4))
        return CREAM
    scenery.backdrop(c, mix("#90CAE8", p.wall, 0.3), mix("#F2F7F4", p.wall, 0.3))
    for x in (110, 300, 520):
        scenery.cloud(c, x + rng.uniform(-30, 30), rng.uniform(64, 120), 110, "#FFFFFF", 0.85)
    if setting == "beach":
        return _beach(c, p)
    field = "#F3F7FA" if setting == "snow" else mix("#94B87A", p.panel, 0.2)
    scenery.ridge(c, rng, 300, 44, mix(field, "#DCEBF0", 0.55))
    scenery.ridge(c, rng, 326, 22, mix(field, "#DCEBF0", 0.25), span=3)
    for i in range(0 if setting == "plain" else 9):
        x = i * 80 + rng.uniform(-24, 24)
        draw = scenery.round_tree if rng.random() < 0.7 and setting != "snow" else scenery.fir_tree
        draw(c, x, 336, rng.uniform(34, 62), mix("#5E9464", "#D5E6E0", 0.4))
    c.rect(0, 332, 640, 148, fill=c.gradient(field, darker(field, 0.14)))
    if setting == "snow":
        for _ in range(60):
            x, y = rng.uniform(0, 640), rng.uniform(10, 470)
            c.circle(x, y, rng.uniform(1.4, 3.2), fill="#FFFFFF", opacity=0.9)
        return darker(p.ink, 0.1)
    if setting == "park":
        path = mix("#DCC9A3", p.floor, 0.25)
        c.rect(0, BASE - 10, 640, 74, fill=path)
        c.rect(0, BASE - 10, 640, 3, fill=darker(path, 0.14))
        c.rect(0, BASE + 61, 640, 4, fill=darker(path, 0.14))
        scenery.tufts(c, rng, BASE + 78, 474, darker(field, 0.24), 16)
        return darker(p.ink, 0.1)
    if setting == "street":
        c.rect(0, BASE - 14, 640, 94, fill="#CFCCC4")
        for i in range(9):
            c.line(i * 80 - 8, BASE - 14, i * 86 - 36, BASE + 80, stroke="#B7B4AC", width=1.6)
        c.rect(0, BASE + 76, 640, 6, fill="#A5A29B")
        c.rect(0, BASE + 82, 640, 40, fill="#727A84")
        return darker(p.ink, 0.1)
    scenery.tufts(c, rng, 344, 474, darker(field, 0.24), 30)
    return CREAM


def _beach(c: Canvas, p: Palette) -> str:
    c.rect(0, 262, 640, 90, fill=c.gradient("#4E9FBE", "#86CBD8"))
    for i in range(5):
        c.line(
            40 + i * 130,
            284 + i % 3 * 14,
            110 + i * 130,
            284 + i % 3 * 14,
            stroke="#FFFFFF",
            width=2.4,
            opacity=0.4,
        )
    sand = mix("#EBD6A6", p.third, 0.2)
    c.path("M0 340Q160 326 320 338T640 332V480H0Z", fill="#FFFFFF", opacity=0.7)
    c.path("M0 346Q160 332 320 344T640 338V480H0Z", fill=c.gradient(sand, darker(sand, 0.1)))
    return darker(p.ink, 0.1)
