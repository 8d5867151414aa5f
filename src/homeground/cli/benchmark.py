"""``homeground benchmark check``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=["check"], help="what to do")
    parser.add_argument("folder", type=Path, help="a benchmark's folder")
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Check; exit code 1 when there are problems."""
    from homeground.benchmarks.check import check_benchmark, check_questions
    from homeground.benchmarks.folder import is_question_set

    if is_question_set(arguments.folder):
        counts = check_questions(arguments.folder)
        if arguments.json:
            print_json(counts)
        else:
            print(f"{counts.summary}: no problems")
        return 0
    result = check_benchmark(arguments.folder)
    if arguments.json:
        print_json(result)
    else:
        for problem in result.problems:
            print(f"{arguments.folder}/{problem}")
        print(
            f"{result.scenes} scenes, {result.scaffolds} scaffolds, {result.conversations} conversations: "
            + (f"{len(result.problems)} problems" if result.problems else "no problems")
        )
    return 1 if result.problems else 0
