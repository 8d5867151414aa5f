"""Where thermometers are found: a wall, a porch, a bath, a bedside table, an oven."""

from __future__ import annotations

import random

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    box_path,
    darker,
    fmt,
    lighter,
    mix,
)


def wall_piece(c: Canvas, p: Palette, x: float, rng: random.Random, *, green: bool = True) -> None:
    """A framed picture or a plant beside the thermometer."""
    if rng.random() < 0.5 or not green:
        w, h, y = 104.0, 132.0, 96.0
        c.drop(x - w / 2, y, w, h, 2, 6)
        c.rect(x - w / 2, y, w, h, 2, fill=darker(p.floor, 0.25))
        c.rect(x - w / 2 + 7, y + 7, w - 14, h - 14, fill=CREAM)
        with c.clip(box_path(x - 34, y + 20, 68, h - 40)):
            c.rect(x - 34, y + 20, 68, 92, fill=lighter(p.third, 0.4))
            c.circle(x + 10, y + 52, 15, fill=p.accent)
            c.path(f"M{fmt(x - 40)} {fmt(y + 92)}q26 -34 50 -8t40 -10v60h-100Z", fill=p.second)
        return
    c.rect(x - 62, 292, 124, 9, 3, fill=darker(p.floor, 0.1))
    c.rect(x - 58, 301, 116, 7, fill="#1F2A3A", opacity=0.12)
    scenery.pot_plant(c, x - 10, 292, 128, p.accent)


def porch(c: Canvas, p: Palette, snow: bool) -> None:
    """The boarded house wall on the left, with snow on its ledge or none."""
    tone = mix(p.second, p.wall, 0.45)
    c.rect(268, 0, 34, 480, fill=c.gradient("#1F2A3A", "#1F2A3A", across=True, fade=(0.2, 0.0)))
    c.rect(0, 0, 270, 480, fill=tone)
    for i in range(1, 11):
        c.rect(0, i * 45 - 3, 270, 3, fill=darker(tone, 0.16))
        c.rect(0, i * 45, 270, 2, fill=lighter(tone, 0.18))
    c.rect(256, 0, 20, 480, fill=CREAM)
    c.rect(272, 0, 4, 480, fill=darker(CREAM, 0.14))
    if snow:
        c.path("M0 480V452C40 436 90 448 140 440S240 446 290 452Q330 460 344 480Z", fill="#FFFFFF")


def bath(c: Canvas, p: Palette, rng: random.Random, cy: float) -> None:
    """Tiles, a tap, bath water and foam."""
    c.rect(0, 0, 640, 480, fill=lighter(p.panel, 0.35))
    for row in range(5):
        for col in range(11):
            tone = lighter(p.panel, 0.1 + 0.35 * rng.random())
            c.rect(col * 62 - 20, row * 44 - 10, 58, 40, 4, fill=tone)
    steel = c.gradient(lighter(STEEL, 0.5), darker(STEEL, 0.2))
    c.path("M300 176V106a34 34 0 0 1 68 0V118", stroke=darker(STEEL, 0.05), width=20)
    c.path("M296 176V106a38 38 0 0 1 38 -38", stroke=lighter(STEEL, 0.45), width=4)
    for knob in (236, 364):
        c.rect(knob - 8, 146, 16, 30, 4, fill=steel)
        c.rect(knob - 26, 132, 52, 16, 8, fill=steel)
    c.rect(-20, 172, 680, 34, 17, fill=CREAM)
    c.rect(-20, 194, 680, 20, fill=darker(CREAM, 0.12))
    c.rect(0, 208, 640, 272, fill=c.gradient("#7CC4D6", "#4C9DBB"))
    for i in range(9):
        x, y = rng.uniform(0, 560), 226.0 + i * 28
        c.line(x, y, x + rng.uniform(40, 110), y, stroke="#FFFFFF", width=3, opacity=0.28)
    for _ in range(22):
        x, r = rng.uniform(0, 640), rng.uniform(8, 22)
        c.circle(x, 214 + rng.uniform(-6, 8), r, fill="#FFFFFF", opacity=0.85)
    c.ellipse(320, cy + 82, 290, 14, fill="#2F7C9C", opacity=0.35)


def bedside(c: Canvas, p: Palette, cy: float) -> None:
    """A folded cloth on a bedside table, with a cup and a plant leaf."""
    scenery.room(c, p, horizon=120, boards=False)
    scenery.table(c, 120, mix(WOOD, p.floor, 0.5))
    c.shadow(330, cy + 122, 318, 24, 0.3)
    c.rect(24, cy - 118, 592, 236, 22, fill=lighter(p.second, 0.55))
    for i in range(7):
        c.rect(24, cy - 96 + i * 32, 592, 6, fill=lighter(p.second, 0.7))
    c.rect(24, cy - 118, 592, 236, 22, stroke=lighter(p.second, 0.35), width=2)
    c.shadow(546, 124, 52, 9)
    c.path("M500 44H590L580 118Q578 126 568 126H522Q512 126 510 118Z", fill=p.accent)
    c.path("M588 58q34 -2 30 26t-36 26", stroke=p.accent, width=10)
    c.ellipse(545, 44, 45, 9, fill=lighter(p.accent, 0.35))
    c.ellipse(545, 45, 38, 6, fill=darker(p.accent, 0.4))


def oven(c: Canvas, p: Palette) -> None:
    """The inside of a hot oven, with a rack and a loaf in a tin."""
    c.rect(0, 0, 640, 480, fill=mix(p.second, "#DCE2E6", 0.75))
    c.rect(0, 0, 640, 26, fill=lighter(STEEL, 0.3))
    c.rect(34, 28, 572, 430, 30, fill="#3A3436")
    c.rect(48, 42, 544, 402, 22, fill=c.gradient("#4A2F2A", "#8A4428", "#D9772F"))
    c.rect(72, 424, 496, 8, 4, fill="#FFC05A")
    for i in range(8):
        c.rect(66 - i * 3, 416 - i * 3, 508 + i * 6, 24 + i * 6, 12 + i * 3, fill="#FF9A3C", opacity=0.09)
    for side in (48, 570):
        for y in (150, 250, 350):
            c.rect(side, y, 22, 5, fill="#2C2022", opacity=0.6)
    for x in (96, 484):
        c.path(f"M{x - 24} 380h108l-10 -46h-88Z", fill="#3B3E46")
        c.path(f"M{x - 18} 334c0 -40 96 -40 96 0Z", fill="#C98243")
        c.path(f"M{x + 4} 312l12 14M{x + 26} 306l12 16M{x + 48} 312l10 14", stroke="#E9B872", width=4)
    c.rect(292, 376, 56, 14, 4, fill=darker(STEEL, 0.2))
    for i in range(18):
        c.rect(64 + i * 30, 386, 4, 16, fill="#9AA3AA")
    c.rect(52, 382, 536, 7, 3, fill="#C3CBD1")
    c.rect(52, 400, 536, 5, 2, fill="#8E979E")
