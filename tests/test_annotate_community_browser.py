"""A community writes its benchmark in a real browser: three writers, two adjudicators, from invitation to release."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from homeground.annotate.app.words import languages
from homeground.benchmarks import QuestionSet, open_benchmark
from tests.browsing import SHOTS, homeground, look, press, served

STUDY = """\
id = "perguntas"
kind = "questions"
title = "{title}"
contact = "a@b.example"
cultures = ["{culture}"]
language = "{tag}"
siblings = ["{sibling}"]
quota = 2
licence = "CC-BY-4.0"
"""
PORTUGUESE = {
    "title": "Perguntas de Portugal",
    "culture": "PT",
    "tag": "pt-PT",
    "sibling": "BR",
    "trial": ("O que é que toda a gente come?", "muitas coisas"),
    "written": [
        ("De que cor são os marcos de correio?", "vermelhos | encarnados"),
        ("Como se chama a segunda refeição principal do dia, à noite?", "jantar"),
        ("Que número se liga em caso de emergência?", "112"),
        ("De que lado da estrada se conduz?", "direito | direita"),
        ("Em que mês é o feriado do Dia do Trabalhador?", "maio"),
    ],
    "twin": ("De que cor são os marcos de correio", "vermelho"),
}
PERSIAN = {
    "title": "پرسش‌هایی از ایران",
    "culture": "IR",
    "tag": "fa-IR",
    "sibling": "TR",
    "trial": ("همه چه چیزی دوست دارند؟", "چیزهای زیاد"),
    "written": [
        ("سال نو در کدام ماه آغاز می‌شود؟", "فروردین"),
        ("آخر هفته کدام روز تعطیل است؟", "جمعه"),
        ("شمارهٔ اورژانس چند است؟", "۱۱۵ | 115"),
        ("از کدام سمت جاده رانندگی می‌کنند؟", "راست | سمت راست"),
        ("بلندترین شب سال چه نام دارد؟", "یلدا | شب یلدا"),
    ],
    "twin": ("سال نو در کدام ماه آغاز می‌شود", "فروردین‌ماه"),
}


class Crowd:
    """Browsers of everybody in the study, and what their consoles complained of."""

    def __init__(self, browser: Any, language: str) -> None:  # noqa: ANN401
        self.browser, self.language, self.faults = browser, language, list[str]()
        self.say = languages()[language].say

    def new(self, *, looked_at: bool = False, script: bool = True) -> Any:  # noqa: ANN401
        context = self.browser.new_context(
            bypass_csp=looked_at, java_script_enabled=script or looked_at, locale=self.language
        )
        page = context.new_page()
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        return page

    def join(self, admin: Any, role: str, **how: bool) -> Any:  # noqa: ANN401
        admin.goto(re.sub(r"/admin.*|/i/.*", "/admin", admin.url))
        form = admin.locator('form[action="/admin/invite"]')
        form.locator("select[name=role]").select_option(role)
        with admin.expect_navigation():
            form.locator("button").click()
        page = self.new(**how)
        page.goto(admin.locator("#shown").input_value())
        press(page, "button", self.say("begin"))
        page.get_by_role("checkbox").check()
        press(page, "button", self.say("next"))
        press(page, "link", self.say("next"))
        return page


def _propose(page: Any, question: str, answers: str, contrast: str = "") -> None:  # noqa: ANN401
    page.goto(re.sub(r"(//[^/]+)/.*", r"\1/question/new", page.url))
    page.locator("textarea[name=question]").fill(question)
    page.locator("textarea[name=answers]").fill(answers)
    if contrast:
        page.locator("textarea[name^=contrast]").fill(contrast)
    with page.expect_navigation():
        page.locator("button[name=do][value=propose]").click()


def _judge(page: Any, decide: dict[str, str]) -> int:  # noqa: ANN401
    """Judge all that waits: the decision by the question's text, else accept. How many there were."""
    number = 0
    page.goto(re.sub(r"(//[^/]+)/.*", r"\1/queue", page.url))
    while page.locator("input[name=decision]").count():
        text = page.locator("main").inner_text()
        decision = next((what for said, what in decide.items() if said in text), "accept")
        page.locator("input[name=mark_L1][value=keeps]").check(force=True)
        page.locator(f"input[name=decision][value={decision}]").check(force=True)
        if decision != "accept":
            page.locator("textarea[name=comment]").fill("?" if number else "…")
        with page.expect_navigation():
            page.locator('form[action^="/queue"] button.main').first.click()
        number += 1
        assert number < 20
    return number


@pytest.mark.browser
@pytest.mark.parametrize(("language", "told"), [("pt", PORTUGUESE), ("fa", PERSIAN)])
def test_from_an_empty_page_to_a_released_set(
    tmp_path: Path, chromium: str, language: str, told: dict[str, Any]
) -> None:
    from playwright.sync_api import sync_playwright

    with served(tmp_path, STUDY.format(**told)) as link, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        crowd = Crowd(browser, language)
        admin = crowd.new(looked_at=True)
        admin.goto(link)
        press(admin, "button", crowd.say("begin"))
        press(admin, "button", crowd.say("set_open"))
        admin.locator('form[action="/admin/round"] input[name=sure]').check()
        press(admin, "button", crowd.say("community_begin_trial"))
        authors = [crowd.join(admin, "author", looked_at=n == 0, script=n < 2) for n in range(3)]
        judges = [crowd.join(admin, "adjudicator", looked_at=n == 0, script=n == 0) for n in range(2)]

        # The trial round: nothing of it may reach the release.
        _propose(authors[0], *told["trial"])
        assert [_judge(judge, {told["trial"][0]: "reject"}) for judge in judges] == [1, 1]
        admin.goto(re.sub(r"/i/.*|/admin.*", "/admin", admin.url))
        press(admin, "button", crowd.say("community_begin_main"))

        # The main round. The second writer sees verdicts while typing, under the page's own policy.
        page = authors[1]
        page.goto(re.sub(r"(//[^/]+)/.*", r"\1/question/new", page.url))
        before = page.locator("#verdicts").inner_text()
        page.locator("textarea[name=question]").press_sequentially(
            told["written"][0][0].rstrip("?؟"), delay=5
        )
        page.wait_for_function(
            "before => document.querySelector('#verdicts').innerText !== before", arg=before
        )
        for number, (question, answers) in enumerate(told["written"]):
            _propose(authors[number % 3], question, answers, "x" if number % 2 else "")
        _propose(authors[2], *told["twin"])
        authors[0].goto(re.sub(r"(//[^/]+)/.*", r"\1/question/new", authors[0].url))
        authors[0].locator("textarea[name=question]").fill(told["written"][1][0])
        authors[0].wait_for_timeout(900)
        look(authors[0], f"community-{language}-question")
        judges[0].goto(re.sub(r"(//[^/]+)/.*", r"\1/queue", judges[0].url))
        look(judges[0], f"community-{language}-review")

        # Two adjudicators; one question goes back to its writer, who mends it.
        back = {told["written"][1][0]: "send_back"}
        assert [_judge(judge, back) for judge in judges] == [6, 6]
        authors[1].goto(re.sub(r"(//[^/]+)/.*", r"\1/desk", authors[1].url))
        with authors[1].expect_navigation():
            authors[1].get_by_role("link", name=told["written"][1][0]).click()
        authors[1].locator("textarea[name=answers]").fill(
            f"{told['written'][1][1]} | {told['written'][1][1]}!"
        )
        with authors[1].expect_navigation():
            authors[1].locator("button[name=do][value=propose]").click()
        assert [_judge(judge, {}) for judge in judges] == [1, 1]
        authors[0].goto(re.sub(r"(//[^/]+)/.*", r"\1/desk", authors[0].url))
        look(authors[0], f"community-{language}-desk")

        # The admin merges the two that ask the same, and looks at what would be released.
        for path in ("/admin", "/admin/entries", "/admin/guidelines", "/admin/release", "/admin/duplicates"):
            admin.goto(re.sub(r"(//[^/]+)/.*", rf"\1{path}", admin.url))
            if language == "pt" or SHOTS:
                look(admin, f"community-{language}-{path.replace('/', '')}")
        with admin.expect_navigation():
            admin.locator('form[action="/admin/duplicates"] button.main').first.click()
        browser.close()
    assert {text for text in crowd.faults if "40" not in text} == set()

    out = tmp_path / "export"
    done = homeground("annotate", "export", "--db", str(tmp_path / "s.sqlite"), "-o", str(out), "--json")
    assert done.returncode == 0, done.stderr
    released = open_benchmark(out / "set")
    assert isinstance(released, QuestionSet)
    texts = {question.question for question in released.questions.values()}
    assert told["trial"][0] not in texts
    assert texts == {question for question, _ in told["written"]}
    provenance = [json.loads(line) for line in (out / "provenance.jsonl").read_text().splitlines()]
    assert len(provenance) == 5 and all(len(line["verdicts"]) >= 2 for line in provenance)
    done = homeground("benchmark", "check", str(out / "set"))
    assert done.returncode == 0, done.stdout + done.stderr
