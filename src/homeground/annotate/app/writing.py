"""An author's desk and the form: questions written, proposed, revised, taken back. Two at once are both told."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft, helping
from homeground.annotate.app.context import elsewhere, stands, study_of
from homeground.annotate.app.entry_pages import PAGE, place
from homeground.annotate.app.guard import Here, Visit, open_to
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import (
    WRITERS,
    Found,
    client_of,
    deciding,
    find,
    find_or_gone,
    form_page,
    is_open,
    judged_of,
    merged_number,
)
from homeground.annotate.release.gather import ROUNDS as RELEASED
from homeground.annotate.store import entries, verdicts, writing
from homeground.schema import Question

_FIRST = ("sent_back", "draft", "proposed", "accepted", "rejected", "merged", "dropped")
"""What waits for the author comes first on the desk."""
_ANSWERED = ("sent_back", "rejected")
"""Statuses of questions whose author should read on the desk what was said."""
router = APIRouter()
router.include_router(helping.router)  # first: its paths are more exact than those below


@router.get("/desk")
@open_to("author")
def desk(visit: Here) -> Response:
    """The author's own questions, and how they fare."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    study = study_of(visit)
    mine = entries.listed(visit.store, study.id, author=visit.person.id)
    mine.sort(key=lambda one: (_FIRST.index(one.status), -one.number))
    here, last = place(visit.request.query_params.get("page", "1"), len(mine), PAGE)
    shown = mine[(here - 1) * PAGE : here * PAGE]
    counts = verdicts.count_by_status(visit.store, study.id)
    return page(
        visit, "desk", study=study, entries=shown, here=here, last=last, stands=stands(visit),
        round=entries.round_now(visit.store, study.id),
        judged={one.id: deciding(judged_of(visit, one)) for one in shown if one.status in _ANSWERED},
        merged={one.id: merged_number(visit, one) for one in shown if one.merged_into},
        accepted=sum(one.status == "accepted" and one.round in RELEASED for one in mine),
        all_accepted=sum(counts.get((name, "accepted"), 0) for name in RELEASED),
        done=visit.request.query_params.get("done", ""),
    )  # fmt: skip


@router.get("/question/new")
@open_to("author")
def new(visit: Here) -> Response:
    """The empty form."""
    away = elsewhere(visit, "done")
    if away is None and not is_open(visit):
        away = go("/desk")
    return away or form_page(visit, None)


@router.post("/question/new")
@open_to("author")
def write_new(visit: Here) -> Response:
    """Keep a new question."""
    return elsewhere(visit, "done") or _write(visit, None)


@router.get("/question/{entry}")
@open_to(*WRITERS)
def question(visit: Here, entry: str) -> Response:
    """A question: the form for whoever may change it, else how it stands."""
    return elsewhere(visit, "done") or form_page(visit, find(visit, entry))


@router.post("/question/{entry}")
@open_to(*WRITERS)
def write(visit: Here, entry: str) -> Response:
    """Keep a change."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found = find_or_gone(visit, entry)
    return found if isinstance(found, Response) else _write(visit, found)


def _write(visit: Visit, found: Found | None) -> Response:
    do, client = visit.form.get("do", ""), client_of(visit)
    if do not in ("draft", "propose", "save"):
        raise HTTPException(400)
    version = helping.version_of(visit)
    base = helping.base_of(visit, found, version)
    mine = draft.typed(visit.form, draft.texts_of(base, draft.codes(study_of(visit).siblings, base)))
    propose = do == "propose"
    faults = draft.faults(mine, base, propose=propose)
    if faults:
        return form_page(visit, found, 400, texts=mine, version=version, faults=faults)
    outcome = writing.write(
        visit.store, visit.person.id, client, draft.question_of(mine, base), visit.now,
        entry=found.entry.id if found else None, base=version, propose=propose,
    )  # fmt: skip
    if isinstance(outcome, str):
        name = found.entry.id if found else writing.entry_of(visit.store, client)
        now = find_or_gone(visit, name) if name else None
        if isinstance(now, Response):
            return now
        if outcome == "conflict" and now is not None:
            return _conflict(visit, now, base, mine)
        return form_page(visit, now, 409, texts=mine, version=version, fault="closed")
    own_proposal = propose and visit.person.role == "author"
    return go("/desk?done=proposed" if own_proposal else f"/question/{outcome.entry}?saved=1")


def _conflict(visit: Visit, newest: Found, base: Question, mine: draft.Texts) -> Response:
    """Somebody was faster: what was typed stays, on top of theirs, and both are shown where they differ."""
    siblings = study_of(visit).siblings
    theirs = newest.entry.question
    others = tuple(dict.fromkeys((*draft.codes(siblings, base), *draft.codes(siblings, theirs))))
    before, now = draft.texts_of(base, others), draft.texts_of(theirs, others)
    mine = before | mine
    result = draft.merged(mine, before, now)
    return form_page(
        visit, newest, 409, texts=result, fault="conflict",
        conflict=draft.differences(result, now),
        taken=[one for one in draft.differences(before, now) if result[one.field] == now[one.field]],
    )  # fmt: skip


@router.post("/question/{entry}/drop")
@open_to("author")
def drop(visit: Here, entry: str) -> Response:
    """Take a question back that is not decided yet."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found = find(visit, entry)
    if visit.form.get("sure") != "yes":
        raise HTTPException(400)
    outcome = writing.take_back(
        visit.store, visit.person.id, found.entry.id, helping.version_of(visit), visit.now
    )
    if outcome is not None:
        return form_page(visit, find(visit, entry), 409, fault=f"drop_{outcome}")
    return go("/desk?done=dropped")
