"""How names and figures read: levels in words, shares in percent, differences in points, hours by the clock."""

from __future__ import annotations

from homeground.experiments.table import Row
from homeground.schema import Estimate

CONDITION_NAMES: dict[str, str] = {
    "null": "null", "neutral": "neutral", "cue1": "cue 1", "cue2": "cue 2", "implicit": "implicit",
    "explicit": "explicit", "placebo_cues": "placebo: cues", "placebo_filler": "placebo: filler",
    "plain": "plain", "oracle": "oracle", "foreign": "foreign oracle",
}  # fmt: skip
_FORMS = {
    "share": (100, 0, "", "\N{NO-BREAK SPACE}%"), "points": (100, 1, "+", ""), "count": (1, 0, "", ""),
    "number": (1, 2, "", ""),
}  # fmt: skip
"""Of a unit: what to multiply with, decimals, sign, what comes after."""
_SMALL_P = 0.001
_DAY = 24


def percent(share: float | None) -> str:
    """A share as a percentage; a dash where there is none."""
    return "–" if share is None else f"{share * 100:.0f}\N{NO-BREAK SPACE}%"


def points(share: float | None) -> str:
    """A difference of shares in percentage points."""
    return "–" if share is None else f"{share * 100:.0f}".replace("-", "−")


def interval(estimate: Estimate) -> str:
    """An interval in percent; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    if estimate.low < 0:
        return f"{points(estimate.low)} to {points(estimate.high)}"
    return f"{estimate.low * 100:.0f}–{estimate.high * 100:.0f}"


def value_of(row: Row) -> str:
    """A row's value in its unit; a dash where there is none."""
    return _number(row, row.estimate.value) + (_FORMS[row.unit][3] if row.unit in _FORMS else "")


def interval_of(row: Row) -> str:
    """A row's interval in its unit; empty where there is none."""
    low, high = row.estimate.low, row.estimate.high
    if low is None or high is None:
        return ""
    between = " to " if row.unit in ("points", "number") else "–"
    return f"{_number(row, low)}{between}{_number(row, high)}"


def p_of(row: Row) -> str:
    """A row's p value, adjusted where it is one of a family; empty where there is no test."""
    p = row.p if row.holm is None else row.holm
    if p is None:
        return ""
    return "<.001" if p < _SMALL_P else f"{p:.3f}".removeprefix("0")


def _number(row: Row, value: float | None) -> str:
    if value is None:
        return "–"
    if row.unit == "hours":
        minutes = round(value % _DAY * 60) % (_DAY * 60)
        return f"{minutes // 60}:{minutes % 60:02}"
    scale, digits, sign, _ = _FORMS[row.unit]
    return f"{scale * value:{sign}.{digits}f}".replace("-", "−")
