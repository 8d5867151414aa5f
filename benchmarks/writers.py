"""A community at its pages under load: authors write with the audit beside them, adjudicators judge.

``make bench-writers``. Two hundred people, three quarters of them authors, think 5 to 10 s in front of each page;
while an author types, the audit is asked three times, as the page's script does. Each thing that the server said is
kept must be in the database exactly once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from sqlalchemy import select
from tests.annotating import DRIVERS, database

from benchmarks.annotators import Browser, GaveUp, Log, start_study
from benchmarks.served import Server
from benchmarks.webpages import Page
from homeground.annotate.serve import open_study
from homeground.annotate.store import Store, people
from homeground.annotate.store.question_tables import Entry, EntryVersion, Verdict

_STUDY = """
id = "load"
kind = "questions"
title = "Under load"
contact = "nobody@example.org"
cultures = ["PT"]
language = "pt-PT"
siblings = ["BR"]
quota = 1
"""
_WORDS = (
    "cor", "marco", "rua", "padaria", "comboio", "festa", "prato", "feriado", "escola", "carta", "bandeira", "rio",
    "peixe", "doce", "jogo", "mercado", "sopa", "santo", "vinho", "autocarro", "praia", "livro", "barco", "casa",
)  # fmt: skip


def _hidden(page: Page, action: str) -> dict[str, str]:
    form = next(one for one in page.forms if one.action.startswith(action))
    return {one.name: one.value for one in form.fields.values() if one.kind == "hidden"}


async def _come(browser: Browser, path: str) -> None:
    """From the invitation to the desk."""
    page = await browser.open(path)
    page = await browser.send(path, _hidden(page, path))
    page = await browser.send("/consent", _hidden(page, "/consent") | {"agree": "yes"})


async def _write(browser: Browser, draw: random.Random, pause: float) -> None:
    page = await browser.open("/question/new")
    form = _hidden(page, "/question/new")
    text = f"De que {' '.join(draw.sample(_WORDS, 5))} se fala?"
    for part in (len(text) // 3, 2 * len(text) // 3, len(text)):
        await asyncio.sleep(pause / 3)
        typed = {name: value for name, value in form.items() if name != "client"} | {"question": text[:part]}
        await browser.send("/question/audit", typed | {"answers": "sim"})
    await browser.send("/question/new", form | {"question": text, "answers": "sim", "do": "propose"})


async def _judge(browser: Browser, draw: random.Random, pause: float) -> None:
    page = await browser.open("/queue")
    await asyncio.sleep(pause)
    if any(one.action == "/queue" for one in page.forms):
        said = {"decision": draw.choice(["accept", "reject"]), "comment": "porque sim", "mark_L1": "keeps"}
        await browser.send("/queue", _hidden(page, "/queue") | said)


async def _person(
    address: str, invitation: str, author: bool, end: float, log: Log, seed: int, think: tuple[float, float]
) -> None:
    draw = random.Random(seed)
    await asyncio.sleep(draw.uniform(0, think[1]))
    async with Browser([address], log, draw) as browser:
        try:
            await _come(browser, invitation)
            while time.monotonic() < end:
                await (_write if author else _judge)(browser, draw, draw.uniform(*think))
        except GaveUp as error:
            log.errors[f"gave up: {error}"] += 1


def measure(kind: str, count: int, seconds: float, think: tuple[float, float], seed: int) -> bool:
    """Serve a study on a new database of one kind, and have people work; whether nothing was lost or went wrong."""
    with tempfile.TemporaryDirectory() as scratch, database(kind, Path(scratch)) as url:
        file = Path(scratch) / "study.toml"
        file.write_text(_STUDY)
        store, study, _ = open_study(file, url)
        roles = ["adjudicator" if number % 4 == 3 else "author" for number in range(count)]
        invited = [f"/i/{people.invite(store, study.id, role, None, 1, time.time())}" for role in roles]
        server, log = Server(file, url), Log()
        address = server.start()
        try:
            asyncio.run(
                _work(server, address, list(zip(invited, roles, strict=True)), log, seconds, think, seed)
            )
        finally:
            server.kill()
        kept, entries = _kept(store)
        store.close()
        told = set(log.acknowledged)
        times = np.array([took for place, took in log.requests if place != "i"]) * 1_000
        audits = np.array([took for place, took in log.requests if place == "question"]) * 1_000
        print(f"\n## {kind}: {count} people, {seconds:g} s, {entries} questions")
        for name, of in (("all requests", times), ("forms and audits of questions", audits)):
            p50, p95, most = np.quantile(of, (0.5, 0.95, 1))
            print(
                f"{name}: {len(of) / seconds:.1f} a second, p50 {p50:.0f} ms, p95 {p95:.0f} ms, max {most:.0f} ms"
            )
        lost = len(told - set(kept))
        doubled = len(kept) - len(set(kept))
        print(f"{len(told)} acknowledged, {lost} lost, {doubled} doubled; {dict(log.errors) or 'no errors'}")
        return not lost and not doubled and not log.errors


async def _work(
    server: Server, address: str, crowd: list[tuple[str, str]], log: Log, seconds: float, think: tuple[float, float],
    seed: int,
) -> None:  # fmt: skip
    await start_study([address], urlsplit(server.admin_path()).path)
    end = time.monotonic() + seconds
    await asyncio.gather(
        *(
            _person(address, path, role == "author", end, log, seed + number, think)
            for number, (path, role) in enumerate(crowd)
        )
    )


def _kept(store: Store) -> tuple[list[str], int]:
    with store.read() as session:
        written = list(session.scalars(select(EntryVersion.client_id)))
        return written + list(session.scalars(select(Verdict.client_id))), session.query(Entry).count()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, nargs=2, default=(5.0, 10.0), metavar=("LOW", "HIGH"))
    parser.add_argument("--db", choices=("sqlite", *DRIVERS, "all"), default="all")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kinds = ("sqlite", *DRIVERS) if given.db == "all" else (given.db,)
    fine = [measure(kind, given.people, given.seconds, tuple(given.think), given.seed) for kind in kinds]
    raise SystemExit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
