"""More things that move on land, seen from the side and facing right: two-wheelers and a tram."""

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
)
from homeground.scenes.drawing.vehicles import wheel


def tram(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A tram of two cars under a wire, 520 long."""
    c.line(-900, -232, 900, -232, stroke=TYRE, width=2.2)
    c.path("M-40 -190L-64 -210L-36 -231H-6M-40 -190L-20 -210L-36 -231", stroke=TYRE, width=4)
    for x in (-196, -92, 92, 196):
        wheel(c, x, 17, moving=moving)
    c.rect(-246, -36, 492, 20, 6, fill=darker(TYRE, 0.2))
    c.rect(-16, -172, 32, 146, fill=darker(TYRE, 0.05))
    for x in (-9, 0, 9):
        c.line(x, -170, x, -30, stroke=lighter(TYRE, 0.2), width=3)
    shell = c.gradient(lighter(CREAM, 0.4), CREAM)
    front = "M12 -184H206C238 -184 254 -128 260 -84V-40Q260 -26 246 -26H12Z"
    rear = "M-12 -184H-206C-238 -184 -254 -128 -260 -84V-40Q-260 -26 -246 -26H-12Z"
    for body, low in (
        (front, "M12 -84H260V-40Q260 -26 246 -26H12Z"),
        (rear, "M-12 -84H-260V-40Q-260 -26 -246 -26H-12Z"),
    ):
        c.path(body, fill=shell)
        c.path(low, fill=tone)
    c.rect(-206, -194, 412, 12, 5, fill=darker(STEEL, 0.1))
    c.path("M206 -166C232 -160 242 -124 246 -98H202V-166Z", fill=darker(GLASS, 0.4))
    c.path("M-206 -166C-232 -160 -242 -124 -246 -98H-202V-166Z", fill=darker(GLASS, 0.4))
    for x in (-194, -86, 34, 142):
        c.rect(x, -166, 52, 66, 7, fill=darker(GLASS, 0.4))
        c.poly([(x + 8, -166), (x + 24, -166), (x + 8, -124)], fill="#FFFFFF", opacity=0.35)
    for x in (-136, 92):
        c.rect(x, -168, 44, 136, 5, fill=darker(tone, 0.25))
        for k in (3, 23):
            c.rect(x + k, -164, 18, 126, 4, fill=darker(GLASS, 0.25))
    c.ellipse(250, -62, 6, 8, fill="#FFF1C2")
    c.rect(-258, -70, 6, 18, 3, fill="#B5352C")


def _rider(
    c: Canvas, p: Palette, hip: tuple[float, float], hand: tuple[float, float], foot: tuple[float, float]
) -> None:
    """Somebody in a helmet, sitting at the hip, hands and feet on the machine."""
    (hx, hy), (ax, ay), (fx, fy) = hip, hand, foot
    knee = (hx + 52, hy + 12)
    c.path(f"M{hx} {hy}L{knee[0]} {knee[1]}L{fx} {fy}H{fx + 12}", stroke=p.ink, width=18)
    c.line(hx, hy - 4, hx + 18, hy - 66, stroke=p.second, width=34)
    c.path(f"M{hx + 20} {hy - 66}L{hx + 34} {hy - 26}L{ax} {ay}", stroke=darker(p.second, 0.18), width=13)
    c.circle(hx + 30, hy - 106, 22, fill=p.third)
    c.path(f"M{hx + 34} {hy - 112}h20q2 10 -4 18h-18Z", fill=darker(GLASS, 0.6))


def scooter(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A motor scooter, 210 long; when it moves, somebody rides it."""
    wheel(c, -62, 27, moving=moving)
    wheel(c, 80, 27, moving=moving)
    if not moving:
        c.line(-10, -26, -20, -1, stroke=darker(STEEL, 0.35), width=5)
    c.path("M80 -27L62 -110L54 -136", stroke=darker(STEEL, 0.2), width=9)
    c.path(
        "M-104 -72Q-96 -100 -60 -102H-6Q6 -60 -6 -38H-24Q-36 -66 -62 -66Q-90 -64 -96 -44Q-108 -52 -104 -72Z",
        fill=tone,
    )
    c.path("M-14 -38Q0 -60 -6 -102H-24Q-14 -60 -28 -44Z", fill=darker(tone, 0.18))
    c.path("M-24 -38H38Q50 -40 54 -54L66 -124H48L36 -62Q34 -54 24 -54H-24Z", fill=tone)
    c.path("M-18 -38H38Q46 -39 50 -46H-20Z", fill=darker(tone, 0.25))
    c.path("M48 -40Q54 -66 84 -62Q108 -58 112 -30Q96 -48 80 -48Q62 -48 56 -34Z", fill=tone)
    c.path("M-92 -102Q-90 -116 -70 -116H-12Q2 -112 0 -102Z", fill=p.ink)
    c.path("M46 -124Q46 -148 62 -148Q76 -146 74 -126Q66 -116 46 -124Z", fill=tone)
    c.circle(72, -136, 8, fill="#FFF1C2")
    c.path("M58 -146L44 -156", stroke=TYRE, width=7)
    c.rect(-108, -82, 8, 12, 3, fill="#B5352C")
    if moving:
        _rider(c, p, (-44, -122), (46, -154), (14, -58))
    else:
        c.line(60, -146, 54, -172, stroke=darker(STEEL, 0.3), width=3)
        c.ellipse(52, -178, 8, 10, fill=darker(STEEL, 0.1))


def motorbike(c: Canvas, p: Palette, tone: str, moving: bool) -> None:
    """A motorbike, 250 long; when it moves, somebody rides it."""
    for x in (-82, 84):
        c.circle(x, -40, 40, fill=TYRE)
        c.circle(x, -40, 27, fill=lighter(STEEL, 0.2))
        c.circle(x, -40, 23, fill=darker(STEEL, 0.35), opacity=0.55 if moving else 1.0)
        c.circle(x, -40, 9, fill=STEEL)
    if not moving:
        c.line(-8, -34, -22, -1, stroke=darker(STEEL, 0.35), width=5)
    c.path("M84 -40L58 -118L50 -136", stroke=darker(STEEL, 0.15), width=10)
    c.path("M-82 -40L-20 -52L10 -36", stroke=darker(STEEL, 0.4), width=11)
    c.path("M-34 -84L40 -92L34 -34H-22Z", fill=darker(STEEL, 0.5))
    for i in range(4):
        c.rect(-20 + i * 2, -80 + i * 11, 52, 5, 2.5, fill=lighter(STEEL, 0.1))
    c.path("M-16 -26H-70L-124 -48", stroke=lighter(STEEL, 0.3), width=11)
    c.path("M-26 -104Q-16 -134 24 -132Q52 -128 54 -104Q40 -92 -12 -92Z", fill=tone)
    c.path("M-26 -104L-12 -92Q40 -92 54 -104Q14 -98 -26 -104Z", fill=darker(tone, 0.2))
    c.path("M-118 -116Q-92 -104 -64 -112Q-40 -116 -24 -104L-16 -92H-66Q-98 -92 -118 -116Z", fill=p.ink)
    c.path("M-118 -114L-124 -98L-96 -88Z", fill=tone)
    c.rect(-126, -106, 9, 9, 3, fill="#B5352C")
    c.path("M44 -92Q58 -96 64 -112L76 -92Q66 -84 44 -92Z", fill=darker(tone, 0.1))
    c.path("M46 -84Q80 -100 118 -66Q100 -82 80 -82Q64 -82 54 -74Z", fill=tone)
    c.circle(66, -124, 12, fill=darker(STEEL, 0.2))
    c.path("M68 -136A12 12 0 0 1 68 -112Z", fill="#FFF1C2")
    c.path("M54 -134L42 -146H30", stroke=TYRE, width=7)
    if moving:
        _rider(c, p, (-54, -120), (34, -146), (-8, -58))
