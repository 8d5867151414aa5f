"""Backups of studies: a database moves between SQLite and PostgreSQL and back as it was, or not at all."""

from __future__ import annotations

import json
import multiprocessing
import stat
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import BigInteger, Engine, MetaData, UniqueConstraint, event, text

from homeground.annotate.store import Store, archive, people, revisions
from homeground.annotate.store.backup import backup, restore
from homeground.annotate.store.leases import Given, Load, lease, submit
from homeground.annotate.store.tables import Base
from homeground.cli import main
from homeground.errors import HomegroundError, InputError
from tests.annotating import NOW, database, filled, person
from tests.backups import KINDS, dump, emptied, lively, sound

Rows = dict[str, list[dict[str, Any]]]
SPECIAL = (
    "\r\n",
    "\u2028",
    "'\"\\",
    "=1+1",
    "\\N",
    "\x01\x7f",
    "é",
    "e\u0301",
    "\U0001f600",
    "Z",
    "a",
    "_",
    "",
)
TEXTS = st.one_of(
    st.sampled_from(SPECIAL),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30),
)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


@st.composite
def rows(draw: st.DrawFn, metadata: MetaData = Base.metadata) -> Rows:
    """Rows for all tables that keep the tables' rules and nothing else."""
    made: Rows = {}
    for table in metadata.sorted_tables:
        made[str(table.name)] = kept = []
        uniques = [list(table.primary_key)]
        uniques += [list(rule.columns) for rule in table.constraints if isinstance(rule, UniqueConstraint)]
        uniques += [list(index.columns) for index in table.indexes if index.unique]
        seen: set[tuple[Any, ...]] = set()
        for number in range(draw(st.integers(0, 3))):
            row: dict[str, Any] = {}
            for column in table.columns:
                python = column.type.python_type
                for key in column.foreign_keys:
                    parents = [parent[key.column.name] for parent in made[str(key.column.table.name)]]
                    row[str(column.name)] = draw(st.sampled_from(parents)) if parents else None
                    break
                else:
                    values: Any = {
                        str: TEXTS,
                        float: st.floats(allow_nan=False),
                        bool: st.booleans(),
                        int: st.integers(1, 2**40)
                        if isinstance(column.type, BigInteger)
                        else st.integers(-(2**31), 2**31 - 1),
                    }[python]
                    value = draw(st.none() | values if column.nullable else values)
                    if python is str and value is not None:
                        length = getattr(column.type, "length", None) or 60
                        value = f"{value[: length - 1]}{number}"
                    row[str(column.name)] = value
            keys = [
                (place, *(row[str(column.name)] for column in columns))
                for place, columns in enumerate(uniques)
            ]
            fits = all(row[str(column.name)] is not None or column.nullable for column in table.columns)
            if fits and not seen & set(keys):
                seen |= {key for key in keys if None not in key}
                kept.append(row)
    return made


def put(engine: Engine, given: Rows, metadata: MetaData = Base.metadata) -> None:
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            if given[str(table.name)]:
                connection.execute(table.insert(), given[str(table.name)])


def test_every_row_survives_the_way_to_postgresql_and_back(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as server:

        @settings(max_examples=6)
        @given(given=rows())
        def check(given: Rows) -> None:
            emptied(server)
            with tempfile.TemporaryDirectory() as name:
                first, last = f"{name}/first.sqlite", f"{name}/last.sqlite"
                store = Store(first)
                store.migrate()
                put(store.engine, given)
                files = [Path(name, f"{number}.zip") for number in range(3)]
                manifest = backup(store, files[0])
                assert {part.table: part.rows for part in manifest.tables} == {
                    table: len(kept) for table, kept in given.items()
                }
                store.close()
                assert restore(files[0], server) == manifest
                middle = Store(server)
                backup(middle, files[1])
                middle.close()
                restore(files[1], last)
                store = Store(last)
                backup(store, files[2])
                store.close()
                assert dump(first) == dump(server) == dump(last)
                assert len({file.read_bytes() for file in files}) == 1

        check()


def test_a_language_s_order_of_texts_changes_no_byte(tmp_path: Path) -> None:
    first = Store(str(tmp_path / "first.sqlite"))
    first.migrate()
    keys = ("a", "B", "_", "é", "Z", "e")
    consents = [{"version": key, "language": "en", "text": ""} for key in keys]
    put(first.engine, {name: consents if name == "consent" else [] for name in Base.metadata.tables})
    backup(first, tmp_path / "first.zip")
    first.close()
    with database("postgresql", tmp_path) as server:
        restore(tmp_path / "first.zip", server)
        store = Store(server)
        with store.write() as session:
            session.execute(
                text('ALTER TABLE consent ALTER COLUMN version TYPE varchar(40) COLLATE "en-x-icu"')
            )
            ordered = session.scalars(text("SELECT version FROM consent ORDER BY version")).all()
        assert ordered != sorted(keys)
        backup(store, tmp_path / "second.zip")
        store.close()
    assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()


@pytest.mark.parametrize("source", KINDS)
def test_a_study_goes_on_where_it_was(source: str, url: str, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    with database(source, tmp_path / "first") as before:
        store = filled(before, 3, Load(2, 20, 0))
        one, cookie = person(store)
        given = lease(store, one, NOW)
        assert isinstance(given, Given)
        assert submit(store, one, "c0", given.item, "confirm", "", NOW) == "kept"
        held, link = lease(store, one, NOW), people.private_link(store, one)
        assert isinstance(held, Given)
        backup(store, tmp_path / "b.zip")
        store.close()
    restore(tmp_path / "b.zip", url)
    store = Store(url)
    who = people.who(store, "s", cookie, NOW)
    assert who is not None and who == people.of_link(store, "s", link) and who.id == one
    assert lease(store, one, NOW) == held
    assert submit(store, one, "c0", held.item, "reject", "", NOW) == "closed"  # that form was sent before
    assert submit(store, one, "c1", held.item, "reject", "new", NOW) == "kept"
    other, _ = person(store)
    assert isinstance(lease(store, other, NOW), Given)
    with store.read() as session:
        ids = list(session.scalars(text("SELECT id FROM judgement ORDER BY id")))
        events = list(session.scalars(text("SELECT id FROM event ORDER BY id")))
    assert ids == [1, 2] and events == list(range(1, len(events) + 1))
    store.close()


def test_a_backup_shows_one_moment_and_keeps_no_writer_waiting(url: str, tmp_path: Path) -> None:
    writing = filled(url, 100, Load(1, 20, 0))
    one, _ = person(writing)
    written = 0

    def write() -> None:
        nonlocal written
        given = lease(writing, one, NOW)
        assert isinstance(given, Given)
        assert submit(writing, one, f"c{written}", given.item, "confirm", "word", NOW) == "kept"
        written += 1

    def write_before(_c: object, _u: object, statement: str, *_: object) -> None:
        if any(f"FROM {name} ORDER BY" in statement.replace("\n", "") for name in Base.metadata.tables):
            write()

    write()
    store = Store(url)
    event.listen(
        store.engine, "before_cursor_execute", write_before
    )  # somebody writes before each table is read
    backup(store, tmp_path / "b.zip")
    store.close()
    writing.close()
    restored = str(tmp_path / "restored.sqlite")
    restore(tmp_path / "b.zip", restored)
    found = dump(restored)
    kept = len(found["judgement"])
    assert written == 1 + len(Base.metadata.tables) and 1 <= kept < written
    assert kept == len(found["authorship"]) == len(found["remark"])
    assert kept == sum("'judged'" in line for line in found["event"])


@pytest.mark.parametrize("revision", revisions.history()[:-1])
def test_a_backup_of_older_tables_is_brought_up_to_date(revision: str, url: str, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    old = str(tmp_path / "old" / "old.sqlite")
    store = Store(old)
    with store.engine.begin() as connection:
        revisions.upgrade(connection, revision)
    metadata = MetaData()
    with store.engine.connect() as connection:
        metadata.reflect(connection, only=[one.name for one in revisions.tables(connection, revision)])
    put(store.engine, sample(metadata), metadata)
    manifest = backup(store, tmp_path / "b.zip")
    with store.engine.connect() as connection:
        assert revisions.current(connection) == manifest.revision == revision  # it migrates nothing
    store.close()
    new = Store(str(tmp_path / "old" / "new.sqlite"))
    new.migrate()
    new.close()
    with pytest.raises(InputError, match=f"the backup of {revision}; right is a new database"):
        restore(tmp_path / "b.zip", str(tmp_path / "old" / "new.sqlite"))
    restore(tmp_path / "b.zip", url)
    assert dump(url, metadata) == dump(old, metadata)
    store = Store(url)
    with store.engine.connect() as connection:
        assert revisions.current(connection) == revisions.history()[-1]
    store.close()


def sample(metadata: MetaData) -> Rows:
    """One row a table, each pointing to those before."""
    made: Rows = {}
    for table in metadata.sorted_tables:
        row = {
            str(column.name): next(
                (made[str(key.column.table.name)][0][key.column.name] for key in column.foreign_keys),
                column.type.python_type(7),
            )
            for column in table.columns
        }
        made[str(table.name)] = [row]
    return made


def test_a_database_with_a_row_in_it_is_left_alone(url: str, tmp_path: Path) -> None:
    store = filled(url, 1, Load(3, 20, 0))
    before = dump(url)
    (tmp_path / "b.zip").write_bytes(sound()[0])
    with pytest.raises(InputError, match="not empty"):
        restore(tmp_path / "b.zip", url)
    assert dump(url) == before
    store.close()


def test_tables_without_rows_may_be_there(url: str, tmp_path: Path) -> None:
    store = Store(url)
    store.migrate()
    store.close()
    (tmp_path / "b.zip").write_bytes(sound()[0])
    restore(tmp_path / "b.zip", url)
    assert dump(url) == sound()[1]


def test_a_database_of_something_else_is_left_alone(url: str, tmp_path: Path) -> None:
    store = Store(url)
    with store.engine.begin() as connection:
        connection.execute(text("CREATE TABLE answers (key TEXT)"))
        connection.execute(text("INSERT INTO answers VALUES ('x')"))
    (tmp_path / "b.zip").write_bytes(sound()[0])
    with pytest.raises(InputError, match=r"not empty \(table answers has rows\)"):
        restore(tmp_path / "b.zip", url)
    with pytest.raises(InputError, match="no database of homeground annotate"):
        backup(store, tmp_path / "c.zip")
    assert not (tmp_path / "c.zip").exists()
    with store.engine.connect() as connection:
        assert connection.scalar(text("SELECT key FROM answers")) == "x"
    store.close()


def _restored(file: Path, url: str) -> str:
    try:
        restore(file, url)
    except HomegroundError as error:
        return str(error)
    return ""


def test_of_two_restores_at_once_one_wins(url: str, tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(sound()[0])
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")) as pool:
        said = list(pool.map(_restored, [tmp_path / "b.zip"] * 2, [url] * 2))
    assert said.count("") == 1
    assert dump(url) == sound()[1]


def test_a_backup_is_for_its_owner_alone_and_written_whole(tmp_path: Path) -> None:
    store = lively(str(tmp_path / "s.sqlite"))
    file = tmp_path / "backups" / "b.zip"
    backup(store, file)
    first = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(InputError, match="not a file"):
        backup(store, tmp_path)
    with store.write() as session:
        session.execute(text("DROP TABLE remark"))
    with pytest.raises(HomegroundError):
        backup(store, file)
    store.close()
    assert file.read_bytes() == first and [path.name for path in file.parent.iterdir()] == ["b.zip"]
    restore(file, str(tmp_path / "t.sqlite"))
    assert stat.S_IMODE((tmp_path / "t.sqlite").stat().st_mode) == 0o600


def test_the_backup_names_every_table_of_the_models(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(sound()[0])
    with archive.opened(tmp_path / "b.zip") as found:
        named = {part.table: set(part.columns) for part in found.manifest.tables}
    assert named == {name: set(table.columns.keys()) for name, table in Base.metadata.tables.items()}


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, file, other = (str(tmp_path / name) for name in ("s.sqlite", "b.zip", "t.sqlite"))
    lively(url).close()
    assert main(["annotate", "backup", "--db", url, "-o", file, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["file"] == file and said["rows"]["judgement"] == 3
    assert main(["annotate", "restore", file, "--db", other]) == 0
    assert "restored" in capsys.readouterr().out
    assert dump(other) == dump(url)
    assert main(["annotate", "restore", file, "--db", other]) == 2
    assert main(["annotate", "backup", "--db", str(tmp_path / "none"), "-o", file]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and "not empty" in lines[0] and "no such database" in lines[1]
    assert not (tmp_path / "none").exists()
