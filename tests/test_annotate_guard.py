"""What stands before the pages: addresses behind a web server, cookies, slow and huge bodies, who guesses links."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import FastAPI, HTTPException
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from homeground.annotate.app import create_app, guard
from homeground.annotate.app.guard import Attempts, Limits, Visit
from homeground.annotate.store import Store, people
from homeground.annotate.store.leases import Load
from tests.annotating import NOW, filled, person, study
from tests.fuzzing import Reader

ADDRESS = "https://study.example.org"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = filled(str(tmp_path / "s.sqlite"), 1, Load(3, 20, 0))
    yield opened
    opened.close()


def app_of(store: Store, address: str = "") -> FastAPI:
    return create_app(store, study(), clock=lambda: NOW, address=address)


def form_of(page: str, action: str) -> dict[str, str]:
    return next(form.hidden for form in Reader(page).forms if form.action == action)


def test_links_and_cookies_go_by_the_sites_own_address(store: Store) -> None:
    """The web server before it speaks HTTPS; the request that comes through says HTTP and any host."""
    browser = TestClient(app_of(store, ADDRESS + "/"), "http://evil.example", follow_redirects=False)
    path = f"/i/{people.invite(store, 's', 'annotator', 'PT', 1, NOW)}"
    page = browser.get(path)
    first = page.headers["set-cookie"]
    assert page.headers["strict-transport-security"]
    # The browser would send it back over HTTPS alone, as it says.
    cookie = {"cookie": first.partition(";")[0]}
    answer = browser.post(path, data=form_of(page.text, path), headers=cookie)
    assert answer.status_code == 303
    for line in (first, answer.headers["set-cookie"]):
        assert line.startswith("__Host-homeground=") and re.search(r"; secure($|;)", line, re.IGNORECASE)
        assert "path=/" in line.lower() and "domain" not in line.lower()
    cookie = {"cookie": answer.headers["set-cookie"].partition(";")[0]}
    form = form_of(browser.get("/leave", headers=cookie).text, "/link")
    shown = browser.post("/link", data=form, headers=cookie).text
    assert f">{ADDRESS}/my/" in shown and "evil" not in shown


def test_no_redirect_is_made_of_the_host_header(store: Store) -> None:
    browser = TestClient(app_of(store), "http://evil.example", follow_redirects=False)
    browser.cookies.set("homeground", person(store)[1])
    for path in ("/admin/", "/item/", "/i/x/", "/"):
        answer = browser.get(path)
        assert "evil" not in answer.headers.get("location", "")
        assert answer.status_code == (303 if path == "/" else 404)


@pytest.mark.parametrize("junk", ["a b", "ü", "x" * 201, '"\\012a"', "a;b", "=", "<script>"])
def test_a_cookie_that_we_never_gave_out_is_replaced(store: Store, junk: str) -> None:
    browser = TestClient(app_of(store))
    path = f"/i/{people.invite(store, 's', 'annotator', 'PT', 1, NOW)}"
    answer = browser.get(path, headers=[(b"cookie", f"homeground={junk}".encode("latin-1"))])
    found = re.match(r"homeground=([\w-]{43});", answer.headers.get("set-cookie", ""), re.ASCII)
    # A semicolon ends a cookie: what is before it is one that could be ours.
    assert (found is None) == (junk == "a;b")


def test_forms_come_in_one_encoding_and_without_nul(store: Store) -> None:
    browser = TestClient(app_of(store), follow_redirects=False)
    browser.cookies.set("homeground", person(store)[1])
    form = form_of(browser.get("/leave").text, "/link")
    assert (
        browser.post("/link", files={name: (None, value) for name, value in form.items()}).status_code == 415
    )
    assert browser.post("/link", json=form).status_code == 415
    assert browser.post("/link", data=form | {"more": "a\0b"}).status_code == 400
    assert browser.post("/link?more=%00", data=form).status_code == 400
    plain = {"content-type": "Application/X-WWW-Form-Urlencoded; charset=utf-7"}
    assert browser.post("/link", data=form, headers=plain).status_code == 200


def answer_to(messages: list[Message]) -> int | None:
    """The status with which ``Limits`` answers a body that comes in parts; after them nothing comes."""
    sent: list[Message] = []

    async def receive() -> Message:
        if messages:
            return messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    async def app(*_: Any) -> None:  # noqa: ANN401
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {
        "type": "http", "raw_path": b"/", "path": "/", "query_string": b"", "scheme": "http",
        "app": SimpleNamespace(state=SimpleNamespace(address="")),
    }  # fmt: skip
    asyncio.run(Limits(app)(scope, receive, send))
    return next((message["status"] for message in sent if message["type"] == "http.response.start"), None)


@given(st.lists(st.integers(0, 40_000), min_size=1, max_size=6))
def test_bodies_are_bounded_however_they_are_cut(sizes: list[int]) -> None:
    parts: list[Message] = [
        {"type": "http.request", "body": bytes(size), "more_body": place < len(sizes)}
        for place, size in enumerate(sizes, 1)
    ]
    assert answer_to(parts) == (413 if sum(sizes) > guard.MOST_BYTES else 200)


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_SLOWEST", 0.01)
    start: Message = {"type": "http.request", "body": b"csrf=", "more_body": True}
    assert answer_to([start]) == 408
    assert answer_to([]) == 408
    assert answer_to([start, {"type": "http.disconnect"}]) is None


def visit(host: str, now: float = NOW) -> Visit:
    """A visit from an address, as far as ``Attempts`` looks at it."""
    request = SimpleNamespace(client=SimpleNamespace(host=host))
    return cast("Visit", SimpleNamespace(request=request, now=now))


def refused(attempts: Attempts, host: str, now: float = NOW) -> bool:
    try:
        attempts.check(visit(host, now))
    except HTTPException as error:
        return error.status_code == 429
    return False


def test_whoever_guesses_has_to_wait_with_all_of_their_addresses() -> None:
    attempts = Attempts(most=3, seconds=60)
    for place in range(3):
        attempts.wrong(visit(f"2001:db8:1:2::{place}"))
        attempts.wrong(visit("::ffff:192.0.2.7"))
    assert refused(attempts, "2001:db8:1:2:ffff::9") and not refused(attempts, "2001:db8:1:3::1")
    assert refused(attempts, "192.0.2.7") and not refused(attempts, "192.0.2.8")
    assert not refused(attempts, "192.0.2.7", NOW + 61)
    assert not refused(attempts, "") and not refused(attempts, "testclient")


def test_who_guesses_is_forgotten_the_longest_quiet_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_MOST_NETWORKS", 10)
    attempts = Attempts(most=2, seconds=60)
    for place in range(1_000):
        attempts.wrong(visit("192.0.2.1"))
        attempts.wrong(visit(f"10.0.{place // 256}.{place % 256}"))
    assert len(attempts._wrong) == 10
    assert refused(attempts, "192.0.2.1") and not refused(attempts, "10.0.0.0")


def test_guesses_at_once_are_all_counted() -> None:
    attempts = Attempts(most=2_000, seconds=60)

    def guess(place: int) -> None:
        for step in range(200):
            refused(attempts, "192.0.2.1")
            attempts.wrong(visit("192.0.2.1" if step % 2 else f"10.{place}.0.{step}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(guess, range(8)))
    assert len(attempts._wrong["192.0.2.1"]) == 800
