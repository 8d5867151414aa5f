"""The pages of a study: who may do what, forms of other sites, stored markup, sizes, rates, headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from homeground.annotate.app import create_app
from homeground.annotate.app.guard import ANYBODY, HEADERS, roles_of
from homeground.annotate.export import Line, csv, lines
from homeground.annotate.store import Store, people, studies
from homeground.annotate.store.leases import Load
from tests.annotating import NOW, filled, hidden, person, study

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
    # Looking at an invitation uses nothing up; using it does.
    assert site.browser().get(f"/i/{secret}").status_code == 404


def walk(site: Site, browser: TestClient, years: str = "7") -> str:
    """From an invitation to the first item; the private link."""
    secret = people.invite(site.store, "s", "annotator", "PT", 1, NOW)
    browser.post(f"/i/{secret}", data=hidden(browser.get(f"/i/{secret}?PROLIFIC_PID=abc").text))
    form = hidden(browser.get("/consent").text)
    assert browser.post("/consent", data=form).status_code == 400
    shown = browser.post("/consent", data=form | {"agree": "yes"}).text
    link = re.search(r'value="http://testserver(/my/[^"]+)"', shown)
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
    assert "withdrawn" in elsewhere.post("/withdraw", data=form | {"sure": "yes"}).text
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
    assert browser.post("/item", data=form | {"item": "nothing"}).status_code == 303
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
    link = re.search(r'value="http://testserver(/i/[^"]+)"', made.text)
    assert link is not None
    assert "Portugal" in site.browser().get(link[1]).text
    for bad in ({"role": "king"}, {"culture": "FR"}, {"days": "0"}, {"days": "x"}):
        data = form | {"role": "annotator", "culture": "PT", "days": "3"} | bad
        assert browser.post("/admin/invite", data=data).status_code == 400
    assert browser.post("/admin/status", data=form | {"status": "closed"}).status_code == 400
    browser.post("/admin/status", data=form | {"status": "closed", "sure": "yes"})
    assert studies.state(site.store, "s").status == "closed"
    assert "resting" in site.browser(person(site.store)[1]).get("/item").text


def test_a_studys_own_consent_text_stands_in_every_language_and_is_kept_word_for_word(site: Site) -> None:
    site.app.state.study = study(consent={"pt": "Aceito {tudo} <b>."})
    browser = site.browser(person(site.store, stage="consent")[1])
    page = browser.get("/consent").text
    assert "Aceito {tudo} &lt;b&gt;." in page and "You will see" not in page
    browser.post("/consent", data=hidden(page) | {"agree": "yes"})
    assert [kept["text"] for kept in studies.consents(site.store)] == ["Aceito {tudo} <b>."]
    (one,) = studies.people(site.store, "s")
    assert one.consent == studies.consents(site.store)[0]["version"]
