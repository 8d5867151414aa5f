"""People who take part in a study, as HTTP clients: from an invitation through whatever the pages ask to the end.

Each has a cookie jar of their own and does what a browser without JavaScript does: gets a page with its pictures,
reads its forms, sends one, follows where it leads. When the connection breaks they send the same again, form and client
id alike, as a browser does on reload.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import parse_qs, urljoin, urlsplit

import aiohttp

from benchmarks.webpages import Answers, Asked, Page, fill, read
from homeground.annotate.app.steps import CHECK, FEWEST_YEARS, OF_YEARS

PATIENCE = 60.0
"""Seconds of broken connections after which a person gives up."""
SLOWEST = 30.0
"""Seconds without an answer that count as an error."""
_PAUSE = (0.1, 0.4)
_KEPT_OPEN = 60.0
_COMMENTS = ("", "", "", "", "I have heard it, but not often.", '<b>\r\n"é 中 👩‍👩‍👧')
_OTHER_UNITS = ("stone's throws", "leagues")
_MOST_REDIRECTS = 10
_MOST_FAILURES = 4


class Sent(NamedTuple):
    """A form with a client id as it was sent, and where the answer led; ``""`` as long as there is none."""

    person: int
    form: dict[str, str]
    led_to: str

    @property
    def acknowledged(self) -> bool:
        """Whether the server said that it is kept: it leads on, and not because the form came late."""
        return bool(self.led_to) and "late" not in parse_qs(
            urlsplit(self.led_to).query, keep_blank_values=True
        )


@dataclass
class Log:
    """What all clients saw."""

    requests: list[tuple[str, float]] = field(default_factory=list)
    """First part of the path, and seconds from sending a request to having its whole answer; no broken ones."""
    turns: list[float] = field(default_factory=list)
    """Seconds from following a link or sending a form to having the next page, redirects included; no broken ones."""
    pictures: list[float] = field(default_factory=list)
    """Seconds of what a page shows beside its text."""
    errors: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    """Connections that broke, or could not be made."""
    pages: int = 0
    """Whole pages that somebody had in front of them."""
    spent: int = 0
    """Invitations that were used up by a request whose answer never came."""
    people: int = 0
    finished: int = 0
    sent: dict[str, Sent] = field(default_factory=dict)
    """Forms with a client id, by that id."""

    @property
    def acknowledged(self) -> dict[str, Sent]:
        """The forms that the server said are kept."""
        return {client: sent for client, sent in self.sent.items() if sent.acknowledged}


class GaveUp(Exception):
    """A person cannot go on."""


class Browser:
    """One person's browser; ``addresses`` are those of the servers, one of which takes each request."""

    def __init__(self, addresses: Sequence[str], log: Log, draw: random.Random) -> None:
        """A browser without cookies."""
        self._addresses, self._log, self._draw = addresses, log, draw
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            connector=aiohttp.TCPConnector(limit=6, keepalive_timeout=_KEPT_OPEN),
            timeout=aiohttp.ClientTimeout(total=SLOWEST),
            headers={"accept-language": "en", "sec-fetch-site": "same-origin"},
        )
        self._kept: set[str] = set()
        self._broken = 0
        log.people += 1
        self._person = log.people

    async def __aenter__(self) -> Self:
        """Open."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._session.close()

    async def open(self, path: str) -> Page:
        """Follow a link."""
        return await self._walk("GET", path, None)

    async def send(self, path: str, form: dict[str, str]) -> Page:
        """Send a form and follow where it leads."""
        return await self._walk("POST", path, form)

    async def _walk(self, method: str, path: str, form: dict[str, str] | None) -> Page:
        began, broken = time.perf_counter(), self._broken
        if form and "client" in form:
            self._log.sent[form["client"]] = Sent(self._person, form, "")
        for _ in range(_MOST_REDIRECTS):
            status, location, body, _ = await self._ask(method, path, form)
            if form and "client" in form and status == 303:
                self._log.sent[form["client"]] = Sent(self._person, form, location)
            if status not in (302, 303, 307):
                break
            method, path, form = "GET", _path(urljoin(path, location)), None
        else:
            raise GaveUp(f"more than {_MOST_REDIRECTS} redirects at {path}")
        if broken == self._broken:
            self._log.turns.append(time.perf_counter() - began)
        page = read(path, status, body.decode())
        self._log.pages += 1
        for picture in page.pictures:
            await self._show(_path(urljoin(path, picture)))
        return page

    async def _show(self, path: str) -> None:
        if path in self._kept:
            return
        began, broken = time.perf_counter(), self._broken
        status, _, _, keep = await self._ask("GET", path, None, page=False)
        if status != 200:
            self._log.errors[f"{status} on a picture"] += 1
        if broken == self._broken:
            self._log.pictures.append(time.perf_counter() - began)
        if keep:
            self._kept.add(path)

    async def _ask(
        self, method: str, path: str, form: dict[str, str] | None, *, page: bool = True
    ) -> tuple[int, str, bytes, bool]:
        """Status, where it leads, body, whether it may be kept; the same again until there is an answer."""
        first, failed = time.perf_counter(), 0
        while True:
            began = time.perf_counter()
            address = self._draw.choice(self._addresses)
            try:
                async with self._session.request(
                    method, address + path, data=form, allow_redirects=False
                ) as answer:
                    body = await answer.read()
            except TimeoutError:
                self._log.errors[f"no answer in {SLOWEST:.0f} s"] += 1
            except aiohttp.ClientError:
                self._broken += 1
                self._log.broken += 1
            else:
                if answer.status < 500:
                    if page:
                        self._log.requests.append((path.split("/")[1], time.perf_counter() - began))
                    keep = "no-store" not in answer.headers.get("cache-control", "")
                    return answer.status, answer.headers.get("location", ""), body, keep
                self._log.errors[f"{answer.status} at /{path.split('/')[1]}"] += 1
                failed += 1
                if failed > _MOST_FAILURES:
                    raise GaveUp(f"{failed} times {answer.status} to {method} /{path.split('/')[1]}")
            if time.perf_counter() - first > PATIENCE:
                raise GaveUp(f"no answer to {method} {path} for {PATIENCE:.0f} s")
            await asyncio.sleep(self._draw.uniform(*_PAUSE))


def _path(address: str) -> str:
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def resident(asked: Asked, draw: random.Random) -> str | None:
    """Somebody who lived there, has read the instructions, answers at random and now and then writes a comment."""
    name, said = asked.field.name, asked.said
    if name == "years":
        return str(draw.randint(FEWEST_YEARS, OF_YEARS))
    if name in CHECK:
        return CHECK[name]
    if name == "comment":
        return draw.choice(_COMMENTS)
    if name == "value":
        return f"{draw.randint(1, 400)}{draw.choice(('', '.5'))}"
    if name == "other":
        return draw.choice(_OTHER_UNITS) if said.get("unit") == "other" else ""
    return None


async def start_study(addresses: Sequence[str], admin_path: str) -> None:
    """Log in by the admin's link and press the button that lets people in.

    Raises:
        GaveUp: there is no such button.
    """
    async with Browser(addresses, Log(), random.Random(0)) as browser:
        page = await browser.open(admin_path)
        for _ in ("accept the invitation", "start"):
            if page.status != 200 or page.form is None:
                raise GaveUp(f"{page.status} at {page.path}, where the admin should go on: {page.text[:200]}")
            hidden = {one.name: one.value for one in page.form.fields.values() if one.kind == "hidden"}
            page = await browser.send(page.form.action, hidden)


Think = Callable[[], Awaitable[bool]]
"""Lets time pass in front of a page; whether to go on."""


async def take_part(
    browser: Browser,
    invitations: Iterator[str],
    answers: Answers,
    think: Think,
    draw: random.Random,
    log: Log,
) -> Page:
    """Go from an invitation to the page that leads nowhere, or until there is no time left; the last page.

    Raises:
        GaveUp: the server is gone, or refuses what its own pages offered; or there is no invitation left.
    """
    page = await browser.open(_next(invitations))
    while await think():
        if page.status == 404 and page.path.startswith("/i/"):
            # The answer to the form before this was lost with the server, and with it the cookie.
            log.spent += 1
            page = await browser.open(_next(invitations))
        elif page.status != 200:
            log.errors[f"{page.status} at /{page.path.split('/')[1]}"] += 1
            raise GaveUp(f"{page.status} at {page.path}: {page.text[:200]}")
        elif page.form is not None:
            page = await browser.send(page.form.action, fill(page, page.form, answers, draw))
        elif page.onward.startswith("/"):
            page = await browser.open(page.onward)
        else:
            log.finished += 1
            break
    return page


def _next(invitations: Iterator[str]) -> str:
    found = next(invitations, "")
    if not found:
        raise GaveUp("no invitation left")
    return found
