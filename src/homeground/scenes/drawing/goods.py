"""Things for sale; each stands on (0, 0) and is at most 260 wide and 240 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeground.scenes.drawing import instruments, vehicles, wares
from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)


def chair(c: Canvas, p: Palette) -> None:
    """A wooden chair."""
    wood = mix(WOOD, p.third, 0.2)
    back, dark = darker(wood, 0.1), darker(wood, 0.22)
    for x in (-52, 52):
        c.path(f"M{x - 6} -4L{x - 5} -226Q{x} -234 {x + 5} -226L{x + 6} -4Z", fill=back)
    for y in (-220, -186, -152):
        c.path(f"M-50 {y}Q0 {y - 10} 50 {y}V{y + 18}Q0 {y + 8} -50 {y + 18}Z", fill=wood)
    c.path("M-52 -44H52", stroke=dark, width=6)
    c.poly([(-58, -118), (58, -118), (74, -92), (-74, -92)], fill=lighter(wood, 0.18))
    c.rect(-75, -93, 150, 13, 4, fill=wood)
    for x in (-66, 66):
        c.path(f"M{x - 8} -80H{x + 8}L{x + 5} 8H{x - 5}Z", fill=wood)
        c.path(f"M{x} -80H{x + 8}L{x + 5} 8H{x}Z", fill=dark)
    c.path("M-64 -30H64", stroke=back, width=7)


def lamp(c: Canvas, p: Palette) -> None:
    """A table lamp."""
    c.circle(0, -170, 130, fill="#FFE7A6", opacity=0.22)
    c.ellipse(0, -6, 56, 10, fill=darker(p.second, 0.25))
    c.path(
        "M-50 -8Q0 -20 50 -8L46 -14Q14 -24 12 -48Q40 -74 12 -104L8 -124H-8L-12 -104"
        "Q-40 -74 -12 -48Q-14 -24 -46 -14Z",
        fill=p.second,
    )
    c.path("M2 -20Q12 -26 12 -48Q40 -74 12 -104L8 -124H2Z", fill=darker(p.second, 0.16))
    shade = lighter(p.third, 0.25)
    c.poly([(-54, -236), (54, -236), (92, -122), (-92, -122)], fill=c.gradient(shade, "#FFE9B8"))
    c.poly([(20, -236), (54, -236), (92, -122), (34, -122)], fill=darker(shade, 0.08), opacity=0.6)
    c.rect(-93, -126, 186, 7, 3, fill=p.accent)
    c.rect(-55, -239, 110, 6, 3, fill=p.accent)


def _shoe(c: Canvas, p: Palette, tone: str) -> None:
    c.path(
        "M-96 -20C-101 -48 -88 -62 -93 -86Q-92 -98 -78 -97Q-50 -91 -34 -98Q-24 -98 -18 -90"
        "Q14 -58 64 -51Q99 -44 101 -20Z",
        fill=tone,
    )
    c.path("M-96 -20C-99 -38 -92 -50 -91 -62Q-62 -62 -60 -20Z", fill=darker(tone, 0.18))
    c.path("M100 -20Q98 -42 70 -49Q52 -42 54 -20Z", fill=lighter(tone, 0.3))
    c.path("M-86 -96Q-54 -90 -32 -98Q-26 -98 -23 -93Q-54 -80 -92 -90Z", fill=darker(tone, 0.35))
    for i in range(4):
        x, y = -8 + i * 15, -80 + i * 8.5
        c.line(x - 6, y + 14, x + 8, y + 1, stroke=CREAM, width=4.5)
    c.path("M-50 -34Q-6 -34 24 -50", stroke=CREAM, width=7)
    c.path("M-98 -24H102Q106 -6 92 0H-90Q-100 -4 -98 -24Z", fill=CREAM)
    c.path("M-97 -9H103Q102 -2 92 0H-90Q-96 -2 -97 -9Z", fill=darker(CREAM, 0.16))


def shoes(c: Canvas, p: Palette) -> None:
    """A pair of running shoes."""
    with c.group(40, -22, 0.94):
        _shoe(c, p, darker(p.accent, 0.18))
    with c.group(-24, 6, 1.04):
        _shoe(c, p, p.accent)


def bicycle(c: Canvas, p: Palette) -> None:
    """A bicycle."""
    with c.group(0, 0, 1.22):
        vehicles.bicycle(c, p, p.accent, False)


def teapot(c: Canvas, p: Palette) -> None:
    """A round teapot."""
    tone = p.second
    c.path("M78 -118Q150 -132 142 -74Q134 -30 66 -34", stroke=darker(tone, 0.12), width=17)
    c.path("M-72 -62Q-112 -66 -122 -132L-146 -138Q-144 -44 -66 -24Z", fill=darker(tone, 0.08))
    c.path("M-60 0Q-100 -30 -96 -82Q-84 -142 0 -142Q84 -142 96 -82Q100 -30 60 0Z", fill=tone)
    c.path("M20 0Q78 -50 44 -138Q88 -128 96 -82Q100 -30 60 0Z", fill=darker(tone, 0.14))
    c.ellipse(-48, -98, 13, 24, fill="#FFFFFF", opacity=0.28)
    c.path("M-92 -66Q0 -44 92 -66L94 -50Q0 -26 -94 -50Z", fill=lighter(p.third, 0.2))
    c.path("M-58 -138Q-52 -164 0 -164Q52 -164 58 -138Z", fill=lighter(tone, 0.16))
    c.circle(0, -172, 13, fill=p.accent)
    c.rect(-60, -5, 120, 8, 4, fill=darker(tone, 0.25))


def backpack(c: Canvas, p: Palette) -> None:
    """A backpack."""
    tone = p.accent
    c.path("M-28 -216Q-28 -242 0 -242Q28 -242 28 -216", stroke=darker(tone, 0.35), width=10)
    for side in (-1, 1):
        c.path(
            f"M{side * 78} -150Q{side * 112} -120 {side * 100} -24",
            stroke=darker(tone, 0.35),
            width=16,
        )
    c.path("M-90 -10V-140Q-86 -222 0 -224Q86 -222 90 -140V-10Q90 0 76 0H-76Q-90 0 -90 -10Z", fill=tone)
    c.path("M40 0Q66 -100 42 -216Q86 -200 90 -140V-10Q90 0 76 0Z", fill=darker(tone, 0.13))
    c.path("M-72 -146Q0 -182 72 -146", stroke=darker(tone, 0.35), width=5)
    c.rect(-60, -100, 120, 84, 20, fill=lighter(tone, 0.14))
    c.path("M-60 -68H60", stroke=darker(tone, 0.28), width=4)
    c.rect(-8, -74, 16, 22, 5, fill=p.third)
    for x in (-44, 28):
        c.rect(x, -160, 16, 62, 4, fill=darker(mix(tone, WOOD, 0.5), 0.25))


def armchair(c: Canvas, p: Palette) -> None:
    """An upholstered armchair."""
    tone = p.second
    for x in (-84, 84):
        c.path(f"M{x - 8} -26H{x + 8}L{x + 4} 4H{x - 4}Z", fill=WOOD)
    c.path("M-84 -60V-170Q-82 -220 -34 -222H34Q82 -220 84 -170V-60Z", fill=darker(tone, 0.1))
    c.path("M-62 -92V-168Q-60 -200 -28 -202H28Q60 -200 62 -168V-92Z", fill=lighter(tone, 0.08))
    for x, y in ((-26, -164), (26, -164), (0, -134)):
        c.circle(x, y, 4, fill=darker(tone, 0.2))
    c.rect(-78, -104, 156, 40, 18, fill=lighter(tone, 0.2))
    c.rect(-84, -70, 168, 48, 8, fill=darker(tone, 0.06))
    for x in (-122, 78):
        c.rect(x, -128, 44, 110, 20, fill=tone)
        c.rect(x + 6, -124, 32, 22, 11, fill=lighter(tone, 0.14))


def headphones(c: Canvas, p: Palette) -> None:
    """Headphones on a small stand."""
    c.rect(-6, -190, 12, 184, fill=darker(STEEL, 0.1))
    c.ellipse(0, -4, 62, 10, fill=darker(STEEL, 0.25))
    c.path("M-82 -92V-130Q-78 -216 0 -218Q78 -216 82 -130V-92", stroke=p.ink, width=17)
    c.path("M-60 -192Q-30 -214 0 -214Q30 -214 60 -192", stroke=p.accent, width=9)
    for side in (-1, 1):
        x = side * 82
        c.rect(x - 24, -134, 48, 86, 22, fill=p.accent)
        inner = x - 30 if side > 0 else x + 10
        c.rect(inner, -128, 20, 74, 10, fill=darker(p.ink, 0.1))
        c.rect(x - 8, -118, 14, 34, 7, fill=lighter(p.accent, 0.35))


@dataclass(frozen=True)
class Good:
    """A thing for sale, half its width, and where the string of its tag is tied."""

    draw: Callable[[Canvas, Palette], None]
    half: float
    knot: tuple[float, float]


GOODS: Mapping[str, Good] = {
    "chair": Good(chair, 80, (52, -196)),
    "lamp": Good(lamp, 70, (70, -122)),
    "shoes": Good(shoes, 128, (-118, -92)),
    "bicycle": Good(bicycle, 150, (82, -150)),
    "teapot": Good(teapot, 110, (140, -84)),
    "backpack": Good(backpack, 100, (84, -132)),
    "armchair": Good(armchair, 126, (104, -108)),
    "headphones": Good(headphones, 100, (84, -170)),
    "table": Good(wares.table, 124, (108, -124)),
    "sofa": Good(wares.sofa, 136, (112, -74)),
    "suitcase": Good(wares.suitcase, 84, (62, -120)),
    "umbrella": Good(wares.umbrella, 60, (106, -128)),
    "kettle": Good(wares.kettle, 100, (-66, -128)),
    "vase": Good(wares.vase, 66, (64, -92)),
    "guitar": Good(instruments.guitar, 90, (55, -62)),
    "tent": Good(wares.tent, 134, (104, -48)),
    "skateboard": Good(wares.skateboard, 124, (96, -56)),
    "mirror": Good(wares.mirror, 74, (70, -150)),
    "rug": Good(wares.rug, 120, (136, -66)),
    "pan": Good(wares.pan, 118, (92, -46)),
    "clock": Good(instruments.alarm_clock, 84, (78, -90)),
}
