"""Backup and restore of a whole database, the same file for SQLite and PostgreSQL: a study can move between them."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Column, Connection, String, Table, cast, func, inspect, literal, select, table, text
from sqlalchemy.dialects.postgresql import REGCLASS
from sqlalchemy.exc import DBAPIError

from homeground.annotate.store import archive, revisions
from homeground.annotate.store.archive import Archive, Contents, Manifest
from homeground.annotate.store.database import Store
from homeground.errors import EnvironmentProblem, InputError

_BATCH = 1_000
_BIGGEST = 2**63
_Whole = Annotated[int, msgspec.Meta(ge=-_BIGGEST, le=_BIGGEST - 1)]
_Number = float | Literal["inf", "-inf", "nan"]


def backup(store: Store, path: Path) -> Manifest:
    """Write all rows of a database to a file, as they are at one moment; the server can go on meanwhile.

    The database is left as it is, also where its tables are of an older revision than this version's.

    Raises:
        InputError: the database has no tables of ours, or newer ones.
        EnvironmentProblem: the database or the disk refuses.
    """
    where = f"{store.engine.url!r}"
    with _refusals(where), _one_state(store) as connection:
        revision = revisions.current(connection)
        if revision is None:
            raise InputError(f"{where}: no database of homeground annotate")
        _known(revision, where)
        contents = (
            Contents(str(one.name), tuple(map(str, one.columns.keys())), _rows(connection, one))
            for one in revisions.tables(connection, revision)
        )
        return archive.write(path, revision, contents)


def restore(path: Path, url: str) -> Manifest:
    """Put a backup into a database without rows, all or nothing; its tables are then this version's.

    Raises:
        InputError: the file is no sound backup, or the database holds something; nothing is changed.
        EnvironmentProblem: the database or the disk refuses; nothing is changed.
    """
    with archive.opened(path) as found:
        _known(found.manifest.revision, str(path))
        new = _new_file(url)
        if new is None:
            store = Store(url)
            _put_back(path, found, store, f"{store.engine.url!r}")
        else:
            with _appearing(new) as beside:
                _put_back(path, found, Store(str(beside)), str(new))
        return found.manifest


def _put_back(path: Path, found: Archive, store: Store, where: str) -> None:
    try:
        with _refusals(where), store.engine.begin() as connection:
            _must_be_empty(connection, found.manifest.revision, where)
            revisions.upgrade(connection, found.manifest.revision)
            _fill(connection, path, found)
            revisions.upgrade(connection)
    finally:
        store.close()


def _new_file(url: str) -> Path | None:
    """The SQLite file that opening a URL would make, if it would make one."""
    file = url.removeprefix("sqlite:///") if url.startswith("sqlite:///") else url
    return None if ":" in file or Path(file).exists() else Path(file)


@contextlib.contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """A new database file that gets its name once it is whole."""
    target = target.resolve()
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            beside = Path(folder) / target.name
            yield beside
            if Path(f"{beside}-wal").exists():
                raise EnvironmentProblem(f"{target}: SQLite has kept some of it in another file")
            # Unlike a renamed one, a linked file takes the place of none that appeared meanwhile.
            os.link(beside, target)
    except OSError as error:
        raise EnvironmentProblem(f"{target}: cannot be written: {error.strerror or error}") from error


@contextlib.contextmanager
def _one_state(store: Store) -> Iterator[Connection]:
    """A transaction whose reads all see one moment, and which keeps no writer waiting."""
    options: dict[str, Any] = {"reading": True}
    if store.engine.dialect.name == "postgresql":
        # In PostgreSQL's default each statement sees a moment of its own.
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with store.engine.connect().execution_options(**options) as connection:
        yield connection


def _rows(connection: Connection, one: Table) -> Iterator[Any]:
    """All rows by key, in the order of bytes: PostgreSQL would else order texts by its language."""
    ordered = [
        column.collate("C") if connection.dialect.name == "postgresql" and _is_text(column) else column
        for column in one.primary_key
    ]
    yield from connection.execute(select(one).order_by(*ordered).execution_options(yield_per=_BATCH))


def _is_text(column: Column[Any]) -> bool:
    return isinstance(column.type, String)


def _known(revision: str, where: str) -> None:
    if revision not in revisions.history():
        raise InputError(
            f"{where}: tables of revision {revision!r}, which this version does not know; update homeground"
        )


def _must_be_empty(connection: Connection, revision: str, where: str) -> None:
    """Refuse a database with a row in it, or with tables that are newer than the backup's."""
    names = inspect(connection).get_table_names()
    if names and connection.dialect.name == "postgresql":
        quote = connection.dialect.identifier_preparer.quote
        # What is empty now must still be so at the end. SQLite's transaction keeps all others from writing.
        connection.execute(text(f"LOCK TABLE {', '.join(map(quote, names))} IN SHARE ROW EXCLUSIVE MODE"))
    for name in sorted(set(names) - {revisions.MARK}):
        if connection.execute(select(literal(1)).select_from(table(name)).limit(1)).first() is not None:
            raise InputError(f"{where}: not empty (table {name} has rows); right is a new database")
    had, known = revisions.current(connection), revisions.history()
    if had is None:
        return
    _known(had, where)
    if known.index(had) > known.index(revision):
        raise InputError(
            f"{where}: its tables are of revision {had}, the backup of {revision}; right is a new database"
        )


def _fill(connection: Connection, path: Path, found: Archive) -> None:
    parts = {part.table: part for part in found.manifest.tables}
    tables = revisions.tables(connection, found.manifest.revision)
    if {one.name: set(one.columns.keys()) for one in tables} != {
        name: set(part.columns) for name, part in parts.items()
    } or any(len(set(part.columns)) < len(part.columns) for part in parts.values()):
        raise InputError(f"{path}: manifest.json: not the tables of revision {found.manifest.revision}")
    for one in tables:
        part = parts[one.name]
        columns = [one.columns[name] for name in part.columns]
        shape = GenericAlias(tuple, tuple(_kind(column) for column in columns))
        numbers = [place for place, column in enumerate(columns) if column.type.python_type is float]
        rows = found.rows(part, shape)
        try:
            while batch := list(itertools.islice(rows, _BATCH)):
                # With RETURNING, SQLAlchemy makes one statement of many rows; without, pg8000 sends row by row.
                connection.execute(
                    one.insert().returning(*one.primary_key),
                    [
                        dict(zip(part.columns, row, strict=True))
                        | {part.columns[place]: _float(row[place]) for place in numbers}
                        for row in batch
                    ],
                )
        except DBAPIError as error:
            raise InputError(f"{path}: {part.member}: the database refuses it: {_reason(error)}") from error
        _go_on_counting(connection, one)


def _kind(column: Column[Any]) -> Any:  # noqa: ANN401
    """The type of a column's values, as ``msgspec`` reads them."""
    python = column.type.python_type
    kind: Any = {int: _Whole, float: _Number}.get(python, python)
    return kind | None if column.nullable else kind


def _float(value: float | str | None) -> float | None:
    return None if value is None else float(value)


def _go_on_counting(connection: Connection, one: Table) -> None:
    """Let PostgreSQL number new rows after the restored ones; SQLite does of itself."""
    column = one.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    name = connection.dialect.identifier_preparer.format_table(one)
    counter = connection.scalar(select(func.pg_get_serial_sequence(name, column.name)))
    last = connection.scalar(select(func.max(column)))
    if counter is not None and last is not None:
        connection.execute(select(func.setval(cast(counter, REGCLASS), last)))


@contextlib.contextmanager
def _refusals(where: str) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise EnvironmentProblem(f"{where}: {_reason(error)}") from error


def _reason(error: DBAPIError) -> str:
    """What the database said, without its dictionary of everything around it."""
    said = error.orig.args[0] if error.orig is not None and error.orig.args else error
    return str(said.get("M", said) if isinstance(said, dict) else said)
