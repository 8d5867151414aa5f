"""An adjudicator's pages: blind to the writer, nothing typed is lost, one form counts once, the queue is shared out."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homeground.annotate.app.adjudicating import LONGEST_COMMENT, LONGEST_REMARK, RULES
from homeground.annotate.app.draft import one_newline
from homeground.annotate.app.guard import MOST_BYTES
from homeground.annotate.app.words import languages
from homeground.annotate.store import Store, discussion, entries, people, studies, verdicts, writing
from homeground.annotate.store.verdicts import DECISIONS, MARKS
from homeground.annotate.store.writing import Written
from homeground.schema import Gold
from tests.annotating import NOW, hidden, put_at
from tests.community import Rooms, Somebody, ask, proposed
from tests.writing import HOSTILE, Fields

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    yield Rooms(store)
    store.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Rooms]:
    """A study in which two adjudicators decide."""
    store = Store(str(tmp_path / "pair.sqlite"))
    store.migrate()
    yield Rooms(store, quota=2)
    store.close()


def send(browser: TestClient, page: str, path: str = "/queue", **fields: str) -> Any:  # noqa: ANN401
    """Fill a review page's form and press a button."""
    return browser.post(path, data=hidden(page) | fields)


def judge(browser: TestClient, decision: str = "accept", **fields: str) -> Any:  # noqa: ANN401
    """Decide on what the queue shows."""
    return send(
        browser, browser.get("/queue").text, decision=decision, **({"comment": "porque sim"} | fields)
    )


def ticked(page: str) -> dict[str, str]:
    """Which radio buttons are chosen."""
    return dict(re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"(?: required)? checked>', page))


def said(rooms: Rooms, entry: str) -> list[verdicts.Decided]:
    return verdicts.decided(rooms.store, "s", entry).get(entry, [])


def state(rooms: Rooms, entry: str) -> tuple[str, int]:
    found = entries.shown(rooms.store, "s", entry)
    assert found is not None
    return found.status, found.version


def revise(rooms: Rooms, writer: Somebody, entry: str, base: int, text: str) -> None:
    done = writing.write(
        rooms.store, writer.id, uuid.uuid4().hex, ask(text), NOW, entry=entry, base=base, propose=True
    )
    assert done == Written(entry, base + 1)


# ---- who may see what ---------------------------------------------------------------------------


def test_nothing_that_an_adjudicator_gets_says_who_wrote_or_judged(pair: Rooms) -> None:
    writers = [pair.enter("author")[1] for _ in range(2)]
    entry = proposed(pair.store, writers[0].id, ask("De que cor são os marcos de correio?")).entry
    proposed(pair.store, writers[1].id, ask("De que cor são os marcos do correio?"))
    others = [pair.enter("adjudicator") for _ in range(2)]
    reader, who = pair.enter("adjudicator")
    got: list[Any] = []

    def see(response: Any) -> str:  # noqa: ANN401
        got.extend([*response.history, response])
        return str(response.text)

    for browser, one in others:
        verdicts.judge(
            pair.store,
            one.id,
            uuid.uuid4().hex,
            entry,
            1,
            "send_back",
            {"L1": "breaks"},
            {"": "mais curta"},
            NOW,
        )
        browser.get("/queue")
    revise(pair, writers[0], entry, 1, "De que cor são os marcos, os de correio?")
    discussion.add(pair.store, writers[0].id, uuid.uuid4().hex, entry, "assim está melhor?", NOW)
    for (_, one), decision in zip(others, ("accept", "reject"), strict=True):
        discussion.add(pair.store, one.id, uuid.uuid4().hex, entry, "a ver", NOW)
        verdicts.judge(
            pair.store, one.id, uuid.uuid4().hex, entry, 2, decision, {}, {"": "palavra secreta"}, NOW
        )
    page = see(reader.get("/queue"))
    assert "did not agree" in page and "palavra secreta" not in page
    assert "mais curta" in page and "assim está melhor?" in page and "The writer" in page
    assert "Nearly the same" in page
    see(send(reader, page, "/queue/say", said="e se for amarelo?"))
    see(send(reader, page, decision="reject"))
    see(send(reader, reader.get("/queue").text, decision="reject", comment="não", mark_L1="breaks"))
    see(reader.get("/judged"))
    see(reader.get(f"/question/{entry}"))
    assert state(pair, entry) == ("rejected", 2)
    for response in got:
        everything = response.text + repr(response.headers.multi_items())
        for person in (*writers, *(one for _, one in others), who):
            assert person.id not in everything and person.pseudonym not in everything


def test_the_queue_is_for_adjudicators_who_agreed(rooms: Rooms) -> None:
    author, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    admin, _ = rooms.enter("admin")
    judging, who = rooms.enter("adjudicator")
    form = hidden(judging.get("/queue").text)
    for browser, code in ((author, 403), (admin, 403), (rooms.browser(), 401)):
        for path in ("/queue", "/judged", "/queue/say"):
            assert browser.get(path).status_code == code
        for path in ("/queue", "/queue/say"):
            sent = browser.post(path, data=form | {"decision": "accept", "said": "x"})
            assert sent.status_code == code
    put_at(rooms.store, who.id, "consent")
    for path in ("/queue", "/judged"):
        assert judging.get(path).url.path == "/consent"
    judging.post("/queue", data=form | {"decision": "accept"})
    judging.post("/queue/say", data=form | {"said": "x"})
    assert said(rooms, entry) == [] and discussion.read(rooms.store, "s", entry) == []


def test_what_people_wrote_is_text(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    _, other = rooms.enter("adjudicator")
    browser, _ = rooms.enter("adjudicator")
    asked = ask(HOSTILE, HOSTILE, contrast={"BR": (HOSTILE,)}, source="javascript:alert(1)", notes=HOSTILE)
    entry = proposed(rooms.store, writer.id, asked).entry
    discussion.add(rooms.store, writer.id, "c1", entry, HOSTILE, NOW)
    verdicts.judge(rooms.store, other.id, "v1", entry, 1, "send_back", {}, {"": HOSTILE, "L1": HOSTILE}, NOW)
    again = writing.write(
        rooms.store, writer.id, "w2", msgspec.structs.replace(asked, source="http://x.example/ \"><b>"), NOW,
        entry=entry, base=1, propose=True,
    )  # fmt: skip
    assert again == Written(entry, 2)
    page = browser.get("/queue").text
    fault = send(browser, page, decision="reject", remark_L1=HOSTILE, said=HOSTILE, comment=" ").text
    judged = judge(browser, "reject", comment=HOSTILE)
    assert judged.status_code == 200
    for text in (page, fault, browser.get("/judged").text):
        assert "<script" not in text and text.count("<textarea") == text.count("</textarea>")
        assert HOSTILE in unescape(text)
        assert 'href="javascript' not in text and 'href="http:' not in text and '/ "><b>' not in text


@pytest.mark.parametrize(("source", "links"), [("https://x.example/a", True), ("http://x.example/a", False)])
def test_a_source_opens_beside_and_tells_nobody_where_from(rooms: Rooms, source: str, links: bool) -> None:
    _, writer = rooms.enter("author")
    proposed(rooms.store, writer.id, ask("De que cor são os marcos?", source=source))
    page = rooms.enter("adjudicator")[0].get("/queue").text
    found = re.findall(rf'<a href="{source}"([^>]*)>', page)
    assert bool(found) == links and source in page
    assert all('target="_blank"' in rest and "noreferrer noopener" in rest for rest in found)


# ---- the form -----------------------------------------------------------------------------------


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    decision=st.sampled_from(sorted(DECISIONS)),
    marks=st.dictionaries(st.sampled_from(RULES), st.sampled_from(MARKS), max_size=15),
    remarks=st.dictionaries(st.sampled_from(RULES), TEXT, max_size=4),
    comment=TEXT,
    talk=TEXT,
)
def test_what_is_typed_comes_back_and_is_kept_as_it_was(
    rooms: Rooms, decision: str, marks: dict[str, str], remarks: dict[str, str], comment: str, talk: str
) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask(f"Quem é {uuid.uuid4().hex}?")).entry
    browser, _ = rooms.enter("adjudicator")
    fields = {f"mark_{rule}": mark for rule, mark in marks.items()}
    fields |= {f"remark_{rule}": text for rule, text in remarks.items()}
    fields |= {"comment": comment, "said": talk}
    page = browser.get("/queue").text
    assert ticked(page) == {}
    fault = send(browser, page, **fields)
    assert fault.status_code == 400 and said(rooms, entry) == []
    areas = Fields(fault.text).areas
    typed = {name: one_newline(text).strip() for name, text in fields.items() if not name.startswith("mark_")}
    assert {name: areas[name] for name in typed} == typed
    assert ticked(fault.text) == {name: mark for name, mark in fields.items() if name.startswith("mark_")}
    comments = {
        name.removeprefix("remark_"): text for name, text in typed.items() if name.startswith("remark_")
    }
    comments = {name: text for name, text in {"": typed["comment"], **comments}.items() if text}
    kept = send(browser, fault.text, decision=decision, **fields)
    if decision != "accept" and not typed["comment"]:
        assert kept.status_code == 400 and ticked(kept.text)["decision"] == decision
        kept = send(browser, kept.text, decision=decision, **(fields | {"comment": "porque sim"}))
        comments[""] = "porque sim"
    assert kept.url.path == "/queue" and said(rooms, entry)[0][:4] == (1, decision, marks, comments)
    assert state(rooms, entry) == (DECISIONS[decision], 1)
    # What was typed for the discussion is said only by its own button.
    assert discussion.read(rooms.store, "s", entry) == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"remark_D3": "x" * (LONGEST_REMARK + 1)}, 400),
        ({"comment": "x" * (LONGEST_COMMENT + 1)}, 400),
        ({"decision": ""}, 400),
        ({"decision": "reject", "comment": " \r\n "}, 400),
        ({"decision": "merged"}, 400),
        ({"mark_L1": "maybe"}, 400),
        ({"client": ""}, 400),
        ({"client": "x" * 65}, 400),
        ({"version": "one"}, 400),
        ({"version": "9" * 400}, 400),
        ({"entry": ""}, 400),
        ({"entry": "x" * 65}, 400),
        ({"entry": uuid.uuid4().hex}, 409),
        ({"version": "2"}, 409),
        ({"csrf": "0"}, 403),
    ],
)
def test_what_no_form_sends_is_not_kept(rooms: Rooms, fields: dict[str, str], code: int) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    browser, _ = rooms.enter("adjudicator")
    page = browser.get("/queue").text
    assert send(browser, page, **({"decision": "accept"} | fields)).status_code == code
    assert said(rooms, entry) == [] and state(rooms, entry) == ("proposed", 1)
    kept = send(
        browser, page, decision="accept", remark_D3="x" * LONGEST_REMARK, comment="y" * LONGEST_COMMENT
    )
    assert kept.status_code == 200 and len(said(rooms, entry)) == 1


def test_a_form_filled_to_the_brim_in_any_script_is_taken(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    browser, _ = rooms.enter("adjudicator")
    fields = {f"remark_{rule}": "語" * LONGEST_REMARK for rule in RULES} | {
        f"mark_{rule}": "unsure" for rule in RULES
    }
    fields |= {"comment": "語" * LONGEST_COMMENT, "said": "語" * LONGEST_COMMENT, "decision": "send_back"}
    page = browser.get("/queue").text
    assert len(urlencode(hidden(page) | fields)) <= MOST_BYTES
    assert send(browser, page, **fields).status_code == 200
    assert said(rooms, entry)[0].comments["D3"] == "語" * LONGEST_REMARK


def test_a_form_sent_twice_counts_once(pair: Rooms) -> None:
    _, writer = pair.enter("author")
    entry = proposed(pair.store, writer.id, ask("De que cor são os marcos?")).entry
    browser, _ = pair.enter("adjudicator")
    page = browser.get("/queue").text
    for _ in range(2):
        assert send(browser, page, "/queue/say", said="olá").status_code == 200
    for _ in range(2):
        assert send(browser, page, decision="accept", comment="não").status_code == 200
    assert [one.decision for one in said(pair, entry)] == ["accept"]
    assert [one.text for one in discussion.read(pair.store, "s", entry)] == ["olá"]
    for word in ("adeus", "olá"):
        send(browser, page, "/queue/say", said=word)
    assert [one.text for one in discussion.read(pair.store, "s", entry)] == ["olá", "adeus"]


@pytest.mark.parametrize("more", [False, True])
def test_a_second_verdict_from_another_window_is_not_taken_for_the_first(pair: Rooms, more: bool) -> None:
    _, writer = pair.enter("author")
    entry = proposed(pair.store, writer.id, ask("De que cor são os marcos?")).entry
    browser, _ = pair.enter("adjudicator")
    other = pair.enter("adjudicator")[1]
    verdicts.judge(pair.store, other.id, "o", entry, 1, "reject", {}, {"": "de outra pessoa"}, NOW)
    pages = [browser.get("/queue").text for _ in range(2)]
    if more:
        proposed(pair.store, writer.id, ask("Que dia é o Natal?"))
    first = {"decision": "send_back", "comment": "a primeira", "mark_D1": "breaks", "remark_D1": "datada"}
    assert send(browser, pages[0], **first).status_code == 200
    second = {"decision": "reject", "comment": "a segunda", "remark_L1": "comprida", "said": "e ainda"}
    for changes in (
        second,
        first | {"mark_D1": "unsure"},
        first | {"remark_D1": "outra"},
        {"decision": "accept"},
    ):
        told = send(browser, pages[1], **changes)
        assert told.status_code == 409 and "have judged this version already" in told.text
        for text in ("a primeira", "datada", "broken"):
            assert text in told.text
        assert "de outra pessoa" not in told.text and ("Que dia é o Natal?" in told.text) == more
        (lost,) = re.findall(r'<details class="lost" open>(.*?)</details>', told.text, re.DOTALL)
        wanted = [changes.get(name) for name in ("comment", "remark_D1", "remark_L1", "said")]
        assert all(text in lost for text in wanted if text)
        assert languages()["en"].say(f"decision_{changes['decision']}") in lost
    assert send(browser, pages[1], **first).status_code == 200  # the same again
    assert [one.decision for one in said(pair, entry)] == ["reject", "send_back"]
    assert discussion.read(pair.store, "s", entry) == []


# ---- what happens meanwhile ---------------------------------------------------------------------


def test_a_question_that_changed_meanwhile_is_shown_anew_with_what_was_typed(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    proposed(rooms.store, writer.id, ask("Que dia é o Natal?"))
    browser, _ = rooms.enter("adjudicator")
    page = browser.get("/queue").text
    revise(rooms, writer, entry, 1, "De que cor é um marco de correio?")
    typed = {"comment": "curta", "remark_L1": "boa", "mark_L1": "keeps", "decision": "accept"}
    again = send(browser, page, **typed)
    assert again.status_code == 409 and "It was changed meanwhile" in again.text
    assert "De que cor é um marco de correio?" in again.text and hidden(again.text)["version"] == "2"
    assert Fields(again.text).areas["comment"] == "curta" and Fields(again.text).areas["remark_L1"] == "boa"
    assert ticked(again.text) == {"mark_L1": "keeps", "decision": "accept"}
    assert said(rooms, entry) == []
    assert send(browser, again.text, **typed).status_code == 200
    assert [one.version for one in said(rooms, entry)] == [2] and state(rooms, entry) == ("accepted", 2)


def test_words_for_a_question_that_is_gone_can_be_copied(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    proposed(rooms.store, writer.id, ask("Que dia é o Natal?"))
    browser, _ = rooms.enter("adjudicator")
    page = browser.get("/queue").text
    assert writing.take_back(rooms.store, writer.id, entry, 1, NOW) is None
    gone = send(browser, page, decision="reject", comment="um pensamento longo", remark_E1="outro")
    assert gone.status_code == 409 and hidden(gone.text)["entry"] != entry
    assert "um pensamento longo" in gone.text and "outro" in gone.text
    assert Fields(gone.text).areas["comment"] == "" and ticked(gone.text) == {}
    studies.set_status(rooms.store, "s", "paused", studies.state(rooms.store, "s").version, NOW)
    rests = send(browser, gone.text, decision="reject", comment="mais um")
    assert rests.status_code == 409 and "mais um" in rests.text and "resting" in rests.text
    assert said(rooms, hidden(gone.text)["entry"]) == []


def test_two_decide_and_a_third_breaks_a_tie(pair: Rooms) -> None:
    _, writer = pair.enter("author")
    entry = proposed(pair.store, writer.id, ask("De que cor são os marcos?")).entry
    first, second, third, fourth = (pair.enter("adjudicator")[0] for _ in range(4))
    pages = [first.get("/queue").text, second.get("/queue").text]
    assert "in other hands" in third.get("/queue").text and "did not agree" not in "".join(pages)
    send(first, pages[0], decision="accept")
    assert state(pair, entry) == ("proposed", 1)
    assert "not decided yet" in first.get("/judged").text
    assert "have judged all" in first.get("/queue").text
    send(second, pages[1], decision="reject", comment="não")
    tie = third.get("/queue").text
    assert "did not agree" in tie and ">não<" not in tie
    assert "in other hands" in fourth.get("/queue").text
    send(third, tie, decision="accept")
    assert state(pair, entry) == ("accepted", 1)
    for browser, own in ((first, "accepted"), (second, "rejected"), (third, "accepted")):
        row = browser.get("/judged").text.partition("<ol")[2]
        tags = re.findall(r'<span class="tag \w+">([^<]+)<', row)
        assert tags == [own, "accepted"]
    assert "have judged nothing yet" in fourth.get("/judged").text


def test_a_hold_passes_on_when_its_time_is_up(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    (slow, _), (quick, _) = rooms.enter("adjudicator"), rooms.enter("adjudicator")
    page = slow.get("/queue").text
    assert "in other hands" in quick.get("/queue").text
    rooms.now += 60 * 21
    judge(quick)
    late = send(slow, page, decision="reject", comment="tarde")
    assert late.status_code == 409 and "tarde" in late.text
    assert [one.decision for one in said(rooms, entry)] == ["accept"]


def test_whoever_corrects_a_question_does_not_judge_it(rooms: Rooms) -> None:
    questions = [msgspec.structs.replace(ask("Que se bebe?", "chá"), id="BLEnD:1", idks={"não sei": 3})]
    questions[0] = msgspec.structs.replace(
        questions[0], answers=(Gold(forms=("chá", "o chá"), count=17), "café")
    )
    writing.put_imported(rooms.store, "s", questions, NOW)
    (entry,) = (one.id for one in entries.listed(rooms.store, "s"))
    (mends, _), (other, _) = rooms.enter("adjudicator"), rooms.enter("adjudicator")
    page = mends.get("/queue").text
    assert "17 votes" in page and "o chá" in page and "não sei" in page and "imported" in page
    assert f'href="/question/{entry}"' in page
    form = mends.get(f"/question/{entry}").text
    fields = {"question": "Que se bebe às cinco?", "do": "propose"}
    assert mends.post(f"/question/{entry}", data=hidden(form) | fields).status_code == 200
    assert "have judged all" in mends.get("/queue").text
    send(mends, page, decision="accept")
    assert said(rooms, entry) == []
    fresh = other.get("/queue").text
    assert "Que se bebe às cinco?" in fresh and "17 votes" in fresh
    send(other, fresh, decision="accept")
    assert state(rooms, entry) == ("accepted", 2)


# ---- discussion and looking back ----------------------------------------------------------------


def test_a_word_is_said_without_losing_the_verdict_at_hand(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor são os marcos?")).entry
    browser, _ = rooms.enter("adjudicator")
    page = browser.get("/queue").text
    typed = {"comment": "ainda não sei", "mark_E3": "unsure", "remark_E3": "será?", "decision": "send_back"}
    for talk, word in (("", "Please write something"), ("x" * (LONGEST_COMMENT + 1), "Please keep it below")):
        answer = send(browser, page, "/queue/say", said=talk, **typed)
        assert answer.status_code == 400 and word in answer.text
    heard = send(browser, page, "/queue/say", said="É mesmo assim?", **typed)
    assert heard.status_code == 200 and "É mesmo assim?" in heard.text
    areas = Fields(heard.text).areas
    assert (areas["comment"], areas["remark_E3"], areas["said"]) == ("ainda não sei", "será?", "")
    assert ticked(heard.text) == {"mark_E3": "unsure", "decision": "send_back"}
    discussion.add(rooms.store, writer.id, "w", entry, "É.", NOW)
    assert ">É.<" in browser.get("/queue").text
    assert said(rooms, entry) == []
    assert browser.get("/queue/say?lang=pt").url.path == "/queue"


def test_a_revised_question_comes_with_what_was_said_and_what_changed(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    entry = proposed(rooms.store, writer.id, ask("De que cor costumam ser os marcos?")).entry
    (first, _), (second, _) = rooms.enter("adjudicator"), rooms.enter("adjudicator")
    assert "Changed since" not in first.get("/queue").text
    judge(first, "send_back", comment="sem «costumam»", mark_L3="breaks", remark_L3="habitual")
    revise(rooms, writer, entry, 1, "De que cor são os marcos?")
    page = second.get("/queue").text
    assert "sem «costumam»" in page and "habitual" in page and "Changed since" in page
    assert "<mark>costumam ser</mark>" in page and "<mark>são</mark>" in page


def test_pages_of_verdicts_are_fifty_long_and_show_only_ones_own(rooms: Rooms) -> None:
    _, writer = rooms.enter("author")
    (browser, who), (other, _) = rooms.enter("adjudicator"), rooms.enter("adjudicator")
    for number in range(52):
        entry = proposed(rooms.store, writer.id, ask(f"Quem é o número {number}?")).entry
        verdicts.judge(rooms.store, who.id, f"v{number}", entry, 1, "accept", {}, {}, NOW)
    first, second = (browser.get(f"/judged?page={page}").text for page in (1, 2))
    numbers = [int(n) for page in (first, second) for n in re.findall(r"No\. (\d+)", page)]
    assert numbers == list(range(52, 0, -1)) and first.count("<li>") == 50
    assert browser.get("/judged?page=٣").text.count("<li>") == 50
    assert "No. " not in other.get("/judged").text


@pytest.mark.parametrize("language", sorted(languages()))
def test_each_page_is_there_in_each_language(rooms: Rooms, language: str) -> None:
    _, writer = rooms.enter("author")
    browser, who = rooms.enter("adjudicator")
    proposed(rooms.store, writer.id, ask("شام یلدا چیست؟", "انار"))
    say = languages()[language].say
    page = browser.get(f"/queue?lang={language}").text
    assert f'dir="{languages()[language].direction}"' in page and say("judge_decision") in page
    kept = send(browser, page, decision="send_back", comment="چرا؟")
    assert say("judge_kept_send_back") in kept.text and say("judge_done_title") in kept.text
    assert say("judge_judged_title") in browser.get("/judged").text
    people.withdraw(rooms.store, who.id, NOW)
    assert browser.get("/queue").status_code == 401
