"""``annotate serve``: a study's pages."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from homeground.cli.annotate.options import Actions, add_address, add_database
from homeground.errors import EnvironmentProblem, InputError


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    serve = actions.add_parser("serve", help="serve a study's pages; prints the admin's link once")
    serve.add_argument("--study", type=Path, required=True, metavar="FILE", help="study.toml")
    add_database(serve)
    add_address(serve)
    serve.add_argument(
        "--admin-link", action="store_true", help="a new admin's link, though there is an admin"
    )


def call(arguments: Namespace) -> int:
    """Serve until stopped."""
    return serve(arguments, arguments.study, arguments.db, again=arguments.admin_link)


def serve(arguments: Namespace, file: Path, url: str, *, again: bool) -> int:
    """Serve the study of a file from a database; ``again`` makes an admin's link though there is an admin.

    Raises:
        InputError: the file, the URL or the port cannot be used.
        EnvironmentProblem: the database refuses, or the port is taken.
    """
    from homeground.annotate.serve import admin_link, open_study, serve
    from homeground.annotate.store.studies import has_admin

    if not 0 <= arguments.port <= 65_535:
        raise InputError(f"--port {arguments.port}: right is 0 to 65535")
    store, study, material = open_study(file, url)

    def ready(port: int) -> None:
        host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
        address = (arguments.address or f"http://{host}:{port}").rstrip("/")
        print(f"{study.title}: {address}", flush=True)
        if again or not has_admin(store, study.id):
            link = admin_link(store, study, address)
            print(f"Admin, works once within two days: {link}", flush=True)

    try:
        serve(store, study, material, arguments.host, arguments.port, ready, arguments.address or "")
    except OSError as error:
        raise EnvironmentProblem(f"{arguments.host}:{arguments.port}: {error.strerror or error}") from error
    return 0
