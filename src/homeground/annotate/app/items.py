"""One item at a time: a cue to judge, or a conversation to answer as the chatbot."""

from __future__ import annotations

import re
import uuid
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import culture_of, elsewhere, ended, material_of, say, study_of
from homeground.annotate.app.guard import Here, Visit, open_to
from homeground.annotate.app.pages import ending, go, page
from homeground.annotate.store import leases, people
from homeground.annotate.store.leases import Given
from homeground.annotate.validation.grading import grade, units_of

_LONGEST_COMMENT, _LONGEST_CLIENT, _LONGEST_PART = 2_000, 64, 40
_OTHER = "other"
_PICTURE = {"cache-control": "private, max-age=86400"}
router = APIRouter()


@router.get("/item")
@open_to("annotator")
def item(visit: Here) -> Response:
    """The item that the person holds, or a new one."""
    return elsewhere(visit, "items") or _item(visit)


def _item(visit: Visit, status: int = 200, fault: str = "") -> Response:
    given = leases.lease(visit.store, visit.person.id, visit.now)
    sent = visit.form.get("item")
    if sent and (isinstance(given, str) or given.item != sent):
        return _unkept(visit)
    if given == "done":
        people.advance(visit.store, visit.person.id, "items", visit.now)
        return go("/end")
    if given == "wait":
        return page(visit, "wait")
    if given == "closed":
        return ended(visit)
    if given == "paused":
        return ending(visit, say(visit, "paused_title"), say(visit, "paused_text"), onward="again")
    back = visit.form if sent else {}
    values: dict[str, Any] = {
        "item": given.item, "culture": culture_of(visit), "number": given.number,
        "client": uuid.uuid4().hex, "comment": back.get("comment", "")[:_LONGEST_COMMENT], "fault": fault,
        "late": "late" in visit.request.query_params, "content": given.content,
    }  # fmt: skip
    if study_of(visit).kind == "cue-check":
        return page(visit, "item", status, verdicts=leases.VERDICTS, chosen=back.get("verdict", ""), **values)
    return page(
        visit, "conversation", status, units=_units(visit, given), value=back.get("value", "")[:_LONGEST_PART],
        unit=back.get("unit", ""), other=back.get("other", "")[:_LONGEST_PART], longest=_LONGEST_PART, **values,
    )  # fmt: skip


def _unkept(visit: Visit) -> Response:
    """What was typed, where it can be sent no more."""
    form = visit.form
    verdict = form.get("verdict", "")
    typed = [form[name] for name in ("value", "unit", "other") if form.get(name, _OTHER) != _OTHER]
    return page(
        visit, "unkept", 409, verdict=verdict if verdict in leases.VERDICTS else "", typed=" ".join(typed),
        comment=form.get("comment", ""),
    )  # fmt: skip


def _units(visit: Visit, given: Given) -> tuple[str, ...]:
    return units_of(given.content["concept"], material_of(visit).accepted)


@router.post("/item")
@open_to("annotator")
def judge(visit: Here) -> Response:
    """Keep a judgement or an answer; a form sent twice counts once."""
    form = visit.form
    comment, client = form.get("comment", "").replace("\r\n", "\n").strip(), form.get("client", "")
    if not 0 < len(client) <= _LONGEST_CLIENT:
        raise HTTPException(400)
    if len(comment) > _LONGEST_COMMENT:
        return _item(visit, 400, "long")
    item, answer = form.get("item", "")[:64], None
    if study_of(visit).kind == "cue-check":
        verdict = form.get("verdict", "")
        if verdict not in leases.VERDICTS:
            return _item(visit, 400, "choose")
    else:
        fault, answer = _answer(form)
        if fault:
            return _item(visit, 400, fault)
        content = leases.content_of(visit.store, study_of(visit).id, item)
        if content is None:
            raise HTTPException(400)
        verdict = grade(content, answer, material_of(visit).accepted).verdict
    outcome = leases.submit(visit.store, visit.person.id, client, item, verdict, comment, visit.now, answer)
    if outcome == "closed":
        return _unkept(visit)
    return go("/item?late=1" if outcome == "late" else "/item")


def _answer(form: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """What is wrong with an answer, and the answer: a value with a number in it, and one unit, chosen or typed."""
    value, unit, other = (" ".join(form.get(name, "").split()) for name in ("value", "unit", "other"))
    fault = ""
    if not re.search(r"\d", value) or len(value) > _LONGEST_PART:
        fault = "value"
    elif (
        (unit == _OTHER) != bool(other) or not unit or len(other) > _LONGEST_PART or len(unit) > _LONGEST_PART
    ):
        fault = "both_units" if other and unit not in ("", _OTHER) else "unit"
    return fault, {"value": value, "unit": other or unit, "other": bool(other)}


@router.get("/picture/{name}")
@open_to("annotator", "admin")
def picture(visit: Here, name: str) -> Response:
    """A picture of the study's benchmark, by its SHA-256."""
    path = material_of(visit).pictures.get(name)
    if path is None:
        raise HTTPException(404)
    return Response(path.read_bytes(), media_type="image/png", headers=_PICTURE)


@router.post("/finish")
@open_to("annotator")
def finish(visit: Here) -> Response:
    """Stop before everything is judged, as can be chosen where nothing is free."""
    if leases.lease(visit.store, visit.person.id, visit.now) == "wait":
        people.advance(visit.store, visit.person.id, "items", visit.now)
    return go("/")
