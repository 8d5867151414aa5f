"""``annotate cues``: what residents said of each cue, into the culture files."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions
from homeground.cli.show import add_json, print_json


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    cues = actions.add_parser(
        "cues", help="what residents said of each cue; --apply writes it to culture files"
    )
    cues.add_argument("export", type=Path, help="a folder that 'annotate export' wrote")
    cues.add_argument(
        "--apply",
        type=Path,
        metavar="DIR",
        help="folder of culture files, such as src/homeground/cultures/data",
    )
    add_json(cues)


def call(arguments: Namespace) -> int:
    """Count, and write back where asked."""
    from homeground.annotate.provenance import verdicts, write_back

    found = verdicts(arguments.export)
    written = write_back(found, arguments.apply) if arguments.apply else []
    if arguments.json:
        print_json(
            {"cues": [v._asdict() for v in found], "written": sum(w.file is not None for w in written)}
        )
        return 0
    for v in found:
        print(f"{v.culture} {v.kind} {v.cue}: {v.text}")
    if arguments.apply:
        missing = [f"{w.verdict.culture} {w.verdict.cue}" for w in written if w.file is None]
        print(f"{len(written) - len(missing)} cues written to {arguments.apply}")
        if missing:
            print(f"not in the culture files, left out: {', '.join(missing)}")
    else:
        print("Nothing is changed; --apply DIR writes this to the culture files of a folder.")
    return 0
