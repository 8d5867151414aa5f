"""A question set's cells and requests: question × condition, for every model."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from homeground.benchmarks.question_set import QuestionSet
from homeground.errors import InputError
from homeground.plan.cells import Selection
from homeground.plan.requests import Plan, Requests, Way
from homeground.prompts import QuestionPrompts
from homeground.prompts.questions import SHORT
from homeground.schema import CONCEPTS, LEVELS, TASKS, TOLD, Cell, Condition, Message

_USUAL: tuple[Condition, ...] = TOLD[:2]


def fitted(questions: QuestionSet, selection: Selection) -> Selection:
    """A selection made to fit a question set: what is left as it is by default becomes the set's own default.

    Instead of the six levels of cue, plain and oracle are asked; ``foreign`` becomes the culture with answers to most
    questions, unless one is named.

    Raises:
        InputError: something of conversations alone is wanted, or no culture is there for ``foreign``.
    """
    about = questions.about
    if selection.tasks not in (TASKS, ("question",)):
        raise InputError("--task: a question set has the question task alone")
    if selection.strategies != ("direct",):
        raise InputError(f"--strategy {selection.strategies[-1]}: a question set is asked directly")
    if selection.concepts not in (CONCEPTS, ()):
        raise InputError("--concepts: a question set has no concepts")
    if selection.cultures not in (None, (about.culture,)):
        raise InputError(f"--cultures: this question set is about {about.culture} alone")
    conditions = _USUAL if selection.conditions == LEVELS else selection.conditions
    for condition in conditions:
        if condition not in TOLD:
            raise InputError(
                f"--condition {condition}: for conversations alone; a question set has {', '.join(TOLD)}"
            )
    if selection.foreign is not None and "foreign" not in conditions:
        raise InputError(
            f"--foreign {selection.foreign}: no condition asks for it; "
            f"give --condition {','.join((*conditions, 'foreign'))} too"
        )
    return replace(
        selection,
        tasks=("question",),
        conditions=conditions,
        concepts=(),
        cultures=(about.culture,),
        foreign=_foreign(questions, selection.foreign) if "foreign" in conditions else None,
    )


def _foreign(questions: QuestionSet, wanted: str | None) -> str:
    if wanted == questions.about.culture:
        raise InputError(f"--foreign {wanted}: that is the set's own culture")
    if wanted is not None:
        questions.name_of(wanted, "en")  # one that nobody knows is refused before anything is written
        return wanted
    if not questions.siblings:
        raise InputError(
            "--condition foreign: no question has another culture's answer; say with --foreign which, such as BR"
        )
    return max(sorted(questions.siblings), key=lambda code: questions.siblings[code])


def question_cells(questions: QuestionSet, selection: Selection, models: Sequence[str]) -> list[Cell]:
    """All cells of a selection that ``fitted`` gave, in a fixed order; a question is a cluster of its own.

    Raises:
        InputError: the sample is empty.
    """
    names = list(questions.questions)
    if selection.sample is not None and selection.sample < len(names):
        if selection.sample < 1:
            raise InputError("--sample: give a number of questions of at least 1")
        chosen = set(random.Random(f"{selection.seed}/sample").sample(names, selection.sample))
        names = [name for name in names if name in chosen]
    return [
        Cell(
            item=name,
            scene=name,
            template=name,
            concept="fact",
            culture=questions.about.culture,
            condition=condition,
            task="question",
            strategy="direct",
            model=model,
            draw=draw,
        )
        for model in models
        for name in names
        for condition in selection.conditions
        for draw in range(selection.draws)
    ]


def make_question_plan(
    questions: QuestionSet,
    cells: Sequence[Cell],
    way: Way[QuestionPrompts],
    foreign: str | None = None,
) -> Plan:
    """Plan the cells of one study over a question set.

    Args:
        questions: the set.
        cells: what to ask.
        way: how requests are made.
        foreign: the other culture, where cells have that condition.
    """
    requests, prompts = Requests(way), way.prompts

    def messages(cell: Cell) -> tuple[Message, ...]:
        text = questions.questions[cell.item].question
        if cell.condition == "plain":
            return prompts.plain(text)
        told = questions.about.culture if cell.condition == "oracle" else foreign or ""
        return prompts.oracle(text, questions.name_of(told, prompts.language), cell.model)

    return requests.plan([requests.add(cell, messages(cell), "direct", SHORT) for cell in cells])
