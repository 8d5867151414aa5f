"""The study's own words to the fifteen guidelines, for admins: notes, bad examples, versions."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft
from homeground.annotate.app.beside import guide, titles
from homeground.annotate.app.context import study_of
from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.helping import version_of
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import when
from homeground.annotate.store import guidance
from homeground.annotate.store.guidance import Added
from homeground.questions.guidelines import GuidelineId, Rejected

LONGEST_NOTE = 400
"""Characters: fifteen notes of any script are within what a form may send."""
_VERSIONS = 50
router = APIRouter()


def key_of(bad: Rejected) -> str:
    """A bad example's name in a form; the same in every version."""
    text = "\n".join((bad.guideline, bad.question, bad.answer, bad.why))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _page(visit: Visit, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    made = guidance.versions(visit.store, study_of(visit).id)
    newest = made[-1] if made else guidance.Version(0, Added(), 0.0)
    values: dict[str, Any] = {
        "guide": guide(visit), "version": newest.version, "notes": _notes(visit, newest.added), "key": key_of,
        "titles": titles(visit), "longest": LONGEST_NOTE, "faults": (), "ticked": frozenset(), "conflict": None,
        "taken": [], "versions": [
            (one.version, when(one.made), sum(map(bool, one.added.notes.values())), len(one.added.rejected))
            for one in reversed(made[-_VERSIONS:])
        ],
        "saved": "saved" in visit.request.query_params,
    }  # fmt: skip
    return page(visit, "guidelines", status, **(values | more))


def _rules(visit: Visit) -> list[GuidelineId]:
    return [one.guideline.id for group in guide(visit).groups for one in group.guidelines]


def _notes(visit: Visit, added: Added) -> draft.Texts:
    return {rule: added.notes.get(rule, "") for rule in _rules(visit)}


@router.get("/admin/guidelines")
def guidelines(visit: Here) -> Response:
    """The guidelines with what the study adds to them."""
    return _page(visit) if study_of(visit).kind == "questions" else go("/admin")


@router.post("/admin/guidelines")
def change(visit: Here) -> Response:
    """A new version. Who did not see another admin's is told, and what they typed stays on top of it."""
    study = study_of(visit)
    if study.kind != "questions":
        raise HTTPException(400)
    base = version_of(visit)
    made = {one.version: one for one in guidance.versions(visit.store, study.id)}
    made[0] = guidance.Version(0, Added(), 0.0)
    if base not in made:
        raise HTTPException(400)
    before, newest = made[base].added, made[max(made)]
    had = _notes(visit, before)
    mine = {
        rule: draft.one_newline(visit.form.get(f"note_{rule}", text)).strip() for rule, text in had.items()
    }
    gone = {key for key in map(key_of, before.rejected) if visit.form.get(f"remove_{key}") == "yes"}
    faults = [rule for rule, text in mine.items() if len(text) > LONGEST_NOTE]
    if faults:
        return _page(visit, 400, notes=mine, version=base, faults=faults, ticked=gone)
    if newest.version == base:
        notes: dict[GuidelineId, str] = {rule: mine[rule] for rule in _rules(visit) if mine[rule]}
        rejected = tuple(bad for bad in before.rejected if key_of(bad) not in gone)
        added = Added(notes=notes, rejected=rejected)
        if added == before:
            return go("/admin/guidelines")
        if guidance.change(visit.store, study.id, added, base, visit.now):
            return go("/admin/guidelines?saved=1")
        newest = guidance.newest(visit.store, study.id)
    return _conflict(visit, mine, had, _notes(visit, newest.added), gone)


def _conflict(
    visit: Visit, mine: draft.Texts, had: draft.Texts, now: draft.Texts, gone: set[str]
) -> Response:
    result = draft.merged(mine, had, now)
    return _page(
        visit, 409, notes=result, ticked=gone, conflict=draft.differences(result, now),
        taken=[one for one in draft.differences(had, now) if result[one.field] == now[one.field]],
    )  # fmt: skip
