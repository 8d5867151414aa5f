"""One question as pages show it: who may see it, the form with what stands beside it, what was said of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fastapi import HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft
from homeground.annotate.app.beside import guide, span, titles, verdicts
from homeground.annotate.app.context import culture_name, stands, study_of
from homeground.annotate.app.guard import Visit
from homeground.annotate.app.pages import page
from homeground.annotate.app.trying import SECONDS
from homeground.annotate.store import discussion, entries
from homeground.annotate.store import verdicts as decisions
from homeground.annotate.store.entries import Shown
from homeground.annotate.store.verdicts import DECISIONS, MARKS, Decided
from homeground.questions.audit import Rule
from homeground.schema import Question

LONGEST_COMMENT, _LONGEST_CLIENT = 2_000, 64
WRITERS = ("author", "adjudicator", "admin")
"""Authors write their own; the others correct what was proposed."""
_UNDECIDED = ("draft", "proposed", "sent_back")
_GONE = ("draft", "dropped", "merged")
"""What nobody but its author changes."""


class Found(NamedTuple):
    """An entry that the visitor may see."""

    entry: Shown
    own: bool


class Mark(NamedTuple):
    """What an adjudicator said of one guideline."""

    rule: str
    title: str
    mark: str
    comment: str


class Judged(NamedTuple):
    """A verdict as the author sees it: nobody's name."""

    version: int
    status: str
    """What the decision would make of an entry."""
    comment: str
    marks: tuple[Mark, ...]
    """Guidelines that it does not simply keep, or that were commented on."""
    when: str


class Word(NamedTuple):
    """A word in the discussion: by a role, never by name."""

    role: str
    me: bool
    text: str
    when: str


def when(moment: float) -> str:
    """A time for a page, in UTC."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")


def _seen(visit: Visit, entry: str) -> Found | None:
    study = study_of(visit).id
    found = entries.shown(visit.store, study, entry)
    if found is None:
        return None
    own = entries.is_author(visit.store, entry, visit.person.id)
    # Whoever corrected an entry is one of its writers, and sees no draft that its author saves afterwards.
    hidden = not own if visit.person.role == "author" else entries.is_private(visit.store, study, found)
    return None if hidden else Found(found, own)


def find(visit: Visit, entry: str) -> Found:
    """An entry by its id: an author's own, for others any whose newest version was proposed.

    Raises:
        HTTPException: 404, also where there is one that the visitor may not see.
    """
    found = _seen(visit, entry)
    if found is None:
        raise HTTPException(404)
    return found


def find_or_gone(visit: Visit, entry: str) -> Found | Response:
    """The entry of a form that was sent; where the visitor could see it once and cannot any more, what they typed.

    Raises:
        HTTPException: 404, also where there is one that the visitor never saw.
    """
    found, study = _seen(visit, entry), study_of(visit).id
    if found is not None:
        return found
    taken = entries.shown(visit.store, study, entry)
    seen = visit.person.role != "author" and entries.history(visit.store, study, entry, drafts=False)
    if taken is None or not seen:
        raise HTTPException(404)
    return page(visit, "gone", 409, number=taken.number, lost=list(_typed(visit)))


def _typed(visit: Visit) -> Iterator[str]:
    """What a form says in words of somebody's own, whichever form it was."""
    for name, text in visit.form.items():
        if text.strip() and (name in (*draft.LONGEST, "text") or name.startswith(draft.CONTRAST)):
            yield draft.one_newline(text)


def is_open(visit: Visit) -> bool:
    """Whether the study takes anything."""
    return stands(visit) == "open"


def may_change(visit: Visit, found: Found | None) -> bool:
    """Whether the visitor may change an entry now, or write a new one."""
    return _theirs(visit, found) and is_open(visit)


def _theirs(visit: Visit, found: Found | None) -> bool:
    """Whether an entry is the visitor's to change while the study is open, or they may write a new one."""
    if found is None:
        return visit.person.role == "author"
    if visit.person.role == "author":
        return found.own and found.entry.status in _UNDECIDED
    return found.entry.status not in _GONE


def client_of(visit: Visit) -> str:
    """The form's own id, by which one that is sent twice counts once.

    Raises:
        HTTPException: 400.
    """
    client = visit.form.get("client", "")
    if not 0 < len(client) <= _LONGEST_CLIENT:
        raise HTTPException(400)
    return client


def names_of(visit: Visit, codes: Iterable[str]) -> dict[str, str]:
    """Names of cultures by code, in the visitor's language."""
    return {code: culture_name(code, visit.language) for code in codes}


def discussion_of(visit: Visit, entry: str) -> list[Word]:
    """What was said on an entry, in order, for the macro ``discussion``."""
    me = visit.person.pseudonym
    return [
        Word(said.role, bool(me) and said.person == me, said.text, when(said.made))
        for said in discussion.read(visit.store, study_of(visit).id, entry)
    ]


def judged_of(visit: Visit, entry: Shown, said: list[Decided] | None = None) -> list[Judged]:
    """The verdicts on an entry, the newest first: those on the newest version only once it is decided."""
    if said is None:
        said = decisions.decided(visit.store, study_of(visit).id, entry.id).get(entry.id, [])
    settled = entry.status not in ("draft", "proposed")
    named = titles(visit)
    return [_judged(one, named) for one in reversed(said) if settled or one.version < entry.version]


def deciding(judged: list[Judged]) -> list[Judged]:
    """Of verdicts those on the newest version that has any."""
    return [one for one in judged if one.version == judged[0].version]


def as_judged(visit: Visit, one: Decided) -> Judged:
    """One verdict, for the macro ``judged``."""
    return _judged(one, titles(visit))


def _judged(one: Decided, named: dict[Rule, str]) -> Judged:
    marks = tuple(
        Mark(rule, title, one.marks.get(rule, MARKS[0]), one.comments.get(rule, ""))
        for rule, title in named.items()
        if one.marks.get(rule, MARKS[0]) != MARKS[0] or one.comments.get(rule)
    )
    return Judged(one.version, DECISIONS[one.decision], one.comments.get("", ""), marks, when(one.made))


def blank(visit: Visit) -> Question:
    """A question that is not written yet."""
    study = study_of(visit)
    return Question(
        id="", question="", answers=None, language=study.language or None, culture=study.cultures[0]
    )


def form_page(visit: Visit, found: Found | None, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    """The form with everything beside it; what may not be changed is shown alone.

    Args:
        visit: whose page it is.
        found: the entry; none for a new one.
        status: of the response.
        more: ``texts``, what was typed; ``version``, the one that it began from; ``faults`` by field; ``conflict`` and
            ``taken``, differences; ``fault``, a word for the whole page; ``comment`` with ``comment_fault``; ``tried``,
            why a try gave nothing, with ``reason``; ``checked``, that nothing was saved.
    """
    study, entry, standing = study_of(visit), found.entry if found else None, stands(visit)
    question = entry.question if entry else blank(visit)
    kept = more.pop("texts", None)
    texts = draft.texts_of(question, draft.codes(study.siblings, question)) if kept is None else kept
    author = visit.person.role == "author"
    said = judged_of(visit, entry) if entry and visit.person.role != "adjudicator" else []
    others = [name.removeprefix(draft.CONTRAST) for name in texts if name.startswith(draft.CONTRAST)]
    values: dict[str, Any] = {
        "study": study, "entry": entry, "own": found is None or found.own,
        "editable": standing == "open" and _theirs(visit, found),
        "typed": kept is not None, "texts": texts, "version": entry.version if entry else 0,
        "client": uuid.uuid4().hex, "others": others, "contrast": draft.CONTRAST, "longest": draft.LONGEST,
        "question": question, "names": names_of(visit, {*others, *(question.contrast or ())}),
        "open": standing == "open", "stands": standing, "role": visit.person.role, "guide": guide(visit), "span": span,
        "verdicts": verdicts(visit, draft.question_of(texts, question), entry.id if entry else ""),
        "judged": said, "deciding": deciding(said), "merged_into": merged_number(visit, entry) if entry else None,
        "discussion": discussion_of(visit, entry.id) if entry else [], "longest_comment": LONGEST_COMMENT,
        "looks": entries.looks(visit.store, study.id, entry.id) if entry and author else [],
        "faults": {}, "fault": "", "conflict": [], "taken": [], "comment": "", "comment_fault": "",
        "tried": "", "reason": "", "seconds": int(SECONDS), "checked": False,
        "saved": "saved" in visit.request.query_params,
    }  # fmt: skip
    return page(visit, "question", status, **(values | more))


def merged_number(visit: Visit, entry: Shown) -> int | None:
    """The number of the entry that one was merged into."""
    if entry.merged_into is None:
        return None
    kept = entries.shown(visit.store, study_of(visit).id, entry.merged_into)
    return kept.number if kept else None
