"""One run or several as one study: what experiments compute from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from homeground.benchmarks import Benchmark, QuestionSet
from homeground.errors import InputError
from homeground.experiments.frame import Codes, Frame, Mask
from homeground.experiments.people_ceiling import LEVEL as CEILING_LEVEL
from homeground.experiments.people_ceiling import Ceiling, ceiling_for
from homeground.experiments.people_times import People
from homeground.experiments.table import Row, Table
from homeground.judging import signature as judge_signature
from homeground.runs import Run, open_run
from homeground.runs.judge import judge_run
from homeground.schema import SUBJECTIVE, Estimate, Judgement
from homeground.statistics import accuracy, paired_gap
from homeground.statistics.bootstrap import Bootstrap, Group
from homeground.statistics.ceiling import HumanCeiling
from homeground.statistics.clusters import Floats


class Series(NamedTuple):
    """One model under one strategy of the question task, in one run."""

    run: str
    """The run's name where a study has several; empty otherwise."""
    model: str
    strategy: str

    @property
    def by(self) -> dict[str, str]:
        """Its part of ``Row.by``."""
        named = {"model": self.model, "strategy": self.strategy}
        return {"run": self.run, **named} if self.run else named


class Study:
    """Judgements of runs over one benchmark."""

    def __init__(
        self,
        runs: Sequence[Run],
        judgements: Sequence[Sequence[Judgement]],
        replicates: int = 0,
        people: People | None = None,
        human: HumanCeiling | None = None,
    ) -> None:
        """Put runs together.

        Args:
            runs: at least one; all over the same benchmark.
            judgements: those of each run.
            replicates: of the cluster bootstrap that checks each interval; none by default.
            people: what people say of their own times of day, to stand beside the models' words.
            human: what people reach on the same conversations, as the ceiling of the models' accuracy.

        Raises:
            InputError: two runs are over different benchmarks or have the same name, or people answered another one.
        """
        first = runs[0]
        names = _names(runs)
        for run in runs[1:]:
            if run.spec.digest != first.spec.digest:
                noun = "questions" if first.spec.grounding == "none" else "conversations"
                raise InputError(
                    f"{run.folder}: made with benchmark {run.spec.benchmark}, {first.folder} with "
                    f"{first.spec.benchmark}; only runs over the same {noun} can be compared"
                )
            if run.spec.grounding != first.spec.grounding:
                raise InputError(
                    f"{run.folder}: models saw the {run.spec.grounding}, in {first.folder} the "
                    f"{first.spec.grounding}; results from pictures and from descriptions are never mixed"
                )
        self.runs = tuple(runs)
        self.source: Benchmark | QuestionSet = first.source
        self.frame = Frame(zip(names, judgements, strict=True))
        self.signature = " + ".join(dict.fromkeys(run.signature() for run in runs))
        self.replicates = replicates
        self.people = people
        self.ceiling = self._ceiling(human) if human else None
        """What people reach on the cells that were asked; none where no study of people was given."""
        if self.ceiling:
            self.signature += f" + {self.ceiling.signature}"
        self._made: dict[int, tuple[Estimate, Group]] = {}

    def _ceiling(self, human: HumanCeiling) -> Ceiling:
        frame, benchmark = self.frame, self.benchmark
        asked = self.objective & frame.where(task="question", condition=CEILING_LEVEL)
        pairs = np.unique(np.stack([frame.culture.codes[asked], frame.concept.codes[asked]]), axis=1).T
        cells = [(frame.culture.names[culture], frame.concept.names[concept]) for culture, concept in pairs]
        return ceiling_for(human, benchmark.signature, judge_signature(), cells)

    @property
    def benchmark(self) -> Benchmark:
        """The conversations that the study is over.

        Raises:
            InputError: it is over a question set.
        """
        return self.runs[0].benchmark

    @property
    def questions(self) -> QuestionSet:
        """The question set that the study is over.

        Raises:
            InputError: it is over conversations.
        """
        if not isinstance(self.source, QuestionSet):
            raise InputError(f"{self.runs[0].folder}: a run over conversations; this is for question sets")
        return self.source

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Every run, model and question strategy, in order; ``direct`` where only background was asked."""
        frame = self.frame
        found: dict[Series, None] = {}
        for task in ("question", "background"):
            mask = frame.where(task=task)
            columns = (frame.run, frame.model, frame.strategy)
            keys = np.unique(np.stack([column.codes[mask] for column in columns]), axis=1).T
            for key in keys:
                run, model, strategy = (column.names[code] for column, code in zip(columns, key, strict=True))
                if task == "question" or not any((s.run, s.model) == (run, model) for s in found):
                    found[Series(run, model, strategy if task == "question" else "direct")] = None
        return tuple(found)

    def of(self, series: Series) -> Mask:
        """Rows of a series; background answers serve all strategies of their model."""
        frame = self.frame
        mine = frame.where(run=series.run, model=series.model)
        return mine & (frame.where(task="background") | frame.where(strategy=series.strategy))

    @cached_property
    def objective(self) -> Mask:
        """Rows that are right or wrong, of concepts where both tasks can be compared, and of question sets."""
        return ~self.frame.where(concept=SUBJECTIVE) & (self.frame.correct >= 0)

    @cached_property
    def bootstrap(self) -> Bootstrap | None:
        """The replicates over scenes and dialogues; ``None`` where none were asked for."""
        if not self.replicates or not len(self.frame):
            return None
        return Bootstrap(self.frame.cluster, self.frame.template.codes, self.replicates)

    def accuracy(self, rows: Mask | Codes) -> Estimate:
        """Share right among the given rows, which all are right or wrong."""
        return self.share(self.frame.correct == 1, rows)

    def beside(self, rows: Codes) -> dict[str, float]:
        """Other shares of rows that are right or wrong; ``value_right`` where a value can be told."""
        frame = self.frame
        shares = {
            "published": frame.published[rows],
            "hedged": frame.hedged[rows],
            "lenient": frame.lenient[rows],
            "floor": frame.floor[rows],
        }
        told = frame.value_right[rows]
        if len(told := told[told >= 0]):
            shares["value_right"] = told
        return {name: float(values.mean()) for name, values in shares.items()}

    def share(self, values: Mask, rows: Mask | Codes) -> Estimate:
        """Share of the given rows for which ``values``, of all rows, holds."""
        frame = self.frame
        found = accuracy(values[rows], frame.cluster[rows], frame.template.codes[rows])
        self._remember(found, values[rows].astype(np.float64), rows)
        return found

    def gap(
        self, one: Codes, two: Codes, by: dict[str, str] | None = None, *, values: Mask | None = None
    ) -> Row:
        """Share right in the first rows minus share right in the second, paired row by row.

        Args:
            one: places of the first rows.
            two: places of the second rows, as many.
            by: what the row speaks of.
            values: what to take the shares of instead, one truth value for each row of the frame.
        """
        frame = self.frame
        right = frame.correct == 1 if values is None else values
        gap = paired_gap(right[one], right[two], frame.cluster[one], frame.template.codes[one])
        self._remember(gap.estimate, right[one].astype(np.float64) - right[two], one)
        return Row(
            by=by or {},
            estimate=gap.estimate,
            unit="points",
            p=gap.p,
            test=gap.test or "",
            counts={"only_first": gap.only_first, "only_second": gap.only_second},
        )

    def _remember(self, estimate: Estimate, values: Floats, rows: Mask | Codes) -> None:
        """Keep what an estimate was made of until its table checks it by the bootstrap."""
        if self.replicates and estimate.n:
            self._made[id(estimate)] = estimate, Group(values, rows)

    def _checked(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows with bootstrap intervals, where replicates were asked for."""
        known = [
            (place, self._made.pop(id(row.estimate)))
            for place, row in enumerate(rows)
            if id(row.estimate) in self._made
        ]
        if not known or self.bootstrap is None:
            return rows
        result = list(rows)
        found = self.bootstrap.intervals([group for _, (_, group) in known])
        for (place, (estimate, _)), boot in zip(known, found, strict=True):
            result[place] = replace(rows[place], estimate=replace(estimate, boot=boot))
        return result

    def table(
        self, name: str, title: str, rows: Sequence[Row], *, across: str = "", notes: Sequence[str] = ()
    ) -> Table:
        """Rows as a table under this study's signature; columns as they come in the rows."""
        columns = dict.fromkeys(column for row in rows for column in row.by)
        return Table(
            name=name,
            title=title,
            columns=tuple(columns),
            rows=tuple(self._checked(rows)),
            across=across,
            notes=tuple(notes),
            signature=self.signature,
        )


def open_study(
    folders: Sequence[Run | Path | str],
    replicates: int = 0,
    people: People | None = None,
    human: HumanCeiling | None = None,
) -> Study:
    """Judge the stored answers of runs and put them together; no model is called.

    Raises:
        InputError: no such run, no answers yet, or runs that cannot be compared.
    """
    runs = [folder if isinstance(folder, Run) else open_run(folder) for folder in folders]
    return Study(runs, [judge_run(run) for run in runs], replicates, people, human)


def _names(runs: Sequence[Run]) -> list[str]:
    """What to call the runs: nothing where there is one, the folders' names where they differ, else the folders."""
    if len(runs) == 1:
        return [""]
    short = [run.folder.resolve().name for run in runs]
    names = short if len(set(short)) == len(short) else [str(run.folder) for run in runs]
    if len(set(names)) < len(names):
        raise InputError(f"{names[0]}: the same run twice")
    return names
