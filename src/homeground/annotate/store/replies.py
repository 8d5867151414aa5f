"""Replies on the way to the items: priming, which is scored and gates nothing; the comprehension check; debrief."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.people import locked_person, move
from homeground.annotate.store.tables import Reply

TRIES = 2
"""Attempts at the comprehension check."""
Checked = Literal["passed", "again", "failed", "had"]


class Replied(NamedTuple):
    """One reply; ``correct`` is none where nothing is right or wrong."""

    question: str
    answer: str
    correct: bool | None


def primed(store: Store, person_id: str, replies: Iterable[Replied], now: float) -> None:
    """Keep the replies to the priming questions and move on, whatever they are."""
    with store.write() as session:
        if move(session, person_id, "priming", now).id:
            _keep(session, person_id, "priming", 1, replies, now)


def checked(store: Store, person_id: str, attempt: int, replies: list[Replied], now: float) -> Checked:
    """Keep an attempt at the comprehension check.

    Returns:
        ``passed``; ``again`` while a try is left; ``failed``, and the person is screened out; ``had`` for a form
        that comes from somebody who is past the check, or once more: ``attempt`` is the form's own number.
    """
    with store.write() as session:
        person = locked_person(session, person_id)
        if person.stage != "check" or attempt != _attempts(session, person_id) + 1:
            return "had"
        _keep(session, person_id, "check", attempt, replies, now)
        person.seen = now
        if all(reply.correct for reply in replies):
            move(session, person_id, "check", now)
            return "passed"
        if attempt < TRIES:
            return "again"
        move(session, person_id, "check", now, "screened_out")
        return "failed"


def said_at_the_end(store: Store, person_id: str, text: str, now: float) -> None:
    """Keep what somebody at the end says; each time it is a reply of its own."""
    with store.write() as session:
        person = locked_person(session, person_id)
        if person.stage != "done":
            return
        had = select(func.count()).where(Reply.person_id == person_id, Reply.step == "debrief")
        _keep(
            session,
            person.id,
            "debrief",
            (session.scalar(had) or 0) + 1,
            [Replied("debrief", text, None)],
            now,
        )


def attempts(store: Store, person_id: str) -> int:
    """How often the person has tried the comprehension check."""
    with store.read() as session:
        return _attempts(session, person_id)


def _attempts(session: Session, person_id: str) -> int:
    made = select(func.max(Reply.attempt)).where(Reply.person_id == person_id, Reply.step == "check")
    return session.scalar(made) or 0


def _keep(
    session: Session, person_id: str, step: str, attempt: int, replies: Iterable[Replied], now: float
) -> None:
    session.add_all(
        Reply(
            person_id=person_id, step=step, attempt=attempt, question=reply.question, answer=reply.answer,
            correct=reply.correct, at=now,
        )
        for reply in replies
    )  # fmt: skip
