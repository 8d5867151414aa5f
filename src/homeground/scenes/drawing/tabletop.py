"""Small things of known size that stand on a table; one drawn unit is one centimetre."""

from __future__ import annotations

from homeground.scenes.drawing.canvas import (
    CREAM,
    LEAF,
    STEEL,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)


def glass(c: Canvas, p: Palette) -> None:
    """A tumbler of juice."""
    c.path("M-4 -13H4L3.2 -0.8Q3.1 0 2.4 0H-2.4Q-3.1 0 -3.2 -0.8Z", fill="#E4F1F5")
    c.path("M-3.6 -9.6H3.6L3 -1H-3Z", fill=mix("#F2A13B", p.accent, 0.2))
    c.ellipse(0, -9.6, 3.6, 0.6, fill=lighter(mix("#F2A13B", p.accent, 0.2), 0.3))
    c.path("M-2.7 -12L-2.1 -2", stroke="#FFFFFF", width=0.7, opacity=0.7)
    c.ellipse(0, -13, 4, 0.6, stroke="#FFFFFF", width=0.4)


def candle(c: Canvas, p: Palette) -> None:
    """A burning candle on a stand."""
    c.circle(0, -27, 5.5, fill="#FFE7A6", opacity=0.4)
    c.ellipse(0, -0.8, 5, 1, fill=darker(STEEL, 0.3))
    c.rect(-0.9, -6, 1.8, 5.4, fill=darker(STEEL, 0.2))
    c.ellipse(0, -6, 2.8, 0.8, fill=darker(STEEL, 0.35))
    c.rect(-1.3, -23, 2.6, 17, 0.4, fill=lighter(p.third, 0.3))
    c.rect(0.3, -23, 1, 17, 0.3, fill=darker(lighter(p.third, 0.3), 0.1))
    c.line(0, -23, 0, -24.2, stroke=p.ink, width=0.4)
    c.path("M0 -28.6Q2.2 -25.4 0 -23.8Q-2.2 -25.4 0 -28.6Z", fill="#F6A93B")
    c.path("M0 -26.6Q1 -25 0 -24Q-1 -25 0 -26.6Z", fill="#FFF1C2")


def vase(c: Canvas, p: Palette) -> None:
    """A vase with three flowers."""
    for x, y, tone in (
        (-6.5, -31.0, p.accent),
        (6.0, -33.0, p.third),
        (0.0, -37.0, mix(p.accent, "#FFFFFF", 0.35)),
    ):
        c.path(f"M0 -16Q{x * 0.3} -24 {x} {y}", stroke=darker(LEAF, 0.1), width=0.7)
        for dx, dy in ((0.0, -2.0), (1.9, -0.6), (1.2, 1.6), (-1.2, 1.6), (-1.9, -0.6)):
            c.circle(x + dx, y + dy, 1.5, fill=tone)
        c.circle(x, y, 1.2, fill="#F6E3A0")
    for side in (-1, 1):
        c.path(f"M0 -18Q{side * 5} -21 {side * 6} -26Q{side * 1} -25 0 -18Z", fill=LEAF)
    c.path(
        "M-2.6 0Q-6.6 -5 -5.4 -10Q-4 -14 -2.6 -16L-3.4 -19H3.4L2.6 -16Q4 -14 5.4 -10Q6.6 -5 2.6 0Z",
        fill=p.second,
    )
    c.path(
        "M0.4 0Q4 -6 2.6 -11Q1.6 -15 1.2 -19H3.4L2.6 -16Q4 -14 5.4 -10Q6.6 -5 2.6 0Z",
        fill=darker(p.second, 0.15),
    )


def teapot(c: Canvas, p: Palette) -> None:
    """A teapot."""
    tone = p.second
    c.path("M-7 -11Q-13 -12 -12.4 -7T-6 -3.6", stroke=darker(tone, 0.12), width=1.5)
    c.path("M6.6 -5.4Q10 -6 10.8 -12L13 -12.6Q13 -4.4 6.4 -2Z", fill=darker(tone, 0.08))
    c.path("M-5 0Q-8.6 -3 -8.2 -7.6Q-7 -13 0 -13Q7 -13 8.2 -7.6Q8.6 -3 5 0Z", fill=tone)
    c.path("M1.6 0Q6.6 -5 3.6 -12.6Q7.4 -11.6 8.2 -7.6Q8.6 -3 5 0Z", fill=darker(tone, 0.14))
    c.path("M-5 -12.6Q-4.6 -15 0 -15Q4.6 -15 5 -12.6Z", fill=lighter(tone, 0.16))
    c.circle(0, -15.8, 1.2, fill=p.accent)


def bowl(c: Canvas, p: Palette) -> None:
    """A bowl of fruit."""
    for x, y, r, tone in (
        (-5.5, -9.0, 3.8, "#D4493B"),
        (5.4, -9.0, 3.8, "#F0902F"),
        (0.0, -10.4, 4.0, "#8DB56E"),
    ):
        c.circle(x, y, r, fill=tone)
        c.ellipse(x - 1.2, y - 1.4, 0.8, 0.6, fill="#FFFFFF", opacity=0.5)
    c.path("M-12 -8.4H12Q11 -1.4 5 0H-5Q-11 -1.4 -12 -8.4Z", fill=p.second)
    c.path("M3 0Q9 -3 10 -8.4H12Q11 -1.4 5 0Z", fill=darker(p.second, 0.15))
    c.rect(-12.4, -9, 24.8, 1.4, 0.7, fill=lighter(p.second, 0.25))


def armchair(c: Canvas, p: Palette) -> None:
    """An armchair seen from the front."""
    tone = p.second
    for x in (-30, 30):
        c.rect(x - 3, -12, 6, 12, 1, fill=darker(tone, 0.5))
    c.path("M-36 -20V-76Q-34 -92 -18 -92H18Q34 -92 36 -76V-20Z", fill=darker(tone, 0.1))
    c.rect(-27, -84, 54, 50, 12, fill=lighter(tone, 0.1))
    c.rect(-32, -46, 64, 18, 7, fill=lighter(tone, 0.22))
    c.rect(-36, -30, 72, 20, 4, fill=darker(tone, 0.06))
    for x in (-48, 30):
        c.rect(x, -56, 18, 48, 8, fill=tone)


def floor_lamp(c: Canvas, p: Palette) -> None:
    """A lamp on a tall stand."""
    c.circle(0, -136, 46, fill="#FFE7A6", opacity=0.3)
    c.ellipse(0, -2, 16, 3, fill=p.ink)
    c.rect(-1.6, -126, 3.2, 124, fill=p.ink)
    c.poly([(-14, -156), (14, -156), (25, -118), (-25, -118)], fill=lighter(p.third, 0.25))
    c.poly([(5, -156), (14, -156), (25, -118), (9, -118)], fill=p.third)
    c.rect(-25, -120, 50, 3, 1, fill=CREAM)
