"""What helps while one writes: the audit on what is typed, models to try it on, the discussion with adjudicators."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from weakref import WeakKeyDictionary

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft
from homeground.annotate.app.beside import span, verdicts
from homeground.annotate.app.context import elsewhere, study_of
from homeground.annotate.app.guard import Here, Visit, open_to
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import (
    LONGEST_COMMENT,
    WRITERS,
    Found,
    blank,
    client_of,
    find,
    find_or_gone,
    form_page,
    is_open,
    may_change,
)
from homeground.annotate.app.trying import SECONDS, Tries, ask_model, reason, within
from homeground.annotate.store import Store, discussion, entries, writing
from homeground.schema import Question

_SCRIPT = files("homeground.annotate.app").joinpath("live.js").read_bytes()
_KEEP = {"cache-control": "private, max-age=300"}
_LONGEST_ANSWER = 4_000
_TRIES: WeakKeyDictionary[Store, Tries] = WeakKeyDictionary()
_BACK = {"queue": "/queue", "entry": "/admin/entry/{entry}#discussion"}
"""Pages of others that show a discussion, by what their form says."""
_HOMES = {"author": "/desk", "adjudicator": "/queue", "admin": "/admin"}
router = APIRouter()


@router.get("/live.js")
@open_to(*WRITERS)
def script() -> Response:
    """Asks for the audit's verdicts while one types."""
    return Response(_SCRIPT, media_type="text/javascript", headers=_KEEP)


def version_of(visit: Visit) -> int:
    """The version that a form began from.

    Raises:
        HTTPException: 400.
    """
    text = visit.form.get("version", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise HTTPException(400)
    return int(text)


def base_of(visit: Visit, found: Found | None, version: int) -> Question:
    """The question as it was in that version; a new one is blank.

    Raises:
        HTTPException: 400: there never was such a version for the visitor to see.
    """
    if found is None:
        return blank(visit)
    if found.entry.version == version:
        return found.entry.question
    drafts = visit.person.role == "author"
    for past in entries.history(visit.store, study_of(visit).id, found.entry.id, drafts=drafts):
        if past.version == version:
            return past.question
    raise HTTPException(400)


def _of_form(visit: Visit) -> Found | Response | None:
    entry = visit.form.get("entry", "")
    if not entry and visit.person.role != "author":
        raise HTTPException(404)
    return find_or_gone(visit, entry) if entry else None


def _typed(visit: Visit, found: Found | None) -> tuple[draft.Texts, Question]:
    base = base_of(visit, found, version_of(visit))
    mine = draft.typed(visit.form, draft.texts_of(base, draft.codes(study_of(visit).siblings, base)))
    return mine, base


@router.post("/question/check")
@open_to(*WRITERS)
def check(visit: Here) -> Response:
    """The form again, with the audit's verdicts on what was typed; nothing is saved."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found = _of_form(visit)
    if isinstance(found, Response):
        return found
    return form_page(visit, found, texts=_typed(visit, found)[0], version=version_of(visit), checked=True)


@router.post("/question/audit")
@open_to(*WRITERS)
def audit(visit: Here) -> Response:
    """The verdicts alone, for the script that asks while one types."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found = _of_form(visit)
    if isinstance(found, Response):
        return found
    mine, base = _typed(visit, found)
    said = verdicts(visit, draft.question_of(mine, base), found.entry.id if found else "")
    return page(visit, "verdicts", verdicts=said, span=span)


def tries_of(visit: Visit) -> Tries:
    """Who tried how often."""
    return _TRIES.setdefault(visit.store, Tries())


@router.post("/question/{entry}/try")
@open_to("author")
def try_on(visit: Here, entry: str) -> Response:
    """Ask a model what is saved, and keep that somebody looked."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found, study = find(visit, entry), study_of(visit)
    mine, base = _typed(visit, found)
    model = visit.form.get("model", "")
    if model not in study.try_on:
        raise HTTPException(400)
    back = partial(form_page, visit, found, texts=mine, version=version_of(visit))
    if not may_change(visit, found):
        return back(409, fault="closed")
    if draft.question_of(mine, base) != found.entry.question:
        return back(409, tried="unsaved")
    tries, person, question = tries_of(visit), visit.person.id, found.entry.question
    refused = tries.begin(person, visit.now)
    if refused:
        return back(429, tried=refused)
    ask = partial(ask_model, model, question, study.cultures[0], study.language)
    try:
        answers = within(SECONDS, ask, partial(tries.end, person))
    except TimeoutError:
        return back(409, tried="slow")
    except Exception as error:
        return back(409, tried="failed", reason=reason(error))
    for one in answers:
        text = one.text.replace("\0", "")[:_LONGEST_ANSWER]
        writing.look(
            visit.store, person, found.entry.id, found.entry.version, model, one.condition, text, one.correct,
            visit.now,
        )  # fmt: skip
    return go(f"/question/{found.entry.id}#looks")


@router.post("/question/{entry}/comment")
@open_to(*WRITERS)
def comment(visit: Here, entry: str) -> Response:
    """Say something on a question; a form sent twice counts once."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    found, client = find_or_gone(visit, entry), client_of(visit)
    if isinstance(found, Response):
        return found
    text = draft.one_newline(visit.form.get("text", "")).strip()
    if not text or len(text) > LONGEST_COMMENT:
        return form_page(visit, found, 400, comment=text, comment_fault="long" if text else "empty")
    outcome = "closed"
    if is_open(visit):
        outcome = discussion.add(visit.store, visit.person.id, client, found.entry.id, text, visit.now)
    if outcome == "closed":
        return form_page(visit, found, 409, comment=text, comment_fault="closed")
    back = _BACK.get(visit.form.get("back", ""), "/question/{entry}#discussion")
    return go(back.format(entry=found.entry.id))


@router.get("/question/check")
@open_to(*WRITERS)
def checked(visit: Here) -> Response:
    """Where asking anew for that page leads."""
    return go(f"{_HOMES[visit.person.role]}?lang={visit.language}")


@router.get("/question/{entry}/try")
@router.get("/question/{entry}/drop")
@router.get("/question/{entry}/comment")
@open_to(*WRITERS)
def back_to(visit: Here, entry: str) -> Response:
    """Where asking anew for a page that answered a form leads."""
    return go(f"/question/{find(visit, entry).entry.id}?lang={visit.language}")
