"""Places of which a countable share is taken: eggs, books, fruit, muffins, lit windows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    LEAF,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
    text_of,
)


def taken(share: float, places: int) -> int:
    """How many places a share takes.

    Raises:
        ValueError: the share is no whole number of places.
    """
    count = round(share * places)
    if abs(count - share * places) > 0.02:
        raise ValueError(f"{share} of {places} places is not a whole number")
    return count


def filled(value: float, places: int, params: Mapping[str, object], rng: random.Random) -> set[int]:
    """Which places are taken: one after another, or scattered by the seed."""
    count = taken(value, places)
    if text_of(params, "order", "rows") == "scattered":
        return set(rng.sample(range(places), count))
    return set(range(count))


def grid(cols: int, rows: int, box: tuple[float, float, float, float]) -> Iterator[tuple[int, float, float]]:
    """The number and the middle of each place of a grid in a box (x, y, width, height)."""
    x, y, w, h = box
    for i in range(cols * rows):
        yield i, x + w * (i % cols + 0.5) / cols, y + h * (i // cols + 0.5) / rows


def _tabletop(c: Canvas, p: Palette, rng: random.Random) -> None:
    """A table seen from above, with a cloth under the subject."""
    wood = mix(WOOD, p.floor, 0.5)
    c.rect(0, 0, 640, 480, fill=c.gradient(lighter(wood, 0.22), lighter(wood, 0.06)))
    for i in range(1, 6):
        c.line(0, i * 80, 640, i * 80, stroke=darker(wood, 0.12), width=1.6, opacity=0.7)
        x = rng.uniform(60, 580)
        c.line(x, i * 80 - 80, x, i * 80, stroke=darker(wood, 0.12), width=1.6, opacity=0.7)


def egg_carton(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """An open egg carton from above."""
    c, p = Canvas(), palette_of(params, rng)
    cols = int(number_of(params, "columns", 6))
    places = cols * 2
    _tabletop(c, p, rng)
    pulp = mix(p.second, "#B9C2C4", 0.6)
    w = cols * 84.0 + 36
    x = 320 - w / 2
    c.drop(x, 56, w, 370, 26, 14)
    c.rect(x, 56, w, 186, 24, fill=darker(pulp, 0.06))
    c.rect(x + 18, 74, w - 36, 140, 18, fill=darker(pulp, 0.18))
    c.rect(x + 26, 84, w - 52, 130, 14, fill=darker(pulp, 0.12))
    c.rect(x, 222, w, 204, 24, fill=lighter(pulp, 0.12))
    c.rect(x, 222, w, 8, 4, fill=darker(pulp, 0.2))
    full = filled(value, places, params, rng)
    shell = rng.choice(["#F6E6D2", "#E9C4A0", "#F4EFE6"])
    for i, cx, cy in grid(cols, 2, (x + 18, 236, w - 36, 176)):
        c.circle(cx, cy, 37, fill=darker(pulp, 0.16))
        c.circle(cx, cy + 3, 30, fill=darker(pulp, 0.34))
        if i in full:
            tone = mix(shell, "#D9A67E", rng.uniform(0, 0.2))
            c.ellipse(cx + 3, cy + 5, 28, 34, fill="#1F2A3A", opacity=0.25)
            c.ellipse(cx, cy - 1, 28, 34, fill=tone)
            c.ellipse(cx + 4, cy + 7, 21, 23, fill=darker(tone, 0.05))
            c.ellipse(cx - 2, cy + 1, 23, 27, fill=tone)
            c.ellipse(cx - 9, cy - 13, 7, 10, fill="#FFFFFF", opacity=0.6)
    return c.svg()


def fruit_crate(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A wooden crate with hollows for fruit, from above."""
    c, p = Canvas(), palette_of(params, rng)
    cols, rows = int(number_of(params, "columns", 5)), int(number_of(params, "rows", 4))
    fruit = text_of(params, "fruit", "apple")
    _tabletop(c, p, rng)
    slat = mix("#D9B37F", p.third, 0.25)
    w, h = cols * 92.0 + 52, rows * 92.0 + 52
    scale = min(1.0, 430 / h, 590 / w)
    with c.group(320, 240, scale):
        c.drop(-w / 2, -h / 2, w, h, 10, 12)
        c.rect(-w / 2, -h / 2, w, h, 10, fill=slat)
        c.rect(-w / 2 + 20, -h / 2 + 20, w - 40, h - 40, 4, fill=darker(slat, 0.3))
        for sx in (-1, 1):
            for sy in (-1, 1):
                c.circle(sx * (w / 2 - 10), sy * (h / 2 - 10), 3.4, fill=darker(slat, 0.4))
        paper = mix(p.second, "#FFFFFF", 0.45)
        c.rect(-w / 2 + 24, -h / 2 + 24, w - 48, h - 48, 4, fill=paper)
        full = filled(value, cols * rows, params, rng)
        for i, x, y in grid(cols, rows, (-w / 2 + 26, -h / 2 + 26, w - 52, h - 52)):
            c.circle(x, y, 41, fill=darker(paper, 0.12))
            c.circle(x, y + 3, 36, fill=darker(paper, 0.26))
            if i in full:
                _fruit(c, x, y, fruit, rng)
    return c.svg()


def _fruit(c: Canvas, x: float, y: float, kind: str, rng: random.Random) -> None:
    tone = {"apple": "#D4493B", "orange": "#F0902F", "lemon": "#F2CC45", "plum": "#6E4A86"}[kind]
    tone = mix(tone, "#FFE08A", rng.uniform(0, 0.1))
    if kind == "lemon":
        with c.group(x, y, turn=rng.uniform(-40, 0)):
            shape = "M-41 0Q-34 -4 -30 -12Q-16 -28 0 -28Q16 -28 30 -12Q34 -4 41 0Q34 4 30 12"
            shape += "Q16 28 0 28Q-16 28 -30 12Q-34 4 -41 0Z"
            with c.group(3, 6):
                c.path(shape, fill="#1F2A3A", opacity=0.25)
            c.path(shape, fill=darker(tone, 0.1))
            with c.group(-1, -2, 0.88):
                c.path(shape, fill=tone)
            c.ellipse(-9, -11, 10, 5, fill="#FFFFFF", opacity=0.5)
        return
    c.circle(x + 4, y + 6, 36, fill="#1F2A3A", opacity=0.25)
    c.circle(x, y, 36, fill=darker(tone, 0.12))
    c.circle(x - 2, y - 3, 32, fill=tone)
    c.ellipse(x - 13, y - 15, 8, 6, fill="#FFFFFF", opacity=0.45)
    with c.group(x, y, turn=rng.uniform(-60, 60)):
        if kind == "orange":
            c.circle(0, 0, 4, fill=darker(LEAF, 0.1))
            return
        c.circle(0, 0, 7, fill=darker(tone, 0.25))
        c.line(0, 0, 4, -13, stroke="#5B4034", width=3.6)
        c.path("M3 -8Q16 -20 26 -10Q15 -1 3 -8Z", fill=LEAF)


def muffin_tin(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A baking tin with hollows for muffins, from above."""
    c, p = Canvas(), palette_of(params, rng)
    cols, rows = int(number_of(params, "columns", 4)), int(number_of(params, "rows", 3))
    _tabletop(c, p, rng)
    tin = mix(STEEL, p.ink, 0.35)
    w, h = cols * 128.0 + 36, rows * 128.0 + 36
    cloth = lighter(p.accent, 0.45)
    c.rect(24, 96, 592, 288, 6, fill=cloth)
    for i in range(9):
        c.rect(60 + i * 62, 96, 8, 288, fill=lighter(p.accent, 0.65))
    c.drop(320 - w / 2, 240 - h / 2, w, h, 30, 12)
    c.rect(320 - w / 2, 240 - h / 2, w, h, 30, fill=c.gradient(lighter(tin, 0.2), tin))
    c.rect(320 - w / 2 + 5, 240 - h / 2 + 5, w - 10, h - 10, 26, stroke=lighter(tin, 0.35), width=2)
    full = filled(value, cols * rows, params, rng)
    for i, x, y in grid(cols, rows, (338 - w / 2, 258 - h / 2, w - 36, h - 36)):
        c.circle(x, y, 54, fill=lighter(tin, 0.3))
        c.circle(x, y, 51, fill=darker(tin, 0.3))
        c.circle(x, y + 5, 40, fill=darker(tin, 0.12))
        if i in full:
            _muffin(c, x, y, p, rng)
    return c.svg()


def _muffin(c: Canvas, x: float, y: float, p: Palette, rng: random.Random) -> None:
    c.circle(x, y, 50, fill=lighter(p.third, 0.35))
    c.circle(x + 2, y + 3, 46, fill="#8A5A34", opacity=0.6)
    c.circle(x, y, 45, fill="#C9894C")
    c.circle(x - 3, y - 4, 38, fill="#D99C5E")
    for k in range(6):
        a, r = k * 60 + rng.uniform(-20, 20), rng.uniform(10, 32)
        with c.group(x, y, turn=a):
            c.circle(0, -r, 5.2, fill="#4B3A63")
            c.circle(-1.4, -r - 1.4, 1.5, fill="#FFFFFF", opacity=0.5)


def bookshelf(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A wall shelf whose boards have room for books of equal thickness."""
    c, p = Canvas(), palette_of(params, rng)
    cols, rows = int(number_of(params, "columns", 10)), int(number_of(params, "rows", 2))
    scenery.room(c, p, horizon=430)
    wood = mix(WOOD, p.floor, 0.4)
    w, h = 480.0, rows * (340 / rows)
    x, y = 80.0, 44.0
    c.drop(x - 14, y - 14, w + 28, h + 28, 4, 9)
    c.rect(x - 14, y - 14, w + 28, h + 28, 4, fill=wood)
    full = filled(value, cols * rows, params, rng)
    cell, slot = h / rows, w / cols
    for row in range(rows):
        c.rect(x, y + row * cell, w, cell - 12, fill=darker(wood, 0.42))
        c.rect(x, y + row * cell, w, 10, fill="#1F2A3A", opacity=0.25)
        c.rect(x, y + row * cell + cell - 12, w, 3, fill=lighter(wood, 0.25))
    tones = [
        p.accent,
        p.second,
        p.third,
        CREAM,
        mix(p.accent, p.third, 0.5),
        lighter(p.second, 0.4),
    ]
    for i in range(cols * rows):
        tone, tall = rng.choice(tones), (cell - 12) * rng.uniform(0.72, 0.88)
        if i not in full:
            continue
        left, base = x + (i % cols) * slot + 2, y + (i // cols + 1) * cell - 12
        c.rect(left, base - tall, slot - 4, tall, 4, fill=tone)
        c.rect(left + (slot - 4) * 0.7, base - tall, (slot - 4) * 0.3, tall, 4, fill=darker(tone, 0.12))
        for k in (0.14, 0.8):
            c.rect(left, base - tall * (1 - k), slot - 4, tall * 0.05, fill=darker(tone, 0.28))
    return c.svg()


def lit_windows(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A house front after dark, with a share of its windows lit."""
    c, p = Canvas(), palette_of(params, rng)
    cols, rows = int(number_of(params, "columns", 5)), int(number_of(params, "rows", 4))
    scenery.backdrop(c, "#16224A", "#3B4476")
    for _ in range(40):
        c.circle(
            rng.uniform(0, 640),
            rng.uniform(0, 240),
            rng.uniform(0.8, 1.8),
            fill="#FFFFFF",
            opacity=0.8,
        )
    c.circle(588, 64, 28, fill="#F7EFD2")
    scenery.ridge(c, rng, 410, 60, "#27315F")
    c.rect(0, 430, 640, 50, fill="#1E2748")
    front = darker(mix(p.accent, p.panel, 0.45), 0.45)
    x, w, top = 110.0, 420.0, 70.0
    c.rect(x, top, w, 366, fill=c.gradient(lighter(front, 0.06), darker(front, 0.12)))
    c.rect(x - 12, top - 16, w + 24, 18, 3, fill=darker(front, 0.35))
    full = filled(value, cols * rows, params, rng)
    for i, cx, cy in grid(cols, rows, (x + 14, top + 14, w - 28, 342)):
        ww, hh = (w - 28) / cols * 0.56, 342 / rows * 0.64
        left, up = cx - ww / 2, cy - hh / 2
        if i in full:
            c.rect(left - 7, up - 7, ww + 14, hh + 14, 8, fill="#FFD27A", opacity=0.22)
        c.rect(left - 4, up - 4, ww + 8, hh + 8, 3, fill=darker(front, 0.3))
        glow = c.gradient("#FFE7A8", "#FFC65C") if i in full else "#27325A"
        c.rect(left, up, ww, hh, 2, fill=glow)
        c.rect(cx - 1.5, up, 3, hh, fill=darker(front, 0.3))
        c.rect(left, cy - 1.5, ww, 3, fill=darker(front, 0.3))
        c.rect(left - 7, up + hh + 3, ww + 14, 5, 2, fill=lighter(front, 0.12))
    for bx in (28, 84, 560, 618):
        scenery.bush(c, bx, 440, 62, "#24405A")
    return c.svg()
