"""``homeground import scenes`` and ``homeground import published``."""

from __future__ import annotations

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


def _common(parser: ArgumentParser, about: str) -> None:
    parser.add_argument("source", type=Path, metavar="DIR", help=about)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="BENCH", help="a new folder")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Import; exit code 1 when something was left out or the check finds a problem."""
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


def _say(lines: tuple[str, ...]) -> None:
    """A line for each problem on standard error."""
    for line in lines:
        print(f"homeground: {' '.join(line.split())}", file=sys.stderr)
