"""What the tests of question studies share: an open study, people with roles, browsers, questions."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.testclient import TestClient

from homeground.annotate.app import create_app
from homeground.annotate.store import Store, people, studies
from homeground.annotate.store.writing import Written, write
from homeground.annotate.study import Material, StudyFile
from homeground.schema import Question
from tests.annotating import NOW, put_at

FILE = """\
id = "s"
kind = "questions"
title = "Perguntas"
contact = "a@b.example"
cultures = ["PT"]
language = "pt-PT"
quota = {quota}
"""
"""A study's file, for what starts a server of its own."""


def study_file(quota: int = 1, study: str = "s", **settings: Any) -> StudyFile:  # noqa: ANN401
    """A study in which people write questions about Portugal."""
    fixed = {
        "id": study, "kind": "questions", "title": "Perguntas de Portugal", "contact": "a@b.example",
        "cultures": ("PT",), "language": "pt-PT", "siblings": ("BR",), "quota": quota, "licence": "CC-BY-4.0",
    }  # fmt: skip
    return StudyFile(**(fixed | settings))  # type: ignore[arg-type]


def opened(store: Store, quota: int = 1, study: str = "s", **settings: Any) -> StudyFile:  # noqa: ANN401
    """Such a study in a migrated database, running."""
    file = study_file(quota, study, **settings)
    studies.put(store, study, file.kind, file.title, file.load, (), NOW, file.settings(Material()))
    if studies.state(store, study).status != "open":
        assert studies.set_status(store, study, "open", studies.state(store, study).version, NOW)
    return file


class Somebody(NamedTuple):
    """A person with a role, past the consent."""

    id: str
    pseudonym: str
    cookie: str
    role: str


def somebody(store: Store, role: str, study: str = "s") -> Somebody:
    """A new person, at work."""
    cookie = people.redeem(store, study, people.invite(store, study, role, None, 1, NOW), {}, NOW) or ""
    found = people.who(store, study, cookie, NOW)
    assert found is not None
    put_at(store, found.id, "done")
    return Somebody(found.id, found.pseudonym or "", cookie, role)


def ask(text: str, *answers: str, **more: object) -> Question:
    """A question in Portuguese."""
    return Question(id="", question=text, answers=answers or ("vermelhos",), language="pt-PT", **more)  # type: ignore[arg-type]


def proposed(store: Store, writer: str, question: Question, now: float = NOW) -> Written:
    """A question that somebody hands to the adjudicators."""
    done = write(store, writer, uuid.uuid4().hex, question, now, propose=True)
    assert isinstance(done, Written)
    return done


class Rooms:
    """The pages of one study, and browsers of people in it."""

    def __init__(self, store: Store, quota: int = 1, **settings: Any) -> None:  # noqa: ANN401
        """Open the study; ``now`` is what its clock says."""
        self.store, self.study, self.now = store, opened(store, quota, **settings), NOW
        self.app: FastAPI = create_app(store, self.study, clock=lambda: self.now)

    def browser(self, who: Somebody | None = None) -> TestClient:
        """A browser in which somebody is logged in."""
        client = TestClient(self.app, follow_redirects=True)
        if who is not None:
            client.cookies.set("homeground", who.cookie)
        return client

    def enter(self, role: str) -> tuple[TestClient, Somebody]:
        """Somebody new of a role, with their browser."""
        who = somebody(self.store, role)
        return self.browser(who), who
