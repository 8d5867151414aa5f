"""Tables of estimates → figures: SVG of our own, one function a figure, no script inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from markupsafe import Markup

from homeground.experiments.people_ceiling import Ceiling
from homeground.experiments.table import Table
from homeground.report.figures.bars import depth, priors
from homeground.report.figures.canvas import Setting
from homeground.report.figures.ceiling import ceiling
from homeground.report.figures.cells import anchor, heat_map
from homeground.report.figures.changes import divergences
from homeground.report.figures.clocks import time_word_means, time_words
from homeground.report.figures.dots import forest, plain_oracle, strategies
from homeground.report.figures.exhaustion import exhaustion
from homeground.report.figures.lines import accuracy_by_level, shares_by_level, sizes

__all__ = ["FIGURES", "anchor", "draw"]

FIGURES: Mapping[str, Callable[[Table, Setting], Markup | None]] = {
    "accuracy_by_level": accuracy_by_level,
    "acted_by_level": shares_by_level,
    "contrast_by_level": shares_by_level,
    "gap_by_level": forest,
    "heat_map": heat_map,
    "ceiling": ceiling,
    "strategies": strategies,
    "strategy_differences": forest,
    "sizes": sizes,
    "size_differences": forest,
    "size_gap_differences": forest,
    "priors": priors,
    "depth": depth,
    "divergences": divergences,
    "divergences_above_floor": forest,
    "time_words": time_words,
    "time_word_means": time_word_means,
    "plain_oracle": plain_oracle,
    "exhaustion": exhaustion,
    "comparison": forest,
    "comparison_by_culture": forest,
    "comparison_by_concept": forest,
}
"""What draws a table, by the table's name."""


def draw(
    table: Table,
    *,
    alone: bool = False,
    names: Mapping[str, str] | None = None,
    floor: Mapping[str, float] | None = None,
    people: Ceiling | None = None,
) -> Markup | None:
    """The figure of a table; the same table gives the same bytes.

    Args:
        table: any table of the experiments.
        alone: a file of its own, with its own light colours and fonts, rather than part of a page.
        names: of cultures by code; codes stand where a name is missing.
        floor: for ``accuracy_by_level``, the share right of a model that always says the same, by level.
        people: what people reach, as the ceiling of figures that show what is right at the level that they saw.

    Returns:
        SVG, or ``None`` where the table has no figure or no values.
    """
    figure = FIGURES.get(table.name)
    return figure(table, Setting(alone, names or {}, floor or {}, people)) if figure else None
