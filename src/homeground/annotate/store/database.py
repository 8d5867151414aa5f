"""The database: SQLite by default, PostgreSQL by URL; transactions in which items can be given out safely."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session

from homeground.annotate.store.revisions import upgrade
from homeground.errors import EnvironmentProblem, InputError

_POOL = 20
_ALONE = 0x686F6D65
"""Names the lock; any number that no other program takes on this database."""
_PATIENCE = 120.0
"""Seconds that a writer waits for another before SQLite gives up."""


class Store:
    """A database of studies."""

    def __init__(self, url: str) -> None:
        """Open, or make, the database at a URL; a bare path is an SQLite file.

        Raises:
            InputError: no such kind of database.
        """
        self.engine = _engine(url)
        # SQLite lets one writer in at a time; others look again after growing pauses. A lock of our own wakes them.
        self._turn = threading.RLock() if self.engine.dialect.name == "sqlite" else contextlib.nullcontext()

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end. On SQLite one writer at a time holds it from its start."""
        with self._turn, Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextlib.contextmanager
    def alone(self) -> Iterator[Session]:
        """Like ``write``, with one process at a time: for what the first of several servers must make, and no other."""
        with self.write() as session:
            _wait_for_others(session.connection())
            yield session

    @contextlib.contextmanager
    def read(self, *, steady: bool = False) -> Iterator[Session]:
        """A transaction that writes nothing. ``steady``: all of it sees one state, on PostgreSQL too."""
        options: dict[str, Any] = {"reading": True}
        if steady and self.engine.dialect.name == "postgresql":
            options["isolation_level"] = "REPEATABLE READ"
        with (
            self.engine.connect().execution_options(**options) as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session

    def migrate(self) -> None:
        """Bring the tables to this version, all steps or none.

        Raises:
            EnvironmentProblem: the database cannot be reached, or refuses.
        """
        try:
            with self.engine.begin() as connection:
                _wait_for_others(connection)
                upgrade(connection)
        except DBAPIError as error:
            raise EnvironmentProblem(f"{self.engine.url!r}: {error.orig}") from error
        except OSError as error:
            raise EnvironmentProblem(f"{self.engine.url!r}: {error}") from error

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()


def _wait_for_others(connection: Connection) -> None:
    # SQLite has let nobody else in since the transaction began.
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ALONE)))


def _engine(url: str) -> Engine:
    if "://" not in url:
        url = f"sqlite:///{url}"
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+pg8000://" + url.partition("://")[2]
    try:
        if url.startswith("sqlite"):
            _only_ours(url.removeprefix("sqlite:///"))
            engine = create_engine(
                url,
                connect_args={"timeout": _PATIENCE},
                pool_size=_POOL,
                max_overflow=_POOL,
                hide_parameters=True,
            )
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        # What people wrote must not stand in an error that is logged.
        return create_engine(
            url, pool_size=_POOL, max_overflow=_POOL, pool_pre_ping=True, hide_parameters=True
        )
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise InputError(
            f"{url.partition('://')[0]}: no database that can be used ({error}); "
            "right is a file's path or postgresql://user@host/name"
        ) from error


def _only_ours(file: str) -> None:
    """Identities are in it: a new file is for its owner alone. SQLite gives its other files the same rights."""
    if file and ":" not in file and not Path(file).exists():
        Path(file).touch(mode=0o600)


def _prepare_sqlite(connection: Any, _: object) -> None:  # noqa: ANN401
    # The driver must not begin transactions of itself: it does so too late, at the first write.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
