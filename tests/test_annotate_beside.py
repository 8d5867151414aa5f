"""What stands beside the form: the audit live, questions that are alike, models to try it on, a real browser."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from homeground.annotate.app import helping, trying
from homeground.annotate.app.words import languages
from homeground.annotate.store import Store, discussion, entries, guidance, similar, verdicts, writing
from homeground.annotate.store.writing import Written
from homeground.errors import EnvironmentProblem
from homeground.questions.audit.twins import nearest
from homeground.questions.guidelines import Rejected, guidelines
from homeground.schema import Question
from tests.annotating import NOW, database
from tests.community import Rooms, ask, proposed
from tests.writing import HOSTILE, Fields, form_of, save


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    yield Rooms(store, quota=2)
    store.close()


# ---- beside the form ----------------------------------------------------------------------------


def _verdicts(page: str) -> str:
    """All that the audit says on a page or in a fragment."""
    aside = re.search(r'<p (?:id="told"[^>]*|data-told)>(.*?)(?:<h2>|\Z)', page, re.DOTALL)
    assert aside
    return " ".join(Fields(aside[1]).text.split())


@pytest.mark.parametrize(
    ("question", "answers", "flagged"),
    [
        ("Porque é que os portugueses gostam de bacalhau, e o que comem depois?", "bacalhau", {"L1", "L3", "D1"}),
        ("De que cor são os marcos de correio?", "vermelhos", set()),
        ("De que cor são os marcos de correio?", "", {"F1"}),
        ("نوروز با چه فصلی آغاز می‌شود؟", "بهار", {"E1"}),
        (HOSTILE + "?", HOSTILE, {"F3"}),
        ("x " * 9_000, "a", set()),
        ("", "a", set()),
    ],
)  # fmt: skip
def test_the_live_verdicts_are_those_of_the_button(
    rooms: Rooms, question: str, answers: str, flagged: set[str]
) -> None:
    author, who = rooms.enter("author")
    proposed(rooms.store, who.id, ask("De que cor são os marcos do correio?"))
    form = form_of(author.get("/question/new").text) | {"question": question, "answers": answers}
    checked, live = (author.post(f"/question/{what}", data=form) for what in ("check", "audit"))
    assert checked.status_code == live.status_code == 200
    assert _verdicts(checked.text) == _verdicts(live.text) != ""
    assert set(re.findall(r'data-rule="(\w+)"', live.text)) >= flagged
    # Marked in the list of guidelines, in words.
    marked = re.findall(r'data-of="(\w+)">(look again|perhaps)</span>', checked.text)
    assert {rule for rule, _ in marked} >= flagged - {"F1", "F3"}
    assert Fields(checked.text).areas["question"] == question
    assert len(entries.listed(rooms.store, "s")) == 1, "nothing is saved"
    assert "<html" not in live.text and "<script>alert" not in live.text + checked.text


@pytest.mark.parametrize("code", languages())
def test_what_is_wanted_is_said_in_the_pages_language_above_the_reason(rooms: Rooms, code: str) -> None:
    author, _ = rooms.enter("author")
    say = languages()[code].say
    form = form_of(author.get(f"/question/new?lang={code}").text)
    typed = {"question": "Gosta de Portugal, e porquê? a) sim b) não", "answers": "12"}
    page = author.post("/question/audit", data=form | typed).text
    found = re.findall(r'data-rule="(\w+)">(.*?)</ul></li>', page, re.DOTALL)
    assert {"D1", "F3", "F4"} <= {rule for rule, _ in found}
    wanted = {one.id: one.rule for one in guidelines("PT", code).guidelines}  # type: ignore[arg-type]
    for rule, text in found:
        above, _, reasons = text.partition("<ul>")
        said = wanted.get(rule) or say(f"desk_defect_wanted_{rule}")
        if code == "en":
            assert 'lang="en"' not in text and said not in unescape(text)
        else:
            assert f"<p>{said}</p>" in unescape(above)
            assert reasons.count("<li>") == reasons.count('<span dir="ltr" lang="en" class="said">') > 0


def test_the_guidelines_stand_beside_the_form_with_what_the_study_added(rooms: Rooms) -> None:
    bad = Rejected(guideline="L3", question=f"Pior {HOSTILE}?", answer="nada", why="uma opinião")
    added = guidance.Added(notes={"E3": "Também quem <cresceu> nas ilhas."}, rejected=(bad,))
    guidance.change(rooms.store, "s", added, 0, NOW)
    author, _ = rooms.enter("author")
    page = author.get("/question/new")
    assert len(re.findall(r'<details class="rule"', page.text)) == 15
    assert "Também quem &lt;cresceu&gt; nas ilhas." in page.text and "uma opinião" in page.text
    assert f"Pior {HOSTILE}?" in unescape(page.text) and "<script>alert" not in page.text
    assert "script-src 'self'; connect-src 'self'" in page.headers["content-security-policy"]
    script = author.get("/live.js")
    assert script.headers["content-type"].startswith("text/javascript") and "/live.js" in page.text


def test_a_question_like_it_is_shown_without_its_writer(rooms: Rooms) -> None:
    author, me = rooms.enter("author")
    _, other = rooms.enter("author")
    text = "Que bolo se come no dia de Reis?"
    theirs = proposed(rooms.store, other.id, ask(text)).entry
    secret = writing.write(rooms.store, other.id, "d", ask(text + " Segredo"), NOW)
    assert isinstance(secret, Written)
    form = form_of(author.get("/question/new").text)

    def live(question: str = text) -> str:
        return str(author.post("/question/audit", data=form | {"question": question}).text)

    assert f"Nearly the same:</b> No. 1: <bdi>{text}" in live() and other.pseudonym not in live()
    assert theirs not in live() and "Segredo" not in live() and "No. 1" not in live("Onde se compra pão?")
    save(author, "/question/new", "draft", question=text, answers="bolo-rei")
    (mine,) = entries.listed(rooms.store, "s", author=me.id)
    assert f'href="/question/{mine.id}"' in live(), "one's own draft counts"
    form = form_of(author.get(f"/question/{mine.id}").text)
    assert "No. 1" in live() and "No. 3" not in live(), "not like itself"
    writing.take_back(rooms.store, other.id, theirs, 1, NOW)
    assert "There already" not in live()


def test_whoever_corrected_a_question_is_told_of_no_draft_of_it(rooms: Rooms) -> None:
    judge, corrector = rooms.enter("adjudicator")
    _, writer = rooms.enter("author")
    text = "Que bolo se come no dia de Reis?"
    entry = proposed(rooms.store, writer.id, ask(text)).entry
    other = proposed(rooms.store, writer.id, ask("Onde se compra pão?")).entry
    form = form_of(judge.get(f"/question/{other}").text) | {"question": text}
    for who, number, propose in ((corrector, 1, False), (writer, 2, False), (writer, 3, True)):
        words = ask(f"{text} {number}")
        done = writing.write(
            rooms.store, who.id, f"w{number}", words, NOW, entry=entry, base=number, propose=propose
        )
        assert done == Written(entry, number + 1)
        told = judge.post("/question/audit", data=form).text
        assert ("No. 1" in told) == (number != 2)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


def test_the_index_is_always_that_of_the_newest_versions(url: str) -> None:
    store = Store(url)
    store.migrate()
    rooms = Rooms(store)
    who, judge = rooms.enter("author")[1].id, rooms.enter("adjudicator")[1].id
    words = ["que bolo se come", "no dia de reis", "na noite de natal", "em casa da avó", "quando faz frio"]
    live: dict[str, tuple[int, str]] = {}

    def agree() -> None:
        text = "que bolo se come no dia de reis quando faz frio"
        wanted = nearest(text, [Question(id=e, question=t, answers=None) for e, (_, t) in live.items()], 100)
        found = similar.similar(store, "s", who, text, most=100)
        assert sorted((one.entry, one.same) for one in found) == sorted((n.id, n.same) for n in wanted)
        assert all(one.text == live[one.entry][1] for one in found)

    for step in range(30):
        # Each change long after the last, but that now and then a server's clock is behind.
        now = NOW + (10 * step if step % 7 else -100)
        names = list(live)
        if step % 5 < 2 or not names:
            text = f"{words[step % 5]} {words[(step * 3 + 1) % 5]}"
            done = proposed(store, who, ask(text), now)
            live[done.entry] = (1, text)
        elif step % 5 == 2:
            name = names[step % len(names)]
            text = f"{words[0]} {words[step % 4 + 1]}"
            version = live[name][0]
            changed = writing.write(
                store, who, f"w{step}", ask(text), now, entry=name, base=version, propose=True
            )
            assert isinstance(changed, Written)
            live[name] = (version + 1, text)
        elif step % 5 == 3:
            name = names[-1]
            assert writing.take_back(store, who, name, live.pop(name)[0], now) is None
        else:
            name = names[0]
            assert (
                verdicts.judge(store, judge, f"v{step}", name, live.pop(name)[0], "reject", {}, {}, now)
                == "kept"
            )
        agree()
    store.close()


# ---- models -------------------------------------------------------------------------------------


@pytest.fixture
def trying_on(tmp_path: Path) -> Iterator[Rooms]:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    models = ("embedded:smollm2-135m", "embedded:nowhere")
    yield Rooms(store, cultures=("GB",), language="en-GB", siblings=("US",), try_on=models)
    store.close()


def tried(browser: TestClient, entry: str, model: str, **typed: str) -> Any:  # noqa: ANN401
    form = form_of(browser.get(f"/question/{entry}").text)
    return browser.post(f"/question/{entry}/try", data=form | typed | {"model": model})


def test_a_look_at_a_real_model_is_kept(trying_on: Rooms, weights: Path) -> None:
    assert weights.exists()
    author, who = trying_on.enter("author")
    entry = proposed(trying_on.store, who.id, ask("Reply with one word: red or blue?", "red", "blue")).entry
    assert "counts as chosen against that model" in author.get(f"/question/{entry}").text
    page = tried(author, entry, "embedded:smollm2-135m")
    assert page.status_code == 200, page.text
    looks = entries.looks(trying_on.store, "s", entry)
    assert [(one.model, one.condition, one.version) for one in looks] == [
        ("embedded:smollm2-135m", "plain", 1), ("embedded:smollm2-135m", "oracle", 1),
    ]  # fmt: skip
    for one in looks:
        assert one.text and one.text in unescape(page.text) and one.correct is not None
    assert len(re.findall(r'class="tag (?:right|wrong)"', page.text)) == 2
    judge, _ = trying_on.enter("adjudicator")
    assert "smollm2" not in judge.get(f"/question/{entry}").text, "it could steer those who judge"


def test_a_model_is_asked_what_is_saved_and_faults_are_said(
    trying_on: Rooms, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    author, who = trying_on.enter("author")
    entry = proposed(trying_on.store, who.id, ask("Q?", "red")).entry
    unsaved = tried(author, entry, "embedded:nowhere", question="Another?")
    assert unsaved.status_code == 409 and "not saved yet" in unsaved.text
    assert Fields(unsaved.text).areas["question"] == "Another?"
    nowhere = tried(author, entry, "embedded:nowhere")
    assert nowhere.status_code == 409 and "unknown embedded model" in unescape(nowhere.text)
    assert tried(author, entry, "embedded:other").status_code == 400

    def fails(*_: object) -> list[trying.Tried]:
        raise EnvironmentProblem("no\nweights <here>")

    monkeypatch.setattr(helping, "ask_model", fails)
    assert "no weights &lt;here&gt;" in tried(author, entry, "embedded:smollm2-135m").text
    hold = threading.Event()
    monkeypatch.setattr(helping, "ask_model", lambda *_: [trying.Tried("plain", str(hold.wait(20)), None)])
    monkeypatch.setattr(helping, "SECONDS", 0.1)
    slow = tried(author, entry, "embedded:smollm2-135m")
    assert slow.status_code == 409 and "did not answer" in slow.text
    assert "Another try is not over" in tried(author, entry, "embedded:smollm2-135m").text
    hold.set()
    assert entries.looks(trying_on.store, "s") == []
    plain, writer = rooms.enter("author")
    bare = proposed(rooms.store, writer.id, ask("Q?")).entry
    assert "Try it on a model" not in plain.get(f"/question/{bare}").text
    assert tried(plain, bare, "embedded:smollm2-135m").status_code == 400


def test_a_person_tries_thirty_times_an_hour(trying_on: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helping, "ask_model", lambda *_: [trying.Tried("plain", "red", True)])
    author, who = trying_on.enter("author")
    entry = proposed(trying_on.store, who.id, ask("Q?", "red")).entry
    form = form_of(author.get(f"/question/{entry}").text) | {"model": "embedded:smollm2-135m"}
    once = TestClient(trying_on.app, cookies=author.cookies, follow_redirects=False)
    sent = [once.post(f"/question/{entry}/try", data=form).status_code for _ in range(31)]
    assert sent == [303] * 30 + [429] and len(entries.looks(trying_on.store, "s")) == 30
    trying_on.now += 3_601
    assert once.post(f"/question/{entry}/try", data=form).status_code == 303


@given(gaps=st.lists(st.integers(0, 40), max_size=40), most=st.integers(1, 4))
def test_never_more_within_the_time_than_may_be(gaps: list[int], most: int) -> None:
    tries, now, begun = trying.Tries(most, 100), 0.0, list[float]()
    for gap in gaps:
        now += gap
        said = tries.begin("a", now)
        full = sum(time > now - 100 for time in begun) >= most
        assert said == ("often" if full else "")
        if not said:
            begun.append(now)
            assert tries.begin("a", now) == "busy" and tries.begin("b", -1_000.0) in ("", "often", "busy")
            tries.end("a")


# ---- in a browser -------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_audit_speaks_while_one_types(rooms: Rooms, chromium: str) -> None:
    import uvicorn
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    _, who = rooms.enter("author")
    judges = [rooms.enter("adjudicator")[1] for _ in range(2)]
    entry = proposed(
        rooms.store, who.id, ask("Porque é que os portugueses gostam de bacalhau?", "x" * 90)
    ).entry
    said = ("send_back", {"D1": "breaks"}, {"": "Diz o país. " + "x" * 90})
    for judge in judges:
        verdicts.judge(rooms.store, judge.id, judge.id, entry, 1, *said, NOW)
    discussion.add(rooms.store, judges[0].id, "c", entry, "https://" + "x" * 90, NOW)
    server = uvicorn.Server(uvicorn.Config(rooms.app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    site = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    faults: list[str] = []
    with sync_playwright() as play:
        chrome = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])

        def opened(path: str, looked_at: bool) -> Any:  # noqa: ANN401
            # axe is a script of others, which the policy of our pages forbids.
            context = chrome.new_context(bypass_csp=looked_at, locale="en-GB", color_scheme="dark")
            context.add_cookies([{"name": "homeground", "value": who.cookie, "url": site}])
            page = context.new_page()
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            page.goto(site + path)
            return page

        page = opened("/question/new", looked_at=False)
        page.locator("#question").press_sequentially("Gosta de Portugal?")
        page.locator('#verdicts [data-rule="D1"]').wait_for()
        assert "D1" in page.locator("#told[role=status]").inner_text()
        assert page.locator('[data-of="D1"]').inner_text() == "look again"
        assert not page.locator("#check").is_visible() and page.locator('[data-of="E3"]').is_hidden()
        page.locator("#question").fill("De que cor são os marcos de correio?")
        page.locator('#verdicts [data-rule="D1"]').wait_for(state="detached")
        assert page.locator('[data-of="D1"]').is_hidden()
        page = opened(f"/question/{entry}", looked_at=True)
        found = Axe().run(page).response["violations"]
        assert [v for v in found if v["impact"] in ("serious", "critical")] == []
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        chrome.close()
    server.should_exit = True
    thread.join(10)
    assert faults == []
