"""Vehicles on the move, with motion lines as long as they are fast, or standing still."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import props, scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    number_of,
    palette_of,
    text_of,
)
from homeground.scenes.drawing.fleet import VEHICLES

BASE = 386.0


def line_length(speed: float) -> float:
    """The length in pixels of the longest motion line at a speed in km/h."""
    return 0.0 if speed <= 0 else 36 + 1.5 * min(speed, 160.0)


def moving_vehicle(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A vehicle from the side; motion lines, blur and dust show how fast it goes."""
    c, p = Canvas(), palette_of(params, rng)
    kind = VEHICLES[text_of(params, "vehicle", "car")]
    setting = text_of(params, "setting", "country")
    tone = {"accent": p.accent, "second": p.second, "third": darker(p.third, 0.1)}[
        text_of(params, "tone", "accent")
    ]
    moving = value > 0
    train = setting == "rail"
    haze = min(24.0, value / 4)
    with c.smear(haze) if haze > 5 else c.group(), c.group(-20, -14, 1.06):
        c.rect(-40, 0, 720, 480, fill=c.gradient(*_sky(p)))
        _behind(c, p, setting, rng, value)
    _ground(c, p, setting, rng, value)
    x = 330.0 if moving else 300.0
    scale = number_of(params, "width", 300) / kind.length
    flip = not train and text_of(params, "facing", rng.choice(["left", "right"])) == "left"
    if flip:
        x = 640 - x
    way = -1 if flip else 1
    back = -way * kind.length * scale / 2
    if not train:
        c.shadow(x, BASE, kind.length * scale * 0.52, 9)
    if moving and not train and kind.length > 250:
        _dust(c, x + back, way, value, rng)
    with c.group(x, BASE, scale, flip=flip):
        kind.draw(c, p, tone, moving)
    if moving:
        tail = way * 24 + x if train else x + back * 1.06
        _lines(c, tail, way, value, kind.height * scale, rng, train)
    elif not train:
        _still(c, p, x + way * kind.length * scale / 2, way, text_of(params, "before", "cat"))
    return c.svg()


def _sky(p: Palette) -> tuple[str, str]:
    return mix("#8CC7E8", p.wall, 0.35), mix("#EEF6F6", p.wall, 0.3)


def _behind(c: Canvas, p: Palette, setting: str, rng: random.Random, speed: float) -> None:
    """Hills and trees, or a row of plain houses."""
    for middle in (90, 330, 540):
        scenery.cloud(c, middle + rng.uniform(-40, 40), rng.uniform(60, 120), 110, "#FFFFFF", 0.8)
    if setting in ("town", "tramway"):
        x = -20.0
        while x < 650:
            w, h = rng.uniform(76, 120), rng.uniform(120, 220)
            tone = mix(rng.choice([p.wall, p.panel, p.third, p.second]), "#C9D3D8", 0.45)
            _house(c, x, 330, w, h, tone)
            x += w
        return
    field = mix("#94B87A", p.panel, 0.25)
    scenery.ridge(c, rng, 290, 44, mix(field, "#DCEBF0", 0.5))
    scenery.ridge(c, rng, 318, 24, mix(field, "#DCEBF0", 0.2), span=3)
    for i in range(8):
        x = i * 88 + rng.uniform(-26, 26)
        if speed >= 80 and i % 2:
            continue
        draw = scenery.round_tree if rng.random() < 0.7 else scenery.fir_tree
        draw(c, x, 338, rng.uniform(60, 118), mix("#5E9464", "#D5E6E0", 0.18))


def _house(c: Canvas, x: float, base: float, w: float, h: float, tone: str) -> None:
    c.rect(x, base - h, w + 1, h + 10, fill=tone)
    c.rect(x - 2, base - h - 7, w + 4, 8, 2, fill=darker(tone, 0.16))
    cols = max(2, int(w // 30))
    for row in range(int(h // 42)):
        for col in range(cols):
            left = x + (col + 0.5) * w / cols - 7
            c.rect(left, base - h + 14 + row * 40, 14, 22, 2, fill=mix(tone, "#F4FAFC", 0.6))


def _ground(c: Canvas, p: Palette, setting: str, rng: random.Random, value: float) -> None:
    """The road, the field or the rails under the vehicle."""
    grass = mix("#8DB56E", p.panel, 0.15)
    c.rect(0, 328, 640, 152, fill=c.gradient(grass, darker(grass, 0.12)))
    if setting == "field":
        soil = mix(p.floor, "#8A6748", 0.4)
        c.rect(0, 348, 640, 132, fill=c.gradient(lighter(soil, 0.12), darker(soil, 0.1)))
        for i in range(8):
            y = 354 + i * i * 2.3
            c.line(0, y, 640, y, stroke=darker(soil, 0.2), width=1.5 + i * 0.5, opacity=0.6)
    elif setting == "rail":
        c.poly([(0, 372), (640, 372), (640, 424), (0, 424)], fill="#A79E95")
        for i in range(27):
            c.rect(i * 25 - 8, 391, 15, 9, 1, fill="#6D5848")
        c.rect(0, BASE, 640, 6, fill=darker(STEEL, 0.35))
        c.rect(0, BASE, 640, 2, fill=lighter(STEEL, 0.2))
    elif setting != "meadow":
        asphalt = mix("#6E7681", p.ink, 0.12)
        if setting in ("town", "tramway"):
            c.rect(0, 328, 640, 26, fill="#D3D0C8")
            c.rect(0, 350, 640, 6, fill="#B4B1AA")
        c.rect(0, 354, 640, 92, fill=c.gradient(lighter(asphalt, 0.08), asphalt))
        c.rect(0, 354, 640, 3, fill=lighter(asphalt, 0.3))
        for y in (BASE - 2, BASE + 20) if setting == "tramway" else ():
            c.rect(0, y, 640, 5, fill=lighter(STEEL, 0.1))
            c.rect(0, y + 4, 640, 2.5, fill=darker(asphalt, 0.3))
        for i in range(7):
            c.rect(i * 112 - 40, 416, 62, 5, 2.5, fill=CREAM, opacity=0.85)
        c.rect(0, 446, 640, 34, fill=darker(grass, 0.04))
    if setting == "motorway":
        c.rect(0, 318, 640, 12, 2, fill=lighter(STEEL, 0.25))
        c.rect(0, 323, 640, 2.5, fill=darker(STEEL, 0.12))
        for i in range(11):
            c.rect(i * 64 + 16, 328, 6, 26, fill=darker(STEEL, 0.15))
    if setting != "field" and value < 60:
        scenery.tufts(c, rng, 456, 476, darker(grass, 0.22), 14)


def _lines(
    c: Canvas, tail: float, way: int, speed: float, height: float, rng: random.Random, over: bool
) -> None:
    """Motion lines behind the vehicle (across it for a train)."""
    longest = line_length(speed)
    count = 3 + int(min(speed, 140) // 35)
    for i in range(count):
        y = BASE - height * (0.12 + 0.78 * i / (count - 1))
        length = longest * rng.uniform(0.6, 1.0)
        start = tail - way * rng.uniform(4, 16)
        if over:
            start, y = tail - 40 - rng.uniform(0, 240), BASE - height - 10 - i * 15
        c.line(start, y, start - way * length, y, stroke="#FFFFFF", width=4.5, opacity=0.9)


def _dust(c: Canvas, x: float, way: int, speed: float, rng: random.Random) -> None:
    for i in range(3 + int(speed // 30)):
        r = 13 - i * 1.4 + rng.uniform(-1, 1)
        c.circle(
            x - way * (4 + i * 17),
            BASE - max(4.0, r) * 0.7,
            max(4.0, r),
            fill="#F3EDE2",
            opacity=0.75,
        )


def _still(c: Canvas, p: Palette, x: float, way: int, before: str) -> None:
    """A cat that sits right before the vehicle, or another thing there: nothing moves here."""
    prop = props.PROPS[before]
    x += way * (8 + 115 * prop.half)
    c.shadow(x, BASE + 4, prop.half * 96, 4)
    with c.group(x, BASE + 4, 1.15, flip=way > 0):
        prop.draw(c, p)
