"""A cue check in a real browser: from the admin's link to cues with their verdicts in the culture files."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from homeground.annotate.provenance import verdicts, write_back
from homeground.cli import main
from homeground.cultures.library import CultureFile
from homeground.errors import InputError
from homeground.files import read_toml

DATA = Path(str(files("homeground.cultures"))) / "data"
SHOTS = os.environ.get("HOMEGROUND_SCREENSHOTS")
"""A folder for pictures of every page, to be looked at."""


def homeground(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "homeground", *words], capture_output=True, text=True, timeout=60, check=False
    )


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The admin's link of a served study of two cultures, two cues for each person."""
    file = folder / "study.toml"
    file.write_text(
        'id = "cues-1"\nkind = "cue-check"\ntitle = "Everyday words of Portugal and Brazil"\n'
        'contact = "Ana, ana@example.org"\ncultures = ["PT", "BR"]\nper_person = 2\ncompletion_code = "C0DE"\n'
    )
    words = ["annotate", "serve", "--study", str(file), "--db", str(folder / "s.sqlite"), "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "homeground", *words], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield process.stdout.readline().split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


def press(page: Any, role: str, name: str) -> None:  # noqa: ANN401
    """Press a button or link and wait for the next page."""
    with page.expect_navigation():
        page.get_by_role(role, name=name).click()


def look(page: Any, name: str) -> None:  # noqa: ANN401
    """No serious fault by axe, nothing wider than the page at 360 px; pictures where they are asked for."""
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
    page.set_viewport_size({"width": 1280, "height": 900})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page)
        serious = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
        assert serious == [], (name, scheme, found.generate_report())
        for width in (400, 1280) if SHOTS else ():
            page.set_viewport_size({"width": width, "height": 860})
            page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.browser
def test_from_the_admins_link_to_the_culture_files(tmp_path: Path, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    faults: list[str] = []
    with served(tmp_path) as link, sync_playwright() as play:
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
            admin.get_by_role("combobox", name="Culture").select_option("PT")
            press(admin, "button", "Make a link")
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
    private = page.get_by_label("Private link", exact=True).input_value()
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
    assert page.get_by_text("1 done so far").is_visible()
    page.goto(private)
    press(page, "button", "Go on where you were")
    page.get_by_role("radio", name="Confirm").check()
    press(page, "button", "Save")
    assert page.get_by_label("Your completion code").input_value() == "C0DE"
    see("end")
    press(page, "link", "Private link")
    see("leave")


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
        (good + "quota = 0\n", "quota"),
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
