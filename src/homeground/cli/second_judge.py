"""A model's opinions beside the rules' verdicts: what ``audit --model`` shows."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import add_asking
from homeground.cli.show import console, say

if TYPE_CHECKING:
    from homeground.questions.second_judge import SecondOpinion

_WORST = 5
_WHY = 100
"""Characters shown of a reason."""


def judge_arguments(parser: ArgumentParser) -> None:
    """Declare what a second judge needs."""
    parser.add_argument("--model", metavar="ENGINE:NAME", help="a second judge, such as openai:NAME")
    add_asking(parser, "FILE")


def judge_file(
    path: Path,
    model: str,
    *,
    culture: str | None = None,
    answers: Path | None = None,
    base_url: str | None = None,
) -> list[SecondOpinion]:
    """A model's opinions of a file's questions, in order.

    Args:
        path: the file.
        model: ``engine:name``.
        culture: code of the culture that they are about, where the model is to be told.
        answers: the store that keeps its replies; by default beside the file.
        base_url: server of an ``openai:`` model.

    Raises:
        InputError: naming file and line; or no such model or culture.
        EnvironmentProblem: the model cannot be used; every reply so far is kept.
    """
    from homeground.cli.progress import Progress
    from homeground.cli.screen import beside
    from homeground.cultures.local_names import local_names
    from homeground.questions.pairs import load_questions
    from homeground.questions.second_judge import second_opinions
    from homeground.runs.ask import open_chat

    questions = load_questions(path, unique=False)
    name = local_names(culture, "en").culture if culture else None
    progress = Progress()
    try:
        with open_chat(model, answers or beside(path), base_url=base_url, watch=progress, say=say) as chat:
            return second_opinions(questions, chat, name)
    finally:
        progress.close()


def print_opinions(opinions: Sequence[SecondOpinion], worst: int = _WORST) -> None:
    """How often the model objects, and its objections to the questions that have most."""
    from rich.padding import Padding
    from rich.text import Text

    from homeground.questions.second_judge import asks, counts

    out = console()
    if not opinions:
        return
    out.print(
        f"Opinions of {opinions[0].model} on {len(opinions)} questions ({opinions[0].prompts}); a person decides:",
        markup=False,
    )
    for check, (against, unsure) in counts(opinions).items():
        line = f"{check}: objects to {against}, unsure of {unsure} ({asks()[check]})"
        out.print(Padding(Text(line), (0, 0, 0, 2), expand=False))
    for one in sorted(opinions, key=lambda one: -len(one.objections))[:worst]:
        if not one.objections:
            break
        out.print(Text(one.id, style="bold"))
        for opinion in one.objections:
            why = opinion.why if len(opinion.why) <= _WHY else opinion.why[: _WHY - 1] + "…"
            said = f"{opinion.guideline} {opinion.check}: {opinion.verdict}: “{why}”"
            out.print(Padding(Text(said), (0, 0, 0, 2), expand=False))
