"""People: invitations, logins, the stages of taking part, withdrawal. Tokens are stored as SHA-256 alone."""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import uuid
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import locked, log
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
FLOWS = {
    "cue-check": ("consent", "eligibility", "instructions", "items", "done"),
    "validation": ("consent", "eligibility", "priming", "instructions", "check", "items", "done"),
    "questions": ("consent", "done"),
}
"""The stages that somebody who takes part goes through, by kind of study."""
DAY = 86_400.0
_LOGIN = 30 * DAY
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
RECRUITMENT = (
    "PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "participantId", "assignmentId", "projectId", "workerId", "hitId",
)  # fmt: skip
"""What Prolific, Connect and MTurk add to a study's link."""


PLATFORMS = {"prolific": "PROLIFIC_PID", "connect": "participantId", "mturk": "workerId"}
"""The parameter by which each platform says who comes."""
COMPLETION = {"prolific": "https://app.prolific.com/submissions/complete?cc={code}"}
"""Where a platform wants people sent at the end, where that follows from the code alone."""


class Who(NamedTuple):
    """A person as pages need them."""

    id: str
    role: str
    culture: str | None
    stage: str
    pseudonym: str | None


def token() -> str:
    """A new secret for a link or cookie: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is stored of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


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
        if found is None or found.study_id != study or found.used is not None or found.expires <= now:
            return None
        return found.role, found.culture


def redeem(store: Store, study: str, secret: str, recruitment: dict[str, str], now: float) -> str | None:
    """Use an invitation up: a new person, logged in. The cookie's secret, or None if it cannot be used (any more)."""
    with store.write() as session:
        key = hashed(secret)
        usable = (
            Invite.token_hash == key,
            Invite.study_id == study,
            Invite.used.is_(None),
            Invite.expires > now,
        )
        # One statement decides who of two at once is first.
        taken = session.execute(
            update(Invite).where(*usable).values(used=now).returning(Invite.role, Invite.culture)
        ).first()
        if taken is None:
            return None
        return new_person(session, study, taken[0], taken[1], recruitment, None, now)


def new_person(
    session: Session,
    study: str,
    role: str,
    culture: str | None,
    recruitment: Mapping[str, str],
    platform_key: str | None,
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
    kept = {name: recruitment[name][:200] for name in RECRUITMENT if recruitment.get(name)}
    if kept or platform_key:
        session.add(Identity(person_id=person.id, recruitment=json.dumps(kept), platform_key=platform_key))
    log(session, study, "joined", person.id, role, now)
    return _login(session, person.id, now)


def _login(session: Session, person_id: str, now: float) -> str:
    session.execute(delete(Login).where(Login.expires <= now))
    new = token()
    session.add(Login(token_hash=hashed(new), person_id=person_id, expires=now + _LOGIN))
    return new


def who(store: Store, study: str, cookie: str, now: float) -> Who | None:
    """Who a cookie belongs to."""
    with store.read() as session:
        found = session.scalars(
            select(Person)
            .join(Login, Login.person_id == Person.id)
            .where(Login.token_hash == hashed(cookie), Login.expires > now, Person.study_id == study)
        ).first()
        return None if found is None else _who(found)


def _who(person: Person) -> Who:
    return Who(person.id, person.role, person.culture, person.stage, person.pseudonym)


def consented(store: Store, person_id: str, language: str, text: str, now: float) -> str:
    """Record that the person agreed to exactly this text, and move on. The text's version."""
    version = f"{language}-{hashed(text)[:12]}"
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
    return session.scalars(select(Person).where(Person.id == person_id).with_for_update()).one()


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
    """A new secret with which the person can come back or withdraw from any device; the one before it is void."""
    new = token()
    with store.write() as session:
        session.get_one(Person, person_id).link_hash = hashed(new)
    return new


def of_link(store: Store, study: str, secret: str) -> Who | None:
    """Whose private link this is."""
    with store.read() as session:
        found = session.scalars(
            select(Person).where(Person.link_hash == hashed(secret), Person.study_id == study)
        ).first()
        return None if found is None else _who(found)


def login(store: Store, person_id: str, now: float) -> str:
    """A new cookie's secret for a person."""
    with store.write() as session:
        return _login(session, person_id, now)


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
