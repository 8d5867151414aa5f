"""An adjudicator's queue, blind to the writer: one question at a time, held against the guidelines and decided on.

Whoever would rather mend a question than send it back does so on its own page (``writing``), and then cannot judge it.
"""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple, get_args

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft
from homeground.annotate.app.beside import guide, span
from homeground.annotate.app.beside import verdicts as audit
from homeground.annotate.app.context import elsewhere, say, study_of
from homeground.annotate.app.entry_pages import place
from homeground.annotate.app.guard import Here, Visit, open_to
from homeground.annotate.app.helping import version_of
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import (
    Judged,
    as_judged,
    client_of,
    discussion_of,
    judged_of,
    names_of,
    when,
)
from homeground.annotate.store import discussion, entries, judged, verdicts
from homeground.annotate.store.entries import Shown
from homeground.annotate.store.verdicts import DECISIONS, MARKS
from homeground.questions.guidelines import GuidelineId

RULES: tuple[GuidelineId, ...] = get_args(GuidelineId)
LONGEST_REMARK, LONGEST_COMMENT = 300, 1_200
"""Characters of a comment on one guideline, and of the one on the whole: all of them filled, in any script, are within
what a form may send."""
_PAGE = 50
_LONGEST_ENTRY = 64
router = APIRouter()


class Typed(NamedTuple):
    """A verdict as the form says it."""

    decision: str = ""
    comment: str = ""
    marks: dict[str, str] = {}  # noqa: RUF012  (nobody changes it)
    remarks: dict[str, str] = {}  # noqa: RUF012
    said: str = ""
    """For the discussion."""

    @property
    def comments(self) -> dict[str, str]:
        """By guideline, the one on the whole under the empty name, as the store keeps them."""
        return {name: text for name, text in {"": self.comment, **self.remarks}.items() if text}


# ---- the page -----------------------------------------------------------------------------------


@router.get("/queue")
@open_to("adjudicator")
def queue(visit: Here) -> Response:
    """The question that the adjudicator holds, or the next one."""
    kept = visit.request.query_params.get("kept", "")
    return elsewhere(visit, "done") or _next(visit, kept=kept if kept in DECISIONS else "")


def _next(
    visit: Visit,
    status: int = 200,
    typed: Typed | None = None,
    prefer: str = "",
    **more: Any,  # noqa: ANN401
) -> Response:
    """The next question.

    Args:
        visit: whose page it is.
        status: of the response.
        typed: what stands in the form that was sent.
        prefer: the question that it was about.
        more: ``fault``, why it was not kept; ``said_fault``; ``kept``, the decision that was; ``before``, the verdict
            that the person had made already.
    """
    typed = typed or Typed()
    given = verdicts.next_review(visit.store, visit.person.id, visit.now, prefer)
    values = {"fault": "", "said_fault": "", "kept": "", "lost": [], "before": None} | more
    if prefer and (isinstance(given, str) or given[0] != prefer):
        # It is in other hands or decided; what was typed is there to be copied.
        chosen = say(visit, f"decision_{typed.decision}") if typed.decision else ""
        values["lost"] = [text for text in (chosen, *typed.comments.values(), typed.said) if text]
        values["fault"] = "judged" if values["before"] else "gone"
        typed = Typed()
    values["number"] = judged.judged_by(visit.store, visit.person.id)
    if isinstance(given, str):
        return page(visit, "queue_empty", status, state=given, **values)
    return _review(visit, given[0], status, typed, values)


def _review(visit: Visit, name: str, status: int, typed: Typed, values: dict[str, Any]) -> Response:
    study = study_of(visit)
    entry = entries.shown(visit.store, study.id, name)
    if entry is None:
        raise HTTPException(404)
    question = entry.question
    said = verdicts.decided(visit.store, study.id, name).get(name, [])
    newest = [one.decision for one in said if one.version == entry.version]
    found = audit(visit, question, name)
    return page(
        visit, "review", status, entry=entry, question=question, typed=typed, client=uuid.uuid4().hex,
        names=names_of(visit, question.contrast or ()), guide=guide(visit), span=span, verdicts=found,
        flagged=found.marks if found else {}, earlier=judged_of(visit, entry, said),
        changes=_changes(visit, entry, said), contrast=draft.CONTRAST, tie=verdicts.ties(newest, study.judgements),
        marks=MARKS, decisions=tuple(DECISIONS),
        discussion=discussion_of(visit, name), longest=LONGEST_COMMENT, longest_remark=LONGEST_REMARK,
        waiting=verdicts.waiting(visit.store, study.id), **values,
    )  # fmt: skip


def _changes(visit: Visit, entry: Shown, said: list[verdicts.Decided]) -> list[draft.Difference]:
    """How the question differs from the version that was judged last."""
    before = [one.version for one in said if one.version < entry.version]
    if not before:
        return []
    past = entries.history(visit.store, study_of(visit).id, entry.id)
    old = next((one.question for one in past if one.version == before[-1]), entry.question)
    codes = tuple(dict.fromkeys((*(old.contrast or ()), *(entry.question.contrast or ()))))
    texts = draft.texts_of(old, codes), draft.texts_of(entry.question, codes)
    long = any(len(text) > draft.LONGEST["notes"] for fields in texts for text in fields.values())
    return [] if long else draft.differences(*texts)


# ---- the form -----------------------------------------------------------------------------------


@router.post("/queue")
@open_to("adjudicator")
def judge(visit: Here) -> Response:
    """Keep a verdict. Where the question was changed meanwhile nothing is kept, and the new version is shown."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    client, entry, version = client_of(visit), _entry_of(visit), version_of(visit)
    typed = _typed(visit)
    fault = _fault(typed)
    if fault:
        return _next(visit, 400, typed, entry, fault=fault)
    outcome = verdicts.judge(
        visit.store, visit.person.id, client, entry, version, typed.decision, typed.marks, typed.comments, visit.now
    )  # fmt: skip
    if outcome == "judged":
        return _next(visit, 409, typed, entry, fault=outcome, before=_before(visit, entry, version))
    if outcome in ("stale", "closed"):
        return _next(visit, 409, typed, entry, fault=outcome)
    return go(f"/queue?kept={typed.decision}")


def _before(visit: Visit, entry: str, version: int) -> Judged:
    """The verdict that the visitor has made on a version."""
    said = verdicts.decided(visit.store, study_of(visit).id, entry)[entry]
    mine = (one for one in said if (one.version, one.person) == (version, visit.person.pseudonym))
    return as_judged(visit, next(mine))


@router.post("/queue/say")
@open_to("adjudicator")
def speak(visit: Here) -> Response:
    """Say something on the question; what stands in the verdict's form stays there."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    client, entry, typed = client_of(visit), _entry_of(visit), _typed(visit)
    if not typed.said or len(typed.said) > LONGEST_COMMENT:
        return _next(visit, 400, typed, entry, said_fault="long" if typed.said else "empty")
    outcome = discussion.add(visit.store, visit.person.id, client, entry, typed.said, visit.now)
    if outcome == "closed":
        return _next(visit, 409, typed, entry, said_fault="closed")
    return _next(visit, 200, typed._replace(said=""), entry)


@router.get("/queue/say")
@open_to("adjudicator")
def back(visit: Here) -> Response:
    """Where asking anew for a page that answered a form leads."""
    return go(f"/queue?lang={visit.language}")


def _entry_of(visit: Visit) -> str:
    entry = visit.form.get("entry", "")
    if not 0 < len(entry) <= _LONGEST_ENTRY:
        raise HTTPException(400)
    return entry


def _typed(visit: Visit) -> Typed:
    """What the form says.

    Raises:
        HTTPException: 400: a mark or decision that no form of ours offers.
    """
    form = visit.form

    def text(name: str) -> str:
        return draft.one_newline(form.get(name, "")).strip()

    decision, marks = form.get("decision", ""), {rule: form.get(f"mark_{rule}", "") for rule in RULES}
    if decision not in ("", *DECISIONS) or not set(marks.values()) <= {"", *MARKS}:
        raise HTTPException(400)
    return Typed(
        decision,
        text("comment"),
        {rule: mark for rule, mark in marks.items() if mark},
        {rule: said for rule in RULES if (said := text(f"remark_{rule}"))},
        text("said"),
    )


def _fault(typed: Typed) -> str:
    """Why a verdict cannot be kept; ``judge_fault_NAME`` are the words."""
    if not typed.decision:
        return "decide"
    if len(typed.comment) > LONGEST_COMMENT or any(
        len(text) > LONGEST_REMARK for text in typed.remarks.values()
    ):
        return "long"
    return "reason" if typed.decision != "accept" and not typed.comment else ""


# ---- looking back -------------------------------------------------------------------------------


@router.get("/judged")
@open_to("adjudicator")
def looking_back(visit: Here) -> Response:
    """What the adjudicator has judged, the newest first, and what became of it."""
    away = elsewhere(visit, "done")
    if away is not None:
        return away
    all_ = judged.judged_by(visit.store, visit.person.id)
    here, last = place(visit.request.query_params.get("page", "1"), all_, _PAGE)
    rows = judged.judged(visit.store, visit.person.id, _PAGE, (here - 1) * _PAGE)
    return page(visit, "judged", rows=rows, all=all_, here=here, last=last, when=when, became=DECISIONS)
