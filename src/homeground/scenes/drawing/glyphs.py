"""Digits and the few signs of a scale, drawn as strokes so that no font is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from homeground.scenes.drawing.canvas import Canvas

Align = Literal["left", "middle", "right"]

_HEIGHT = 14.0
_GAP = 3.4

# Each glyph: its width and its stroke, in a box 14 high.
_GLYPHS: Mapping[str, tuple[float, str]] = {
    "0": (8, "M4 0C1.2 0 0 2.8 0 7S1.2 14 4 14S8 11.2 8 7S6.8 0 4 0Z"),
    "1": (4.4, "M0.4 3L4 0V14"),
    "2": (8, "M0.3 3.7C0.5 1.4 2 0 4.1 0C6.3 0 7.8 1.5 7.8 3.7C7.8 6.5 4.6 8.6 0.2 14H8"),
    "3": (
        8,
        "M0.4 2.7C1 1 2.3 0 4 0C6.2 0 7.6 1.4 7.6 3.3C7.6 5.3 6.1 6.6 3.4 6.6"
        "C6.3 6.6 8 8 8 10.2C8 12.5 6.3 14 4 14C2 14 0.6 13 0 11.2",
    ),
    "4": (8.4, "M6.2 14V0L0 9.9H8.4"),
    "5": (
        8,
        "M7.2 0H1.4L0.7 6.5C1.6 5.6 2.7 5.2 3.9 5.2C6.4 5.2 8 7 8 9.5"
        "C8 12.2 6.3 14 3.8 14C1.9 14 0.6 13.1 0 11.6",
    ),
    "6": (
        8,
        "M7 1.5C6.3 0.5 5.4 0 4.3 0C1.5 0 0 2.9 0 7.6C0 11.8 1.5 14 4.1 14"
        "C6.4 14 8 12.3 8 9.8C8 7.4 6.4 5.7 4.2 5.7C2 5.7 0.2 7.2 0 9.6",
    ),
    "7": (7.6, "M0 0H7.6L2.6 14"),
    "8": (
        8,
        "M4 6.5C1.9 6.5 0.7 5.1 0.7 3.3C0.7 1.4 2.1 0 4 0S7.3 1.4 7.3 3.3C7.3 5.1 6.1 6.5 4 6.5"
        "C1.6 6.5 0 8 0 10.2C0 12.5 1.6 14 4 14S8 12.5 8 10.2C8 8 6.4 6.5 4 6.5Z",
    ),
    "9": (
        8,
        "M1 12.5C1.7 13.5 2.6 14 3.7 14C6.5 14 8 11.1 8 6.4C8 2.2 6.5 0 3.9 0"
        "C1.6 0 0 1.7 0 4.2C0 6.6 1.6 8.3 3.8 8.3C6 8.3 7.8 6.8 8 4.4",
    ),
    "-": (5, "M0 7.4H5"),
    "°": (3.6, "M1.8 0A1.8 1.8 0 1 1 1.8 3.6A1.8 1.8 0 1 1 1.8 0Z"),
    "C": (8, "M8 2.7C7.2 1 5.9 0 4.4 0C1.6 0 0 2.9 0 7S1.6 14 4.4 14C5.9 14 7.2 13 8 11.3"),
    "F": (7, "M7 0H0V14M0 6.6H5.8"),
}


def text_width(text: str, height: float) -> float:
    """The width of a text at a glyph height."""
    widths = sum(_GLYPHS[sign][0] for sign in text) + _GAP * (len(text) - 1)
    return widths * height / _HEIGHT


def write(
    canvas: Canvas,
    text: str,
    x: float,
    y: float,
    *,
    height: float,
    tone: str,
    align: Align = "middle",
    weight: float = 1.9,
) -> None:
    """Draw a text whose glyphs are vertically centred on y."""
    shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align]
    scale = height / _HEIGHT
    left = x - shift * text_width(text, height)
    for sign in text:
        width, stroke = _GLYPHS[sign]
        with canvas.group(left, y - height / 2, scale):
            canvas.path(stroke, stroke=tone, width=weight)
        left += (width + _GAP) * scale
