"""The admin's pages of a study of questions: rounds here; entries, guidelines and duplicates in files of their own.

All are for admins alone, the default.
"""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import duplicates, entry_pages, guideline_pages
from homeground.annotate.app.context import study_of
from homeground.annotate.app.guard import Here
from homeground.annotate.app.helping import version_of
from homeground.annotate.app.overview import overview_page
from homeground.annotate.app.pages import go
from homeground.annotate.store import writing

router = APIRouter()
for _other in (entry_pages, guideline_pages, duplicates):
    router.include_router(_other.router)


@router.post("/admin/round")
def set_round(visit: Here) -> Response:
    """Begin the trial or the main round, the trial only where it was ticked that what is written then is never
    released. Who did not see another admin's change is told so."""
    study, new = study_of(visit), visit.form.get("round", "")
    if study.kind != "questions" or new not in ("trial", "main"):
        raise HTTPException(400)
    if new == "trial" and visit.form.get("sure") != "yes":
        raise HTTPException(400)
    if not writing.set_round(visit.store, study.id, new, version_of(visit), visit.now):
        return overview_page(visit, 409, conflict=True)
    return go("/admin")


@router.get("/admin/round")
def back(visit: Here) -> Response:
    """Where a change of language leads from a page that answered a form."""
    return go(f"/admin?lang={visit.language}")
