"""A small SVG canvas: shapes, groups, gradients, soft shadows, tones and palettes."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypedDict, Unpack

WIDTH = 640
HEIGHT = 480

CREAM = "#FBF7EF"
STEEL = "#B9C4CC"
WOOD = "#BF8A5A"
LEAF = "#5E8F6B"
GLASS = "#CFE4EC"
TYRE = "#2E3440"
SHADE = "#1F2A3A"


class Style(TypedDict, total=False):
    """The paint of a shape."""

    fill: str
    stroke: str
    width: float
    opacity: float
    blur: tuple[float, float]
    dash: str


@dataclass(frozen=True)
class Palette:
    """A family of tones that go together."""

    wall: str
    panel: str
    floor: str
    accent: str
    second: str
    third: str
    ink: str


PALETTES: Mapping[str, Palette] = {
    "sage": Palette("#DCE6DA", "#C7D6C6", "#C49A72", "#E07A5F", "#3D7A78", "#F2CC8F", "#2F3E46"),
    "sand": Palette("#F3E7D3", "#E6D3B3", "#B9895F", "#D1603D", "#3E6C8A", "#EBB65B", "#3A3238"),
    "mist": Palette("#DCE8EE", "#C3D7E1", "#B58D69", "#EE8959", "#2C6E8F", "#F4D06F", "#283845"),
    "blush": Palette("#F6DFD6", "#EBC8BB", "#B07E60", "#C8553D", "#4F7C82", "#F2B880", "#41303A"),
    "lilac": Palette("#E4DFEC", "#CEC5DE", "#B18C6F", "#E3766B", "#5E5A96", "#F3C979", "#322F44"),
    "teal": Palette("#CFE5E1", "#B3D4CF", "#BF9066", "#EF8354", "#1F6F6B", "#F5D491", "#22393C"),
}


def fmt(value: float) -> str:
    """Write a coordinate with two decimals, never as minus zero."""
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text


def mix(first: str, second: str, share: float) -> str:
    """Blend two tones; a share of 0 gives the first, 1 the second."""
    pairs = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def lighter(tone: str, share: float = 0.2) -> str:
    """Blend a tone towards white."""
    return mix(tone, "#FFFFFF", share)


def darker(tone: str, share: float = 0.2) -> str:
    """Blend a tone towards a deep blue-black, which keeps shadows lively."""
    return mix(tone, SHADE, share)


def text_of(params: Mapping[str, object], key: str, default: str) -> str:
    """Read a word from the parameters of a scene."""
    value = params.get(key, default)
    if not isinstance(value, str):
        raise TypeError(f"parameter {key!r} must be a string")
    return value


def number_of(params: Mapping[str, object], key: str, default: float) -> float:
    """Read a number from the parameters of a scene."""
    value = params.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"parameter {key!r} must be a number")
    return float(value)


def palette_of(params: Mapping[str, object], rng: random.Random) -> Palette:
    """Take the palette named by the parameters, or draw one by the seed."""
    drawn = rng.choice(sorted(PALETTES))
    return PALETTES[text_of(params, "palette", drawn)]


def polar(cx: float, cy: float, radius: float, degrees: float) -> tuple[float, float]:
    """The point at a clockwise angle from twelve o'clock."""
    turn = math.radians(degrees)
    return cx + radius * math.sin(turn), cy - radius * math.cos(turn)


class Canvas:
    """Collects SVG elements and definitions in drawing order."""

    def __init__(self) -> None:
        """Start with nothing drawn."""
        self._defs: list[str] = []
        self._body: list[str] = []
        self._blurs: dict[tuple[float, float], str] = {}

    def _paint(self, style: Style) -> str:
        parts = [f'fill="{style.get("fill", "none")}"']
        if "stroke" in style:
            parts.append(
                f'stroke="{style["stroke"]}" stroke-width="{fmt(style.get("width", 2.0))}"'
                ' stroke-linecap="round" stroke-linejoin="round"'
            )
        if "dash" in style:
            parts.append(f'stroke-dasharray="{style["dash"]}"')
        if "opacity" in style:
            both = "stroke" in style and style.get("fill", "none") != "none"
            kind = "" if both else "stroke-" if "stroke" in style else "fill-"
            parts.append(f'{kind}opacity="{style["opacity"]:.3f}"')  # a bare opacity costs a layer
        if "blur" in style:
            parts.append(f'filter="url(#{self._blur(style["blur"])})"')
        return " ".join(parts)

    def _blur(self, spread: tuple[float, float]) -> str:
        if spread not in self._blurs:
            name = f"b{len(self._blurs)}"
            self._blurs[spread] = name
            self._defs.append(
                f'<filter id="{name}" x="-50%" y="-100%" width="200%" height="300%" '
                'color-interpolation-filters="sRGB">'
                f'<feGaussianBlur stdDeviation="{fmt(spread[0])} {fmt(spread[1])}"/></filter>'
            )
        return self._blurs[spread]

    def gradient(self, *tones: str, across: bool = False, fade: Sequence[float] | None = None) -> str:
        """Define an even linear gradient (downwards unless across); return its paint."""
        name = f"g{len(self._defs)}"
        last = max(1, len(tones) - 1)
        alphas = fade if fade is not None else [1.0] * len(tones)
        stops = "".join(
            f'<stop offset="{fmt(i / last)}" stop-color="{tone}" stop-opacity="{fmt(alphas[i])}"/>'
            for i, tone in enumerate(tones)
        )
        end = 'x2="1" y2="0"' if across else 'x2="0" y2="1"'
        self._defs.append(f'<linearGradient id="{name}" x1="0" y1="0" {end}>{stops}</linearGradient>')
        return f"url(#{name})"

    def rect(self, x: float, y: float, w: float, h: float, rx: float = 0.0, **style: Unpack[Style]) -> None:
        """Add a rectangle, rounded by rx."""
        box = f'x="{fmt(x)}" y="{fmt(y)}" width="{fmt(w)}" height="{fmt(h)}" rx="{fmt(rx)}"'
        self._body.append(f"<rect {box} {self._paint(style)}/>")

    def circle(self, cx: float, cy: float, r: float, **style: Unpack[Style]) -> None:
        """Add a circle."""
        self.ellipse(cx, cy, r, r, **style)

    def ellipse(self, cx: float, cy: float, rx: float, ry: float, **style: Unpack[Style]) -> None:
        """Add an ellipse."""
        box = f'cx="{fmt(cx)}" cy="{fmt(cy)}" rx="{fmt(rx)}" ry="{fmt(ry)}"'
        self._body.append(f"<ellipse {box} {self._paint(style)}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: Unpack[Style]) -> None:
        """Add a straight stroke with round ends."""
        ends = f'x1="{fmt(x1)}" y1="{fmt(y1)}" x2="{fmt(x2)}" y2="{fmt(y2)}"'
        self._body.append(f"<line {ends} {self._paint(style)}/>")

    def path(self, d: str, **style: Unpack[Style]) -> None:
        """Add a path."""
        self._body.append(f'<path d="{d}" {self._paint(style)}/>')

    def poly(self, points: Sequence[tuple[float, float]], **style: Unpack[Style]) -> None:
        """Add a filled polygon."""
        listed = " ".join(f"{fmt(x)},{fmt(y)}" for x, y in points)
        self._body.append(f'<polygon points="{listed}" {self._paint(style)}/>')

    def shadow(self, cx: float, cy: float, rx: float, ry: float, opacity: float = 0.28) -> None:
        """Add a soft contact shadow, faded by a gradient: a blur costs the renderer ten times as much."""
        self.ellipse(cx, cy, rx * 1.14, ry * 1.4, fill=self._soft_shade(), opacity=opacity)

    def _soft_shade(self) -> str:
        if not any(text.startswith('<radialGradient id="shade"') for text in self._defs):
            stops = ((0.0, 1.0), (0.6, 0.92), (0.78, 0.62), (0.9, 0.24), (1.0, 0.0))
            fades = "".join(
                f'<stop offset="{at:.2f}" stop-color="{SHADE}" stop-opacity="{kept:.2f}"/>'
                for at, kept in stops
            )
            self._defs.append(f'<radialGradient id="shade">{fades}</radialGradient>')
        return "url(#shade)"

    def drop(self, x: float, y: float, w: float, h: float, rx: float, lift: float = 8.0) -> None:
        """Add the soft shadow of a rectangle hanging in front of a wall: a stack of faint ones."""
        steps = 10
        for i in range(steps):
            out = lift * (1.6 - 3.0 * i / (steps - 1))
            left, top = x + lift * 0.5 - out, y + lift - out
            edge = max(0.0, rx + max(out, 0.0) + lift * 0.3)
            self.rect(left, top, w + 2 * out, h + 2 * out, edge, fill=SHADE, opacity=0.026)

    @contextmanager
    def group(
        self,
        x: float = 0.0,
        y: float = 0.0,
        scale: float = 1.0,
        *,
        turn: float = 0.0,
        flip: bool = False,
        blur: tuple[float, float] | None = None,
    ) -> Iterator[None]:
        """Move, turn, mirror, scale or blur all that is drawn inside."""
        across = -scale if flip else scale
        change = f"translate({fmt(x)} {fmt(y)}) rotate({fmt(turn)})"
        haze = f' filter="url(#{self._blur(blur)})"' if blur else ""
        self._body.append(f'<g transform="{change} scale({across:.4f} {scale:.4f})"{haze}>')
        yield
        self._body.append("</g>")

    @contextmanager
    def smear(self, reach: float) -> Iterator[None]:
        """Show all that is drawn inside as if it rushed by; it must be opaque and wider than the picture."""
        name, steps = f"s{len(self._body)}", 5
        self._body.append(f'<g id="{name}">')
        yield
        self._body.append("</g>")
        for i in range(1, steps):
            shift = reach * (i / (steps - 1) - 0.5)
            self._body.append(f'<use href="#{name}" x="{fmt(shift)}" y="0.00" opacity="{1 / (i + 1):.3f}"/>')

    @contextmanager
    def clip(self, d: str) -> Iterator[None]:
        """Show only what lies inside the path."""
        name = f"c{len(self._defs)}"
        self._defs.append(f'<clipPath id="{name}"><path d="{d}"/></clipPath>')
        self._body.append(f'<g clip-path="url(#{name})">')
        yield
        self._body.append("</g>")

    def svg(self) -> str:
        """The whole picture as an SVG document."""
        size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        defs, body = "".join(self._defs), "".join(self._body)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><defs>{defs}</defs>{body}</svg>'


def box_path(x: float, y: float, w: float, h: float) -> str:
    """A rectangle as path data, for clipping."""
    return f"M{fmt(x)} {fmt(y)}h{fmt(w)}v{fmt(h)}h{fmt(-w)}Z"
