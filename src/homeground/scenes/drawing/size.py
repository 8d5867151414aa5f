"""Furnished rooms seen from the front, true to scale: the floor has exactly the given area."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing.canvas import (
    CREAM,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
    text_of,
)
from homeground.scenes.drawing.furniture import PIECES, plant
from homeground.scenes.drawing.layouts import LAYOUTS, PLANTS, RUGS
from homeground.scenes.drawing.solids import Block, View, flat, paint, sideways, upright, view_of


def furnished_room(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A room whose floor measures value square metres, with furniture of usual size."""
    c, p = Canvas(), palette_of(params, rng)
    kind = text_of(params, "room", "living")
    view = view_of(value, number_of(params, "ratio", 1.25))
    c.rect(0, 0, 640, 480, fill=c.gradient(lighter(p.panel, 0.45), lighter(p.panel, 0.1)))
    c.circle(320, 230, 225, fill=lighter(p.panel, 0.55), opacity=0.6)
    front = view.at(0, 0, 0)[1]
    c.shadow(320, front + 12, view.w * view.scale * 0.53, 14, 0.3)
    _shell(c, view, p, tiles=kind in ("kitchen", "bathroom", "washroom"))
    _openings(c, view, p, kind, rng)
    if kind in RUGS:
        _rug(c, view, p, *RUGS[kind])
    blocks = place(view, kind, p)
    for b in blocks:
        if b.y[0] == 0 and b.draw is None:
            under = (b.x[0] - 0.05, b.x[1] + 0.05), (b.z[0] - 0.06, b.z[1])
            c.poly(flat(view, *under), fill="#1F2A3A", opacity=0.1)
    if kind in PLANTS:
        x, z = PLANTS[kind]
        blocks.append(plant(x * (view.w / 2 - 0.34), 0.42 + z * (view.d - 0.8), p))
    paint(c, view, blocks)
    return c.svg()


def place(view: View, kind: str, p: Palette) -> list[Block]:
    """Set the furniture of a kind of room along its walls."""
    blocks: list[Block] = []
    first = middle = (0.0, 0.0)
    for name, wall, share, off in LAYOUTS[kind]:
        piece = PIECES[name]
        length, depth = piece.length, piece.depth
        start = share * (view.w - length) - view.w / 2
        if wall == "-":
            start = first[0] - length - 0.06
        elif wall == "+":
            start = first[1] + 0.06
        elif wall == "free":
            start = share * view.w - view.w / 2 - length / 2
        elif wall == "by":
            start = middle[0] + share - length / 2
        if not blocks:
            first = (start, start + length)
            middle = (start + length / 2, off * view.d)
        along = share * (view.d - length)
        for u0, u1, v0, v1, y0, y1, tone in piece.make(p):
            if wall == "left":
                x = (-view.w / 2 + v0 + off, -view.w / 2 + v1 + off)
                z = (along + u0, along + u1)
            elif wall == "right":
                x = (view.w / 2 - v1 - off, view.w / 2 - v0 - off)
                z = (along + u0, along + u1)
            elif wall in ("free", "by"):
                low = (off * view.d if wall == "free" else middle[1] + off) - depth / 2
                x, z = (start + u0, start + u1), (low + depth - v1, low + depth - v0)
            else:
                x, z = (start + u0, start + u1), (view.d - off - v1, view.d - off - v0)
            blocks.append(Block(x, (y0, y1), z, tone))
    return blocks


def _shell(c: Canvas, v: View, p: Palette, *, tiles: bool) -> None:
    """The floor, three walls with their cut edges, and the slab."""
    half, t = v.w / 2, 0.12
    wall = lighter(p.wall, 0.1)
    floor = mix(p.panel, "#FFFFFF", 0.3) if tiles else p.floor
    c.poly(flat(v, (-half, half), (0, v.d)), fill=c.gradient(darker(floor, 0.06), lighter(floor, 0.1)))
    seam = darker(floor, 0.16)
    count = round(v.w / (0.5 if tiles else 0.22))
    for i in range(1, count):
        x = -half + v.w * i / count
        c.line(*v.at(x, 0, 0), *v.at(x, 0, v.d), stroke=seam, width=1, opacity=0.7)
    rows = round(v.d / 0.5) if tiles else 0
    for i in range(1, rows):
        z = v.d * i / rows
        c.line(*v.at(-half, 0, z), *v.at(half, 0, z), stroke=seam, width=1, opacity=0.7)
    c.poly(upright(v, (-half, half), (0, v.h), v.d), fill=c.gradient(lighter(wall, 0.15), wall))
    c.poly(sideways(v, -half, (0, v.h), (0, v.d)), fill=darker(wall, 0.05))
    c.poly(sideways(v, half, (0, v.h), (0, v.d)), fill=darker(wall, 0.12))
    c.poly(upright(v, (-half, half), (0, 0.09), v.d), fill=CREAM)
    for x in (-half, half):
        c.poly(sideways(v, x, (0, 0.09), (0, v.d)), fill=darker(CREAM, 0.06))
    rim, cut = "#FFFFFF", lighter(p.ink, 0.72)
    c.poly(flat(v, (-half - t, half + t), (v.d, v.d + t), v.h), fill=rim)
    for a, b in ((-half - t, -half), (half, half + t)):
        c.poly(flat(v, (a, b), (0, v.d + t), v.h), fill=rim)
        c.poly(upright(v, (a, b), (-0.12, v.h), 0), fill=cut)
    c.poly(upright(v, (-half - t, half + t), (-0.14, 0), 0), fill=darker(cut, 0.1))


def _openings(c: Canvas, v: View, p: Palette, kind: str, rng: random.Random) -> None:
    """A door in the left wall and a window or pictures on the back wall."""
    half = v.w / 2
    z = (0.12, 0.97)
    c.poly(sideways(v, -half, (0, 2.08), (z[0] - 0.06, z[1] + 0.06)), fill=CREAM)
    c.poly(sideways(v, -half, (0, 2.02), z), fill=mix(p.third, "#FFFFFF", 0.3))
    c.circle(*v.at(-half, 1.02, z[0] + 0.1), 3, fill=p.ink)
    wide = min(1.4, v.w * 0.36)
    x = 0.0 if kind not in ("bathroom", "washroom") else half * 0.45
    if kind in ("bathroom", "washroom"):
        wide = min(0.7, v.w * 0.36)
    low = 1.15 if kind != "kitchen" else 1.25
    c.poly(upright(v, (x - wide / 2 - 0.07, x + wide / 2 + 0.07), (low - 0.07, 2.17), v.d), fill=CREAM)
    pane = upright(v, (x - wide / 2, x + wide / 2), (low, 2.1), v.d)
    c.poly(pane, fill=c.gradient("#A9D6EC", "#E8F4F4"))
    (left, bottom), (right, top) = pane[0], pane[2]
    c.poly(
        [
            (left + (right - left) * k, y)
            for k, y in ((0.15, top), (0.4, top), (0.15, bottom), (-0.0, bottom))
        ],
        fill="#FFFFFF",
        opacity=0.35,
    )
    c.rect((left + right) / 2 - 2, top, 4, bottom - top, fill=CREAM)
    sill = upright(v, (x - wide / 2 - 0.14, x + wide / 2 + 0.14), (low - 0.13, low - 0.07), v.d)
    c.poly(sill, fill="#FFFFFF")
    for side in (-1, 1):
        a = side * (half * 0.5 + wide * 0.3)
        if abs(a) + 0.25 < half and (
            kind in ("living", "open") or (kind == "dining" and side < 0) or (kind == "bedroom" and side > 0)
        ):
            c.poly(upright(v, (a - 0.22, a + 0.22), (1.3, 1.9), v.d), fill=darker(p.floor, 0.2))
            c.poly(upright(v, (a - 0.18, a + 0.18), (1.34, 1.86), v.d), fill=CREAM)
            ax, ay = v.at(a, 1.6, v.d)
            c.circle(ax, ay, 0.11 * v.factor(v.d), fill=rng.choice([p.accent, p.second, p.third]))


def _rug(c: Canvas, v: View, p: Palette, x: float, z: float, w: float, d: float) -> None:
    cx, cz = (x - 0.5) * v.w, max(z * v.d, d / 2 + 0.08)
    for inset, tone in (
        (0.0, p.accent),
        (0.08, lighter(p.third, 0.35)),
        (0.14, lighter(p.accent, 0.3)),
    ):
        box = (cx - w / 2 + inset, cx + w / 2 - inset), (cz - d / 2 + inset, cz + d / 2 - inset)
        c.poly(flat(v, *box), fill=tone)
