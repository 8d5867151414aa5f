"""Things that move on land, seen from the side and facing right."""

from __future__ import annotations

from homeground.scenes.drawing.canvas import (
    CREAM,
    GLASS,
    STEEL,
    TYRE,
    Canvas,
    Palette,
    darker,
    lighter,
    polar,
)


def wheel(c: Canvas, x: float, r: float, *, moving: bool, rim: str = STEEL) -> None:
    """A wheel that stands on the ground; its spokes vanish when it turns."""
    c.circle(x, -r, r, fill=TYRE)
    c.circle(x, -r, r * 0.62, fill=rim)
    if moving:
        c.circle(x, -r, r * 0.46, stroke=darker(rim, 0.16), width=r * 0.07)
        c.circle(x, -r, r * 0.3, stroke=darker(rim, 0.16), width=r * 0.05)
    else:
        for i in range(5):
            c.line(x, -r, *polar(x, -r, r * 0.52, i * 72), stroke=darker(rim, 0.35), width=r * 0.1)
    c.circle(x, -r, r * 0.16, fill=darker(rim, 0.45))


def car(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A small family car, 300 long."""
    c.path(
        "M-148 -40L-148 -70Q-147 -88 -128 -92L-110 -95C-92 -130 -70 -144 -40 -144L20 -144"
        "C46 -144 62 -122 82 -98L124 -89Q150 -83 151 -60L151 -40Q151 -28 139 -28L-136 -28"
        "Q-148 -28 -148 -40Z",
        fill=c.gradient(lighter(tone, 0.16), tone),
    )
    c.path("M-148 -52H151V-40Q151 -28 139 -28H-136Q-148 -28 -148 -40Z", fill=darker(tone, 0.16))
    c.path("M-94 -97C-80 -124 -66 -133 -42 -133H-24V-97Z", fill=GLASS)
    c.path("M-12 -133H18C36 -133 50 -116 64 -97H-12Z", fill=GLASS)
    c.poly([(-8, -133), (12, -133), (-8, -106)], fill="#FFFFFF", opacity=0.45)
    c.poly([(-52, -132), (-38, -133), (-60, -97), (-76, -97)], fill="#FFFFFF", opacity=0.45)
    c.path("M-18 -95V-44M70 -96Q62 -70 62 -44", stroke=darker(tone, 0.22), width=2)
    c.rect(-8, -86, 18, 5, 2.5, fill=darker(tone, 0.35))
    c.path("M126 -84Q146 -80 148 -66L128 -68Q122 -76 126 -84Z", fill="#FFF1C2")
    c.path("M-147 -84H-130V-70H-148Z", fill="#B5352C")
    for x in (-92, 94):
        c.path(f"M{x - 39} -28A39 39 0 0 1 {x + 39} -28Z", fill=darker(TYRE, 0.3))
        wheel(c, x, 30, moving=moving)


def van(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A delivery van with plain sides, 340 long."""
    c.path(
        "M-168 -36V-172Q-168 -186 -154 -186H62Q78 -186 90 -172L132 -116L160 -104Q172 -98 172 -82"
        "V-38Q172 -28 162 -28H-160Q-168 -28 -168 -36Z",
        fill=c.gradient(lighter(tone, 0.18), tone),
    )
    c.path("M-168 -54H172V-38Q172 -28 162 -28H-160Q-168 -28 -168 -36Z", fill=darker(tone, 0.18))
    c.rect(-168, -128, 214, 16, fill=lighter(tone, 0.45))
    c.path("M58 -168H68Q74 -168 80 -160L112 -116H58Z", fill=GLASS)
    c.poly([(60, -166), (72, -166), (60, -140)], fill="#FFFFFF", opacity=0.45)
    c.path("M50 -174V-44M124 -112V-60", stroke=darker(tone, 0.22), width=2)
    c.rect(58, -102, 18, 5, 2.5, fill=darker(tone, 0.35))
    c.path("M150 -96Q168 -92 170 -78H152Z", fill="#FFF1C2")
    c.rect(-168, -98, 8, 26, fill="#B5352C")
    for x in (-106, 112):
        c.path(f"M{x - 40} -28A40 40 0 0 1 {x + 40} -28Z", fill=darker(TYRE, 0.3))
        wheel(c, x, 31, moving=moving)


def bus(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A town bus with plain sides, 460 long."""
    c.rect(-230, -186, 460, 160, 18, fill=c.gradient(lighter(tone, 0.16), tone))
    c.path("M-230 -62H230V-40Q230 -26 216 -26H-216Q-230 -26 -230 -40Z", fill=darker(tone, 0.18))
    c.rect(-230, -84, 460, 8, fill=CREAM, opacity=0.9)
    for i in range(5):
        c.rect(-214 + i * 66, -164, 58, 58, 6, fill=GLASS)
        c.poly(
            [(-206 + i * 66, -164), (-186 + i * 66, -164), (-206 + i * 66, -128)],
            fill="#FFFFFF",
            opacity=0.4,
        )
    c.rect(118, -168, 50, 134, 6, fill=darker(tone, 0.3))
    for x in (122, 145):
        c.rect(x, -163, 19, 124, 4, fill=GLASS)
    c.path("M178 -166H214Q226 -166 226 -152V-104H178Z", fill=GLASS)
    c.circle(218, -56, 8, fill="#FFF1C2")
    c.rect(-230, -110, 7, 24, fill="#B5352C")
    for x in (-142, 82):
        c.path(f"M{x - 42} -26A42 42 0 0 1 {x + 42} -26Z", fill=darker(TYRE, 0.3))
        wheel(c, x, 33, moving=moving)


def tractor(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A farm tractor, 290 long."""
    c.rect(92, -172, 9, 66, 4, fill=TYRE)
    c.rect(40, -74, 84, 26, 4, fill=darker(TYRE, 0.1))
    c.path("M6 -118H118Q142 -116 144 -92V-66H6Z", fill=c.gradient(lighter(tone, 0.18), tone))
    c.path("M6 -82H144V-66H6Z", fill=darker(tone, 0.2))
    for i in range(4):
        c.rect(62 + i * 14, -106, 6, 18, 3, fill=darker(tone, 0.3))
    c.circle(138, -98, 7, fill="#FFF1C2")
    c.path("M-94 -108L-84 -200H0L12 -118V-60H-60Z", fill=GLASS)
    c.poly([(-64, -196), (-38, -196), (-66, -124), (-84, -124)], fill="#FFFFFF", opacity=0.4)
    c.path("M-94 -108L-84 -200M0 -200L12 -118V-64M-34 -198V-110", stroke=darker(tone, 0.25), width=7)
    c.rect(-98, -212, 112, 15, 7, fill=tone)
    c.path("M-36 -100L-14 -128M-20 -134L-8 -122", stroke=TYRE, width=5)
    c.path("M-132 -82Q-128 -132 -72 -136Q-18 -134 -10 -78L-10 -58H-30Z", fill=tone)
    wheel(c, -68, 62, moving=moving, rim=p.third)
    for i in range(18):
        a, b = polar(-68, -62, 56, i * 20), polar(-68, -62, 62, i * 20 + 7)
        c.line(*a, *b, stroke=lighter(TYRE, 0.2), width=3)
    wheel(c, 104, 37, moving=moving, rim=p.third)


def train(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A passenger train whose nose is at 260 and whose tail leaves the picture."""
    for x in (-560, -430, -250, -120, 60, 170):
        wheel(c, x, 17, moving=moving)
    c.rect(-700, -38, 900, 16, fill=TYRE)
    c.path(
        "M-700 -176H120C190 -176 236 -120 258 -70Q266 -32 236 -30H-700Z",
        fill=c.gradient(lighter(CREAM, 0.4), CREAM),
    )
    c.path("M-700 -78H254L258 -70Q266 -32 236 -30H-700Z", fill=tone)
    c.path("M-700 -90H246L252 -80H-700Z", fill=p.third)
    c.path("M132 -154C170 -150 196 -124 208 -108H142Q132 -108 132 -118Z", fill=darker(GLASS, 0.5))
    c.poly([(138, -150), (158, -144), (142, -114)], fill="#FFFFFF", opacity=0.3)
    for i in range(14):
        x = -690 + i * 56
        if -340 < x < -280:
            continue
        c.rect(x, -154, 44, 46, 8, fill=darker(GLASS, 0.5))
        c.poly([(x + 8, -154), (x + 22, -154), (x + 8, -124)], fill="#FFFFFF", opacity=0.3)
    c.rect(-318, -180, 14, 152, fill=darker(TYRE, 0.1))
    c.ellipse(240, -66, 9, 6, fill="#FFF1C2")


def bicycle(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A bicycle, 250 long; when it moves, the silhouette of a rider sits on it."""
    for x in (-76, 76):
        c.circle(x, -48, 46, stroke=TYRE, width=5)
        c.circle(x, -48, 41, stroke=STEEL, width=2)
        for i in range(0 if moving else 12):
            c.line(x, -48, *polar(x, -48, 40, i * 30), stroke=darker(STEEL, 0.1), width=0.9)
        if moving:
            c.circle(x, -48, 28, stroke=STEEL, width=1.4, opacity=0.7)
        c.circle(x, -48, 5, fill=TYRE)
    if moving:
        c.path("M-34 -120L2 -92L-14 -44", stroke=darker(p.ink, 0.2), width=15)
    frame = "M-76 -48L-8 -46L54 -104L-28 -98L-76 -48M-8 -46L-32 -110M76 -48L50 -122"
    c.path(frame, stroke=tone, width=7)
    c.path("M-46 -113H-20", stroke=TYRE, width=9)
    c.path("M50 -122L48 -130H64Q74 -128 72 -118", stroke=TYRE, width=5)
    c.circle(-8, -46, 13, stroke=darker(STEEL, 0.35), width=4)
    c.path("M-8 -46L2 -24M-6 -22H12" if moving else "M-8 -46L-2 -24M-10 -23H8", stroke=TYRE, width=4)
    if not moving:
        c.line(-30, -46, -40, -1, stroke=darker(STEEL, 0.35), width=4)
        return
    c.path("M-32 -122L14 -90L4 -30H16", stroke=p.ink, width=16)
    c.path("M-30 -126L14 -184", stroke=p.second, width=30)
    c.path("M16 -180L34 -138L62 -130", stroke=darker(p.second, 0.15), width=12)
    c.circle(34, -214, 18, fill=p.ink)
    c.path("M13 -218Q14 -238 36 -238Q56 -236 57 -218Z", fill=p.accent)
