"""Scores of a question set beside what no knowledge would score, and whose answers stand in place of right ones.

Three baselines are judged by the same judges as a model's answers. Nothing is asked for them; each answers a question
with what its ``contrast`` has, and questions without any are left out of it:

- ``other culture``: one answer of another culture, that of the most frequent sibling which has one;
- ``shotgun``: all other cultures' answers, listed;
- ``every culture``: the right answer and all others, listed. By the published rule, which asks that a form stands
  anywhere in the answer, this one gets everything.

A wrong answer is traced where it is one that another culture would give (``Judgement.belongs_to``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from homeground.benchmarks.question_set import accepted
from homeground.experiments.frame import Mask
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.judging import judge_question
from homeground.schema import TOLD, Answer, Cell, Estimate, Judgement, Question
from homeground.statistics import accuracy

Baseline = Literal["other culture", "shotgun", "every culture"]
BASELINES: tuple[Baseline, ...] = ("other culture", "shotgun", "every culture")
RULEBOOKS = ("careful", "published")
NOBODY, SEVERAL, REFUSED = "nobody's", "several", "refused"
"""Of a wrong answer that is no one culture's."""


def questions(study: Study) -> list[Table]:
    """Tables ``baselines`` and ``traced``."""
    return [
        study.table("baselines", "Scores beside baselines", _scores(study), across="rulebook", notes=(
            "Baselines answer without any model: one other culture's answer; all other cultures' answers listed; the "
            "right one listed among them. They are over questions that have answers of other cultures.",
            "Careful: the answer says the right thing and no other candidate. Published: an accepted form anywhere.",
        )),
        study.table("traced", "Whose answer the wrong ones are", _traced(study), across="level", notes=(
            "Shares of wrong answers to questions that have answers of other cultures; several: a list of candidates; "
            "nobody's: an answer that none of these cultures would give.",
        )),
    ]  # fmt: skip


def _scores(study: Study) -> list[Row]:
    frame = study.frame
    baselines = _baselines(study)
    rows = []
    for series in study.series:
        mine = study.of(series)
        for level in TOLD:
            some = mine & frame.where(condition=level)
            if some.any():
                for rulebook in RULEBOOKS:
                    right = (frame.correct if rulebook == "careful" else frame.published) == 1
                    by = {**series.by, "answers": level, "rulebook": rulebook}
                    rows.append(Row(by=by, estimate=study.share(right, some)))
        asked = {frame.item.names[code] for code in frame.item.codes[mine]}
        rows += [
            Row(by={**series.by, "answers": name, "rulebook": rulebook}, estimate=estimate)
            for (name, rulebook), estimate in _over(baselines, asked).items()
        ]
    return rows


def _baselines(study: Study) -> dict[Baseline, list[Judgement]]:
    """What each baseline would say to the questions that were asked of any model, judged."""
    source = study.questions
    asked = [question for name in study.frame.item.names if (question := source.questions[name]).contrast]
    return {
        name: [
            _judged(
                question,
                answer_of(name, question, source.siblings),
                source.about.culture,
                source.about.language,
            )
            for question in asked
        ]
        for name in BASELINES
    }


def _over(
    baselines: Mapping[Baseline, Sequence[Judgement]], asked: Collection[str]
) -> dict[tuple[Baseline, str], Estimate]:
    """What each baseline scores on some questions, by rulebook; nothing where none has another culture's answer."""
    return {
        (name, rulebook): accuracy(
            [bool(j.correct if rulebook == "careful" else j.published) for j in some],
            [j.cell.item for j in some],
        )
        for name, judged in baselines.items()
        if (some := [j for j in judged if j.cell.item in asked])
        for rulebook in RULEBOOKS
    }


def answer_of(name: Baseline, question: Question, often: dict[str, int]) -> str:
    """What a baseline says to a question that has answers of other cultures.

    Args:
        name: which one.
        question: with its golds and ``contrast``.
        often: how often each other culture has answers in the set.
    """
    others = {code: accepted(answers) for code, answers in (question.contrast or {}).items()}
    if name == "other culture":
        first = min(others, key=lambda code: (-often.get(code, 0), code))
        return others[first][0]
    listed = dict.fromkeys(form for forms in others.values() for form in forms)
    if name == "every culture":
        listed = dict.fromkeys((*listed, accepted(question.answers)[0]))
    return ", ".join(listed)


def _judged(question: Question, text: str, culture: str, language: str | None) -> Judgement:
    cell = Cell(
        item=question.id, scene=question.id, template=question.id, concept="fact", culture=culture,
        condition="plain", task="question", strategy="direct", model="baseline",
    )  # fmt: skip
    answer = Answer(text=text, finish_reason="stop", prompt_tokens=0, completion_tokens=0, seconds=0)
    return judge_question(cell, "", answer, question, language)


def _traced(study: Study) -> list[Row]:
    frame, source = study.frame, study.questions
    whose = np.asarray([_whose(judgement) for judgement in frame.judgements], dtype=np.str_)
    told = np.asarray([bool(source.questions[name].contrast) for name in frame.item.names], dtype=np.bool_)
    wrong = told[frame.item.codes] & (frame.correct == 0)
    rows = []
    for series in study.series:
        mine = study.of(series) & wrong
        for level in TOLD:
            some = mine & frame.where(condition=level)
            for name in _named(whose[some].tolist()):
                is_: Mask = whose == name
                by = {**series.by, "whose": name, "level": level}
                rows.append(
                    Row(by=by, estimate=study.share(is_, some), counts={"answers": int((is_ & some).sum())})
                )
    return rows


def _whose(judgement: Judgement) -> str:
    if judgement.hedged:
        return SEVERAL
    if judgement.reading.status == "refused":
        return REFUSED
    return " or ".join(judgement.belongs_to) or NOBODY


def _named(whose: list[str]) -> Iterable[str]:
    """Cultures first, then what is no culture's."""
    last, there = (SEVERAL, NOBODY, REFUSED), set(whose)
    return (*sorted(there - {*last}), *(name for name in last if name in there))
