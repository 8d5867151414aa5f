"""The store of studies: items given out by many at once, judgements kept once and for ever, people erased."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from homeground.annotate.store import Store, people, progress, recruiting, replies, studies
from homeground.annotate.store.leases import Given, Load, lease, submit
from homeground.annotate.store.tables import Base, Study
from homeground.errors import InputError
from tests.annotating import DRIVERS, NOW, database, filled, person

PROCESSES, PEOPLE, ITEMS, QUOTA = 12, 2, 20, 3


@pytest.fixture(params=["sqlite", *DRIVERS])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


def _work(url: str, who: list[str], until: float) -> list[tuple[str, str, str]]:
    """Judge until nothing is left, each form sent twice: (person, item, client id) of all that was acknowledged."""
    store, done, kept = Store(url), set[str](), []
    while len(done) < len(who):
        # If another process dies with a lease, the clock stands still and its item never comes free.
        assert time.monotonic() < until, "waited for an item that nobody gives back"
        for person_id in who:
            if person_id in done:
                continue
            given = lease(store, person_id, NOW)
            if isinstance(given, Given):
                client = f"{person_id}{given.item}"
                first = submit(store, person_id, client, given.item, "confirm", "", NOW)
                again = submit(store, person_id, client, given.item, "reject", "", NOW)
                assert (first, again) == ("kept", "had")
                kept.append((person_id, given.item, client))
            elif given == "done":
                done.add(person_id)
    store.close()
    return kept


def test_twelve_processes_at_once_give_nothing_out_too_often_and_lose_nothing(url: str) -> None:
    store = filled(url, ITEMS, Load(QUOTA, 20, 0))
    everybody = [[person(store)[0] for _ in range(PEOPLE)] for _ in range(PROCESSES)]
    store.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["homeground.annotate.store.leases", "pg8000", "psycopg"])
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        kept = [
            one
            for part in pool.map(_work, [url] * PROCESSES, everybody, [time.monotonic() + 240] * PROCESSES)
            for one in part
        ]
    given = Counter(item for _, item, _ in kept)
    over = sum(max(0, count - QUOTA) for count in given.values())
    assert over == 0
    assert len(kept) == ITEMS * QUOTA and set(given.values()) == {QUOTA}
    assert len({(who, item) for who, item, _ in kept}) == len(kept)
    with store.read() as session:
        stored = session.execute(text("SELECT client_id, verdict FROM judgement")).all()
        left = session.scalar(text("SELECT count(*) FROM lease"))
    assert sorted(client for client, _ in stored) == sorted(client for *_, client in kept)
    assert {verdict for _, verdict in stored} == {"confirm"}
    assert left == 0
    store.close()


def _work_aloud(url: str, who: str, said: Connection) -> None:
    store = Store(url)
    while isinstance(given := lease(store, who, NOW), Given):
        if submit(store, who, given.item, given.item, "confirm", "a word", NOW) == "kept":
            said.send(given.item)


@pytest.mark.parametrize("after", [1, 7])
def test_what_was_acknowledged_survives_a_kill(url: str, after: int) -> None:
    store = filled(url, 200, Load(3, 20, 0))
    one, _ = person(store)
    context = multiprocessing.get_context("forkserver")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work_aloud, args=(url, one, there))
    process.start()
    there.close()
    acknowledged = [here.recv() for _ in range(after)]
    process.kill()
    process.join()
    while here.poll():
        try:
            acknowledged.append(here.recv())
        except EOFError:
            break
    kept = {s.item: s.comment for s in studies.said(store, "s")}
    assert set(acknowledged) <= set(kept) and set(kept.values()) == {"a word"}
    assert len(kept) < 200
    assert isinstance(lease(store, one, NOW), Given)  # and the work goes on
    store.close()


def test_an_item_in_hand_is_given_to_others_only_when_its_time_is_up(url: str) -> None:
    store = filled(url, 1, Load(1, 20, 0))
    (one, _), (two, _) = person(store), person(store)
    assert isinstance(lease(store, one, NOW), Given)
    assert isinstance(lease(store, one, NOW + 60), Given)  # the same person gets it back, with new time
    assert lease(store, two, NOW + 1_259) == "wait"
    assert isinstance(lease(store, two, NOW + 1_261), Given)
    assert submit(store, one, "c1", "i0", "confirm", "", NOW + 1_300) == "late"
    assert submit(store, two, "c2", "i0", "reject", "", NOW + 1_300) == "kept"
    assert lease(store, one, NOW + 1_300) == "done"
    store.close()


def test_a_late_answer_that_is_still_needed_is_kept(url: str) -> None:
    store = filled(url, 1, Load(1, 20, 0))
    one, _ = person(store)
    assert isinstance(lease(store, one, NOW), Given)
    assert submit(store, one, "c", "i0", "confirm", "", NOW + 9_999) == "kept"
    store.close()


def test_nobody_gets_more_than_their_share_or_anything_while_the_study_rests(url: str) -> None:
    store = filled(url, 5, Load(3, 20, 2))
    one, _ = person(store)
    for number in range(2):
        given = lease(store, one, NOW)
        assert isinstance(given, Given)
        assert submit(store, one, f"c{number}", given.item, "unsure", "", NOW) == "kept"
    assert lease(store, one, NOW) == "done"
    other, _ = person(store)
    assert studies.set_status(store, "s", "paused", 2, NOW)
    assert lease(store, other, NOW) == "paused"
    assert studies.set_status(store, "s", "closed", 3, NOW)
    assert lease(store, other, NOW) == "closed"
    assert submit(store, other, "c9", "i0", "unsure", "", NOW) == "closed"
    assert studies.set_status(store, "s", "open", 4, NOW)
    assert studies.state(store, "s").status == "closed"
    store.close()


def test_what_was_said_and_what_happened_cannot_be_changed(url: str) -> None:
    store = filled(url, 1, Load(3, 20, 0))
    one, _ = person(store)
    assert submit(store, one, "c", "i0", "confirm", "", NOW) == "kept"
    changes = (
        "UPDATE judgement SET verdict = 'x'",
        "DELETE FROM judgement",
        "UPDATE event SET kind = 'x'",
        "DELETE FROM event",
    )
    for change in changes:
        with pytest.raises(DBAPIError, match="append-only"), store.write() as session:
            session.execute(text(change))
    store.close()


def test_withdrawal_erases_the_person_and_keeps_the_bare_answer(url: str) -> None:
    store = filled(url, 2, Load(3, 20, 0))
    number = "no hash holds this"
    secret = people.invite(store, "s", "annotator", "PT", 1, NOW)
    cookie = people.redeem(store, "s", secret, {"PROLIFIC_PID": number, "password": "x"}, NOW)
    assert cookie is not None
    one = people.who(store, "s", cookie, NOW)
    assert one is not None and one.pseudonym
    people.consented(store, one.id, "en", "I agree", NOW)
    assert people.redeem(store, "s", secret, {}, NOW) is None
    assert people.lived_there(store, one.id, 9, 5, NOW)
    people.advance(store, one.id, "instructions", NOW)
    link = people.private_link(store, one.id)
    assert isinstance(lease(store, one.id, NOW), Given)
    assert submit(store, one.id, "c", "i0", "reject", "my uncle owns it", NOW) == "kept"
    assert [(s.person, s.comment) for s in studies.said(store, "s")] == [(one.pseudonym, "my uncle owns it")]
    people.withdraw(store, one.id, NOW)
    assert people.who(store, "s", cookie, NOW) is None and people.of_link(store, "s", link) is None
    # Requests that were let in before find nobody any more.
    with pytest.raises(people.Withdrawn):
        people.private_link(store, one.id)
    with pytest.raises(people.Withdrawn):
        people.login(store, one.id, NOW)
    replies.said_at_the_end(store, one.id, "I am Maria", NOW)
    assert [(s.verdict, s.person, s.comment) for s in studies.said(store, "s")] == [("reject", "", "")]
    assert studies.people(store, "s") == []
    assert submit(store, one.id, "d", "i1", "reject", "", NOW) == "closed"
    with store.read() as session:
        everything = " ".join(
            str(row) for table in Base.metadata.sorted_tables for row in session.execute(table.select()).all()
        )
        events = session.execute(text("SELECT kind, subject FROM event WHERE kind = 'judged'")).all()
    for trace in (number, "uncle", "Maria", str(one.pseudonym), secret, cookie, link):
        assert trace not in everything
    assert [tuple(event) for event in events] == [("judged", "i0")]
    store.close()


def test_who_presses_begin_many_times_at_once_is_one_person(url: str) -> None:
    store = filled(url, 1, Load(3, 20, 0))
    invited = people.invite(store, "s", "annotator", "PT", 1, NOW)
    shared = recruiting.share(store, "s", "prolific", "PT", 9, 1, NOW)

    def by_link() -> str | None:
        return recruiting.join(store, "s", shared, {"PROLIFIC_PID": "5f01"}, NOW)[0]

    for begin in (by_link, lambda: people.redeem(store, "s", invited, {}, NOW)):
        before = len(studies.people(store, "s"))
        with ThreadPoolExecutor(8) as pool:
            cookies = [cookie for cookie in pool.map(lambda press: press(), [begin] * 8) if cookie]
        assert len(cookies) == 8 and len(studies.people(store, "s")) == before + 1
        # The one that came last holds; which of them that was, the browser knows.
        assert sum(people.who(store, "s", cookie, NOW) is not None for cookie in cookies) == 1
    assert recruiting.links(store, "s")[0].joined == 1
    store.close()


def test_nobody_begins_again_while_they_agree(url: str) -> None:
    """Both take the person; neither waits for the other for ever, and whoever has agreed is out of the link's reach."""
    store = filled(url, 1, Load(3, 20, 0))
    shared = recruiting.share(store, "s", "prolific", "PT", 99, 1, NOW)
    for number in range(12):
        given = {"PROLIFIC_PID": f"5f{number}"}
        cookie, _ = recruiting.join(store, "s", shared, given, NOW)
        who = people.who(store, "s", cookie or "", NOW)
        assert who is not None
        with ThreadPoolExecutor(3) as pool:
            agreed = pool.submit(people.consented, store, who.id, "en", "I agree", NOW)
            again = [pool.submit(recruiting.join, store, "s", shared, given, NOW) for _ in range(2)]
        agreed.result()
        assert {refusal for _, refusal in (one.result() for one in again)} <= {None, "again"}
        assert recruiting.join(store, "s", shared, given, NOW) == (None, "again")
    store.close()


def test_a_server_that_starts_does_not_undo_what_another_writes_meanwhile(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as found:
        store = filled(found, 1, Load(3, 20, 0))
        waiting = text(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        with ThreadPoolExecutor(1) as pool:
            with store.write() as session:
                study = session.get_one(Study, "s", with_for_update=True)
                study.settings = json.dumps(json.loads(study.settings) | {"round": "main"})
                session.flush()
                other = pool.submit(started, found)
                seen = 0
                while not seen and not other.done():
                    with store.read() as looking:
                        seen = looking.scalar(waiting) or 0
            other.result()
        assert seen == 1
        with store.read() as session:
            assert json.loads(session.get_one(Study, "s").settings)["round"] == "main"
        store.close()


def started(url: str) -> None:
    store = Store(url)
    studies.put(store, "s", "cue-check", "Cues of Portugal", Load(3, 20, 0), (), NOW)
    store.close()


def test_time_on_task_is_never_negative(url: str) -> None:
    """A clock is set back between the page and its form; a database from before holds such times for ever."""
    store = filled(url, 2, Load(1, 20, 0))
    one, _ = person(store)
    given = lease(store, one, NOW + 1)
    assert isinstance(given, Given)
    assert submit(store, one, "c", given.item, "confirm", "", NOW) == "kept"
    with store.write() as session:
        session.execute(
            text(
                "INSERT INTO judgement (client_id, item_id, verdict, made, seconds) "
                "VALUES ('old', :item, 'confirm', 0, -1)"
            ),
            {"item": "i0" if given.item == "i1" else "i1"},
        )
    assert [said.seconds for said in studies.said(store, "s")] == [0, None]
    assert progress.progress(store, "s", NOW)[0].seconds == 0
    store.close()


def test_the_migrations_make_the_tables_of_the_models(url: str) -> None:
    store = Store(url)
    store.migrate()
    store.migrate()
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert set(Base.metadata.tables) < set(inspect(connection).get_table_names())
    store.close()


def test_a_study_can_grow_but_never_shrinks(url: str) -> None:
    store = filled(url, 3, Load(3, 20, 0))
    grown = filled(url, 5, Load(2, 20, 0))
    filled(url, 1, Load(2, 20, 0)).close()
    (row,) = progress.progress(grown, "s", NOW)
    assert (row.items, row.needed) == (5, 10)
    store.close()
    grown.close()


def _cut_all(url: str) -> None:
    """End all connections to a database, as its server does when it is started anew."""
    other = Store(url)
    ended = (
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() "
    )
    with other.write() as session:
        assert session.scalar(text(ended + "AND pid <> pg_backend_pid()")) == 2, (
            "one that reads, one that writes"
        )
    other.close()


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("rested", [True, False])
def test_a_server_that_was_started_anew_is_found_again(
    driver: str, rested: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By connections that rested at once; by those in use, once each way has met the broken one."""
    with database(driver, tmp_path) as url:
        store = filled(url, 1, Load(3, 20, 0))
        _cut_all(url)
        if rested:
            monkeypatch.setattr("homeground.annotate.store.database._FRESH", -1.0)
        else:
            with pytest.raises((DBAPIError, OSError)):
                studies.state(store, "s")
            with pytest.raises((DBAPIError, OSError)):
                person(store)
        assert studies.state(store, "s").status == "open"
        assert isinstance(lease(store, person(store)[0], NOW), Given)
        store.close()


def test_a_database_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    filled(str(tmp_path / "s.sqlite"), 1, Load(3, 20, 0)).close()
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}


def test_an_unknown_database_is_one_clear_line() -> None:
    with pytest.raises(InputError, match="no database that can be used"):
        Store("oracle8://x")
