"""``homeground annotate``: pages for people."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from homeground.cli.show import add_json, print_json
from homeground.errors import EnvironmentProblem, InputError, unknown

_DATABASE = "annotate.sqlite"
_URL = f"a file (default {_DATABASE}), or postgresql://user@host/name"


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, parser_class=type(parser), title="actions"
    )
    sheet = actions.add_parser(
        "sheet", help="a page to print, on which residents check the cues of a country"
    )
    sheet.add_argument("benchmark", type=Path, help="a benchmark's folder")
    sheet.add_argument("--culture", required=True, metavar="CODE", help="such as FR")
    sheet.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the page, HTML")
    add_json(sheet)
    serve = actions.add_parser("serve", help="serve a study's pages; prints the admin's link once")
    serve.add_argument("--study", type=Path, required=True, metavar="FILE", help="study.toml")
    serve.add_argument("--db", default=_DATABASE, metavar="URL", help=_URL)
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    serve.add_argument(
        "--address",
        metavar="URL",
        help="how people reach it, such as https://study.example.org, for the link",
    )
    serve.add_argument("--port", type=int, default=8080, help="0 for any that is free (default 8080)")
    serve.add_argument(
        "--admin-link", action="store_true", help="a new admin's link, though there is an admin"
    )
    export = actions.add_parser("export", help="write what was said, by pseudonym, as JSON Lines and CSV")
    export.add_argument("--db", default=_DATABASE, metavar="URL", help=_URL)
    export.add_argument("--study", metavar="ID", help="which study, where the database holds several")
    export.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    add_json(export)
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
    """Do what was asked."""
    if arguments.action == "sheet":
        return _sheet(arguments)
    try:
        import alembic  # noqa: F401
        import fastapi  # noqa: F401
        import python_multipart  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise EnvironmentProblem(
            f"annotate needs {error.name}; install it with: pip install 'homeground[annotate]'"
        ) from error
    return {"serve": _serve, "export": _export, "cues": _cues}[arguments.action](arguments)


def _sheet(arguments: Namespace) -> int:
    from homeground.annotate import cue_sheet
    from homeground.benchmarks import load_benchmark
    from homeground.files import write_whole

    write_whole(arguments.output, cue_sheet(load_benchmark(arguments.benchmark), arguments.culture))
    if arguments.json:
        print_json({"culture": arguments.culture, "page": str(arguments.output)})
    else:
        print(f"Cue sheet: {arguments.output}")
    return 0


def _serve(arguments: Namespace) -> int:
    from homeground.annotate.serve import admin_link, open_study, serve
    from homeground.annotate.store.studies import has_admin

    if not 0 <= arguments.port <= 65_535:
        raise InputError(f"--port {arguments.port}: right is 0 to 65535")
    store, study = open_study(arguments.study, arguments.db)

    def ready(port: int) -> None:
        host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
        address = (arguments.address or f"http://{host}:{port}").rstrip("/")
        print(f"{study.title}: {address}", flush=True)
        if arguments.admin_link or not has_admin(store, study.id):
            link = admin_link(store, study, address)
            print(f"Admin, works once within two days: {link}", flush=True)

    try:
        serve(store, study, arguments.host, arguments.port, ready)
    except OSError as error:
        raise EnvironmentProblem(f"{arguments.host}:{arguments.port}: {error.strerror or error}") from error
    return 0


def _export(arguments: Namespace) -> int:
    from homeground.annotate.export import export
    from homeground.annotate.store import Store
    from homeground.annotate.store.studies import study_ids

    if "://" not in arguments.db and not Path(arguments.db).is_file():
        raise InputError(f"{arguments.db}: no such database")
    store = Store(arguments.db)
    store.migrate()
    known = study_ids(store)
    if arguments.study is None and len(known) != 1:
        raise InputError(f"--study is needed: the database holds {', '.join(known) or 'no study'}")
    study = arguments.study or known[0]
    if study not in known:
        raise unknown("study", study, known)
    count = export(store, study, arguments.output)
    if arguments.json:
        print_json({"study": study, "judgements": count, "folder": str(arguments.output)})
    else:
        print(f"{count} judgements: {arguments.output}")
    return 0


def _cues(arguments: Namespace) -> int:
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
