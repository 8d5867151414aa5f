"""Serving a study: its database brought up to date, its items put in, its pages answered for."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path

import anyio.to_thread
import uvicorn

from homeground.annotate.app import create_app
from homeground.annotate.store import Store, people, studies
from homeground.annotate.study import Material, StudyFile, load_study

_ADMIN_DAYS = 2
_THREADS = 8
"""Pages are made in threads that take turns at the interpreter: more of them only wait for each other, and longer."""


def open_study(path: Path, url: str, now: float | None = None) -> tuple[Store, StudyFile, Material]:
    """The database with the study of a file in it, all items included; ``now`` is the time unless a demo says another.

    Raises:
        InputError: the file or the URL cannot be used.
        EnvironmentProblem: the database refuses.
    """
    study, material = load_study(path)
    store = Store(url)
    try:
        store.migrate()
        studies.put(
            store, study.id, study.kind, study.title, study.load, material.items,
            time.time() if now is None else now, study.settings(material), study.fixed,
        )  # fmt: skip
    except Exception:
        store.close()
        raise
    return store, study, material


def admin_link(store: Store, study: StudyFile, address: str) -> str:
    """A new invitation for an admin."""
    secret = people.invite(store, study.id, "admin", None, _ADMIN_DAYS, time.time())
    return f"{address}/i/{secret}"


def serve(
    store: Store,
    study: StudyFile,
    material: Material,
    host: str,
    port: int,
    ready: Callable[[int], None],
    address: str = "",
) -> None:
    """Answer until stopped. ``ready`` is told the port once it is open (port 0 takes any).

    People reach it by ``address`` where a web server stands before it.

    Raises:
        OSError: the port is taken, or the address is not this machine's.
    """
    # An access log would hold the secrets of links.
    config = uvicorn.Config(
        create_app(store, study, material, address=address),
        ws="none",
        access_log=False,
        server_header=False,
        log_level="warning",
        timeout_graceful_shutdown=5,
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=512) as taken:
        # asyncio does it only for sockets that name their protocol, and this one names none; without it an answer on a
        # connection that was used before waits 40 ms for the client's acknowledgement of its header.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            ready(taken.getsockname()[1])
            asyncio.run(_answer(uvicorn.Server(config), taken))
        finally:
            store.close()


async def _answer(server: uvicorn.Server, taken: socket.socket) -> None:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    await server.serve(sockets=[taken])
