"""Shared links for recruitment platforms: one link, many people, nobody twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from sqlalchemy import select, update

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import locked_study, log
from homeground.annotate.store.logins import begin_again, hashed, token
from homeground.annotate.store.people import DAY, PLATFORMS, filled_in, new_person
from homeground.annotate.store.tables import Identity, Recruiting, Spent

Refusal = Literal["unknown", "closed", "preview", "anonymous", "full", "again"]
QUERIES = {
    "prolific": "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
    "connect": "",
    "mturk": "workerId=${workerId}&assignmentId=${assignmentId}&hitId=${hitId}",
}
"""What to add to a link: Prolific fills its placeholders, Connect adds its parameters itself, and an MTurk task's own
page fills the variables of its layout."""
_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk says for the assignment while somebody only looks at a task that they have not accepted."""


class Link(NamedTuple):
    """A shared link as the admin's page lists it, without its token."""

    platform: str
    culture: str
    joined: int
    most: int
    expires: float


def share(store: Store, study: str, platform: str, culture: str, most: int, days: float, now: float) -> str:
    """A new shared link's token, for at most so many people; it is nowhere but in the answer."""
    new = token()
    with store.write() as session:
        session.add(
            Recruiting(
                token_hash=hashed(new), study_id=study, platform=platform, culture=culture, most=most, joined=0,
                expires=now + days * DAY, made=now,
            )
        )  # fmt: skip
        log(session, study, "shared", platform, culture, now)
    return new


def shared(store: Store, study: str, secret: str, now: float) -> Link | None:
    """The shared link of a token, if it has not expired."""
    with store.read() as session:
        found = session.get(Recruiting, hashed(secret))
        if found is None or found.study_id != study or found.expires <= now:
            return None
        return _link(found)


def links(store: Store, study: str) -> list[Link]:
    """All shared links of a study, the newest first."""
    with store.read() as session:
        rows = session.scalars(
            select(Recruiting).where(Recruiting.study_id == study).order_by(Recruiting.made.desc())
        )
        return [_link(row) for row in rows]


def join(
    store: Store, study: str, secret: str, recruitment: Mapping[str, str], now: float
) -> tuple[str, None] | tuple[None, Refusal]:
    """Join by a shared link: the person's cookie, or why not.

    A number whose person has given nothing yet gets that person back, and no other place. ``anonymous``: the
    platform's parameter is missing. ``again``: that number takes part already, or did; the private link leads back, and
    nobody else who knows the number gets in. ``full``: as many joined as were wanted. ``preview``: MTurk shows its task
    to somebody who has not accepted it. ``closed``: the study is.
    """
    with store.write() as session:
        closed = locked_study(session, study).status == "closed"
        found = session.get(Recruiting, hashed(secret), populate_existing=True)
        if found is None or found.study_id != study or found.expires <= now:
            return None, "unknown"
        if closed:
            return None, "closed"
        if recruitment.get("assignmentId") == _PREVIEW:
            return None, "preview"
        number = filled_in(recruitment).get(PLATFORMS[found.platform])
        if not number:
            return None, "anonymous"
        key = hashed(f"{study}\n{found.platform}\n{number}")
        cookie = begin_again(session, key, now)
        if cookie is not None:
            return cookie, None
        known = select(Identity.person_id).where(Identity.platform_key == key)
        if session.scalars(known).first() is not None or session.get(Spent, key) is not None:
            return None, "again"
        room = update(Recruiting).where(
            Recruiting.token_hash == found.token_hash, Recruiting.joined < Recruiting.most
        )
        taken = session.execute(
            room.values(joined=Recruiting.joined + 1).returning(Recruiting.culture)
        ).first()
        if taken is None:
            return None, "full"
        return new_person(session, study, "annotator", taken[0], recruitment, key, now), None


def _link(row: Recruiting) -> Link:
    return Link(row.platform, row.culture, row.joined, row.most, row.expires)
