"""Thermometer scales: a straight tube and a round dial, exact to the value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from homeground.scenes.drawing.canvas import Canvas, darker, fmt, lighter, polar
from homeground.scenes.drawing.glyphs import text_width, write

Scales = Literal["both", "ticks"]

FLUID = "#D9483B"
SWEEP = 270.0
_ARC = 0.59


def fahrenheit(celsius: float) -> float:
    """Turn degrees Celsius into degrees Fahrenheit."""
    return celsius * 9 / 5 + 32


def celsius_of(degrees: float) -> float:
    """Turn degrees Fahrenheit into degrees Celsius."""
    return (degrees - 32) * 5 / 9


def marks(low: float, high: float, step: float) -> Iterator[float]:
    """All multiples of step from low to high."""
    for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
        yield i * step


def rank(mark: float, label: float, step: float) -> int:
    """2 for a labelled mark, 1 for one half-way between labels, 0 for the rest."""
    if math.isclose(mark / label, round(mark / label), abs_tol=1e-6):
        return 2
    half = label / 2
    if half > step * 1.01 and math.isclose(mark / half, round(mark / half), abs_tol=1e-6):
        return 1
    return 0


@dataclass(frozen=True)
class Ruling:
    """The steps of one scale: the distance of its labels and of its marks."""

    label: float
    step: float


@dataclass(frozen=True)
class Tube:
    """A straight glass tube from start (low) to end (high), upright or lying."""

    low: float
    high: float
    start: tuple[float, float]
    length: float
    upright: bool = True

    def place(self, celsius: float) -> float:
        """How far along the tube a temperature lies, in pixels."""
        return (celsius - self.low) / (self.high - self.low) * self.length

    def point(self, celsius: float, aside: float = 0.0) -> tuple[float, float]:
        """The point of a temperature; aside is to the right (upright) or upward (lying)."""
        along = self.place(celsius)
        if self.upright:
            return self.start[0] + aside, self.start[1] - along
        return self.start[0] + along, self.start[1] - aside

    def draw(self, c: Canvas, value: float, *, bulb: float, bore: float, fluid: str = FLUID) -> None:
        """Draw the glass, the bulb and the column, which ends exactly at the value."""
        x, y = self.start
        drop = bulb * 1.5
        bx, by = (x, y + drop) if self.upright else (x - drop, y)
        wide, pad = bore * 2.4, bore * 1.6
        for tone, w, r, end in (
            ("#C3D2DA", wide + 3, bulb + 4.5, self.length + pad),
            ("#F5FAFC", wide, bulb + 3, self.length + pad),
        ):
            tip = (x, y - end) if self.upright else (x + end, y)
            c.line(bx, by, *tip, stroke=tone, width=w)
            c.circle(bx, by, r, fill=tone)
        c.circle(bx, by, bulb, fill=fluid)
        along = self.place(value)
        if self.upright:
            c.rect(x - bore / 2, y - along, bore, along + drop, fill=fluid)
        else:
            c.rect(x - drop, y - bore / 2, along + drop, bore, fill=fluid)
        c.circle(bx - bulb * 0.3, by - bulb * 0.35, bulb * 0.25, fill="#FFFFFF", opacity=0.55)

    def rule(
        self,
        c: Canvas,
        sign: Literal["C", "F", ""],
        ruling: Ruling,
        *,
        side: int,
        inset: float,
        height: float,
        tone: str,
    ) -> None:
        """Draw the marks of one scale on one side (1 right or up, -1 left or down)."""
        low, high = self.low, self.high
        if sign == "F":
            low, high = fahrenheit(low), fahrenheit(high)
        for mark in marks(low, high, ruling.step):
            celsius = celsius_of(mark) if sign == "F" else mark
            level = rank(mark, ruling.label, ruling.step)
            size = (6.0, 10.0, 14.0)[level]
            a = self.point(celsius, side * inset)
            b = self.point(celsius, side * (inset + size))
            c.line(*a, *b, stroke=tone, width=(1.2, 1.5, 2.0)[level])
            if level == 2 and sign:
                self._label(c, f"{mark:.0f}", celsius, side * (inset + 21), height, tone)

    def _label(self, c: Canvas, text: str, celsius: float, aside: float, height: float, tone: str) -> None:
        if self.upright:
            x, y = self.point(celsius, aside)
            write(c, text, x, y, height=height, tone=tone, align="left" if aside > 0 else "right")
        else:
            x, y = self.point(celsius, aside + math.copysign(height / 2, aside))
            write(c, text, x, y, height=height, tone=tone)


@dataclass(frozen=True)
class Dial:
    """A round thermometer whose needle sweeps 270 degrees from low to high."""

    low: float
    high: float
    cx: float
    cy: float
    radius: float

    def angle(self, celsius: float) -> float:
        """The needle's clockwise angle from twelve o'clock."""
        return -SWEEP / 2 + SWEEP * (celsius - self.low) / (self.high - self.low)

    def face(self, c: Canvas, rim: str, plate: str) -> None:
        """Draw the case and the plate."""
        x, y, r = self.cx, self.cy, self.radius
        c.drop(x - r, y - r, 2 * r, 2 * r, r, 6)
        c.circle(x, y, r, fill=rim)
        c.circle(x, y, r * 0.975, stroke=lighter(rim, 0.4), width=r * 0.02)
        c.circle(x, y, r * 0.925, fill=darker(rim, 0.35))
        c.circle(x, y, r * 0.9, fill=plate)

    def rule(
        self,
        c: Canvas,
        sign: Literal["C", "F", ""],
        ruling: Ruling,
        *,
        outer: bool,
        height: float,
        tone: str,
    ) -> None:
        """Draw one scale on the outer or the inner side of the arc, with its sign if any."""
        low, high = self.low, self.high
        if sign == "F":
            low, high = fahrenheit(low), fahrenheit(high)
        base = self.radius * _ARC
        way = 1 if outer else -1
        long = 1.0 if sign else 2.2
        for mark in marks(low, high, ruling.step):
            turn = self.angle(celsius_of(mark) if sign == "F" else mark)
            level = rank(mark, ruling.label, ruling.step)
            size = (0.045, 0.055, 0.075)[level] * self.radius * long
            a = polar(self.cx, self.cy, base + way * 2, turn)
            b = polar(self.cx, self.cy, base + way * (2 + size), turn)
            c.line(*a, *b, stroke=tone, width=(1.2, 1.5, 2.2)[level])
            if level == 2 and sign:
                text = f"{mark:.0f}"
                lean = math.radians(turn)
                half = abs(math.sin(lean)) * text_width(text, height) / 2
                half += abs(math.cos(lean)) * height / 2
                x, y = polar(self.cx, self.cy, base + way * (size + half + 7), turn)
                write(c, text, x, y, height=height, tone=tone)
        if not sign:
            return
        y = self.cy + self.radius * (0.74 if outer else 0.46)
        write(c, "°" + sign, self.cx, y, height=height * 1.25, tone=tone)

    def arc(self, c: Canvas, tone: str) -> None:
        """Draw the line between the two scales."""
        r = self.radius * _ARC
        (x1, y1), (x2, y2) = (polar(self.cx, self.cy, r, t) for t in (-SWEEP / 2, SWEEP / 2))
        c.path(
            f"M{fmt(x1)} {fmt(y1)}A{fmt(r)} {fmt(r)} 0 1 1 {fmt(x2)} {fmt(y2)}",
            stroke=tone,
            width=1.6,
        )

    def zones(self, c: Canvas, tones: Sequence[str], bounds: Sequence[float]) -> None:
        """Draw a band of tones along the inner side of the arc, one between each two bounds."""
        r = self.radius * (_ARC - 0.045)
        for tone, low, high in zip(tones, bounds, bounds[1:], strict=False):
            (x1, y1), (x2, y2) = (polar(self.cx, self.cy, r, self.angle(t)) for t in (low, high))
            large = int(self.angle(high) - self.angle(low) > 180)
            d = f"M{fmt(x1)} {fmt(y1)}A{fmt(r)} {fmt(r)} 0 {large} 1 {fmt(x2)} {fmt(y2)}"
            c.path(d, stroke=tone, width=self.radius * 0.06)

    def needle(self, c: Canvas, value: float, tone: str) -> None:
        """Draw the needle, which points exactly at the value."""
        x, y, r = self.cx, self.cy, self.radius
        turn = self.angle(value)
        with c.group(x + 2, y + 4, turn=turn):
            c.poly(
                [(-r * 0.03, r * 0.14), (0, -r * 0.62), (r * 0.03, r * 0.14)],
                fill="#101820",
                opacity=0.18,
            )
        with c.group(x, y, turn=turn):
            c.poly([(-r * 0.035, r * 0.16), (0, -r * 0.64), (r * 0.035, r * 0.16)], fill=tone)
        c.circle(x, y, r * 0.075, fill=darker(tone, 0.35))
        c.circle(x, y, r * 0.03, fill=lighter(tone, 0.5))
