"""Which entries of a study are like a text: an index in memory, brought up to date when somebody asks."""

from __future__ import annotations

import threading
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import wrote
from homeground.annotate.store.question_tables import Entry, EntryVersion
from homeground.questions.audit.twins import Neighbours
from homeground.schema import Question

_SHOWN = ("proposed", "sent_back", "accepted")
_DRAFT = "draft"
"""A draft is its writer's own affair: nobody else is told of it."""
_CANDIDATES = 30
_FEW = 500
"""New texts up to which they are asked for by name."""
State = frozenset[tuple[str, int, int]]


class Similar(NamedTuple):
    """An entry that is like a text."""

    entry: str
    number: int
    text: str
    same: bool
    """Whether it asks nearly the same; else it is only similar."""
    own: bool


class _Row(NamedTuple):
    number: int
    version: int
    status: str
    text: str


class _Index:
    """The entries of one study that count, as they were when it was last asked."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rows: dict[str, _Row] = {}
        self.neighbours = Neighbours()
        self._state: State | None = None

    def refresh(self, session: Session, study: str) -> None:
        """Read what changed. Without a new version a status only moves on, so that counts tell all states apart."""
        counted = select(Entry.status, func.count(), func.sum(Entry.version)).where(Entry.study_id == study)
        state: State = frozenset(
            (status, number, int(versions))
            for status, number, versions in session.execute(counted.group_by(Entry.status))
        )
        if state == self._state:
            return
        now = {
            name: (number, version, status)
            for name, number, version, status in session.execute(
                select(Entry.id, Entry.number, Entry.version, Entry.status).where(
                    Entry.study_id == study, Entry.status.in_((*_SHOWN, _DRAFT))
                )
            )
        }
        for name in self.rows.keys() - now.keys():
            del self.rows[name]
            self.neighbours.drop(name)
        new = {
            name for name, row in now.items() if name not in self.rows or self.rows[name].version != row[1]
        }
        for name, text in _texts(session, study, new).items():
            self.rows[name] = _Row(*now[name], text)
            self.neighbours.put(Question(id=name, question=text, answers=None))
        for name, (number, version, status) in now.items():
            self.rows[name] = _Row(number, version, status, self.rows[name].text)
        self._state = state


def _texts(session: Session, study: str, names: set[str]) -> dict[str, str]:
    """The questions of some entries, in their newest version."""
    wanted = (
        select(Entry.id, EntryVersion.content)
        .join(EntryVersion, (EntryVersion.entry_id == Entry.id) & (EntryVersion.version == Entry.version))
        .where(Entry.study_id == study)
    )
    if len(names) <= _FEW:
        wanted = wanted.where(Entry.id.in_(names))
    return {
        name: msgspec.json.decode(content, type=Question).question
        for name, content in session.execute(wanted)
        if name in names
    }


_INDEXES: WeakKeyDictionary[Store, dict[str, _Index]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def similar(
    store: Store, study: str, person_id: str, text: str, *, without: str = "", most: int = 3
) -> list[Similar]:
    """The entries that are like a text, the nearest first: those in use, and the person's own drafts.

    Args:
        store: where they are.
        study: its id.
        person_id: who asks.
        text: a question, perhaps half written.
        without: an entry to pass over, since it is the one being written.
        most: how many.
    """
    with _LOCK:
        index = _INDEXES.setdefault(store, {}).setdefault(study, _Index())
    with index.lock, store.read() as session:
        index.refresh(session, study)
        found: list[Similar] = []
        for near in index.neighbours.nearest(text, _CANDIDATES, without):
            row = index.rows[near.id]
            own = wrote(session, near.id, person_id)
            if row.status != _DRAFT or own:
                found.append(Similar(near.id, row.number, row.text, near.same, own))
            if len(found) == most:
                break
    return found
