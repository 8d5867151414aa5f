"""A horse and a dog from the side, facing right: running, or standing still."""

from __future__ import annotations

from collections.abc import Sequence

from homeground.scenes.drawing.canvas import WOOD, Canvas, Palette, darker, lighter, mix

Point = tuple[float, float]


def _leg(c: Canvas, points: Sequence[Point], tone: str, hoof: str, width: float) -> None:
    """A leg of three points that tapers towards the foot."""
    (ax, ay), (bx, by), (ex, ey) = points
    c.line(ax, ay, bx, by, stroke=tone, width=width * 1.5)
    c.line(bx, by, ex, ey, stroke=tone, width=width)
    mx, my = bx + (ex - bx) * 0.86, by + (ey - by) * 0.86
    c.line(mx, my, ex, ey, stroke=hoof, width=width * 1.1)


def horse(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A horse, 300 long and 230 high."""
    coat = mix(WOOD, "#6B4128", 0.45)
    far, dark = darker(coat, 0.22), mix("#3B2A22", p.ink, 0.3)
    if moving:
        _leg(c, [(-74, -116), (-104, -76), (-146, -64)], far, dark, 10)
        _leg(c, [(62, -108), (112, -98), (130, -62)], far, dark, 10)
        tail = "M-90 -150C-116 -172 -142 -160 -176 -162C-160 -144 -120 -122 -92 -128Z"
    else:
        _leg(c, [(-70, -108), (-82, -58), (-74, -4)], far, dark, 10)
        _leg(c, [(44, -108), (46, -58), (46, -4)], far, dark, 10)
        tail = "M-90 -150C-112 -150 -116 -110 -112 -60C-100 -74 -94 -100 -84 -128Z"
    c.path(tail, fill=dark)
    c.path(
        "M-96 -134C-94 -166 -56 -166 -20 -156C16 -150 34 -160 54 -186C66 -204 82 -218 98 -224"
        "L102 -242L112 -224"
        "C124 -218 136 -202 148 -186C154 -176 150 -164 138 -164C126 -166 120 -176 108 -174C98 -160 94 -142 86 -122"
        "C78 -98 58 -92 36 -94C8 -88 -16 -88 -40 -98C-70 -88 -98 -100 -96 -134Z",
        fill=coat,
    )
    c.path(
        "M-84 -112C-60 -96 -40 -98 -40 -98C-16 -88 8 -88 36 -94C58 -92 78 -98 86 -122C60 -98 -40 -108 -84 -112Z",
        fill=darker(coat, 0.12),
    )
    c.path(
        "M104 -234C86 -230 62 -212 46 -186C36 -170 30 -162 22 -156C44 -156 60 -168 72 -184"
        "C84 -202 96 -214 106 -220Z",
        fill=dark,
    )
    c.circle(118, -204, 3.4, fill=dark)
    c.circle(143, -176, 2.2, fill=dark)
    c.path("M110 -176Q122 -186 124 -206M128 -166L134 -190", stroke=tone, width=3.6)
    if moving:
        _leg(c, [(-66, -112), (-58, -62), (-96, -30)], coat, dark, 11)
        _leg(c, [(56, -108), (82, -60), (60, -22)], coat, dark, 11)
    else:
        _leg(c, [(-66, -112), (-74, -58), (-64, 0)], coat, dark, 11)
        _leg(c, [(62, -110), (66, -58), (66, 0)], coat, dark, 11)


def dog(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A dog, 220 long and 130 high."""
    coat = mix("#D9A86B", p.third, 0.25)
    far, dark = darker(coat, 0.2), darker(p.ink, 0.1)
    if moving:
        _leg(c, [(-52, -62), (-80, -40), (-108, -42)], far, darker(far, 0.1), 9)
        _leg(c, [(46, -58), (80, -48), (104, -34)], far, darker(far, 0.1), 9)
        tail = "M-66 -80C-92 -92 -102 -112 -118 -116C-122 -100 -96 -70 -68 -68Z"
    else:
        _leg(c, [(-52, -62), (-62, -34), (-54, -3)], far, darker(far, 0.1), 9)
        _leg(c, [(34, -58), (34, -34), (36, -3)], far, darker(far, 0.1), 9)
        tail = "M-66 -80C-84 -84 -92 -64 -92 -40C-84 -50 -76 -62 -64 -66Z"
    c.path(tail, fill=coat)
    c.path(
        "M-74 -70C-74 -92 -44 -92 -16 -88C14 -86 34 -92 48 -104C54 -124 74 -130 88 -120L112 -110"
        "C118 -106 116 -96 108 -94C98 -92 90 -92 84 -88C80 -72 74 -58 58 -50"
        "C40 -44 24 -50 4 -56C-16 -60 -30 -56 -44 -48C-64 -46 -74 -56 -74 -70Z",
        fill=coat,
    )
    c.path("M54 -52C34 -46 20 -54 4 -60C20 -70 44 -72 66 -62Z", fill=lighter(coat, 0.4))
    flying, hanging = (
        "M66 -122C52 -132 34 -128 24 -116C36 -106 54 -104 68 -110Z",
        "M60 -122C50 -118 48 -100 54 -88C66 -94 72 -106 74 -120Z",
    )
    c.path(flying if moving else hanging, fill=darker(coat, 0.32))
    c.circle(84, -110, 3.2, fill=dark)
    c.ellipse(112, -107, 5, 4, fill=dark)
    c.path("M100 -94Q104 -80 96 -76Q88 -80 92 -92Z", fill="#D96A6A")
    c.path("M56 -96Q64 -84 80 -84", stroke=tone, width=6)
    if moving:
        _leg(c, [(-46, -62), (-34, -30), (-62, -14)], coat, darker(coat, 0.1), 10)
        _leg(c, [(42, -58), (58, -28), (40, -8)], coat, darker(coat, 0.1), 10)
    else:
        _leg(c, [(-48, -62), (-52, -32), (-44, 0)], coat, darker(coat, 0.1), 10)
        _leg(c, [(46, -58), (48, -32), (50, 0)], coat, darker(coat, 0.1), 10)
