"""HTTP to one server: whole replies, or a fault that says what happened; and how long to wait before another try."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from homeground.version import __version__

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

_TIMEOUT = 600.0
"""Seconds for a whole reply; a slow model with much to say needs minutes."""
_CONNECT = 30.0
_LARGEST = 64 * 2**20
"""Bytes of a reply; nothing that a model says is larger."""
_BASE = 0.5
_LONGEST_PAUSE = 60.0
_LONGEST_HOLD = 300.0
"""Seconds that a server's ``Retry-After`` is believed."""


class Reply(NamedTuple):
    """A whole reply, whatever its status."""

    status: int
    body: bytes
    retry_after: float | None = None
    """Seconds that the server asks to wait, bounded."""
    seconds: float = 0.0
    """Time from sending to the last byte."""


class Fault(Exception):
    """No whole reply came; its text says why."""


class Unreachable(Fault):
    """No connection was made at all."""


class Untrusted(Unreachable):
    """The server's certificate is not accepted, so no try will help."""


class Http:
    """Requests to one server. Everything but ``__init__`` belongs to the event loop's thread."""

    def __init__(self, url: str, key: str | None) -> None:
        """Remember the server's base URL and the key that goes to it and nowhere else."""
        self._url = url
        self._headers = {"Content-Type": "application/json", "User-Agent": f"homeground/{__version__}"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._proxy = _proxy(url)
        self._session: ClientSession | None = None

    async def post(self, path: str, body: bytes) -> Reply:
        """Post JSON.

        Raises:
            Fault: no whole reply came.
        """
        return await self._send("POST", path, body, _TIMEOUT)

    async def get(self, path: str, timeout: float) -> Reply:
        """Get a path; wait ``timeout`` seconds at most.

        Raises:
            Fault: no whole reply came.
        """
        return await self._send("GET", path, None, timeout)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def _send(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        import aiohttp

        began = time.perf_counter()
        try:
            # Redirects are not followed: a POST would come out as a GET, and the key would go somewhere else.
            async with self._open().request(
                method,
                self._url + path,
                data=body,
                proxy=self._proxy,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=timeout, sock_connect=_CONNECT),
            ) as response:
                content = await _whole(response)
                wait = _retry_after(response.headers) if response.status >= 400 else None
                return Reply(response.status, content, wait, time.perf_counter() - began)
        except aiohttp.ClientSSLError as error:
            raise Untrusted(str(error)) from error
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Unreachable(str(error)) from error
        except TimeoutError as error:
            raise Fault(f"no whole reply within {timeout:g} s") from error
        except (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError) as error:
            raise Fault(f"the connection was cut ({error})") from error
        except (aiohttp.ClientError, ValueError) as error:
            raise Fault(f"not an HTTP reply ({error})") from error

    def _open(self) -> ClientSession:
        if self._session is None:
            import aiohttp

            # How many connections there are is the pace's to say.
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session


async def _whole(response: ClientResponse) -> bytes:
    """The body, unless it is too large to be one.

    Raises:
        Fault: it is.
    """
    if response.content_length is not None and response.content_length <= _LARGEST:
        return await response.read()
    content = bytearray()
    async for piece in response.content.iter_any():
        content += piece
        if len(content) > _LARGEST:
            raise Fault(f"a reply of more than {_LARGEST:,} bytes")
    return bytes(content)


def pause(tries: int, draw: random.Random) -> float:
    """Seconds to wait after so many tries: exponential, with full jitter.

    The rule is "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015).
    """
    return draw.uniform(0, min(_LONGEST_PAUSE, _BASE * 2 ** (tries - 1)))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds by a ``Retry-After`` header: a number of seconds or a date (RFC 9110, 10.2.3); ``None`` without one."""
    said = headers.get("Retry-After", "").strip()
    if not said:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else min(max(seconds, 0.0), _LONGEST_HOLD)


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for a server (``HTTPS_PROXY``, ``NO_PROXY`` and so on)."""
    parts = urlsplit(url)
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or not parts.hostname or proxy_bypass(parts.netloc):
        return None
    return found if "://" in found else f"http://{found}"
