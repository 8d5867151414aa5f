"""The answer store: append-only SQLite; an answer is on disk before it is reported."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from homeground.errors import EnvironmentProblem, InputError
from homeground.schema import Answer, Request

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,               -- SHA-256 of everything that can change the answer
    request TEXT NOT NULL,              -- that everything, as JSON; images by their hash
    text TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    logprobs TEXT                       -- of the new tokens, as a JSON list, where they were wanted and given
) STRICT;
CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY,              -- a request that somebody is asking at the moment
    owner TEXT NOT NULL,
    until REAL NOT NULL                -- seconds since 1970; then whoever claimed it is taken for dead
) STRICT;
CREATE TRIGGER IF NOT EXISTS answers_are_never_changed BEFORE UPDATE ON answers
BEGIN SELECT raise(ABORT, 'answers are append-only'); END;
CREATE TRIGGER IF NOT EXISTS answers_are_never_deleted BEFORE DELETE ON answers
BEGIN SELECT raise(ABORT, 'answers are append-only'); END;
"""
_COLUMNS = "text, reasoning, finish_reason, prompt_tokens, completion_tokens, seconds"
_LATER = "logprobs"
"""A column that stores of earlier versions have not."""
_AT_ONCE = 500
_PATIENCE = 60.0
"""Seconds to wait for another process's transaction."""
_AGAIN = 0.05
_CLAIMED = 300.0
"""Seconds that a claim lasts without an answer of its owner's."""


class AnswerStore:
    """Answers by the key of their request, in one SQLite file (WAL)."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Open the store; ``write`` makes it where there is none.

        Raises:
            InputError: there is no store at ``path``, or it is not one.
            EnvironmentProblem: the disk refuses.
        """
        self.path = path
        self._owner = f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"
        if not write and not path.is_file():
            raise InputError(f"{path}: no answers here yet")
        try:
            self._db = _connect(path, write)
            if write:
                self._begin()
            self._db.execute(f"SELECT key, {_COLUMNS} FROM answers LIMIT 1")  # noqa: S608
        except sqlite3.OperationalError as error:
            raise EnvironmentProblem(f"{path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise InputError(f"{path}: not an answer store: {error}") from error

    def _begin(self) -> None:
        """Make the tables where there are none, though another process may be doing so at the same moment.

        SQLite does not wait for its lock while a file changes its journal, whatever the time-out, so we do.
        """
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.executescript(_SCHEMA)
                if not self._has(_LATER):
                    self._db.execute(f"ALTER TABLE answers ADD COLUMN {_LATER} TEXT")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_AGAIN)
            else:
                return

    def _has(self, column: str) -> bool:
        return column in {row[1] for row in self._db.execute("PRAGMA table_info(answers)")}

    def __enter__(self) -> AnswerStore:
        """The store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._db.close()

    def add(self, key: str, request: Request, answer: Answer) -> None:
        """Store one answer for good, as ``add_all`` does."""
        self.add_all([(key, request, answer)])

    def add_all(self, answers: Iterable[tuple[str, Request, Answer]]) -> None:
        """Store a group of answers for good: when this returns they survive a crash, and half a group is never there.

        An answer that is there already stays as it is.

        Raises:
            EnvironmentProblem: the disk is full or read-only; nothing of the group is stored.
        """
        rows = [
            (
                key,
                msgspec.json.encode(request).decode(),
                _storable(answer.text),
                _storable(answer.reasoning),
                answer.finish_reason,
                answer.prompt_tokens,
                answer.completion_tokens,
                answer.seconds,
                msgspec.json.encode(answer.logprobs).decode() if answer.logprobs else None,
            )
            for key, request, answer in answers
        ]
        with self._transaction("every answer before this one is kept, run again to go on"):
            self._db.executemany(
                "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING", rows
            )
            self._db.executemany("DELETE FROM claims WHERE key = ?", [(row[0],) for row in rows])
            self._db.execute(
                "UPDATE claims SET until = ? WHERE owner = ?", (time.time() + _CLAIMED, self._owner)
            )

    @contextlib.contextmanager
    def _transaction(self, comfort: str) -> Iterator[None]:
        """All that happens inside, or nothing.

        Raises:
            EnvironmentProblem: the disk refuses; the message says so, and then ``comfort``.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise EnvironmentProblem(f"{self.path}: {error}; {comfort}") from error

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that have an answer."""
        there = {key for (key,) in self._db.execute("SELECT key FROM answers")}
        return there.intersection(keys)

    def claim(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that are this store object's to ask: not answered, and nobody else is asking them.

        A claim lasts until its answer comes, until ``release``, until its owner on this machine is dead, or for some
        minutes without any answer of its owner.

        Raises:
            EnvironmentProblem: the disk is full or read-only.
        """
        now = time.time()
        rows = [(key, self._owner, now + _CLAIMED) for key in keys]
        with self._transaction("nothing was asked"):
            self._db.execute("DELETE FROM claims WHERE until < ?", (now,))
            owners = self._db.execute("SELECT DISTINCT owner FROM claims").fetchall()
            self._db.executemany(
                "DELETE FROM claims WHERE owner = ?", [row for row in owners if _is_dead(row[0])]
            )
            self._db.executemany(
                "INSERT INTO claims SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM answers WHERE key = ?1) "
                "ON CONFLICT (key) DO NOTHING",
                rows,
            )
        query = "SELECT key FROM claims WHERE owner = ?"
        return {key for (key,) in self._db.execute(query, (self._owner,))}.intersection(
            row[0] for row in rows
        )

    def release(self) -> None:
        """Let go of every claim, so that others need not wait for them."""
        with contextlib.suppress(sqlite3.Error):  # what is not let go of runs out by itself
            self._db.execute("DELETE FROM claims WHERE owner = ?", (self._owner,))

    def get(self, keys: Iterable[str]) -> dict[str, Answer]:
        """Answers by key, those that are there."""
        wanted = list(dict.fromkeys(keys))
        later = _LATER if self._has(_LATER) else "NULL"
        found = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, {_COLUMNS}, {later} FROM answers WHERE key IN ({marks})"  # noqa: S608
            for key, text, reasoning, finish, prompt, completion, seconds, logprobs in self._db.execute(
                query, some
            ):
                found[key] = Answer(
                    text=text,
                    reasoning=reasoning,
                    finish_reason=finish,
                    prompt_tokens=prompt,
                    completion_tokens=completion,
                    seconds=seconds,
                    logprobs=msgspec.json.decode(logprobs, type=tuple[float, ...]) if logprobs else (),
                )
        return found


def _is_dead(owner: str) -> bool:
    """Whether a claim's owner was a process of this machine that is no more."""
    host, pid, _ = owner.rsplit(" ", 2)
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    if write or os.access(path.parent, os.W_OK):
        return sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
    # On a read-only disk nobody writes, and SQLite cannot make the files that a reader of a WAL store needs.
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True, isolation_level=None)


def _storable(text: str) -> str:
    """Text without lone surrogates, which no file can hold as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
