"""Write the tables, the figures and the page of a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from homeground.errors import InputError
from homeground.experiments.people_times import People
from homeground.experiments.study import open_study
from homeground.files import write_whole
from homeground.report import export, formats
from homeground.report.page import render
from homeground.report.results import Results, results_of
from homeground.runs import Run, open_run
from homeground.statistics.ceiling import HumanCeiling

PAGE = "report.html"


class ReportFiles(NamedTuple):
    """What ``write_report`` wrote, and the results in it."""

    page: Path
    results: Results
    judged: int
    cells: int

    @property
    def signature(self) -> str:
        """What every figure of the report carries."""
        return self.results.study.signature


def write_report(
    runs: Run | Path | str | Sequence[Run | Path | str],
    page: Path | str | None = None,
    *,
    replicates: int = 0,
    people: People | None = None,
    human: HumanCeiling | None = None,
    print_forms: bool = True,
) -> ReportFiles:
    """Judge the answers of a run, or of several over one benchmark, and write ``tables/``, ``figures/`` and one page.

    The same answers give the same bytes. No model is called, and the page asks nothing of the network.

    Args:
        runs: a run or its folder, or several.
        page: where the page goes, with the tables and figures beside it; by default ``report.html`` in the folder of
            the run. Needed where there are several runs.
        replicates: of the cluster bootstrap that checks every interval; none by default.
        people: what people say of their own times of day, to stand beside the models' words.
        human: what people reach on the same conversations, drawn as a ceiling.
        print_forms: write each figure as PNG and PDF too, which takes longer than all else.

    Raises:
        InputError: no such run, no answers yet, runs that cannot be compared, or people who answered another benchmark.
        EnvironmentProblem: the disk refuses.
    """
    wanted = [runs] if isinstance(runs, Run | Path | str) else list(runs)
    opened = [run if isinstance(run, Run) else open_run(run) for run in wanted]
    if page is None and len(opened) > 1:
        raise InputError("several runs: say with -o where their page goes")
    target = Path(page) if page is not None else opened[0].folder / PAGE
    # A page elsewhere leaves the tables and figures of one run where they are expected: in its folder.
    beside = opened[0].folder if len(opened) == 1 else target.parent
    study = open_study(opened, replicates, people, human)
    results = results_of(study)
    for name, text in _tables(results).items():
        write_whole(beside / "tables" / name, text)
    for name, data in _figures(results, print_forms).items():
        write_whole(beside / "figures" / name, data)
    write_whole(target, render(results))
    return ReportFiles(target, results, len(study.frame), sum(len(run.cells) for run in opened))


def _tables(results: Results) -> dict[str, str]:
    writers: dict[str, Callable[..., str]] = {
        "csv": formats.csv,
        "md": formats.markdown,
        "tex": formats.latex,
    }
    return {
        f"{table.name}.{ending}": write(table)
        for table in results.tables.values()
        if table.rows
        for ending, write in writers.items()
    }


def _figures(results: Results, print_forms: bool) -> dict[str, str | bytes]:
    found: dict[str, str | bytes] = {}
    for name in results.tables:
        drawn = results.figure(name, alone=True)
        if drawn is not None:
            svg = str(drawn)
            found[f"{name}.svg"] = svg + "\n"
            if not print_forms:
                continue
            found[f"{name}.png"] = export.png(svg)
            found[f"{name}.pdf"] = export.pdf(svg)
    return found
