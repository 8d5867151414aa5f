"""Large things of known size out of doors; one drawn unit is one centimetre unless scaled."""

from __future__ import annotations

from homeground.scenes.drawing import vehicles
from homeground.scenes.drawing.canvas import (
    CREAM,
    GLASS,
    LEAF,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)


def turbine(c: Canvas, p: Palette) -> None:
    """A wind turbine, about 100 m high."""
    white = "#F7F9FA"
    with c.group(scale=100):
        c.poly([(-2, 0), (-0.9, -70), (0.9, -70), (2, 0)], fill=white)
        c.poly([(0.3, 0), (0.2, -70), (0.9, -70), (2, 0)], fill=darker(white, 0.12))
        for turn in (14, 134, 254):
            with c.group(0, -70, turn=turn):
                c.path("M-1 0Q-2.4 -8 -0.5 -33Q0.4 -34 0.6 -33L1 0Z", fill=white)
                c.path("M0.1 0L0.1 -33.4Q0.5 -33.6 0.6 -33L1 0Z", fill=darker(white, 0.12))
        c.circle(0, -70, 2, fill=darker(white, 0.2))


def lighthouse(c: Canvas, p: Palette) -> None:
    """A lighthouse, about 30 m high."""
    with c.group(scale=100):
        c.poly([(-3.6, 0), (-2.1, -22), (2.1, -22), (3.6, 0)], fill="#FAF6EE")
        for low, high in ((0, -5), (-10, -15)):
            a, b = 3.6 + low * 1.5 / 22, 3.6 + high * 1.5 / 22
            c.poly([(-a, low), (-b, high), (b, high), (a, low)], fill=p.accent)
        c.poly([(0.8, 0), (0.6, -22), (2.1, -22), (3.6, 0)], fill="#1F2A3A", opacity=0.12)
        c.rect(-3, -23, 6, 1.2, 0.4, fill=p.ink)
        c.rect(-1.6, -26.4, 3.2, 3.6, fill="#FFE9B0")
        c.rect(-0.2, -26.4, 0.4, 3.6, fill=p.ink)
        c.path("M-2.2 -26.2Q0 -30.4 2.2 -26.2Z", fill=p.accent)
        c.rect(-0.8, -3, 1.6, 3, 0.7, fill=p.ink)


def barn(c: Canvas, p: Palette) -> None:
    """A wooden barn, 14 m wide and 9 m high."""
    red = mix("#B5493B", p.accent, 0.35)
    with c.group(scale=100):
        c.poly([(-6.6, 0), (-6.6, -5), (6.6, -5), (6.6, 0)], fill=red)
        for i in range(1, 13):
            c.line(-6.6 + i * 1.015, 0, -6.6 + i * 1.015, -5, stroke=darker(red, 0.16), width=0.1)
        c.poly([(-7.2, -4.7), (-5, -8.8), (5, -8.8), (7.2, -4.7)], fill=darker(p.ink, 0.05))
        c.poly([(-6.7, -5.1), (-4.8, -8.5), (4.8, -8.5), (6.7, -5.1)], fill=mix(p.ink, "#FFFFFF", 0.3))
        c.rect(-2, -3.9, 4, 3.9, fill=CREAM)
        for x in (-1.75, 0.1):
            c.rect(x, -3.6, 1.65, 3.6, fill=darker(red, 0.15))
            c.path(f"M{x} -3.6l1.65 3.6M{x + 1.65} -3.6l-1.65 3.6", stroke=CREAM, width=0.25)


def tower(c: Canvas, p: Palette) -> None:
    """A water tower, 30 m high."""
    tone = mix(p.second, "#FFFFFF", 0.2)
    with c.group(scale=100):
        for x in (-4, -1.4, 1.4, 4):
            c.line(x, 0, x * 0.8, -20, stroke=darker(STEEL, 0.3), width=0.6)
        for y in (-7, -14):
            c.line(-3.8, y, 3.8, y, stroke=darker(STEEL, 0.3), width=0.4)
        c.path("M-3.7 -7L3.4 -14M3.7 -7L-3.4 -14", stroke=darker(STEEL, 0.2), width=0.25)
        c.path("M-5.4 -26V-21.5Q-4 -18.6 0 -18.6Q4 -18.6 5.4 -21.5V-26Z", fill=tone)
        c.path("M2 -26H5.4V-21.5Q4 -18.6 1 -18.6Z", fill=darker(tone, 0.15))
        c.path("M-5.8 -25.8Q-3 -29.6 0 -30Q3 -29.6 5.8 -25.8Z", fill=p.accent)


def tall_house(c: Canvas, p: Palette) -> None:
    """A house of seven floors, 16 m wide and 24 m high."""
    wall = mix(p.second, CREAM, 0.55)
    with c.group(scale=100):
        c.rect(-8, -23, 16, 23, fill=wall)
        c.rect(4, -23, 4, 23, fill=darker(wall, 0.08))
        c.rect(-8.4, -24, 16.8, 1.3, 0.2, fill=darker(wall, 0.35))
        for row in range(7):
            for x in (-6.6, -3.4, 1.6, 4.8):
                if row == 6 and x in (-3.4, 1.6):
                    continue
                c.rect(x, -21.8 + row * 3.1, 1.8, 1.9, 0.1, fill=darker(GLASS, 0.3))
        c.rect(-1.2, -2.7, 2.4, 2.7, 0.1, fill=p.accent)


def poplar(c: Canvas, p: Palette) -> None:
    """A slim tree, 15 m high."""
    leaf = mix(LEAF, p.third, 0.12)
    with c.group(scale=100):
        c.path("M-0.35 0L-0.2 -4H0.2L0.35 0Z", fill=mix(WOOD, "#5B4636", 0.55))
        c.path("M0 -15C2.2 -11 2.6 -6 1.6 -3Q0 -1.4 -1.6 -3C-2.6 -6 -2.2 -11 0 -15Z", fill=leaf)
        c.path("M0 -15C2.2 -11 2.6 -6 1.6 -3Q1 -2.2 0.3 -2.1C1.2 -6 1.2 -11 0 -15Z", fill=darker(leaf, 0.14))
        for x, y in ((-0.8, -6.0), (-0.5, -9.0), (-0.9, -4.0), (0.2, -7.4)):
            c.ellipse(x, y, 0.3, 0.9, fill=lighter(leaf, 0.14))


def snowman(c: Canvas, p: Palette) -> None:
    """A snowman, 1.7 m high."""
    shade = "#D3E1EA"
    c.path("M-30 -98L-66 -122M-58 -116l-4 -16M30 -98L66 -122M58 -116l4 -16", stroke="#6B4A38", width=4)
    for y, r in ((-40, 42), (-96, 31), (-134, 22)):
        c.circle(0, y, r, fill=shade)
        c.circle(-r * 0.08, y - r * 0.05, r * 0.91, fill="#FFFFFF")
    for y in (-106, -92, -78):
        c.circle(0, y, 3.4, fill=p.ink)
    c.path("M-22 -118Q0 -108 22 -118L20 -106Q0 -96 -20 -106Z", fill=p.accent)
    c.path("M8 -106L22 -70H10L2 -102Z", fill=darker(p.accent, 0.12))
    for x in (-8, 8):
        c.circle(x, -140, 3, fill=p.ink)
    c.poly([(0, -136), (26, -130), (0, -127)], fill="#F0902F")
    c.rect(-26, -156, 52, 6, 3, fill=p.ink)
    c.rect(-17, -178, 34, 24, 3, fill=p.ink)
    c.rect(-17, -163, 34, 6, fill=p.accent)


def parasol(c: Canvas, p: Palette) -> None:
    """A beach parasol, 2.2 m high."""
    c.rect(-3, -205, 6, 205, fill=WOOD)
    c.path("M-120 -150Q-90 -222 0 -224Q90 -222 120 -150Q0 -170 -120 -150Z", fill=p.accent)
    c.path("M-44 -161Q-36 -214 0 -224Q36 -214 44 -161Q0 -166 -44 -161Z", fill=CREAM)
    c.path("M84 -156Q76 -210 0 -224Q90 -222 120 -150Z", fill=CREAM)
    c.path("M-84 -156Q-76 -210 0 -224Q-90 -222 -120 -150Z", fill=CREAM)
    c.circle(0, -226, 5, fill=p.ink)


def campfire(c: Canvas, p: Palette) -> None:
    """A campfire in a ring of stones, 1.1 m wide."""
    c.circle(0, -40, 66, fill="#FFD98A", opacity=0.3)
    c.path("M0 -112C8 -84 40 -70 32 -34Q26 -8 0 -8Q-26 -8 -32 -34C-36 -58 -10 -72 0 -112Z", fill="#F08A32")
    c.path("M2 -76C8 -58 22 -48 17 -28Q12 -10 0 -10Q-14 -10 -17 -28C-18 -44 -2 -54 2 -76Z", fill="#FFD25E")
    c.path("M-40 -6L34 -22M40 -6L-34 -22", stroke="#6B4A38", width=12)
    for x in (-48, -28, -8, 12, 32, 50):
        c.ellipse(x, -6, 12, 8, fill=mix(STEEL, p.ink, 0.3))


def tractor(c: Canvas, p: Palette) -> None:
    """A parked tractor in real size."""
    with c.group(0, 0, 400 / 280):
        vehicles.tractor(c, p, p.second, False)
