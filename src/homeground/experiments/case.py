"""One scaffold up close: what was said to the model, and where its answers move (arXiv:2606.17688, appendix B.6).

An answer is a shift where it settles on something else than the same model did for the same user at level ``neutral``,
where the conversation has culture-free words for cues. Each shift is one of the moves that a divergence counts.
"""

from __future__ import annotations

from difflib import get_close_matches

import numpy as np

from homeground.dialogues import conversation
from homeground.errors import InputError, unknown
from homeground.experiments.frame import Codes, Mask
from homeground.experiments.priors import UNSETTLED
from homeground.experiments.study import Study
from homeground.prompts import closing_question
from homeground.schema import (
    LEVELS,
    PLACEBOS,
    Answer,
    Condition,
    CuePair,
    Culture,
    Judgement,
    Record,
    Scaffold,
    Scene,
    Turn,
)

_CUED = LEVELS[LEVELS.index("cue1") :]
_SHARED = ("null", "neutral")
"""Levels whose conversation is the same for all cultures."""


class CaseAnswer(Record, frozen=True, kw_only=True):
    """What a model said in one conversation."""

    run: str
    """The run's name where a study has several; empty otherwise."""
    judgement: Judgement
    said: str
    """The system, currency, country or option that it settles on, or one of ``UNSETTLED``."""
    shifted: bool | None
    """Not what the model said at ``neutral``; ``None`` there and at ``null``, and where that answer is missing."""
    text: str
    """As the model wrote it: untrusted."""
    reasoning: str
    """Of the model's own thinking mode; untrusted too."""


class CaseConversation(Record, frozen=True, kw_only=True):
    """What a model was shown."""

    level: Condition
    culture: str
    """Empty where the conversation is the same for all."""
    turns: tuple[Turn, ...]
    """The closing question last."""


class Case(Record, frozen=True, kw_only=True):
    """One scaffold with all that was said about it."""

    scaffold: Scaffold
    scene: Scene
    cultures: tuple[Culture, ...]
    """Who asked."""
    cues: tuple[CuePair, ...]
    """What fills the slots for each of them."""
    conversations: tuple[CaseConversation, ...]
    answers: tuple[CaseAnswer, ...]
    """By run, model, culture and level, as the cells of a run are ordered."""
    shifts: int
    """Answers to the question task that cues moved away from ``neutral``; placebos are not counted."""
    signature: str


def pick(study: Study, model: str | None = None) -> str:
    """The scaffold with the most shifts in the question task; of several, the benchmark's first.

    Raises:
        InputError: the study has no such model.
    """
    frame = study.frame
    rows = _of(study, model)
    cued, moved = _moves(study, rows & frame.where(task="question"))
    cued = cued[moved & frame.where(condition=_CUED)[cued]]
    shifts = np.full(len(frame.item.names), -1, dtype=np.int64)
    asked = np.unique(frame.item.codes[rows])
    shifts[asked] = np.bincount(frame.item.codes[cued], minlength=len(shifts))[asked]
    most = [frame.item.names[code] for code in np.flatnonzero(shifts == shifts.max())]
    return next(item for item in study.benchmark.scaffolds if item in most)


def case(study: Study, item: str, model: str | None = None) -> Case:
    """Everything about one scaffold.

    Args:
        study: where its answers stand.
        item: the scaffold's identifier.
        model: leave all other models out.

    Raises:
        InputError: the study has no such model, or no answers about that scaffold.
    """
    frame, benchmark = study.frame, study.benchmark
    rows = _of(study, model) & frame.where(item=item)
    if not rows.any():
        raise _unknown_item(study, item)
    places = np.flatnonzero(rows)
    codes = [code for code in benchmark.cultures if frame.culture.is_(code)[places].any()]
    answers = _answers(study, rows)
    return Case(
        scaffold=benchmark.scaffolds[item],
        scene=benchmark.scenes[benchmark.scaffolds[item].scene],
        cultures=tuple(benchmark.cultures[code] for code in codes),
        cues=tuple(benchmark.cues[item, code] for code in codes),
        conversations=_conversations(study, [frame.judgements[place] for place in places.tolist()]),
        answers=answers,
        shifts=sum(
            bool(one.shifted)
            and one.judgement.cell.task == "question"
            and one.judgement.cell.condition in _CUED
            for one in answers
        ),
        signature=study.signature,
    )


def _of(study: Study, model: str | None) -> Mask:
    names = study.frame.model.names
    if model is not None and model not in names:
        raise unknown("model", model, names)
    return np.ones(len(study.frame), dtype=np.bool_) if model is None else study.frame.where(model=model)


def _unknown_item(study: Study, item: str) -> InputError:
    names = study.frame.item.names
    close = get_close_matches(item, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"such as {names[0]}"
    return InputError(f"no answers about a scaffold {item!r}; there are some about {len(names)} ({hint})")


def _moves(study: Study, rows: Mask) -> tuple[Codes, Mask]:
    """Those of the rows that can be held against ``neutral``, and whether each says something else."""
    frame = study.frame
    says = frame.status.codes * len(frame.said.names) + frame.said.codes
    told, neutral = (rows & frame.where(condition=some) for some in ((*_CUED, *PLACEBOS), "neutral"))
    one, two = frame.pairs(told, neutral, "run", "model", "strategy", "task", "item", "culture")
    return one, says[one] != says[two]


def _answers(study: Study, rows: Mask) -> tuple[CaseAnswer, ...]:
    frame = study.frame
    told, moved = _moves(study, rows)
    shifted = dict(zip(told.tolist(), moved.tolist(), strict=True))
    made = []
    # A run that can be opened has answers, so names and runs go in step.
    for name, run in zip(frame.run.names, study.runs, strict=True):
        places = np.flatnonzero(rows & frame.where(run=name)).tolist()
        with run.store() as store:
            texts: dict[str, Answer] = store.get(frame.judgements[place].key for place in places)
        for place in places:
            judgement = frame.judgements[place]
            answer = texts[judgement.key]
            made.append(
                CaseAnswer(
                    run=name,
                    judgement=judgement,
                    said=frame.said.names[frame.said.codes[place]]
                    or UNSETTLED.get(judgement.reading.status, "several"),
                    shifted=shifted.get(place),
                    text=answer.text,
                    reasoning=answer.reasoning,
                )
            )
    return tuple(made)


def _conversations(study: Study, judgements: list[Judgement]) -> tuple[CaseConversation, ...]:
    """Each distinct conversation once, in order of appearance."""
    benchmark = study.benchmark
    made: dict[tuple[str, str], CaseConversation] = {}
    for cell in (judgement.cell for judgement in judgements):
        culture = "" if cell.condition in _SHARED else cell.culture
        if (cell.condition, culture) not in made:
            turns = conversation(
                benchmark.scaffolds[cell.item],
                benchmark.cultures[cell.culture],
                benchmark.cues[cell.item, cell.culture],
                cell.condition,
                closing_question(benchmark.scaffolds[cell.item].concept),
            )
            made[cell.condition, culture] = CaseConversation(
                level=cell.condition, culture=culture, turns=turns
            )
    return tuple(made.values())
