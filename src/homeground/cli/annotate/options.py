"""What the actions of ``annotate`` share: which database, which study, where to listen."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from homeground.errors import InputError, unknown

if TYPE_CHECKING:
    from homeground.annotate.store import Store

Actions: TypeAlias = Any
"""What ``add_subparsers`` gives; ``argparse`` has no public name for it."""
DATABASE = "annotate.sqlite"


def add_database(parser: ArgumentParser) -> None:
    """Declare ``--db``."""
    parser.add_argument(
        "--db", default=DATABASE, metavar="URL",
        help=f"a file (default {DATABASE}), or postgresql://user@host/name",
    )  # fmt: skip


def add_database_and_study(parser: ArgumentParser) -> None:
    """Declare ``--db`` and ``--study``."""
    add_database(parser)
    parser.add_argument("--study", metavar="ID", help="which study, where the database holds several")


def add_address(parser: ArgumentParser) -> None:
    """Declare where to listen."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    parser.add_argument(
        "--address", metavar="URL", help="how people reach it, such as https://study.example.org, for links"
    )
    parser.add_argument("--port", type=int, default=8080, help="0 for any that is free (default 8080)")


def present(arguments: Namespace) -> Store:
    """The database that ``--db`` names, which must be there already, as it is.

    Raises:
        InputError: there is none.
    """
    from homeground.annotate.store import Store

    if "://" not in arguments.db and not Path(arguments.db).is_file():
        raise InputError(f"{arguments.db}: no such database")
    return Store(arguments.db)


def existing(arguments: Namespace) -> Store:
    """The database that ``--db`` names, which must be there already, its tables brought up to date.

    Raises:
        InputError: there is none.
        EnvironmentProblem: it refuses.
    """
    store = present(arguments)
    store.migrate()
    return store


def existing_study(arguments: Namespace) -> tuple[Store, str]:
    """The database and the study that ``--db`` and ``--study`` name.

    Raises:
        InputError: there is no such database or study, or several and none is named.
        EnvironmentProblem: the database refuses.
    """
    from homeground.annotate.store.studies import study_ids

    store = existing(arguments)
    known = study_ids(store)
    if arguments.study is None and len(known) != 1:
        raise InputError(f"--study is needed: the database holds {', '.join(known) or 'no study'}")
    study: str = arguments.study or known[0]
    if study not in known:
        raise unknown("study", study, known)
    return store, study
