"""The drawn scenes: a drawer for each drawing name, and the way from SVG to PNG."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from homeground.scenes.drawing import (
    cooking,
    distance,
    price,
    quantifier,
    racks,
    size,
    speed,
    temperature,
    time_expression,
)

Drawer = Callable[[float, Mapping[str, object], random.Random], str]

DRAWERS: Mapping[str, Drawer] = {
    "wall_thermometer": temperature.wall_thermometer,
    "porch_thermometer": temperature.porch_thermometer,
    "lying_thermometer": temperature.lying_thermometer,
    "dial_thermometer": temperature.dial_thermometer,
    "pan_thermometer": cooking.pan_thermometer,
    "tank_thermometer": cooking.tank_thermometer,
    "dash_thermometer": cooking.dash_thermometer,
    "gap": distance.gap,
    "furnished_room": size.furnished_room,
    "moving_vehicle": speed.moving_vehicle,
    "thing_for_sale": price.thing_for_sale,
    "clock_and_window": time_expression.clock_and_window,
    "egg_carton": quantifier.egg_carton,
    "fruit_crate": quantifier.fruit_crate,
    "muffin_tin": quantifier.muffin_tin,
    "bookshelf": quantifier.bookshelf,
    "lit_windows": quantifier.lit_windows,
    "jar_rack": racks.jar_rack,
    "coat_hooks": racks.coat_hooks,
    "parking_bays": racks.parking_bays,
}


def render(svg: str) -> bytes:
    """Render a drawing to PNG; fonts are never loaded, since no scene has text."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
