"""The figure: both tasks against the six levels of cue, with intervals and the chance floor, as SVG.

Colours come from the page's style sheet, so that the figure follows light and dark; drawn alone it carries its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from homeground.report.tables import Row
from homeground.schema import LEVELS, PLACEBOS, TASKS, Condition, Task

WIDTH, HEIGHT = 560, 350
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 10, 34, 44
CONDITION_NAMES: dict[Condition, str] = {
    "null": "null",
    "neutral": "neutral",
    "cue1": "cue 1",
    "cue2": "cue 2",
    "implicit": "implicit",
    "explicit": "explicit",
    "placebo_cues": "placebo: cues",
    "placebo_filler": "placebo: filler",
}
TASK_NAMES: dict[Task, str] = {
    "background": "names the country",
    "question": "answers in its units",
}
_STYLE = """
.axis,.tick{fill:#59616b;font:15px system-ui,sans-serif}.grid{stroke:#d9dde2;stroke-width:1}
.background{stroke:#0072b2}.question{stroke:#c2500a}.floor{stroke:#7a828c}
.background.mark,.background.name{fill:#0072b2}.question.mark,.question.name{fill:#c2500a}.floor.name{fill:#59616b}
"""
_COMMON = """
.line{fill:none;stroke-width:3}.question.line{stroke-dasharray:8 5}.floor.line{stroke-width:2;stroke-dasharray:2 5}
.bar{stroke-width:2;opacity:.55}.mark{stroke:none}.name{stroke:none;font:600 14px system-ui,sans-serif}
"""


def level_figure(rows: Sequence[Row], *, alone: bool = False) -> Markup:
    """The figure of one series.

    Args:
        rows: both tasks by level, as ``tables.by_level`` gives them.
        alone: a file of its own, with its own colours, rather than part of a page.
    """
    asked = {row.level for row in rows}
    shown: Sequence[Condition] = [level for level in LEVELS if level in asked] or PLACEBOS
    rows = [row for row in rows if row.level in shown]
    title = "Accuracy of both tasks against the six levels of cue, with 95 % intervals"
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">',
        f"<style>{_COMMON}{_STYLE if alone else ''}</style>",
        *_frame(shown),
        *_floor(rows, shown),
        *_task(rows, shown, "background", -5),
        *_task(rows, shown, "question", 5),
        *_names(rows),
        "</svg>",
    ]
    return Markup("".join(parts))  # noqa: S704  (every text inside is escaped or a number)


def _x(level: Condition, shown: Sequence[Condition]) -> float:
    step = (WIDTH - _LEFT - _RIGHT) / len(shown)
    return _LEFT + step * (shown.index(level) + 0.5)


def _y(share: float) -> float:
    return _TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM)


def _frame(shown: Sequence[Condition]) -> list[str]:
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<text class="tick" x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{percent} %</text>'
        )
    for level in shown:
        x, y = _x(level, shown), HEIGHT - _BOTTOM + 24
        parts.append(
            f'<text class="axis" x="{x:.1f}" y="{y}" text-anchor="middle">{CONDITION_NAMES[level]}</text>'
        )
    return parts


def _floor(rows: Sequence[Row], shown: Sequence[Condition]) -> list[str]:
    points = [(row.level, row.floor) for row in rows if row.task == "question"]
    if not points:
        return []
    return [_line("floor", [(_x(level, shown), _y(floor)) for level, floor in points])]


def _task(rows: Sequence[Row], shown: Sequence[Condition], task: Task, shift: float) -> list[str]:
    parts = []
    points = []
    for row in [r for r in rows if r.task == task]:
        estimate = row.estimate
        if estimate.value is None:
            continue
        x, y = _x(row.level, shown) + shift, _y(estimate.value)
        points.append((x, y))
        word = f"{TASK_NAMES[task]}, {CONDITION_NAMES[row.level]}: {estimate.value:.0%}"
        if estimate.low is not None and estimate.high is not None:
            word += f", 95 % interval {estimate.low:.0%} to {estimate.high:.0%}"
            parts.append(
                f'<line class="{task} bar" x1="{x:.1f}" x2="{x:.1f}" '
                f'y1="{_y(estimate.low):.1f}" y2="{_y(estimate.high):.1f}"/>'
            )
        parts.append(
            f'<circle class="{task} mark" cx="{x:.1f}" cy="{y:.1f}" r="5.5"><title>{escape(word)}, '
            f"n = {estimate.n}</title></circle>"
        )
    return [_line(task, points), *parts] if points else []


def _line(name: str, points: Sequence[tuple[float, float]]) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="{name} line" d="M{path}"/>'


def _names(rows: Sequence[Row]) -> list[str]:
    """Names above the plot, each beside a piece of its line."""
    parts = []
    x = _LEFT
    there = {row.task for row in rows}
    widths: dict[Task, int] = {"background": 186, "question": 206}
    named: list[tuple[str, str, int]] = [(t, TASK_NAMES[t], widths[t]) for t in TASKS if t in there]
    if "question" in there:
        named.append(("floor", "floor", 0))
    for name, text, width in named:
        parts.append(_line(name, [(x, 12), (x + 22, 12)]))
        parts.append(f'<text class="{name} name" x="{x + 28}" y="17">{escape(text)}</text>')
        x += width + 10
    return parts
