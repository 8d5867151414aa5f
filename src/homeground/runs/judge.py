"""Judge the stored answers of a run; no model is called."""

from __future__ import annotations

from pathlib import Path

from homeground.benchmarks import QuestionSet
from homeground.errors import InputError
from homeground.files import jsonl, write_whole
from homeground.judging import Asked, judge_answer, judge_question
from homeground.runs.folder import Run, open_run
from homeground.schema import Answer, Cell, Judgement


def _judged(run: Run, cell: Cell, key: str, answer: Answer) -> Judgement:
    source = run.source
    if isinstance(source, QuestionSet):
        return judge_question(cell, key, answer, source.questions[cell.item], source.about.language)
    return judge_answer(cell, key, answer, _asked(run, cell))


def _asked(run: Run, cell: Cell) -> Asked:
    benchmark = run.benchmark
    pair = benchmark.cues[cell.item, cell.culture]
    told = pair.placebo if cell.condition == "placebo_cues" and pair.placebo else pair.cues
    cued = cell.condition in ("cue1", "cue2", "implicit", "placebo_cues")
    return Asked(
        benchmark.cultures,
        benchmark.scenes[cell.scene],
        told if cued else (),
        cell.model not in run.prompts.thinkers,
    )


def judge_run(run: Run | Path | str) -> list[Judgement]:
    """Judge every cell that has an answer and write ``judgements.jsonl``, in the order of the cells.

    Raises:
        InputError: no run, or no answers yet.
    """
    if not isinstance(run, Run):
        run = open_run(run)
    plan = run.plan
    with run.store() as store:
        answers = store.get(key for key in plan.keys if key is not None)
    if not answers:
        raise InputError(f"{run.folder}: no answers yet; run the benchmark first")
    judged = [
        _judged(run, cell, key, answers[key])
        for cell, key in zip(run.cells, plan.keys, strict=True)
        if key is not None and key in answers
    ]
    write_whole(run.judgements, jsonl(judged))
    return judged
