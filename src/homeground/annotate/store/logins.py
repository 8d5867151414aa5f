"""Secrets and logins: what links and cookies are made of, and who gets another one."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from homeground.annotate.store.tables import Identity, Login, Person

_SECONDS = 30 * 86_400.0


def token() -> str:
    """A new secret for a link or cookie: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is stored of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def log_in(session: Session, person_id: str, now: float) -> str:
    """A new cookie's secret for a person; those of anybody that have expired are deleted."""
    session.execute(delete(Login).where(Login.expires <= now))
    new = token()
    session.add(Login(token_hash=hashed(new), person_id=person_id, expires=now + _SECONDS))
    return new


def beginner(key: str) -> Select[Person]:
    """Who came by an invitation or with a platform's number and has given nothing yet."""
    return (
        select(Person)
        .join(Identity, Identity.person_id == Person.id)
        .where(Identity.platform_key == key, Person.stage == "consent")
    )


def begin_again(session: Session, key: str, now: float) -> str | None:
    """Log in whoever came by ``key`` and has given nothing yet: their cookie may never have reached them.

    Whatever let them in before is void, so that two who hold one link are never both the same person.

    Returns:
        The cookie's secret; None for everybody else.
    """
    person = session.scalars(beginner(key).with_for_update(of=Person, key_share=True)).first()
    if person is None:
        return None
    session.execute(delete(Login).where(Login.person_id == person.id))
    person.link_hash, person.seen = None, now
    return log_in(session, person.id, now)
