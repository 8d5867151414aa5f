"""Which entries of a study are like a text: an index in memory, brought up to date when somebody asks."""

from __future__ import annotations

import threading
from collections import Counter
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import written_by
from homeground.annotate.store.question_tables import Entry, EntryVersion
from homeground.questions.audit.twins import Neighbours
from homeground.schema import Question

_SHOWN = ("proposed", "sent_back", "accepted")
_DRAFT = "draft"
"""A draft is its writer's own affair: nobody else is told of it."""
_CANDIDATES = 30
_FEW = 500
"""New texts up to which they are asked for by name."""
_LATE = 5.0
"""Seconds that a change may have taken from its time to its commit."""


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
    """Empty where nobody is told of it."""


class _Index:
    """The entries of one study, as they were when it was last asked."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rows: dict[str, _Row] = {}
        self.neighbours = Neighbours()
        self._changed = 0.0
        """When the newest change was made."""

    def refresh(self, session: Session, study: str) -> None:
        """Read what changed. Without a new version a status only moves on, so that counts tell all states apart."""
        counted = select(Entry.status, func.count(), func.sum(Entry.version)).where(Entry.study_id == study)
        state = {
            status: (number, int(versions))
            for status, number, versions in session.execute(counted.group_by(Entry.status))
        }
        if state == self._state():
            return
        self._take(session, study, self._changed - _LATE)
        if state != self._state():
            # Changed by a clock that goes otherwise, or gone.
            self._take(session, study, None)

    def _state(self) -> dict[str, tuple[int, int]]:
        numbers, versions = Counter[str](), Counter[str]()
        for row in self.rows.values():
            numbers[row.status] += 1
            versions[row.status] += row.version
        return {status: (number, versions[status]) for status, number in numbers.items()}

    def _take(self, session: Session, study: str, since: float | None) -> None:
        """Read the entries that changed since then, or all."""
        wanted = select(Entry.id, Entry.number, Entry.version, Entry.status, Entry.changed)
        wanted = wanted.where(Entry.study_id == study)
        found = session.execute(wanted if since is None else wanted.where(Entry.changed >= since)).all()
        if since is None:
            for name in self.rows.keys() - {row.id for row in found}:
                del self.rows[name]
                self.neighbours.drop(name)
        told = {row.id for row in found if row.status in (*_SHOWN, _DRAFT)}
        new = {
            row.id
            for row in found
            if row.id in told
            and (
                row.id not in self.rows
                or not self.rows[row.id].text
                or self.rows[row.id].version != row.version
            )
        }
        texts = _texts(session, study, new)
        for name, number, version, status, changed in found:
            self._changed = max(self._changed, changed)
            if name not in told:
                self.neighbours.drop(name)
                self.rows[name] = _Row(number, version, status, "")
                continue
            if name in new:
                self.neighbours.put(Question(id=name, question=texts[name], answers=None))
            self.rows[name] = _Row(number, version, status, texts.get(name) or self.rows[name].text)


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
    with store.read() as session:
        with index.lock:
            index.refresh(session, study)
            near = [(one, index.rows[one.id]) for one in index.neighbours.nearest(text, _CANDIDATES, without)]
        own = written_by(session, person_id, [one.id for one, _ in near])
    found = [
        Similar(one.id, row.number, row.text, one.same, one.id in own)
        for one, row in near
        if row.status != _DRAFT or one.id in own
    ]
    return found[:most]
