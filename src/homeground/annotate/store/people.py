"""People: invitations, logins, the stages of taking part, withdrawal. Tokens are stored as SHA-256 alone."""

from __future__ import annotations

import contextlib
import json
import secrets
import uuid
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Float, bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import LOCKED, locked, locked_study, log
from homeground.annotate.store.logins import begin_again, beginner, hashed, log_in, token
from homeground.annotate.store.question_tables import (
    Comment,
    Review,
    VerdictAuthorship,
    VerdictRemark,
    Writing,
)
from homeground.annotate.store.tables import (
    Authorship,
    Consent,
    Identity,
    Invite,
    Lease,
    Login,
    Person,
    Remark,
    Reply,
    Study,
)

ROLES = ("annotator", "author", "adjudicator", "admin")
ROLES_OF = {
    "cue-check": ("annotator", "admin"),
    "validation": ("annotator", "admin"),
    "questions": ("author", "adjudicator", "admin"),
}
"""The roles that a kind of study has."""
ROLES_OF_CLOSED = ("admin",)
"""The roles in which somebody can join a study that is closed: it must still be possible to release it."""
FLOWS = {
    "cue-check": ("consent", "eligibility", "instructions", "items", "done"),
    "validation": ("consent", "eligibility", "priming", "instructions", "check", "items", "done"),
    "questions": ("consent", "done"),
}
"""The stages that somebody who takes part goes through, by kind of study."""
DAY = 86_400.0
_BEGIN = 15 * 60.0
"""Seconds for which a used invitation leads back to where it began: the answer to its use may have been lost."""
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
RECRUITMENT = (
    "PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "participantId", "assignmentId", "projectId", "workerId", "hitId",
)  # fmt: skip
"""What Prolific, Connect and MTurk add to a study's link."""


PLATFORMS = {"prolific": "PROLIFIC_PID", "connect": "participantId", "mturk": "workerId"}
"""The parameter by which each platform says who comes."""
COMPLETION = {"prolific": "https://app.prolific.com/submissions/complete?cc={code}"}
"""Where a platform wants people sent at the end, where that follows from the code alone."""


class Withdrawn(Exception):
    """The person has withdrawn: nothing of theirs is kept or made any more."""


class Who(NamedTuple):
    """A person as pages need them."""

    id: str
    role: str
    culture: str | None
    stage: str
    pseudonym: str | None


_WHO = select(Person.id, Person.role, Person.culture, Person.stage, Person.pseudonym)
_OF_COOKIE = _WHO.join(Login, Login.person_id == Person.id).where(
    Login.token_hash == bindparam("hash"),
    Login.expires > bindparam("now", type_=Float),
    Person.study_id == bindparam("study"),
)
"""Every page begins with it, so that it is made once."""


def joinable(kind: str, status: str) -> tuple[str, ...]:
    """The roles in which somebody can join a study of a kind that stands so."""
    return ROLES_OF_CLOSED if status == "closed" else ROLES_OF[kind]


def filled_in(recruitment: Mapping[str, str]) -> dict[str, str]:
    """What a platform said of somebody; placeholders that it was to fill in, and did not, say nothing."""
    given = {name: recruitment.get(name, "").strip()[:200] for name in RECRUITMENT}
    return {name: text for name, text in given.items() if text and "{" not in text and name not in text}


def invite(store: Store, study: str, role: str, culture: str | None, days: float, now: float) -> str:
    """A new invitation's token; it is nowhere but in the answer."""
    new = token()
    with store.write() as session:
        session.add(
            Invite(
                token_hash=hashed(new), study_id=study, role=role, culture=culture, expires=now + days * DAY
            )
        )
        log(session, study, "invited", role, culture or "", now)
    return new


def invited(store: Store, study: str, secret: str, now: float) -> tuple[str, str | None] | None:
    """Role and culture of an invitation that can still be used."""
    with store.read() as session:
        found = session.get(Invite, hashed(secret))
        if found is None or found.study_id != study:
            return None
        if found.used is None:
            usable = found.expires > now
        else:
            usable = (
                found.used > now - _BEGIN and session.scalars(beginner(hashed(secret))).first() is not None
            )
        return (found.role, found.culture) if usable else None


def redeem(store: Store, study: str, secret: str, recruitment: dict[str, str], now: float) -> str | None:
    """Use an invitation up: a new person, logged in; for a short while again, the same one if they gave nothing yet.

    Returns:
        The cookie's secret, or None if the invitation cannot be used (any more).
    """
    with store.write() as session:
        key = hashed(secret)
        usable = (
            Invite.token_hash == key,
            Invite.study_id == study,
            Invite.used.is_(None),
            Invite.expires > now,
            *([Invite.role.in_(ROLES_OF_CLOSED)] if locked_study(session, study).status == "closed" else []),
        )
        # One statement decides who of two at once is first.
        taken = session.execute(
            update(Invite).where(*usable).values(used=now).returning(Invite.role, Invite.culture)
        ).first()
        if taken is not None:
            return new_person(session, study, taken[0], taken[1], recruitment, key, now)
        lately = (Invite.token_hash == key, Invite.study_id == study, Invite.used > now - _BEGIN)
        if session.scalars(select(Invite.token_hash).where(*lately)).first() is None:
            return None
        return begin_again(session, key, now)


def new_person(
    session: Session,
    study: str,
    role: str,
    culture: str | None,
    recruitment: Mapping[str, str],
    platform_key: str,
    now: float,
) -> str:
    """A new person, logged in; the cookie's secret. What a platform said of them goes into a table of its own."""
    person = Person(
        id=uuid.uuid4().hex, study_id=study, role=role, culture=culture,
        pseudonym=f"{culture or role}-{''.join(secrets.choice(_LETTERS) for _ in range(8))}",
        stage="done" if role == "admin" else "consent", created=now, seen=now,
    )  # fmt: skip
    session.add(person)
    session.flush()
    kept = json.dumps(filled_in(recruitment))
    session.add(Identity(person_id=person.id, recruitment=kept, platform_key=platform_key))
    log(session, study, "joined", person.id, role, now)
    return log_in(session, person.id, now)


def who(store: Store, study: str, cookie: str, now: float) -> Who | None:
    """Who a cookie belongs to."""
    with store.read() as session:
        found = session.execute(_OF_COOKIE, {"hash": hashed(cookie), "now": now, "study": study}).first()
        return None if found is None else Who(*found)


def consent_version(language: str, text: str) -> str:
    """By which a text to agree to is known."""
    return f"{language}-{hashed(text)[:12]}"


def consented(store: Store, person_id: str, language: str, text: str, now: float) -> str:
    """Record that the person agreed to exactly this text, and move on. The text's version."""
    version = consent_version(language, text)
    with store.write() as session:
        if session.get(Consent, version) is None:
            # Somebody else may agree to the same text at this moment.
            with contextlib.suppress(IntegrityError), session.begin_nested():
                session.add(Consent(version=version, language=language, text=text))
        move(session, person_id, "consent", now).consent = version
    return version


def lived_there(store: Store, person_id: str, years: int, fewest: int, now: float) -> bool:
    """Record how many of the last 15 years the person lived in the country; whether that is enough. Said once."""
    with store.write() as session:
        enough = years >= fewest
        move(session, person_id, "eligibility", now, None if enough else "screened_out").years = years
    return enough


def advance(store: Store, person_id: str, old: str, now: float) -> None:
    """Move a person on from a stage to the one after it; from any other stage nothing happens."""
    with store.write() as session:
        move(session, person_id, old, now)


def locked_person(session: Session, person_id: str) -> Person:
    """A person as they are once nobody else can move them on."""
    return session.get_one(Person, person_id, **LOCKED)


def _who_takes_part(session: Session, person_id: str) -> Person:
    person = locked_person(session, person_id)
    if person.stage == "withdrawn":
        raise Withdrawn
    return person


def move(session: Session, person_id: str, old: str, now: float, new: str | None = None) -> Person:
    """Move a person on inside a transaction, to the next stage of the study's kind unless another is named.

    Returns:
        The person; a stand-in that is stored nowhere if they are not at stage ``old``: a form sent twice.
    """
    person = locked_person(session, person_id)
    if person.stage != old:
        return Person()
    if new is None:
        flow = FLOWS[session.get_one(Study, person.study_id).kind]
        new = flow[flow.index(old) + 1]
    person.stage, person.seen = new, now
    log(session, person.study_id, "stage", person_id, new, now)
    return person


def private_link(store: Store, person_id: str) -> str:
    """A new secret with which the person can come back or withdraw from any device; the one before it is void.

    Raises:
        Withdrawn: they take part no more.
    """
    new = token()
    with store.write() as session:
        _who_takes_part(session, person_id).link_hash = hashed(new)
    return new


def of_link(store: Store, study: str, secret: str) -> Who | None:
    """Whose private link this is."""
    with store.read() as session:
        found = session.execute(
            _WHO.where(Person.link_hash == hashed(secret), Person.study_id == study)
        ).first()
        return None if found is None else Who(*found)


def login(store: Store, person_id: str, now: float) -> str:
    """A new cookie's secret for a person.

    Raises:
        Withdrawn: they take part no more.
    """
    with store.write() as session:
        return log_in(session, _who_takes_part(session, person_id).id, now)


def logout(store: Store, cookie: str) -> None:
    """End one login; the person's others stay."""
    with store.write() as session:
        session.execute(delete(Login).where(Login.token_hash == hashed(cookie)))


def platform(store: Store, person_id: str) -> str:
    """Which recruitment platform sent the person; empty for none."""
    with store.read() as session:
        found = session.get(Identity, person_id)
        said = json.loads(found.recruitment) if found else {}
    return next((name for name, parameter in PLATFORMS.items() if parameter in said), "")


def withdraw(store: Store, person_id: str, now: float) -> None:
    """Erase who somebody is, what they wrote in their own words, and which judgements were theirs."""
    with store.write() as session:
        person, _ = locked(session, person_id)
        theirs = select(Authorship.judgement_id).where(Authorship.person_id == person_id)
        session.execute(delete(Remark).where(Remark.judgement_id.in_(theirs)))
        decided = select(VerdictAuthorship.verdict_id).where(VerdictAuthorship.person_id == person_id)
        session.execute(delete(VerdictRemark).where(VerdictRemark.verdict_id.in_(decided)))
        for table in (
            Authorship, Lease, Login, Identity, Reply, Writing, Review, VerdictAuthorship, Comment,
        ):  # fmt: skip
            session.execute(delete(table).where(table.person_id == person_id))
        person.stage, person.culture, person.seen = "withdrawn", None, None
        person.pseudonym = person.consent = person.years = person.link_hash = None
        log(session, person.study_id, "withdrawn", "", "", now)
    store.erase()
