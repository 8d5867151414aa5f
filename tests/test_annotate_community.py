"""The admin's pages of a study of questions: overview, rounds, entries, guidelines."""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from homeground.annotate.app import draft
from homeground.annotate.app.entry_pages import MOST_EXAMPLES, PAGE, woven
from homeground.annotate.app.guideline_pages import LONGEST_NOTE
from homeground.annotate.store import Store, discussion, entries, guidance, people, studies, verdicts, writing
from homeground.annotate.store.entries import Shown
from homeground.annotate.store.writing import Written, write
from homeground.questions.guidelines import Rejected
from homeground.schema import Question
from tests.annotating import NOW, hidden
from tests.community import Rooms, Somebody, ask, proposed, somebody

PATHS = ("/admin", "/admin/entries", "/admin/guidelines", "/admin/duplicates")
BAD = '<script>alert("x")</script>'


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, migrated once."""
    file = tmp_path_factory.mktemp("migrated") / "s.sqlite"
    made = Store(str(file))
    made.migrate()
    made.close()
    return file


@pytest.fixture
def store(migrated: Path, tmp_path: Path) -> Iterator[Store]:
    made = Store(str(shutil.copy(migrated, tmp_path / "s.sqlite")))
    yield made
    made.close()


@pytest.fixture
def rooms(store: Store) -> Rooms:
    return Rooms(store)


def send(browser: TestClient, page: str, path: str, **fields: str) -> Any:  # noqa: ANN401
    """Fill in the page's form of a path and send it."""
    (form, *_) = forms(browser.get(page).text, path)
    return browser.post(path, data=form | fields)


def forms(page: str, path: str) -> list[dict[str, str]]:
    """The hidden and ticked fields of a page's forms of a path."""
    found = []
    for text in re.findall(rf'<form method="post" action="{path}(?:#\w+)?".*?</form>', page, re.DOTALL):
        ticked = re.findall(
            r'<input type="(?:radio|checkbox)" name="([^"]+)" value="([^"]*)"[^>]*checked>', text
        )
        found.append(hidden(text) | dict(ticked))
    return found


def judge(store: Store, who: Somebody, one: Written, decision: str, *broken: str, comment: str = "") -> None:
    marks, said = dict.fromkeys(broken, "breaks"), {"": comment}
    client = uuid.uuid4().hex
    outcome = verdicts.judge(store, who.id, client, one.entry, one.version, decision, marks, said, NOW)
    assert outcome == "kept"


def rejected_in_trial(rooms: Rooms, question: Question, comment: str = "everybody knows") -> Written:
    store = rooms.store
    assert writing.set_round(store, "s", "trial", studies.state(store, "s").version, NOW)
    one = proposed(store, somebody(store, "author").id, question)
    judge(store, somebody(store, "adjudicator"), one, "reject", "D1", comment=comment)
    return one


def shown(store: Store, entry: str) -> Shown:
    found = entries.shown(store, "s", entry)
    assert found is not None
    return found


# ---- who may, and how it stands -----------------------------------------------------------------


def test_pages_are_for_admins_alone(rooms: Rooms) -> None:
    one = rejected_in_trial(rooms, ask("Que cor têm os táxis?"))
    paths = (*PATHS, f"/admin/entry/{one.entry}")
    posts = ("/admin/round", "/admin/guidelines", "/admin/duplicates", f"/admin/entry/{one.entry}/example")
    admin, _ = rooms.enter("admin")
    assert [admin.get(path).status_code for path in paths] == [200] * len(paths)
    for role in ("author", "adjudicator"):
        browser, _ = rooms.enter(role)
        assert {browser.get(path).status_code for path in paths} == {403}
        assert {browser.post(path).status_code for path in posts} == {403}
    assert {rooms.browser().get(path).status_code for path in paths} == {401}
    for path in posts:
        assert admin.post(path).status_code == 403  # no token
        assert admin.get(path).status_code == 200  # a change of language


def test_the_overview_says_who_did_what(store: Store) -> None:
    rooms = Rooms(store, quota=2)
    writer, gone = somebody(store, "author"), somebody(store, "author")
    one, two, three = (somebody(store, "adjudicator") for _ in range(3))
    questions = [proposed(store, writer.id, ask(f"Pergunta número {n} {'abc'[n]}?")) for n in range(3)]
    write(store, writer.id, "d", ask("Um rascunho?"), NOW)
    lost = proposed(store, gone.id, ask("De quem saiu?"))
    for judges, decisions, entry in (
        ((one, two), ("accept", "accept"), questions[0]),
        ((one, two), ("reject", "accept"), questions[1]),
        ((one,), ("send_back",), questions[2]),
        ((two, three), ("reject", "reject"), lost),
    ):
        for who, decision in zip(judges, decisions, strict=True):
            judge(store, who, entry, decision, *(["L2", "E1"] if decision == "reject" else []))
    people.withdraw(store, gone.id, NOW)
    page = rooms.enter("admin")[0].get("/admin").text
    rows = {
        re.sub("<[^>]+>", "", row[0]): [int(cell) for cell in re.findall(r"<td[^>]*>(\d+)</td>", row[1])]
        for row in re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', page)
    }
    assert rows[writer.pseudonym] == [3, 2, 1, 0, 0]
    assert rows["withdrawn"] == [1, 0, 0, 0, 1]
    assert rows[one.pseudonym] == [3, 1, 1, 1] and rows[two.pseudonym] == [3, 2, 0, 1]
    assert rows[three.pseudonym] == [1, 0, 0, 1]
    assert re.search(r"Waiting</span> <b>2</b> <small>for a tie-break: 1", page)
    assert re.search(r'<progress max="3" value="3" aria-label="L2">', page)
    assert re.search(r"Versions with two verdicts</th><td>3</td>", page) and "67\N{NO-BREAK SPACE}%" in page
    assert 'href="/admin/entries?status=accepted&amp;round=main">1</a>' in page


def test_two_admins_change_the_round_and_the_second_is_told(rooms: Rooms) -> None:
    (one, _), (two, _) = rooms.enter("admin"), rooms.enter("admin")
    (form,) = forms(two.get("/admin").text, "/admin/round")
    assert '<input type="checkbox" name="sure" value="yes" required>' in one.get("/admin").text
    assert send(one, "/admin", "/admin/round").status_code == 400, "nobody begins a trial round unawares"
    assert entries.round_now(rooms.store, "s") == "main"
    assert send(one, "/admin", "/admin/round", sure="yes").status_code == 200
    assert entries.round_now(rooms.store, "s") == "trial"
    told = two.post("/admin/round", data=form | {"round": "main"})
    assert told.status_code == 409 and "Somebody else changed the study" in told.text
    assert entries.round_now(rooms.store, "s") == "trial"
    assert two.post("/admin/round", data=form | {"round": "review"}).status_code == 400
    send(two, "/admin", "/admin/round")
    assert entries.round_now(rooms.store, "s") == "main"
    assert "now: trial round" in two.get("/admin").text


def stand(store: Store, status: str) -> None:
    assert studies.set_status(store, "s", status, studies.state(store, "s").version, NOW)


@pytest.mark.parametrize("round_", ["trial", "main"])
def test_the_overview_says_how_the_study_stands(rooms: Rooms, round_: str) -> None:
    store = rooms.store
    if round_ == "trial":
        assert writing.set_round(store, "s", "trial", studies.state(store, "s").version, NOW)
    admin, _ = rooms.enter("admin")
    running = f"{'A trial' if round_ == 'trial' else 'The main'} round is running"
    assert running in admin.get("/admin").text
    stand(store, "paused")
    page = admin.get("/admin").text
    assert running not in page and "nothing is taken until you start it" in page
    assert ("never reaches the release" in page) == (round_ == "trial")
    (form,) = forms(page, "/admin/round")
    stand(store, "closed")
    page = admin.get("/admin").text
    assert running not in page and "has ended" in page and "Invite writers" not in page
    assert '<option value="admin">' in page and '<option value="author">' not in page
    now = str(studies.state(store, "s").version)
    told = admin.post("/admin/round", data=form | {"sure": "yes", "version": now})
    assert told.status_code == 409 and entries.round_now(store, "s") == round_
    invited = form | {"role": "author", "culture": "PT", "days": "3"}
    assert admin.post("/admin/invite", data=invited).status_code == 409


def test_everybody_is_told_that_the_study_rests_or_has_ended(rooms: Rooms) -> None:
    store = rooms.store
    (writer, who), (new, _), (judge_, _) = (
        rooms.enter("author"),
        rooms.enter("author"),
        rooms.enter("adjudicator"),
    )
    one = proposed(store, who.id, ask("Que cor?"))
    pages = ((writer, "/desk"), (writer, f"/question/{one.entry}"), (new, "/desk"), (judge_, "/queue"))
    assert "Think of something" in new.get("/desk").text
    for status, said, other in (
        ("paused", "The study is resting", "has ended"),
        ("closed", "The study has ended", "resting"),
    ):
        stand(store, status)
        for browser, path in pages:
            text = browser.get(path).text
            assert said in text and other not in text, (status, path)
        assert "Think of something" not in new.get("/desk").text
    admin, _ = rooms.enter("admin")
    assert f'href="/question/{one.entry}"' not in admin.get(f"/admin/entry/{one.entry}").text


def test_the_desk_counts_what_can_be_released_and_has_pages(rooms: Rooms) -> None:
    store = rooms.store
    (browser, me), (judge_, _) = rooms.enter("author"), (somebody(store, "adjudicator"), None)
    accepted = [proposed(store, me.id, ask(f"Pergunta {n}?")) for n in range(2)]
    accepted.append(proposed(store, somebody(store, "author").id, ask("De outra pessoa?")))
    assert writing.set_round(store, "s", "trial", studies.state(store, "s").version, NOW)
    accepted.append(proposed(store, me.id, ask("Na ronda de ensaio?")))
    for one in accepted:
        judge(store, judge_, one, "accept")
    for n in range(PAGE):
        write(store, me.id, f"d{n}", ask(f"Rascunho {n}?"), NOW)
    page = browser.get("/desk").text
    assert "Accepted: 2 of yours, 3 in the whole set." in page
    numbers = [
        re.findall(r'class="number">No. (\d+)<', browser.get(f"/desk?page={n}").text) for n in (1, 2, 9)
    ]
    assert [len(found) for found in numbers] == [PAGE, 3, 3] and numbers[1] == numbers[2]
    assert len({*numbers[0], *numbers[1]}) == PAGE + 3
    assert 'href="/desk?page=2"' in page and 'href="/desk?page=1"' in browser.get("/desk?page=2").text


# ---- entries ------------------------------------------------------------------------------------


def test_entries_are_filtered_and_paged(rooms: Rooms) -> None:
    store = rooms.store
    set_ = [ask(f"Pergunta {n}?") for n in range(PAGE * 2 + 3)]
    questions = [Question(id=str(n), question=one.question, answers=("a",)) for n, one in enumerate(set_)]
    writing.put_imported(store, "s", questions, NOW)
    rejected_in_trial(rooms, ask("Na ronda de ensaio?"))
    write(store, somebody(store, "author").id, "d", ask("Rascunho secreto?"), NOW)
    browser, _ = rooms.enter("admin")

    def numbers(query: str) -> list[int]:
        page = browser.get(f"/admin/entries{query}").text
        assert "secreto" not in page
        return [int(n) for n in re.findall(r'class="number">No\. (\d+)', page)]

    total = len(questions) + 1
    pages = [numbers(f"?page={n}") for n in (1, 2, 3)]
    assert [len(one) for one in pages] == [PAGE, PAGE, total - 2 * PAGE]
    assert [number for one in pages for number in one] == list(range(1, total + 1))
    for wrong in ("?page=99", "?page=3&status=nonsense", "?page=3&round=<b>&status=draft"):
        assert numbers(wrong) == pages[2]
    for wrong in ("?page=0", "?page=-1", "?page=x", "?page=" + "9" * 50):
        assert numbers(wrong) == pages[0]
    assert numbers("?status=rejected&round=trial") == [total] and numbers("?round=main") == []
    assert len(numbers("?status=proposed&round=review&page=3")) == len(questions) - 2 * PAGE


def test_an_entry_shows_its_history_verdicts_and_discussion_escaped(rooms: Rooms) -> None:
    store = rooms.store
    writer, judge_, (browser, admin) = (
        somebody(store, "author"), somebody(store, "adjudicator"), rooms.enter("admin"),
    )  # fmt: skip
    first = proposed(store, writer.id, ask(f"Que cor {BAD} têm os táxis?", "verdes", source=BAD))
    judge(store, judge_, first, "send_back", "L1", comment=BAD)
    newer = ask(f"Que cor {BAD} tinham os táxis?", "verdes", "pretos")
    second = write(store, writer.id, "c2", newer, NOW, entry=first.entry, base=1, propose=True)
    assert isinstance(second, Written)
    writing.look(store, writer.id, first.entry, 1, "embedded:m", "plain", BAD, False, NOW)
    page = browser.get(f"/admin/entry/{first.entry}").text
    assert "<script" not in page and page.count("&lt;script&gt;") >= 4
    assert re.search(r"<del><bdi[^>]*>Removed: </bdi>têm</del><ins><bdi[^>]*>Added: </bdi>tinham</ins>", page)
    assert "pretos</ins>" in page and "verdes</del>" not in page
    assert writer.pseudonym in page and judge_.pseudonym in page and "embedded:m" in page
    assert re.search(r"<b>L1</b>.*?: broken", page)
    said = send(browser, f"/admin/entry/{first.entry}", f"/question/{first.entry}/comment", text=f"Sim {BAD}")
    assert said.url.path == f"/admin/entry/{first.entry}" and "Sim &lt;script" in said.text
    assert [word.person for word in discussion.read(store, "s", first.entry)] == [admin.pseudonym]
    secret = write(store, writer.id, "c3", ask("Rascunho?"), NOW)
    assert isinstance(secret, Written)
    assert browser.get(f"/admin/entry/{secret.entry}").status_code == 404
    assert browser.get("/admin/entry/none").status_code == 404


def test_what_was_saved_as_a_draft_is_shown_to_nobody_else(rooms: Rooms) -> None:
    store = rooms.store
    writer, (browser, _) = somebody(store, "author"), rooms.enter("admin")
    entry = proposed(store, writer.id, ask("Que cor têm os táxis?")).entry
    for number, (text, propose) in enumerate((("Um segredo?", False), ("Que cor tinham os táxis?", True)), 1):
        done = write(
            store, writer.id, f"c{number}", ask(text), NOW, entry=entry, base=number, propose=propose
        )
        assert done == Written(entry, number + 1)
        writing.look(
            store, writer.id, entry, number + 1, "embedded:m", "plain", f"resposta {text}", None, NOW
        )
    page = browser.get(f"/admin/entry/{entry}").text
    assert "segredo" not in page and re.findall(r"<b>Version (\d)</b>", page) == ["3", "1"]
    # What changed is told from one version that others saw to the next.
    assert re.search(r"<del><bdi[^>]*>Removed: </bdi>têm</del><ins><bdi[^>]*>Added: </bdi>tinham</ins>", page)
    assert "resposta Que cor tinham" in page and page.count("embedded:m") == 2
    alone = write(store, writer.id, "d", ask("Outro segredo?"), NOW)
    assert isinstance(alone, Written)
    assert writing.take_back(store, writer.id, alone.entry, 1, NOW) is None
    assert browser.get(f"/admin/entry/{alone.entry}").status_code == 404
    seen = proposed(store, writer.id, ask("Que dia é hoje?"))
    assert writing.take_back(store, writer.id, seen.entry, 1, NOW) is None
    for query in ("", "?status=dropped"):
        listed = browser.get(f"/admin/entries{query}").text
        assert "segredo" not in listed and "Que dia é hoje?" in listed
    overview = browser.get("/admin").text
    assert re.search(r'<a href="/admin/entries"><span class="name">[^<]+</span> <b>2</b>', overview)
    assert 'href="/admin/entries?status=dropped&amp;round=main">1</a>' in overview
    assert re.search(rf"{writer.pseudonym}</bdi></th><td>2</td>", overview)


@given(st.text("ab \n|é", max_size=40), st.text("ab \n|é", max_size=40))
def test_differences_read_as_either_text(one: str, other: str) -> None:
    for difference in draft.differences({"x": one}, {"x": other}):
        pieces = list(woven(difference))
        assert "".join(text for mark, text in pieces if mark != "ins") == one.strip()
        assert "".join(text for mark, text in pieces if mark != "del") == other.strip()


# ---- guidelines ---------------------------------------------------------------------------------


def test_a_rejected_trial_entry_becomes_a_bad_example(rooms: Rooms) -> None:
    one = rejected_in_trial(rooms, ask(f"Qual é a capital de Portugal {BAD}?", "Lisboa"))
    (browser, _), (author, _) = rooms.enter("admin"), rooms.enter("author")
    page, path = f"/admin/entry/{one.entry}", f"/admin/entry/{one.entry}/example"
    text = browser.get(page).text
    (form,) = re.findall(rf'<form method="post" action="{path}".*?</form>', text, re.DOTALL)
    assert 'value="D1" selected' in form and "are published with the guidelines" in form
    # An adjudicator's words are there to be read; what is published are the admin's own.
    assert re.search(r"<li[^>]*><bdi>everybody knows</bdi></li>", form)
    assert re.search(r'<textarea id="why"[^>]*>\n</textarea>', form)
    empty = send(browser, page, path, guideline="D1", why=" \n")
    assert empty.status_code == 400 and "Please say why" in empty.text
    assert send(browser, page, path, guideline="D1", why="x" * 301).status_code == 400
    assert send(browser, page, path, guideline="X9", why="x").status_code == 400
    assert guidance.versions(rooms.store, "s") == []
    why = f"Toda a gente sabe {BAD}"
    for _ in range(2):  # the second time it is there already
        done = send(browser, page, path, guideline="D1", why=why)
        assert done.status_code == 200 and done.url.fragment == "example"
        # It is said where one lands.
        (landed,) = re.findall(r'<section class="card" id="example".*?</section>', done.text, re.DOTALL)
        assert "It is a bad example" in landed
    (version,) = guidance.versions(rooms.store, "s")
    assert version.version == 1
    wanted = Rejected(
        guideline="D1", question=shown(rooms.store, one.entry).question.question, answer="Lisboa", why=why
    )
    assert version.added.rejected == (wanted,)
    for text in (author.get("/question/new").text, browser.get("/admin/guidelines").text):
        assert "<script>" not in text and "Toda a gente sabe &lt;script&gt;" in text


def test_only_rejected_entries_of_the_trial_round_become_examples(rooms: Rooms) -> None:
    store = rooms.store
    one = proposed(store, somebody(store, "author").id, ask("Que cor?"))
    judge(store, somebody(store, "adjudicator"), one, "reject")
    browser, _ = rooms.enter("admin")
    text = browser.get(f"/admin/entry/{one.entry}").text
    assert "/example" not in text
    form = hidden(text) | {"guideline": "D1", "why": "x", "version": "0"}
    assert browser.post(f"/admin/entry/{one.entry}/example", data=form).status_code == 400


def test_a_guideline_gets_so_many_examples_and_no_more(rooms: Rooms) -> None:
    one = rejected_in_trial(rooms, ask("Que cor?"))
    bad = tuple(Rejected(guideline="D1", question=f"{n}", answer="a", why="w") for n in range(MOST_EXAMPLES))
    assert guidance.change(rooms.store, "s", guidance.Added(rejected=bad), 0, NOW)
    page = f"/admin/entry/{one.entry}"
    browser, _ = rooms.enter("admin")
    assert send(browser, page, f"{page}/example", guideline="D1", why="x").status_code == 400
    assert send(browser, page, f"{page}/example", guideline="D2", why="x").status_code == 200


def test_two_admins_change_the_guidelines_and_nothing_is_lost(rooms: Rooms) -> None:
    store = rooms.store
    bad = Rejected(guideline="L1", question="Q?", answer="a", why="w")
    assert guidance.change(store, "s", guidance.Added(notes={"L3": "old"}, rejected=(bad,)), 0, NOW)
    (one, _), (two, _) = rooms.enter("admin"), rooms.enter("admin")
    (form,) = forms(two.get("/admin/guidelines").text, "/admin/guidelines")
    page = send(one, "/admin/guidelines", "/admin/guidelines", note_L1="first", note_L2="theirs")
    assert page.status_code == 200 and "Saved as version 2" in page.text
    (remove,) = re.findall(r'name="(remove_\w+)"', page.text)
    mine = form | {"note_L1": f"mine {BAD}", "note_L3": "new", remove: "yes"}
    told = two.post("/admin/guidelines", data=mine)
    assert told.status_code == 409 and "Somebody else changed the guidelines" in told.text
    assert guidance.newest(store, "s").version == 2
    assert "<script>" not in told.text and f'name="{remove}" value="yes" checked' in told.text
    (again,) = forms(told.text, "/admin/guidelines")
    notes = dict(re.findall(r'name="(note_\w+)"[^>]*>\n(.*?)</textarea>', told.text, re.DOTALL))
    assert notes["note_L2"] == "theirs" and notes["note_L3"] == "new"
    done = two.post("/admin/guidelines", data=again | {name: unescape(text) for name, text in notes.items()})
    assert done.status_code == 200
    newest = guidance.newest(store, "s")
    assert newest.added.notes == {"L1": f"mine {BAD}", "L2": "theirs", "L3": "new"}
    assert (newest.version, newest.added.rejected) == (3, ())
    assert "mine &lt;script&gt;" in rooms.enter("author")[0].get("/question/new").text
    assert send(two, "/admin/guidelines", "/admin/guidelines").status_code == 200  # nothing changed
    assert guidance.newest(store, "s").version == 3
    long = send(two, "/admin/guidelines", "/admin/guidelines", note_E1="x" * (LONGEST_NOTE + 1))
    assert long.status_code == 400 and "x" * LONGEST_NOTE in long.text
    assert [form["version"] for form in forms(long.text, "/admin/guidelines")] == ["3"]
    assert two.post("/admin/guidelines", data=form | {"version": "9"}).status_code == 400


def test_the_longest_notes_of_any_script_can_be_sent(rooms: Rooms) -> None:
    browser, _ = rooms.enter("admin")
    rules = re.findall(r'name="(note_\w+)"', browser.get("/admin/guidelines").text)
    notes = dict.fromkeys(rules, "語" * LONGEST_NOTE)
    assert send(browser, "/admin/guidelines", "/admin/guidelines", **notes).status_code == 200
    assert len(guidance.newest(rooms.store, "s").added.notes) == len(rules) == 15
