"""Boxes in one-point perspective: the view into a room and the order of painting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from homeground.scenes.drawing.canvas import Canvas, darker, lighter

Point = tuple[float, float]
# A part of a piece of furniture: u from, u to, v from, v to, y from, y to, tone.
Part = tuple[float, float, float, float, float, float, str]


@dataclass(frozen=True)
class View:
    """A camera in front of a room of width w, depth d and wall height h, all in metres.

    x runs from -w/2 to w/2, y upward from the floor, z from the open front to the back wall.
    """

    w: float
    d: float
    h: float
    back: float
    eye: float
    scale: float
    top: float

    def factor(self, z: float) -> float:
        """Pixels for a metre at depth z."""
        return self.scale * self.back / (self.back + z)

    def at(self, x: float, y: float, z: float) -> Point:
        """Project a point of the room onto the picture."""
        k = self.factor(z)
        return 320 + x * k, self.top + (self.eye - y) * k


def view_of(area: float, ratio: float, height: float = 2.4) -> View:
    """Look into a room of the given floor area and ratio of width to depth, fitted in."""
    w = (area * ratio) ** 0.5
    d = area / w
    back = 1.2 * d + 2.0
    eye = max(3.3, 0.62 * back)
    rise = (eye - height) * back / (back + d)
    scale = min(556 / w, 404 / (eye - rise))
    middle = (eye + rise) / 2 * scale
    return View(w, d, height, back, eye, scale, 240 - middle)


@dataclass(frozen=True)
class Block:
    """A box in a room; draw replaces its six plain faces."""

    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float]
    tone: str
    draw: Callable[[Canvas, View], None] | None = None


def paint(c: Canvas, view: View, blocks: Sequence[Block]) -> None:
    """Paint boxes from the back to the front."""
    spans = [_span(view, b) for b in blocks]
    waits = [
        {j for j, b in enumerate(blocks) if j != i and _meet(spans[i], spans[j]) and _hides(a, b)}
        for i, a in enumerate(blocks)
    ]
    rest = list(range(len(blocks)))
    while rest:
        i = next((k for k in rest if waits[k].isdisjoint(rest)), rest[0])
        rest.remove(i)
        draw = blocks[i].draw
        if draw is not None:
            draw(c, view)
        else:
            _faces(c, view, blocks[i])


def _span(view: View, b: Block) -> tuple[float, float, float, float]:
    """The upright rectangle of the picture that a box lies in."""
    points = [view.at(x, y, z) for x in b.x for y in b.y for z in b.z]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), max(xs), min(ys), max(ys)


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def _hides(a: Block, b: Block) -> bool:
    """Whether a must wait for b, since it may lie before it."""
    slack = 1e-6
    if a.z[1] <= b.z[0] + slack:
        return True
    if b.z[1] <= a.z[0] + slack:
        return False
    if b.y[1] <= a.y[0] + slack:
        return True
    if a.y[1] <= b.y[0] + slack:
        return False
    if b.x[1] <= a.x[0] + slack:
        return a.x[0] <= 0
    if a.x[1] <= b.x[0] + slack:
        return a.x[1] >= 0
    return False


def _faces(c: Canvas, view: View, b: Block) -> None:
    (x0, x1), (y0, y1), (z0, z1) = b.x, b.y, b.z
    side = x0 if x0 > 0 else x1
    if x0 > 0 or x1 < 0:
        corners = [(y0, z0), (y1, z0), (y1, z1), (y0, z1)]
        c.poly([view.at(side, y, z) for y, z in corners], fill=darker(b.tone, 0.2))
    top = [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]
    c.poly([view.at(x, y1, z) for x, z in top], fill=lighter(b.tone, 0.2))
    front = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    c.poly([view.at(x, y, z0) for x, y in front], fill=b.tone)


def flat(view: View, x: tuple[float, float], z: tuple[float, float], y: float = 0.0) -> list[Point]:
    """A level rectangle at height y."""
    corners = [(x[0], z[0]), (x[1], z[0]), (x[1], z[1]), (x[0], z[1])]
    return [view.at(a, y, b) for a, b in corners]


def upright(view: View, x: tuple[float, float], y: tuple[float, float], z: float) -> list[Point]:
    """An upright rectangle that faces the camera at depth z."""
    corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
    return [view.at(a, b, z) for a, b in corners]


def sideways(view: View, x: float, y: tuple[float, float], z: tuple[float, float]) -> list[Point]:
    """An upright rectangle on a side wall."""
    corners = [(y[0], z[0]), (y[1], z[0]), (y[1], z[1]), (y[0], z[1])]
    return [view.at(x, a, b) for a, b in corners]
