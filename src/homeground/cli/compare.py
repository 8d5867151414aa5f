"""``homeground compare``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, console, print_json
from homeground.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from homeground.experiments.compare import Flip
    from homeground.experiments.table import Row, Table

_FLIPS = 6


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN", help="runs' folders; the first is the baseline"
    )
    parser.add_argument(
        "--against",
        default="",
        metavar="MODEL/STRATEGY",
        help="the baseline (default: of the first run, the same strategy and model where there are such)",
    )
    parser.add_argument(
        "--format", choices=["text", "csv", "markdown"], help="how to print it (default text)"
    )
    parser.add_argument(
        "--flips",
        type=_count,
        default=_FLIPS,
        metavar="N",
        help=f"how many answers that flipped to show for each comparison (default {_FLIPS}; 0 for none)",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Print the differences and some of the answers that flipped."""
    from homeground.experiments.compare import compare, flips, versus
    from homeground.experiments.study import open_study

    if arguments.json and arguments.format:
        raise InputError("compare: give --json or --format, not both")
    study = open_study(arguments.runs)
    tables = compare(study, arguments.against)
    if arguments.format == "csv":
        from homeground.report.formats import csv

        print("\n".join(map(csv, tables)), end="")
        return 0
    flipped = [_shown(flip) for flip in flips(study, versus(study, arguments.against), arguments.flips)]
    if arguments.json:
        print_json({"signature": study.signature, "tables": tables, "flips": flipped})
    elif arguments.format == "markdown":
        sys.stdout.write(_markdown(tables, flipped))
    else:
        _text(tables, flipped, console())
    return 0


def _shown(flip: Flip) -> Flip:
    """The flip with its texts bounded, and with control characters that can be seen."""
    from msgspec.structs import replace

    from homeground.report.examples import visible

    return replace(flip, answer=visible(flip.answer), base_answer=visible(flip.base_answer))


# ---- cells ------------------------------------------------------------------------------------------------


def _shares(row: Row) -> str:
    """``61 → 64 %``, baseline first."""
    n = row.estimate.n
    return f"{row.counts['right_second'] / n * 100:.0f} → {row.counts['right_first'] / n * 100:.0f} %"


def _flips(row: Row) -> str:
    return f"+{row.counts['only_first']} −{row.counts['only_second']}"


_HEADS = ("pairs", "share right", "points", "p (Holm)", "flips")


def _cells(row: Row) -> tuple[str, ...]:
    """By ``_HEADS``. With few flips p alone stands, as a t interval is not to be trusted there."""
    from homeground.report.numbers import interval_of, p_of, value_of
    from homeground.statistics.gap import FEW_FLIPS

    ends = interval_of(row) if row.counts["only_first"] + row.counts["only_second"] >= FEW_FLIPS else ""
    difference = value_of(row) + (f" [{ends}]" if ends else "")
    return f"{row.estimate.n:,}", _shares(row), difference, p_of(row) or "–", _flips(row)


def _what(row: Row) -> str:
    """What a row speaks of, beside its series and baseline."""
    by = row.by
    return by.get("culture") or by.get("concept", "").replace("_", " ") or by["level"].replace("_", " ")


def _heading(row: Row) -> str:
    """``model/strategy against model/strategy``, with the level where it is the same for all rows."""
    from homeground.report.examples import visible

    by = row.by
    run = f"{by['run']}: " if "run" in by else ""
    split = next((name for name in ("culture", "concept") if name in by), "level")
    at = "" if split == "level" else f" at {by['level'].replace('_', ' ')}"
    return visible(
        f"{run}{by['model']}/{by['strategy']} against {by['against']}, {by['task']}{at}, by {split}"
    )


def _grouped(table: Table) -> dict[str, list[Row]]:
    """The rows under their headings, in order."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(_heading(row), []).append(row)
    return groups


def _flip_heading(flip: Flip) -> str:
    from homeground.report.examples import visible

    by = flip.by
    way = "gained" if flip.gained else "lost"
    run = f"{by['run']}: " if "run" in by else ""
    return visible(
        f"{way}: {by['item']} for {by['culture']} at {by['level'].replace('_', ' ')}, {by['task']}; "
        f"{run}{by['model']}/{by['strategy']} against {by['against']}; right: {' or '.join(flip.expected)}"
    )


# ---- formats ----------------------------------------------------------------------------------------------


def _text(tables: Sequence[Table], flipped: Sequence[Flip], out: Console) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from homeground.report.examples import pictured

    for table in tables:
        for heading, rows in _grouped(table).items():
            out.print(Text(heading, style="bold"))
            grid = Grid(box=None, pad_edge=False)
            grid.add_column(overflow="fold")
            for name in _HEADS:
                grid.add_column(name, justify="right")
            for row in rows:
                grid.add_row(Text(_what(row)), *_cells(row))
            out.print(grid)
            out.print()
    for table in tables:
        for note in table.notes:
            out.print(Text(pictured(note)))
    for flip in flipped:
        out.print()
        out.print(Text(_flip_heading(flip), style="bold"))
        out.print(Text(f"  baseline  {flip.base_answer}", overflow="fold"))
        out.print(Text(f"  answer    {flip.answer}", overflow="fold"))


def _markdown(tables: Sequence[Table], flipped: Sequence[Flip]) -> str:
    from homeground.report.examples import pictured

    lines = []
    for table in tables:
        for heading, rows in _grouped(table).items():
            lines += [
                f"### {plain(heading)}",
                "",
                f"| | {' | '.join(_HEADS)} |",
                f"|---|{'---:|' * len(_HEADS)}",
            ]
            lines += [f"| {plain(_what(row))} | {' | '.join(map(plain, _cells(row)))} |" for row in rows]
            lines.append("")
    lines += [f"{plain(pictured(note))}  " for table in tables for note in table.notes]
    for flip in flipped:
        lines += ["", f"**{plain(_flip_heading(flip))}**", ""]
        lines += [*_fenced("baseline", flip.base_answer), "", *_fenced("answer", flip.answer)]
    lines += ["", f"`{pictured(tables[0].signature).replace('`', '')}`", ""]
    return "\n".join(lines)


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    escaped = "".join(f"\\{char}" if char in "\\`*_{}[]<>()#+!|~$&@:" else char for char in text)
    return " ".join(escaped.split())


def _fenced(title: str, text: str) -> list[str]:
    """A text in a fence that nothing inside it can close."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{title}:", "", fence, text, fence]


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return number
