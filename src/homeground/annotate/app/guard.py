"""Who may do what. Every route is for admins alone unless it says otherwise; every form must carry its token."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from fastapi import Depends, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homeground.annotate.app.words import choose
from homeground.annotate.store import Store, people
from homeground.annotate.store.people import Who

MOST_BYTES = 256 * 1024
"""Of a form; the longest honest one is a question with all fields full, six bytes to a letter of most scripts."""
_FORM = "application/x-www-form-urlencoded"
"""The one type of form that pages send. The other, multipart, would let whoever sends it choose a decoder by name."""
_LONGEST_PATH = 4_096
_SLOWEST = 30.0
"""Seconds that a request's body may take."""
_MOST_NETWORKS = 10_000
_COOKIE = re.compile(r"[\w-]{1,200}", re.ASCII)
ANYBODY = "anybody"
_LOG = logging.getLogger("homeground.annotate")
Handler = TypeVar("Handler", bound=Callable[..., Any])
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def open_to(*roles: str) -> Callable[[Handler], Handler]:
    """Say who may use a route: roles, or ``ANYBODY``. A route that says nothing is for admins alone."""

    def mark(handler: Handler) -> Handler:
        handler.__dict__["open_to"] = frozenset(roles)
        return handler

    return mark


def roles_of(handler: Callable[..., Any]) -> frozenset[str]:
    """Who may use a route."""
    found: frozenset[str] = getattr(handler, "open_to", frozenset({"admin"}))
    return found


@dataclass
class Visit:
    """One request by somebody."""

    request: Request
    store: Store
    now: float
    who: Who | None
    cookie: str
    """The browser's secret; a new one where it had none."""
    language: str
    form: dict[str, str] = field(default_factory=dict)

    @property
    def csrf(self) -> str:
        """What forms must carry. It follows from the cookie, which no other site can read."""
        return hmac.new(self.cookie.encode(), b"form", hashlib.sha256).hexdigest()

    @property
    def person(self) -> Who:
        """The person; routes that are open to anybody must not ask."""
        if self.who is None:
            raise HTTPException(401)
        return self.who


def over_https(scope: Scope) -> bool:
    """Whether people reach this site by HTTPS: as its own address says, else as the request came."""
    address: str = scope["app"].state.address
    return address.startswith("https:") if address else scope["scheme"] == "https"


def cookie_name(request: Request) -> str:
    """Over HTTPS the name's prefix makes browsers insist that this very host set it."""
    return "__Host-homeground" if over_https(request.scope) else "homeground"


def cookie_of(request: Request) -> str:
    """The browser's secret; empty where it sent none, or something that we never gave out."""
    sent = request.cookies.get(cookie_name(request), "")
    return sent if _COOKIE.fullmatch(sent) else ""


def language_of(request: Request) -> str:
    """The language of the answer: as the address says, else as was chosen before, else as the browser wishes."""
    return choose(
        request.query_params.get("lang"),
        request.cookies.get("language"),
        request.headers.get("accept-language"),
    )


async def guard(request: Request) -> Visit:
    """Let a request pass if its route is open to whoever sent it and its form is our own."""
    state = request.app.state
    now = state.clock()
    cookie = cookie_of(request)
    who = await run_in_threadpool(people.who, state.store, state.study.id, cookie, now) if cookie else None
    allowed = roles_of(request.scope["route"].endpoint)
    if ANYBODY not in allowed:
        if who is None:
            raise HTTPException(401)
        if who.role not in allowed:
            raise HTTPException(403)
    visit = Visit(request, state.store, now, who, cookie or secrets.token_urlsafe(32), language_of(request))
    if request.method == "POST":
        visit.form = await _form(request)
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPException(403)
        if not cookie or not hmac.compare_digest(visit.form.get("csrf", "").encode(), visit.csrf.encode()):
            raise HTTPException(403)
    return visit


async def _form(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", _FORM).partition(";")[0].strip().lower()
    if kind != _FORM:
        raise HTTPException(415)
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    # No browser sends it, and no database of ours keeps it.
    if any("\0" in value for value in form.values()):
        raise HTTPException(400)
    return form


Here = Annotated[Visit, Depends(guard)]


class Attempts:
    """Wrong links by network: after ``most`` within ``seconds`` the network has to wait."""

    def __init__(self, most: int = 20, seconds: float = 300) -> None:
        """Nobody has tried anything yet."""
        self._most, self._seconds = most, seconds
        self._wrong: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, visit: Visit) -> None:
        """Refuse a network that was wrong too often.

        Raises:
            HTTPException: 429.
        """
        with self._lock:
            times = self._wrong.get(_network(visit), ())
            full = sum(time > visit.now - self._seconds for time in times) >= self._most
        if full:
            raise HTTPException(429, headers={"retry-after": str(int(self._seconds))})

    def wrong(self, visit: Visit) -> HTTPException:
        """Note a wrong link; the answer to it."""
        with self._lock:
            # Whoever was wrong last stands last, so that the one forgotten was quiet for longest.
            times = self._wrong.pop(_network(visit), None) or deque(maxlen=self._most)
            times.append(visit.now)
            self._wrong[_network(visit)] = times
            if len(self._wrong) > _MOST_NETWORKS:
                self._wrong.pop(next(iter(self._wrong)))
        return HTTPException(404)


def _network(visit: Visit) -> str:
    """The sender's address; of an IPv6 one the first half, since whoever has one has all of the second half."""
    host = visit.request.client.host if visit.request.client else ""
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address), 64), strict=False))


class Limits:
    """Refuses long paths and large bodies before anything reads them, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        started: list[bool] = []

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(True)
                had = {name.decode("latin-1") for name, _ in message["headers"]}
                # A page of another make, such as a report, brings a policy of its own.
                more = {"cache-control": "no-store"} | HEADERS
                more = {name: value for name, value in more.items() if name not in had}
                if over_https(scope):
                    more["strict-transport-security"] = "max-age=31536000"
                pairs = [(name.encode(), value.encode()) for name, value in more.items()]
                message = {**message, "headers": [*message["headers"], *pairs]}
            await send(message)

        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > _LONGEST_PATH:
            await _refuse(sending, 414)
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            await _refuse(sending, 400, b"Not understood.\n")
            return
        try:
            async with asyncio.timeout(_SLOWEST):
                body = await _body(receive)
        except TimeoutError:
            await _refuse(sending, 408, b"Too slow.\n")
            return
        except _Gone:
            return
        if len(body) > MOST_BYTES:
            await _refuse(sending, 413)
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        try:
            await self.app(scope, replay, sending)
        except Exception:
            _LOG.exception("a page broke")
            if not started:
                await _refuse(sending, 500, b"Something broke here. What was saved before is kept.\n")


class _Gone(Exception):
    """Whoever sent the request hung up."""


async def _body(receive: Receive) -> bytes:
    """A request's whole body; of one that is too long, as much as shows that it is."""
    body = bytearray()
    more = True
    while more and len(body) <= MOST_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            raise _Gone
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


async def _refuse(send: Send, code: int, text: bytes = b"Too large.\n") -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": text})
