"""More things for sale: a guitar and a clock; each stands on (0, 0)."""

from __future__ import annotations

from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
    polar,
)


def guitar(c: Canvas, p: Palette) -> None:
    """A wooden guitar on a low stand."""
    wood = mix("#D9954F", p.third, 0.25)
    c.path("M-46 0L-20 -54M46 0L20 -54M-50 -2H-38M38 -2H50", stroke=p.ink, width=7)
    body = (
        "M0 -8C-46 -8 -66 -32 -62 -62C-59 -86 -40 -88 -42 -104C-44 -124 -30 -138 0 -138"
        "C30 -138 44 -124 42 -104C40 -88 59 -86 62 -62C66 -32 46 -8 0 -8Z"
    )
    with c.group(5, 0):
        c.path(body, fill=darker(wood, 0.4))
    c.path(body, fill=c.gradient(lighter(wood, 0.2), darker(wood, 0.06), across=True))
    c.path(body, stroke=darker(wood, 0.35), width=3)
    c.circle(0, -92, 21, fill=darker(WOOD, 0.55))
    c.circle(0, -92, 24, stroke=CREAM, width=3)
    c.rect(-28, -46, 56, 9, 3, fill=darker(WOOD, 0.5))
    c.rect(-8, -232, 16, 130, 2, fill=darker(WOOD, 0.45))
    for i in range(7):
        c.line(-8, -220 + i * 15, 8, -220 + i * 15, stroke=STEEL, width=1.6)
    c.path("M-12 -262Q0 -256 12 -262L10 -228H-10Z", fill=darker(wood, 0.2))
    for y in (-254, -244, -234):
        c.circle(-16, y, 4, fill=STEEL)
        c.circle(16, y, 4, fill=STEEL)
    for i in range(6):
        x = -5.5 + i * 2.2
        c.line(x, -230, x * 1.3, -42, stroke=lighter(STEEL, 0.6), width=0.9)
    c.path("M-50 -40Q0 -18 50 -40", stroke=p.ink, width=6)


def alarm_clock(c: Canvas, p: Palette) -> None:
    """A twin-bell clock without numbers."""
    tone = p.accent
    for side in (-1, 1):
        c.line(side * 44, -36, side * 62, -4, stroke=darker(p.ink, 0.1), width=13)
        with c.group(side * 46, -172, turn=side * 32):
            c.path("M-32 4A32 30 0 0 1 32 4Z", fill=lighter(STEEL, 0.1))
            c.path("M8 4Q14 -14 4 -26A32 30 0 0 1 32 4Z", fill=darker(STEEL, 0.12))
            c.circle(0, -28, 5, fill=darker(STEEL, 0.35))
    c.path("M-22 -190Q0 -236 22 -190", stroke=darker(STEEL, 0.3), width=8)
    c.rect(-4, -190, 8, 26, fill=darker(STEEL, 0.3))
    c.circle(0, -94, 84, fill=tone)
    c.path("M0 -178A84 84 0 0 1 0 -10A100 100 0 0 0 0 -178Z", fill=darker(tone, 0.14))
    c.circle(0, -94, 68, fill="#FFFFFF")
    c.circle(0, -94, 68, stroke=darker(tone, 0.25), width=3)
    for i in range(12):
        a, b = polar(0, -94, 60, i * 30), polar(0, -94, 50 if i % 3 == 0 else 54, i * 30)
        c.line(*a, *b, stroke=p.ink, width=4 if i % 3 == 0 else 2.4)
    c.line(0, -94, *polar(0, -94, 32, 304), stroke=p.ink, width=8)
    c.line(0, -94, *polar(0, -94, 46, 50), stroke=p.ink, width=5)
    c.circle(0, -94, 7, fill=tone)
