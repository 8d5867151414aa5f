"""All that moves on land: how it is drawn and how large it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeground.scenes.drawing import animals, riders, vehicles
from homeground.scenes.drawing.canvas import Canvas, Palette


@dataclass(frozen=True)
class Vehicle:
    """How a vehicle is drawn, its drawn length and height, and its length in metres."""

    draw: Callable[[Canvas, Palette, str, bool], None]
    length: float
    height: float
    metres: float


VEHICLES: Mapping[str, Vehicle] = {
    "car": Vehicle(vehicles.car, 300, 144, 4.1),
    "van": Vehicle(vehicles.van, 340, 186, 5.2),
    "bus": Vehicle(vehicles.bus, 460, 186, 11.0),
    "tractor": Vehicle(vehicles.tractor, 280, 212, 4.0),
    "train": Vehicle(vehicles.train, 520, 176, 20.0),
    "bicycle": Vehicle(vehicles.bicycle, 244, 240, 1.75),
    "tram": Vehicle(riders.tram, 520, 190, 16.0),
    "scooter": Vehicle(riders.scooter, 210, 230, 1.8),
    "motorbike": Vehicle(riders.motorbike, 250, 220, 2.1),
    "horse": Vehicle(animals.horse, 300, 230, 2.4),
    "dog": Vehicle(animals.dog, 220, 130, 1.0),
}
