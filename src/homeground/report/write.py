"""Write the tables, the figures and the page of a run."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from homeground.engines import model_facts
from homeground.files import sha256_json, write_whole
from homeground.report import answers, csv_files, tables
from homeground.report.answers import Depths, Kinds, Options
from homeground.report.examples import Chooser, Example, differing, failing, shown
from homeground.report.figure import CONDITION_NAMES, level_figure
from homeground.report.tables import Acted, Row, Series
from homeground.runs import Run, open_run
from homeground.runs.judge import judge_run
from homeground.schema import CONDITIONS, LEVELS, PLACEBOS, Condition, Estimate, Judgement, Level

_TELLING: tuple[Level, ...] = ("implicit", "cue2", "cue1", "explicit", "neutral", "null")


class Chapter(NamedTuple):
    """All results of one series."""

    series: Series
    levels: list[Row]
    cultures: list[Row]
    concepts: list[Row]
    first: list[Row]
    acted: list[Acted]
    options: list[Options]
    kinds: list[Kinds]
    depths: list[Depths]

    @property
    def focus(self) -> Condition | None:
        """The level that the tables by culture and concept show: implicit, or the strongest one asked."""
        asked = {row.level for row in self.concepts}
        return next((level for level in ("implicit", *reversed(LEVELS), *PLACEBOS) if level in asked), None)


class ReportFiles(NamedTuple):
    """What ``write_report`` wrote, and the results in it."""

    page: Path
    signature: str
    chapters: list[Chapter]
    judged: int
    cells: int


def write_report(run: Run | Path | str, page: Path | str | None = None) -> ReportFiles:
    """Judge a run's answers and write ``tables/``, ``figures/`` and one HTML page.

    The same answers give the same bytes. No model is called, and the page asks nothing of the network.

    Args:
        run: a run or its folder.
        page: where the page goes; ``report.html`` in the run's folder by default.

    Raises:
        InputError: no such run, or no answers yet.
        EnvironmentProblem: the disk refuses.
    """
    if not isinstance(run, Run):
        run = open_run(run)
    judgements = judge_run(run)
    chapters = [chapter(run, judgements, series) for series in tables.series_of(judgements)]
    signature = run.signature()
    for name, text in _tables(chapters, signature).items():
        write_whole(run.folder / "tables" / f"{name}.csv", text)
    for one in chapters:
        figure = level_figure(one.levels, alone=True)
        write_whole(run.folder / "figures" / f"{_slug(one.series)}.svg", figure + "\n")
    target = Path(page) if page is not None else run.folder / "report.html"
    write_whole(target, _page(run, judgements, chapters, signature))
    return ReportFiles(target, signature, chapters, len(judgements), len(run.cells))


def chapter(run: Run, judgements: Sequence[Judgement], series: Series) -> Chapter:
    """All estimates of one series."""
    scenes = run.benchmark.scenes
    shown = run.spec.grounding == "description"
    return Chapter(
        series=series,
        levels=tables.by_level(judgements, series),
        cultures=tables.by_culture(judgements, series),
        concepts=tables.by_concept(judgements, series),
        first=tables.by_first_system(judgements, series, lambda s: scenes[s].first_system) if shown else [],
        acted=tables.acted(judgements, series),
        options=answers.options_chosen(judgements, series),
        kinds=answers.kinds_of_answer(judgements, series),
        depths=answers.depths_of_reasoning(judgements, series),
    )


def _tables(chapters: Sequence[Chapter], signature: str) -> dict[str, str]:
    def rows(part: Callable[[Chapter], list[Row]]) -> str:
        return csv_files.rows_csv([row for one in chapters for row in part(one)], signature)

    return {
        "accuracy_by_level": rows(lambda c: c.levels),
        "accuracy_by_culture": rows(lambda c: c.cultures),
        "accuracy_by_concept": rows(lambda c: c.concepts),
        "accuracy_by_first_system": rows(lambda c: c.first),
        "acted_on": csv_files.acted_csv([row for one in chapters for row in one.acted], signature),
        "options": csv_files.options_csv([row for one in chapters for row in one.options], signature),
        "answers": csv_files.kinds_csv([row for one in chapters for row in one.kinds], signature),
        "depth": csv_files.depths_csv([row for one in chapters for row in one.depths], signature),
    }


def _slug(series: Series) -> str:
    plain = "".join(char if char.isalnum() or char in "-." else "-" for char in series.model)
    # Two models may differ only in what a file's name cannot hold.
    return f"levels-{plain}-{series.strategy}-{sha256_json(series.model)[:6]}"


# ---- the page --------------------------------------------------------------------------------------


def _page(run: Run, judgements: Sequence[Judgement], chapters: Sequence[Chapter], signature: str) -> str:
    plan = run.plan
    with run.store() as store:
        examples = _examples(judgements, chapters, plan.requests, store.get, failing)
        disputed = _examples(judgements, chapters, plan.requests, store.get, differing)
    scenes = {e.judgement.cell.scene for some in (*examples.values(), *disputed.values()) for e in some}
    pictures = {scene: _data_uri(run, scene) for scene in sorted(scenes)}
    asked = {judgement.cell.condition for judgement in judgements}
    text: str = _template().render(
        run=run,
        spec=run.spec,
        benchmark=run.benchmark,
        chapters=chapters,
        examples=examples,
        disputed=disputed,
        disputes={one.series: _disputes(judgements, one.series) for one in chapters},
        kinds=answers.KINDS,
        pictures=pictures,
        figure=level_figure,
        facts=model_facts,
        signature=signature,
        judged=len(judgements),
        cells=len(run.cells),
        requests=len(plan.requests),
        levels=[c for c in CONDITIONS if c in asked],
        level_names=CONDITION_NAMES,
        headline=headline,
    )
    return text


def _examples(
    judgements: Sequence[Judgement],
    chapters: Sequence[Chapter],
    requests: Any,  # noqa: ANN401
    get: Any,  # noqa: ANN401
    choose: Chooser,
) -> dict[Series, list[Example]]:
    found = {}
    for one in chapters:
        chosen = choose([j for j in judgements if tables.belongs(j, one.series)])
        answered = get([j.key for j, _ in chosen])
        found[one.series] = [shown(j, known, requests[j.key], answered[j.key]) for j, known in chosen]
    return found


def _disputes(judgements: Sequence[Judgement], series: Series) -> int:
    """How many answers the two rulebooks judge differently."""
    return sum(
        tables.belongs(j, series) and j.correct is not None and j.correct != j.published for j in judgements
    )


def _data_uri(run: Run, scene: str) -> str:
    png = (run.benchmark.folder / run.benchmark.scenes[scene].image).read_bytes()
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def headline(one: Chapter) -> str:
    """The result in a sentence, at the strongest level where the user does not say where they are from."""
    for level in _TELLING:
        known = _at(one.levels, "background", level)
        used = _at(one.levels, "question", level)
        if known and used:
            where = (
                f"From {CONDITION_NAMES[level]} cues"
                if level not in ("null", "neutral")
                else "Without any cue"
            )
            return (
                f"{where} it names the user's country in {percent(known.value)} of conversations "
                f"and answers in that country's units or currency in {percent(used.value)}."
            )
    if not one.levels:
        return "Only concepts without a right answer were asked; their options stand below."
    missing = "background" if any(row.task == "question" for row in one.levels) else "question"
    return f"The {missing} task was not asked, so what is known cannot be set beside what is acted on."


def _at(rows: Sequence[Row], task: str, level: str) -> Estimate | None:
    return next((r.estimate for r in rows if r.task == task and r.level == level), None)


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


@cache
def _template() -> Any:  # noqa: ANN401
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("homeground.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"percent": percent, "points": points, "interval": interval}
    return environment.get_template("page.html.j2")
