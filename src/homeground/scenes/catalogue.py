"""The catalogue of scenes, each drawn from its parameters and a seed: same seed, same bytes."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.files import read_toml
from homeground.scenes.reading import both_systems
from homeground.schema import Concept, Record, Scene, System

CATALOGUE = Path(str(files("homeground.scenes"))) / "catalogue.toml"


class Entry(Record, frozen=True, kw_only=True):
    """One row of the catalogue; ``description`` may hold ``{reading}`` once."""

    id: str
    concept: Concept
    drawing: str
    value: float
    unit: str
    plausible: tuple[float, float]
    params: dict[str, object] = msgspec.field(default_factory=dict)
    thing: str
    place: str
    description: str


class Catalogue(Record, frozen=True, kw_only=True):
    """The catalogue file."""

    reviewed: str
    """The last review of the pictures, which each scene records."""
    scene: tuple[Entry, ...]


class DrawnScene(NamedTuple):
    """A scene with its picture."""

    scene: Scene
    png: bytes
    place: str


@cache
def entries() -> tuple[Entry, ...]:
    """All rows of the catalogue.

    Raises:
        InputError: the file is broken.
    """
    return _catalogue().scene


@cache
def _catalogue() -> Catalogue:
    return read_toml(CATALOGUE, Catalogue)


def draw_scenes(concepts: tuple[Concept, ...], seed: int) -> list[DrawnScene]:
    """Draw every scene of the given concepts, in the catalogue's order."""
    first: dict[str, System] = {}
    for concept in concepts:
        first |= _first_systems([e for e in entries() if e.concept == concept], seed)
    return [_draw(e, first.get(e.id), seed) for e in entries() if e.concept in concepts]


def _first_systems(rows: list[Entry], seed: int) -> dict[str, System]:
    """Which system each description names first: alternating, from a start that the seed draws."""
    dual = [row for row in rows if "{reading}" in row.description]
    start = random.Random(f"{seed}/first/{dual[0].concept}").randrange(2) if dual else 0
    order: tuple[System, System] = ("metric", "imperial")
    return {row.id: order[(start + i) % 2] for i, row in enumerate(dual)}


def _draw(entry: Entry, first: System | None, seed: int) -> DrawnScene:
    from homeground.scenes.drawing import DRAWERS, render

    drawer = DRAWERS[entry.drawing]
    png = render(drawer(entry.value, entry.params, random.Random(f"{seed}/scene/{entry.id}")))
    description = entry.description
    if first is not None:
        description = description.replace("{reading}", both_systems(entry.value, entry.unit, first))
    scene = Scene(
        id=entry.id,
        concept=entry.concept,
        image=f"images/{entry.id}.png",
        image_sha256=hashlib.sha256(png).hexdigest(),
        value=entry.value,
        unit=entry.unit,
        plausible=entry.plausible,
        thing=entry.thing,
        description=description,
        first_system=first,
        reviewed=_catalogue().reviewed,
    )
    return DrawnScene(scene, png, entry.place)
