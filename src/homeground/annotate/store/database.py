"""The database: SQLite by default, PostgreSQL by URL; transactions in which items can be given out safely."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, ExceptionContext, create_engine, event, func, select
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidatePoolError, NoSuchModuleError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from homeground.annotate.store.revisions import upgrade
from homeground.errors import EnvironmentProblem, InputError

_POOL = 20
_ALONE = 0x686F6D65
"""Names the lock; any number that no other program takes on this database."""
_FRESH = 5.0
"""Seconds after its last use up to which a connection to a server is taken to be alive."""
_SHUT_DOWN = "57P01"
"""PostgreSQL's word for: an administrator ended this connection."""
_PATIENCE = 120.0
"""Seconds that a writer waits for another before SQLite gives up."""
_BRIEFLY = 2_000
"""Milliseconds that erasing waits for who reads: others wait to write meanwhile."""


class Store:
    """A database of studies."""

    def __init__(self, url: str) -> None:
        """Open, or make, the database at a URL; a bare path is an SQLite file.

        Raises:
            InputError: no such kind of database.
        """
        self.engine = _engine(url)
        self._reading = _reading(self.engine)
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
        """What writes nothing. ``steady``: all of it sees one state, on PostgreSQL too."""
        options: dict[str, Any] = {"reading": True}
        engine = self._reading
        if steady and self.engine.dialect.name == "postgresql":
            engine, options = self.engine, {"isolation_level": "REPEATABLE READ"}
        with (
            engine.connect().execution_options(**options) as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session

    def erase(self) -> None:
        """Let nothing of what was erased stand in SQLite's log, unless somebody reads the database at this moment.

        Then it stands there until the next time, or until the last connection is closed. Call it after the transaction.
        """
        if self.engine.dialect.name != "sqlite":
            return
        with self._turn, contextlib.closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {_BRIEFLY}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            cursor.execute(f"PRAGMA busy_timeout = {int(_PATIENCE * 1_000)}")

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
        self._reading.dispose()
        self.engine.dispose()


def _wait_for_others(connection: Connection) -> None:
    # SQLite has let nobody else in since the transaction began.
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ALONE)))


def _engine(url: str) -> Engine:
    if "://" not in url:
        url = f"sqlite:///{url}"
    if url.startswith(("postgres://", "postgresql://")):
        url = f"postgresql+{_driver()}://{url.partition('://')[2]}"
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
        return _server(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise InputError(
            f"{url.partition('://')[0]}: no database that can be used ({error}); "
            "right is a file's path or postgresql://user@host/name"
        ) from error


def _driver() -> str:
    """psycopg where it is installed: it speaks to the server in C. It is LGPL, so that only an extra brings it."""
    return "psycopg" if find_spec("psycopg") else "pg8000"


def _server(url: str | URL, **more: Any) -> Engine:  # noqa: ANN401
    # What people wrote must not stand in an error that is logged.
    engine = create_engine(url, pool_size=_POOL, max_overflow=_POOL, hide_parameters=True, **more)
    event.listen(engine, "checkin", _note_time)
    event.listen(engine, "checkout", partial(_try_old, engine.dialect))
    event.listen(engine, "handle_error", _cut_off)
    return engine


def _reading(engine: Engine) -> Engine:
    """The connections that read. On PostgreSQL each statement sees a moment of its own with or without a transaction,
    and without one it takes two ways to the server and back instead of four."""
    if engine.dialect.name != "postgresql":
        return engine
    return _server(engine.url, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True)


def _note_time(_: object, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _try_old(dialect: Dialect, connection: Any, record: ConnectionPoolEntry, _: object) -> None:  # noqa: ANN401
    """Ask a connection that was not used for a while whether its server is still there; if not, all are made anew."""
    if time.monotonic() - record.info.get("used", math.inf) < _FRESH:
        return
    try:
        dialect.do_ping(connection)
    except (dialect.loaded_dbapi.Error, OSError) as error:
        raise InvalidatePoolError from error


def _cut_off(context: ExceptionContext) -> None:
    """Let no other connection of its age be used after one that was cut off; drivers tell only some of them."""
    error = context.original_exception
    if isinstance(error, OSError) or _SHUT_DOWN in str(error):
        context.is_disconnect = True


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
