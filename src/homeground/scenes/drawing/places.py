"""More places where thermometers are found: a fridge, a freezer, a greenhouse, a pool."""

from __future__ import annotations

import random

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
)


def fridge(c: Canvas, p: Palette) -> None:
    """The inside of a fridge: glass shelves with bottles, jars, cheese and vegetables."""
    _cold_box(c, "#EAF1F4", "#D5E2E9")
    for y in (196.0, 386.0):
        c.rect(58, y, 524, 9, 3, fill="#A9C6D3")
        c.rect(58, y + 9, 524, 7, fill="#1F2A3A", opacity=0.08)
    for x, tone in ((96.0, "#FFFFFF"), (548.0, mix(p.third, "#FFFFFF", 0.2))):
        c.path(f"M{x - 24} 196V106L{x - 10} 82V58H{x + 10}V82L{x + 24} 106V196Z", fill=tone)
        c.path(f"M{x + 8} 196V82H{x + 10}L{x + 24} 106V196Z", fill=darker(tone, 0.1))
        c.rect(x - 12, 50, 24, 12, 3, fill=p.second)
    for x in (92.0, 124.0, 108.0):
        y = 335.0 if x == 108 else 366.0
        c.circle(x, y, 20, fill="#D4493B")
        c.ellipse(x - 6, y - 8, 5, 4, fill="#FFFFFF", opacity=0.5)
        c.path(f"M{x - 8} {y - 18}L{x} {y - 14}L{x + 8} {y - 18}", stroke=LEAF, width=4)
    c.poly([(496, 386), (574, 386), (574, 332)], fill="#F3C954")
    c.poly([(496, 386), (574, 386), (574, 366), (496, 382)], fill=darker("#F3C954", 0.1))
    for x, y, r in ((556.0, 358.0, 6.0), (536.0, 370.0, 4.5), (562.0, 376.0, 3.5)):
        c.circle(x, y, r, fill=darker("#F3C954", 0.2))


def freezer(c: Canvas, p: Palette, rng: random.Random) -> None:
    """The inside of a freezer: frost on the walls, ice cubes and ice lollies."""
    _cold_box(c, "#DCECF4", "#B5D3E3")
    for _ in range(60):
        x, y = rng.uniform(58, 582), rng.choice([rng.uniform(46, 66), rng.uniform(46, 400)])
        c.circle(x, y, rng.uniform(2, 6), fill="#FFFFFF", opacity=0.6)
    d = "M52 44V74"
    for i in range(11):
        d += f"q24 {8 + 12 * (i % 3)} 48.7 {rng.uniform(-3, 3):.2f}"
    c.path(d + "V44Z", fill="#FFFFFF", opacity=0.95)
    for x in (80.0, 136.0, 456.0, 512.0):
        for y in (348.0, 404.0):
            top = y - 46
            c.rect(x, top, 50, 50, 9, fill="#C4E3F1", opacity=0.95)
            c.poly([(x + 6, top + 8), (x + 24, top + 8), (x + 6, top + 30)], fill="#FFFFFF", opacity=0.8)
            c.rect(x, top, 50, 50, 9, stroke="#8FBBD2", width=2)
    for x, tone in ((104.0, p.accent), (546.0, p.third)):
        c.rect(x - 5, 250, 10, 52, 4, fill=WOOD)
        c.rect(x - 24, 160, 48, 104, 22, fill=tone)
        c.rect(x - 12, 176, 7, 70, 3, fill=lighter(tone, 0.4))
        c.rect(x + 6, 176, 7, 70, 3, fill=lighter(tone, 0.4))
    c.path("M52 440V412q60 -22 130 -6t150 -4t140 2t116 6v30Z", fill="#FFFFFF")


def _cold_box(c: Canvas, top: str, bottom: str) -> None:
    c.rect(0, 0, 640, 480, fill=lighter(STEEL, 0.25))
    c.rect(0, 0, 640, 480, fill=c.gradient("#FFFFFF", "#8FA3B0", across=True, fade=(0.35, 0.35)))
    c.rect(30, 22, 580, 440, 26, fill="#93A9B6")
    c.rect(38, 30, 564, 424, 22, fill="#FFFFFF")
    c.rect(52, 44, 536, 396, 14, fill=c.gradient(top, bottom))
    c.path("M180 44Q320 100 460 44Z", fill="#FFFFFF", opacity=0.8)


def greenhouse(c: Canvas, p: Palette, rng: random.Random) -> None:
    """Glass walls under a bright sky and rows of tomato plants."""
    c.rect(0, 0, 640, 480, fill="#A9D9EC")
    for x in (190.0, 510.0):
        c.poly([(x, 0), (x + 40, 0), (x - 40, 330), (x - 80, 330)], fill="#BFE3F1")
    c.circle(560, 70, 64, fill="#FFE9A8", opacity=0.5)
    c.circle(560, 70, 40, fill="#FFD24D")
    c.rect(0, 330, 640, 150, fill="#9BC48C")
    for i in range(5):
        x = i * 160.0 - 4
        c.rect(x, 0, 12, 400, fill="#F6FAF7")
        c.rect(x + 9, 0, 3, 400, fill="#BFD0C6")
    c.rect(0, 150, 640, 9, fill="#F6FAF7")
    c.rect(0, 157, 640, 3, fill="#BFD0C6")
    wood = mix(WOOD, p.floor, 0.4)
    for x in (62.0, 126.0, 514.0, 578.0):
        c.path(f"M{x} 430Q{x - 10} 330 {x + 2} 200", stroke="#4F8A54", width=6)
        for i in range(4):
            side = 1 if i % 2 else -1
            y = 236 + i * 46
            c.ellipse(x + side * 20, y, 22, 12, fill="#4F9058")
            if i > 1:
                c.circle(x - side * 13, y + 6, 11, fill=rng.choice(["#D4493B", "#E0603F", "#E9A23B"]))
    c.rect(-10, 414, 660, 80, fill=wood)
    c.rect(-10, 414, 660, 8, fill=lighter(wood, 0.3))
    c.rect(-10, 402, 660, 14, fill="#6B4A38")


def pool(c: Canvas, p: Palette, rng: random.Random, cy: float) -> None:
    """A garden pool with a tiled edge, a ball and rings of light on the water."""
    scenery.backdrop(c, "#79C2E8", "#E6F3EE")
    c.rect(0, 84, 640, 60, fill="#8FBF7F")
    for k in range(9):
        scenery.bush(c, 30 + k * 74 + rng.uniform(-12, 12), 116, rng.uniform(60, 90), "#6BA268")
    c.rect(0, 112, 640, 50, fill=CREAM)
    for k in range(9):
        c.line(k * 80 + 20, 112, k * 84, 162, stroke=darker(CREAM, 0.14), width=2)
    c.rect(0, 160, 640, 16, fill=darker(CREAM, 0.2))
    c.rect(0, 174, 640, 306, fill=c.gradient("#5CC0DC", "#2F8FBC"))
    for _ in range(26):
        x, y = rng.uniform(0, 600), rng.uniform(186, 470)
        bend, wide = rng.uniform(4, 9), rng.uniform(24, 70)
        c.path(
            f"M{x:.2f} {y:.2f}q{wide / 2:.2f} {bend:.2f} {wide:.2f} 0", stroke="#FFFFFF", width=3, opacity=0.4
        )
    with c.group(540, 176):
        c.circle(0, 0, 34, fill=CREAM)
        for turn in (0, 120, 240):
            with c.group(turn=turn):
                c.path(
                    "M0 0L-15 -30.5A34 34 0 0 1 15 -30.5Z", fill=(p.accent, p.second, p.third)[turn // 120]
                )
        c.path("M-36 12Q0 24 36 12V36H-36Z", fill="#53B8D7")
    c.ellipse(320, cy + 82, 290, 14, fill="#1F6F98", opacity=0.35)
