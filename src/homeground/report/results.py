"""All tables of a study, and what they come to in a sentence."""

from __future__ import annotations

from markupsafe import Markup

from homeground.benchmarks import QuestionSet
from homeground.experiments.catalogue import fitting, run_experiment
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.report.figures import draw
from homeground.report.numbers import CONDITION_NAMES, interval_of, p_of, percent, value_of
from homeground.schema import CONDITIONS, PLACEBOS, TOLD, Condition, Level
from homeground.statistics.gap import FEW_FLIPS

_TELLING: tuple[Level, ...] = ("implicit", "cue2", "cue1", "explicit", "neutral", "null")


def results_of(study: Study) -> Results:
    """All tables of a study, over a benchmark of either kind."""
    return QuestionResults(study) if isinstance(study.source, QuestionSet) else Results(study)


class Results:
    """Every table by its name."""

    template = "page.html.j2"
    """Lays them out as a page."""

    def __init__(self, study: Study) -> None:
        """Run all experiments on a study."""
        self.study = study
        self.tables: dict[str, Table] = {
            table.name: table for name in fitting(study) for table in run_experiment(name, study)
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
            code: culture.name.removeprefix("the ") for code, culture in self.study.source.cultures.items()
        }
        floor = {
            row.by["level"]: row.beside["floor"]
            for row in (self.tables["accuracy_by_level"].rows if "accuracy_by_level" in self.tables else ())
            if row.by["task"] == "question"
        }
        return draw(self.tables[name], alone=alone, names=names, floor=floor, people=self.study.ceiling)

    @property
    def levels(self) -> list[Condition]:
        """The levels and placebos that were asked, in order."""
        asked = self.study.frame.condition.names
        return [level for level in CONDITIONS if level in asked]

    @property
    def focus(self) -> Condition:
        """The level that tables by culture and concept lead with: implicit, or the most telling one asked."""
        return next((level for level in (*_TELLING, *PLACEBOS) if level in self.levels), "implicit")

    def people(self, **by: str) -> Row | None:
        """What people reach on a culture or a concept; none where models were not asked about the same cells."""
        found = self.study.ceiling and self.study.ceiling.of(**by)
        return Row(by=by, estimate=found) if found else None

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


class QuestionResults(Results):
    """Every table of a question set."""

    template = "questions.html.j2"

    def headline(self, series: Series) -> str:
        """How much is answered plainly, and how much with the culture named."""
        if series.model in self.study.questions.about.screened_by:
            return "These questions were chosen against it, so its score says nothing of it and makes no headline."
        shares = {level: self.row("baselines", series, answers=level, rulebook="careful") for level in TOLD}
        plain, told, foreign = (row and percent(row.estimate.value) for row in shares.values())
        if plain and told:
            return f"Asked plainly it answers {plain} of the questions right, with the culture named {told}."
        if plain:
            return f"Asked plainly it answers {plain} of the questions right; it was never told whose culture is meant."
        if told:
            return f"With the culture named it answers {told} of the questions right; it was never asked plainly."
        return f"With another culture named it answers {foreign} of the questions as the set's own would."

    def told(self, series: Series) -> str:
        """What being told adds, in a sentence; empty where plain and oracle were not both asked."""
        gap = self.row("plain_oracle", series, quantity="gap")
        if gap is None:
            return ""
        gained, lost = gap.counts["only_first"], gap.counts["only_second"]
        # With few flips the t interval is not to be trusted; p is exact.
        ends = f" [{interval_of(gap)}]" if gained + lost >= FEW_FLIPS else ""
        return (
            f"Being told adds {value_of(gap)} points{ends}: {gained} right only when told, {lost} only when not "
            f"(p {p_of(gap)})."
        )
