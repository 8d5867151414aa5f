"""``homeground import scenes``, ``homeground import published`` and ``homeground import questions``."""

from __future__ import annotations

import argparse
import csv
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import names
from homeground.cli.show import add_json, print_json

if TYPE_CHECKING:
    from homeground.benchmarks.imported import Imported


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    scenes = kinds.add_parser("scenes", help="own photographs, with a table of what they show")
    _common(scenes, "a folder with PNG files and scenes.csv")
    scenes.add_argument(
        "--csv", type=Path, metavar="FILE", help="the table (default: scenes.csv in the folder)"
    )
    scenes.add_argument("--cultures", type=names, metavar="A,B", help="codes, such as FR,US (default: all)")
    scenes.add_argument("--protocol", default="capri", help="capri or cldr (default: %(default)s)")
    scenes.add_argument("--seed", type=int, default=1, help="draws dialogues and cues (default: %(default)s)")
    published = kinds.add_parser("published", help="the published conversations, as downloaded")
    _common(published, "a folder with JSON or JSON Lines files and the pictures")
    published.add_argument(
        "--mapping", type=Path, metavar="FILE", help="TOML: how the files call our fields and values"
    )
    _question_arguments(
        kinds.add_parser("questions", help="a published set of questions, or any table of them")
    )


def _question_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "format",
        metavar="FORMAT",
        help="bertaqa, blend, calmqa, culturalbench, fork, normad, taarofbench, or table for any CSV or JSON",
    )
    parser.add_argument("source", type=Path, metavar="PATH", help="the file; for blend also a folder of them")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="JSON Lines to write"
    )
    parser.add_argument(
        "--culture", metavar="CODE", help="of all questions, such as PT (default: what the file says)"
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="keeps this language (local: the culture's own), or names it where the file does not",
    )
    parser.add_argument(
        "--map",
        type=mapping,
        metavar="FIELD=COLUMN,…",
        help="for table: question=Frage,answers=Antwort; several columns as options=A+B",
    )
    parser.add_argument(
        "--separator", metavar="TEXT", help="for table: stands between several answers in a cell"
    )
    add_json(parser)


def _common(parser: ArgumentParser, about: str) -> None:
    parser.add_argument("source", type=Path, metavar="DIR", help=about)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="BENCH", help="a new folder")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Import; exit code 1 when something was left out or the check finds a problem."""
    if arguments.kind == "questions":
        return _questions(arguments)
    from homeground.benchmarks.imported import Imported
    from homeground.errors import InputError

    try:
        result = _imported(arguments)
    except InputError as error:
        problems = tuple(getattr(error, "problems", (str(error),)))
        _say(problems)
        if arguments.json:
            folder = str(arguments.output)
            print_json(Imported(folder=folder, scenes=0, scaffolds=0, conversations=0, problems=problems))
        return error.exit_code
    _say((*(f"left out: {line}" for line in result.left_out), *result.problems))
    if arguments.json:
        print_json(result)
    else:
        print(
            f"{result.folder}: {result.scenes} scenes, {result.scaffolds} scaffolds, "
            f"{result.conversations} conversations"
            + (f"; {len(result.left_out)} left out" if result.left_out else "")
        )
    return 1 if result.left_out or result.problems else 0


def _imported(arguments: Namespace) -> Imported:
    if arguments.kind == "scenes":
        from homeground.benchmarks.import_scenes import import_scenes

        return import_scenes(
            arguments.source,
            arguments.output,
            table=arguments.csv,
            cultures=arguments.cultures,
            protocol=arguments.protocol,
            seed=arguments.seed,
        )
    from homeground.benchmarks.import_published import import_published

    return import_published(arguments.source, arguments.output, mapping=arguments.mapping)


def mapping(text: str) -> dict[str, str]:
    """Fields and the columns that they come from; a pair whose column holds a comma stands in quotation marks."""
    pairs = [part.partition("=") for part in next(csv.reader([text], skipinitialspace=True), [])]
    if not pairs or any(not (field.strip() and column.strip()) for field, _, column in pairs):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not FIELD=COLUMN,…, such as question=Frage,answers=Antwort"
        )
    found = {field.strip(): column.strip() for field, _, column in pairs}
    if len(found) < len(pairs):
        raise argparse.ArgumentTypeError(f"a field stands twice in {text!r}")
    return found


def _questions(arguments: Namespace) -> int:
    from collections import Counter

    from homeground.errors import InputError
    from homeground.files import jsonl, write_whole
    from homeground.questions.importers import import_questions

    source, output = arguments.source, arguments.output
    if (
        output.exists()
        and source.exists()
        and (output.samefile(source) or output.resolve().parent.samefile(source))
    ):
        raise InputError(f"{output}: is what is imported, or lies in it; name another file")
    result = import_questions(
        arguments.format,
        source,
        culture=arguments.culture,
        language=arguments.language,
        columns=arguments.map,
        separator=arguments.separator,
    )
    _say(
        (*(f"rejected: {told}" for told in result.rejected), *(f"changed: {told}" for told in result.remarks))
    )
    if not result.questions:
        raise InputError(f"{source}: no questions to import; {len(result.rejected)} records rejected")
    write_whole(output, jsonl(result.questions))
    sets = Counter((question.culture, question.language) for question in result.questions)
    if arguments.json:
        print_json(
            {
                "file": str(output),
                "questions": len(result.questions),
                "sets": [{"culture": c, "language": t, "questions": n} for (c, t), n in sets.items()],
                "rejected": [told._asdict() for told in result.rejected],
                "changed": [told._asdict() for told in result.remarks],
            }
        )
    else:
        rejected, changed = len(result.rejected), len(result.remarks)
        print(f"{output}: {len(result.questions)} questions, {rejected} rejected, {changed} changed")
        for (culture, language), number in sets.items():
            print(f"  {culture or 'no culture'} {language or 'no language'}: {number}")
    return 1 if result.rejected else 0


def _say(lines: tuple[str, ...]) -> None:
    """A line for each problem on standard error."""
    for line in lines:
        print(f"homeground: {' '.join(line.split())}", file=sys.stderr)
