"""All tables of a study, and what they come to in a sentence."""

from __future__ import annotations

from markupsafe import Markup

from homeground.experiments.catalogue import EXPERIMENTS, run_experiment
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.report.figures import draw
from homeground.report.numbers import CONDITION_NAMES, percent
from homeground.schema import CONDITIONS, PLACEBOS, Condition, Level

_TELLING: tuple[Level, ...] = ("implicit", "cue2", "cue1", "explicit", "neutral", "null")


class Results:
    """Every table by its name."""

    def __init__(self, study: Study) -> None:
        """Run all experiments on a study."""
        self.study = study
        self.tables: dict[str, Table] = {
            table.name: table for name in EXPERIMENTS for table in run_experiment(name, study)
        }
        self._rows: dict[str, dict[frozenset[tuple[str, str]], Row]] = {
            name: {frozenset(row.by.items()): row for row in table.rows}
            for name, table in self.tables.items()
        }

    def row(self, table: str, series: Series, **by: str) -> Row | None:
        """The row of a series that speaks of exactly this."""
        return self._rows[table].get(frozenset({**series.by, **by}.items()))

    def figure(self, name: str, *, alone: bool = False) -> Markup | None:
        """The figure of a table; ``None`` where there is no such table, or nothing to draw."""
        if name not in self.tables:
            return None
        names = {
            code: culture.name.removeprefix("the ") for code, culture in self.study.benchmark.cultures.items()
        }
        floor = {
            row.by["level"]: row.beside["floor"]
            for row in self.tables["accuracy_by_level"].rows
            if row.by["task"] == "question"
        }
        return draw(self.tables[name], alone=alone, names=names, floor=floor)

    @property
    def levels(self) -> list[Condition]:
        """The levels and placebos that were asked, in order."""
        asked = self.study.frame.condition.names
        return [level for level in CONDITIONS if level in asked]

    @property
    def focus(self) -> Condition:
        """The level that tables by culture and concept lead with: implicit, or the most telling one asked."""
        return next((level for level in (*_TELLING, *PLACEBOS) if level in self.levels), "implicit")

    def headline(self, series: Series) -> str:
        """The result in a sentence, at the strongest level where the user does not say where they are from."""
        table = "accuracy_by_level"
        for level in _TELLING:
            known = self.row(table, series, task="background", level=level)
            used = self.row(table, series, task="question", level=level)
            if known and used:
                where = {
                    "implicit": "From implicit cues",
                    "explicit": "When the user names the country,",
                    "neutral": "Without any cue",
                    "null": "Without any cue",
                }.get(level, f"At {CONDITION_NAMES[level]}")
                return (
                    f"{where} it names the user's country in {percent(known.estimate.value)} of conversations "
                    f"and answers in that country's units or currency in {percent(used.estimate.value)}."
                )
        asked = [task for task in ("background", "question") if self._asked(series, task)]
        if not asked:
            return "Only concepts without a right answer were asked; their options stand below."
        missing = "background" if asked == ["question"] else "question"
        if len(asked) == 2:
            return "The two tasks were asked at different levels, so they cannot be set beside each other."
        return f"The {missing} task was not asked, so what is known cannot be set beside what is acted on."

    def _asked(self, series: Series, task: str) -> bool:
        return any(self.row("accuracy_by_level", series, task=task, level=level) for level in CONDITIONS)
