"""Which scale comes first on a thermometer, and the steps of both."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from homeground.scenes.drawing.canvas import Canvas, Palette, text_of
from homeground.scenes.drawing.gauges import Ruling, Tube
from homeground.scenes.drawing.glyphs import write

Sign = Literal["C", "F"]


def order(params: Mapping[str, object], rng: random.Random) -> tuple[Sign, Sign]:
    """Which scale comes first (left, upper or outer); drawn by the seed unless given."""
    first = text_of(params, "first", rng.choice(["C", "F"]))
    return ("F", "C") if first == "F" else ("C", "F")


def rulings_of(span: float) -> dict[Sign, Ruling]:
    """Round steps for both scales, by the span in degrees Celsius."""
    if span <= 12:
        return {"C": Ruling(1, 0.1 if span <= 8 else 0.2), "F": Ruling(2, 0.2)}
    if span <= 55:
        return {"C": Ruling(10, 1), "F": Ruling(10, 2)}
    if span <= 110:
        return {"C": Ruling(10, 2), "F": Ruling(20, 5)}
    return {"C": Ruling(50, 10), "F": Ruling(100, 20)}


def bare(params: Mapping[str, object]) -> bool:
    """Whether a thermometer has plain marks and no numbers."""
    return text_of(params, "scales", "both") == "ticks"


def flank(
    c: Canvas,
    p: Palette,
    tube: Tube,
    scales: tuple[Sign, Sign],
    *,
    numerals: float,
    letters: tuple[float, float, float],
) -> None:
    """Rule an upright tube with one scale on each side, each with its letter below.

    Args:
        c: drawn on.
        p: the first scale is in its ink, the second in its second tone.
        tube: the tube between the scales.
        scales: left and right.
        numerals: height of the numbers.
        letters: how far from the tube's middle the letters stand, their baseline and height.
    """
    away, baseline, height = letters
    rulings = rulings_of(tube.high - tube.low)
    for sign, side in zip(scales, (-1, 1), strict=True):
        tone = p.ink if side < 0 else p.second
        tube.rule(c, sign, rulings[sign], side=side, inset=14, height=numerals, tone=tone)
        write(c, "°" + sign, tube.start[0] + side * away, baseline, height=height, tone=tone)
