"""The pages of a study: who may do what, forms of other sites, stored markup, sizes, rates, headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from homeground.annotate.app import create_app
from homeground.annotate.app.guard import ANYBODY, HEADERS, roles_of
from homeground.annotate.export import Line, csv, lines
from homeground.annotate.store import Store, people, recruiting, studies
from homeground.annotate.store.leases import Load, locked_study
from tests.annotating import NOW, database, filled, hidden, person, study
from tests.fuzzing import site_of

HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}{culture}"


class Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


class Site:
    """A study's site and what is behind it."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock = store, Clock()
        self.study = study(completion_code="DONE1", screen_out_code="OUT1")
        self.app: FastAPI = create_app(store, self.study, clock=self.clock)

    def browser(self, cookie: str | None = None, **headers: str) -> TestClient:
        client = TestClient(self.app, follow_redirects=False, headers=headers)
        if cookie is not None:
            client.cookies.set("homeground", cookie)
        return client


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    store = filled(str(tmp_path / "s.sqlite"), 3, Load(3, 20, 0), HOSTILE)
    yield Site(store)
    store.close()


def routes(app: FastAPI) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Every route, also of routers inside: method, path, handler."""
    found = 0
    stack: list[Any] = list(app.routes)
    while stack:
        route = stack.pop()
        if isinstance(route, APIRoute):
            found += 1
            for method in sorted(route.methods or ()):
                yield method, route.path, route.endpoint
        else:
            stack += list(getattr(getattr(route, "original_router", route), "routes", []))
    assert found > 20


def test_every_route_asks_for_its_role(site: Site) -> None:
    cookies = {role: person(site.store, role=role)[1] for role in people.ROLES} | {"nobody": None}
    walked = 0
    for method, path, handler in routes(site.app):
        allowed = roles_of(handler)
        for role, cookie in cookies.items():
            address = path.replace("{secret}", "x").replace("{name}", "x")
            # A form without its token: whoever may come in is told that (403), nothing is done.
            answer = site.browser(cookie).request(method, address)
            walked += 1
            if ANYBODY in allowed:
                assert answer.status_code != 401, (method, path, role)
            elif role == "nobody":
                assert answer.status_code == 401, (method, path)
            elif role not in allowed:
                assert answer.status_code == 403, (method, path, role)
            elif method == "GET":
                fine = (200, 303, 404) if "{" in path else (200, 303)
                assert answer.status_code in fine, (method, path, role)
            assert answer.status_code < 500
    assert walked > 150
    open_to_all = {path for _, path, handler in routes(site.app) if ANYBODY in roles_of(handler)}
    assert open_to_all == {
        "/style.css", "/icon.svg", "/i/{secret}", "/join/{secret}", "/my/{secret}", "/my/{secret}/withdraw",
        "/withdrawn", "/logout",
    }  # fmt: skip
    admins = {path for _, path, handler in routes(site.app) if roles_of(handler) == {"admin"}}
    assert admins == {path for _, path, _ in routes(site.app) if path.startswith("/admin")}
    assert len(admins) > 12


def test_a_route_that_says_nothing_is_for_admins(site: Site) -> None:
    @site.app.get("/new")
    def new() -> str:
        return "x"

    assert site.browser().get("/new").status_code == 401
    assert site.browser(person(site.store)[1]).get("/new").status_code == 403
    assert site.browser(person(site.store, role="admin")[1]).get("/new").status_code == 200


def test_no_form_counts_without_its_token(site: Site) -> None:
    cookie = person(site.store, role="admin")[1]
    for method, path, _ in routes(site.app):
        if method == "POST":
            for token in ("", "0" * 64, "ü"):
                answer = site.browser(cookie).post(
                    path.replace("{secret}", "x").replace("{name}", "x"), data={"csrf": token}
                )
                assert answer.status_code == 403, path
    browser = site.browser(cookie)
    form = hidden(browser.get("/admin").text) | {"status": "paused"}
    assert (
        browser.post("/admin/status", data=form, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    )
    other = site.browser(person(site.store, role="admin")[1])
    assert other.post("/admin/status", data=form).status_code == 403
    assert studies.state(site.store, "s").status == "open"
    assert browser.post("/admin/status", data=form).status_code == 303
    assert studies.state(site.store, "s").status == "paused"


def test_logging_in_gives_a_new_cookie(site: Site) -> None:
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    browser = site.browser("planted-by-somebody")
    form = hidden(browser.get(f"/i/{secret}").text)
    answer = browser.post(f"/i/{secret}", data=form)
    line = answer.headers["set-cookie"]
    assert answer.status_code == 303 and "HttpOnly" in line and "samesite=lax" in line.lower()
    assert "planted" not in line
    assert site.browser("planted-by-somebody").get("/consent").status_code == 401
    # Looking at an invitation uses nothing up; using it does, once something is given.
    assert site.browser().get(f"/i/{secret}").status_code == 200
    form = hidden(browser.get("/consent").text)
    assert browser.post("/consent", data=form | {"agree": "yes"}).status_code == 200
    assert site.browser().get(f"/i/{secret}").status_code == 404


def test_a_link_ends_somebody_elses_login_only_where_that_is_ticked(site: Site) -> None:
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    shared = recruiting.share(site.store, "s", "prolific", "PT", 9, 1, NOW)
    private = people.private_link(site.store, person(site.store)[0])
    for address in (f"/i/{secret}", f"/join/{shared}?PROLIFIC_PID=five", f"/my/{private}"):
        path, cookie = address.partition("?")[0], person(site.store, role="admin")[1]
        assert 'name="sure"' not in site.browser().get(address).text.partition("</form>")[0], (
            "nobody gives way"
        )
        browser, admin = site.browser(cookie), people.who(site.store, "s", cookie, NOW)
        assert admin is not None and admin.pseudonym
        page = browser.get(address).text.partition("</form>")[0]
        assert f"You are logged in here as {admin.pseudonym} (Admin)" in page and "--admin-link" in page
        assert '<input type="checkbox" name="sure" value="yes" required>' in page
        assert browser.post(path, data=hidden(page)).status_code == 400
        assert browser.get("/admin").status_code == 200
        assert browser.post(path, data=hidden(page) | {"sure": "yes"}).status_code == 303
        assert browser.get("/admin").status_code == 403
        assert site.browser(cookie).get("/admin").status_code == 401, "that login has ended"


def test_ones_own_private_link_asks_for_nothing(site: Site) -> None:
    one, cookie = person(site.store)
    path = f"/my/{people.private_link(site.store, one)}"
    browser = site.browser(cookie)
    page = browser.get(path).text.partition("</form>")[0]
    assert "You are logged in here" not in page
    assert browser.post(path, data=hidden(page)).status_code == 303
    assert browser.get("/item").status_code == 200


@pytest.mark.parametrize("role", people.ROLES)
def test_logging_out_ends_this_login_alone(site: Site, role: str) -> None:
    one, cookie = person(site.store, role=role)
    elsewhere = people.login(site.store, one, NOW)
    browser = site.browser(cookie)
    page = browser.get("/admin" if role == "admin" else "/leave").text
    assert re.search(r'<form method="post" action="/logout">.*?Log out on this device', page, re.DOTALL)
    assert ("--admin-link" in page) == (role == "admin")
    assert browser.get("/logout").headers["location"] == "/", "asking for it does nothing"
    assert browser.post("/logout", data=hidden(page)).headers["location"] == "/logout"
    assert "You are logged out" in browser.get("/logout").text and browser.get("/").status_code == 401
    assert site.browser(cookie).get("/").status_code == 401
    assert site.browser(elsewhere).get("/").status_code == 303


def walk(site: Site, browser: TestClient, years: str = "7") -> str:
    """From an invitation to the first item; the private link."""
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    browser.post(f"/i/{secret}", data=hidden(browser.get(f"/i/{secret}?PROLIFIC_PID=abc").text))
    form = hidden(browser.get("/consent").text)
    assert browser.post("/consent", data=form).status_code == 400
    shown = browser.post("/consent", data=form | {"agree": "yes"}).text
    link = re.search(r">http://testserver(/my/[^<]+)<", shown)
    assert link is not None
    form = hidden(browser.get("/eligibility").text)
    assert browser.post("/eligibility", data=form | {"years": "16"}).status_code == 400
    browser.post("/eligibility", data=form | {"years": years})
    browser.post("/instructions", data=hidden(browser.get(browser.get("/").headers["location"]).text))
    return link[1]


def test_from_the_invitation_to_the_end_and_out_again(site: Site) -> None:
    browser = site.browser()
    link = walk(site, browser)
    for number in range(3):
        page = browser.get("/item").text
        assert f"{number} done so far" in page
        form = hidden(page)
        fault = browser.post("/item", data=form | {"comment": "kept?"})
        assert fault.status_code == 400 and ">kept?</textarea>" in fault.text
        sent = form | {"verdict": "reject", "comment": "=HYPERLINK(1)" if number else HOSTILE}
        assert browser.post("/item", data=sent).headers["location"] == "/item"
        assert browser.post("/item", data=sent).headers["location"] == "/item"
    assert browser.get("/item").headers["location"] == "/end"
    assert "DONE1" in browser.get("/end").text
    assert [s.verdict for s in studies.said(site.store, "s")] == ["reject"] * 3
    elsewhere = site.browser()
    answer = elsewhere.post(link, data=hidden(elsewhere.get(link).text))
    assert answer.status_code == 303 and "DONE1" in elsewhere.get("/end").text
    form = hidden(elsewhere.get("/leave").text)
    assert elsewhere.post("/withdraw", data=form).status_code == 400
    assert elsewhere.post("/withdraw", data=form | {"sure": "yes"}).headers["location"] == "/withdrawn"
    assert "You have withdrawn" in elsewhere.get("/withdrawn").text
    assert browser.get("/end").status_code == 401
    assert {s.person for s in studies.said(site.store, "s")} == {""}


def test_who_lived_there_too_shortly_is_thanked(site: Site) -> None:
    browser = site.browser()
    walk(site, browser, years="4")
    assert browser.get("/").headers["location"] == "/end"
    assert "OUT1" in browser.get("/end").text
    assert browser.get("/item").headers["location"] == "/"
    form = hidden(browser.get("/leave").text)
    browser.post("/eligibility", data=form | {"years": "15"})
    assert "OUT1" in browser.get("/end").text


def test_stored_markup_is_text_and_formulas_are_defused(site: Site) -> None:
    browser = site.browser(person(site.store)[1])
    page = browser.get("/item").text
    assert "<script" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{7*7}}{culture}" in page
    for comment in ("=1+1", "@x", "+1", "-1+2", "\t=1", 'a",=b\nc'):
        other = site.browser(person(site.store)[1])
        form = hidden(other.get("/item").text) | {"verdict": "confirm", "comment": comment}
        other.post("/item", data=form)
    text = csv(lines(studies.whole(site.store, "s"), "s"), Line)
    assert not re.search(r'(?m)(^|,)"?[=+@\t-]', text.replace('"a"",=b\nc"', ""))
    admin = site.browser(person(site.store, role="admin")[1])
    assert admin.get("/admin/judgements.csv").text == text


def test_large_things_are_refused(site: Site) -> None:
    browser = site.browser(person(site.store)[1])
    form = hidden(browser.get("/item").text) | {"verdict": "confirm"}
    assert browser.post("/item", data=form | {"comment": "x" * 270_000}).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(300):
            yield b"x" * 1_000

    assert browser.post("/item", content=parts()).status_code == 413
    assert browser.get("/i/" + "x" * 5_000).status_code == 414
    assert browser.post("/item", data=form | {"comment": "x" * 2_001}).status_code == 400
    assert browser.post("/item", data=form | {"client": "x" * 65}).status_code == 400
    assert browser.post("/item", data=form | {"item": "nothing"}).status_code == 409
    assert studies.said(site.store, "s") == []


def test_guessing_links_is_slowed_down(site: Site) -> None:
    browser = site.browser()
    good = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    assert [browser.get(f"/i/guess{n}").status_code for n in range(20)] == [404] * 20
    for path in ("/i/guess", f"/i/{good}", "/my/guess"):
        assert browser.get(path).status_code == 429
    site.clock.now += 301
    assert browser.get(f"/i/{good}").status_code == 200
    site.clock.now += 86_400
    assert browser.get(f"/i/{good}").status_code == 404


def test_every_answer_has_the_headers(site: Site) -> None:
    browser = site.browser(person(site.store)[1])
    answers = [browser.get(path) for path in ("/item", "/", "/nothing", "/admin", "/i/x", "/style.css")]
    answers += [browser.post("/item"), browser.put("/item"), browser.get("/" + "x" * 5_000)]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert "style=" not in answer.text and "<script" not in answer.text
    assert browser.get("/item").headers["cache-control"] == "no-store"


def test_a_broken_page_says_so_with_the_headers(site: Site) -> None:
    @site.app.get("/broken")
    def broken() -> str:
        raise RuntimeError("secret of the house")

    answer = site.browser(person(site.store, role="admin")[1]).get("/broken")
    assert answer.status_code == 500 and "secret" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


def test_over_https_the_cookie_is_bound_to_host_and_scheme(site: Site) -> None:
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    browser = TestClient(site.app, base_url="https://study.example", follow_redirects=False)
    answer = browser.post(f"/i/{secret}", data=hidden(browser.get(f"/i/{secret}").text))
    assert answer.headers["set-cookie"].startswith("__Host-homeground=")
    assert "Secure" in answer.headers["set-cookie"] and "strict-transport-security" in answer.headers


def test_an_admin_makes_links_and_closes(site: Site) -> None:
    browser = site.browser(person(site.store, role="admin")[1])
    form = hidden(browser.get("/admin").text)
    made = browser.post("/admin/invite", data=form | {"role": "annotator", "culture": "PT", "days": "3"})
    link = re.search(r">http://testserver(/i/[^<]+)<", made.text)
    assert link is not None
    assert "Portugal" in site.browser().get(link[1]).text
    for bad in ({"role": "king"}, {"culture": "FR"}, {"days": "0"}, {"days": "x"}):
        data = form | {"role": "annotator", "culture": "PT", "days": "3"} | bad
        assert browser.post("/admin/invite", data=data).status_code == 400
    assert browser.post("/admin/status", data=form | {"status": "closed"}).status_code == 400
    annotator = site.browser(person(site.store)[1])
    browser.post("/admin/status", data=form | {"status": "closed", "sure": "yes"})
    assert studies.state(site.store, "s").status == "closed"
    page = annotator.get("/item").text
    assert "The study has ended" in page and "resting" not in page


def close(store: Store) -> None:
    assert studies.set_status(store, "s", "closed", studies.state(store, "s").version, NOW)


def test_nobody_but_an_admin_joins_a_closed_study(site: Site) -> None:
    paths = [
        f"/i/{people.invite(site.store, 's', 'annotator', 'PT', 1, NOW)}",
        f"/join/{recruiting.share(site.store, 's', 'prolific', 'PT', 9, 1, NOW)}",
    ]
    browsers = [site.browser() for _ in paths]
    opened = [
        hidden(b.get(f"{path}?PROLIFIC_PID=five").text) for b, path in zip(browsers, paths, strict=True)
    ]
    late = people.invite(site.store, "s", "admin", None, 1, NOW)
    admin, number = site.browser(person(site.store, role="admin")[1]), studies.people(site.store, "s")
    made = hidden(admin.get("/admin").text) | {
        "culture": "PT",
        "days": "3",
        "platform": "prolific",
        "most": "3",
    }
    close(site.store)
    for path, browser, form in zip(paths, browsers, opened, strict=True):
        for told in (site.browser().get(path), browser.post(path, data=form)):
            assert told.status_code == 409 and "has ended" in told.text
        assert browser.get("/").status_code == 401
    assert studies.people(site.store, "s") == number
    page = admin.get("/admin").text
    assert '<option value="admin">' in page and '<option value="annotator">' not in page
    assert "/admin/share" not in page and "Nobody is stuck" not in page and "has ended" in page
    for action, role in (("invite", "annotator"), ("share", "")):
        assert admin.post(f"/admin/{action}", data=made | {"role": role}).status_code == 409
    assert admin.post("/admin/invite", data=made | {"role": "admin"}).status_code == 200
    browser = site.browser()
    assert browser.post(f"/i/{late}", data=hidden(browser.get(f"/i/{late}").text)).status_code == 303
    assert browser.get("/admin").status_code == 200


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_who_joins_while_the_study_is_closed_has_come_too_late(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as url:
        store = filled(url, 1, Load(3, 20, 0))
        secret = people.invite(store, "s", "annotator", "PT", 1, NOW)
        came: list[str | None] = []
        joining = Thread(target=lambda: came.append(people.redeem(store, "s", secret, {}, NOW)))
        with store.write() as session:
            locked_study(session, "s").status = "closed"
            session.flush()
            joining.start()
            joining.join(0.5)
        joining.join(60)
        assert came == [None] and studies.people(store, "s") == []
        store.close()


@pytest.mark.parametrize("stage", ["consent", "eligibility", "instructions", "items"])
def test_whoever_is_on_their_way_is_told_that_the_study_has_ended(site: Site, stage: str) -> None:
    browser = TestClient(site.app, cookies={"homeground": person(site.store, stage)[1]})
    page = browser.get("/")
    assert page.status_code == 200 and "has ended" not in page.text
    close(site.store)
    assert "The study has ended" in browser.get("/").text
    assert "The study has ended" not in browser.get("/leave").text


UNFILLED = {
    "prolific": ["PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID=x", "PROLIFIC_PID=PROLIFIC_PID", "PROLIFIC_PID=%20"],
    "connect": ["participantId={{participantId}}", "participantId=${e://Field/id}", "participantId=[participantId]"],
    "mturk": ["workerId=${workerId}&assignmentId=${assignmentId}", "workerId=workerId", "assignmentId=A1&hitId=H1"],
}  # fmt: skip
"""Addresses as a platform never opens them: nobody has filled their placeholders in."""


@pytest.mark.parametrize(("platform", "query"), [(one, query) for one in UNFILLED for query in UNFILLED[one]])
def test_a_number_that_nobody_filled_in_lets_nobody_join(site: Site, platform: str, query: str) -> None:
    path = f"/join/{recruiting.share(site.store, 's', platform, 'PT', 9, 1, NOW)}"

    def joins(params: str) -> Any:  # noqa: ANN401
        browser = site.browser()
        form = {name: unescape(value) for name, value in hidden(browser.get(f"{path}?{params}").text).items()}
        return browser.post(path, data=form)

    told = joins(quote(query, safe="=&%"))
    assert told.status_code == 409 and "without the number" in told.text
    assert studies.people(site.store, "s") == []
    assert joins(f"{people.PLATFORMS[platform]}=5f0c").status_code == 303


def test_in_a_preview_nobody_joins(site: Site) -> None:
    path = f"/join/{recruiting.share(site.store, 's', 'mturk', 'PT', 9, 1, NOW)}"
    browser, preview = site.browser(), "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1"
    for query in (preview, f"{preview}&workerId=A1"):
        told = browser.post(path, data=hidden(browser.get(f"{path}?{query}").text))
        assert told.status_code == 409 and "Accept the task first" in told.text
    assert studies.people(site.store, "s") == []
    accepted = hidden(browser.get(f"{path}?assignmentId=B1&hitId=H1&workerId=A1").text)
    assert browser.post(path, data=accepted).status_code == 303


@pytest.mark.parametrize(
    ("minutes", "said"), [(31, "31 min"), (119, "119 min"), (120, "2 h"), (2_879, "47 h"), (3_376, "2 days")]
)
def test_how_long_somebody_is_quiet_is_said_in_fitting_units(site: Site, minutes: int, said: str) -> None:
    person(site.store)
    admin = site.browser(people.login(site.store, person(site.store, role="admin")[0], NOW + 60 * minutes))
    site.clock.now += 60 * minutes
    assert f"<td>{said}</td>" in admin.get("/admin").text


def test_a_studys_own_consent_text_stands_in_every_language_and_is_kept_word_for_word(site: Site) -> None:
    site.app.state.study = study(consent={"pt": "Aceito {tudo} <b>."})
    browser = site.browser(person(site.store, stage="consent")[1])
    page = browser.get("/consent").text
    assert "Aceito {tudo} &lt;b&gt;." in page and "You will see" not in page
    browser.post("/consent", data=hidden(page) | {"agree": "yes"})
    assert [kept["text"] for kept in studies.consents(site.store, "s")] == ["Aceito {tudo} <b>."]
    (one,) = studies.people(site.store, "s")
    assert one.consent == studies.consents(site.store, "s")[0]["version"]


def begin(site: Site, path: str, query: str = "") -> TestClient:
    """Open a link in a new browser and press its button."""
    browser = site.browser()
    browser.post(path, data=hidden(browser.get(f"{path}{query}").text))
    return browser


def members(site: Site) -> list[str]:
    return [member.stage for member in studies.people(site.store, "s")]


def consent(browser: TestClient) -> int:
    return browser.post("/consent", data=hidden(browser.get("/consent").text) | {"agree": "yes"}).status_code


def test_who_lost_the_answer_to_begin_gets_in_again_as_the_same_person(site: Site) -> None:
    shared = recruiting.share(site.store, "s", "prolific", "PT", 1, 1, NOW)
    invited = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    for path, query in ((f"/join/{shared}", "?PROLIFIC_PID=abc"), (f"/i/{invited}", "")):
        before = len(members(site))
        lost = begin(site, path, query)
        who = people.who(site.store, "s", lost.cookies["homeground"], NOW)
        assert who is not None
        link = people.private_link(site.store, who.id)
        again = begin(site, path, query)
        assert len(members(site)) == before + 1
        # Two who hold the link are never both in: what the first got is void.
        assert site.browser().get(f"/my/{link}").status_code == 404
        assert (lost.get("/consent").status_code, again.get("/consent").status_code) == (401, 200)
        assert consent(again) == 200
        # Who has agreed to something is reached by their private link alone.
        assert begin(site, path, query).get("/").status_code == 401
        assert again.get("/eligibility").status_code == 200
    (row,) = recruiting.links(site.store, "s")
    assert (row.joined, row.most) == (1, 1)
    assert members(site) == ["eligibility", "eligibility"]


def test_a_used_invitation_leads_back_for_a_quarter_of_an_hour_and_no_admin(site: Site) -> None:
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    first = begin(site, f"/i/{secret}")
    admins = people.invite(site.store, "s", "admin", None, 1, NOW)
    begin(site, f"/i/{admins}")
    assert site.browser().get(f"/i/{admins}").status_code == 404
    assert people.redeem(site.store, "s", admins, {}, NOW) is None
    site.clock.now += 901
    assert site.browser().get(f"/i/{secret}").status_code == 404
    assert people.redeem(site.store, "s", secret, {}, site.clock.now) is None
    assert first.get("/consent").status_code == 200
    assert people.redeem(site.store, "s", "no such", {}, NOW) is None


def test_nobody_agrees_to_a_text_that_they_did_not_see(site: Site) -> None:
    site.app.state.study = study(consent={"en": "OLD: nothing is published"})
    browser = site.browser(person(site.store, stage="consent")[1])
    seen = hidden(browser.get("/consent").text) | {"agree": "yes"}
    site.app.state.study = study(consent={"en": "NEW: all is published"})
    shown = browser.post("/consent", data=seen)
    assert shown.status_code == 409 and "NEW: all is published" in shown.text and "has changed" in shown.text
    assert studies.consents(site.store, "s") == [] and members(site) == ["consent"]
    # A form that was opened in one language and comes back in another is shown in the second.
    other = browser.post("/consent?lang=pt", data=hidden(shown.text))
    assert other.status_code == 400 and 'name="language" value="pt"' in other.text
    assert browser.post("/consent", data=hidden(other.text) | {"agree": "yes"}).status_code == 200
    assert [kept["text"] for kept in studies.consents(site.store, "s")] == ["NEW: all is published"]


def test_an_export_holds_the_texts_of_its_own_study_alone(site: Site) -> None:
    studies.put(site.store, "other", "cue-check", "Another", Load(3, 20, 0), (), NOW)
    cookie = people.redeem(
        site.store, "other", people.invite(site.store, "other", "annotator", "PT", 1, NOW), {}, NOW
    )
    who = people.who(site.store, "other", cookie or "", NOW)
    assert who is not None
    people.consented(site.store, who.id, "en", "Of the other study", NOW)
    assert consent(site.browser(person(site.store, stage="consent")[1])) == 200
    (own,) = studies.whole(site.store, "s").consents
    assert "Portugal" in own["text"]
    assert [text["text"] for text in studies.whole(site.store, "other").consents] == ["Of the other study"]


def test_finishing_is_for_who_is_told_that_nothing_is_free(tmp_path: Path) -> None:
    store = filled(str(tmp_path / "f.sqlite"), 1, Load(1, 20, 0))
    site = Site(store)
    busy, idle = site.browser(person(store)[1]), site.browser(person(store)[1])
    form = hidden(busy.get("/item").text)
    assert busy.post("/finish", data=form).headers["location"] == "/"
    assert busy.get("/").headers["location"] == "/item" and busy.get("/end").headers["location"] == "/"
    waits = idle.get("/item").text
    assert 'action="/finish"' in waits
    idle.post("/finish", data=hidden(waits))
    assert "DONE1" in idle.get("/end").text
    assert studies.set_status(store, "s", "paused", studies.state(store, "s").version, NOW)
    busy.post("/finish", data=form)
    assert sorted(members(site)) == ["done", "items"]
    store.close()


def test_what_is_not_kept_is_shown_and_said(site: Site) -> None:
    browser = site.browser(person(site.store)[1])
    form = hidden(browser.get("/item").text) | {"comment": "Long <b>\nthought"}
    assert studies.set_status(site.store, "s", "paused", studies.state(site.store, "s").version, NOW)
    for verdict in ("reject", ""):  # the second form is at fault too
        answer = browser.post("/item", data=form | {"verdict": verdict})
        assert answer.status_code == 409 and "This was not kept" in answer.text
        assert "\nLong &lt;b&gt;\nthought</textarea>" in answer.text
    assert studies.said(site.store, "s") == []
    assert studies.set_status(site.store, "s", "open", studies.state(site.store, "s").version, NOW)
    assert browser.post("/item", data=form | {"verdict": "reject"}).status_code == 303
    assert studies.set_status(site.store, "s", "paused", studies.state(site.store, "s").version, NOW)
    # What was kept before the pause is not said to be lost.
    assert browser.post("/item", data=form | {"verdict": "reject"}).status_code == 303
    (said,) = studies.said(site.store, "s")
    assert (said.verdict, said.comment) == ("reject", "Long <b>\nthought")


@pytest.mark.parametrize(
    ("kind", "stage", "path", "typed"),
    [
        ("cue-check", "consent", "/consent", {}),
        ("cue-check", "eligibility", "/eligibility", {"years": "2o"}),
        ("cue-check", "items", "/item", {"comment": "Porquê?"}),
        ("cue-check", "items", "/item", {"verdict": "reject", "comment": "x" * 2_001}),
        ("validation", "priming", "/priming", {}),
        ("validation", "check", "/check", {"whose": "own"}),
        ("validation", "items", "/item", {"value": "muitos"}),
        ("validation", "items", "/item", {"value": "12"}),
    ],
)
def test_the_answer_to_a_faulty_form_opens_at_its_fault(
    kind: str, stage: str, path: str, typed: dict[str, str], tmp_path: Path
) -> None:
    with site_of(kind, "sqlite", tmp_path) as site:
        _, cookie = site.somebody("annotator", stage)
        site.browser.cookies.set("homeground", cookie)
        page = site.browser.get(path).text
        assert f'action="{path}#fault"' in page and 'id="fault"' not in page
        told = site.browser.post(path, data=hidden(page) | typed)
    assert told.status_code == 400 and told.text.count('id="fault"') == 1
    assert 'aria-invalid="true" aria-describedby="fault"' in told.text
    for text in typed.values():
        assert text[:2_000] in told.text


LANGUAGES = '<nav aria-label="Language">'


def test_pages_that_answered_a_form_offer_no_language(site: Site) -> None:
    """Another language would ask for the page anew: its link is gone then, and what was typed."""
    browser = site.browser(person(site.store)[1])
    page = browser.get("/leave").text
    assert LANGUAGES in page and "A link that you saved earlier stops working" in page
    made = browser.post("/link", data=hidden(page))
    assert re.search(">http://testserver/my/[^<]+<", made.text) and LANGUAGES not in made.text
    form = hidden(browser.get("/item").text)
    assert LANGUAGES not in browser.post("/item", data=form | {"comment": "?"}).text
    assert LANGUAGES not in browser.post("/withdraw", data=form).text


def test_pages_on_which_something_ends_lead_on(site: Site) -> None:
    annotator, admin = person(site.store)[1], person(site.store, role="admin")[1]
    for status, path, cookie in (
        (401, "/item", None), (404, "/nothing", None), (404, "/nothing", annotator), (404, "/my/x", annotator),
        (403, "/admin", annotator), (405, "/finish", annotator), (403, "/desk", admin),
    ):  # fmt: skip
        answer = site.browser(cookie).get(f"{path}?lang=pt")
        assert answer.status_code == status and '<html lang="pt"' in answer.text, path
        assert "a@b.pt" in answer.text and LANGUAGES.replace("Language", "Idioma") in answer.text
        assert ('<a class="button main" href="/">' in answer.text) == (cookie is not None), path
    studies.set_status(site.store, "s", "paused", studies.state(site.store, "s").version, NOW)
    paused = site.browser(annotator).get("/item").text
    assert "a@b.pt" in paused and re.search('href="/">Look again<', paused)


def test_a_withdrawal_ends_on_a_page_of_its_own(site: Site) -> None:
    found, cookie = person(site.store)
    secret = people.private_link(site.store, found)
    browser = site.browser(cookie)
    assert browser.get("/withdraw").headers["location"] == "/leave"
    assert browser.get(f"/my/{secret}/withdraw").headers["location"] == f"/my/{secret}"
    form = hidden(browser.get(f"/my/{secret}").text) | {"sure": "yes"}
    assert browser.post(f"/my/{secret}/withdraw", data=form).headers["location"] == "/withdrawn"
    page = browser.get("/withdrawn?lang=pt").text
    assert "Desistiu do estudo" in page and "a@b.pt" in page and 'href="/' not in page.partition("<main")[2]
    assert browser.get("/leave").status_code == 401


def test_people_are_told_which_study_it_is_and_how_far_they_are(site: Site) -> None:
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    invited = site.browser().get(f"/i/{secret}").text
    assert "<bdi>Cues of Portugal</bdi>" in invited and "Questions: <bdi>a@b.pt</bdi>" in invited
    assert "Cues of Portugal" in site.browser(person(site.store, "consent")[1]).get("/consent").text
    found, cookie = person(site.store)
    browser = site.browser(cookie)
    assert "0 done so far" in browser.get("/item").text
    site.app.state.study = study(per_person=30)
    assert "0 done, of at most 30" in browser.get("/item").text
    people.advance(site.store, found, "items", NOW)
    assert "Nothing is left to do here" in browser.get("/end").text
