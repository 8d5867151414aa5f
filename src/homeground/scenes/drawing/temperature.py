"""Thermometers on walls, on a porch, in the bath, at the sickbed, in the oven."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from homeground.scenes.drawing import scenery, surroundings
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    WOOD,
    Canvas,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
    text_of,
)
from homeground.scenes.drawing.gauges import Dial, Ruling, Tube
from homeground.scenes.drawing.glyphs import write

Sign = Literal["C", "F"]


def _order(params: Mapping[str, object], rng: random.Random) -> tuple[Sign, Sign]:
    """Which scale comes first (left, upper or outer); drawn by the seed unless given."""
    first = text_of(params, "first", rng.choice(["C", "F"]))
    return ("F", "C") if first == "F" else ("C", "F")


def _rulings(span: float) -> dict[Sign, Ruling]:
    """Round steps for both scales, by the span in degrees Celsius."""
    if span <= 12:
        return {"C": Ruling(1, 0.1 if span <= 8 else 0.2), "F": Ruling(2, 0.2)}
    if span <= 55:
        return {"C": Ruling(10, 1), "F": Ruling(10, 2)}
    if span <= 110:
        return {"C": Ruling(10, 2), "F": Ruling(20, 5)}
    return {"C": Ruling(50, 10), "F": Ruling(100, 20)}


def wall_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A thermometer with both scales on the wall of a room."""
    c, p = Canvas(), palette_of(params, rng)
    low, high = number_of(params, "low", -20), number_of(params, "high", 50)
    scenery.room(c, p, horizon=410)
    cx = rng.choice([250.0, 320.0, 390.0])
    for side in (-1, 1):
        if not 150 < cx + side * 200 < 490 and abs(cx - 320) > 10:
            continue
        surroundings.wall_piece(c, p, cx + side * 200, rng, green=value > 5)
    board = mix(WOOD, rng.choice(["#FFFFFF", p.second, "#6B4A32"]), 0.3)
    c.drop(cx - 92, 26, 184, 370, 26)
    c.rect(cx - 92, 26, 184, 370, 26, fill=c.gradient(lighter(board, 0.12), board))
    c.rect(cx - 80, 38, 160, 346, 18, fill=CREAM)
    c.circle(cx, 50, 4, fill=darker(board, 0.3))
    tube = Tube(low, high, (cx, 326), 252)
    left, right = _order(params, rng)
    rulings = _rulings(high - low)
    tube.draw(c, value, bulb=13, bore=7)
    for sign, side in ((left, -1), (right, 1)):
        tone = p.ink if sign == left else p.second
        tube.rule(c, sign, rulings[sign], side=side, inset=14, height=14, tone=tone)
        write(c, "°" + sign, cx + side * 52, 368, height=17, tone=tone)
    return c.svg()


def porch_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A thermometer with bare ticks outdoors; the weather fits the temperature."""
    c, p = Canvas(), palette_of(params, rng)
    snow, hot = value <= 1, value >= 27
    sky = ("#9FC3DC", "#E6F0F5") if snow else ("#58AEE0", "#D3ECF5") if hot else ("#86BBD8", "#E9F1EA")
    land = "#F4F8FA" if snow else "#C9B458" if hot else "#86AE74"
    scenery.backdrop(c, *sky)
    if hot:
        c.circle(510, 92, 70, fill="#FFE9A8", opacity=0.5)
        c.circle(510, 92, 46, fill="#FFD24D")
    else:
        for cx, cy, size in ((470, 110, 150), (590, 70, 120), (380, 66, 90)):
            scenery.cloud(c, cx, cy, size, "#FFFFFF")
    scenery.ridge(c, rng, 330, 40, mix(land, sky[0], 0.45))
    scenery.ridge(c, rng, 375, 24, mix(land, sky[0], 0.18), span=3)
    for tx, size in ((330.0, 110), (392, 150), (560, 170), (612, 130)):
        tone = mix("#3F7360", "#FFFFFF", 0.1)
        if snow:
            scenery.fir_tree(c, tx, 396, size, mix(tone, "#E8F1F5", 0.35))
        else:
            scenery.round_tree(c, tx, 396, size, mix("#6E9A4F", land, 0.25 if hot else 0))
    c.rect(0, 392, 640, 88, fill=c.gradient(land, darker(land, 0.1)))
    if not snow:
        scenery.tufts(c, rng, 412, 472, darker(land, 0.16))
    surroundings.porch(c, p, snow)
    tube = Tube(number_of(params, "low", -30), number_of(params, "high", 50), (150, 352), 280)
    c.drop(104, 34, 92, 376, 46)
    c.rect(104, 34, 92, 376, 46, fill=lighter(STEEL, 0.25))
    c.rect(110, 40, 80, 364, 40, fill=CREAM)
    tube.draw(c, value, bulb=14, bore=8)
    for side in (-1, 1):
        tube.rule(c, "", Ruling(10, 2), side=side, inset=14, height=0, tone=p.ink)
    if snow:
        for _ in range(70):
            x, y = rng.uniform(286, 636), rng.uniform(6, 474)
            c.circle(x, y, rng.uniform(1.6, 3.8), fill="#FFFFFF", opacity=0.95)
    return c.svg()


def lying_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A lying thermometer with both scales: floating in the bath or on a bedside cloth."""
    c, p = Canvas(), palette_of(params, rng)
    bath = text_of(params, "setting", "bath") == "bath"
    low, high = (10.0, 50.0) if bath else (35.0, 42.0)
    cy = 300.0 if bath else 250.0
    if bath:
        surroundings.bath(c, p, rng, cy)
    else:
        surroundings.bedside(c, p, cy)
    body = mix(p.third, "#FFFFFF", 0.15) if bath else CREAM
    c.drop(54, cy - 74, 532, 148, 74, 10)
    c.rect(54, cy - 74, 532, 148, 74, fill=c.gradient(lighter(body, 0.3), body))
    c.rect(72, cy - 58, 496, 116, 58, fill="#FFFFFF")
    tube = Tube(low, high, (142, cy), 380, upright=False)
    tube.draw(c, value, bulb=13, bore=7)
    upper, lower = _order(params, rng)
    rulings = _rulings(high - low)
    for sign, side in ((upper, 1), (lower, -1)):
        tone = p.ink if sign == upper else p.second
        tube.rule(c, sign, rulings[sign], side=side, inset=13, height=14, tone=tone)
        write(c, "°" + sign, 108, cy - side * 32, height=16, tone=tone)
    if bath:
        for _ in range(16):
            x, r = rng.uniform(30, 610), rng.uniform(8, 20)
            c.circle(x, cy + 88 + r * 0.6 + rng.uniform(-6, 12), r, fill="#FFFFFF", opacity=0.75)
    return c.svg()


def dial_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A round thermometer with both scales: in a glowing oven or on a wall."""
    c, p = Canvas(), palette_of(params, rng)
    oven = text_of(params, "setting", "oven") == "oven"
    low, high = number_of(params, "low", 0), number_of(params, "high", 300 if oven else 50)
    dial = Dial(low, high, 320 if oven else rng.choice([270.0, 320.0, 370.0]), 226, 158)
    if oven:
        surroundings.oven(c, p)
    else:
        scenery.room(c, p, horizon=420)
        for side in (-1, 1):
            if 70 < dial.cx + side * 262 < 570:
                surroundings.wall_piece(c, p, dial.cx + side * 262, rng)
    dial.face(c, STEEL if oven else mix(WOOD, p.accent, 0.3), CREAM)
    outer, inner = _order(params, rng)
    rulings = _rulings(high - low)
    if not oven:
        rulings = {"C": Ruling(10, 2), "F": Ruling(20, 4)}
    dial.rule(c, outer, rulings[outer], outer=True, height=14, tone=p.ink)
    dial.rule(c, inner, rulings[inner], outer=False, height=12, tone=p.second)
    dial.arc(c, p.ink)
    dial.needle(c, value, "#D9483B")
    return c.svg()
