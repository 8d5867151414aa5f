"""Retention: who somebody is is erased some days after they have ended, or after the study has; answers stay."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, literal, or_, select, update
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import locked_study, log
from homeground.annotate.store.people import DAY
from homeground.annotate.store.tables import Event, Identity, Invite, Login, Person, Spent, Study

ENDED = ("done", "screened_out")
"""The stages at which somebody has ended."""
_HOUR = 3_600.0
_IN_THE_DATABASE = {"synchronize_session": False}
"""Nothing that is changed is also held as an object."""
_LOG = logging.getLogger("homeground.annotate")


def forget(store: Store, study: str, days: float, now: float) -> int:
    """Erase who people are: what their platform said, their logins, their private links.

    That is of every annotator who ended more than ``days`` ago, and of everybody but admins once the study has been
    closed for more than ``days``. Answers and pseudonyms stay; who is still taking part keeps everything. While the
    study is not closed, hashes of platforms' numbers stay too, apart from the people: nobody joins twice. Done again,
    it does nothing more.

    Returns:
        Of how many people something was erased.

    Raises:
        sqlalchemy.exc.NoResultFound: there is no such study.
    """
    before = now - days * DAY
    with store.write() as session:
        # One of two at once waits here, and then finds nothing left to count.
        found = locked_study(session, study)
        over = and_(Person.study_id == study, _over(session, found, before))
        gone = select(Person.id).where(over)
        count = session.scalar(select(func.count()).select_from(Person).where(over, _known())) or 0
        if found.status == "closed":
            session.execute(delete(Spent).where(Spent.study_id == study), execution_options=_IN_THE_DATABASE)
        if count:
            if found.status != "closed":
                _keep_numbers(session, study, gone)
            for table in (Identity, Login):
                session.execute(
                    delete(table).where(table.person_id.in_(gone)), execution_options=_IN_THE_DATABASE
                )
            session.execute(
                update(Person).where(over, Person.link_hash.is_not(None)).values(link_hash=None),
                execution_options=_IN_THE_DATABASE,
            )
            log(session, study, "forgotten", study, str(count), now)
    store.erase()
    return count


def _keep_numbers(session: Session, study: str, gone: Select[str]) -> None:
    """An invitation needs none of it: it works once by itself."""
    numbers = select(Identity.platform_key, literal(study)).where(
        Identity.person_id.in_(gone),
        Identity.platform_key.is_not(None),
        Identity.platform_key.not_in(select(Invite.token_hash)),
    )
    session.execute(insert(Spent).from_select(["platform_key", "study_id"], numbers))


def _over(session: Session, study: Study, before: float) -> ColumnElement[bool]:
    """Who is to be forgotten."""
    closed = select(func.max(Event.at)).where(
        Event.study_id == study.id, Event.kind == "status", Event.detail == "closed"
    )
    if study.status == "closed" and (at := session.scalar(closed)) is not None and at < before:
        return Person.role != "admin"
    # One pass over the events: asked person by person, a large study would be locked for long.
    last = (
        select(Event.subject, Event.detail)
        .where(Event.study_id == study.id, Event.kind == "stage", Event.detail.in_(ENDED))
        .group_by(Event.subject, Event.detail)
        .having(func.max(Event.at) < before)
        .subquery()
    )
    # Authors and adjudicators are at work at stage "done": they end with the study.
    ended = or_(
        *(
            and_(Person.stage == stage, Person.id.in_(select(last.c.subject).where(last.c.detail == stage)))
            for stage in ENDED
        )
    )
    return and_(Person.role == "annotator", ended)


def _known() -> ColumnElement[bool]:
    """Of whom there is something to erase."""
    return or_(
        Person.link_hash.is_not(None),
        Person.id.in_(select(Identity.person_id)),
        Person.id.in_(select(Login.person_id)),
    )


async def forget_daily(
    store: Store,
    study: str,
    days: float,
    clock: Callable[[], float],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Forget at once and then every day, until cancelled; where the database refuses, again after an hour."""
    while True:
        wait = DAY
        try:
            await asyncio.to_thread(forget, store, study, days, clock())
        except Exception:
            _LOG.exception("retention failed; again in an hour")
            wait = _HOUR
        await sleep(wait)


@contextlib.asynccontextmanager
async def forgetting(
    store: Store, study: str, days: float, clock: Callable[[], float]
) -> AsyncIterator[None]:
    """``forget_daily`` beside whatever runs inside: ``FastAPI(lifespan=lambda app: forgetting(…))``."""
    task = asyncio.create_task(forget_daily(store, study, days, clock))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
