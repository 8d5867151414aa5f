"""The admin's page: progress, agreement, invitations, start, pause, close. Open to admins alone, the default."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.pages import go, link, page
from homeground.annotate.export import csv, lines
from homeground.annotate.store import people, studies
from homeground.annotate.study import StudyFile
from homeground.cultures.library import load_file

_MOST_DAYS = 90
router = APIRouter()


def _page(visit: Visit, new_link: str = "", picked: str = "") -> Response:
    study: StudyFile = visit.request.app.state.study
    progress = studies.progress(visit.store, study.id, visit.now)
    shown = {row.culture for row in progress} | set(study.cultures)
    return page(
        visit, "admin", study=study, state=studies.status(visit.store, study.id), progress=progress,
        names={code: load_file(code).name for code in shown}, link=new_link, picked=picked,
    )  # fmt: skip


@router.get("/admin")
def admin(visit: Here) -> Response:
    """How the study stands."""
    return _page(visit)


@router.post("/admin/status")
def set_status(visit: Here) -> Response:
    """Start, pause or close; closing needs its box ticked."""
    new = visit.form.get("status", "")
    if new not in studies.STATUSES or (new == "closed" and visit.form.get("sure") != "yes"):
        raise HTTPException(400)
    studies.set_status(visit.store, visit.request.app.state.study.id, new, visit.now)
    return go("/admin")


@router.post("/admin/invite")
def invite(visit: Here) -> Response:
    """A new invitation; its link is shown once."""
    study: StudyFile = visit.request.app.state.study
    role, culture, days = (visit.form.get(name, "") for name in ("role", "culture", "days"))
    counted = days.isascii() and days.isdigit() and len(days) <= 2 and 1 <= int(days) <= _MOST_DAYS
    if role not in people.ROLES or culture not in study.cultures or not counted:
        raise HTTPException(400)
    of = culture if role == "annotator" else None
    secret = people.invite(visit.store, study.id, role, of, int(days), visit.now)
    return _page(visit, link(visit, f"i/{secret}"), culture)


@router.get("/admin/invite")
def invited(visit: Here) -> Response:
    """Where a change of language leads from a page that showed a link."""
    return go(f"/admin?lang={visit.language}")


@router.get("/admin/judgements.csv")
def judgements(visit: Here) -> Response:
    """All judgements, by pseudonym."""
    text = csv(lines(visit.store, visit.request.app.state.study.id))
    named = {"content-disposition": 'attachment; filename="judgements.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=named)
