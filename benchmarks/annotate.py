"""A study's pages under load, on each kind of database, and the server killed meanwhile.

``make bench-annotate``. Two hundred people (``--people``) take part at the same time, each an HTTP client that thinks
5 to 10 s in front of each page; whoever is done is followed by somebody new. They come in spread over the longest
time to think. What the server said is kept must be in the database exactly once and as it was sent, and no item may
be in more hands than it needs.

A *page* is a whole page in front of somebody: what was sent, the redirects and the page itself, without its pictures.
Its time, and that of each request alone, is taken by the client, which runs on the same machine. Where a connection
broke, no time is taken: with ``--kill`` these are what the server was killed under, and what found none.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tests.annotating import DRIVERS, database

from benchmarks.annotators import Browser, GaveUp, Log, resident, start_study, take_part
from benchmarks.served import Kept, Server, compare, invitations
from homeground import build_conversations
from homeground.annotate.serve import open_study
from homeground.annotate.store import Store
from homeground.annotate.study import StudyFile
from homeground.version import __version__

CULTURES = ("BR", "CN", "FR", "GB", "IL", "IN", "IR", "JP", "KR", "US")
STUDY = f"""
id = "load"
kind = "{{kind}}"
title = "Under load"
contact = "nobody@example.org"
cultures = {list(CULTURES)}
quota = 3
"""
_SHOWN = 2_000
SPARE = 3
"""Invitations for each chair: whoever is done is followed by somebody, and a kill can use one up."""


class Load(NamedTuple):
    """What is measured."""

    people: int
    seconds: float
    think: tuple[float, float]
    kills: int
    seed: int
    study: str
    """``cue-check`` or ``validation``."""


class Figures(NamedTuple):
    """What was measured on one database."""

    log: Log
    kept: Kept
    seconds: float
    busy: float
    """Share of all cores that was busy, whoever used them."""
    server: float
    """CPU seconds of the server; the database of PostgreSQL not counted."""
    client: float
    """CPU seconds of this process."""
    before: float
    """Load average before."""
    complaints: str


async def _chair(
    address: str, come: float, load: Load, end: float, invited: Iterator[str], log: Log, draw: random.Random
) -> None:
    async def think() -> bool:
        await asyncio.sleep(max(0, min(draw.uniform(*load.think), end - time.monotonic())))
        return time.monotonic() < end

    await asyncio.sleep(come)
    while time.monotonic() < end:
        async with Browser([address], log, draw) as browser:
            try:
                await take_part(browser, invited, resident, think, draw, log)
            except GaveUp as error:
                log.errors[f"gave up: {error}"] += 1
                return


async def _kill(server: Server, moments: list[float]) -> None:
    began = time.monotonic()
    for moment in moments:
        await asyncio.sleep(max(0, began + moment - time.monotonic()))
        server.kill()
        await asyncio.to_thread(server.start)


async def _drive(server: Server, address: str, load: Load, invited: Iterator[str], log: Log) -> None:
    draw = random.Random(load.seed)
    end = time.monotonic() + load.seconds
    moments = sorted(draw.uniform(0.1, 0.9) * load.seconds for _ in range(load.kills))
    chairs = [
        _chair(address, draw.uniform(0, load.think[1]), load, end, invited, log, random.Random(draw.random()))
        for _ in range(load.people)
    ]
    await asyncio.gather(_kill(server, moments), *chairs)


def measure(kind: str, load: Load) -> Figures:
    """Serve a study on a new database of one kind, and have people take part."""
    with tempfile.TemporaryDirectory() as scratch, database(kind, Path(scratch)) as url:
        file = Path(scratch) / "study.toml"
        file.write_text(STUDY.format(kind=load.study))
        if load.study == "validation":
            build_conversations(Path(scratch) / "benchmark")
            file.write_text(file.read_text() + 'benchmark = "benchmark"\n')
        store, study, _ = open_study(file, url)
        return _measure(store, study, Server(file, url), load)


def _measure(store: Store, study: StudyFile, server: Server, load: Load) -> Figures:
    invited = invitations(store, study.id, study.cultures, SPARE * load.people)
    log, address, before = Log(), server.start(), os.getloadavg()[0]
    asyncio.run(start_study([address], server.admin_path()))
    cores, client, children, began = _busy(), time.process_time(), _of_children(), time.monotonic()
    try:
        asyncio.run(_drive(server, address, load, invited, log))
        seconds, client, busy = time.monotonic() - began, time.process_time() - client, _busy() - cores
    finally:
        server.kill()
    kept = compare(store, study.id, log)
    store.close()
    share = busy / seconds / (os.cpu_count() or 1)
    used = _of_children() - children
    return Figures(log, kept, seconds, share, used, client, before, server.complaints.read_text())


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _busy() -> float:
    """Seconds that all cores together have been busy, on Linux."""
    with contextlib.suppress(OSError):
        user, nice, system, _, _, interrupts, soft, *_ = map(
            int, Path("/proc/stat").read_text().split("\n")[0].split()[1:]
        )
        return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")
    return float("nan")


def idle() -> str:
    """How idle the machine is before anything is measured."""
    began, at = _busy(), time.monotonic()
    time.sleep(2)
    share = (_busy() - began) / (time.monotonic() - at) / (os.cpu_count() or 1)
    verdict = "idle" if share < 0.1 else "not idle: figures hold for what was left of it"
    return (
        f"{os.cpu_count()} cores, {share:.0%} busy before, load average {os.getloadavg()[0]:.2f}: {verdict}"
    )


def _times(seconds: list[float]) -> str:
    if not seconds:
        return "– | – | – | –"
    quantiles = np.quantile(seconds, (0.5, 0.95, 0.99, 1)) * 1_000
    return " | ".join(f"{value:,.0f}" for value in quantiles)


def show(kind: str, load: Load, figures: Figures) -> bool:
    """Print what was measured; whether everything is as it must be."""
    log, kept = figures.log, figures.kept
    print(f"\n## {kind}, {load.kills} kills (load average before: {figures.before:.2f})\n")
    print("| what | a second | p50 ms | p95 ms | p99 ms | max ms |\n|---|--:|--:|--:|--:|--:|")
    kinds = {
        "whole pages": log.turns,
        "requests": [took for _, took in log.requests],
        "pictures": log.pictures,
    }
    for name, seconds in kinds.items():
        print(f"| {name} | {len(seconds) / figures.seconds:.1f} | {_times(seconds)} |")
    for place in sorted({place for place, _ in log.requests}):
        seconds = [took for where, took in log.requests if where == place]
        print(f"| requests to /{place} | {len(seconds) / figures.seconds:.1f} | {_times(seconds)} |")
    told = len(log.acknowledged)
    print(
        f"\n{log.people} people, {log.finished} of them to the end; {log.broken} connections broken, "
        f"{log.spent} invitations spent by a lost answer; errors: {dict(log.errors) or 'none'}"
    )
    print(
        f"{len(log.sent)} judgements sent, {told} acknowledged, {kept.stored} stored: {kept.lost} lost, "
        f"{kept.doubled} doubled, {kept.changed} changed, {kept.unsent} that nobody sent, {kept.over} too many"
    )
    print(
        f"cores {figures.busy:.0%} busy; CPU: server {figures.server:.0f} s, clients {figures.client:.0f} s, "
        f"of {figures.seconds:.0f} s on {os.cpu_count()} cores"
    )
    if figures.complaints:
        print(f"the server complained, at last:\n{figures.complaints[-_SHOWN:]}")
    faults = (log.errors.total(), *kept[1:], len(figures.complaints))
    return not any(faults)


def _signature(load: Load) -> str:
    names = ("fastapi", "uvicorn", "sqlalchemy", "pg8000", "psycopg", "aiohttp")
    return " · ".join(
        [
            f"homeground {__version__}", load.study,
            f"{load.people} people thinking {load.think[0]:g}–{load.think[1]:g} s", f"{load.seconds:g} s",
            f"{load.kills} kills", f"seed {load.seed}", f"Python {platform.python_version()}",
            *(f"{name} {version(name)}" for name in names), f"SQLite {sqlite3.sqlite_version}",
        ]
    )  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--think", type=float, nargs=2, default=(5.0, 10.0), metavar=("LOW", "HIGH"))
    parser.add_argument("--db", choices=("sqlite", *DRIVERS, "all"), default="all")
    parser.add_argument("--kill", type=int, default=0, help="how often the server is killed meanwhile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--study", choices=("cue-check", "validation"), default="validation")
    given = parser.parse_args()
    # Whoever ends it leaves no server and no database behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    load = Load(
        given.people, given.seconds, (given.think[0], given.think[1]), given.kill, given.seed, given.study
    )
    print(idle())
    kinds = ("sqlite", *DRIVERS) if given.db == "all" else (given.db,)
    fine = [show(kind, load, measure(kind, load)) for kind in kinds]
    print(f"\n{_signature(load)}")
    if not all(fine):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
