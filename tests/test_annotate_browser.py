"""A cue check in a real browser: from the admin's link to cues with their verdicts in the culture files."""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib.resources import files
from itertools import product
from pathlib import Path
from time import time
from typing import Any

import pytest

from homeground.annotate.app.steps import CHECK
from homeground.annotate.app.words import languages
from homeground.annotate.export import export
from homeground.annotate.provenance import verdicts, write_back
from homeground.annotate.store import Store, discussion, guidance, people, studies
from homeground.annotate.store.leases import Load, submit
from homeground.annotate.study import Material
from homeground.cli import main
from homeground.cultures.library import CultureFile
from homeground.errors import InputError
from homeground.files import read_toml
from tests.annotating import NOW, filled, person, put_at, study
from tests.browsing import homeground, look, press, served
from tests.community import FILE, ask, opened, proposed

DATA = Path(str(files("homeground.cultures"))) / "data"
CUE_CHECK = """\
id = "cues-1"
kind = "cue-check"
title = "Everyday words of Portugal and Brazil"
contact = "Ana, ana@example.org"
cultures = ["PT", "BR"]
per_person = 2
completion_code = "C0DE"
"""
VALIDATION = """\
id = "validation-1"
kind = "validation"
title = "Do people hear the cues?"
contact = "Ana, ana@example.org"
benchmark = "{benchmark}"
cultures = ["IR", "FR"]
items_per_cell = 5
per_person = 5
attention_every = 3
completion_code = "C0DE"
"""


@pytest.mark.browser
def test_from_the_admins_link_to_the_culture_files(tmp_path: Path, chromium: str) -> None:
    from playwright.sync_api import expect, sync_playwright

    faults: list[str] = []
    with served(tmp_path, CUE_CHECK) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])

        def new(looked_at: bool) -> Any:  # noqa: ANN401
            # axe is a script, which the pages' policy forbids. Pages that are not looked at run as people have
            # them, and without JavaScript.
            context = browser.new_context(bypass_csp=looked_at, java_script_enabled=looked_at, locale="en-GB")
            page = context.new_page()
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            return page

        admin = new(looked_at=True)
        admin.goto(link)
        look(admin, "invite-admin")
        press(admin, "button", "Begin")
        press(admin, "button", "Start")
        for person in range(2):
            admin.locator('form[action="/admin/invite"] select[name=culture]').select_option("PT")
            press(admin, "button", "Make a link")
            expect(admin.get_by_label("The new link")).to_be_in_viewport()
            link_of = admin.get_by_label("The new link").input_value()
            _takes_part(new(person == 0), link_of, looked_at=person == 0)
        admin.goto(re.sub(r"/i/.*", "/admin", link))
        look(admin, "admin")
        assert "running" in admin.content() and "Brazil" in admin.content()
        out = tmp_path / "export"
        done = homeground("annotate", "export", "--db", str(tmp_path / "s.sqlite"), "-o", str(out), "--json")
        assert json.loads(done.stdout)["judgements"] == 4, done.stderr
        browser.close()
    assert faults == []
    said = [json.loads(line) for line in (out / "judgements.jsonl").read_text().splitlines()]
    assert len({line["person"] for line in said}) == 2 and {line["culture"] for line in said} == {"PT"}
    assert sorted(line["comment"] for line in said) == ["", "", "não se usa", "não se usa"]
    assert (out / "judgements.csv").read_text().count("\n") == 5
    shutil.copy(DATA / "PT.toml", tmp_path)
    done = homeground("annotate", "cues", str(out), "--apply", str(tmp_path))
    assert done.returncode == 0, done.stderr
    checked = [
        c for cues in read_toml(tmp_path / "PT.toml", CultureFile).cues.values() for c in cues if c.checked
    ]
    assert {c.value for c in checked} == {line["cue"] for line in said}


def _takes_part(page: Any, link: str, looked_at: bool) -> None:  # noqa: ANN401
    def see(name: str) -> None:
        if looked_at:
            look(page, name)

    page.goto(f"{link}?PROLIFIC_PID=5f3a")
    see("invite")
    press(page, "button", "Begin")
    see("consent")
    page.get_by_role("checkbox").check()
    press(page, "button", "Continue")
    see("link")
    shown = page.get_by_label("Private link", exact=True)
    page.set_viewport_size({"width": 360, "height": 800})
    assert shown.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    private = shown.input_value()
    press(page, "link", "Continue")
    see("eligibility")
    page.get_by_label("In how many").fill("12")
    press(page, "button", "Continue")
    see("instructions")
    press(page, "button", "Start")
    # By keyboard alone: an answer, a comment, on.
    page.get_by_role("radio", name="Confirm").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("não se usa")
    see("item")
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.get_by_text("1 done, of at most 2").is_visible()
    page.goto(private)
    press(page, "button", "Go on where you were")
    page.get_by_role("radio", name="Confirm").check()
    press(page, "button", "Save")
    assert page.get_by_label("Your completion code").input_value() == "C0DE"
    see("end")
    press(page, "link", "Private link")
    see("leave")


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_validation_study_from_the_admins_link_to_its_tables(
    tmp_path: Path, chromium: str, benchmark_folder: Path, language: str
) -> None:
    from playwright.sync_api import sync_playwright

    faults: list[str] = []
    study = VALIDATION.format(benchmark=benchmark_folder)
    with served(tmp_path, study) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])

        def new(looked_at: bool) -> Any:  # noqa: ANN401
            context = browser.new_context(
                bypass_csp=looked_at, java_script_enabled=looked_at, locale=language
            )
            page = context.new_page()
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            return page

        admin, say = new(looked_at=True), languages()[language].say
        admin.goto(link)
        press(admin, "button", say("begin"))
        press(admin, "button", say("set_open"))
        shared = admin.locator('form[action="/admin/share"]')
        shared.locator("select[name=culture]").select_option("IR")
        with admin.expect_navigation():
            shared.locator("button").click()
        look(admin, f"validation-{language}-share")
        link_of = admin.locator("#shown").input_value().partition("?")[0]
        for number in range(2):
            _plays(new(number == 0), f"{link_of}?PROLIFIC_PID=p{number}", language, looked_at=number == 0)
        admin.goto(re.sub(r"/i/.*", "/admin", link))
        assert admin.locator("html").get_attribute("dir") == languages()[language].direction
        look(admin, f"validation-{language}-admin")
        browser.close()
    # The one form that was sent with a fault on purpose is what Chromium tells of.
    assert {text for text in faults if "400 (Bad Request)" not in text} == set() and len(faults) <= 2
    out = tmp_path / "export"
    done = homeground("annotate", "export", "--db", str(tmp_path / "s.sqlite"), "-o", str(out), "--json")
    assert json.loads(done.stdout)["judgements"] == 10, done.stderr
    answers = [json.loads(line) for line in (out / "answers.jsonl").read_text().splitlines()]
    assert {line["unit"] for line in answers if line["other"]} == {"jō 畳"}
    assert {line["group"] for line in answers} == {"evaluation", "control", "attention"}
    done = homeground("annotate", "analyse", str(out), "--json")
    assert done.returncode == 0, done.stderr


def _plays(page: Any, link: str, language: str, looked_at: bool) -> None:  # noqa: ANN401
    say = languages()[language].say

    def see(name: str) -> None:
        if looked_at:
            look(page, f"validation-{language}-{name}")

    def on(key: str) -> None:
        press(page, "button", say(key))

    page.goto(link)
    on("begin")
    see("consent")
    page.get_by_role("checkbox").check()
    on("next")
    press(page, "link", say("next"))
    page.locator("#years").fill("12")
    on("next")
    see("priming")
    for group in page.locator("fieldset").all():
        group.get_by_role("radio").first.check()
    on("next")
    see("instructions")
    on("next")
    see("check")
    for wrong in (True, False):
        for name, right in CHECK.items():
            page.locator(
                f"input[name={name}][value={'both' if wrong and name == 'american' else right}]"
            ).check()
        on("next")
        if wrong:
            assert page.get_by_text(say("check_again")).is_visible()
    for number in range(5):
        # The conversation is in English: left to right inside any page, and what was typed keeps its own direction.
        assert page.locator(".chat li span").first.evaluate("e => getComputedStyle(e).direction") == "ltr"
        assert page.locator("#value").evaluate("e => getComputedStyle(e).direction") == "ltr"
        if number == 0:
            see("item")
            page.locator("#value").fill("many")
            page.locator("input[name=unit]").first.check()
            on("save")
            assert page.get_by_role("alert").inner_text() == say("fault_value")
            see("fault")
        page.locator("#value").fill("۱۲" if number == 1 else "12")
        if number == 2:
            page.locator("input[name=unit][value=other]").check()
            page.locator("#other").fill("jō 畳")
        else:
            page.locator("input[name=unit]").first.check()
        on("save")
    assert page.locator("#shown").input_value() == "C0DE"
    assert "cc=C0DE" in (page.get_by_role("link", name=say("onward")).get_attribute("href") or "")
    see("end")
    page.locator("#said").fill("سلام، خوب بود.")
    on("send")
    assert page.get_by_text(say("said_thanks")).is_visible()


CLIPPED = """() => [...document.querySelectorAll("main *")].filter(one =>
    getComputedStyle(one).overflowX !== "visible" && !one.matches("textarea, .wide, .unseen, .unseen *")
    && one.scrollWidth > one.clientWidth).map(one => one.outerHTML.slice(0, 200))"""


@pytest.mark.browser
def test_pages_of_questions_on_a_phone(tmp_path: Path, chromium: str) -> None:
    """A long word widens none; the queue goes from each guideline to its marks, and opens at what was wrong."""
    from playwright.sync_api import expect, sync_playwright

    word = "W" * 200
    with served(tmp_path, FILE.format(quota=2)) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        store, base = Store(str(tmp_path / "s.sqlite")), re.sub(r"/i/.*", "", link)
        opened(store, quota=2)
        ids, cookies = {}, {}
        for role in ("author", "adjudicator", "admin"):
            secret = people.invite(store, "s", role, None, 1, time())
            cookies[role] = people.redeem(store, "s", secret, {}, time()) or ""
            found = people.who(store, "s", cookies[role], time())
            assert found is not None
            ids[role] = found.id
            put_at(store, found.id, "done")
        question = ask(f"{word}?", word, source=word, notes=word)
        entry = proposed(store, ids["author"], question, time()).entry
        assert discussion.add(store, ids["adjudicator"], "c", entry, word, time()) == "kept"
        assert guidance.change(store, "s", guidance.Added(notes={"L1": word}), 0, time())

        def enter(role: str) -> Any:  # noqa: ANN401
            page = browser.new_context(java_script_enabled=role == "author").new_page()
            page.context.add_cookies([{"name": "homeground", "value": cookies[role], "url": base}])
            return page

        for role, paths in {
            "author": ("/desk", f"/question/{entry}", "/question/new"),
            "adjudicator": ("/queue", f"/question/{entry}"),
            "admin": (
                f"/admin/entry/{entry}",
                "/admin/entries",
                "/admin/guidelines",
                f"/question/{entry}",
                "/admin",
            ),
        }.items():
            page = enter(role)
            for path, width in product(paths, (400, 1280)):
                page.set_viewport_size({"width": width, "height": 800})
                page.goto(base + path)
                page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (role, path)
                assert page.evaluate(CLIPPED) == [], (role, path, width)

        page = enter("adjudicator")
        page.set_viewport_size({"width": 400, "height": 800})
        page.goto(f"{base}/queue")
        page.locator(".hold summary").first.focus()
        tops = [page.locator(":focus").bounding_box()["y"]]
        page.keyboard.press("Tab")
        assert page.locator(":focus").get_attribute("name") == "mark_L1"
        assert tops[0] < page.locator(":focus").bounding_box()["y"]
        page.get_by_role("radio", name="Reject").check()
        press(page, "button", "Save and go on")
        expect(page.get_by_role("alert")).to_be_in_viewport()
        expect(page.locator("#comment")).to_be_in_viewport()
        page.keyboard.press("Tab")
        assert page.locator(":focus").get_attribute("id") == "comment"
        page.locator("#comment").fill(word)
        press(page, "button", "Save and go on")
        assert page.evaluate("scrollY") == 0 and page.get_by_role("status").is_visible()
        page.goto(f"{base}/judged")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        store.close()
        browser.close()


@pytest.mark.browser
def test_colours_and_sides(tmp_path: Path, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    with served(tmp_path, CUE_CHECK) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"{link}?lang=fa")
        page.evaluate(
            """document.querySelector("main").innerHTML = `
            <b id="wrong" class="tag wrong"></b><b id="rejected" class="tag rejected"></b>
            <b id="back" class="tag sent_back"></b><b id="accepted" class="tag accepted"></b>
            <p class="card"><mark id="plain">a</mark></p><p class="versus"><mark id="differs">a</mark></p>
            <table class="figures"><tr><th>a<td><bdi dir="ltr">0.50 <small>[0.10 – 0.90]</small></bdi></table>`"""
        )
        colour = {
            name: page.locator(f"#{name}").evaluate("one => getComputedStyle(one).color")
            for name in ("wrong", "rejected", "back", "accepted")
        }
        assert colour["rejected"] == colour["wrong"] and len(set(colour.values())) == 3
        under = "one => getComputedStyle(one).textDecorationLine"
        assert page.locator("#plain").evaluate(under) == "none"
        assert page.locator("#differs").evaluate(under) == "underline"
        page.set_viewport_size({"width": 400, "height": 800})
        left = """one => { const range = document.createRange(); range.selectNodeContents(one);
            return range.getBoundingClientRect().left }"""
        cell = page.locator("td").evaluate("one => one.getBoundingClientRect().left")
        assert page.locator("td small").evaluate(left) - cell < 20
        browser.close()


LINE = {
    "study": "s", "culture": "PT", "kind": "news_outlet", "cue": "Expresso", "before": "I read it in ", "after": "",
    "verdict": "confirm", "comment": "", "person": "PT-A", "made": "2026-11-30", "item": "i",
}  # fmt: skip


def _export(folder: Path, *lines: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(LINE | line) + "\n" for line in lines)
    (folder / "judgements.jsonl").write_text(text)
    return folder


@pytest.mark.parametrize("code", ["PT", "BR", "IR", "ES-PV", "IN-AS"])
def test_verdicts_change_one_field_and_can_be_written_again(tmp_path: Path, code: str) -> None:
    shutil.copy(DATA / f"{code}.toml", tmp_path)
    before = read_toml(tmp_path / f"{code}.toml", CultureFile)
    every = [
        {"culture": code, "kind": kind, "cue": cue.value}
        for kind, cues in before.cues.items()
        for cue in cues
    ]
    once = _export(tmp_path / "once", *every)
    assert all(w.file for w in write_back(verdicts(once), tmp_path))
    twice = _export(tmp_path / "twice", *every, *({**line, "verdict": "reject"} for line in every))
    write_back(verdicts(twice), tmp_path)
    after = read_toml(tmp_path / f"{code}.toml", CultureFile)
    said = "1 confirmed, 1 rejected, 0 not sure (residents; s, 2026-11-30)"
    for kind, cues in before.cues.items():
        assert [(c.value, c.source, c.checked) for c in after.cues[kind]] == [
            (c.value, c.source, said) for c in cues
        ]
    kept = (tmp_path / f"{code}.toml").read_text().replace(f', checked = "{said}"', "")
    assert kept == (DATA / f"{code}.toml").read_text()


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    shutil.copy(DATA / "PT.toml", tmp_path)
    unknown = _export(tmp_path / "a", {"cue": "No Such Paper"})
    assert [w.file for w in write_back(verdicts(unknown), tmp_path)] == [None]
    with pytest.raises(InputError, match="no such culture file"):
        write_back(verdicts(_export(tmp_path / "b", {"culture": "XX"})), tmp_path)
    with pytest.raises(InputError, match="verdict"):
        verdicts(_export(tmp_path / "c", {"verdict": "maybe"}))
    (tmp_path / "PT.toml").write_text(
        'code = "PT"\nname = "Portugal"\n[cues]\nnews_outlet = [{ value = "Expresso", source = "x" }]\n'
    )
    with pytest.raises(InputError, match="one cue a line"):
        write_back(verdicts(_export(tmp_path / "d", {})), tmp_path)


def test_faulty_studies_are_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    good = 'id = "x"\nkind = "cue-check"\ntitle = "t"\ncontact = "c"\ncultures = ["PT"]\n'
    for text, said in (
        (good.replace("PT", "XX"), "unknown culture 'XX'"),
        (good + "quota = -1\n", "quota"),
        (good.replace("cue-check", "dance"), "field kind"),
    ):
        file.write_text(text)
        done = homeground("annotate", "serve", "--study", str(file), "--db", str(tmp_path / "s.sqlite"))
        assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    done = homeground("annotate", "export", "--db", str(tmp_path / "none"), "-o", str(tmp_path / "o"))
    assert done.returncode == 2 and "no such database" in done.stderr


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert main(["annotate", "serve", "--study", "study.toml"]) == 2
    said = capsys.readouterr().err
    assert "fastapi" in said and "pip install 'homeground[annotate]'" in said


def test_what_a_program_made_up_is_marked_and_goes_into_no_culture_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = filled(str(tmp_path / "s.sqlite"), 1, Load(3, 20, 0), "Expresso")
    settings = study(simulated=True).settings(Material())
    studies.put(store, "s", "cue-check", "Cues of Portugal", Load(3, 20, 0), (), NOW, settings)
    assert submit(store, person(store)[0], "c", "i0", "confirm", "", NOW) == "kept"
    export(store, "s", tmp_path / "out")
    store.close()
    assert "simulated" in (tmp_path / "out" / "judgements.csv").read_text().partition("\n")[0]
    shutil.copy(DATA / "PT.toml", tmp_path)
    before = (tmp_path / "PT.toml").read_bytes()
    assert main(["annotate", "cues", str(tmp_path / "out"), "--apply", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "study 's' is simulated" in said.err and said.err.count("\n") == 1
    assert (tmp_path / "PT.toml").read_bytes() == before
    assert main(["annotate", "cues", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "simulated people; s" in told and "residents" not in told
