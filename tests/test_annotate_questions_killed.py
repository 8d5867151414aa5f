"""People write, judge and discuss questions while the server is killed at random moments: nothing is lost."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from benchmarks.served import Server

from homeground.annotate.store import Store, studies
from homeground.annotate.store.question_tables import Comment, EntryVersion, Verdict
from homeground.annotate.study import load_study
from homeground.errors import EnvironmentProblem
from tests.annotating import database, hidden
from tests.community import FILE, Somebody, somebody

KILLS = int(os.environ.get("HOMEGROUND_KILLS", "4"))
"""``make soak-annotate`` kills it twenty times."""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


class Told:
    """What the server acknowledged, by kind: client id → what was sent."""

    def __init__(self) -> None:
        self.said: dict[str, dict[str, str]] = {"proposal": {}, "verdict": {}, "comment": {}}
        self.broken = 0

    @property
    def number(self) -> int:
        return sum(map(len, self.said.values()))


class Person(threading.Thread):
    """Somebody who works until told to stop, and sends a form again, as it was, when the connection breaks."""

    def __init__(self, address: str, who: Somebody, told: Told, stop: threading.Event) -> None:
        super().__init__()
        self.browser = httpx.Client(base_url=address, cookies={"homeground": who.cookie}, timeout=20)
        self.who, self.told, self.stop, self.fault = who, told, stop, ""
        self.draw = random.Random(who.id)

    def run(self) -> None:
        number = 0
        try:
            while not self.stop.is_set():
                number += 1
                (self.write if self.who.role == "author" else self.judge)(number)
        except Exception as error:
            self.fault = repr(error)
        finally:
            self.browser.close()

    def ask(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        until = time.monotonic() + 300
        while True:
            try:
                return send()
            except httpx.TransportError:
                self.told.broken += 1
                assert time.monotonic() < until, "no server for five minutes"
                time.sleep(0.05)

    def get(self, path: str) -> str:
        answer = self.ask(lambda: self.browser.get(path))
        assert answer.status_code in (200, 303), (path, answer.status_code)
        return answer.text

    def post(self, path: str, form: dict[str, str]) -> httpx.Response:
        return self.ask(lambda: self.browser.post(path, data=form))

    def write(self, number: int) -> None:
        text = f"Pergunta {number} de {self.who.id[:6]}?"
        form = hidden(self.get("/question/new")) | {"question": text, "answers": "sim", "do": "propose"}
        answer = self.post("/question/new", form)
        assert answer.status_code == 303, answer.text
        self.told.said["proposal"][form["client"]] = text

    def judge(self, number: int) -> None:
        page = self.get("/queue")
        form = hidden(page)
        if "client" not in form:
            time.sleep(0.02)
            return
        decision = self.draw.choice(["accept", "send_back", "reject"])
        said = {"said": f"Palavra {number} de {self.who.id[:6]}"}
        answer = self.post("/queue/say", form | said)
        assert answer.status_code in (200, 409)
        if answer.status_code == 200:
            self.told.said["comment"][form["client"]] = said["said"]
        # The page that answered has the verdict's form with a client id of its own.
        verdict = hidden(answer.text) | {"decision": decision, "comment": "porque sim", "mark_L1": "keeps"}
        answer = self.post("/queue", verdict)
        assert answer.status_code in (303, 409), answer.text
        if answer.status_code == 303:
            self.told.said["verdict"][verdict["client"]] = decision


def kept(store: Store) -> dict[str, dict[str, str]]:
    with store.read() as session:
        return {
            "proposal": {
                row.client_id: json.loads(row.content)["question"] for row in session.query(EntryVersion)
            },
            "verdict": {row.client_id: row.decision for row in session.query(Verdict)},
            "comment": {row.client_id: row.text for row in session.query(Comment)},
        }


def test_no_acknowledged_proposal_verdict_or_comment_is_lost(url: str, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(FILE.format(quota=1))
    load_study(file)
    server, told, stop, draw = Server(file, url), Told(), threading.Event(), random.Random(11)
    address = server.start()
    store = Store(url)
    assert studies.set_status(store, "s", "open", studies.state(store, "s").version, time.time())
    roles = ("author", "author", "author", "adjudicator", "adjudicator")
    crowd = [Person(address, somebody(store, role), told, stop) for role in roles]
    for person in crowd:
        person.start()
    try:
        for _ in range(KILLS):
            said = told.number
            while told.number < said + 4 and any(person.is_alive() for person in crowd):
                time.sleep(0.01)
            time.sleep(draw.uniform(0, 0.3))
            server.kill()
            server.start()
        time.sleep(1.0)
        stop.set()
        for person in crowd:
            person.join(300)
    except EnvironmentProblem as error:
        pytest.fail(str(error))
    finally:
        stop.set()
        server.kill()
    assert [person.fault for person in crowd if person.fault] == []
    found = kept(store)
    store.close()
    assert told.broken > 0
    for kind, sent in told.said.items():
        assert sent, kind
        assert sent.items() <= found[kind].items(), kind
