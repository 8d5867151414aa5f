"""People at a study's pages as HTTP clients, while its server is killed, and while two servers share a database."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.annotators import Browser, Log, resident, start_study, take_part
from benchmarks.served import Kept, Server, compare, invitations

from homeground.annotate.store import Store, studies
from homeground.annotate.study import load_study
from tests.annotating import database

PEOPLE, KILLS, PATIENCE = 8, 3, 300


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


def written(folder: Path, kind: str, *lines: str) -> Path:
    """A study's file."""
    file = folder / "study.toml"
    fixed = ('id = "s"', f'kind = "{kind}"', 'title = "T"', 'contact = "a@b.pt"')
    file.write_text("\n".join((*fixed, *lines)))
    return file


async def think() -> bool:
    """Think hardly at all."""
    await asyncio.sleep(0.01)
    return True


async def everybody(addresses: list[str], invited: Iterator[str], log: Log, seed: int) -> None:
    """People who go on until nothing is left for them."""

    async def one(number: int) -> None:
        draw = random.Random(f"{seed} {number}")
        async with Browser(addresses, log, draw) as browser:
            await take_part(browser, invited, resident, think, draw, log)

    await asyncio.gather(*(one(number) for number in range(PEOPLE)))


async def opened(server: Server) -> str:
    """Start a server and let people in; its address."""
    address = await asyncio.to_thread(server.start)
    await start_study([address], server.admin_path())
    return address


async def killed_meanwhile(server: Server, url: str, seed: int) -> Log:
    draw, log = random.Random(seed), Log()
    address = await opened(server)
    store = Store(url)
    # Some to spare: a kill between an invitation's use and its answer spends one.
    work = asyncio.create_task(everybody([address], invitations(store, "s", ("JP",), 2 * PEOPLE), log, seed))
    store.close()
    for pages in sorted(draw.sample(range(5, 130), KILLS)):
        while log.pages < pages and not work.done():
            await asyncio.sleep(0.002)
        await asyncio.sleep(draw.uniform(0, 0.02))
        server.kill()
        await asyncio.to_thread(server.start)
    await work
    return log


def everything_is_there(url: str, log: Log) -> None:
    """What clients were told is kept is in the database once, as it was sent, and nothing else."""
    store = Store(url)
    kept = compare(store, "s", log)
    store.close()
    assert not log.errors
    assert kept._replace(stored=0) == Kept(0, 0, 0, 0, 0, 0)
    assert kept.stored == len(log.acknowledged)


def judged(url: str) -> Counter[str]:
    """How often each item was judged; attention items, of which everybody gets some, left out."""
    store = Store(url)
    found = Counter(said.item for said in studies.said(store, "s") if said.part != "attention")
    store.close()
    return found


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(url: str, tmp_path: Path) -> None:
    file = written(tmp_path, "cue-check", 'cultures = ["JP"]', "quota = 1")
    server = Server(file, url)
    try:
        log = asyncio.run(asyncio.wait_for(killed_meanwhile(server, url, seed=7), PATIENCE))
    finally:
        server.kill()
    assert log.broken
    assert log.finished == PEOPLE
    everything_is_there(url, log)
    assert judged(url) == Counter(item.id for item in load_study(file)[1].items)
    assert server.complaints.read_text() == ""


async def _two(servers: list[Server], url: str) -> Log:
    log = Log()
    addresses = await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
    await start_study(addresses, servers[0].admin_path())
    store = Store(url)
    invited = invitations(store, "s", ("FR", "JP"), PEOPLE)
    store.close()
    await everybody(addresses, invited, log, 8)
    return log


def test_two_servers_on_one_database_are_like_one(url: str, tmp_path: Path, benchmark_folder: Path) -> None:
    lines = ('cultures = ["FR", "JP"]', "items_per_cell = 3", "quota = 2", "attention_every = 5")
    file = written(tmp_path, "validation", *lines, f'benchmark = "{benchmark_folder}"')
    servers = [Server(file, url), Server(file, url)]
    try:
        log = asyncio.run(asyncio.wait_for(_two(servers, url), PATIENCE))
    finally:
        for server in servers:
            server.kill()
    assert log.finished == log.people == PEOPLE
    everything_is_there(url, log)
    items = [item.id for item in load_study(file)[1].items if item.part != "attention"]
    assert judged(url) == Counter(items * 2)
    assert servers[0].complaints.read_text() == ""
