"""``homeground run``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.options import names, positive, prices
from homeground.cli.show import add_json, print_json
from homeground.errors import InputError

if TYPE_CHECKING:
    from homeground.plan.forecast import Prices
    from homeground.runs.prepare import RunOptions

_LONGEST = 100_000
"""Bytes of a system text."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("benchmark", type=Path, help="a benchmark's folder")
    parser.add_argument(
        "--model", action="append", required=True, metavar="ENGINE:NAME",
        help="embedded:smollm2-135m, openai:NAME, inspect:PROVIDER/NAME, batch:NAME, ray:ENGINE:NAME; can be repeated",
    )  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="RUN", help="the run's folder")
    parser.add_argument("--task", type=names, metavar="A,B", help="background, question (default: both)")
    parser.add_argument(
        "--strategy",
        type=names,
        metavar="A,B",
        help="direct, cot, pragmatic, natural, sequential, system:FILE (default: direct)",
    )
    parser.add_argument(
        "--condition",
        type=names,
        metavar="A,B",
        help="null, neutral, cue1, cue2, implicit, explicit (default: these); placebo_cues, placebo_filler; "
        "for questions plain, oracle (default: these), foreign",
    )
    parser.add_argument(
        "--foreign",
        metavar="CODE",
        help="the culture that foreign names (default: the one with answers to most questions)",
    )
    parser.add_argument(
        "--oracle-language",
        metavar="LANG",
        help="en or pt: in which oracle and foreign are said (default: the questions', else en)",
    )
    parser.add_argument(
        "--concepts",
        type=names,
        metavar="A,B",
        help="temperature, distance, speed, size, price, time_expression, quantifier (default: all)",
    )
    parser.add_argument("--cultures", type=names, metavar="A,B", help="codes, such as FR,US (default: all)")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="a balanced sample of N conversations, or N questions"
    )
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (default: %(default)s)")
    parser.add_argument(
        "--grounding", choices=["image", "description"],
        help="show the picture or describe it (default: as the model can see)",
    )  # fmt: skip
    parser.add_argument(
        "--framing", choices=["transcript", "chat"], default="transcript",
        help="show the conversation as text, as published, or as chat turns (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--fold-system", action="store_true",
        help="the models have no system role: a system text goes into the first user turn",
    )  # fmt: skip
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="server for openai: models (default: OPENAI_BASE_URL; key: OPENAI_API_KEY) and for inspect: ones",
    )
    parser.add_argument(
        "--max-tokens", type=positive, metavar="N",
        help="new tokens at most (default: 256, with reasoning 2048, for questions 64)",
    )  # fmt: skip
    parser.add_argument(
        "--temperature", type=float, default=0.0, metavar="T", help="above 0 each cell draws its own answer"
    )
    parser.add_argument(
        "--samples", type=positive, default=1, metavar="N", help="answers of each cell, above temperature 0"
    )
    parser.add_argument(
        "--logprobs", action="store_true",
        help="store the log-probabilities of the new tokens too, where the server offers them",
    )  # fmt: skip
    parser.add_argument(
        "--fast", action="store_true",
        help="embedded models: several prompts at once; answers may differ from exact ones, and say so",
    )  # fmt: skip
    parser.add_argument(
        "--actors", type=positive, metavar="N",
        help="ray: models: so many actors (default: one a CPU of the cluster)",
    )  # fmt: skip
    parser.add_argument(
        "--answers", type=Path, metavar="FILE",
        help="a store of answers that several runs share: nobody asks a prompt that another has asked",
    )  # fmt: skip
    parser.add_argument("--log", type=Path, metavar="FILE", help="add lines about the progress to a file")
    parser.add_argument("--dry-run", action="store_true", help="say what the run would take, and ask nothing")
    parser.add_argument(
        "--prices", type=prices, metavar="IN,OUT[,CACHED]",
        help="what a million tokens cost, to see the cost before and on the way",
    )  # fmt: skip
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Run, judge, report."""
    from homeground.cli.study import study
    from homeground.plan.cells import select

    strategies, systems = _system_texts(arguments.strategy)
    selection = select(
        tasks=arguments.task,
        strategies=strategies,
        conditions=arguments.condition,
        concepts=arguments.concepts,
        cultures=arguments.cultures,
        sample=arguments.sample,
        seed=arguments.seed,
        draws=arguments.samples,
        foreign=arguments.foreign,
    )
    options: RunOptions = {
        "selection": selection,
        "grounding": arguments.grounding,
        "framing": arguments.framing,
        "fold_system": arguments.fold_system,
        "base_url": arguments.base_url,
        "max_tokens": arguments.max_tokens,
        "temperature": arguments.temperature,
        "logprobs": arguments.logprobs,
        "systems": systems,
        "fast": arguments.fast,
        "actors": arguments.actors,
        "answers": arguments.answers,
        "oracle_language": arguments.oracle_language,
    }
    from homeground.plan.forecast import Prices

    cost = Prices(**arguments.prices) if arguments.prices else None
    if arguments.dry_run:
        return _forecast(arguments, cost, options)
    return study(
        arguments.benchmark,
        arguments.output,
        arguments.model,
        as_json=arguments.json,
        prices=cost,
        log=arguments.log,
        **options,
    )


def _system_texts(names: Sequence[str] | None) -> tuple[tuple[str, ...] | None, dict[str, str]]:
    """Strategies with the texts of ``system:FILE`` read, each named after its file."""
    from homeground.files import read_text
    from homeground.schema import SYSTEM

    if names is None:
        return None, {}
    named: list[str] = []
    systems: dict[str, str] = {}
    for name in names:
        if not name.startswith(SYSTEM):
            named.append(name)
            continue
        path = Path(name.removeprefix(SYSTEM))
        text = read_text(path, _LONGEST).strip()
        if not text:
            raise InputError(f"--strategy {name}: {path} is empty")
        if systems.get(path.stem, text) != text:
            raise InputError(f"--strategy {name}: another file is called {path.stem!r} already; rename one")
        systems[path.stem] = text
        named.append(SYSTEM + path.stem)
    return tuple(named), systems


def _forecast(arguments: Namespace, cost: Prices | None, options: RunOptions) -> int:
    """Say what a run would take."""
    from homeground.runs.run import forecast_run

    found = forecast_run(
        arguments.benchmark, arguments.model, folder=arguments.output, prices=cost, **options
    )
    if arguments.json:
        print_json(found)
        return 0
    print(f"cells                     {found.cells:>14,}")
    print(
        f"distinct requests         {found.requests:>14,}  ({found.saved:,} calls saved, {found.left:,} to ask)"
    )
    print(f"prompt tokens             {found.prompt_tokens:>14,}  (estimated)")
    print(f"  with shared prefixes    {found.prompt_tokens_shared:>14,}  (where the server caches prefixes)")
    print(f"new tokens at most        {found.completion_tokens:>14,}")
    if found.images:
        print(f"requests with a picture   {found.images:>14,}  (their tokens are not counted)")
    if found.cost is not None and found.cost_shared is not None:
        print(f"cost at most              {found.cost:>14,.2f}")
        print(f"  with shared prefixes    {found.cost_shared:>14,.2f}")
    return 0
