"""``homeground transpose``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import add_asking
from homeground.cli.screen import beside
from homeground.cli.show import add_json, console, print_json, say
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.questions.transpose import Target
    from homeground.questions.transposed import Fate, ReviewRow

_DRAFTING = ("to", "model")
_ONLY_DRAFTING = {
    "file": "a file of questions", "to": "--to", "language": "--language", "culture_name": "--culture-name",
    "origin": "--from", "model": "--model", "base_url": "--base-url", "answers": "--answers",
}  # fmt: skip
_FATES: dict[Fate, str] = {
    "reviewer": "left out by a reviewer",
    "rules": "left out by the rules, no reviewer has said otherwise",
    "model": "left out by the model, no reviewer has said otherwise",
    "untranslated": "left out for a faulty translation, no reviewer has mended it",
}


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", type=Path, nargs="?",
        help="English questions that name a country: id and question as JSON Lines or CSV, or BLEnD's own files",
    )  # fmt: skip
    parser.add_argument("--to", metavar="CODE", help="the country to put in, such as PT")
    parser.add_argument(
        "--language", metavar="TAG", help="to translate into, such as pt-PT (default: the country's main one)"
    )
    parser.add_argument(
        "--culture-name", metavar="NAME", help="English name, for a code that is no country's"
    )
    parser.add_argument(
        "--from", dest="origin", metavar="CODE",
        help="the country that questions are about (default: what they say, or name)",
    )  # fmt: skip
    parser.add_argument("--model", metavar="ENGINE:NAME", help="translates and judges, such as openai:NAME")
    add_asking(parser, "REVIEW")
    parser.add_argument(
        "--accept",
        type=Path,
        nargs="+",
        metavar="REVIEW",
        help="make a set of questions of reviewed files instead",
    )
    parser.add_argument(
        "-o", "--output", type=Path, action="append", required=True, metavar="FILE",
        help="the review file, CSV if it ends so, can be repeated; with --accept the set",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Write a review file, or make a set of reviewed ones."""
    if arguments.accept:
        return _accept(arguments)
    from homeground.cli.progress import Progress
    from homeground.files import write_whole
    from homeground.questions.transpose import load_sources, target_of, transpose
    from homeground.questions.transposed import review_file
    from homeground.runs.ask import open_chat

    if arguments.file is None:
        raise InputError("name a file of questions, or reviewed files with --accept")
    for switch in _DRAFTING:
        if getattr(arguments, switch) is None:
            raise InputError(
                f"--{switch}: missing; it is needed unless reviewed files are given with --accept"
            )
    for path in arguments.output:
        if path.exists():
            raise InputError(f"{path}: already there, and people may have worked on it; name another file")
    target = target_of(arguments.to, arguments.language, arguments.culture_name)
    sources, others = load_sources(arguments.file, arguments.origin)
    if others:
        say(f"{arguments.file}: {others} questions that are not English or cannot be used are left out")
    progress = Progress()
    store = arguments.answers or beside(arguments.output[0])
    try:
        with open_chat(arguments.model, store, base_url=arguments.base_url, watch=progress, say=say) as chat:
            rows = transpose(sources, target, chat)
    finally:
        progress.close()
    for path in arguments.output:
        write_whole(path, review_file(rows, as_csv=path.suffix.lower() == ".csv"))
    if arguments.json:
        print_json(
            {
                "review": [str(path) for path in arguments.output],
                "questions": len(rows),
                "left_out": others,
                "faulty": sum(bool(row.fault) for row in rows),
                "applies": Counter(row.applies for row in rows),
                "model_applies": Counter(row.model_applies for row in rows),
            }
        )
    else:
        _print(rows, target, arguments.output)
    return 0


def _print(rows: list[ReviewRow], target: Target, paths: list[Path]) -> None:
    out = console()
    faulty = sum(bool(row.fault) for row in rows)
    out.print(
        f"questions moved to {target.name}, in {target.language}: {len(rows)}; faulty translations: {faulty}",
        markup=False,
    )
    for who, counts in (
        ("rules", Counter(row.applies for row in rows)),
        ("model", Counter(row.model_applies for row in rows)),
    ):
        said = ", ".join(f"{word} {counts[word]}" for word in ("yes", "no", "unsure"))
        out.print(f"does it apply, by the {who}: {said}", markup=False)
    for path in paths:
        print(f"Review: {path}")
    out.print(
        "Fill in the columns reviewer_applies (yes or no), reviewer_question and reviewer_answers, then: "
        f"homeground transpose --accept {paths[0]} -o SET.jsonl",
        markup=False,
    )


def _accept(arguments: Namespace) -> int:
    from homeground.files import jsonl, write_whole
    from homeground.questions.transposed import accept, read_review

    for name, said in _ONLY_DRAFTING.items():
        if getattr(arguments, name) is not None:
            raise InputError(f"--accept: takes reviewed files alone, not {said}")
    if len(arguments.output) > 1:
        raise InputError("-o: one file for the set")
    output = arguments.output[0]
    if any(output.resolve() == path.resolve() for path in arguments.accept):
        raise InputError(f"{output}: that is a reviewed file; name another to write")
    made = accept(read_review(arguments.accept))
    write_whole(output, jsonl(made.questions))
    fates = Counter(made.fates.values())
    answered = sum(question.answers is not None for question in made.questions)
    if arguments.json:
        print_json(
            {
                "set": str(output),
                "questions": len(made.questions),
                "answered": answered,
                "unreviewed": made.unreviewed,
                "left_out": {name: fate for name, fate in made.fates.items() if fate != "kept"},
            }
        )
        return 0
    out = console()
    out.print(
        f"questions: {len(made.questions)}; with an answer: {answered}; seen by no reviewer: {made.unreviewed}",
        markup=False,
    )
    for fate, said in _FATES.items():
        if fates[fate]:
            out.print(f"{fates[fate]} {said}", markup=False)
    print(f"Set: {output}")
    return 0
