"""The author's pages: what is typed comes back, two at once are both told, drafts are private, nothing is lost."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings

from homeground.annotate.app import draft
from homeground.annotate.app.draft import answers_text, read_answers
from homeground.annotate.store import Store, discussion, entries, people, studies, verdicts, writing
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
    assert len(discussion.read(rooms.store, "s", only(rooms).id)) == 1


def test_a_form_sent_again_with_other_words_loses_none_of_them(rooms: Rooms) -> None:
    author, _ = rooms.enter("author")
    form = form_of(author.get("/question/new").text) | {"answers": "a"}

    def again(path: str = "/question/new", **typed: str) -> Any:  # noqa: ANN401
        return author.post(path, data=form | typed)

    first = again(question="Um?", do="draft")
    assert again(question="Dois?", do="draft").url.path == first.url.path
    assert "Dois?" in author.get(first.url.path).text and only(rooms).status == "draft"
    # The same words by the other button.
    for _ in range(2):
        assert again(question="Dois?", do="propose").url.path == "/desk"
    entry = only(rooms).id
    assert (only(rooms).status, only(rooms).version) == ("proposed", 3)
    assert again(question="Um?", do="propose").status_code == 200  # what it said first is what is meant last
    past = entries.history(rooms.store, "s", entry)
    assert [one.question.question for one in past] == ["Um?", "Dois?", "Dois?", "Um?"]
    # Once somebody else has changed it, both are told, and nothing is overwritten.
    judge, _ = rooms.enter("adjudicator")
    save(judge, f"/question/{entry}", "save", question="Três?")
    told = again(question="Quatro?", do="propose")
    assert told.status_code == 409 and "changed this question meanwhile" in told.text
    assert Fields(told.text).areas["question"] == "Quatro?" and form_of(told.text)["version"] == "5"
    assert newest(rooms, entry).question.question == "Três?"
    judges = [rooms.enter("adjudicator")[1] for _ in range(2)]
    for judge_ in judges:
        verdicts.judge(rooms.store, judge_.id, judge_.id, entry, 5, "accept", {}, {}, NOW)
    late = again(question="Cinco?", do="propose")
    assert late.status_code == 409 and "was not saved" in late.text
    assert Fields(late.text).areas["question"] == "Cinco?" and only(rooms).version == 5
    # Whoever is somebody else has no part in it.
    other, _ = rooms.enter("author")
    mine = form_of(other.get("/question/new").text) | {"client": form["client"], "question": "Seis?"}
    refused = other.post("/question/new", data=mine | {"answers": "a", "do": "draft"})
    assert refused.status_code == 404 and len(entries.listed(rooms.store, "s")) == 1
    said = hidden(author.get(f"/question/{entry}").text)
    for text in ("olá", "adeus", "olá"):
        assert author.post(f"/question/{entry}/comment", data=said | {"text": text}).status_code == 200
    assert [one.text for one in discussion.read(rooms.store, "s", entry)] == ["olá", "adeus"]


def test_a_form_stays_good_when_its_writer_comes_back_by_the_private_link_in_another_tab(
    rooms: Rooms,
) -> None:
    author, who = rooms.enter("author")
    form = form_of(author.get("/question/new").text) | {"question": "Longa?", "answers": "a", "do": "draft"}
    link = f"/my/{people.private_link(rooms.store, who.id)}"
    assert author.post(link, data=hidden(author.get(link).text)).url.path == "/desk"
    assert (
        author.post("/question/new", data=form).status_code == 200
        and only(rooms).question.question == "Longa?"
    )
    # In another browser it is a login, as ever.
    other = rooms.browser()
    answer = other.post(link, data=hidden(other.get(link).text), follow_redirects=False)
    assert answer.headers["set-cookie"].startswith("homeground=")


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
    assert newest(rooms, entry).version == 1 and discussion.read(rooms.store, "s", entry) == []


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


def test_a_draft_is_nobody_else_s_once_it_is_taken_back(rooms: Rooms) -> None:
    author, _ = rooms.enter("author")
    readers = [rooms.enter(role)[0] for role in ("adjudicator", "admin")]
    save(author, "/question/new", "draft", question="Segredo?", answers="a")
    entry = only(rooms).id
    form = hidden(author.get(f"/question/{entry}").text)
    assert author.post(f"/question/{entry}/drop", data=form | {"sure": "yes"}).url.path == "/desk"
    assert newest(rooms, entry).status == "dropped"
    assert "Segredo" in author.get(f"/question/{entry}").text and "Segredo" in author.get("/desk").text
    for browser in readers:
        assert browser.get(f"/question/{entry}").status_code == 404
        csrf = hidden(browser.get("/leave" if browser is readers[0] else "/admin").text)
        typed = csrf | {
            "version": "1",
            "client": "c",
            "entry": entry,
            "question": "Q?",
            "text": "t",
            "do": "save",
        }
        for path in (f"/question/{entry}", f"/question/{entry}/comment", "/question/check"):
            assert browser.post(path, data=typed).status_code == 404


def test_what_is_typed_on_a_question_that_its_writer_takes_back_is_handed_back(rooms: Rooms) -> None:
    author, who = rooms.enter("author")
    entry = proposed(rooms.store, who.id, ask("De que cor são os cravos?")).entry
    path = f"/question/{entry}"
    for number, role in enumerate(("adjudicator", "admin"), 1):
        browser, _ = rooms.enter(role)
        form = form_of(browser.get(path).text)
        if number == 1:
            # Whoever corrected a question once sees no draft of it either.
            save(browser, path, "save", question="De que cor são os cravos vermelhos?")
            form |= {"version": "2"}
        save(author, path, "draft", question="Segredo?")
        typed = form | {
            "question": f"A minha <correcção> {HOSTILE}?",
            "notes": "longas",
            "client": uuid.uuid4().hex,
        }
        for to, fields, words in (
            (path, {"do": "save"}, typed["question"]),
            ("/question/check", {}, typed["question"]),
            (f"{path}/comment", {"text": "Um comentário longo"}, "Um comentário longo"),
        ):
            told = browser.post(to, data=typed | fields)
            assert told.status_code == 409 and words in unescape(told.text), to
            assert "has taken this question back" in told.text and "longas" in told.text
            assert "Segredo" not in told.text and "<script>alert" not in told.text
        assert browser.get(path).status_code == 404
        assert newest(rooms, entry).question.question == "Segredo?"
        save(author, path, question="De que cor são os cravos?")
        # A version that was a draft is no base for what others write.
        drafted = str(newest(rooms, entry).version - 1)
        probe = form_of(browser.get(path).text) | {"version": drafted, "do": "save", "question": "x?"}
        assert browser.post(path, data=probe).status_code == 400
    assert discussion.read(rooms.store, "s", entry) == []


def test_a_draft_that_is_saved_at_this_moment_is_not_shown(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    author, who = rooms.enter("author")
    judge, _ = rooms.enter("adjudicator")
    entry = proposed(rooms.store, who.id, ask("De que cor são os cravos?")).entry
    form = form_of(judge.get(f"/question/{entry}").text) | {"question": "A minha?", "do": "save"}
    write = writing.write

    def after_the_writer(store: Store, person: str, client: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        monkeypatch.setattr(writing, "write", write)
        save(author, f"/question/{entry}", "draft", question="Segredo?")
        return write(store, person, client, *rest, **more)

    monkeypatch.setattr(writing, "write", after_the_writer)
    told = judge.post(f"/question/{entry}", data=form)
    assert told.status_code == 409 and "A minha?" in told.text and "Segredo" not in told.text


def test_nobody_writes_before_they_agreed(rooms: Rooms) -> None:
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


@pytest.mark.parametrize(
    ("quota", "decision", "status", "buttons"),
    [
        (1, "", "proposed", ["Save the correction"]),
        (1, "accept", "accepted", ["Save the correction", "Save, and have it judged again"]),
        (1, "reject", "rejected", ["Save the correction", "Save, and have it judged again"]),
        (2, "accept", "accepted", ["Save, and have it judged again"]),
    ],
)
def test_buttons_say_what_a_correction_does(
    tmp_path: Path, quota: int, decision: str, status: str, buttons: list[str]
) -> None:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    rooms = Rooms(store, quota=quota)
    one = proposed(store, rooms.enter("author")[1].id, ask("De que cor é o mar?"))
    for _ in range(quota if decision else 0):
        judge = rooms.enter("adjudicator")[1].id
        comments = {"": "Porquê?"} if decision != "accept" else {}
        verdicts.judge(store, judge, uuid.uuid4().hex, one.entry, 1, decision, {}, comments, NOW)
    assert only(rooms).status == status
    page = rooms.enter("admin")[0].get(f"/question/{one.entry}").text
    assert re.findall(r'<button[^>]* name="do"[^>]*>([^<]+)<', page) == buttons
    store.close()
