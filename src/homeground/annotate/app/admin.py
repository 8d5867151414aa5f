"""The admin's page: progress, agreement, who is stuck, links, start, pause, close. For admins alone, the default."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import culture_name, material_of, say, stands, study_of
from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.overview import overview_page
from homeground.annotate.app.pages import go, link, page
from homeground.annotate.export import Line, csv, lines
from homeground.annotate.lines import AnswerLine
from homeground.annotate.store import people, progress, recruiting, studies

_MOST_DAYS, _MOST_PEOPLE, _EVENTS = 90, 10_000, 8
router = APIRouter()


def _page(visit: Visit, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    study = study_of(visit)
    if study.kind == "questions":
        return overview_page(visit, status, **more)
    cells = progress.progress(visit.store, study.id, visit.now)
    shown = {row.culture for row in cells} | set(study.cultures)
    state = studies.state(visit.store, study.id)
    values = {
        "study": study, "state": state, "cells": cells, "quiet": partial(_quiet, visit),
        "stuck": progress.stuck(visit.store, study.id, visit.now),
        "told": [one for one in studies.people(visit.store, study.id) if one.debrief],
        "shared": recruiting.links(visit.store, study.id), "platforms": tuple(people.PLATFORMS),
        "roles": people.joinable(study.kind, state.status),
        "benchmark": material_of(visit).benchmark,
        "events": [
            (datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M"), kind, detail)
            for at, kind, detail in progress.events(visit.store, study.id, _EVENTS)
        ],
        "names": {code: culture_name(code, visit.language) for code in shown},
        "now": visit.now, "link": "", "picked": "", "made": "", "conflict": False,
    }  # fmt: skip
    return page(visit, "admin", status, **(values | more))


def _quiet(visit: Visit, minutes: float) -> str:
    """How long somebody has given no sign, in the largest unit of which there are two."""
    hours = minutes / 60
    units = {"whole_days": hours / 24, "hours": hours, "minutes": minutes}
    key = next((key for key, number in units.items() if number >= 2), "minutes")
    return say(visit, key, number=int(units[key]))


@router.get("/admin")
def admin(visit: Here) -> Response:
    """How the study stands."""
    return _page(visit)


@router.post("/admin/status")
def set_status(visit: Here) -> Response:
    """Start, pause or close; closing needs its box ticked. Who did not see another admin's change is told so."""
    new, version = visit.form.get("status", ""), _number(visit, "version", 1_000_000_000)
    if new not in studies.STATUSES or (new == "closed" and visit.form.get("sure") != "yes"):
        raise HTTPException(400)
    if not studies.set_status(visit.store, study_of(visit).id, new, version, visit.now):
        return _page(visit, 409, conflict=True)
    return go("/admin")


@router.post("/admin/invite")
def invite(visit: Here) -> Response:
    """A new invitation; its link is shown once."""
    study = study_of(visit)
    role, culture = visit.form.get("role", ""), visit.form.get("culture", "")
    days = _number(visit, "days", _MOST_DAYS)
    if role not in people.ROLES_OF[study.kind] or culture not in study.cultures:
        raise HTTPException(400)
    if role not in people.joinable(study.kind, stands(visit)):
        return _page(visit, 409, conflict=True)
    of = culture if role == "annotator" else None
    secret = people.invite(visit.store, study.id, role, of, days, visit.now)
    return _page(visit, link=link(visit, f"i/{secret}"), picked=culture, made="invite")


@router.post("/admin/share")
def share(visit: Here) -> Response:
    """A new shared link for a recruitment platform; it is shown once."""
    study = study_of(visit)
    platform, culture = visit.form.get("platform", ""), visit.form.get("culture", "")
    most, days = _number(visit, "most", _MOST_PEOPLE), _number(visit, "days", _MOST_DAYS)
    if study.kind == "questions" or platform not in people.PLATFORMS or culture not in study.cultures:
        raise HTTPException(400)
    if stands(visit) == "closed":
        return _page(visit, 409, conflict=True)
    secret = recruiting.share(visit.store, study.id, platform, culture, most, days, visit.now)
    query = recruiting.QUERIES[platform]
    whole = link(visit, f"join/{secret}") + (f"?{query}" if query else "")
    return _page(visit, link=whole, picked=culture, made="share")


def _number(visit: Visit, name: str, most: int) -> int:
    text = visit.form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 1 <= int(text) <= most):
        raise HTTPException(400)
    return int(text)


@router.get("/admin/status")
@router.get("/admin/invite")
@router.get("/admin/share")
def back(visit: Here) -> Response:
    """Where a change of language leads from a page that answered a form."""
    return go(f"/admin?lang={visit.language}")


@router.get("/admin/judgements.csv")
def judgements(visit: Here) -> Response:
    """All that was said, by pseudonym."""
    study = study_of(visit)
    text = csv(
        lines(studies.whole(visit.store, study.id), study.id),
        Line if study.kind == "cue-check" else AnswerLine,
    )
    named = {"content-disposition": 'attachment; filename="judgements.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=named)
