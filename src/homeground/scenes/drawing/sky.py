"""The view from a window by the hour: sky, sun, moon, stars and land."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from homeground.scenes.drawing import scenery
from homeground.scenes.drawing.canvas import Canvas, darker, lighter, mix

# Hour, upper sky, lower sky, daylight (0 to 1).
_KEYS: Sequence[tuple[float, str, str, float]] = (
    (0.0, "#0E1939", "#1D2B57", 0.0),
    (4.5, "#16234D", "#343F78", 0.04),
    (6.0, "#5568A8", "#EBA88F", 0.45),
    (7.0, "#84AEDC", "#FCD6A2", 0.8),
    (8.5, "#7EBFEA", "#E4F0EC", 1.0),
    (12.0, "#4FA9E6", "#C4E6F6", 1.0),
    (16.0, "#67B1E3", "#DCECE6", 1.0),
    (17.5, "#7AA9D8", "#F8D79F", 0.92),
    (19.0, "#6C7FBE", "#F7A96E", 0.66),
    (20.0, "#424E8E", "#E8785A", 0.36),
    (21.0, "#222E62", "#7B4F80", 0.14),
    (22.0, "#111C42", "#26325E", 0.0),
    (24.0, "#0E1939", "#1D2B57", 0.0),
)
SUNRISE, SUNSET = 5.75, 20.25

LANDS: Mapping[str, tuple[str, str]] = {
    "hills": ("#8FBF7F", "#6FA66B"),
    "trees": ("#93BD80", "#5E9A66"),
    "roofs": ("#C3B8C6", "#A1949F"),
    "sea": ("#8CC4D2", "#4E9FBE"),
}


def daylight(hour: float) -> float:
    """How bright it is outside, from 0 (night) to 1 (day)."""
    return _between(hour)[2]


def _between(hour: float) -> tuple[str, str, float]:
    for (h0, top0, low0, light0), (h1, top1, low1, light1) in pairwise(_KEYS):
        if h0 <= hour <= h1:
            share = (hour - h0) / (h1 - h0)
            light = light0 + (light1 - light0) * share
            return mix(top0, top1, share), mix(low0, low1, share), light
    raise ValueError(f"no such hour: {hour}")


def view(
    c: Canvas, hour: float, box: tuple[float, float, float, float], land: str, rng: random.Random
) -> None:
    """Paint the sky and the land of an hour into a box (x, y, width, height)."""
    x, y, w, h = box
    top, low, light = _between(hour)
    c.rect(x, y, w, h, fill=c.gradient(top, low))
    horizon = y + h * 0.72
    if light < 0.3:
        for _ in range(26):
            c.circle(
                x + rng.uniform(0.02, 0.98) * w,
                y + rng.uniform(0.02, 0.66) * h,
                rng.uniform(0.8, 1.9),
                fill="#FFFFFF",
                opacity=0.9 - 2 * light,
            )
    if SUNRISE < hour < SUNSET:
        _sun(c, hour, box, horizon)
    else:
        mx, my, r = x + w * 0.7, y + h * 0.24, w * 0.085
        c.circle(mx, my, r * 1.9, fill="#F7EFD2", opacity=0.12)
        c.circle(mx, my, r, fill="#F7EFD2")
        for dx, dy, size in ((-0.35, -0.2, 0.24), (0.3, 0.3, 0.3), (0.25, -0.45, 0.15)):
            c.circle(mx + dx * r, my + dy * r, size * r, fill="#E3D8B4")
    if light > 0.3:
        white = mix("#FFFFFF", low, 0.35)
        scenery.cloud(c, x + w * 0.26, y + h * 0.3, w * 0.3, white, 0.85)
        scenery.cloud(c, x + w * 0.82, y + h * 0.44, w * 0.24, white, 0.75)
    _land(c, box, horizon, land, light, low, rng)


def _sun(c: Canvas, hour: float, box: tuple[float, float, float, float], horizon: float) -> None:
    x, _, w, h = box
    share = (hour - SUNRISE) / (SUNSET - SUNRISE)
    height = math.sin(math.pi * share)
    sx = x + w * (0.12 + 0.76 * share)
    sy = horizon - height * h * 0.55 + h * 0.02
    tone = mix("#FF8A4C", "#FFD95A", min(1.0, height * 1.5))
    r = w * 0.085
    c.circle(sx, sy, r * 2.0, fill=lighter(tone, 0.4), opacity=0.3)
    c.circle(sx, sy, r, fill=tone)


def _land(
    c: Canvas,
    box: tuple[float, float, float, float],
    horizon: float,
    land: str,
    light: float,
    low: str,
    rng: random.Random,
) -> None:
    x, y, w, h = box
    dim = 0.78 * (1 - light)
    far, near = (mix(darker(tone, dim), low, 0.12) for tone in LANDS[land])
    if land == "sea":
        c.rect(x, horizon, w, y + h - horizon, fill=c.gradient(far, near))
        for i in range(6):
            left, line = x + rng.uniform(0, 0.8) * w, horizon + (i + 0.7) * (y + h - horizon) / 6.5
            c.line(left, line, left + 24, line, stroke="#FFFFFF", width=2, opacity=0.15 + 0.3 * light)
        return
    if land == "roofs":
        left = x - 6
        while left < x + w:
            wide, rise = rng.uniform(0.16, 0.24) * w, rng.uniform(0.02, 0.16) * h
            tone = mix(far, near, rng.random())
            c.rect(left, horizon - rise, wide + 1, h, fill=tone)
            c.poly(
                [
                    (left - 3, horizon - rise),
                    (left + wide / 2, horizon - rise - wide * 0.36),
                    (left + wide + 3, horizon - rise),
                ],
                fill=darker(tone, 0.16),
            )
            for i in range(4):
                lit = light < 0.5 and rng.random() < 0.5
                glow = "#FFD98A" if lit else mix(tone, "#EAF4F8", 0.15 + 0.45 * light)
                c.rect(
                    left + wide * (0.2 + 0.36 * (i % 2)),
                    horizon - rise + 12 + 24 * (i // 2),
                    wide * 0.22,
                    13,
                    1,
                    fill=glow,
                )
            left += wide
        return
    a, b = horizon - h * rng.uniform(0.08, 0.16), horizon - h * rng.uniform(0.02, 0.1)
    for start, end, tone in ((a, b, far), (b + h * 0.12, a + h * 0.18, near)):
        c.path(
            f"M{x:.2f} {start:.2f}C{x + w * 0.35:.2f} {start - h * 0.1:.2f} "
            f"{x + w * 0.6:.2f} {end + h * 0.06:.2f} {x + w:.2f} {end:.2f}V{y + h:.2f}H{x:.2f}Z",
            fill=tone,
        )
    if land == "trees":
        for share in (0.14, 0.3, 0.86):
            size = h * rng.uniform(0.26, 0.38)
            scenery.round_tree(c, x + w * share, y + h * 0.97, size, darker(near, 0.18))
