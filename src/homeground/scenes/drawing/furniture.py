"""Furniture in real sizes, made of boxes: u along the wall, v away from it, y upward (m)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeground.scenes.drawing import fixtures, scenery
from homeground.scenes.drawing.canvas import (
    CREAM,
    LEAF,
    WOOD,
    Canvas,
    Palette,
    darker,
    lighter,
    mix,
)
from homeground.scenes.drawing.solids import Block, Part, View

Maker = Callable[[Palette], list[Part]]

BOOKS = 14


def _legs(w: float, d: float, height: float, tone: str, at: float = 0.0) -> list[Part]:
    t = 0.05
    return [(u, u + t, v, v + t, 0.0, height, tone) for u in (at, at + w - t) for v in (at, at + d - t)]


def _bed(width: float) -> Maker:
    def make(p: Palette) -> list[Part]:
        wood = mix(WOOD, p.floor, 0.3)
        half = width / 2
        pillows = [(0.1, width - 0.1)] if width < 1.2 else [(0.1, half - 0.05), (half + 0.05, width - 0.1)]
        parts: list[Part] = [
            (0.0, width, 0.0, 0.08, 0.0, 0.95, wood),
            (0.0, width, 0.08, 2.05, 0.0, 0.3, darker(wood, 0.1)),
            (0.03, width - 0.03, 0.08, 0.72, 0.3, 0.5, CREAM),
            (0.0, width, 0.72, 2.05, 0.3, 0.53, p.second),
            (0.0, width, 0.55, 0.72, 0.3, 0.545, lighter(p.second, 0.55)),
        ]
        parts += [(a, b, 0.14, 0.46, 0.5, 0.61, lighter(p.third, 0.45)) for a, b in pillows]
        return parts

    return make


def _sofa(width: float) -> Maker:
    def make(p: Palette) -> list[Part]:
        tone = p.second
        seats = 1 if width < 1.2 else 2
        span = (width - 0.32) / seats
        parts: list[Part] = [
            (0.0, width, 0.0, 0.22, 0.0, 0.82, darker(tone, 0.06)),
            (0.0, 0.16, 0.22, 0.88, 0.0, 0.6, tone),
            (width - 0.16, width, 0.22, 0.88, 0.0, 0.6, tone),
            (0.16, width - 0.16, 0.22, 0.84, 0.0, 0.28, darker(tone, 0.16)),
        ]
        for i in range(seats):
            a = 0.16 + i * span
            parts.append((a + 0.01, a + span - 0.01, 0.22, 0.86, 0.28, 0.44, lighter(tone, 0.12)))
        parts.append((0.24, 0.6, 0.24, 0.38, 0.44, 0.76, p.accent))
        return parts

    return make


def _armchair(p: Palette) -> list[Part]:
    tone = p.accent
    return [
        (0.0, 0.8, 0.0, 0.2, 0.0, 0.8, darker(tone, 0.06)),
        (0.0, 0.14, 0.2, 0.8, 0.0, 0.56, tone),
        (0.66, 0.8, 0.2, 0.8, 0.0, 0.56, tone),
        (0.14, 0.66, 0.2, 0.78, 0.0, 0.42, lighter(tone, 0.14)),
    ]


def _table(w: float, d: float, height: float) -> Maker:
    def make(p: Palette) -> list[Part]:
        wood = mix(WOOD, p.third, 0.25)
        top: Part = (0.0, w, 0.0, d, height - 0.05, height, wood)
        return [*_legs(w, d, height - 0.05, darker(wood, 0.2)), top]

    return make


def _chair(p: Palette) -> list[Part]:
    wood = mix(WOOD, p.accent, 0.35)
    seat: Part = (0.0, 0.42, 0.0, 0.42, 0.41, 0.46, lighter(wood, 0.1))
    rest: Part = (0.0, 0.42, 0.0, 0.05, 0.46, 0.9, wood)
    return [*_legs(0.42, 0.42, 0.41, darker(wood, 0.2)), seat, rest]


def _turned(make: Maker, depth: float) -> Maker:
    """The same piece with its back turned towards the room."""

    def turned(p: Palette) -> list[Part]:
        return [(a, b, depth - w, depth - v, y, z, t) for a, b, v, w, y, z, t in make(p)]

    return turned


def _wardrobe(p: Palette) -> list[Part]:
    wood = mix(lighter(p.panel, 0.3), WOOD, 0.35)
    doors: list[Part] = [(0.02, 0.59, 0.6, 0.62, 0.1, 1.95, lighter(wood, 0.16))]
    doors += [(0.61, 1.18, 0.6, 0.62, 0.1, 1.95, lighter(wood, 0.16))]
    knobs: list[Part] = [(u, u + 0.03, 0.62, 0.65, 0.95, 1.1, p.ink) for u in (0.52, 0.65)]
    return [(0.0, 1.2, 0.0, 0.6, 0.0, 2.0, wood), *doors, *knobs]


def _shelf(p: Palette) -> list[Part]:
    wood = mix(WOOD, p.floor, 0.2)
    parts: list[Part] = [
        (0.0, 0.95, 0.0, 0.03, 0.0, 1.85, darker(wood, 0.35)),
        (0.0, 0.04, 0.03, 0.3, 0.0, 1.85, wood),
        (0.91, 0.95, 0.03, 0.3, 0.0, 1.85, wood),
        (0.04, 0.91, 0.03, 0.3, 0.0, 0.08, wood),
    ]
    tones = (p.accent, p.second, p.third, CREAM, p.ink)
    for row in range(4):
        y = 0.08 + row * 0.44
        parts.append((0.04, 0.91, 0.03, 0.3, y + 0.405, y + 0.44, wood))
        for i in range(BOOKS - 3 * (row % 2)):
            u = 0.06 + i * 0.055
            top = y + 0.27 + 0.02 * ((i * 7 + row * 3) % 4)
            parts.append((u, u + 0.048, 0.06, 0.24, y, top, tones[(i * 3 + row) % 5]))
    return parts


def _nightstand(p: Palette) -> list[Part]:
    wood = mix(WOOD, p.floor, 0.3)
    return [
        (0.0, 0.42, 0.0, 0.38, 0.0, 0.5, wood),
        (0.04, 0.38, 0.38, 0.4, 0.28, 0.44, lighter(wood, 0.2)),
        (0.18, 0.24, 0.14, 0.2, 0.5, 0.66, p.ink),
        (0.1, 0.32, 0.06, 0.28, 0.66, 0.88, lighter(p.third, 0.2)),
    ]


def _lamp(p: Palette) -> list[Part]:
    return [
        (0.07, 0.33, 0.07, 0.33, 0.0, 0.03, p.ink),
        (0.185, 0.215, 0.185, 0.215, 0.03, 1.3, p.ink),
        (0.0, 0.4, 0.0, 0.4, 1.3, 1.62, lighter(p.third, 0.25)),
    ]


@dataclass(frozen=True)
class Piece:
    """A piece of furniture: its length along the wall, its depth, its parts."""

    length: float
    depth: float
    make: Maker


PIECES: Mapping[str, Piece] = {
    "bed": Piece(1.5, 2.05, _bed(1.5)),
    "single_bed": Piece(0.95, 2.05, _bed(0.95)),
    "sofa": Piece(1.9, 0.88, _sofa(1.9)),
    "armchair": Piece(0.8, 0.8, _armchair),
    "coffee_table": Piece(1.0, 0.55, _table(1.0, 0.55, 0.42)),
    "dining_table": Piece(1.4, 0.8, _table(1.4, 0.8, 0.75)),
    "desk": Piece(1.3, 0.65, _table(1.3, 0.65, 0.75)),
    "chair": Piece(0.42, 0.42, _chair),
    "desk_chair": Piece(0.42, 0.42, _turned(_chair, 0.42)),
    "wardrobe": Piece(1.2, 0.65, _wardrobe),
    "shelf": Piece(0.95, 0.3, _shelf),
    "nightstand": Piece(0.42, 0.4, _nightstand),
    "lamp": Piece(0.4, 0.4, _lamp),
    "counter": Piece(1.8, 0.63, fixtures.counter),
    "cooker": Piece(0.6, 0.64, fixtures.cooker),
    "fridge": Piece(0.62, 0.66, fixtures.fridge),
    "tub": Piece(1.65, 0.75, fixtures.tub),
    "basin": Piece(0.8, 0.46, fixtures.basin),
    "seat": Piece(0.4, 0.66, fixtures.seat),
}


def plant(x: float, z: float, p: Palette) -> Block:
    """A tall plant in a pot, seen the same from every side."""

    def draw(c: Canvas, view: View) -> None:
        left, base = view.at(x, 0.0, z)
        scenery.pot_plant(c, left, base, view.factor(z) * 1.15, p.accent, LEAF)

    return Block((x - 0.25, x + 0.25), (0.0, 1.1), (z - 0.2, z + 0.2), p.accent, draw)
