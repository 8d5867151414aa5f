"""A study's server in a process of its own, which can be killed and started again; what its database then holds."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import select

from benchmarks.annotators import Log
from homeground.annotate.store import Store, people
from homeground.annotate.store.leases import load_of
from homeground.annotate.store.tables import Authorship, Item, Judgement, Lease, Remark, Study


class Server:
    """``homeground annotate serve`` on a port that stays the same."""

    def __init__(self, study: Path, url: str) -> None:
        """Not started yet; what it complains of goes to a file beside the study's."""
        self._words = ["annotate", "serve", "--study", str(study), "--db", url]
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.complaints = study.with_suffix(".stderr")

    def start(self) -> str:
        """Start it; its address, once it answers there."""
        with self.complaints.open("a") as complaints:
            process = subprocess.Popen(
                [sys.executable, "-m", "homeground", *self._words, "--port", str(self._port)],
                stdout=subprocess.PIPE, stderr=complaints, text=True,
            )  # fmt: skip
        self._process = process
        assert process.stdout is not None  # noqa: S101
        said = process.stdout.readline()
        if not said:
            raise RuntimeError(f"no server: {self.complaints.read_text()}")
        address = said.split()[-1]
        self._port = int(address.rpartition(":")[2])
        return address

    def admin_path(self) -> str:
        """Path of the admin's link, which it prints as long as there is no admin."""
        assert self._process is not None and self._process.stdout is not None  # noqa: S101
        return urlsplit(self._process.stdout.readline().split()[-1]).path

    def kill(self) -> None:
        """SIGKILL: it can put nothing in order."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def invitations(store: Store, study: str, cultures: tuple[str, ...], count: int) -> Iterator[str]:
    """Paths of new invitations, to one culture after the other; all made before the first is handed out."""
    return iter(
        [
            f"/i/{people.invite(store, study, 'annotator', culture, 1, time.time())}"
            for culture in itertools.islice(itertools.cycle(cultures), count)
        ]
    )


class Kept(NamedTuple):
    """What the database holds beside what the clients were told."""

    stored: int
    lost: int
    """Acknowledged, and not there."""
    doubled: int
    """There more than once: of one form, or of one person on one item."""
    changed: int
    """There, and not as it was sent."""
    unsent: int
    """There, though nobody sent it."""
    over: int
    """Judgements, and leases that still run, beyond what an item needs."""


def compare(store: Store, study: str, log: Log) -> Kept:
    """Hold what clients sent, and were told is kept, against the database."""
    with store.read() as session:
        rows = session.execute(
            select(Judgement, Authorship.person_id, Item.quota, Remark.text)
            .join(Item, Item.id == Judgement.item_id)
            .join(Authorship, Authorship.judgement_id == Judgement.id)
            .outerjoin(Remark, Remark.judgement_id == Judgement.id)
            .where(Item.study_id == study)
        ).all()
        leased = session.execute(
            select(Lease.item_id, Item.quota)
            .join(Item)
            .where(Item.study_id == study, Lease.until > time.time())
        ).all()
        usual = load_of(session.get_one(Study, study)).quota
    forms = Counter(judgement.client_id for judgement, *_ in rows)
    pairs = Counter((judgement.item_id, person) for judgement, person, *_ in rows)
    taken = Counter([(one.item_id, quota) for one, _, quota, _ in rows])
    taken.update((item, quota) for item, quota in leased)
    return Kept(
        stored=len(rows),
        lost=len(log.acknowledged.keys() - forms.keys()),
        doubled=max(len(rows) - len(forms), len(rows) - len(pairs)),
        changed=sum(
            not _as_sent(one, remark or "", log.sent[one.client_id].form)
            for one, _, _, remark in rows
            if one.client_id in log.sent
        ),
        unsent=sum(client not in log.sent for client in forms),
        over=sum(max(0, count - (usual if quota is None else quota)) for (_, quota), count in taken.items()),
    )


def _as_sent(one: Judgement, remark: str, form: dict[str, str]) -> bool:
    if one.item_id != form["item"] or remark != form["comment"].replace("\r\n", "\n"):
        return False
    if "verdict" in form:
        return one.verdict == form["verdict"]
    answer = json.loads(one.answer or "{}")
    unit = form["other"] or form["unit"]
    return (answer["value"], answer["unit"], answer["other"]) == (form["value"], unit, bool(form["other"]))
