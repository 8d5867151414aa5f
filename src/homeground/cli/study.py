"""Ask, judge, report and show: what ``run`` and ``demo`` share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from homeground.cli.progress import Progress
from homeground.cli.show import console, print_json, say
from homeground.cli.summary import print_series

if TYPE_CHECKING:
    from homeground.plan.forecast import Prices
    from homeground.report import ReportFiles
    from homeground.runs.prepare import RunOptions
    from homeground.runs.run import RunResult


def study(
    benchmark: Path,
    folder: Path,
    models: Sequence[str],
    *,
    as_json: bool = False,
    prices: Prices | None = None,
    log: Path | None = None,
    **options: Unpack[RunOptions],
) -> int:
    """Run a benchmark, write its report and print the result."""
    from homeground.report import write_report
    from homeground.runs.run import run_benchmark

    progress = Progress(prices, log)
    try:
        result = run_benchmark(benchmark, folder, models, watch=progress, say=say, **options)
    finally:
        progress.close()
    files = write_report(folder, print_forms=False)
    if as_json:
        print_json(summary(files) | {"run": result})
    else:
        show(files, result)
    return 0


def summary(files: ReportFiles) -> dict[str, object]:
    """The results as plain data, for ``--json``."""
    return {
        "report": str(files.page),
        "signature": files.signature,
        "cells": files.cells,
        "judged": files.judged,
        "series": [
            {**series.by, "headline": files.results.headline(series)} for series in files.results.study.series
        ],
        "tables": [table for table in files.results.tables.values() if table.rows],
    }


def show(files: ReportFiles, result: RunResult | None = None) -> None:
    """The results on the terminal."""
    from homeground.engines import model_facts

    out = console()
    results = files.results
    for series in results.study.series:
        print_series(results, series, out)
        out.print(results.headline(series))
        about = model_facts(series.model).about
        if about:
            out.print(f"{series.model} is {about}.", style="dim")
    if result is not None:
        out.print(
            f"{result.asked} of {result.requests} prompts asked now ({result.cells} cells, "
            f"{result.model_seconds:.0f} s of model time)."
        )
    print(f"Report: {files.page}")
