"""Things of known size that stand on the ground; one drawn unit is one centimetre."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeground.scenes.drawing import landmarks, scenery, tabletop, vehicles
from homeground.scenes.drawing.canvas import (
    CREAM,
    GLASS,
    LEAF,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)


def cat(c: Canvas, p: Palette) -> None:
    """A sitting cat."""
    fur = mix(p.accent, "#E8A766", 0.4)
    c.path("M-12 -4C-30 -2 -29 -20 -21 -22", stroke=darker(fur, 0.14), width=5)
    c.path("M-15 0C-20 -18 -9 -28 0 -32C9 -28 12 -14 12 0Z", fill=fur)
    c.poly([(-5, -42), (-5, -54), (3, -48)], fill=fur)
    c.poly([(5, -48), (13, -54), (13, -41)], fill=fur)
    c.circle(4, -38, 10.5, fill=fur)
    c.ellipse(7, -14, 4.5, 11, fill=lighter(fur, 0.45))
    c.path("M4 0V-14M11 0V-12", stroke=darker(fur, 0.14), width=1.4)
    for x in (1, 8):
        c.circle(x, -39.5, 1.5, fill=p.ink)
    c.path("M3 -35Q4.5 -33 6 -35", stroke=p.ink, width=1.1)


def bench(c: Canvas, p: Palette) -> None:
    """A park bench seen from the front."""
    iron, plank = darker(p.ink, 0.1), mix(WOOD, p.accent, 0.25)
    for x in (-62, 62):
        c.path(f"M{x} 0V-86M{x - 7} 0H{x + 7}", stroke=iron, width=6)
    for y in (-86, -71):
        c.rect(-80, y, 160, 11, 3, fill=plank)
        c.rect(-80, y + 8, 160, 3, 1.5, fill=darker(plank, 0.2))
    c.rect(-82, -47, 164, 10, 3, fill=lighter(plank, 0.1))
    c.rect(-82, -39, 164, 5, 2, fill=darker(plank, 0.25))


def tree(c: Canvas, p: Palette) -> None:
    """A broad-leaved tree."""
    scenery.round_tree(c, 0, 0, 560, mix(LEAF, p.third, 0.15))


def lamp_post(c: Canvas, p: Palette) -> None:
    """A street lamp."""
    iron = mix(p.ink, p.second, 0.3)
    c.circle(0, -400, 80, fill="#FFE7A6", opacity=0.22)
    c.rect(-15, -30, 30, 30, 4, fill=iron)
    c.rect(-6, -370, 12, 350, fill=iron)
    c.rect(1, -370, 5, 350, fill=darker(iron, 0.2))
    c.poly([(-20, -428), (20, -428), (14, -374), (-14, -374)], fill="#FFE9B0")
    c.path("M-28 -428L0 -452L28 -428Z", fill=iron)
    c.rect(-17, -376, 34, 8, 3, fill=iron)


def chair(c: Canvas, p: Palette) -> None:
    """A plain chair seen from the front."""
    wood = mix(WOOD, p.second, 0.2)
    for x in (-19, 19):
        c.rect(x - 2.5, -92, 5, 92, 2, fill=darker(wood, 0.15))
    for y in (-90, -74):
        c.rect(-19, y, 38, 9, 3, fill=wood)
    c.rect(-23, -50, 46, 7, 3, fill=p.accent)
    c.rect(-21, -43, 42, 5, fill=wood)


def tent(c: Canvas, p: Palette) -> None:
    """A small tent."""
    c.poly([(-115, 0), (0, -150), (115, 0)], fill=p.accent)
    c.poly([(0, -150), (115, 0), (30, 0)], fill=darker(p.accent, 0.15))
    c.poly([(0, -128), (-34, 0), (30, 0)], fill=darker(p.ink, 0.1))
    c.poly([(0, -128), (-34, 0), (-54, 0)], fill=p.third)


def bale(c: Canvas, p: Palette) -> None:
    """A round bale of straw."""
    straw = mix("#DDB65C", p.third, 0.3)
    c.circle(0, -65, 65, fill=straw)
    for r in (52, 39, 26, 13):
        c.circle(0, -65, r, stroke=darker(straw, 0.2), width=4)


def house(c: Canvas, p: Palette) -> None:
    """A small house."""
    c.rect(-300, -300, 600, 300, fill=mix(p.wall, "#FFFFFF", 0.3))
    c.poly([(-350, -290), (-180, -500), (180, -500), (350, -290)], fill=p.accent)
    c.rect(180, -560, 60, 140, fill=darker(p.accent, 0.25))
    c.rect(-50, -205, 100, 205, 6, fill=p.second)
    for x in (-220, 120):
        c.rect(x, -220, 100, 110, 6, fill=CREAM)
        c.rect(x + 9, -211, 82, 92, fill=darker(GLASS, 0.15))
        c.rect(x + 46, -211, 8, 92, fill=CREAM)


def mug(c: Canvas, p: Palette) -> None:
    """A mug, as wide as a hand is broad."""
    c.path("M-4 -7.6q-3.6 -0.4 -3.4 2.6t3.6 2.4", stroke=p.accent, width=1.1)
    c.path("M-4.2 -9.5H4.2V-1.4Q4.2 0 2.8 0H-2.8Q-4.2 0 -4.2 -1.4Z", fill=p.accent)
    c.path("M1.4 -9.5H4.2V-1.4Q4.2 0 2.8 0H0.6Q1.4 -1 1.4 -2Z", fill=darker(p.accent, 0.14))
    c.ellipse(0, -9.5, 4.2, 0.9, fill=lighter(p.accent, 0.4))
    c.ellipse(0, -9.4, 3.5, 0.6, fill="#5B4034")


def apple(c: Canvas, p: Palette) -> None:
    """An apple."""
    red = mix("#CF4A3C", p.accent, 0.3)
    c.path(
        "M0 -6.6C-2 -7.8 -4.1 -6.4 -4.1 -3.8C-4.1 -1.4 -2.4 0.4 0 -0.2C2.4 0.4 4.1 -1.4 4.1 -3.8"
        "C4.1 -6.4 2 -7.8 0 -6.6Z",
        fill=red,
    )
    c.ellipse(-2, -4.9, 0.8, 1.3, fill="#FFFFFF", opacity=0.4)
    c.path("M0 -6.4Q0.1 -7.6 0.7 -8.4", stroke="#5B4034", width=0.5)
    c.path("M0.5 -7.4Q2 -9 3.3 -8Q2.2 -6.6 0.5 -7.4Z", fill=LEAF)


def pot(c: Canvas, p: Palette) -> None:
    """A plant in a pot."""
    scenery.pot_plant(c, 0, 0, 90, p.second)


def bicycle(c: Canvas, p: Palette) -> None:
    """A parked bicycle in real size."""
    with c.group(0, 0, 175 / 244):
        vehicles.bicycle(c, p, p.accent, False)


def car(c: Canvas, p: Palette) -> None:
    """A parked car in real size."""
    with c.group(0, 0, 410 / 300):
        vehicles.car(c, p, p.second, False)


@dataclass(frozen=True)
class Prop:
    """A thing: its drawer, half its width at the ground, half its full width, its height (m)."""

    draw: Callable[[Canvas, Palette], None]
    foot: float
    half: float
    height: float


PROPS: Mapping[str, Prop] = {
    "cat": Prop(cat, 0.16, 0.26, 0.54),
    "bench": Prop(bench, 0.82, 0.82, 0.86),
    "tree": Prop(tree, 0.28, 2.0, 5.6),
    "lamp_post": Prop(lamp_post, 0.15, 0.3, 4.5),
    "chair": Prop(chair, 0.23, 0.23, 0.92),
    "tent": Prop(tent, 1.15, 1.15, 1.5),
    "bale": Prop(bale, 0.5, 0.65, 1.3),
    "house": Prop(house, 3.0, 3.5, 5.6),
    "mug": Prop(mug, 0.042, 0.075, 0.1),
    "apple": Prop(apple, 0.041, 0.041, 0.085),
    "pot": Prop(pot, 0.2, 0.4, 0.9),
    "bicycle": Prop(bicycle, 0.875, 0.875, 0.95),
    "car": Prop(car, 2.05, 2.05, 1.97),
    "glass": Prop(tabletop.glass, 0.033, 0.04, 0.13),
    "candle": Prop(tabletop.candle, 0.05, 0.055, 0.29),
    "vase": Prop(tabletop.vase, 0.055, 0.08, 0.39),
    "teapot": Prop(tabletop.teapot, 0.08, 0.13, 0.17),
    "bowl": Prop(tabletop.bowl, 0.11, 0.125, 0.145),
    "armchair": Prop(tabletop.armchair, 0.48, 0.48, 0.92),
    "floor_lamp": Prop(tabletop.floor_lamp, 0.16, 0.25, 1.56),
    "turbine": Prop(landmarks.turbine, 2.0, 34.0, 104.0),
    "lighthouse": Prop(landmarks.lighthouse, 3.6, 3.6, 30.0),
    "barn": Prop(landmarks.barn, 6.6, 7.2, 8.8),
    "tower": Prop(landmarks.tower, 4.3, 5.8, 30.0),
    "tall_house": Prop(landmarks.tall_house, 8.0, 8.4, 24.0),
    "poplar": Prop(landmarks.poplar, 0.4, 2.4, 15.0),
    "snowman": Prop(landmarks.snowman, 0.42, 0.66, 1.78),
    "parasol": Prop(landmarks.parasol, 0.05, 1.2, 2.3),
    "campfire": Prop(landmarks.campfire, 0.6, 0.6, 1.1),
    "tractor": Prop(landmarks.tractor, 2.0, 2.0, 3.0),
}
