"""A value in both systems of units, so that a description favours neither.

Factors are exact by definition: the international yard and pound agreement of 1959 (1 ft = 0.3048 m).
"""

from __future__ import annotations

from homeground.errors import InputError
from homeground.schema import System

_FOOT = 0.3048
_MILE = 1609.344


def both_systems(value: float, unit: str, first: System) -> str:
    """``value`` in both systems, ``first`` first: ``"30 °C, the same as 86 °F"``.

    Raises:
        InputError: ``unit`` has no counterpart.
    """
    metric, imperial = _pair(value, unit)
    one, two = (metric, imperial) if first == "metric" else (imperial, metric)
    return f"{one}, the same as {two}"


def _pair(value: float, unit: str) -> tuple[str, str]:
    match unit:
        case "celsius":
            return f"{value:g} °C", f"{round(value * 9 / 5 + 32, 1):g} °F"
        case "metre" if value < 1:
            return f"{value * 100:g} cm", f"{round(value / _FOOT * 12):g} inches"
        case "metre" if value >= 1000:
            return f"{value / 1000:g} km", f"{round(value / _MILE, 1):g} miles"
        case "metre":
            feet = value / _FOOT
            return f"{value:g} m", f"{round(feet, 0 if feet >= 10 else 1):g} feet"
        case "kilometre_per_hour":
            return f"{value:g} km/h", f"{round(value * 1000 / _MILE):g} mph"
        case "square_metre":
            return f"{value:g} square m", f"{round(value / _FOOT**2):g} square feet"
        case _:
            raise InputError(f"unit {unit!r} has no counterpart in the other system")
