"""Answers that are one of a few options, as tables in which siblings stand side by side."""

from __future__ import annotations

import numpy as np

from homeground.experiments.frame import Codes, Frame, Mask
from homeground.schema import Condition
from homeground.statistics.divergence import MISSING

NOT_ASKED = MISSING - 1
"""The code of a cell that the study does not have; ``MISSING`` is one whose answer settles on no option."""


class OptionGrid:
    """Answers of one series: a row for each scaffold and draw, a column for each culture."""

    def __init__(self, frame: Frame, rows: Mask) -> None:
        """Find the scaffolds, cultures and draws of ``rows``: at least one, all of one series and task."""
        self._frame, self._rows = frame, rows
        self._items, first = np.unique(frame.item.codes[rows], return_index=True)
        self._cultures = np.unique(frame.culture.codes[rows])
        self.cultures = tuple(frame.culture.names[code] for code in self._cultures.tolist())
        """Codes of the cultures, in the order of the columns."""
        self.draws = int(frame.draw[rows].max()) + 1
        """Draws of each cell; those of a scaffold follow each other in the rows."""
        self.scenes: Codes = np.repeat(frame.scene.codes[rows][first], self.draws)
        """The scene of each row."""
        self.templates: Codes = np.repeat(frame.template.codes[rows][first], self.draws)
        """The dialogue of each row."""
        self.conditions = {
            frame.condition.names[code] for code in np.unique(frame.condition.codes[rows]).tolist()
        }
        settled = np.asarray([name != "" for name in frame.said.names])
        self._said: Codes = np.where(settled[frame.said.codes], frame.said.codes, MISSING)

    def at(self, condition: Condition) -> Codes:
        """Options under a condition, of shape rows × cultures; equal codes are equal options."""
        frame = self._frame
        rows = np.flatnonzero(self._rows & frame.where(condition=condition))
        table = np.full((len(self._items) * self.draws, len(self._cultures)), NOT_ASKED, dtype=np.int64)
        item = np.searchsorted(self._items, frame.item.codes[rows])
        culture = np.searchsorted(self._cultures, frame.culture.codes[rows])
        table[item * self.draws + frame.draw[rows], culture] = self._said[rows]
        return table

    def again(self, condition: Condition) -> Codes:
        """Beside each answer of ``at`` the next draw of the same cell; beside the last draw the first."""
        table = self.at(condition).reshape(len(self._items), self.draws, len(self._cultures))
        return np.roll(table, -1, axis=1).reshape(-1, len(self._cultures))
