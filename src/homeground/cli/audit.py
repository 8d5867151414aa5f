"""``homeground audit``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from homeground.cli.second_judge import judge_arguments, judge_file, print_opinions
from homeground.cli.show import add_json, console, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from homeground.questions.audit import Audited, Profile, Rule
    from homeground.questions.second_judge import SecondOpinion
    from homeground.schema import Question

_WORST = 5
_QUESTION, _EVIDENCE = 160, 40
"""Characters shown of a question and of a span."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, help="questions, JSON Lines or CSV with id, question and answers")
    parser.add_argument(
        "--culture",
        metavar="CODE",
        help="such as PT; only its own country counts as named then, else any, or that of the item's field culture",
    )
    parser.add_argument(
        "--language", metavar="CODE", help="such as pt or pt-PT; else the item's field language, else guessed"
    )
    parser.add_argument(
        "--worst",
        type=int,
        default=_WORST,
        metavar="N",
        help=f"how many of the worst items to show (default {_WORST})",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a question is flagged")
    judge_arguments(parser)
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Audit; with ``--json`` a line an item."""
    from homeground.questions import audit_set, load_questions
    from homeground.questions.audit import profile

    questions = load_questions(arguments.file, unique=False)
    audited = audit_set(questions, arguments.culture, arguments.language)
    opinions = _opinions(arguments)
    if arguments.json:
        for number, item in enumerate(audited):
            print_json(to_builtins(item) | ({"second_judge": opinions[number]} if opinions else {}))
    else:
        _print(profile(questions, audited, arguments.language), arguments.culture, max(0, arguments.worst))
        print_opinions(opinions, max(0, arguments.worst))
    return int(arguments.strict and any(item.flags for item in audited))


def _opinions(arguments: Namespace) -> list[SecondOpinion]:
    """What a model says of each question, where one is named."""
    if arguments.model is None:
        return []
    return judge_file(
        arguments.file,
        arguments.model,
        culture=arguments.culture,
        answers=arguments.answers,
        base_url=arguments.base_url,
    )


def _print(found: Profile, culture: str | None, worst: int) -> None:
    from rich.padding import Padding
    from rich.text import Text

    to = console()
    spoken = ", ".join(f"{count:,} {code}" for code, count in found.languages.items())
    asked = f", culture {culture}" if culture else ""
    to.print(Text(f"{found.flagged:,} of {found.items:,} questions flagged ({spoken}{asked})"))
    _print_counts(found, to)
    for why, rules in found.untold.items():
        to.print(Padding(Text(f"not judged: {', '.join(rules)}: {why}"), (0, 0, 0, 4), expand=False))
    if found.twins:
        one, other = found.twins[0]
        to.print(Text(f"Nearly the same as an earlier one: {len(found.twins):,} (such as {one} and {other})"))
    if found.worst and worst:
        to.print(Text(f"\nThe worst {min(worst, len(found.worst))}:"))
    for question, item in found.worst[:worst]:
        _print_item(question, item, to)


def _print_counts(found: Profile, to: Console) -> None:
    from rich.table import Table

    from homeground.questions.audit import titles

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("", "guideline"):
        table.add_column(name)
    for name in ("flagged", "", "cannot tell"):
        table.add_column(name, justify="right")
    for count in found.counts:
        share = f"{100 * count.flagged / found.items:.0f} %"
        shown = (f"{count.flagged:,}", share) if count.flagged else ("–", "")
        table.add_row(count.rule, titles()[count.rule], *shown, f"{count.unsure:,}" if count.unsure else "–")
    to.print(table)


def _print_item(question: Question, item: Audited, to: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from homeground.questions.audit import advice

    to.print()
    to.print(Text(f"{item.id}  {_cut(question.question, _QUESTION)}", style="bold"))
    told: dict[Rule, dict[str, list[str]]] = {}
    for flag in item.flags:
        where = "" if flag.field == "question" else f" ({flag.field})"
        shown = f"“{_cut(flag.evidence, _EVIDENCE)}”{where}" if flag.evidence.strip() else where.strip()
        told.setdefault(flag.guideline, {}).setdefault(flag.why, []).append(shown)
    for rule, reasons in told.items():
        for why, spans in reasons.items():
            to.print(Padding(Text(f"{rule} {', '.join(spans)}: {why}"), (0, 0, 0, 2), expand=False))
        to.print(Padding(Text(f"→ {advice()[rule]}"), (0, 0, 0, 5), expand=False))


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
