"""More things for sale; each stands on (0, 0) and is at most 260 wide and 240 high."""

from __future__ import annotations

from homeground.scenes.drawing.canvas import (
    CREAM,
    STEEL,
    TYRE,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)


def table(c: Canvas, p: Palette) -> None:
    """A wooden dining table."""
    wood = mix(WOOD, p.third, 0.2)
    dark = darker(wood, 0.2)
    for x in (-88, 88):
        c.path(f"M{x - 7} -120H{x + 7}L{x + 4} -22H{x - 4}Z", fill=darker(wood, 0.32))
    c.poly([(-112, -148), (112, -148), (136, -118), (-136, -118)], fill=lighter(wood, 0.22))
    for k in (-0.5, 0.0, 0.5):
        c.line(k * 112, -148, k * 136, -118, stroke=wood, width=1.6)
    c.rect(-136, -118, 272, 11, 3, fill=wood)
    c.rect(-122, -107, 244, 20, fill=dark)
    c.rect(-30, -105, 60, 15, 2, fill=lighter(dark, 0.12))
    c.circle(0, -97, 4, fill=STEEL)
    for x in (-116, 116):
        c.path(f"M{x - 11} -107H{x + 11}L{x + 6} 6H{x - 6}Z", fill=wood)
        c.path(f"M{x + 2} -107H{x + 11}L{x + 6} 6H{x + 1}Z", fill=dark)


def sofa(c: Canvas, p: Palette) -> None:
    """A sofa for two."""
    tone = p.second
    for x in (-112, 112):
        c.path(f"M{x - 8} -16H{x + 8}L{x + 4} 6H{x - 4}Z", fill=WOOD)
    c.rect(-118, -142, 236, 110, 24, fill=darker(tone, 0.1))
    for x in (-102, 4):
        c.rect(x, -132, 98, 76, 16, fill=lighter(tone, 0.06))
        c.rect(x, -72, 98, 34, 12, fill=lighter(tone, 0.2))
    c.rect(-126, -44, 252, 34, 10, fill=darker(tone, 0.06))
    for x in (-142, 100):
        c.rect(x, -98, 42, 90, 19, fill=tone)
        c.rect(x + 6, -94, 30, 20, 10, fill=lighter(tone, 0.14))
    with c.group(-68, -92, turn=-10):
        c.rect(-26, -26, 52, 52, 12, fill=p.accent)
        c.path("M-18 0H18M0 -18V18", stroke=lighter(p.accent, 0.35), width=4)
    with c.group(62, -92, turn=9):
        c.rect(-25, -25, 50, 50, 12, fill=p.third)


def suitcase(c: Canvas, p: Palette) -> None:
    """A suitcase on wheels."""
    tone = p.accent
    for x in (-26, 26):
        c.rect(x - 4, -238, 8, 60, fill=darker(STEEL, 0.2))
    c.rect(-38, -246, 76, 15, 7, fill=p.ink)
    for x in (-56, 56):
        c.rect(x - 9, -14, 18, 8, fill=darker(p.ink, 0.1))
        c.circle(x, -2, 10, fill=TYRE)
        c.circle(x, -2, 4, fill=STEEL)
    c.rect(-78, -186, 156, 176, 22, fill=tone)
    c.path("M34 -186H56Q78 -186 78 -164V-32Q78 -10 56 -10H34Q50 -90 34 -186Z", fill=darker(tone, 0.14))
    for x in (-48, -24, 0, 24, 48):
        c.rect(x - 4, -172, 8, 148, 4, fill=lighter(tone, 0.16))
    for x, y in ((-78, -186), (78, -186), (-78, -10), (78, -10)):
        sx, sy = (1 if x < 0 else -1), (1 if y < -90 else -1)
        c.path(
            f"M{x} {y + sy * 34}V{y + sy * 20}Q{x} {y} {x + sx * 20} {y}H{x + sx * 34}"
            f"Q{x + sx * 28} {y + sy * 28} {x} {y + sy * 34}Z",
            fill=darker(tone, 0.32),
        )
    c.path("M-22 -186Q-22 -204 0 -204Q22 -204 22 -186", stroke=p.ink, width=8)


def umbrella(c: Canvas, p: Palette) -> None:
    """An open umbrella, held by a small foot."""
    tone = p.accent
    c.ellipse(0, -3, 44, 9, fill=darker(STEEL, 0.3))
    c.line(0, -232, 0, -30, stroke=p.ink, width=6)
    c.path("M0 -50V-22Q0 -6 14 -6Q28 -6 28 -22", stroke=darker(WOOD, 0.2), width=11)
    c.path(
        "M-126 -118C-122 -192 -66 -226 0 -228C66 -226 122 -192 126 -118Q106 -138 84 -118Q62 -140 42 -118"
        "Q20 -140 0 -118Q-20 -140 -42 -118Q-62 -140 -84 -118Q-106 -138 -126 -118Z",
        fill=tone,
    )
    c.path(
        "M-42 -118C-42 -170 -22 -214 0 -228C22 -214 42 -170 42 -118Q20 -140 0 -118Q-20 -140 -42 -118Z",
        fill=lighter(tone, 0.22),
    )
    c.path(
        "M84 -118C84 -168 46 -216 0 -228C66 -226 122 -192 126 -118Q106 -138 84 -118Z", fill=darker(tone, 0.14)
    )
    c.path(
        "M-84 -118C-84 -168 -46 -216 0 -228C-66 -226 -122 -192 -126 -118Q-106 -138 -84 -118Z",
        fill=darker(tone, 0.06),
    )
    c.line(0, -228, 0, -242, stroke=p.ink, width=5)


def kettle(c: Canvas, p: Palette) -> None:
    """A steel kettle with a black handle."""
    steel = c.gradient(lighter(STEEL, 0.6), STEEL, darker(STEEL, 0.25), across=True)
    c.path("M74 -70L128 -132L144 -124Q132 -60 70 -26Z", fill=darker(STEEL, 0.12))
    c.path("M-82 0Q-100 -4 -98 -30Q-84 -136 0 -140Q84 -136 98 -30Q100 -4 82 0Z", fill=steel)
    c.path("M-58 -70Q-48 -112 -22 -122", stroke="#FFFFFF", width=9, opacity=0.8)
    c.path("M-96 -24Q0 -8 96 -24L94 -8Q90 0 82 0H-82Q-90 0 -94 -8Z", fill=darker(STEEL, 0.3))
    c.path("M-66 -116C-78 -226 78 -226 66 -116", stroke=p.ink, width=15)
    c.path("M-40 -178Q0 -204 40 -178", stroke=p.accent, width=17)
    c.ellipse(0, -138, 40, 9, fill=darker(STEEL, 0.2))
    c.circle(0, -152, 11, fill=p.ink)


def vase(c: Canvas, p: Palette) -> None:
    """A tall glazed vase without flowers."""
    tone = p.second
    shape = (
        "M-30 0Q-78 -56 -66 -110Q-52 -160 -26 -184Q-20 -202 -36 -220H36Q20 -202 26 -184"
        "Q52 -160 66 -110Q78 -56 30 0Z"
    )
    c.path(shape, fill=c.gradient(lighter(tone, 0.25), tone, darker(tone, 0.2), across=True))
    with c.clip(shape):
        for y, paint in ((-150, p.third), (-60, p.third)):
            c.path(f"M-90 {y}Q0 {y + 26} 90 {y}V{y + 14}Q0 {y + 40} -90 {y + 14}Z", fill=paint)
        for i in range(-3, 4):
            c.path(f"M{i * 26 - 13} -104l13 -18l13 18l-13 18Z", fill=lighter(p.accent, 0.1))
    c.ellipse(-38, -112, 8, 30, fill="#FFFFFF", opacity=0.35)
    c.ellipse(0, -220, 37, 8, fill=darker(tone, 0.45))
    c.ellipse(0, -220, 37, 8, stroke=lighter(tone, 0.3), width=4)


def tent(c: Canvas, p: Palette) -> None:
    """A small tent, pitched, with its flap open."""
    tone = p.accent
    for x, way in ((-134, -1), (134, 1)):
        c.line(x - way * 24, -50, x, 2, stroke=darker(CREAM, 0.3), width=3)
    c.path("M-134 0Q-60 -70 0 -172Q60 -70 134 0Z", fill=tone)
    c.path("M0 -172Q60 -70 134 0H52Q40 -90 0 -172Z", fill=darker(tone, 0.16))
    c.path("M0 -148Q-30 -60 -50 0H42Q24 -70 0 -148Z", fill=darker(p.ink, 0.15))
    c.path("M0 -148Q-30 -60 -50 0H-78Q-60 -40 -48 -54Q-16 -90 0 -148Z", fill=lighter(p.third, 0.15))
    c.path("M0 -148Q24 -70 42 0H56Q40 -80 0 -148Z", fill=p.third)
    c.path("M-134 0Q-60 -70 0 -172Q60 -70 134 0", stroke=darker(tone, 0.3), width=5)
    c.circle(0, -174, 6, fill=darker(tone, 0.3))


def skateboard(c: Canvas, p: Palette) -> None:
    """A skateboard on its wheels."""
    c.path(
        "M-128 -66Q-122 -58 -96 -50H96Q122 -58 128 -66L132 -58Q120 -42 96 -36H-96Q-120 -42 -132 -58Z",
        fill=WOOD,
    )
    c.path(
        "M-132 -76Q-120 -60 -94 -54H94Q120 -60 132 -76Q138 -72 132 -60Q118 -46 96 -43H-96"
        "Q-118 -46 -132 -60Q-138 -72 -132 -76Z",
        fill=p.ink,
    )
    c.path("M-130 -59Q-118 -46 -96 -43H96Q118 -46 130 -59", stroke=p.accent, width=5)
    for x in (-76, 76):
        c.poly([(x - 24, -38), (x + 24, -38), (x + 9, -18), (x - 9, -18)], fill=darker(STEEL, 0.2))
        c.circle(x, -19, 21, fill=p.third)
        c.circle(x, -19, 21, stroke=darker(p.third, 0.2), width=3)
        c.circle(x, -19, 9, fill=STEEL)
        c.circle(x, -19, 4, fill=p.ink)


def mirror(c: Canvas, p: Palette) -> None:
    """An oval standing mirror in a wooden frame."""
    wood = mix(WOOD, p.third, 0.2)
    dark = darker(wood, 0.25)
    for side in (-1, 1):
        c.path(f"M{side * 78} -176V-18", stroke=dark, width=10)
        c.circle(side * 78, -180, 8, fill=dark)
        c.path(f"M{side * 56} 4Q{side * 76} -22 {side * 98} 4", stroke=dark, width=10)
    c.line(-78, -34, 78, -34, stroke=dark, width=8)
    c.ellipse(0, -134, 66, 104, fill=wood)
    c.ellipse(0, -134, 60, 98, stroke=lighter(wood, 0.3), width=3)
    c.ellipse(0, -134, 54, 92, fill=c.gradient("#DDEFF5", "#A9CBDA"))
    with c.clip("M-54 -134A54 92 0 0 1 54 -134A54 92 0 0 1 -54 -134Z"):
        c.poly([(-20, -240), (14, -240), (-50, -30), (-84, -30)], fill="#FFFFFF", opacity=0.6)
        c.poly([(30, -240), (42, -240), (-22, -30), (-34, -30)], fill="#FFFFFF", opacity=0.6)


def rug(c: Canvas, p: Palette) -> None:
    """A patterned rug, rolled up at one end."""
    c.poly([(-128, 4), (-88, -30), (96, -30), (136, 4)], fill=darker(p.accent, 0.08))
    c.poly([(-104, -2), (-76, -25), (60, -25), (80, -2)], fill=lighter(p.third, 0.25))
    c.poly([(-86, -6), (-66, -21), (40, -21), (54, -6)], fill=p.second)
    for x in (-62, -28, 6):
        c.poly([(x - 10, -13), (x + 3, -20), (x + 16, -13), (x + 3, -7)], fill=p.third)
    for i in range(9):
        y = 4 - i * 4.2
        c.line(-128 + i * 5, y, -139 + i * 5, y + 1, stroke=CREAM, width=2.4)
    tone = p.accent
    c.path("M60 -104H112V6H60Z", fill=tone)
    c.rect(46, -104, 62, 112, 14, fill=tone)
    c.ellipse(84, -50, 56, 56, fill=darker(tone, 0.1))
    c.circle(84, -50, 56, fill=lighter(tone, 0.1))
    for r, paint in (
        (50, p.third),
        (42, tone),
        (32, p.third),
        (24, tone),
        (14, p.third),
        (7, darker(p.ink, 0.1)),
    ):
        c.circle(84, -50, r, stroke=paint if r > 7 else darker(tone, 0.4), width=5)


def pan(c: Canvas, p: Palette) -> None:
    """A cooking pot with a lid and two handles."""
    tone = p.accent
    for side in (-1, 1):
        c.path(
            f"M{side * 92} -86h{side * 26}q{side * 12} 0 {side * 12} 13t{side * -12} 13h{side * -26}",
            stroke=p.ink,
            width=13,
        )
    c.path(
        "M-104 -106H104V-20Q104 0 84 0H-84Q-104 0 -104 -20Z",
        fill=c.gradient(lighter(tone, 0.2), tone, darker(tone, 0.2), across=True),
    )
    c.rect(-110, -118, 220, 17, 8, fill=lighter(STEEL, 0.3))
    c.path("M-104 -118Q-90 -166 0 -168Q90 -166 104 -118Z", fill=darker(tone, 0.06))
    c.path("M-82 -126Q-66 -152 -22 -157", stroke="#FFFFFF", width=6, opacity=0.5)
    c.rect(-10, -180, 20, 14, fill=STEEL)
    c.rect(-28, -194, 56, 18, 9, fill=p.ink)
    c.rect(-84, -88, 12, 62, 6, fill="#FFFFFF", opacity=0.35)
