"""Things that recur behind the subjects: skies, hills, trees, rooms, windows, plants."""

from __future__ import annotations

import random
from collections.abc import Callable

from homeground.scenes.drawing.canvas import (
    CREAM,
    HEIGHT,
    LEAF,
    WIDTH,
    WOOD,
    Canvas,
    Palette,
    box_path,
    darker,
    fmt,
    lighter,
    mix,
)


def backdrop(c: Canvas, top: str, bottom: str) -> None:
    """Fill the picture with a vertical gradient."""
    c.rect(0, 0, WIDTH, HEIGHT, fill=c.gradient(top, bottom))


def cloud(c: Canvas, x: float, y: float, size: float, tone: str, opacity: float = 0.9) -> None:
    """A flat-bottomed cloud of the given width, standing on y."""
    k = size / 100
    c.path(
        f"M{fmt(x - 46 * k)} {fmt(y)}"
        f"a{fmt(16 * k)} {fmt(16 * k)} 0 0 1 {fmt(14 * k)} {fmt(-22 * k)}"
        f"a{fmt(24 * k)} {fmt(24 * k)} 0 0 1 {fmt(42 * k)} {fmt(-8 * k)}"
        f"a{fmt(17 * k)} {fmt(17 * k)} 0 0 1 {fmt(28 * k)} {fmt(14 * k)}"
        f"a{fmt(9 * k)} {fmt(9 * k)} 0 0 1 {fmt(8 * k)} {fmt(16 * k)}Z",
        fill=tone,
        opacity=opacity,
    )


def ridge(c: Canvas, rng: random.Random, base: float, rise: float, tone: str, *, span: int = 4) -> None:
    """A row of soft hills across the picture whose valleys lie at base."""
    step = WIDTH / span
    x = -step * rng.uniform(0.2, 0.8)
    d = f"M{fmt(x)} {HEIGHT}L{fmt(x)} {fmt(base)}"
    while x < WIDTH:
        width = step * rng.uniform(0.8, 1.2)
        peak, middle = base - 1.5 * rise * rng.uniform(0.6, 1.0), x + width / 2
        d += f"C{fmt(x + width * 0.24)} {fmt(base)} {fmt(x + width * 0.26)} {fmt(peak)} "
        d += f"{fmt(middle)} {fmt(peak)}S{fmt(x + width * 0.76)} {fmt(base)} "
        x += width
        d += f"{fmt(x)} {fmt(base)}"
    c.path(d + f"L{fmt(x)} {HEIGHT}Z", fill=tone)


def round_tree(c: Canvas, x: float, base: float, height: float, tone: str) -> None:
    """A broad-leaved tree standing at (x, base)."""
    k = height / 100
    bark = mix(WOOD, "#5B4636", 0.55)
    c.path(
        f"M{fmt(x - 5 * k)} {fmt(base)}L{fmt(x - 3 * k)} {fmt(base - 50 * k)}h{fmt(6 * k)}"
        f"L{fmt(x + 5 * k)} {fmt(base)}Z",
        fill=bark,
    )
    c.line(x, base - 34 * k, x + 12 * k, base - 50 * k, stroke=bark, width=3 * k)
    blobs = [(-15, 52, 19), (16, 52, 18), (-9, 70, 21), (12, 70, 20), (0, 81, 19), (0, 58, 22)]
    for dx, dy, r in blobs:
        c.circle(x + dx * k, base - dy * k, r * k, fill=tone)
    for dx, dy, r in [(-11, 74, 12), (3, 84, 11), (-17, 57, 9)]:
        c.circle(x + dx * k, base - dy * k, r * k, fill=lighter(tone, 0.16))
    for dx, dy, r in [(17, 52, 10), (9, 48, 9)]:
        c.circle(x + dx * k, base - dy * k, r * k, fill=darker(tone, 0.14))


def fir_tree(c: Canvas, x: float, base: float, height: float, tone: str) -> None:
    """A conifer standing at (x, base)."""
    k = height / 100
    c.rect(x - 3 * k, base - 16 * k, 6 * k, 16 * k, fill=mix(WOOD, "#5B4636", 0.55))
    for low, high, half in [(12, 52, 24), (34, 74, 19), (56, 100, 14)]:
        left, right, top = x - half * k, x + half * k, base - high * k
        c.poly([(left, base - low * k), (x, top), (right, base - low * k)], fill=tone)
        c.poly(
            [(x, base - low * k), (x, top), (right, base - low * k)],
            fill=darker(tone, 0.14),
        )


def bush(c: Canvas, x: float, base: float, size: float, tone: str) -> None:
    """A low bush standing at (x, base)."""
    k = size / 100
    with c.clip(box_path(x - 80 * k, base - 90 * k, 160 * k, 90 * k)):
        for dx, dy, r in [(-32, 16, 26), (30, 14, 28), (0, 28, 34)]:
            c.circle(x + dx * k, base - dy * k, r * k, fill=tone)
        c.circle(x - 8 * k, base - 34 * k, 22 * k, fill=lighter(tone, 0.05))


def tufts(c: Canvas, rng: random.Random, low: float, high: float, tone: str, count: int = 22) -> None:
    """Small strokes of grass scattered between two heights."""
    for _ in range(count):
        x, y = rng.uniform(10, WIDTH - 10), rng.uniform(low, high)
        size = 4 + 5 * (y - low) / max(1.0, high - low)
        left, right, top = x - size * 0.6, x + size * 0.6, y - size
        d = f"M{fmt(left)} {fmt(top)}L{fmt(x)} {fmt(y)}L{fmt(right)} {fmt(top)}"
        c.path(d, stroke=tone, width=1.8)


def room(c: Canvas, p: Palette, *, horizon: float = 372.0, boards: bool = True, dim: float = 0.0) -> None:
    """A plain wall with a skirting and a floor; dim darkens it (0 to 1)."""
    wall, floor = darker(p.wall, dim), darker(p.floor, dim)
    c.rect(0, 0, WIDTH, horizon, fill=c.gradient(lighter(wall, 0.14), wall))
    c.rect(0, horizon, WIDTH, HEIGHT - horizon, fill=c.gradient(darker(floor, 0.12), floor))
    if boards:
        for i in range(-8, 9):
            c.line(320 + i * 62, horizon, 320 + i * 112, HEIGHT, stroke=darker(floor, 0.2), width=1.2)
    c.rect(0, horizon - 13, WIDTH, 13, fill=darker(lighter(p.wall, 0.6), dim))
    c.rect(0, horizon, WIDTH, 5, fill=darker(floor, 0.35), opacity=0.6)


def window(
    c: Canvas,
    x: float,
    y: float,
    w: float,
    h: float,
    view: Callable[[], None],
    *,
    frame: str = CREAM,
    bars: tuple[int, int] = (2, 2),
) -> None:
    """A framed window on the wall; view paints what is seen through it."""
    c.drop(x - 10, y - 10, w + 20, h + 20, 4, 6)
    c.rect(x - 11, y - 11, w + 22, h + 22, 4, fill=frame)
    with c.clip(box_path(x, y, w, h)):
        view()
        c.poly(
            [(x + w * 0.1, y), (x + w * 0.3, y), (x - w * 0.1, y + h), (x - w * 0.3, y + h)],
            fill="#FFFFFF",
            opacity=0.1,
        )
        c.rect(x, y, w, 7, fill=darker(frame, 0.6), opacity=0.2)
    for i in range(1, bars[0]):
        c.rect(x + w * i / bars[0] - 4, y, 8, h, fill=frame)
    for i in range(1, bars[1]):
        c.rect(x, y + h * i / bars[1] - 4, w, 8, fill=frame)
    c.rect(x - 24, y + h + 8, w + 48, 14, 3, fill=lighter(frame, 0.3))
    c.rect(x - 24, y + h + 19, w + 48, 5, 2, fill=darker(frame, 0.22))


def pot_plant(c: Canvas, x: float, base: float, height: float, pot: str, leaf: str = LEAF) -> None:
    """A leafy plant in a pot standing at (x, base)."""
    k = height / 100
    c.shadow(x + 3 * k, base, 26 * k, 4 * k)
    for turn, size in [(-52, 46), (52, 46), (-28, 60), (28, 60), (0, 68)]:
        with c.group(x, base - 32 * k, k, turn=turn):
            tone = lighter(leaf, 0.14) if turn < 0 else leaf
            c.path(
                f"M0 0C-13 {-size * 0.4:.2f} -10 {-size * 0.8:.2f} 0 {-size}"
                f"C10 {-size * 0.8:.2f} 13 {-size * 0.4:.2f} 0 0Z",
                fill=tone,
            )
            c.line(0, -2, 0, -size * 0.8, stroke=darker(leaf, 0.25), width=1.2)
    c.path(
        f"M{fmt(x - 20 * k)} {fmt(base - 34 * k)}H{fmt(x + 20 * k)}L{fmt(x + 14 * k)} {fmt(base)}"
        f"H{fmt(x - 14 * k)}Z",
        fill=pot,
    )
    c.path(
        f"M{fmt(x + 6 * k)} {fmt(base - 34 * k)}H{fmt(x + 20 * k)}L{fmt(x + 14 * k)} {fmt(base)}"
        f"H{fmt(x + 4 * k)}Z",
        fill=darker(pot, 0.14),
    )
    c.rect(x - 22 * k, base - 39 * k, 44 * k, 9 * k, 2 * k, fill=lighter(pot, 0.14))


def table(c: Canvas, top: float, tone: str) -> None:
    """A table top that runs across the lower part of the picture."""
    c.rect(0, top, WIDTH, HEIGHT - top, fill=c.gradient(lighter(tone, 0.1), darker(tone, 0.06)))
    c.rect(0, top, WIDTH, 4, fill=lighter(tone, 0.35))
