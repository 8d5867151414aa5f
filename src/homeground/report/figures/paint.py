"""Colours, dashes and marks of the figures, as one style sheet with two ways to fill in its colours.

On the page a colour is a custom property, so that figures follow light and dark; a figure that stands alone carries the
light colours. Hues are those of Okabe and Ito (2008, Color Universal Design), darkened on white and lightened on black
until each stands out from the page by 4.5 : 1. Nothing is told by colour alone: lines differ in dash and mark too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

COLOURS: dict[str, tuple[str, str]] = {
    "page": ("#fff", "#14171b"),
    "ink": ("#1c2127", "#e8eaed"),
    "quiet": ("#59616b", "#a3abb5"),
    "rule": ("#d9dde2", "#363c44"),
    "background": ("#0066a1", "#62b5ea"),
    "question": ("#b54708", "#f0935a"),
    "floor": ("#6b737d", "#98a1ac"),
    "hue-1": ("#0066a1", "#62b5ea"),
    "hue-2": ("#b54708", "#f0935a"),
    "hue-3": ("#00755a", "#4cc9a4"),
    "hue-4": ("#9b3f86", "#e293cb"),
    "hue-5": ("#806000", "#dfc052"),
    "hue-6": ("#4d5761", "#b4bdc6"),
}
"""By name: on a light page, on a dark one."""
_OWN = [name for name in COLOURS if name.startswith("hue-")]
"""Those that the page does not define for itself."""

SIZE = 15
"""Size of all text in units of the view box; at a page 400 pixels wide it is still above 11 pixels."""
FONTS = '"Liberation Sans","Helvetica Neue",Arial,"DejaVu Sans","Noto Sans",sans-serif'
"""Of figures that stand alone; those on a page take the page's."""

_RULES = """
.fig text{fill:$ink}
.fig .soft{fill:$quiet}
.fig .rule{stroke:$rule;stroke-width:1}
.fig .zero{stroke:$quiet;stroke-width:1.5}
.fig .line{fill:none;stroke:currentColor;stroke-width:2.5;stroke-linejoin:round}
.fig .bar{stroke:currentColor;stroke-width:2;stroke-opacity:.6;fill:none}
.fig .mark{fill:currentColor;stroke:$page;stroke-width:1}
.fig .open{fill:$page;stroke:currentColor;stroke-width:2.2}
.fig .area{fill:currentColor;stroke:none}
.fig .cut{stroke:$page;stroke-width:1.5}
.fig .hatch{stroke:$quiet;stroke-width:1.2;stroke-opacity:.75;fill:none}
.fig .paper{fill:$page;fill-opacity:.85}
.fig .ring{fill:none;stroke:$rule;stroke-width:1.5}
"""
_HUES = "".join(f".fig .is-{name}{{color:${name}}}\n" for name in COLOURS if name not in ("page", "rule"))
_ALONE = f"""
.fig text{{font-family:{FONTS};font-size:{SIZE}px}}
.fig .head{{stroke:$ink;stroke-width:.45}}
.fig .title{{font-size:18px}}
"""
_ON_PAGE = f"""
.fig{{width:100%;max-width:600px;height:auto;display:block}}
.fig text{{font:{SIZE}px system-ui,-apple-system,"Segoe UI",sans-serif}}
.fig .head{{font-weight:600}}
.fig a:focus-visible rect{{stroke:$ink;stroke-width:3}}
"""


def _filled(rules: str, *, alone: bool) -> str:
    def colour(match: re.Match[str]) -> str:
        return COLOURS[match[1]][0] if alone else f"var(--{match[1]})"

    return re.sub(r"\$([a-z]+(?:-\d)?)", colour, rules).replace("\n", "")


def _defined(place: int) -> str:
    return "".join(f"--{name}:{COLOURS[name][place]};" for name in _OWN)


_SCHEMES = f":root{{{_defined(0)}}}@media (prefers-color-scheme:dark){{:root{{{_defined(1)}}}}}"
STYLE_ON_PAGE = _SCHEMES + _filled(_RULES + _HUES + _ON_PAGE, alone=False)
"""For a page that defines every colour but the hues."""
# A bold face would be a second font, and a PDF with two fonts does not come out the same twice; so heads are stroked.
STYLE_ALONE = _filled(_RULES + _HUES + _ALONE, alone=True)
"""What a figure carries that stands alone: no custom properties."""


class Look(NamedTuple):
    """How one thing is drawn everywhere in a figure."""

    hue: str
    """A name in ``COLOURS``."""
    shape: str = "circle"
    """``circle``, ``square``, ``diamond``, ``up``, ``down`` or ``cross``."""
    dash: str = ""
    """As ``stroke-dasharray`` takes it; empty for an unbroken line."""
    open: bool = False
    """Whether the mark is a ring rather than filled."""


BACKGROUND = Look("background")
QUESTION = Look("question", "square", "8 5")
FLOOR = Look("floor", "", "2 5")
PEOPLE = Look("ink", "", "10 3 2 3")
"""What people reach."""
LOOKS = (
    Look("hue-2", "square", "8 5"),
    Look("hue-3", "diamond", "3 4"),
    Look("hue-4", "up", "12 4 3 4"),
    Look("hue-5", "down", "6 3"),
    Look("hue-6", "cross", "14 4"),
    Look("hue-1", "circle"),
)
"""For things without a look of their own, in turn."""


def look(number: int) -> Look:
    """The look of the thing with this number; after the last they start again as rings."""
    turn, place = divmod(number, len(LOOKS))
    return LOOKS[place]._replace(open=bool(turn % 2))


def mark(one: Look, x: float, y: float, *, r: float = 5.5, hover: str = "") -> str:
    """A mark with its centre at a point; ``hover`` is markup that is escaped already."""
    kind = "open" if one.open else "mark"
    title = f"<title>{hover}</title>" if hover else ""
    if one.shape == "circle":
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r}">{title}</circle>'
    s = r * 0.9
    outlines: dict[str, list[tuple[float, float]]] = {
        "square": [(-s, -s), (s, -s), (s, s), (-s, s)],
        "diamond": [(0, -1.3 * r), (1.3 * r, 0), (0, 1.3 * r), (-1.3 * r, 0)],
        "up": [(0, -1.25 * r), (1.2 * r, 0.9 * r), (-1.2 * r, 0.9 * r)],
        "down": [(0, 1.25 * r), (1.2 * r, -0.9 * r), (-1.2 * r, -0.9 * r)],
        "cross": [
            (-0.4 * r, -1.2 * r), (0.4 * r, -1.2 * r), (0.4 * r, -0.4 * r), (1.2 * r, -0.4 * r), (1.2 * r, 0.4 * r),
            (0.4 * r, 0.4 * r), (0.4 * r, 1.2 * r), (-0.4 * r, 1.2 * r), (-0.4 * r, 0.4 * r), (-1.2 * r, 0.4 * r),
            (-1.2 * r, -0.4 * r), (-0.4 * r, -0.4 * r),
        ],
    }  # fmt: skip
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in outlines[one.shape])
    return f'<polygon class="{kind}" points="{points}">{title}</polygon>'
