"""Serving a study: its database brought up to date, its items put in, its pages answered for."""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import Callable
from pathlib import Path

import anyio.to_thread
import uvicorn

from homeground.annotate.app import create_app
from homeground.annotate.app.pages import prepare
from homeground.annotate.store import Store, people, studies
from homeground.annotate.study import Material, StudyFile, load_study
from homeground.judging import read_answer
from homeground.questions.audit import audit_question
from homeground.schema import Question

_ADMIN_DAYS = 2
_KEPT_OPEN = 60
"""Seconds that a browser's connection is kept between two pages: longer than most people think about one."""
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
        timeout_keep_alive=_KEPT_OPEN,
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=512) as taken:
        # asyncio does it only for sockets that name their protocol, and this one names none; without it an answer on a
        # connection that was used before waits 40 ms for the client's acknowledgement of its header.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            ready(taken.getsockname()[1])
            # Whoever comes meanwhile waits for their first page, and no longer for any other.
            _warm(study, material)
            asyncio.run(_answer(uvicorn.Server(config), taken))
        finally:
            store.close()


def _warm(study: StudyFile, material: Material) -> None:
    """Read the tables that judging, audit and pages read when they are first asked; and spare the search for garbage
    all that stays: it would stop every page for a tenth of a second, every few seconds."""
    prepare()
    if study.kind == "questions":
        audit_question(Question(id="", question="?", answers=None), study.cultures[0], study.language)
    for concept in material.accepted[study.cultures[0]] if material.accepted else ():
        read_answer(concept, "1")
    gc.collect()
    gc.freeze()


async def _answer(server: uvicorn.Server, taken: socket.socket) -> None:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    await server.serve(sockets=[taken])
