"""What every experiment gives: tables of estimates, tidy, one estimate a row."""

from __future__ import annotations

from typing import Literal

from homeground.schema import Estimate, Record

Unit = Literal["share", "points", "hours", "count", "number"]
"""``share`` in [0, 1]; ``points`` a difference of shares in [−1, 1]; ``hours`` of a day; ``count``; any ``number``."""


class Row(Record, frozen=True, kw_only=True):
    """One estimate."""

    by: dict[str, str]
    """What it speaks of, by the name of the column: model, strategy, level, culture, quantity…"""
    estimate: Estimate
    unit: Unit = "share"
    p: float | None = None
    """Two-sided, of no difference or no effect."""
    test: str = ""
    """Where ``p`` comes from."""
    holm: float | None = None
    """``p`` adjusted for the family of tests that the table makes (Holm 1979)."""
    counts: dict[str, int] = {}  # noqa: RUF012  (msgspec copies it)
    """What was counted beside it, such as flips."""
    beside: dict[str, float] = {}  # noqa: RUF012
    """Other shares of the same answers, without an interval: right by the published rulebook, hedged…"""
    note: str = ""
    """What keeps it from meaning more, in words; the reason where there is no value."""


class Table(Record, frozen=True, kw_only=True):
    """Estimates that belong together."""

    name: str
    """In file names and on the command line: lower case, words joined by ``_``."""
    title: str
    columns: tuple[str, ...]
    """Keys of ``Row.by``, in the order to print."""
    rows: tuple[Row, ...]
    across: str = ""
    """The column whose values stand side by side where a table is printed wide; none where it is empty."""
    notes: tuple[str, ...] = ()
    """What a reader must know; the formula's source."""
    signature: str = ""
    """Benchmark, prompts, models, judge and code behind every number; see ``Run.signature``."""
