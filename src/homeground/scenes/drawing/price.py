"""A thing for sale on a shop plinth, with a blank price tag on a string."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    Canvas,
    Palette,
    darker,
    fmt,
    lighter,
    mix,
    palette_of,
    text_of,
)
from homeground.scenes.drawing.goods import GOODS

TOP = 352.0


def thing_for_sale(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A thing on a plinth; the value is not used, since no price is shown."""
    c, p = Canvas(), palette_of(params, rng)
    good = GOODS[text_of(params, "good", "chair")]
    scenery.room(c, p, horizon=404, boards=False)
    _shop(c, p, rng)
    x = 320.0
    wide = max(150.0, good.half + 46)
    c.shadow(x, 456, wide + 34, 13, 0.34)
    base = mix(p.panel, "#FFFFFF", 0.55)
    c.path(
        f"M{fmt(x - wide)} {TOP}V446A{fmt(wide)} 24 0 0 0 {fmt(x + wide)} 446V{TOP}Z",
        fill=c.gradient(lighter(base, 0.2), darker(base, 0.16), across=True),
    )
    c.ellipse(x, TOP, wide, 24, fill=lighter(base, 0.55))
    c.ellipse(x, TOP, wide - 6, 21, fill=lighter(base, 0.4))
    c.shadow(x, TOP + 3, good.half * 1.05, 9, 0.36)
    with c.group(x, TOP + 2):
        good.draw(c, p)
    _tag(c, p, x + good.knot[0], TOP + good.knot[1], rng)
    return c.svg()


def _tag(c: Canvas, p: Palette, x: float, y: float, rng: random.Random) -> None:
    """A blank tag that hangs from the knot, on the side that is further out."""
    left = x < 320
    way = -1 if left else 1
    turn = way * rng.uniform(4, 16)
    tx, ty = x + way * 42, y + 36
    string = f"M{fmt(x)} {fmt(y)}Q{fmt(x + way * 8)} {fmt(ty)} {fmt(tx)} {fmt(ty)}"
    c.path(string, stroke=p.ink, width=2.4)
    c.circle(x, y, 3.4, fill=p.ink)
    shape = "M-8 0L14 -26H92Q98 -26 98 -20V20Q98 26 92 26H14Z"
    with c.group(tx + 4, ty + 7, turn=turn, flip=left):
        for spread in (10.0, 6.0, 2.0):
            c.path(shape, fill="#1F2A3A", stroke="#1F2A3A", width=spread, opacity=0.09)
    with c.group(tx, ty, turn=turn, flip=left):
        c.path(shape, fill="#FFFFFF", stroke=darker(CREAM, 0.16), width=1.5)
        c.path("M20 -18H90V18H20", stroke=lighter(p.accent, 0.5), width=2)
        c.circle(6, 0, 5, fill=lighter(p.accent, 0.1))
        c.circle(6, 0, 2.4, fill=darker(CREAM, 0.4))


def _shop(c: Canvas, p: Palette, rng: random.Random) -> None:
    """An arched niche, a spotlight and shelves with quiet shapes on either side."""
    arch = lighter(p.wall, 0.5)
    c.path("M150 404V190A170 170 0 0 1 490 190V404Z", fill=darker(p.wall, 0.08))
    c.path("M158 404V190A162 162 0 0 1 482 190V404Z", fill=c.gradient(arch, p.wall))
    c.poly(
        [(286, 0), (354, 0), (512, 404), (128, 404)],
        fill=c.gradient("#FFFFFF", "#FFFFFF", fade=(0.42, 0.0)),
    )
    c.poly([(292, 0), (348, 0), (340, 22), (300, 22)], fill=darker(p.ink, 0.1))
    tones = [mix(t, p.wall, 0.45) for t in (p.accent, p.second, p.third)]
    for left in (18.0, 510.0):
        for y in (150.0, 268.0):
            c.rect(left, y, 112, 9, 3, fill=mix(p.floor, p.wall, 0.25))
            c.rect(left + 4, y + 9, 104, 6, fill="#1F2A3A", opacity=0.1)
            x = left + 22
            for _ in range(3):
                _vessel(c, x, y, rng.choice(tones), rng.choice(["vase", "box", "bowl"]))
                x += 34


def _vessel(c: Canvas, x: float, y: float, tone: str, kind: str) -> None:
    if kind == "vase":
        c.path(
            f"M{fmt(x - 6)} {fmt(y - 58)}h12v12q14 12 8 32q-2 10 -6 14h-16q-4 -4 -6 -14q-6 -20 8 -32Z",
            fill=tone,
        )
    elif kind == "box":
        c.rect(x - 15, y - 32, 30, 32, 3, fill=tone)
        c.rect(x - 17, y - 38, 34, 9, 3, fill=darker(tone, 0.12))
    else:
        c.path(f"M{fmt(x - 16)} {fmt(y - 22)}h32q-2 22 -16 22t-16 -22Z", fill=tone)
