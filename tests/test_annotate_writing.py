"""The author's pages: what is typed comes back, two at once are both told, drafts are private, nothing is lost."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings

from homeground.annotate.app import draft
from homeground.annotate.app.draft import answers_text, read_answers
from homeground.annotate.store import Store, entries, studies, verdicts, writing
from homeground.schema import Gold, Question
from tests.annotating import NOW, hidden
from tests.community import Rooms, Somebody, ask, proposed
from tests.writing import ANY, FORM, HOSTILE, Fields, form_of, newest, save


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    yield Rooms(store, quota=2)
    store.close()


def only(rooms: Rooms) -> entries.Shown:
    (found,) = entries.listed(rooms.store, "s")
    return found


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=ANY.filter(str.strip), notes=ANY, answer=FORM)
def test_what_is_typed_comes_back_unchanged(rooms: Rooms, question: str, notes: str, answer: str) -> None:
    author, who = rooms.enter("author")
    typed = {"question": question + HOSTILE, "answers": f"{answer} | b", "notes": notes, "source": HOSTILE}
    refused = save(author, "/question/new", "propose", **(typed | {"answers": " "}))
    assert refused.status_code == 400
    saved = save(author, "/question/new", "draft", **typed)
    (kept,) = entries.listed(rooms.store, "s", author=who.id)
    assert (kept.status, kept.round, saved.url.path) == ("draft", "main", f"/question/{kept.id}")
    for page, fields in ((refused.text, typed | {"answers": " "}), (saved.text, typed)):
        areas = Fields(page).areas
        for name, text in fields.items():
            wanted = draft.one_newline(text)
            assert areas[name] == (wanted if page is refused.text else wanted.strip()) or name == "answers"
        assert "<script>alert" not in page and "49" not in areas["source"]
    assert kept.question == Question(
        id=kept.id, question=draft.one_newline(typed["question"]).strip(),
        answers=read_answers(typed["answers"]), language="pt-PT", culture="PT", source=HOSTILE,
        notes=draft.one_newline(notes).strip() or None,
    )  # fmt: skip


def test_a_question_goes_from_the_desk_to_the_adjudicators_and_back(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    assert "Nothing here yet" in author.get("/desk").text
    typed = {
        "question": "De que cor são os marcos?",
        "answers": "vermelhos | encarnados",
        "contrast_BR": "amarelos",
    }
    desk = save(author, "/question/new", **typed)
    assert desk.url.path == "/desk" and "with the adjudicators" in desk.text and "De que cor" in desk.text
    entry = only(rooms)
    assert entry.question.answers == (Gold(forms=("vermelhos", "encarnados")),)
    assert entry.question.contrast == {"BR": ("amarelos",)}
    first, second = (rooms.enter("adjudicator")[1] for _ in range(2))
    marks = {"D1": "breaks", "E3": "unsure", "L1": "keeps"}
    said = ("send_back", marks, {"": "Falta o <ano>.", "D1": "Diz o país."})
    verdicts.judge(rooms.store, first.id, "v1", entry.id, 1, *said, NOW)
    # One of two has decided: the author hears nothing before it counts.
    page = author.get(f"/question/{entry.id}").text + author.get("/desk").text
    assert "Falta o" not in page
    verdicts.judge(rooms.store, second.id, "v2", entry.id, 1, "send_back", marks, {}, NOW)
    for path in ("/desk", f"/question/{entry.id}"):
        page = author.get(path).text
        for text in (
            "sent back",
            "Falta o &lt;ano&gt;.",
            "Diz o país.",
            "broken",
            "not sure",
            "an adjudicator",
        ):
            assert text in page, (path, text)
        assert all(someone.pseudonym not in page for someone in (who, first, second))
    save(author, f"/question/{entry.id}", question="De que cor são os marcos do correio?")
    again = newest(rooms, entry.id)
    assert (again.status, again.version) == ("proposed", 2)
    assert again.question == msgspec.structs.replace(
        entry.question, question="De que cor são os marcos do correio?"
    )
    assert "Falta o" in author.get(f"/question/{entry.id}").text
    for one, key in ((first, "v3"), (second, "v4")):
        verdicts.judge(rooms.store, one.id, key, entry.id, 2, "accept", {}, {}, NOW)
    page = author.get("/desk").text
    assert "Accepted: 1 of yours, 1 in the whole set" in page
    page = author.get(f"/question/{entry.id}").text
    assert 'id="write"' not in page and "encarnados" in page and "live.js" not in page


def test_a_form_sent_twice_counts_once(rooms: Rooms) -> None:
    author, _ = rooms.enter("author")
    form = form_of(author.get("/question/new").text) | {"question": "Q?", "answers": "a", "do": "draft"}
    assert {author.post("/question/new", data=form).url.path for _ in range(3)} == {
        f"/question/{only(rooms).id}"
    }
    comment = hidden(author.get(f"/question/{only(rooms).id}").text)
    for _ in range(2):
        author.post(f"/question/{only(rooms).id}/comment", data=comment | {"text": "olá", "client": "c"})
    assert len(verdicts.discussion(rooms.store, "s", only(rooms).id)) == 1


@pytest.mark.parametrize(
    ("field", "fits", "refused", "said"),
    [
        ("question", "x" * 500, "x" * 501, "500 characters"),
        ("answers", "x" * 200, "x" * 201, "200 characters"),
        ("answers", "\n".join(map(str, range(20))), "\n".join(map(str, range(21))), "20 answers"),
        ("answers", "|".join(map(str, range(20))), "|".join(map(str, range(21))), "20 forms"),
        ("contrast_BR", "x" * 200, "x" * 201, "200 characters"),
        ("source", "x" * 500, "x" * 501, "500 characters"),
        ("notes", "é" * 2_000, "é" * 2_001, "2,000 characters"),
        ("question", "Q?", " \r\n ", "write the question"),
    ],
)  # fmt: skip
def test_bounds_are_said_by_field_and_what_was_typed_stays(
    rooms: Rooms, field: str, fits: str, refused: str, said: str
) -> None:
    author, _ = rooms.enter("author")
    typed = {"question": "Q?", "answers": "a", "notes": "fica"}
    answer = save(author, "/question/new", "draft", **(typed | {field: refused}))
    assert answer.status_code == 400 and entries.listed(rooms.store, "s") == []
    assert re.search(rf'id="{field}-fault">[^<]*{said}', answer.text)
    assert Fields(answer.text).areas[field] == draft.one_newline(refused)
    assert field == "notes" or Fields(answer.text).areas["notes"] == "fica"
    assert save(author, "/question/new", "draft", **(typed | {field: fits})).status_code == 200
    assert len(entries.listed(rooms.store, "s")) == 1


def test_only_a_draft_may_want_an_answer(rooms: Rooms) -> None:
    author, _ = rooms.enter("author")
    assert "at least one right answer" in save(author, "/question/new", question="Q?", answers=" | ").text
    assert save(author, "/question/new", "draft", question="Q?", answers="").status_code == 200
    assert only(rooms).question.answers is None
    for wrong in (
        {"do": "publish"},
        {"version": "-1"},
        {"version": "x"},
        {"client": ""},
        {"client": "x" * 65},
    ):
        form = (
            form_of(author.get("/question/new").text)
            | {"question": "Q?", "answers": "a", "do": "draft"}
            | wrong
        )
        assert author.post("/question/new", data=form).status_code == 400
    form = form_of(author.get(f"/question/{only(rooms).id}").text) | {"do": "draft", "version": "7"}
    assert author.post(f"/question/{only(rooms).id}", data=form).status_code == 400


# ---- two at once --------------------------------------------------------------------------------


def test_who_is_slower_is_told_and_loses_nothing(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    judge, _ = rooms.enter("adjudicator")
    entry = proposed(rooms.store, who.id, ask("Que imposto paga o dono de um carro?", "IUC", notes="n")).entry
    path = f"/question/{entry}"
    mine = form_of(author.get(path).text)
    save(
        judge,
        path,
        "save",
        question="Que imposto anual paga o dono de um carro?",
        answers="IUC | selo do carro",
    )
    assert (newest(rooms, entry).status, newest(rooms, entry).version) == ("proposed", 2)
    mine |= {"question": "Que imposto paga o proprietário de um carro?", "notes": "n2", "do": "propose"}
    told = author.post(path, data=mine)
    assert told.status_code == 409 and "changed this question meanwhile" in told.text
    assert newest(rooms, entry).version == 2
    areas = Fields(told.text).areas
    assert areas["question"] == mine["question"] and areas["notes"] == "n2"
    # What the author did not touch is as the other left it.
    assert areas["answers"] == "IUC | selo do carro"
    for piece in ("anual", "proprietário", "dono", "| selo do carro"):
        assert f"<mark>{piece}" in told.text or f"<mark> {piece}" in told.text, piece
    assert form_of(told.text)["version"] == "2"
    done = author.post(path, data=form_of(told.text) | {"do": "propose"})
    assert done.url.path == "/desk"
    last = newest(rooms, entry)
    assert (last.version, last.question.question) == (3, mine["question"])
    assert last.question.answers == (Gold(forms=("IUC", "selo do carro")),)
    assert [past.why for past in entries.history(rooms.store, "s", entry)] == [
        "written",
        "corrected",
        "revised",
    ]


def test_however_many_save_at_once_one_wins_and_all_others_are_told(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    entry = proposed(rooms.store, who.id, ask("Q?", "a")).entry
    form = form_of(author.get(f"/question/{entry}").text)
    answers: list[tuple[int, str, str]] = []

    def send(number: int) -> None:
        text = f"Pergunta {number}?"
        typed = form | {"client": uuid.uuid4().hex, "question": text, "do": "draft"}
        answer = rooms.browser(who).post(f"/question/{entry}", data=typed)
        answers.append((answer.status_code, text, Fields(answer.text).areas["question"]))

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _, _ in answers) == [200, 409, 409, 409]
    assert all(text == shown for _, text, shown in answers)
    (won,) = [text for status, text, _ in answers if status == 200]
    assert (newest(rooms, entry).version, newest(rooms, entry).question.question) == (2, won)


def test_what_comes_too_late_is_not_lost(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    entry = proposed(rooms.store, who.id, ask("Q?", "a")).entry
    form = form_of(author.get(f"/question/{entry}").text) | {"question": "Tarde?", "do": "propose"}
    new = form_of(author.get("/question/new").text) | {"question": "Nova?", "answers": "x", "do": "draft"}
    studies.set_status(rooms.store, "s", "paused", studies.state(rooms.store, "s").version, NOW)
    for path, typed in ((f"/question/{entry}", form), ("/question/new", new)):
        answer = author.post(path, data=typed)
        assert answer.status_code == 409 and "was not saved" in answer.text
        assert Fields(answer.text).areas["question"] == typed["question"]
        assert 'name="do"' not in answer.text
    page = author.get(f"/question/{entry}").text
    assert "resting" in page and "<form" not in page and "Q?" in page
    desk = author.get("/desk").text
    assert "resting" in desk and "/question/new" not in desk and "Q?" in desk
    assert author.get("/question/new").url.path == "/desk"
    said = author.post(f"/question/{entry}/comment", data=form | {"text": "olá"})
    assert said.status_code == 409 and "olá" in said.text
    assert author.post(f"/question/{entry}/drop", data=form | {"sure": "yes"}).status_code == 409
    assert newest(rooms, entry).version == 1 and verdicts.discussion(rooms.store, "s", entry) == []


# ---- who may what -------------------------------------------------------------------------------


def test_drafts_are_their_writers_own(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    save(author, "/question/new", "draft", question="Segredo?", answers="a")
    entry = only(rooms).id
    visitors = {role: rooms.enter(role)[0] for role in ("author", "adjudicator", "admin")}
    paths = [f"/question/{entry}", *(f"/question/{entry}/{what}" for what in ("drop", "comment", "try"))]

    def statuses(browser: TestClient, do: str) -> list[int]:
        csrf = hidden(browser.get("/leave" if browser is not visitors["admin"] else "/admin").text)
        form = csrf | {"version": "1", "client": uuid.uuid4().hex, "entry": entry, "question": "Q?", "answers": "a",
                       "sure": "yes", "text": "t", "model": "m", "do": do}  # fmt: skip
        return [browser.get(paths[0]).status_code, *(browser.post(path, data=form).status_code for path in
                (*paths, "/question/check", "/question/audit"))]  # fmt: skip

    assert set(statuses(visitors["author"], "draft")) == {404}
    for role in ("adjudicator", "admin"):
        assert set(statuses(visitors[role], "save")) <= {403, 404}
        assert (
            visitors[role].get("/question/new").status_code == visitors[role].get("/desk").status_code == 403
        )
    assert TestClient(rooms.app).get(paths[0]).status_code == 401
    assert newest(rooms, entry).version == 1
    assert "Segredo" in author.get(f"/question/{entry}").text
    # Once proposed, those who judge may read and correct it; another author may not.
    save(author, f"/question/{entry}")
    assert visitors["author"].get(paths[0]).status_code == 404
    for role in ("adjudicator", "admin"):
        page = visitors[role].get(paths[0]).text
        assert "Save the correction" in page and "Propose" not in page and who.pseudonym not in page


def test_nobody_writes_before_they_agreed(rooms: Rooms) -> None:
    from homeground.annotate.store import people

    cookie = people.redeem(rooms.store, "s", people.invite(rooms.store, "s", "author", None, 1, NOW), {}, NOW)
    browser = rooms.browser(Somebody("", "", cookie or "", "author"))
    csrf = hidden(browser.get("/consent").text)
    for path in ("/desk", "/question/new", "/question/x"):
        assert browser.get(path).url.path == "/consent"
    form = csrf | {"version": "0", "client": "c", "question": "Q?", "do": "draft"}
    for path in ("/question/new", "/question/check", "/question/audit"):
        assert browser.post(path, data=form).url.path == "/consent"
    assert entries.listed(rooms.store, "s") == []


def test_an_imported_question_is_corrected_with_its_votes(rooms: Rooms) -> None:
    golds = tuple(Gold(forms=(f"{'comida ' * 40}{n}",), count=30 - n) for n in range(25))
    question = Question(
        id="i", question="O que comem?" + "x" * 600, answers=golds, options=("a", "b"), idks={"idk": 3},
        language="pt-PT", culture="PT", contrast={"AO": ("funge",)},
    )  # fmt: skip
    writing.put_imported(rooms.store, "s", [question], NOW)
    judge, _ = rooms.enter("adjudicator")
    entry = only(rooms).id
    page = judge.get(f"/question/{entry}").text
    assert "Angola" in page and "Brazil" in page
    lines = answers_text(golds).split("\n")
    save(
        judge,
        f"/question/{entry}",
        "save",
        question="O que se come?",
        answers="\n".join([*lines[1:], "arroz"]),
    )
    assert newest(rooms, entry).question == msgspec.structs.replace(
        question, id=entry, question="O que se come?", answers=(*golds[1:], "arroz")
    )
    assert newest(rooms, entry).status == "proposed"


def test_taking_back(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    first, second = (proposed(rooms.store, who.id, ask(text)).entry for text in ("Um?", "Dois?"))
    form = hidden(author.get(f"/question/{first}").text)
    assert author.post(f"/question/{first}/drop", data=form).status_code == 400
    done = author.post(f"/question/{first}/drop", data=form | {"sure": "yes"})
    assert done.url.path == "/desk" and "taken back" in done.text
    assert newest(rooms, first).status == "dropped"
    stale = hidden(author.get(f"/question/{second}").text)
    save(author, f"/question/{second}", question="Dois e meio?")
    told = author.post(f"/question/{second}/drop", data=stale | {"sure": "yes"})
    assert told.status_code == 409 and "changed meanwhile" in told.text and "Dois e meio?" in told.text
    judges = [rooms.enter("adjudicator")[1] for _ in range(2)]
    for judge in judges:
        verdicts.judge(rooms.store, judge.id, judge.id, second, 2, "accept", {}, {}, NOW)
    told = author.post(f"/question/{second}/drop", data=stale | {"version": "2", "sure": "yes"})
    assert told.status_code == 409 and newest(rooms, second).status == "accepted"


def test_the_discussion_names_nobody(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    judge, other = rooms.enter("adjudicator")
    entry = proposed(rooms.store, who.id, ask("Q?")).entry
    for browser, text in ((author, f"Porquê?\r\n{HOSTILE}"), (judge, "Porque sim.")):
        form = hidden(browser.get(f"/question/{entry}").text)
        assert browser.post(f"/question/{entry}/comment", data=form | {"text": text}).status_code == 200
    for browser, me, them in ((author, "You", "An adjudicator"), (judge, "You", "The writer")):
        page = browser.get(f"/question/{entry}").text
        assert (
            f"<b>{me} <time" in page
            and f"<b>{them} <time" in page
            and f"Porquê?\n{HOSTILE}" in unescape(page)
        )
        assert who.pseudonym not in page and other.pseudonym not in page and "<script>alert" not in page
    form = hidden(judge.get(f"/question/{entry}").text)
    for text, said in (("", "write something"), ("x" * 2_001, "2,000 characters")):
        refused = judge.post(f"/question/{entry}/comment", data=form | {"text": text})
        assert (
            refused.status_code == 400 and said in refused.text and Fields(refused.text).areas["text"] == text
        )
    form = hidden(judge.get(f"/question/{entry}").text) | {"text": "z", "back": "queue"}
    gone = TestClient(rooms.app, cookies=judge.cookies, follow_redirects=False)
    assert gone.post(f"/question/{entry}/comment", data=form).headers["location"] == "/queue"
    form = hidden(judge.get(f"/question/{entry}").text) | {"text": "y", "back": "https://evil.example"}
    assert gone.post(f"/question/{entry}/comment", data=form).headers["location"].startswith("/question/")
