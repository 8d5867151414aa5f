"""What a study's file cannot change any more: its kind, rules once there are answers, what its items are about."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from homeground.annotate.store.tables import Item, Judgement, Study
from homeground.errors import InputError


def check(
    session: Session, found: Study, kind: str, more: Mapping[str, Any], fixed: Mapping[str, Any]
) -> None:
    """See that a study that is there can go on with the settings of its file, as ``put`` is given them.

    Raises:
        InputError: it cannot.
    """
    if found.kind != kind:
        raise InputError(
            f"study {found.id!r} is a {found.kind} in this database; give the new one another id"
        )
    if kind == "validation":
        _nothing_lost(session, found.id, more)
    had = json.loads(found.settings).get("fixed", {})
    if had == dict(fixed):
        return
    first = select(func.min(Judgement.made)).join(Item).where(Item.study_id == found.id)
    since = session.scalar(first)
    if since is not None:
        day = datetime.fromtimestamp(since, UTC).date().isoformat()
        raise InputError(
            f"study {found.id!r}: field {', '.join(fixed)}: fixed since the first answer of {day} as "
            f"{json.dumps(had)}; rules that are chosen after the data prove nothing"
        )


def _nothing_lost(session: Session, study: str, more: Mapping[str, Any]) -> None:
    """Items stay and go on being answered: without their culture or concept no export could be analysed."""
    lost: Counter[tuple[str, str]] = Counter()
    items = select(Item.culture, Item.cell, Item.content).where(
        Item.study_id == study, Item.part != "attention"
    )
    for culture, concept, content in session.execute(items):
        asked = json.loads(content)["asked"]
        for field, name, known in (
            ("cultures", culture, more["cultures"]),
            ("concepts", concept, more["concepts"]),
            ("benchmark", asked, more["accepted"]),
        ):
            if name not in known:
                lost[field, name] += 1
    if lost:
        (field, name), number = next(iter(lost.items()))
        raise InputError(
            f"study {study!r}: field {field}: {name!r} is gone, and this database has {number:,} items of it; "
            "put it back, or give the new study another id"
        )
