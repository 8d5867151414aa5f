"""Thermometers on walls, on a porch, in the bath, at the sickbed, in the oven."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import places, scenery, surroundings
from homeground.scenes.drawing.canvas import (
    CREAM,
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
from homeground.scenes.drawing.gauges import Dial, Ruling, Tube
from homeground.scenes.drawing.glyphs import write
from homeground.scenes.drawing.scales import bare, flank, order, rulings_of


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
    tube.draw(c, value, bulb=13, bore=7)
    flank(c, p, tube, order(params, rng), numerals=14, letters=(52, 368, 17))
    return c.svg()


def porch_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """An outdoor thermometer, with bare ticks unless told; the weather fits the temperature."""
    c, p = Canvas(), palette_of(params, rng)
    weather = "snow" if value <= 1 else "sun" if value >= 27 else "cloud"
    weather = text_of(params, "weather", weather)
    snow = weather == "snow"
    top, low_sky, land = {
        "snow": ("#9FC3DC", "#E6F0F5", "#F4F8FA"),
        "sun": ("#58AEE0", "#D3ECF5", "#C9B458"),
        "rain": ("#7F93A6", "#C9D3D9", "#7FA274"),
        "cloud": ("#86BBD8", "#E9F1EA", "#86AE74"),
    }[weather]
    scenery.backdrop(c, top, low_sky)
    if weather == "sun":
        c.circle(510, 92, 70, fill="#FFE9A8", opacity=0.5)
        c.circle(510, 92, 46, fill="#FFD24D")
    else:
        for cx, cy, size in ((470, 110, 150), (590, 70, 120), (380, 66, 90)):
            scenery.cloud(c, cx, cy, size * (1.3 if weather == "rain" else 1), "#FFFFFF")
    scenery.ridge(c, rng, 330, 40, mix(land, top, 0.45))
    scenery.ridge(c, rng, 375, 24, mix(land, top, 0.18), span=3)
    for tx, size in ((330.0, 110), (392, 150), (560, 170), (612, 130)):
        tone = mix("#3F7360", "#FFFFFF", 0.1)
        if snow:
            scenery.fir_tree(c, tx, 396, size, mix(tone, "#E8F1F5", 0.35))
        else:
            scenery.round_tree(c, tx, 396, size, mix("#6E9A4F", land, 0.25 if weather == "sun" else 0))
    c.rect(0, 392, 640, 88, fill=c.gradient(land, darker(land, 0.1)))
    if not snow:
        scenery.tufts(c, rng, 412, 472, darker(land, 0.16))
    if weather == "rain":
        _rain(c, rng)
    surroundings.porch(c, p, snow)
    _outdoor_tube(c, p, value, params, rng)
    if snow:
        for _ in range(70):
            x, y = rng.uniform(286, 636), rng.uniform(6, 474)
            c.circle(x, y, rng.uniform(1.6, 3.8), fill="#FFFFFF", opacity=0.95)
    return c.svg()


def _rain(c: Canvas, rng: random.Random) -> None:
    for _ in range(80):
        x, y = rng.uniform(280, 650), rng.uniform(60, 470)
        c.line(x, y, x - 5, y + 17, stroke="#EAF2F6", width=2, opacity=0.75)
    for x, wide in ((360.0, 44.0), (476.0, 60.0), (592.0, 40.0)):
        c.ellipse(x, 446, wide, 8, fill="#A9BFCB")
        c.ellipse(x, 446, wide * 0.55, 4, stroke="#E3EDF2", width=2)


def _outdoor_tube(
    c: Canvas, p: Palette, value: float, params: Mapping[str, object], rng: random.Random
) -> None:
    both = text_of(params, "scales", "ticks") == "both"
    low, high = number_of(params, "low", -30), number_of(params, "high", 50)
    half = 78.0 if both else 46.0
    x = 136.0 if both else 150.0
    c.drop(x - half, 34, half * 2, 376, 46)
    c.rect(x - half, 34, half * 2, 376, 46, fill=lighter(STEEL, 0.25))
    c.rect(x - half + 6, 40, half * 2 - 12, 364, 40, fill=CREAM)
    tube = Tube(low, high, (x, 352 - (18 if both else 0)), 262 if both else 280)
    tube.draw(c, value, bulb=14, bore=8)
    if not both:
        for side in (-1, 1):
            tube.rule(c, "", Ruling(10, 2), side=side, inset=14, height=0, tone=p.ink)
        return
    flank(c, p, tube, order(params, rng), numerals=13, letters=(46, 372, 15))


def lying_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A lying thermometer: floating in a bath or a pool, or on a bedside cloth."""
    c, p = Canvas(), palette_of(params, rng)
    setting = text_of(params, "setting", "bath")
    low, high = (35.0, 42.0) if setting == "bedside" else (10.0, 50.0)
    cy = 250.0 if setting == "bedside" else 300.0
    if setting == "bath":
        surroundings.bath(c, p, rng, cy)
    elif setting == "pool":
        places.pool(c, p, rng, cy)
    else:
        surroundings.bedside(c, p, cy)
    body = CREAM if setting == "bedside" else mix(p.third, "#FFFFFF", 0.15)
    c.drop(54, cy - 74, 532, 148, 74, 10)
    c.rect(54, cy - 74, 532, 148, 74, fill=c.gradient(lighter(body, 0.3), body))
    c.rect(72, cy - 58, 496, 116, 58, fill="#FFFFFF")
    tube = Tube(low, high, (142, cy), 380, upright=False)
    tube.draw(c, value, bulb=13, bore=7)
    upper, lower = order(params, rng)
    rulings = rulings_of(high - low)
    for sign, side in ((upper, 1), (lower, -1)):
        tone = p.ink if sign == upper else p.second
        if bare(params):
            tube.rule(c, "", Ruling(10, 2), side=side, inset=14, height=0, tone=p.ink)
            continue
        tube.rule(c, sign, rulings[sign], side=side, inset=13, height=14, tone=tone)
        write(c, "°" + sign, 108, cy - side * 32, height=16, tone=tone)
    if setting == "bath":
        for _ in range(16):
            x, r = rng.uniform(30, 610), rng.uniform(8, 20)
            c.circle(x, cy + 88 + r * 0.6 + rng.uniform(-6, 12), r, fill="#FFFFFF", opacity=0.75)
        for x in (120.0, 190, 430, 500) if value >= 38 else ():
            c.path(f"M{x} 200q-16 -26 0 -52t0 -56", stroke="#FFFFFF", width=8, opacity=0.6)
    return c.svg()


def dial_thermometer(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A round thermometer: in an oven, a fridge, a freezer, a greenhouse or on a wall."""
    c, p = Canvas(), palette_of(params, rng)
    setting = text_of(params, "setting", "oven")
    spans = {"oven": (0.0, 300.0), "fridge": (-20.0, 40.0), "freezer": (-30.0, 20.0)}
    low, high = spans.get(setting, (0.0, 50.0))
    low, high = number_of(params, "low", low), number_of(params, "high", high)
    middle = rng.choice([270.0, 320.0, 370.0])
    dial = Dial(low, high, middle if setting == "room" else 320, 226, 158)
    if setting == "oven":
        surroundings.oven(c, p)
    elif setting == "fridge":
        places.fridge(c, p)
    elif setting == "freezer":
        places.freezer(c, p, rng)
    elif setting == "greenhouse":
        places.greenhouse(c, p, rng)
    else:
        scenery.room(c, p, horizon=420)
        for side in (-1, 1):
            if 70 < dial.cx + side * 262 < 570:
                surroundings.wall_piece(c, p, dial.cx + side * 262, rng)
    plain = mix(p.second, "#FFFFFF", 0.2) if setting in ("fridge", "freezer") else mix(WOOD, p.accent, 0.3)
    dial.face(c, STEEL if setting == "oven" else plain, CREAM)
    outer, inner = order(params, rng)
    if bare(params):
        third = (high - low) / 3
        bands = (low, low + third, high - third, high)
        dial.zones(c, ("#6FB2D6", "#F1CB6A", "#DD6A4F"), bands)
        label = 50 if setting == "oven" else 10
        dial.rule(c, "", Ruling(label, label / 5), outer=True, height=0, tone=p.ink)
    else:
        rulings = rulings_of(high - low)
        if setting != "oven":
            rulings = {"C": Ruling(10, 2), "F": Ruling(20, 4)}
        dial.rule(c, outer, rulings[outer], outer=True, height=14, tone=p.ink)
        dial.rule(c, inner, rulings[inner], outer=False, height=12, tone=p.second)
        dial.arc(c, p.ink)
    dial.needle(c, value, "#D9483B")
    return c.svg()
