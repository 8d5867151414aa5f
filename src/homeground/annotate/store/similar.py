"""Which entries of a study are like a text: an index in memory, brought up to date when somebody asks."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.question_tables import Entry, EntryVersion, Writing
from homeground.questions.audit.twins import Near, Neighbours
from homeground.schema import Question

_SHOWN = ("proposed", "sent_back", "accepted")
_DRAFT = "draft"
"""A draft is its writer's own affair: nobody else is told of it."""
_CANDIDATES = 30
_FEW = 500
"""New texts up to which they are asked for by name."""
_LATE = 5.0
"""Seconds that a change may have taken from its time to its commit."""


State: TypeAlias = dict[str, tuple[int, int]]
"""For each status how many entries have it, and the sum of their versions."""


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
    writers: Mapping[str, int]
    """The newest version that each of its writers wrote, by person; of the versions that there were with this text."""


class _Index:
    """The entries of one study, as they were when it was last asked.

    While one thread reads what changed, others answer from what is there: a hint may be as old as that.
    """

    def __init__(self) -> None:
        self._reading = threading.Lock()
        self._lock = threading.Lock()
        """For the two below, and never held while the database is asked."""
        self._rows: dict[str, _Row] = {}
        self._neighbours = Neighbours()
        self._state: State | None = None
        self._changed = 0.0
        """When the newest change was made."""

    def nearest(self, text: str, without: str) -> list[tuple[Near, _Row]]:
        """What is like a text, the nearest first."""
        with self._lock:
            return [
                (near, self._rows[near.id]) for near in self._neighbours.nearest(text, _CANDIDATES, without)
            ]

    def refresh(self, session: Session, study: str) -> None:
        """Read what changed. Without a new version a status only moves on, so that counts tell all states apart."""
        if not self._reading.acquire(blocking=self._state is None):
            return
        try:
            counted = select(Entry.status, func.count(), func.sum(Entry.version))
            now: State = {
                status: (number, int(versions))
                for status, number, versions in session.execute(
                    counted.where(Entry.study_id == study).group_by(Entry.status)
                )
            }
            if now != self._state and self._take(session, study, self._changed - _LATE) != now:
                # Changed by a clock that goes otherwise, or gone.
                self._take(session, study, None)
        finally:
            self._reading.release()

    def _take(self, session: Session, study: str, since: float | None) -> State:
        """Read the entries that changed since then, or all; how all stand then."""
        wanted = select(Entry.id, Entry.number, Entry.version, Entry.status, Entry.changed)
        wanted = wanted.where(Entry.study_id == study)
        found = session.execute(wanted if since is None else wanted.where(Entry.changed >= since)).all()
        told = {row.id for row in found if row.status in (*_SHOWN, _DRAFT)}
        had = {name: row for name in told if (row := self._rows.get(name)) is not None and row.text}
        new = {
            row.id
            for row in found
            if row.id in told and (row.id not in had or had[row.id].version != row.version)
        }
        texts, writers = _texts(session, study, new), _writers(session, study, new)
        with self._lock:
            for name in self._rows.keys() - {row.id for row in found} if since is None else ():
                del self._rows[name]
                self._neighbours.drop(name)
            for name, number, version, status, changed in found:
                self._changed = max(self._changed, changed)
                old = had.get(name)
                text = texts.get(name, old.text if old else "")
                by = writers.get(name, old.writers if old else {})
                self._rows[name] = _Row(number, version, status, text, by)
                if name in texts:
                    self._neighbours.put(Question(id=name, question=text, answers=None))
                elif name not in told:
                    self._neighbours.drop(name)
        numbers, versions = Counter[str](), Counter[str]()
        for row in self._rows.values():
            numbers[row.status] += 1
            versions[row.status] += row.version
        self._state = {status: (number, versions[status]) for status, number in numbers.items()}
        return self._state


def _texts(session: Session, study: str, names: set[str]) -> dict[str, str]:
    """The questions of some entries, in their newest version."""
    wanted = (
        select(Entry.id, EntryVersion.content)
        .join(EntryVersion, (EntryVersion.entry_id == Entry.id) & (EntryVersion.version == Entry.version))
        .where(Entry.study_id == study)
    )
    return {
        name: msgspec.json.decode(content, type=Question).question
        for name, content in _of(session, names, wanted)
    }


def _writers(session: Session, study: str, names: set[str]) -> dict[str, dict[str, int]]:
    """The newest version that each writer of some entries wrote."""
    wanted = select(Entry.id, Writing.person_id, Writing.version)
    wanted = wanted.join(Writing, Writing.entry_id == Entry.id).where(Entry.study_id == study)
    found: dict[str, dict[str, int]] = {}
    for name, person, version in _of(session, names, wanted.order_by(Writing.version)):
        found.setdefault(name, {})[person] = version
    return found


def _of(session: Session, names: set[str], wanted: Select[*tuple[Any, ...]]) -> Iterator[Any]:
    """The rows of some entries, which stand first in them."""
    if names:
        rows = session.execute(wanted.where(Entry.id.in_(names)) if len(names) <= _FEW else wanted)
        yield from (row for row in rows if row[0] in names)


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
        index.refresh(session, study)
    found = [
        Similar(one.id, row.number, row.text, one.same, person_id in row.writers)
        for one, row in index.nearest(text, without)
        if row.status != _DRAFT or row.writers.get(person_id) == row.version
    ]
    return found[:most]
