"""``annotate retention``: forget who people are, some days after they have ended."""

from __future__ import annotations

import time
from argparse import Namespace

from homeground.cli.annotate.options import Actions, add_database_and_study, existing_study
from homeground.cli.options import positive
from homeground.cli.show import add_json, print_json


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    retention = actions.add_parser(
        "retention", help="erase who people are, some days after they or the study ended; answers stay"
    )
    add_database_and_study(retention)
    retention.add_argument(
        "--days", type=positive, required=True, metavar="N", help="how many days ago they must have ended"
    )
    add_json(retention)


def call(arguments: Namespace) -> int:
    """Forget."""
    from homeground.annotate.store.retention import forget

    store, study = existing_study(arguments)
    count = forget(store, study, arguments.days, time.time())
    store.close()
    if arguments.json:
        print_json({"study": study, "forgotten": count})
    else:
        print(f"{study}: {count} people forgotten; their answers stay, by pseudonym.")
    return 0
