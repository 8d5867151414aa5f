"""Verbs, errors and exit codes: 0 fine, 1 a gate or check failed, 2 bad input or environment."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from homeground.version import __version__

VERBS = {
    "demo": "evaluate a real model on a small benchmark and report",
    "models": "list known models, fetch weights",
    "build": "build a benchmark from a seed, or from a file of questions",
    "benchmark": "check a benchmark's folder",
    "run": "run a benchmark on a model, or go on with a stopped run",
    "batch": "write a run's prompts to files for a batch service, read its results",
    "judge": "judge the stored answers of a run again",
    "report": "write the tables, figures and page of a run",
    "experiment": "answer a question of the papers from stored answers",
    "case": "show one conversation's answers by culture and level",
    "compare": "compare runs: paired differences, flips, the answers that flipped",
    "check": "a gate for CI: fail unless a run meets requirements",
    "sets": "compare question sets: how well each tells models apart",
    "power": "how large a gap a study can find, and how many items a gap needs",
    "frequencies": "unit words in a corpus beside a model's unit prior",
    "import": "import photographs, published conversations, or public question sets",
    "cultures": "list cultures, show what is known of one, check a file",
    "guidelines": "print the guidelines for writers of questions about a culture",
    "audit": "hold questions about a culture against the guidelines",
    "screen": "find the questions that models answer already",
    "transpose": "move questions about one country to another, for people to review",
    "annotate": "pages on which people check cues: printed, or served with invitations",
}
_MODULES = {"import": "imports"}
"""Verbs whose name cannot be a module's, being a keyword."""
_EPILOG = "Exit codes: 0 fine, 1 a gate or check failed, 2 bad input or environment, 130 stopped by Ctrl-C."


class Formatter(argparse.HelpFormatter):
    """Help with room for the names of verbs and switches on one line."""

    def __init__(self, prog: str) -> None:
        """Leave 28 columns for them."""
        super().__init__(prog, max_help_position=28)

    def add_argument(self, action: argparse.Action) -> None:
        """Count the indent of verbs in, which argparse forgets: the longest would stand on a line of its own."""
        super().add_argument(action)
        self._action_max_length += 2


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Use our formatter for every command."""
        kwargs.setdefault("formatter_class", Formatter)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is; exit with 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="replace"
            )  # a terminal that cannot show a character is no reason to stop
    words = list(sys.argv[1:] if argv is None else argv)
    parser = Parser(
        prog="homeground",
        description="Does a language model meet people on their home ground?",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"homeground {__version__}")
    verbs = parser.add_subparsers(
        dest="verb", metavar="VERB", required=True, parser_class=Parser, title="verbs"
    )
    called = next((word for word in words if not word.startswith("-")), None)
    for name, line in VERBS.items():
        sub = verbs.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.")
        if name == called:
            # Only the verb that is called pays for its imports.
            module = importlib.import_module(f"homeground.cli.{_MODULES.get(name, name)}")
            module.arguments(sub)
            sub.set_defaults(call=module.call)
    arguments = parser.parse_args(words)
    return _guarded(arguments)


def _guarded(arguments: argparse.Namespace) -> int:
    from homeground.errors import HomegroundError

    try:
        code: int = arguments.call(arguments)
        sys.stdout.flush()
        return code
    except HomegroundError as error:
        return _say(str(error), error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}", 2)
    except KeyboardInterrupt:
        return _say("stopped; what was done so far is kept", 130)


def _say(message: str, code: int) -> int:
    from homeground.report.examples import pictured

    line = pictured(" ".join(message.split()))
    print(f"homeground: {line}", file=sys.stderr)
    return code
