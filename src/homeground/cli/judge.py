"""``homeground judge``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, help="a run's folder")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Judge stored answers; with ``--json`` print a judgement a line."""
    from homeground.runs.folder import open_run
    from homeground.runs.judge import judge_run

    run = open_run(arguments.run)
    judged = judge_run(run)
    if arguments.json:
        for judgement in judged:
            print_json(judgement)
        return 0
    scored = [j for j in judged if j.correct is not None]
    print(
        f"{len(judged)} of {len(run.cells)} cells judged, {len(scored)} of them right or wrong: "
        f"{sum(bool(j.correct) for j in scored)} right; {run.judgements}"
    )
    return 0
