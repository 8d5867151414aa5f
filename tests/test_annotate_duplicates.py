"""Entries that ask nearly the same: every alias is kept, one stays and the others point to it, or nothing is done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from homeground.annotate.app.merging import clusters, joined, merged
from homeground.annotate.store import Store, different, studies
from homeground.annotate.store.backup import backup, restore
from homeground.annotate.store.entries import Shown
from homeground.annotate.store.question_tables import Entry
from homeground.annotate.store.tables import Event
from homeground.annotate.store.writing import Written, merge, write
from homeground.schema import Gold, Question
from tests.annotating import NOW, database, hidden
from tests.community import Rooms, ask, proposed, somebody
from tests.test_annotate_community import forms, judge, migrated, rooms, shown, store

__all__ = ["migrated", "rooms", "store"]


def entry(number: int, question: str, *answers: str | Gold, **more: Any) -> Shown:  # noqa: ANN401
    content = Question(id=f"e{number}", question=question, answers=answers or None, **more)
    return Shown(f"e{number}", number, "main", "proposed", 1, content, NOW, NOW, None, False)


FORMS = st.lists(
    st.sampled_from(["Porto", "porto", "Oporto", "Lisboa", "Faro", "faro "]), min_size=1, max_size=3
)
GOLDS = st.lists(
    FORMS.map(lambda forms: Gold(forms=tuple(forms), count=len(forms))) | st.sampled_from(["Porto", "Braga"]),
    max_size=4,
)


@given(st.lists(GOLDS, min_size=2, max_size=4), st.integers(0, 3))
def test_merging_keeps_every_alias_and_every_vote(each: list[list[str | Gold]], which: int) -> None:
    those = [
        entry(n, "q", *golds, contrast={"BR": tuple(golds)} if golds else None)
        for n, golds in enumerate(each)
    ]
    keep = those[which % len(those)]
    others = [one for one in those if one is not keep]
    groups = joined(those, lambda question: question.answers)
    result = merged(keep, others, groups)

    def forms_of(answers: Sequence[str | Gold]) -> list[str]:
        return [form for a in answers for form in ((a,) if isinstance(a, str) else a.forms)]

    answers, all_ = result.answers or (), [gold for golds in each for gold in golds]
    assert set(forms_of(answers)) == set(forms_of(all_))
    votes = [sum(a.count or 0 for a in some if isinstance(a, Gold)) for some in (answers, all_)]
    assert votes[0] == votes[1]
    folded = [{" ".join(form.split()).casefold() for form in group.forms} for group in groups]
    assert sum(map(len, folded)) == len(set().union(*folded))
    assert (result.contrast or {}).get("BR", ()) == answers
    alone = merged(keep, others, [group for group in groups if keep.id in group.entries])
    assert set(forms_of(keep.question.answers or ())) <= set(forms_of(alone.answers or ()))


def test_clusters_hold_what_is_linked_by_way_of_others() -> None:
    texts = [
        "um dois três quatro cinco",
        "um dois três quatro cinco",
        "outra coisa",
        "um dois três quatro cinco!",
    ]
    (found,) = clusters([entry(n, text) for n, text in enumerate(texts)])
    assert [one.number for one in found] == [0, 1, 3]


def twins(rooms: Rooms) -> list[Written]:
    """Three that ask the same and one that does not."""
    writer = somebody(rooms.store, "author").id
    text = "Que nome tem em Portugal um café curto servido em chávena pequena"
    return [
        proposed(rooms.store, writer, one)
        for one in (
            ask(f"{text}?", "bica", contrast={"BR": ("cafezinho",)}),
            ask(f"{text}??", "Bica", "cimbalino"),
            ask(f"{text}!", "italiana", source="https://example.org"),
            ask("De que cor são os táxis?", "verdes"),
        )
    ]


def cluster(browser: TestClient) -> dict[str, str]:
    (found,) = forms(browser.get("/admin/duplicates").text, "/admin/duplicates")
    return found


def test_duplicates_are_merged_into_one_and_the_others_point_to_it(rooms: Rooms) -> None:
    store = rooms.store
    one, two, three, other = twins(rooms)
    browser, _ = rooms.enter("admin")
    page = browser.get("/admin/duplicates").text
    assert "táxis" not in page and page.count('name="keep"') == 3
    golds = re.findall(r'name="(gold_\d)" value="yes" checked> <span>(.*?) <small>', page)
    named = {re.sub("<[^>]+>", "", text): name for name, text in golds}
    assert list(named) == ["bica | Bica", "cimbalino", "italiana"]
    form = cluster(browser) | {"keep": two.entry}
    form.pop(named["italiana"])
    for _ in range(2):  # sent twice, it counts once
        done = browser.post("/admin/duplicates", data=form)
        assert done.status_code == 200 and "Merged into no. 2." in done.text
    kept = shown(store, two.entry)
    assert kept.version == 2 and kept.status == "proposed"
    assert kept.question.answers == (Gold(forms=("Bica", "bica")), "cimbalino")
    assert kept.question.contrast == {"BR": ("cafezinho",)} and kept.question.source == "https://example.org"
    for gone in (one, three):
        assert (shown(store, gone.entry).status, shown(store, gone.entry).merged_into) == (
            "merged",
            two.entry,
        )
        assert "asks the same as this one" in browser.get(f"/admin/entry/{gone.entry}").text
    text = browser.get(f"/admin/entry/{two.entry}").text
    assert "Merged into this one" in text and "bica</ins>" in text
    assert shown(store, other.entry).version == 1
    assert "No two questions" in browser.get("/admin/duplicates").text


def test_a_part_of_a_cluster_can_be_merged(rooms: Rooms) -> None:
    one, two, three, _ = twins(rooms)
    browser, _ = rooms.enter("admin")
    form = cluster(browser) | {"keep": one.entry}
    form.pop(f"take_{three.entry}")
    assert browser.post("/admin/duplicates", data=form).status_code == 200
    assert shown(rooms.store, one.entry).question.answers == (Gold(forms=("bica", "Bica")), "cimbalino")
    assert shown(rooms.store, three.entry) == shown(rooms.store, three.entry)._replace(
        status="proposed", version=1
    )
    assert shown(rooms.store, two.entry).status == "merged"


def test_what_cannot_be_merged_is_told_and_the_ticks_stay(rooms: Rooms) -> None:
    store = rooms.store
    one, two, three, _ = twins(rooms)
    browser, _ = rooms.enter("admin")
    form = cluster(browser) | {"keep": three.entry}

    def told(fields: dict[str, str]) -> str:
        page = browser.post("/admin/duplicates", data=fields)
        assert page.status_code == 400 and f'value="{fields.get("keep")}" required checked' in page.text
        assert {shown(store, each.entry).version for each in (one, two, three)} == {1}
        return str(page.text)

    without = {name: value for name, value in form.items() if not name.startswith(("gold_", "take_"))}
    assert "At least one right answer" in told({n: v for n, v in form.items() if not n.startswith("gold_")})
    page = told(without | {"gold_0": "yes"})
    assert "Tick at least one other" in page and page.count(" checked> <span>") == 1
    for wrong in (
        form | {"keep": "none"}, form | {f"version_{one.entry}": "x"}, form | {"client": ""},
        form | {f"version_{n}": "1" for n in range(20)}, hidden(page) | {"keep": one.entry, "client": "x" * 65},
    ):  # fmt: skip
        assert browser.post("/admin/duplicates", data=wrong).status_code == 400


def test_what_the_trial_round_says_never_gets_into_an_entry_of_another(rooms: Rooms) -> None:
    store = rooms.store
    one, two, three, _ = twins(rooms)
    browser, admin = rooms.enter("admin")
    before = cluster(browser)
    with store.write() as session:
        session.get_one(Entry, two.entry).round = "trial"
    form = cluster(browser)
    assert form.keys() & {f"version_{each.entry}" for each in (one, two, three)} == {
        f"version_{one.entry}",
        f"version_{three.entry}",
    }
    for keep in (one, two):
        told = browser.post("/admin/duplicates", data=before | {"keep": keep.entry})
        assert told.status_code == 400 and "never reaches the release" in told.text
        others = [(each.entry, 1) for each in (one, two) if each is not keep]
        assert merge(store, admin.id, keep.entry, (keep.entry, 1), others, ask("Q?"), NOW) == "closed"
    assert {shown(store, each.entry).version for each in (one, two)} == {1}
    # Among themselves they can be merged, as in any round.
    with store.write() as session:
        session.get_one(Entry, one.entry).round = "trial"
    assert browser.post("/admin/duplicates", data=cluster(browser)).status_code == 200
    assert shown(store, two.entry).merged_into == one.entry and shown(store, three.entry).version == 1


def test_what_is_found_to_be_different_is_no_longer_shown_until_it_changes(rooms: Rooms) -> None:
    store = rooms.store
    one, two, three, _ = twins(rooms)
    (browser, admin), (other, _) = rooms.enter("admin"), rooms.enter("admin")
    form, late = cluster(browser) | {"do": "different"}, cluster(other)
    for _ in range(2):  # sent twice, it counts once
        done = browser.post("/admin/duplicates", data=form)
        assert done.status_code == 200 and "Noted" in done.text and "No other group" in done.text
    assert "not to ask the same: 1." in done.text and len(said(store)) == 1
    assert re.search(r"Duplicates</span> <b>0</b>", browser.get("/admin").text)
    # Whoever still has the page before them is told, and nothing is merged.
    assert other.post("/admin/duplicates", data=late).status_code == 409
    # One of them out of the set: the others stay as they were found.
    judge(store, somebody(store, "adjudicator"), two, "reject")
    assert "No other group" in browser.get("/admin/duplicates").text
    page = browser.get("/admin/duplicates?aside=yes").text
    assert "Look at it again" in page and 'name="keep"' not in page and page.count('class="card"') == 2
    # Another one that asks the same: nobody has looked at it beside these.
    fourth = proposed(store, somebody(store, "author").id, shown(store, one.entry).question)
    assert f"version_{fourth.entry}" in cluster(browser)
    browser.post("/admin/duplicates", data=cluster(browser) | {"do": "different"})
    assert "No other group" in browser.get("/admin/duplicates").text
    newer = shown(store, three.entry).question
    assert isinstance(write(store, admin.id, "r", newer, NOW, entry=three.entry, base=1), Written)
    assert f"version_{three.entry}" in cluster(browser)


def test_it_can_be_taken_back_that_questions_were_found_to_be_different(rooms: Rooms) -> None:
    store = rooms.store
    one, two, *_ = twins(rooms)
    browser, _ = rooms.enter("admin")
    browser.post("/admin/duplicates", data=cluster(browser) | {"do": "different"})
    judge(store, somebody(store, "adjudicator"), one, "reject")
    (form,) = forms(browser.get("/admin/duplicates?aside=yes").text, "/admin/duplicates")
    for _ in range(2):
        done = browser.post("/admin/duplicates", data=form | {"do": "alike"})
        assert done.status_code == 200 and f"version_{two.entry}" in cluster(browser)
    assert said(store) == [] and "not to ask the same" not in done.text
    assert "No group was found" in browser.get("/admin/duplicates?aside=yes").text
    assert browser.post("/admin/duplicates", data=form | {"do": "alike", "key": "x"}).status_code == 409
    studies.set_status(store, "s", "closed", studies.state(store, "s").version, NOW)
    told = browser.post("/admin/duplicates", data=cluster(browser) | {"do": "different"})
    assert told.status_code == 409 and "The study is closed" in told.text and said(store) == []


def test_of_a_large_group_all_are_to_be_seen_before_they_are_found_to_be_different(rooms: Rooms) -> None:
    writer = somebody(rooms.store, "author").id
    for number in range(15):
        proposed(rooms.store, writer, ask("Que nome tem um café curto em Portugal" + "?" * (number + 1)))
    browser, _ = rooms.enter("admin")
    page = browser.get("/admin/duplicates").text
    assert page.count('name="keep"') == 12 and "And 3 more" in page and f"curto em Portugal{'?' * 15}" in page
    browser.post("/admin/duplicates", data=cluster(browser) | {"do": "different"})
    assert [len(group) for group in said(rooms.store)] == [15]
    # One joins that is not among those that can be merged now; these can be all the same.
    proposed(rooms.store, writer, ask("Que nome tem um café curto em Portugal" + "?" * 16))
    assert "Merged into no. 1." in browser.post("/admin/duplicates", data=cluster(browser)).text


def said(store: Store) -> list[different.Group]:
    return different.groups(store, "s")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_admins_at_once_find_the_same_once_and_a_backup_keeps_it(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as url:
        store = Store(url)
        store.migrate()
        rooms = Rooms(store)
        one, two, three, _ = twins(rooms)
        admins = [somebody(store, "admin").id for _ in range(4)]
        group = frozenset((each.entry, each.version) for each in (one, two, three))

        def find(admin: str) -> str | None:
            return different.set_aside(store, admin, group, NOW)

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(find, admins)) == [None] * 4
        with store.read() as session:
            assert len(session.scalars(select(Event).where(Event.kind == "different")).all()) == 1
        # While one merges and others look, either comes first, and the others are told.
        assert different.take_back(store, admins[0], group, NOW) is None
        pair, text = [(two.entry, 1)], ask("Q?")

        def act(number: int) -> object:
            if number:
                return find(admins[number])
            return merge(store, admins[0], "m", (one.entry, 1), pair, text, NOW)

        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(act, range(4)))
        assert done[0] == Written(one.entry, 2) and set(done[1:]) <= {None, "conflict"}
        assert said(store) == ([group] if None in done[1:] else [])
        assert find(admins[0]) == "conflict"
        rest = frozenset({(one.entry, 2), (three.entry, 1)})
        assert different.set_aside(store, admins[0], rest, NOW) is None
        assert different.set_aside(store, somebody(store, "author").id, rest, NOW) == "closed"
        backup(store, tmp_path / "b")
        restore(tmp_path / "b", str(tmp_path / "new.sqlite"))
        again = Store(str(tmp_path / "new.sqlite"))
        assert said(again) == said(store) and rest in said(again)
        again.close()
        store.close()


@pytest.mark.parametrize("what", ["revised", "rejected", "merged"])
def test_who_merges_what_was_changed_meanwhile_is_told(rooms: Rooms, what: str) -> None:
    store = rooms.store
    one, two, three, _ = twins(rooms)
    (browser, _), (other, _) = rooms.enter("admin"), rooms.enter("admin")
    form = cluster(browser) | {"keep": one.entry}
    if what == "revised":
        newer = ask("Outra coisa?", "outra")
        admin = somebody(store, "admin").id
        assert isinstance(write(store, admin, "r", newer, NOW, entry=two.entry, base=1), Written)
    elif what == "rejected":
        judge(store, somebody(store, "adjudicator"), two, "reject")
    else:
        assert other.post("/admin/duplicates", data=cluster(other) | {"keep": two.entry}).status_code == 200
    before = [shown(store, each.entry) for each in (one, two, three)]
    told = browser.post("/admin/duplicates", data=form)
    assert told.status_code == 409 and "Nothing was done" in told.text
    assert [shown(store, each.entry) for each in (one, two, three)] == before
    studies.set_status(store, "s", "closed", studies.state(store, "s").version, NOW)
    if what == "rejected":
        again = browser.post("/admin/duplicates", data=cluster(browser))
        assert again.status_code == 409 and "The study is closed" in again.text
