"""Thermometers in a pan, in a fish tank and in the dashboard of a car."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    Canvas,
    Palette,
    box_path,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
)
from homeground.scenes.drawing.gauges import Dial, Tube
from homeground.scenes.drawing.glyphs import write
from homeground.scenes.drawing.scales import flank, order, rulings_of


def pan_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A long thermometer with both scales, clipped to a pan of bubbling jam."""
    c, p = Canvas(), palette_of(params, rng)
    low, high = number_of(params, "low", 20), number_of(params, "high", 120)
    tone = lighter(p.panel, 0.2)
    c.rect(0, 0, 640, 480, fill=tone)
    for row in range(9):
        for col in range(9):
            x = col * 80 - (40 if row % 2 else 0)
            c.rect(x + 2, row * 44 + 2, 76, 40, 4, fill=lighter(p.panel, 0.3 + 0.3 * rng.random()))
    c.rect(0, 392, 640, 88, fill=c.gradient("#4B525C", "#31373F"))
    c.rect(0, 392, 640, 5, fill="#7A838E")
    cx = 320.0
    board = lighter(STEEL, 0.45)
    c.drop(cx - 76, 14, 152, 330, 22, 6)
    c.rect(cx - 76, 14, 152, 330, 22, fill=c.gradient(lighter(STEEL, 0.5), STEEL, across=True))
    c.rect(cx - 67, 23, 134, 320, 15, fill="#FFFFFF")
    tube = Tube(low, high, (cx, 286), 244)
    tube.draw(c, value, bulb=11, bore=7)
    left, right = order(params, rng)
    flank(c, p, tube, (left, right), numerals=13, letters=(44, 304, 14))
    for bx, by, r in ((196.0, 306.0, 10), (238, 296, 13), (424, 300, 12), (460, 308, 9), (170, 312, 7)):
        c.circle(bx, by, r, fill=mix("#B53A4A", "#FFFFFF", 0.15))
        c.ellipse(bx - r * 0.3, by - r * 0.4, r * 0.25, r * 0.2, fill="#FFFFFF", opacity=0.7)
    c.ellipse(320, 322, 206, 24, fill=darker(board, 0.25))
    c.ellipse(320, 324, 194, 19, fill="#A8303F")
    for _ in range(16):
        bx = 320 + rng.uniform(-170, 170)
        c.ellipse(bx, 324 + rng.uniform(-10, 10), rng.uniform(4, 10), 4, fill="#CF5A66")
    with c.clip(box_path(cx - 76, 296, 152, 24)):
        c.rect(cx - 67, 290, 134, 34, fill="#FFFFFF")
        for sign, side in ((left, -1), (right, 1)):
            ink = p.ink if sign == left else p.second
            write(c, "°" + sign, cx + side * 44, 304, height=14, tone=ink)
        c.circle(cx, 302.5, 11, fill="#D9483B")
    pan = mix(p.second, "#3A4652", 0.25)
    c.path(
        "M114 322Q320 366 526 322L512 420Q508 436 490 436H150Q132 436 128 420Z",
        fill=c.gradient(lighter(pan, 0.25), pan, darker(pan, 0.2), across=True),
    )
    c.path("M114 322Q320 366 526 322", stroke=lighter(pan, 0.45), width=6)
    for way in (-1, 1):
        x = 320 + way * 204
        c.path(
            f"M{x} 350h{way * 40}q{way * 14} 0 {way * 12} 14t{-way * 14} 14h{-way * 32}",
            stroke=p.ink,
            width=13,
        )
    for way in (-1, 1):
        for k in (0, 34):
            x = 320 + way * (130 + k)
            c.path(f"M{x} 288q-14 -26 0 -52t0 -56", stroke="#FFFFFF", width=7, opacity=0.55)
    c.rect(130, 436, 380, 8, 4, fill="#1F242B")
    for i in range(14):
        x = 152 + i * 26
        c.path(f"M{x - 8} 458Q{x} 430 {x + 8} 458Z", fill="#5AA8F0")
    return c.svg()


def tank_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A thermometer with both scales on the glass of a fish tank."""
    c, p = Canvas(), palette_of(params, rng)
    low, high = number_of(params, "low", 10), number_of(params, "high", 40)
    scenery.room(c, p, horizon=440, boards=False)
    c.rect(0, 446, 640, 34, fill=darker(p.floor, 0.1))
    c.rect(24, 22, 592, 424, 10, fill=p.ink)
    c.rect(34, 48, 572, 388, 4, fill="#D6EEF5")
    c.rect(34, 66, 572, 370, fill=c.gradient("#8ED4E4", "#3F9FC0"))
    c.rect(34, 64, 572, 4, fill="#FFFFFF", opacity=0.7)
    sand = mix("#E5CE9B", p.third, 0.2)
    c.path("M34 436V398Q140 372 260 394T480 384T606 396V436Z", fill=sand)
    for _ in range(34):
        x, y = rng.uniform(44, 596), rng.uniform(404, 432)
        c.ellipse(x, y, rng.uniform(4, 9), 4, fill=darker(sand, rng.uniform(0.06, 0.28)))
    for x, tall in ((64.0, 210), (92.0, 270), (120.0, 180), (520.0, 170), (548.0, 290), (580.0, 230)):
        green = mix("#4F9A5E", "#2F7A6A", rng.random())
        sway = rng.uniform(10, 20)
        knee, neck, tip = 402 - tall * 0.4, 402 - tall * 0.6, 402 - tall
        c.path(
            f"M{x - 7} 402C{x - sway:.2f} {knee:.2f} {x + sway:.2f} {neck:.2f} {x} {tip}"
            f"C{x + sway + 12:.2f} {neck:.2f} {x - sway + 12:.2f} {knee:.2f} {x + 7} 402Z",
            fill=green,
        )
    for x, y, flip, tone in (
        (146.0, 140.0, False, p.accent),
        (118.0, 262.0, True, "#F2A13B"),
        (502.0, 170.0, True, p.third),
        (488.0, 318.0, False, p.accent),
    ):
        _fish(c, x, y + rng.uniform(-14, 14), tone, p, flip=flip)
    for i in range(7):
        c.circle(
            204 + rng.uniform(-10, 10), 90 + i * 34, rng.uniform(3, 7), stroke="#FFFFFF", width=2, opacity=0.7
        )
    cx = 320.0
    c.drop(cx - 76, 74, 152, 330, 30, 8)
    c.rect(cx - 76, 74, 152, 330, 30, fill=mix(p.second, "#FFFFFF", 0.25))
    c.rect(cx - 68, 82, 136, 314, 24, fill=CREAM)
    tube = Tube(low, high, (cx, 342), 226)
    tube.draw(c, value, bulb=12, bore=7)
    flank(c, p, tube, order(params, rng), numerals=14, letters=(46, 376, 15))
    return c.svg()


def _fish(c: Canvas, x: float, y: float, tone: str, p: Palette, *, flip: bool) -> None:
    with c.group(x, y, flip=flip):
        c.path("M-24 0L-48 -18Q-40 0 -48 18Z", fill=darker(tone, 0.12))
        c.path("M-30 0Q-8 -28 18 -18Q32 -10 36 0Q32 10 18 18Q-8 28 -30 0Z", fill=tone)
        c.path("M-8 -18Q4 -36 16 -17Z", fill=darker(tone, 0.12))
        c.path("M2 -20Q-6 0 2 20L10 20Q2 0 10 -20Z", fill="#FFFFFF", opacity=0.8)
        c.circle(24, -5, 4.5, fill="#FFFFFF")
        c.circle(25, -5, 2.4, fill=p.ink)


def dash_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A round dial with both scales behind a steering wheel; the road lies ahead."""
    c, p = Canvas(), palette_of(params, rng)
    low, high = number_of(params, "low", 40), number_of(params, "high", 140)
    c.rect(0, 0, 640, 160, fill="#A6D3EA")
    c.rect(0, 70, 640, 110, fill="#9BBF86")
    c.poly([(300, 70), (340, 70), (500, 160), (140, 160)], fill="#7B838D")
    c.poly([(318, 70), (322, 70), (330, 160), (310, 160)], fill=CREAM)
    dash = mix(p.ink, "#20262E", 0.5)
    c.path("M0 480V160Q110 142 320 140T640 160V480Z", fill=lighter(dash, 0.06))
    for x in (62.0, 578.0):
        c.rect(x - 46, 226, 92, 52, 10, fill=darker(dash, 0.4))
        for i in range(3):
            c.rect(x - 40, 236 + i * 11, 80, 6, fill=lighter(dash, 0.22))
        c.circle(x, 330, 22, fill=lighter(dash, 0.14))
        c.line(x, 330, x + 8, 314, stroke=CREAM, width=4)
    dial = Dial(low, high, 320, 312, 140)
    c.circle(320, 312, 153, fill=darker(dash, 0.3))
    dial.face(c, lighter(STEEL, 0.1), "#171C24")
    outer, inner = order(params, rng)
    rulings = rulings_of(high - low)
    dial.zones(c, ("#3E8FC4", "#3E8FC4", "#4FA56B", "#D9483B"), (low, 60, 100, 115, high))
    dial.rule(c, outer, rulings[outer], outer=True, height=12, tone=CREAM)
    dial.rule(c, inner, rulings[inner], outer=False, height=10, tone=mix(p.third, CREAM, 0.3))
    dial.arc(c, CREAM)
    dial.needle(c, value, "#FF6A4D")
    wheel = mix("#15191F", p.ink, 0.3)
    c.path("M30 610A310 136 0 0 1 610 610", stroke=darker(wheel, 0.2), width=30)
    return c.svg()
