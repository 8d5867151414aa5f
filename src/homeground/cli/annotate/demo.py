"""``annotate demo``: a study full of simulated people, to look at every page."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions, add_address
from homeground.cli.show import add_json, print_json, say

_PEOPLE = 36


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    demo = actions.add_parser("demo", help="serve a study that is full of simulated people")
    demo.add_argument(
        "-o", "--output", type=Path, default=Path("annotate-demo"), metavar="DIR",
        help="folder of the demo, gone on with when it is there (default: %(default)s)",
    )  # fmt: skip
    demo.add_argument(
        "--seed", type=int, default=1, help="of what the simulated people do (default: %(default)s)"
    )
    demo.add_argument("--fill-only", action="store_true", help="make and fill the study, and do not serve it")
    add_address(demo)
    add_json(demo)


def call(arguments: Namespace) -> int:
    """Make the study, fill it once, serve it."""
    import time

    from homeground.annotate.demo import DAYS, fill, prepare
    from homeground.annotate.serve import open_study
    from homeground.annotate.store import studies
    from homeground.annotate.store.people import DAY
    from homeground.cli.annotate.serve import serve

    if not (arguments.output / "benchmark").exists():
        say("Drawing the scenes and building the benchmark (about ten seconds).")
    file = prepare(arguments.output, arguments.seed)
    url = str(arguments.output / "demo.sqlite")
    began = None if Path(url).exists() else time.time() - DAYS * DAY
    store, study, material = open_study(file, url, began)
    answers = len(studies.said(store, study.id))
    if not answers:
        say(f"{_PEOPLE} simulated people take part.")
        answers = fill(store, study, material, _PEOPLE, arguments.seed, time.time())
    store.close()
    if arguments.fill_only:
        if arguments.json:
            print_json({"study": study.id, "simulated": True, "answers": answers, "db": url})
        else:
            print(f"{answers} answers of simulated people: {url}")
        return 0
    return serve(arguments, file, url, again=True)
