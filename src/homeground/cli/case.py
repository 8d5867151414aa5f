"""``homeground case``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, print_json

if TYPE_CHECKING:
    from homeground.experiments.case import Case, CaseAnswer

WIDTH = 80
_LONGEST = 400
"""Characters of an answer that are shown."""
_TEXTS = 20
"""Different answers of one model, strategy and task that are shown."""
_NAME = 14
"""Columns for a culture's code."""
_CUE = 28
"""Columns for a cue."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, help="a run's folder")
    parser.add_argument(
        "scaffold", nargs="?", help="which scaffold (default: the one whose answers move most with the cues)"
    )
    parser.add_argument("--model", metavar="M", help="this model alone, as ENGINE:NAME")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Show one scaffold, its cues and every answer."""
    from homeground.experiments.case import case, pick
    from homeground.experiments.study import open_study

    study = open_study([arguments.run])
    found = case(study, arguments.scaffold or pick(study, arguments.model), arguments.model)
    if arguments.json:
        print_json(found)
    else:
        print(as_markdown(found), end="")
    return 0


def as_markdown(found: Case) -> str:
    """A case as Markdown for a terminal of 80 columns; what models and benchmarks say can do nothing there."""
    from homeground.prompts import closing_question

    scaffold = found.scaffold
    parts = [
        _heading(1, scaffold.id),
        _paragraph(f"Concept {scaffold.concept}, dialogue of kind {scaffold.kind}; the picture in words:"),
        _block([found.scene.description]),
        "## The conversation",
        _block(f"{turn.speaker}: {turn.text}" for turn in scaffold.turns),
        _block([f"user: {closing_question(scaffold.concept)}"]),
        "## What fills the slots",
        *_tables(
            ("who asks", "cue 1", "cue 2"),
            [
                ("neutral", *(slot.neutral for slot in scaffold.slots)),
                *((pair.culture, *(cue.value for cue in pair.cues)) for pair in found.cues),
            ],
            widest=_CUE,
        ),
    ]
    shifts = f"{found.shifts} answer{'' if found.shifts == 1 else 's'}"
    parts += [
        "## What the models answered",
        _paragraph(
            f"{shifts} to the question moved with the cues. “→” is not what the model said at neutral, “✗” not what "
            "the user's culture expects."
        ),
    ]
    groups: dict[tuple[str, ...], list[CaseAnswer]] = {}
    for answer in found.answers:
        cell = answer.judgement.cell
        groups.setdefault((answer.run, cell.model, cell.strategy, cell.task), []).append(answer)
    for names, some in groups.items():
        parts += _group(names, some)
    return "\n\n".join((*parts, "## Signature", _block([found.signature.replace("|", " | ")]))) + "\n"


def _group(names: Sequence[str], answers: Sequence[CaseAnswer]) -> list[str]:
    """One model's answers to one task: a table of what was found, then the texts."""
    from homeground.schema import CONDITIONS

    run, model, strategy, task = names
    title = f"{model}, names the country" if task == "background" else f"{model}, {strategy}, answers"
    first = [answer for answer in answers if answer.judgement.cell.draw == 0]
    levels = [one for one in CONDITIONS if any(answer.judgement.cell.condition == one for answer in first)]
    cells = {(a.judgement.cell.culture, a.judgement.cell.condition): _marked(a) for a in first}
    cultures = list(dict.fromkeys(a.judgement.cell.culture for a in first))
    rows = [(culture, *(cells.get((culture, level), "–") for level in levels)) for culture in cultures]
    parts = [
        _heading(3, f"{run}: {title}" if run else title),
        *_tables(("who asks", *levels), rows, widest=_NAME),
    ]
    if len(first) < len(answers):
        parts.append(_paragraph("The first of several draws; --json gives all."))
    texts: dict[str, list[CaseAnswer]] = {}
    for answer in sorted(first, key=lambda a: CONDITIONS.index(a.judgement.cell.condition)):
        texts.setdefault(answer.text, []).append(answer)
    for text, some in list(texts.items())[:_TEXTS]:
        said = dict.fromkeys(answer.said for answer in some)
        where = {}
        for level in levels:
            who = [a.judgement.cell.culture for a in some if a.judgement.cell.condition == level]
            if who:
                where[level] = "all" if len(who) == len(cultures) else " ".join(who)
        spoken = "; ".join(f"{level}: {who}" for level, who in where.items())
        parts += [_paragraph(f"{', '.join(said)} ({spoken})"), _block([_bounded(text)])]
    if len(texts) > _TEXTS:
        parts.append(_paragraph(f"… and {len(texts) - _TEXTS} other answers; --json gives all."))
    return parts


def _marked(answer: CaseAnswer) -> str:
    wrong = answer.judgement.correct is False
    return f"{'→' if answer.shifted else ''}{answer.said}{'✗' if wrong else ''}"


def _tables(head: Sequence[str], rows: Iterable[Sequence[str]], widest: int) -> list[str]:
    """One table, or several with the same first column where one would be too wide."""
    from rich.cells import cell_len, set_cell_size

    lines = [[_cut(_safe(_plain(cell)), widest) for cell in row] for row in (head, *rows)]
    widths = [max(cell_len(cell) for cell in column) for column in zip(*lines, strict=True)]
    chunks: list[list[int]] = []
    for column in range(1, len(widths)):
        # A column costs its width and one bar.
        if not chunks or sum(widths[c] + 1 for c in (0, *chunks[-1], column)) + 1 > WIDTH:
            chunks.append([])
        chunks[-1].append(column)
    made = []
    for columns in ([0, *chunk] for chunk in chunks):
        drawn = ["|".join(("", *(set_cell_size(line[c], widths[c]) for c in columns), "")) for line in lines]
        rule = "|".join(("", *("-" * max(widths[c], 1) for c in columns), ""))
        made.append("\n".join((drawn[0], rule, *drawn[1:])))
    return made


def _heading(level: int, text: str) -> str:
    return f"{'#' * level} {_cut(_safe(_plain(text)), WIDTH - level - 1)}"


def _block(texts: Iterable[str]) -> str:
    """Texts as one indented block, in which Markdown means nothing."""
    return "\n".join(f"    {line}" for text in texts for line in _wrapped(text, WIDTH - 4))


def _paragraph(text: str) -> str:
    return "\n".join(_wrapped(_safe(text), WIDTH))


def _wrapped(text: str, width: int) -> list[str]:
    from rich.console import Console
    from rich.text import Text

    lines = Text(_plain(text), overflow="fold").wrap(Console(width=width), width)
    return [line.plain.rstrip() for line in lines]


def _plain(text: str) -> str:
    """Untrusted text on one line, controls as pictures."""
    from homeground.report.examples import visible

    return " ".join(visible(text).split()) or "(nothing)"


def _bounded(text: str) -> str:
    more = len(text) - _LONGEST
    return text if more <= 0 else f"{text[:_LONGEST]}… ({more:,} more characters; --json gives all)"


def _cut(text: str, width: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def _safe(text: str) -> str:
    """Text that Markdown takes for text."""
    return "".join(f"\\{char}" if char in "\\`*[<|" else char for char in text)
