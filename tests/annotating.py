"""What the annotate tests share: databases of both kinds, a small study, people in it."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from homeground.annotate.store import Store, people, studies
from homeground.annotate.store.leases import Load
from homeground.annotate.store.studies import NewItem
from homeground.annotate.store.tables import Person
from homeground.annotate.study import StudyFile

NOW = 1_800_000_000.0
SERVER = "postgres@127.0.0.1:5432"
DRIVERS = {"postgresql": "pg8000", "psycopg": "psycopg"}
"""Kinds of database that are PostgreSQL, by the two drivers that speak to it."""


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """URL of an empty database of one kind; on PostgreSQL one of its own, dropped afterwards."""
    if kind == "sqlite":
        yield str(folder / "study.sqlite")
        return
    name = f"homeground_{uuid.uuid4().hex}"
    server = create_engine(
        f"postgresql+pg8000://{SERVER}/test", isolation_level="AUTOCOMMIT", connect_args={"timeout": 5}
    )
    try:
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except DBAPIError as error:
        pytest.skip(f"no PostgreSQL on 127.0.0.1:5432: {error.orig}")
    try:
        yield f"postgresql+{DRIVERS[kind]}://{SERVER}/{name}"
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


def study(**settings: object) -> StudyFile:
    """A study of one culture."""
    fixed = {
        "id": "s",
        "kind": "cue-check",
        "title": "Cues of Portugal",
        "contact": "a@b.pt",
        "cultures": ("PT",),
    }
    return StudyFile(**(fixed | settings))  # type: ignore[arg-type]


def filled(url: str, items: int, load: Load, value: str = "cue") -> Store:
    """A store with an open study ``s`` of some items."""
    store = Store(url)
    store.migrate()
    new = [
        NewItem(
            f"i{n}", "PT", {"kind": "news_outlet", "value": f"{value} {n}", "before": "I read ", "after": ""}
        )
        for n in range(items)
    ]
    studies.put(store, "s", "cue-check", "Cues of Portugal", load, new, NOW)
    assert studies.set_status(store, "s", "open", studies.state(store, "s").version, NOW)
    return store


def put_at(store: Store, person_id: str, stage: str) -> None:
    """Put somebody at a stage, whatever comes before it."""
    with store.write() as session:
        session.get_one(Person, person_id).stage = stage


def person(store: Store, stage: str = "items", role: str = "annotator") -> tuple[str, str]:
    """Somebody at a stage: id and cookie."""
    secret = people.invite(store, "s", role, "PT" if role == "annotator" else None, 1, NOW)
    cookie = people.redeem(store, "s", secret, {}, NOW)
    assert cookie is not None
    found = people.who(store, "s", cookie, NOW)
    assert found is not None
    if role == "annotator" and stage != "consent":
        put_at(store, found.id, stage)
    return found.id, cookie


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
