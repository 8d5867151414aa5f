"""Retention: who people are goes when they have ended long enough ago, and nothing but that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from homeground.annotate.store import Store, people, recruiting, studies
from homeground.annotate.store.leases import Given, Load, lease, submit
from homeground.annotate.store.people import DAY
from homeground.annotate.store.retention import forget, forget_daily, forgetting
from homeground.annotate.store.tables import Base, Event, Identity, Login, Person
from homeground.cli import main
from tests.annotating import NOW, database, filled, put_at
from tests.backups import KINDS

Rows = dict[str, dict[str, tuple[Any, ...]]]


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with database(request.param, tmp_path) as url:
        found = filled(url, 5, Load(3, 20, 0))
        yield found
        found.close()


class One(NamedTuple):
    """Somebody with all that says who they are."""

    id: str
    cookie: str
    link: str


def somebody(store: Store, number: str, now: float, role: str = "annotator") -> One:
    secret = people.invite(store, "s", role, "PT" if role == "annotator" else None, 1, now)
    cookie = people.redeem(store, "s", secret, {"PROLIFIC_PID": number}, now)
    assert cookie is not None
    who = people.who(store, "s", cookie, now)
    assert who is not None
    if role == "annotator":
        people.consented(store, who.id, "en", "I agree", now)
    return One(who.id, cookie, people.private_link(store, who.id))


def judging(store: Store, number: str, now: float) -> One:
    """Somebody who has judged an item and is at the next."""
    one = somebody(store, number, now)
    assert people.lived_there(store, one.id, 9, 5, now)
    people.advance(store, one.id, "instructions", now)
    given = lease(store, one.id, now)
    assert isinstance(given, Given)
    assert submit(store, one.id, one.id, given.item, "confirm", "a comment", now) == "kept"
    return one


def done(store: Store, number: str, now: float) -> One:
    one = judging(store, number, now)
    people.advance(store, one.id, "items", now)
    return one


def screened_out(store: Store, number: str, now: float) -> One:
    one = somebody(store, number, now)
    assert not people.lived_there(store, one.id, 1, 5, now)
    return one


def everything(store: Store) -> Rows:
    with store.read() as session:
        return {
            str(table.name): {
                repr([row._mapping[column] for column in table.primary_key]): tuple(row)
                for row in session.execute(table.select())
            }
            for table in Base.metadata.sorted_tables
        }


def known(store: Store) -> set[str]:
    """Of whom there is anything that says who they are."""
    with store.read() as session:
        return {
            *session.scalars(select(Identity.person_id)),
            *session.scalars(select(Login.person_id)),
            *session.scalars(select(Person.id).where(Person.link_hash.is_not(None))),
        }


def close(store: Store, now: float) -> None:
    assert studies.set_status(store, "s", "closed", studies.state(store, "s").version, now)


def test_who_has_ended_is_forgotten_and_nothing_else_is(store: Store) -> None:
    gone = [done(store, "5f01", NOW), screened_out(store, "5f02", NOW)]
    last = done(store, "5f03", NOW)
    with store.write() as session:  # nothing is left of one but the private link
        for table in ("identity", "session"):
            session.execute(text(f"DELETE FROM {table} WHERE person_id = :id"), {"id": last.id})  # noqa: S608
    gone.append(last)
    kept = [
        judging(store, "5f04", NOW),
        somebody(store, "5f05", NOW),
        done(store, "5f06", NOW + DAY),
        somebody(store, "5f07", NOW, "admin"),
    ]
    again = done(store, "5f08", NOW)
    put_at(store, again.id, "items")  # had ended, and is back
    kept.append(again)
    now = NOW + 10.5 * DAY
    assert forget(store, "s", 11, now) == 0
    before = everything(store)
    assert forget(store, "s", 10, now) == 3
    after = everything(store)
    assert known(store) == {one.id for one in kept}
    for one in gone:
        assert (
            people.of_link(store, "s", one.link) is None and people.who(store, "s", one.cookie, now) is None
        )
    for one in kept:
        assert people.of_link(store, "s", one.link) == people.who(store, "s", one.cookie, now) != None  # noqa: E711
    assert after["spent"] == {}  # they came by invitations, which nobody can use again
    assert {name for name in before if before[name] != after[name]} == {
        "identity",
        "session",
        "person",
        "event",
    }
    assert after["identity"].items() < before["identity"].items()
    assert after["session"].items() < before["session"].items()
    link = list(Person.__table__.columns.keys()).index("link_hash")
    assert after["person"] == {
        key: (*row[:link], None, *row[link + 1 :]) if any(one.id in row for one in gone) else row
        for key, row in before["person"].items()
    }
    (said,) = set(after["event"].values()) - set(before["event"].values())
    assert said[1:] == (now, "s", "forgotten", "s", "3")
    assert not any(one.id in str(said) for one in gone)
    assert forget(store, "s", 10, now) == 0
    assert everything(store) == after


def test_a_closed_study_forgets_all_who_took_part(store: Store) -> None:
    everybody = [
        judging(store, "5f01", NOW),
        somebody(store, "5f02", NOW),
        done(store, "5f03", NOW + 9 * DAY),
    ]
    admin = somebody(store, "5f04", NOW, "admin")
    close(store, NOW + 10 * DAY)
    assert forget(store, "s", 10, NOW + 19 * DAY) == 0
    assert known(store) == {admin.id, *(one.id for one in everybody)}
    assert forget(store, "s", 10, NOW + 20.5 * DAY) == 3
    assert known(store) == {admin.id}
    assert forget(store, "s", 10, NOW + 99 * DAY) == 0
    assert len({said.person for said in studies.said(store, "s")} - {""}) == 2


def test_a_paused_study_and_other_studies_forget_nobody(store: Store) -> None:
    one = judging(store, "5f01", NOW)
    assert studies.set_status(store, "s", "paused", studies.state(store, "s").version, NOW)
    studies.put(store, "other", "cue-check", "Another", Load(3, 20, 0), (), NOW)
    assert studies.set_status(store, "other", "closed", 1, NOW)
    assert forget(store, "s", 1, NOW + 99 * DAY) == forget(store, "other", 1, NOW + 99 * DAY) == 0
    assert known(store) == {one.id}


def test_a_number_that_is_forgotten_joins_again_only_once_the_study_is_closed(store: Store) -> None:
    secret = recruiting.share(store, "s", "prolific", "PT", 9, 99, NOW)
    number = {"PROLIFIC_PID": "5f01"}
    cookie, _ = recruiting.join(store, "s", secret, number, NOW)
    who = people.who(store, "s", cookie or "", NOW)
    assert who is not None
    people.consented(store, who.id, "en", "I agree", NOW)
    assert not people.lived_there(store, who.id, 1, 5, NOW)
    assert forget(store, "s", 1, NOW + 2 * DAY) == 1
    assert who.id not in known(store)
    (row,) = everything(store)["spent"].values()
    assert row[1:] == ("s",) and who.id not in row and "5f01" not in str(row)
    for _ in range(2):
        assert recruiting.join(store, "s", secret, number, NOW + 3 * DAY) == (None, "again")
        assert forget(store, "s", 1, NOW + 3 * DAY) == 0
    close(store, NOW + 4 * DAY)
    forget(store, "s", 99, NOW + 4 * DAY)
    assert everything(store)["spent"] == {}


def holding(folder: Path, trace: bytes) -> set[str]:
    return {path.suffix for path in folder.iterdir() if trace in path.read_bytes()}


@pytest.mark.parametrize("how", ["forgotten", "withdrawn"])
def test_what_is_erased_is_in_no_file_of_the_database_any_more(how: str, tmp_path: Path) -> None:
    store = filled(str(tmp_path / "s.sqlite"), 5, Load(3, 20, 0))
    one = done(store, "5f01aa02bb03", NOW)
    assert holding(tmp_path, b"5f01aa02bb03")
    if how == "forgotten":
        assert forget(store, "s", 1, NOW + 2 * DAY) == 1
    else:
        people.withdraw(store, one.id, NOW)
        assert not holding(tmp_path, b"a comment")
    assert (tmp_path / "s.sqlite-wal").stat().st_size == 0
    assert not holding(tmp_path, b"5f01aa02bb03")
    store.close()


def test_who_reads_meanwhile_keeps_it_in_the_log_until_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homeground.annotate.store.database._BRIEFLY", 1)
    store = filled(str(tmp_path / "s.sqlite"), 5, Load(3, 20, 0))
    one = done(store, "5f01aa02bb03", NOW)
    with store.read() as session:
        assert session.scalars(select(Person.id)).all()
        people.withdraw(store, one.id, NOW)
        assert holding(tmp_path, b"5f01aa02bb03")
    assert forget(store, "s", 1, NOW) == 0
    assert not holding(tmp_path, b"5f01aa02bb03")
    store.close()


def test_once_a_day_and_again_when_the_database_refuses(tmp_path: Path) -> None:
    store = filled(str(tmp_path / "s.sqlite"), 5, Load(3, 20, 0))
    done(store, "5f01", NOW)
    late = done(store, "5f02", NOW + 1.5 * DAY)
    clock, waits, left = [NOW + 2 * DAY], list[float](), list[int]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        left.append(len(known(store)) if len(waits) != 2 else -1)
        clock[0] += seconds
        names = {1: ("event", "hidden"), 2: ("hidden", "event")}
        if len(waits) in names:
            with store.write() as session:
                session.execute(text("ALTER TABLE {} RENAME TO {}".format(*names[len(waits)])))
        if len(waits) == 4:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(forget_daily(store, "s", 1, lambda: clock[0], sleep))
    assert waits == [DAY, 3_600, DAY, DAY]
    assert left == [1, -1, 0, 0] and late.id not in known(store)
    store.close()


def test_a_server_forgets_while_it_runs(tmp_path: Path) -> None:
    store = filled(str(tmp_path / "s.sqlite"), 5, Load(3, 20, 0))
    done(store, "5f01", NOW)
    app = FastAPI(lifespan=lambda _: forgetting(store, "s", 1, lambda: NOW + 2 * DAY))

    @app.get("/")
    async def left() -> int:
        for _ in range(2_000):
            if not known(store):
                break
            await asyncio.sleep(0.01)
        return len(known(store))

    with TestClient(app) as client:
        assert client.get("/").json() == 0
    with store.read() as session:
        assert session.scalars(select(Event.detail).where(Event.kind == "forgotten")).all() == ["1"]
    store.close()


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = str(tmp_path / "s.sqlite")
    store = filled(url, 5, Load(3, 20, 0))
    done(store, "5f01", NOW - 5_000 * DAY)
    store.close()
    ask = ["annotate", "retention", "--db", url, "--days"]
    with pytest.raises(SystemExit):
        main([*ask, "-1"])
    assert capsys.readouterr().err
    assert main([*ask, "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"study": "s", "forgotten": 1}
    assert main([*ask, "1"]) == 0
    assert "0 people" in capsys.readouterr().out
