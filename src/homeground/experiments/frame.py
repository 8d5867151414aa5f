"""Judgements as columns, so that a table over 180,000 of them takes milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from homeground.schema import Judgement

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]
Flags = NDArray[np.int8]
"""1 for yes, 0 for no, −1 where nobody can say."""

CONSTANT = ("metric", "USD", "US")
"""The chance floor: always metric and dollars, and the United States as the country."""
KINDS = ("right", "hedged", "another culture's", "nobody's", "no unit", "refused")


class Column(NamedTuple):
    """One name a row, as numbers."""

    codes: Codes
    """Shape n; each a place in ``names``."""
    names: tuple[str, ...]
    """Distinct, in order of appearance."""

    def is_(self, *wanted: str) -> Mask:
        """Which rows have one of these names."""
        # Looking names up by their place is several times quicker than np.isin.
        found = np.asarray([name in wanted for name in self.names], dtype=np.bool_)
        return found[self.codes] if len(self.names) else np.zeros(0, dtype=np.bool_)


class Frame:
    """Judgements as columns of equal length."""

    def __init__(self, runs: Iterable[tuple[str, Sequence[Judgement]]]) -> None:
        """Read the judgements of runs, each with the run's name."""
        rows = [(name, judgement) for name, some in runs for judgement in some]
        judgements = [judgement for _, judgement in rows]
        cells = [judgement.cell for judgement in judgements]
        self.judgements = judgements
        """The rows themselves, for their answers."""
        self.item = _column(cell.item for cell in cells)
        self.scene = _column(cell.scene for cell in cells)
        self.template = _column(cell.template for cell in cells)
        self.concept = _column(cell.concept for cell in cells)
        self.culture = _column(cell.culture for cell in cells)
        self.condition = _column(cell.condition for cell in cells)
        self.task = _column(cell.task for cell in cells)
        self.strategy = _column(cell.strategy for cell in cells)
        self.model = _column(cell.model for cell in cells)
        self.run = _column(name for name, _ in rows)
        self.cluster = self._clusters()
        """What answers hang together by: the scene; where nobody sees it, the prompt. At level ``null`` the background
        prompt is one for a whole concept, and so its answers are one observation however many cells they serve."""
        self.draw: Codes = np.asarray([cell.draw for cell in cells], dtype=np.int64)
        self.status = _column(judgement.reading.status for judgement in judgements)
        self.said = _column(_settled(judgement) for judgement in judgements)
        """The one system, currency, country or option of an answer; empty where it names none or several."""
        self.correct = _flags(judgement.correct for judgement in judgements)
        self.published = _flags(judgement.published for judgement in judgements)
        self.hedged = _flags(judgement.hedged for judgement in judgements)
        self.lenient = _flags(judgement.hedged_right for judgement in judgements)
        """Right if an answer in several systems counted where one of them is expected."""
        self.value_right = _flags(judgement.value_right for judgement in judgements)
        self.floor = _flags(not set(CONSTANT).isdisjoint(judgement.expected) for judgement in judgements)
        """What ``CONSTANT`` would score."""
        self.kind = _column(_kind(judgement) for judgement in judgements)
        """What an answer to an objective question is, for the user who asked: one of ``KINDS``."""
        self.depth: Flags = np.asarray(
            [-1 if judgement.depth is None else judgement.depth for judgement in judgements], dtype=np.int8
        )

    def __len__(self) -> int:
        """How many rows."""
        return len(self.judgements)

    def _clusters(self) -> Codes:
        alone = self.task.is_("background") & self.condition.is_("null")
        blind = len(self.scene.names) + self.concept.codes
        return np.where(alone, blind, self.scene.codes)

    def where(self, **wanted: str | Sequence[str]) -> Mask:
        """Which rows have the given names: ``where(task="question", culture=("FR", "US"))``."""
        mask = np.ones(len(self), dtype=np.bool_)
        for name, value in wanted.items():
            column: Column = getattr(self, name)
            mask &= column.is_(*((value,) if isinstance(value, str) else value))
        return mask

    def same(self, *names: str) -> Codes:
        """For each row a number that rows share if and only if they agree in the named columns and in ``draw``."""
        key = np.zeros(len(self), dtype=np.int64)
        for name in names:
            column: Column = getattr(self, name)
            key = key * (len(column.names) + 1) + column.codes
        key = key * (int(self.draw.max(initial=0)) + 1) + self.draw
        return np.unique(key, return_inverse=True)[1].reshape(-1)

    def pairs(self, one: Mask, two: Mask, *names: str) -> tuple[Codes, Codes]:
        """Rows of ``one`` beside the row of ``two`` that agrees with each in the named columns and in ``draw``.

        Rows without such a partner are left out. Where several rows of ``two`` would do, the last one is taken.

        Returns:
            The places of both, of equal length.
        """
        same = self.same(*names)
        partner = np.full(int(same.max(initial=-1)) + 1, -1, dtype=np.int64)
        second = np.flatnonzero(two)
        partner[same[second]] = second
        first = np.flatnonzero(one)
        found = partner[same[first]]
        return first[found >= 0], found[found >= 0]


def _settled(judgement: Judgement) -> str:
    reading = judgement.reading
    return reading.found[0] if reading.status == "ok" and len(reading.found) == 1 else ""


def _kind(judgement: Judgement) -> str:
    if judgement.correct:
        return "right"
    if judgement.hedged:
        return "hedged"
    if judgement.reading.status in ("ok", "ambiguous"):
        return "another culture's" if judgement.belongs_to else "nobody's"
    return "refused" if judgement.reading.status == "refused" else "no unit"


def _column(names: Iterable[str]) -> Column:
    seen: dict[str, int] = {}
    codes = np.asarray([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)
    return Column(codes, tuple(seen))


def _flags(values: Iterable[bool | None]) -> Flags:
    return np.asarray([-1 if value is None else int(value) for value in values], dtype=np.int8)
