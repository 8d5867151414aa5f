"""Result files into the answer store: every line counted, none lost silently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from homeground.engines.batch_results import LONGEST, Failure, Unusable, read_line, result_lines
from homeground.engines.store import AnswerStore
from homeground.errors import InputError
from homeground.schema import Answer, Record, Request

_GROUP = 500
"""Answers that are stored at a time, unless their lines grow longer than one line may be."""
_KEY = re.compile("[0-9a-f]{64}")
_KINDS = 8
"""Kinds that are named in a line."""


class Kind(Record, frozen=True, kw_only=True):
    """Lines that came to the same."""

    kind: str
    count: int
    first: str
    """``file:line`` of the first."""


class _Tally:
    """How many lines came to what, and where the first stands."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, kind: str, place: str) -> None:
        self._counts[kind] += 1
        self._first.setdefault(kind, place)

    def kinds(self) -> tuple[Kind, ...]:
        """The commonest first, then in the order of their first lines."""
        return tuple(Kind(kind=k, count=n, first=self._first[k]) for k, n in self._counts.most_common())


class Intake:
    """What the lines of several files come to; holds keys and one group of answers, never a file."""

    def __init__(self, asked: Mapping[str, Request], store: AnswerStore) -> None:
        """Expect results of the requests ``asked``, by key."""
        self._asked = asked
        self._store = store
        self._known = store.known(asked)
        self._group: list[tuple[str, Request, Answer]] = []
        self._held = 0
        self._failed: dict[str, tuple[str, str]] = {}
        self._ours = 0
        self._strange: list[str] = []
        self.lines = self.stored = 0
        self._unused = _Tally()

    def read(self, path: Path) -> None:
        """Take in a file.

        Raises:
            InputError: it cannot be read.
            EnvironmentProblem: the disk refuses to store its answers.
        """
        lines, ours, others = self.lines, self._ours, _Tally()
        for number, line in result_lines(path):
            self.lines += 1
            place = f"{path}:{number}"
            why = self._take(line, place)
            if why:
                self._unused.add(why, place)
                others.add(why, place)
        if self._ours == ours:
            count = self.lines - lines
            said = f"{count} lines, {in_words(others.kinds())}" if count else "it is empty"
            self._strange.append(f"{path}: holds no result of this run: {said}")

    def _take(self, line: bytes | None, place: str) -> str:
        """Take in a line; says why not, where it is no result of this run."""
        if line is None:
            return f"longer than {LONGEST // 1_000_000} MB"
        result = read_line(line)
        if isinstance(result, Unusable):
            return result.kind
        key, outcome = result
        if key not in self._asked:
            return "of another run" if _KEY.fullmatch(key) else "with a key that no run has"
        self._ours += 1
        if isinstance(outcome, Failure):
            self._failed.setdefault(key, (outcome.kind, place))
        elif key not in self._known:
            self._known.add(key)
            self._group.append((key, self._asked[key], outcome))
            self._held += len(line)
            if len(self._group) >= _GROUP or self._held >= LONGEST:
                self.keep()
        return ""

    def keep(self) -> None:
        """Store the answers at hand."""
        if self._group:
            self._store.add_all(self._group)
            self.stored += len(self._group)
            self._group, self._held = [], 0

    def unused(self) -> tuple[Kind, ...]:
        """Lines that are no result of this run."""
        return self._unused.kinds()

    def failed(self) -> tuple[Kind, ...]:
        """Failures of requests that have no answer."""
        tally = _Tally()
        for key, (kind, place) in self._failed.items():
            if key not in self._known:
                tally.add(kind, place)
        return tally.kinds()

    @property
    def already(self) -> int:
        """Lines of this run that are neither a new answer nor the first failure of an open request."""
        return self._ours - self.stored - sum(kind.count for kind in self.failed())

    def check(self) -> None:
        """Refuse files that hold nothing of this run.

        Raises:
            InputError: naming the first of them.
        """
        if not self._strange:
            return
        more = f"; {len(self._strange) - 1} more files hold none either" if len(self._strange) > 1 else ""
        kept = f"; {self.stored} answers from the other files are stored" if self._ours else ""
        raise InputError(f"{self._strange[0]}{more}{kept}")


def in_words(kinds: Iterable[Kind]) -> str:
    """Kinds as a part of a line; those that come after the first few are counted."""
    every = list(kinds)
    said = [f"{kind.count} {kind.kind} (first {kind.first})" for kind in every[:_KINDS]]
    rest = sum(kind.count for kind in every[_KINDS:])
    return ", ".join(said) + (f", {rest} of {len(every) - _KINDS} other kinds" if rest else "")
