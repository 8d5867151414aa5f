"""More places of which a countable share is taken: jars on a rack, coat hooks, parking bays."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    GLASS,
    STEEL,
    TYRE,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
)
from homeground.scenes.drawing.quantifier import filled, grid


def jar_rack(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A wooden rack whose niches hold one jar each."""
    c, p = Canvas(), palette_of(params, rng)
    cols, rows = int(number_of(params, "columns", 5)), int(number_of(params, "rows", 3))
    scenery.room(c, p, horizon=452, boards=False)
    wood = mix(WOOD, p.floor, 0.35)
    x, y, w, h = 70.0, 26.0, 500.0, 396.0
    c.drop(x - 14, y - 12, w + 28, h + 24, 6, 9)
    c.rect(x - 14, y - 12, w + 28, h + 24, 6, fill=lighter(wood, 0.08))
    cell_w, cell_h = w / cols, h / rows
    full = filled(value, cols * rows, params, rng)
    jams = ["#B53A4A", "#E0913A", "#7A4A86", "#8FA84A", "#E5BE4C"]
    for i, cx, cy in grid(cols, rows, (x, y, w, h)):
        left, top = cx - cell_w / 2 + 5, cy - cell_h / 2 + 5
        c.rect(left, top, cell_w - 10, cell_h - 10, 4, fill=darker(wood, 0.42))
        c.rect(left, top, cell_w - 10, 9, 3, fill="#1F2A3A", opacity=0.3)
        jam = rng.choice(jams)
        if i in full:
            _jar(c, p, cx, top + cell_h - 12, (cell_h - 24) / 100, jam)
    return c.svg()


def _jar(c: Canvas, p: Palette, x: float, base: float, k: float, jam: str) -> None:
    with c.group(x, base, k):
        c.rect(-36, -80, 72, 80, 14, fill=lighter(GLASS, 0.3))
        c.rect(-31, -66, 62, 61, 10, fill=jam)
        c.rect(12, -66, 19, 61, 9, fill=darker(jam, 0.16))
        c.rect(-25, -60, 8, 46, 4, fill="#FFFFFF", opacity=0.45)
        c.path("M-40 -72Q0 -64 40 -72L34 -94Q0 -100 -34 -94Z", fill=CREAM)
        for i in (-24, -8, 8, 24):
            c.path(f"M{i} -71L{i * 0.8} -94", stroke=p.accent, width=5)
        c.rect(-36, -82, 72, 5, 2.5, fill=p.second)


def coat_hooks(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A board of hooks on a wall; a coat, a bag or a scarf hangs from each one that is taken."""
    c, p = Canvas(), palette_of(params, rng)
    cols = int(number_of(params, "columns", 8))
    scenery.room(c, p, horizon=420)
    wood = mix(WOOD, p.floor, 0.3)
    c.drop(24, 92, 592, 46, 6, 6)
    c.rect(24, 92, 592, 46, 6, fill=c.gradient(lighter(wood, 0.2), wood))
    c.rect(24, 76, 592, 12, 4, fill=lighter(wood, 0.1))
    for x, tone in ((90.0, p.second), (470.0, p.third)):
        c.rect(x, 36, 84, 40, 5, fill=tone)
        c.rect(x - 3, 30, 90, 12, 4, fill=darker(tone, 0.14))
    full = filled(value, cols, params, rng)
    slot = 576 / cols
    tones = [p.accent, p.second, darker(p.third, 0.08), p.ink, mix(p.accent, "#FFFFFF", 0.3)]
    for i in range(cols):
        x = 32 + (i + 0.5) * slot
        c.rect(x - 7, 102, 14, 28, 6, fill=darker(STEEL, 0.3))
        c.path(f"M{x} 122q0 22 11 22t11 -16", stroke=darker(STEEL, 0.4), width=6)
        c.circle(x + 22, 126, 5, fill=darker(STEEL, 0.2))
        kind = ("coat", "bag", "scarf", "coat")[i % 4]
        if i in full:
            _hung(c, p, x + 10, kind, tones[i % len(tones)], slot / 72)
    return c.svg()


def _hung(c: Canvas, p: Palette, x: float, kind: str, tone: str, k: float) -> None:
    """A coat, a bag or a scarf that hangs from (x, 142)."""
    with c.group(x, 142, k):
        if kind == "bag":
            c.path("M-18 76Q-12 2 0 0Q12 2 18 76", stroke=darker(tone, 0.3), width=6)
            c.path("M-30 70H30L34 150Q34 158 26 158H-26Q-34 158 -34 150Z", fill=tone)
            c.path("M14 70H30L34 150Q34 158 26 158H16Z", fill=darker(tone, 0.14))
            c.path("M-30 70H30L24 108H-24Z", fill=lighter(tone, 0.16))
            c.circle(0, 108, 5, fill=p.third)
        elif kind == "scarf":
            c.path("M-14 6Q0 -6 14 6L22 150H4L0 60L-2 176H-22Z", fill=tone)
            for y in (120, 134):
                c.line(5, y, 20, y, stroke=CREAM, width=6)
            for y in (142, 158):
                c.line(-20, y, -3, y, stroke=CREAM, width=6)
        else:
            c.path(
                "M-8 0Q0 8 8 0L24 10Q34 18 35 44L37 128H25L24 70L27 196H-27L-24 70L-25 128H-37L-35 44"
                "Q-34 18 -24 10Z",
                fill=tone,
            )
            c.path("M0 24L6 196H27L24 70L20 30Z", fill=darker(tone, 0.12))
            c.path("M-8 0Q0 8 8 0L12 20L0 44L-12 20Z", fill=lighter(tone, 0.3))
            c.path("M0 44V192", stroke=darker(tone, 0.3), width=2)
            for y in (66, 96, 126):
                c.circle(-6, y, 3, fill=lighter(tone, 0.5))


def parking_bays(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """Two rows of parking bays from above, with a car in each one that is taken."""
    c, p = Canvas(), palette_of(params, rng)
    cols = int(number_of(params, "columns", 6))
    grass = mix("#8DB56E", p.panel, 0.15)
    c.rect(0, 0, 640, 480, fill=grass)
    scenery.tufts(c, rng, 10, 30, darker(grass, 0.2), 14)
    scenery.tufts(c, rng, 456, 476, darker(grass, 0.2), 14)
    asphalt = mix("#79818C", p.ink, 0.1)
    c.rect(0, 36, 640, 408, fill="#C9C6BE")
    c.rect(0, 44, 640, 392, fill=asphalt)
    for i in range(9):
        c.rect(i * 80 - 20, 237, 44, 5, 2.5, fill=lighter(asphalt, 0.3))
    slot = 576 / cols
    for top in (52.0, 298.0):
        for i in range(cols + 1):
            c.line(32 + i * slot, top, 32 + i * slot, top + 130, stroke="#FFFFFF", width=4)
        edge = top if top < 200 else top + 130
        c.line(32, edge, 32 + cols * slot, edge, stroke="#FFFFFF", width=4)
    full = filled(value, cols * 2, params, rng)
    tones = [p.accent, p.second, p.third, CREAM, mix(p.second, "#FFFFFF", 0.4), darker(p.accent, 0.25)]
    for i in range(cols * 2):
        x, y = 32 + (i % cols + 0.5) * slot, 117.0 if i < cols else 363.0
        tone, turn = rng.choice(tones), rng.uniform(-1.5, 1.5)
        if i in full:
            with c.group(x, y, min(1.0, slot / 90), turn=turn + (180 if i >= cols else 0)):
                _car_above(c, tone)
    for x, y, r in ((18.0, 24.0, 30.0), (612.0, 462.0, 34.0), (330.0, 14.0, 24.0), (210.0, 470.0, 22.0)):
        leaf = mix("#5E9464", p.panel, 0.12)
        c.circle(x + 3, y + 4, r, fill="#1F2A3A", opacity=0.2)
        c.circle(x, y, r, fill=leaf)
        c.circle(x - r * 0.25, y - r * 0.25, r * 0.6, fill=lighter(leaf, 0.14))
    return c.svg()


def _car_above(c: Canvas, tone: str) -> None:
    """A car seen from above, its nose up."""
    c.rect(-27, -52, 62, 116, 18, fill="#1F2A3A", opacity=0.22)
    for x in (-33, 25):
        for y in (-40, 24):
            c.rect(x, y, 8, 22, 3, fill=TYRE)
    c.path("M-30 -40Q-30 -60 -12 -60H12Q30 -60 30 -40V44Q30 58 16 58H-16Q-30 58 -30 44Z", fill=tone)
    c.path("M-23 -22Q0 -34 23 -22L19 -4H-19Z", fill="#3A4A5A")
    c.path("M-19 36H19L23 50Q0 56 -23 50Z", fill="#3A4A5A")
    c.rect(-19, -2, 38, 36, 6, fill=lighter(tone, 0.22))
    for side in (-1, 1):
        c.path(f"M{side * 26} -18L{side * 21} -2V34L{side * 26} 46Z", fill="#4A5C6E")
        c.ellipse(side * 20, -54, 6, 4, fill="#FFF1C2")
        c.rect(side * 20 - 6, 54, 12, 4, 2, fill="#B5352C")
        c.ellipse(side * 33, -18, 4, 3, fill=darker(tone, 0.2))
