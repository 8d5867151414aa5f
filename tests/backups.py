"""What the tests of backups share: a study in which something happened, its backup, everything in a database."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from sqlalchemy import MetaData, create_engine, text

from homeground.annotate.store import Store, people
from homeground.annotate.store.backup import backup
from homeground.annotate.store.leases import Given, Load, lease, submit
from homeground.annotate.store.tables import Base
from tests.annotating import NOW, filled, person

KINDS = ("sqlite", "postgresql")


def dump(url: str, metadata: MetaData = Base.metadata) -> dict[str, list[str]]:
    """Every row of every table, exactly."""
    store = Store(url)
    with store.read() as session:
        found = {
            str(table.name): sorted(repr(tuple(row)) for row in session.execute(table.select()))
            for table in metadata.sorted_tables
        }
    store.close()
    return found


def nothing_in(url: str) -> bool:
    """Whether there is no table, or no database."""
    if "://" not in url:
        return not any(path.name.startswith((Path(url).name, ".")) for path in Path(url).parent.iterdir())
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    engine.dispose()
    return bool(found == 0)


def emptied(url: str) -> str:
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


def lively(url: str) -> Store:
    """A study in which something happened: answers with comments, somebody who left, an item in hand."""
    store = filled(url, 4, Load(2, 20, 0), "cúe")
    for number in range(3):
        one, _ = person(store)
        given = lease(store, one, NOW)
        assert isinstance(given, Given)
        assert submit(store, one, f"c{number}", given.item, "confirm", f"word {number}", NOW) == "kept"
        people.private_link(store, one)
        if number == 1:
            people.withdraw(store, one, NOW)
    assert isinstance(lease(store, one, NOW), Given)
    return store


@functools.cache
def sound() -> tuple[bytes, dict[str, list[str]]]:
    """A backup of a lively study, and what is in it."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"{folder}/s.sqlite"
        store = lively(url)
        backup(store, Path(folder, "b.zip"))
        store.close()
        return Path(folder, "b.zip").read_bytes(), dump(url)
