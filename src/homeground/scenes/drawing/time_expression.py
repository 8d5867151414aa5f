"""Analogue clocks on a wall beside a window whose light fits the hour."""

from __future__ import annotations

import random
from collections.abc import Mapping

from homeground.scenes.drawing import props, scenery, sky
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    palette_of,
    polar,
    text_of,
)
from homeground.scenes.drawing.glyphs import write

TOP = 374.0


def hour_angle(hour: float) -> float:
    """The clockwise angle of the short hand from twelve."""
    return hour % 12 * 30


def minute_angle(hour: float) -> float:
    """The clockwise angle of the long hand from twelve."""
    return hour % 1 * 360


def clock_and_window(value: float, params: Mapping[str, object], rng: random.Random) -> str:
    """A clock, a window and a piece of furniture; value is the hour as a decimal."""
    c, p = Canvas(), palette_of(params, rng)
    light = sky.daylight(value)
    land = text_of(params, "land", rng.choice(sorted(sky.LANDS)))
    setting = text_of(params, "setting", "kitchen")
    mirrored = text_of(params, "clock", rng.choice(["left", "right"])) == "right"
    scenery.room(c, p, horizon=440, boards=False)
    under_clock, under_window = (476.0, 168.0) if mirrored else (164.0, 472.0)
    _furniture(c, p, setting, value, under_clock, under_window)
    if light < 1:
        c.rect(0, 0, 640, 480, fill="#111C42", opacity=0.58 * (1 - light))
    box = (48.0 if mirrored else 352.0, 44.0, 240.0, 236.0)
    frame = darker(CREAM, 0.4 * (1 - light))
    scenery.window(c, *box, lambda: sky.view(c, value, box, land, rng), frame=frame, bars=(2, 1))
    if light < 0.7:
        _lamp(c, p, under_clock - (0 if setting == "bedroom" else 52), TOP)
    face(c, p, value, under_clock, 158, 110, text_of(params, "face", "numerals"), light)
    return c.svg()


def face(c: Canvas, p: Palette, hour: float, x: float, y: float, r: float, style: str, light: float) -> None:
    """A clock face whose hands show the hour exactly; style is numerals, ticks, dots or square."""
    dim = 0.26 * (1 - light)
    rim, plate = darker(p.second, dim), darker("#FFFFFF", dim * 0.5)
    if style == "square":
        c.drop(x - r, y - r, 2 * r, 2 * r, 26)
        c.rect(x - r, y - r, 2 * r, 2 * r, 26, fill=rim)
        c.rect(x - r + 11, y - r + 11, 2 * r - 22, 2 * r - 22, 18, fill=plate)
    else:
        c.drop(x - r, y - r, 2 * r, 2 * r, r)
        c.circle(x, y, r, fill=rim)
        c.circle(x, y, r * 0.9, fill=plate)
    for i in range(60):
        major = i % 5 == 0
        if not major and style == "ticks":
            continue
        if style == "dots":
            if major:
                c.circle(*polar(x, y, r * 0.76, i * 6), r * (0.06 if i % 15 else 0.09), fill=p.ink)
            continue
        outer, size = r * 0.86, 0.035
        if major:
            size = 0.05 if style == "numerals" else 0.15
        a, b = polar(x, y, outer, i * 6), polar(x, y, outer - r * size, i * 6)
        c.line(*a, *b, stroke=p.ink, width=3.4 if major else 1.2)
    if style == "numerals":
        for i in range(1, 13):
            write(c, str(i), *polar(x, y, r * 0.675, i * 30), height=r * 0.155, tone=p.ink)
    for turn, length, width in (
        (hour_angle(hour), r * 0.37, r * 0.085),
        (minute_angle(hour), r * (0.55 if style == "numerals" else 0.7), r * 0.05),
    ):
        c.line(*polar(x, y, r * 0.1, turn + 180), *polar(x, y, length, turn), stroke=p.ink, width=width)
    c.circle(x, y, r * 0.075, fill=p.accent)


def _lamp(c: Canvas, p: Palette, x: float, base: float) -> None:
    """A lit table lamp with its glow."""
    for r in (112, 88, 64):
        c.circle(x, base - 60, r, fill="#FFD98A", opacity=0.1)
    c.rect(x - 3.5, base - 50, 7, 46, fill=darker(p.ink, 0.1))
    c.rect(x - 20, base - 6, 40, 6, 3, fill=darker(p.ink, 0.1))
    shade = [(x - 20, base - 84), (x + 20, base - 84), (x + 34, base - 40), (x - 34, base - 40)]
    c.poly(shade, fill=c.gradient("#FFE9B5", "#FFD27A"))


def _furniture(c: Canvas, p: Palette, setting: str, hour: float, clock: float, window: float) -> None:
    """What stands below the clock and below the window; both are given by their middles."""
    if setting == "bedroom":
        _bed(c, p, clock, window)
        return
    tone = mix(WOOD, p.floor, 0.4) if setting != "kitchen" else mix(p.second, "#FFFFFF", 0.2)
    c.rect(0, TOP + 18, 640, 110, fill=tone)
    for i in range(4):
        c.rect(8 + i * 158, TOP + 34, 150, 90, 6, fill=lighter(tone, 0.12))
        c.rect(66 + i * 158, TOP + 48, 34, 6, 3, fill=darker(tone, 0.35))
    c.rect(-5, TOP, 650, 18, fill=mix(WOOD, CREAM, 0.35))
    c.rect(-5, TOP + 14, 650, 6, fill=darker(tone, 0.3))
    if setting == "kitchen":
        _kettle(c, p, clock + 52)
        x = window - 50
        for dx, r, fruit in ((-27, 17, p.accent), (1, 18, p.third), (27, 16, "#8DB56E")):
            c.circle(x + dx, TOP - 38, r, fill=fruit)
        c.path(
            f"M{x - 52} {TOP - 38}H{x + 52}Q{x + 48} {TOP - 4} {x + 18} {TOP}H{x - 18}"
            f"Q{x - 48} {TOP - 4} {x - 52} {TOP - 38}Z",
            fill=lighter(p.second, 0.3),
        )
    elif setting == "desk":
        for i, (w, h) in enumerate(((18, 48), (22, 54), (16, 44), (20, 51))):
            tome = (p.accent, p.second, p.third, p.ink)[i]
            c.rect(window - 100 + i * 23, TOP - h, w, h, 2, fill=tome)
        scenery.pot_plant(c, clock + 62, TOP, 78, p.accent)
    else:
        scenery.pot_plant(c, clock + 56, TOP, 82, p.accent)
        c.rect(window - 92, TOP - 16, 84, 16, 2, fill=p.second)
        c.rect(window - 84, TOP - 30, 70, 14, 2, fill=p.third)
        c.ellipse(window - 50, TOP - 37, 20, 8, fill=p.accent)
    if 5 <= hour < 11:
        _hot_drink(c, p, window + 58)


def _hot_drink(c: Canvas, p: Palette, x: float) -> None:
    """A steaming mug: the day begins."""
    c.shadow(x, TOP, 26, 3)
    with c.group(x, TOP, 4.2):
        props.mug(c, p)
    for dx in (-8, 6):
        c.path(f"M{x + dx} {TOP - 46}q-6 -6 0 -12t0 -12", stroke="#FFFFFF", width=3, opacity=0.9)


def _bed(c: Canvas, p: Palette, clock: float, window: float) -> None:
    """A bed below the window and a bedside table below the clock."""
    wood = mix(WOOD, p.floor, 0.3)
    c.rect(clock - 74, TOP, 148, 12, 4, fill=lighter(wood, 0.15))
    c.rect(clock - 66, TOP + 12, 132, 100, fill=wood)
    c.rect(clock - 56, TOP + 26, 112, 44, 5, fill=lighter(wood, 0.14))
    c.circle(clock, TOP + 48, 5, fill=darker(wood, 0.4))
    left = window - 196
    c.rect(left, 330, 392, 160, 22, fill=darker(wood, 0.08))
    c.rect(left, 330, 392, 10, 5, fill=lighter(wood, 0.18))
    c.rect(left + 14, 420, 364, 64, fill=CREAM)
    for x in (left + 26, left + 202):
        c.rect(x, 366, 164, 72, 28, fill=lighter(p.third, 0.55))
        c.rect(x + 8, 416, 148, 22, 11, fill=lighter(p.third, 0.4))
    c.path(
        f"M{left - 8} 480V450Q{left + 100} 432 {left + 200} 444T{left + 400} 448V480Z",
        fill=p.second,
    )


def _kettle(c: Canvas, p: Palette, x: float) -> None:
    steel = c.gradient(lighter(STEEL, 0.5), darker(STEEL, 0.12), across=True)
    c.path(
        f"M{x - 30} {TOP - 40}L{x - 54} {TOP - 62}L{x - 44} {TOP - 66}L{x - 24} {TOP - 52}Z",
        fill=STEEL,
    )
    c.path(
        f"M{x - 36} {TOP}Q{x - 34} {TOP - 66} {x} {TOP - 68}Q{x + 34} {TOP - 66} {x + 36} {TOP}Z",
        fill=steel,
    )
    c.path(f"M{x - 24} {TOP - 62}Q{x} {TOP - 118} {x + 26} {TOP - 60}", stroke=p.ink, width=8)
    c.circle(x, TOP - 72, 6, fill=p.ink)
