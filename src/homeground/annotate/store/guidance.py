"""The study's own guidelines: the package's, with notes and bad examples added, in versions."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.database import Store
from homeground.annotate.store.leases import locked_study, log
from homeground.annotate.store.question_tables import Guidelines
from homeground.questions.guidelines import GuidelineId, Rejected
from homeground.schema import Record


class Added(Record, frozen=True, kw_only=True):
    """What a study adds to the package's guidelines."""

    notes: dict[GuidelineId, str] = {}  # noqa: RUF012  (msgspec copies it for each record)
    """A clarification under a guideline's rule, such as adjudicators agreed on."""
    rejected: tuple[Rejected, ...] = ()
    """Entries that were turned down in the trial round, as bad examples."""


class Version(NamedTuple):
    """One version of a study's guidelines."""

    version: int
    added: Added
    made: float


def newest(store: Store, study: str) -> Version:
    """The guidelines as they stand."""
    with store.read() as session:
        return _newest(session, study)


def versions(store: Store, study: str) -> list[Version]:
    """All versions, the first first."""
    with store.read() as session:
        return versions_in(session, study)


def versions_in(session: Session, study: str) -> list[Version]:
    """All versions, inside a transaction."""
    rows = session.scalars(
        select(Guidelines).where(Guidelines.study_id == study).order_by(Guidelines.version)
    )
    return [_version(row) for row in rows]


def number_now(session: Session, study: str) -> int:
    """The newest version's number, inside a transaction."""
    return session.scalar(select(func.max(Guidelines.version)).where(Guidelines.study_id == study)) or 0


def change(store: Store, study: str, added: Added, base: int, now: float) -> bool:
    """Make a new version.

    Returns:
        Whether it was done: not if somebody made another after version ``base`` was read.
    """
    with store.write() as session:
        locked_study(session, study)
        if number_now(session, study) != base:
            return False
        add(session, study, added, base + 1, now)
        return True


def add(session: Session, study: str, added: Added, version: int, now: float) -> None:
    """Append a version inside a transaction that holds the study."""
    text = msgspec.json.encode(added).decode()
    session.add(Guidelines(study_id=study, version=version, content=text, made=now))
    log(session, study, "guidelines", study, str(version), now)


def _newest(session: Session, study: str) -> Version:
    found = session.scalars(
        select(Guidelines).where(Guidelines.study_id == study).order_by(Guidelines.version.desc()).limit(1)
    ).first()
    return Version(0, Added(), 0.0) if found is None else _version(found)


def _version(row: Guidelines) -> Version:
    return Version(row.version, msgspec.json.decode(row.content, type=Added), row.made)
