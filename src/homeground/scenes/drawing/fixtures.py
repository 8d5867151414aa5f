"""What kitchens and bathrooms are fitted with, made of boxes like the furniture."""

from __future__ import annotations

from homeground.scenes.drawing.canvas import CREAM, STEEL, WOOD, Palette, darker, lighter, mix
from homeground.scenes.drawing.solids import Part


def counter(p: Palette) -> list[Part]:
    """Kitchen units with a sink."""
    front = mix(p.second, "#FFFFFF", 0.15)
    parts: list[Part] = [(0.0, 1.8, 0.0, 0.58, 0.0, 0.88, darker(front, 0.1))]
    for i in range(3):
        u = i * 0.6
        parts.append((u + 0.02, u + 0.58, 0.58, 0.6, 0.1, 0.84, front))
        parts.append((u + 0.2, u + 0.4, 0.6, 0.62, 0.74, 0.77, STEEL))
    parts.append((-0.02, 1.82, 0.0, 0.63, 0.88, 0.93, mix(WOOD, CREAM, 0.35)))
    parts.append((0.15, 0.65, 0.1, 0.5, 0.93, 0.935, darker(STEEL, 0.35)))
    parts.append((1.3, 1.55, 0.2, 0.45, 0.93, 1.12, p.accent))
    return parts


def cooker(p: Palette) -> list[Part]:
    """A cooker."""
    return [
        (0.0, 0.6, 0.0, 0.6, 0.0, 0.9, lighter(STEEL, 0.35)),
        (0.07, 0.53, 0.6, 0.61, 0.15, 0.62, darker(p.ink, 0.1)),
        (0.07, 0.53, 0.61, 0.64, 0.68, 0.71, STEEL),
        (0.02, 0.58, 0.02, 0.58, 0.9, 0.915, p.ink),
    ]


def fridge(p: Palette) -> list[Part]:
    """A fridge."""
    return [
        (0.0, 0.62, 0.0, 0.6, 0.0, 1.8, lighter(STEEL, 0.4)),
        (0.01, 0.61, 0.6, 0.63, 0.03, 1.12, lighter(STEEL, 0.6)),
        (0.01, 0.61, 0.6, 0.63, 1.14, 1.79, lighter(STEEL, 0.6)),
        (0.06, 0.09, 0.63, 0.66, 0.7, 1.05, darker(STEEL, 0.3)),
        (0.06, 0.09, 0.63, 0.66, 1.2, 1.45, darker(STEEL, 0.3)),
    ]


def tub(p: Palette) -> list[Part]:
    """A bath tub."""
    white = "#F4F6F5"
    return [
        (0.0, 1.65, 0.0, 0.75, 0.0, 0.46, white),
        (0.08, 1.57, 0.08, 0.67, 0.46, 0.462, "#7CC4D6"),
        (0.0, 1.65, 0.0, 0.08, 0.46, 0.55, white),
        (0.0, 0.08, 0.08, 0.67, 0.46, 0.55, white),
        (1.57, 1.65, 0.08, 0.67, 0.46, 0.55, white),
        (0.0, 1.65, 0.67, 0.75, 0.46, 0.55, white),
    ]


def basin(p: Palette) -> list[Part]:
    """A washstand with a mirror."""
    return [
        (0.0, 0.8, 0.0, 0.42, 0.0, 0.75, mix(WOOD, p.panel, 0.3)),
        (-0.02, 0.82, 0.0, 0.46, 0.75, 0.86, "#F4F6F5"),
        (0.36, 0.44, 0.05, 0.12, 0.86, 1.0, STEEL),
        (0.05, 0.75, 0.0, 0.02, 1.15, 1.85, mix("#BFDDE8", p.second, 0.2)),
    ]


def seat(p: Palette) -> list[Part]:
    """A toilet."""
    white = "#F4F6F5"
    return [
        (0.0, 0.4, 0.0, 0.18, 0.0, 0.8, white),
        (0.06, 0.34, 0.18, 0.6, 0.0, 0.38, darker(white, 0.06)),
        (0.02, 0.38, 0.18, 0.66, 0.38, 0.43, lighter(white, 0.4)),
    ]
