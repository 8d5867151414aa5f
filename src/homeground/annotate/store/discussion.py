"""The discussion of an entry: between its writer and those who judge it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sqlalchemy import select

from homeground.annotate.store.database import Store
from homeground.annotate.store.entries import wrote
from homeground.annotate.store.forms import made_by
from homeground.annotate.store.leases import locked, log
from homeground.annotate.store.question_tables import Comment, Entry
from homeground.annotate.store.tables import Person
from homeground.annotate.store.verdicts import JUDGES


class Said(NamedTuple):
    """A word in the discussion."""

    person: str
    role: str
    text: str
    made: float


def add(
    store: Store, person_id: str, client_id: str, entry_id: str, text: str, now: float
) -> Literal["kept", "had", "closed"]:
    """Say something on an entry: its writer, an adjudicator or an admin. A form that is sent again with other words
    says these too."""
    with store.write() as session:
        person, study = locked(session, person_id, study=False)
        made, client_id = made_by(session, Comment, client_id)
        if (person_id, entry_id, text) in {(one.person_id, one.entry_id, one.text) for one in made}:
            return "had"
        entry = session.get(Entry, entry_id)
        own = person.role in JUDGES or wrote(session, entry_id, person_id)
        if entry is None or entry.study_id != study.id or study.status == "closed" or not own:
            return "closed"
        if person.stage != "done":
            return "closed"
        session.add(Comment(client_id=client_id, entry_id=entry_id, person_id=person_id, text=text, made=now))
        person.seen = now
        log(session, study.id, "comment", entry_id, "", now)
        return "kept"


def read(store: Store, study: str, entry: str) -> list[Said]:
    """What was said on an entry, in order."""
    with store.read() as session:
        rows = session.execute(
            select(Comment, Person)
            .join(Entry, Entry.id == Comment.entry_id)
            .join(Person, Person.id == Comment.person_id)
            .where(Comment.entry_id == entry, Entry.study_id == study)
            .order_by(Comment.id)
        ).all()
    return [Said(person.pseudonym or "", person.role, row.text, row.made) for row, person in rows]
