"""``homeground screen``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import add_asking, positive
from homeground.cli.show import add_json, console, print_json, say
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.runs.screen import Screened, Screening

_NAME = 34
"""Characters of a model's name in the table."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", type=Path, help="candidate questions, JSON Lines or CSV with id, question and answers"
    )
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="ENGINE:NAME",
        help="such as openai:NAME; can be repeated",
    )
    parser.add_argument(
        "--samples", type=positive, default=3, metavar="N",
        help="answers of each question above temperature 0, beside a greedy one (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--temperature", type=float, default=0.7, metavar="T", help="of the samples (default: %(default)s)"
    )
    add_asking(parser, "EVIDENCE")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="EVIDENCE",
        help="JSON Lines to write: every answer, judged",
    )
    parser.add_argument(
        "--kept", type=Path, metavar="FILE",
        help="write the questions that no model already answers, each with screened_by",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Ask, judge, write the evidence and say what is left."""
    from homeground.cli.progress import Progress
    from homeground.files import jsonl, write_whole
    from homeground.runs.screen import screen

    for path in (arguments.output, arguments.kept):
        if path is not None and path.exists() and path.resolve() == arguments.file.resolve():
            raise InputError(f"{path}: that is the file to screen; name another to write")
    if arguments.kept is not None and arguments.kept.resolve() == arguments.output.resolve():
        raise InputError(f"--kept {arguments.kept}: the evidence goes there; name another file")
    progress = Progress()
    try:
        found = screen(
            arguments.file,
            arguments.model,
            arguments.answers or beside(arguments.output),
            samples=arguments.samples,
            temperature=arguments.temperature,
            base_url=arguments.base_url,
            watch=progress,
            say=say,
        )
    finally:
        progress.close()
    write_whole(arguments.output, found.evidence_lines())
    if arguments.kept is not None:
        write_whole(arguments.kept, jsonl(found.left))
    if arguments.json:
        print_json(_summary(found, arguments))
    else:
        _print(found.head, arguments)
    return 0


def beside(output: Path) -> Path:
    """Where answers are kept unless somebody names another store."""
    return output.with_name(f"{output.name}.answers.sqlite")


def _summary(found: Screened, arguments: Namespace) -> dict[str, object]:
    already = {
        one.model: [item.id for item in found.evidence if item.model == one.model and item.already]
        for one in found.head.models
    }
    return {
        "screening": found.head,
        "left": [question["id"] for question in found.left],
        "already": already,
        "evidence": str(arguments.output),
        "kept": str(arguments.kept) if arguments.kept else None,
    }


def _print(head: Screening, arguments: Namespace) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("model", "already answers", "by published rule"):
        table.add_column(name, justify="left" if name == "model" else "right")
    for one in head.models:
        name = one.model if len(one.model) <= _NAME else one.model[: _NAME - 1] + "…"
        table.add_row(Text(name), _share(one.already, head.questions), _share(one.published, head.questions))
    out.print(table)
    out.print(
        f"Candidates left: {head.left} of {head.questions}. A model already answers a question if more than half "
        f"of its samples ({head.samples} at temperature {head.temperature:g}) are right.",
        markup=False,
    )
    out.print(
        f"Chosen against them: keep {', '.join(head.screened_by)} out of headline claims on this set.",
        markup=False,
    )
    print(f"Evidence: {arguments.output}")
    if arguments.kept is not None:
        print(f"Questions left: {arguments.kept}")


def _share(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.0f} %)"
