"""The process of a trial run: asks, judges, reports, and writes what came of it. Ends when its standard input does."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

import msgspec

from homeground.annotate.release.trial import (
    ANSWERS,
    CONDITIONS,
    MODEL,
    RESULTS,
    RUN,
    STATE,
    Answered,
    Results,
    Said,
    Score,
    State,
    locked,
    write_record,
)
from homeground.annotate.release.write import SET
from homeground.benchmarks.question_set import accepted
from homeground.errors import HomegroundError
from homeground.experiments.questions import BASELINES
from homeground.files import read_json
from homeground.plan.cells import select
from homeground.report import write_report
from homeground.report.results import QuestionResults
from homeground.runs import Run, open_run
from homeground.runs.ask import Tally
from homeground.runs.run import run_benchmark

_SECONDS = 1.0
"""Between two looks at how far it is."""
_PATIENCE = 5.0
"""Seconds to wait for a server that looks whether anybody is at work."""
_POLITE = 10
"""Priority: pages come first."""


def main(folder: Path) -> int:
    """Run what ``state.json`` names."""
    with locked(folder, _PATIENCE):
        state = read_json(folder / STATE, State)
        try:
            write_record(folder / RESULTS, _results(_run(folder, state)))
            _say(folder, read_json(folder / STATE, State), status="done")
        except HomegroundError as error:
            _say(folder, state, status="failed", fault=" ".join(str(error).split()))
            return error.exit_code
        except Exception as error:
            _say(folder, state, status="failed", fault=type(error).__name__)
            raise
    return 0


def _run(folder: Path, state: State) -> Run:
    said = 0.0

    def watch(tally: Tally) -> None:
        nonlocal said
        if time.monotonic() - said >= _SECONDS or tally.done == tally.total:
            said = time.monotonic()
            _say(folder, state, done=tally.done, total=tally.total)

    run_benchmark(
        folder / SET, folder / RUN, [MODEL], watch=watch, selection=select(conditions=CONDITIONS),
        answers=(folder / ANSWERS).resolve(),
    )  # fmt: skip
    return open_run(folder / RUN)


def _results(run: Run) -> Results:
    report = write_report(run, print_forms=False)
    found = report.results
    assert isinstance(found, QuestionResults)  # noqa: S101  (the run is over a question set)
    study = found.study
    (series,) = study.series
    scores = []
    for name in (*CONDITIONS, *BASELINES):
        rows = [
            found.row("baselines", series, answers=name, rulebook=rulebook)
            for rulebook in ("careful", "published")
        ]
        if (careful := rows[0]) is not None and (published := rows[1]) is not None:
            scores.append(Score(answers=name, careful=careful.estimate, published=published.estimate))
    said: dict[str, list[Said]] = {}
    with run.store() as store:
        answers = store.get([judgement.key for judgement in study.frame.judgements])
    for judgement in study.frame.judgements:
        cell = judgement.cell
        said.setdefault(cell.item, []).append(
            Said(condition=cell.condition, text=answers[judgement.key].text, correct=bool(judgement.correct))
        )
    return Results(
        signature=report.signature,
        scores=tuple(scores),
        told=found.told(series),
        items=tuple(
            Answered(
                id=question.id, question=question.question, golds=accepted(question.answers),
                said=tuple(said.get(question.id, ())),
            )
            for question in study.questions.questions.values()
        ),
    )  # fmt: skip


def _say(folder: Path, state: State, **changes: object) -> None:
    write_record(folder / STATE, msgspec.structs.replace(state, **changes))


def _end_with_the_server() -> None:
    """Nothing is ever written to standard input: it ends when the server does, however that came about."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _stop(_: int, __: FrameType | None) -> None:
    os._exit(1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    _end_with_the_server()
    if hasattr(os, "nice"):
        os.nice(_POLITE)
    sys.exit(main(Path(sys.argv[1])))
