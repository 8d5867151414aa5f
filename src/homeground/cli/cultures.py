"""``homeground cultures list`` and ``homeground cultures show``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from homeground.cli.show import add_json, print_json


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_json(actions.add_parser("list", help="cultures, with what they expect"))
    show = actions.add_parser("show", help="what one culture expects, and its cues with their sources")
    show.add_argument("code", help="such as FR")
    add_json(show)


def call(arguments: Namespace) -> int:
    """List or show."""
    from homeground.cultures import cultures_of, load_file

    if arguments.action == "list":
        cultures = cultures_of("capri")
        if arguments.json:
            print_json(cultures)
        for culture in cultures if not arguments.json else ():
            expects = ", ".join(f"{c}: {' or '.join(a)}" for c, a in culture.accepted.items())
            print(f"{culture.code}  {culture.name}\n    {expects}")
        return 0
    (culture,) = cultures_of("capri", (arguments.code,))
    data = load_file(arguments.code)
    if arguments.json:
        print_json({"culture": culture, "cues": data.cues, "rules": data.rules})
        return 0
    print(f"{culture.code}  {culture.name}")
    for concept, accepted in culture.accepted.items():
        print(f"  {concept}: {' or '.join(accepted)}")
    for kind, cues in data.cues.items():
        print(f"  {kind}:")
        for cue in cues:
            print(f"    {cue.value}  ({cue.source})")
    for kind, rule in data.rules.items():
        print(f"  {kind}: {' or '.join(rule.patterns)}  ({rule.source})")
    return 0
