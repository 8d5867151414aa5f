"""What forms have made that may be sent again, by their own ids: as it was, it counts once; otherwise nothing of it is
lost."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from homeground.annotate.store.question_tables import Comment, EntryVersion

_Made = TypeVar("_Made", EntryVersion, Comment)


def made_by(session: Session, table: type[_Made], client_id: str) -> tuple[list[_Made], str]:
    """What a form has made, in order, and the id under which more of it can be kept.

    The first is kept under the form's own id; each other id follows from the one before it.
    """
    made: list[_Made] = []
    while (row := session.scalars(select(table).where(table.client_id == client_id)).first()) is not None:
        made.append(row)
        client_id = hashlib.sha256(client_id.encode()).hexdigest()
    return made, client_id
