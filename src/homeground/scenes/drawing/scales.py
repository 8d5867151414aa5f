"""Which scale comes first on a thermometer, and the steps of both."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from homeground.scenes.drawing.canvas import text_of
from homeground.scenes.drawing.gauges import Ruling

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
