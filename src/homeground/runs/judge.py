"""Judge the stored answers of a run; no model is called."""

from __future__ import annotations

from pathlib import Path

from homeground.errors import InputError
from homeground.files import jsonl, write_whole
from homeground.judging import judge_answer
from homeground.runs.folder import Run, open_run
from homeground.schema import Judgement


def judge_run(run: Run | Path | str) -> list[Judgement]:
    """Judge every cell that has an answer and write ``judgements.jsonl``, in the order of the cells.

    Raises:
        InputError: no run, or no answers yet.
    """
    if not isinstance(run, Run):
        run = open_run(run)
    plan = run.plan
    with run.store() as store:
        answers = store.get(plan.keys)
    if not answers:
        raise InputError(f"{run.folder}: no answers yet; run the benchmark first")
    cultures = run.benchmark.cultures
    judged = [
        judge_answer(cell, key, answers[key], cultures[cell.culture])
        for cell, key in zip(run.cells, plan.keys, strict=True)
        if key in answers
    ]
    write_whole(run.judgements, jsonl(judged))
    return judged
