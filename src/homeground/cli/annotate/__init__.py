"""``homeground annotate``: pages for people. One module an action, each with ``declare`` and ``call``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from homeground.cli.annotate import analyse, backup, cues, demo, export, imports, retention, serve, sheet
from homeground.errors import EnvironmentProblem

_ACTIONS = {
    "sheet": sheet,
    "serve": serve,
    "demo": demo,
    "import": imports,
    "export": export,
    "cues": cues,
    "analyse": analyse,
    "backup": backup,
    "restore": backup,
    "retention": retention,
}
_WITHOUT_THE_EXTRA = ("sheet", "cues", "analyse")


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, parser_class=type(parser), title="actions"
    )
    for module in dict.fromkeys(_ACTIONS.values()):
        module.declare(actions)


def call(arguments: Namespace) -> int:
    """Do what was asked."""
    if arguments.action not in _WITHOUT_THE_EXTRA:
        _need_the_extra()
    done: int = _ACTIONS[arguments.action].call(arguments)
    return done


def _need_the_extra() -> None:
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
