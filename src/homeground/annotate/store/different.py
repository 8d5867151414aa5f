"""Groups of questions that look alike and that people found to ask different things: events, the last one counts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Set
from typing import Literal, TypeAlias

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import locked, log
from homeground.annotate.store.question_tables import Entry
from homeground.annotate.store.tables import Event, Person, Study
from homeground.annotate.store.verdicts import JUDGES
from homeground.annotate.store.writing import MERGED_FROM

Group: TypeAlias = frozenset[tuple[str, int]]
"""Entries with the versions of them that somebody looked at."""
_DIFFERENT, _ALIKE = "different", "alike"


def key_of(group: Group) -> str:
    """A short name of a group; another version of an entry makes another group."""
    return hashlib.sha256(msgspec.json.encode(sorted(group))).hexdigest()


def groups(store: Store, study: str) -> list[Group]:
    """The groups that stand as different."""
    with store.read() as session:
        return groups_in(session, study)


def groups_in(session: Session, study: str) -> list[Group]:
    """The groups that stand as different, inside a transaction."""
    rows = session.execute(
        select(Event.kind, Event.subject, Event.detail)
        .where(Event.study_id == study, Event.kind.in_((_DIFFERENT, _ALIKE)))
        .order_by(Event.id)
    )
    found: dict[str, Group] = {}
    for kind, key, detail in rows:
        if kind == _DIFFERENT:
            found[key] = frozenset(msgspec.json.decode(detail, type=list[tuple[str, int]]))
        else:
            found.pop(key, None)
    return list(found.values())


def looked_at(those: Set[tuple[str, int]], different: Iterable[Group]) -> bool:
    """Whether somebody saw all of these together, in these versions, and found them different."""
    return any(those <= group for group in different)


def set_aside(store: Store, person_id: str, group: Group, now: float) -> Literal["closed", "conflict"] | None:
    """Keep that somebody found a group to ask different things; done again, it does nothing more.

    Returns:
        Why it was not done. ``closed``: the study is, or the person may not. ``conflict``: one of them has another
        version by now, or is out of the set.
    """
    with store.write() as session:
        person, study = locked(session, person_id)
        if not _may(person, study):
            return "closed"
        names = [name for name, _ in group]
        standing = select(Entry.id, Entry.version).where(
            Entry.study_id == study.id, Entry.id.in_(names), Entry.status.in_(MERGED_FROM)
        )
        if {(name, version) for name, version in session.execute(standing)} != group:
            return "conflict"
        if group not in groups_in(session, study.id):
            detail = msgspec.json.encode(sorted(group)).decode()
            log(session, study.id, _DIFFERENT, key_of(group), detail, now)
        return None


def take_back(store: Store, person_id: str, group: Group, now: float) -> Literal["closed"] | None:
    """Let a group be looked at again, also where it was set aside as a part of a larger one.

    Returns:
        Why it was not done, as for ``set_aside``.
    """
    with store.write() as session:
        person, study = locked(session, person_id)
        if not _may(person, study):
            return "closed"
        for one in groups_in(session, study.id):
            if group <= one:
                log(session, study.id, _ALIKE, key_of(one), "", now)
        return None


def _may(person: Person, study: Study) -> bool:
    return study.status != "closed" and person.stage == "done" and person.role in JUDGES
