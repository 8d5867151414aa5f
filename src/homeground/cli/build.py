"""``homeground build conversations`` and ``homeground build questions``."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import names, positive
from homeground.cli.show import add_json, print_json, say
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.dialogues.writer import Writer
    from homeground.schema import Answer, Request


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    _conversations(kinds.add_parser("conversations", help="scenes, dialogues and cues, drawn from a seed"))
    _questions(kinds.add_parser("questions", help="a set of questions about a culture, from a file"))


def _questions(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="FILE",
        help="JSON Lines, JSON or CSV with id, question, answers; or starter, the set that comes along",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--culture", metavar="CODE", help="such as PT: only its questions (default: the file's one)"
    )
    parser.add_argument("--culture-name", metavar="NAME", help="in English, for a code that is no country's")
    parser.add_argument(
        "--language", metavar="TAG", help="such as pt-PT: only these questions (default: the file's one)"
    )
    parser.add_argument("--name", help="of the set (default: the file's)")
    parser.add_argument("--licence", help="of the questions (default: not stated)")
    add_json(parser)


def _conversations(parser: ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    parser.add_argument("--cultures", type=names, metavar="A,B", help="codes, such as FR,US (default: all)")
    parser.add_argument(
        "--concepts", type=names, metavar="A,B", help="such as temperature,price (default: all seven)"
    )
    parser.add_argument("--protocol", default="capri", help="capri or cldr (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="draws scenes and cues (default: %(default)s)")
    parser.add_argument("--unverified", action="store_true", help="also use cues without a looked-up source")
    parser.add_argument(
        "--writer",
        metavar="ENGINE:NAME",
        help="have a model write the dialogues, such as openai:NAME (default: those written by hand)",
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="server for an openai: writer (default: OPENAI_BASE_URL); its key comes from OPENAI_API_KEY",
    )
    parser.add_argument(
        "--tries",
        type=positive,
        metavar="N",
        help="answers for each stage of a dialogue at most (default: 4)",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Build and say what there is."""
    return _build_questions(arguments) if arguments.kind == "questions" else _build_conversations(arguments)


def _build_questions(arguments: Namespace) -> int:
    from homeground.benchmarks.build_questions import build_questions
    from homeground.benchmarks.check import check_questions

    build_questions(
        arguments.source,
        arguments.output,
        culture=arguments.culture,
        culture_name=arguments.culture_name,
        language=arguments.language,
        name=arguments.name,
        licence=arguments.licence,
    )
    result = check_questions(arguments.output)
    if arguments.json:
        print_json(result)
    else:
        print(f"{arguments.output}: {result.summary}")
    return 0


def _build_conversations(arguments: Namespace) -> int:
    from homeground.benchmarks.build import build_conversations
    from homeground.benchmarks.check import check_benchmark

    with _writer(arguments) as writer:
        build_conversations(
            arguments.output,
            cultures=arguments.cultures,
            concepts=arguments.concepts,
            protocol=arguments.protocol,
            seed=arguments.seed,
            unverified=arguments.unverified,
            writer=writer,
        )
    result = check_benchmark(arguments.output)
    if arguments.json:
        print_json(result)
    else:
        print(
            f"{arguments.output}: {result.scenes} scenes, {result.scaffolds} scaffolds, "
            f"{result.conversations} conversations"
        )
    return 1 if result.problems else 0


@contextlib.contextmanager
def _writer(arguments: Namespace) -> Iterator[Writer | None]:
    """The model that writes, open; or nobody."""
    if arguments.writer is None:
        for switch in ("base_url", "tries"):
            if getattr(arguments, switch) is not None:
                raise InputError(f"--{switch.replace('_', '-')}: only together with --writer")
        yield None
        return

    from homeground.dialogues.writer import TRIES, Writer
    from homeground.engines import open_engine
    from homeground.engines.protocol import EngineOptions, Refusal
    from homeground.prompts import closing_question, options_of

    def ask(requests: Sequence[tuple[str, Request]]) -> Iterator[tuple[str, Answer | str]]:
        ready(say)
        for group in engine.answer(requests, _no_image):
            for key, answer in group:
                yield key, answer.reason if isinstance(answer, Refusal) else answer

    engine = open_engine(arguments.writer, EngineOptions(arguments.base_url))
    ready = cache(engine.ready)
    try:
        yield Writer(
            model=engine.name,
            identity=engine.identity,
            ask=ask,
            question_of=closing_question,
            options_of=options_of,
            tries=arguments.tries or TRIES,
            say=say,
        )
    finally:
        engine.close()


def _no_image(sha256: str) -> bytes:
    raise InputError(f"a writer is shown no picture, but {sha256} was asked for")
