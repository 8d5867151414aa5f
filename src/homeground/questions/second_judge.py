"""A model as the second judge of an audit, for what rules cannot see: factual, one answer, correct, no stereotype.

These are guidelines L3, L4, L5 and E4 of the paper on Tuguesice-PT. Its opinions are an aid to a person: a small model
is often wrong about them, so they never mix with the rules' verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from homeground.files import read_toml, sha256_json
from homeground.questions.chat import Chat, Prompt, one_line, read_fields, read_verdict
from homeground.questions.chat import Opinion as Verdict
from homeground.questions.guidelines import GuidelineId
from homeground.questions.reading import Unfit
from homeground.schema import Answer, Message, Question, Record

Check = Literal["factual", "single", "correct", "stereotype"]


class _Check(Record, frozen=True, kw_only=True):
    name: Check
    guideline: GuidelineId
    good: Literal["yes", "no"]
    asks: str


class _Templates(Record, frozen=True, kw_only=True):
    version: str
    max_tokens: int
    longest_question: int
    longest_answers: int
    most_answers: int
    prompt: str
    no_answers: str
    check: tuple[_Check, ...]


class Opinion(Record, frozen=True, kw_only=True):
    """What a model says to one check."""

    check: Check
    guideline: GuidelineId
    verdict: Verdict
    """Its answer to the check: is it factual, has it one answer, is that correct, is there a stereotype?"""
    objects: bool
    """The verdict speaks against the question."""
    why: str
    """The model's reason, at most 200 characters, or why its reply could not be read."""


class SecondOpinion(Record, frozen=True, kw_only=True):
    """What a model says of one question."""

    id: str
    model: str
    prompts: str
    opinions: tuple[Opinion, ...]

    @property
    def objections(self) -> tuple[Opinion, ...]:
        """Those that speak against the question."""
        return tuple(opinion for opinion in self.opinions if opinion.objects)


@cache
def _templates() -> _Templates:
    return read_toml(Path(str(files("homeground.questions"))) / "second_judge.toml", _Templates)


@cache
def signature() -> str:
    """Version and hash of the prompt and the checks."""
    return f"{_templates().version}@{sha256_json(_templates())[:8]}"


def second_opinions(
    questions: Sequence[Question], chat: Chat, culture: str | None = None
) -> list[SecondOpinion]:
    """A model's opinions of each question, in order; a reply that cannot be read is ``unsure`` with the reason.

    Args:
        questions: identifiers may repeat.
        chat: the model.
        culture: English name of the culture that they are about, where it is to be told.

    Raises:
        EnvironmentProblem: the model cannot be used; what it said so far is kept by whoever asks it.
    """
    prompts = {str(place): _prompt(question, culture) for place, question in enumerate(questions)}
    replies = chat.ask(prompts, _templates().max_tokens) if prompts else {}
    return [
        SecondOpinion(
            id=question.id,
            model=chat.model,
            prompts=signature(),
            opinions=_opinions(question, replies[str(place)]),
        )
        for place, question in enumerate(questions)
    ]


def _prompt(question: Question, culture: str | None) -> Prompt:
    templates = _templates()
    text = templates.prompt.format(
        culture=f", {culture}" if culture else "",
        question=one_line(question.question, templates.longest_question),
        answers=_answers(question) or templates.no_answers,
        asked="\n".join(f"{check.name}: {check.asks}" for check in templates.check),
        form="\n".join(f"{check.name}: yes, no or unsure | reason" for check in templates.check),
    )
    return (Message(role="user", text=text.strip()),)


def _answers(question: Question) -> str:
    """The right answers as their author gave them: the first form of each."""
    forms = [gold if isinstance(gold, str) else next(iter(gold.forms), "") for gold in question.answers or ()]
    listed = "; ".join(form.strip() for form in forms[: _templates().most_answers] if form.strip())
    return one_line(listed, _templates().longest_answers)


def _opinions(question: Question, reply: Answer | str) -> tuple[Opinion, ...]:
    checks = _templates().check
    try:
        fields = read_fields(reply, [check.name for check in checks])
    except Unfit as error:
        return tuple(_opinion(check, "unsure", f"cannot be read: {error}") for check in checks)
    return tuple(_read(check, fields[check.name], answered=bool(_answers(question))) for check in checks)


def _read(check: _Check, text: str, *, answered: bool) -> Opinion:
    if check.name == "correct" and not answered:
        return _opinion(check, "unsure", "no answer is given to check")
    try:
        verdict, why = read_verdict(text)
    except Unfit as error:
        return _opinion(check, "unsure", f"cannot be read: {error}")
    return _opinion(check, verdict, why or "no reason given")


def _opinion(check: _Check, verdict: Verdict, why: str) -> Opinion:
    return Opinion(
        check=check.name,
        guideline=check.guideline,
        verdict=verdict,
        objects=verdict not in (check.good, "unsure"),
        why=why,
    )


def counts(opinions: Sequence[SecondOpinion]) -> dict[Check, tuple[int, int]]:
    """For each check how many questions the model objects to, and of how many it is unsure."""
    found: dict[Check, tuple[int, int]] = {check.name: (0, 0) for check in _templates().check}
    for opinion in (opinion for one in opinions for opinion in one.opinions):
        against, unsure = found[opinion.check]
        found[opinion.check] = against + opinion.objects, unsure + (opinion.verdict == "unsure")
    return found


def asks() -> dict[Check, str]:
    """What each check asks."""
    return {check.name: check.asks for check in _templates().check}
