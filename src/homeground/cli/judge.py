"""``homeground judge``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, console, print_json
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.judging.explain import Explanation
    from homeground.judging.reader import About

_CANDIDATES = 4
_SHOWN = 2_000
"""Characters of an answer that are shown."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", type=Path, nargs="?", help="a run's folder: judge its stored answers anew")
    parser.add_argument("--text", metavar="ANSWER", help="explain how one answer is read")
    parser.add_argument(
        "--texts", type=Path, metavar="FILE", help='JSON Lines {"concept": …, "answer": …}: read each'
    )
    parser.add_argument(
        "--concept", metavar="NAME", help="with --text: one of the seven concepts, country or phrase"
    )
    parser.add_argument(
        "--gold", action="append", metavar="FORM", help="with --concept phrase: the gold; once for each form"
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Judge a run's stored answers, explain one answer, or read a file of them."""
    given = [name for name in ("run", "text", "texts") if getattr(arguments, name) is not None]
    if len(given) != 1:
        raise InputError("judge: give a run's folder, or --text ANSWER with --concept NAME, or --texts FILE")
    if given == ["text"]:
        return _one(arguments)
    if arguments.concept or arguments.gold:
        raise InputError("--concept and --gold belong to --text; in a file each line has its own")
    return _lines(arguments) if given == ["texts"] else _run(arguments)


def _run(arguments: Namespace) -> int:
    from homeground.runs.folder import open_run
    from homeground.runs.judge import judge_run

    run = open_run(arguments.run)
    judged = judge_run(run)
    if arguments.json:
        for judgement in judged:
            print_json(judgement)
        return 0
    scored = [j for j in judged if j.correct is not None]
    print(
        f"{len(judged)} of {len(run.cells)} cells judged, {len(scored)} of them right or wrong: "
        f"{sum(bool(j.correct) for j in scored)} right by the careful rulebook, "
        f"{sum(bool(j.published) for j in scored)} by the published one; {run.judgements}"
    )
    return 0


def _lines(arguments: Namespace) -> int:
    from homeground.judging.lines import judge_lines

    out = sys.stdout.buffer
    for line in judge_lines(arguments.texts):
        out.write(line + b"\n")
    out.flush()
    return 0


def _one(arguments: Namespace) -> int:
    from homeground.judging.explain import explain
    from homeground.judging.lines import about_of, as_json

    if arguments.concept is None:
        raise InputError("--text: say with --concept what to read it for, such as price, country or phrase")
    about = about_of(arguments.concept)
    if arguments.gold and about != "phrase":
        raise InputError("--gold: only with --concept phrase")
    found = explain(about, arguments.text, golds=arguments.gold or ())
    if arguments.json:
        print_json(as_json(about, found.reading))
    else:
        _show(about, arguments.text, found)
    return 0


def _show(about: About, answer: str, found: Explanation) -> None:
    from rich.table import Table
    from rich.text import Text

    from homeground.report.examples import visible

    out = console()
    shown = Text(visible(answer[:_SHOWN]), overflow="fold")
    if found.judged is not None and found.judged[0]:
        shown.stylize("dim", 0, found.judged[0])
    for piece in found.evidence:
        shown.stylize("bold" if piece.counts else "strike", *piece.span)
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("answer", shown)
    if found.judged is None:
        table.add_row("judged", "nothing: a block of reasoning never closes")
    elif found.judged != (0, len(answer)):
        table.add_row("judged", f"characters {found.judged[0]} to {found.judged[1]}, outside the reasoning")
    for index, piece in enumerate(found.evidence):
        line = Text(visible(piece.text), style="bold" if piece.counts else "strike")
        line.append(f"  {piece.means}", style="not bold not strike")
        line.append(
            f"  ({piece.why}; characters {piece.span[0]} to {piece.span[1]})", style="not bold not strike dim"
        )
        table.add_row("found" if index == 0 else "", line)
    table.add_row("reading", _reading(found))
    if about not in ("phrase", "time_expression", "quantifier"):
        table.add_row("right for", ", ".join(found.careful) or "nobody of the ten cultures")
        table.add_row("published", ", ".join(found.published) or "nobody, by the literature's rule")
    out.print(table)


def _reading(found: Explanation) -> str:
    from homeground.judging.explain import shown_value

    reading = found.reading
    words = {
        "ok": "one answer", "both": "several answers", "ambiguous": "one answer, ambiguous", "none": "no answer",
        "refused": "declines to answer",
    }  # fmt: skip
    value = shown_value(reading.value)
    amount = f"{value} {reading.unit or 'without a unit'}" if value else reading.unit or ""
    parts = [words[reading.status], " and ".join(reading.found), amount]
    if reading.candidates:
        more = len(reading.candidates) - _CANDIDATES
        named = ", ".join(reading.candidates[:_CANDIDATES])
        parts.append(f"could also be {named}{f' and {more} more' if more > 0 else ''}")
    return ": ".join(part for part in (parts[0], ", ".join(part for part in parts[1:] if part)) if part)
