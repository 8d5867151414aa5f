"""The way to the items and the end: consent, eligibility, priming, instructions, comprehension check, debrief."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import (
    PARTICIPANTS,
    culture_name,
    culture_of,
    elsewhere,
    material_of,
    of_kind,
    say,
    study_of,
)
from homeground.annotate.app.guard import Here, Visit, open_to
from homeground.annotate.app.joining import new_link
from homeground.annotate.app.pages import ending, go, page
from homeground.annotate.app.words import languages
from homeground.annotate.store import leases, people, replies
from homeground.annotate.store.replies import Replied
from homeground.annotate.validation.priming import Question

FEWEST_YEARS, OF_YEARS = 5, 15
"""Who lived in a country for 5 of the last 15 years may take part (the rule of the published study)."""
CHECK = {"whose": "user", "american": "fahrenheit", "missing": "other"}
"""The questions of the comprehension check, with what is right; ``check_QUESTION_OPTION`` are the words."""
_OPTIONS = {
    "whose": ("own", "user", "american"),
    "american": ("celsius", "both", "fahrenheit"),
    "missing": ("other", "nearest", "nothing"),
}
_LONGEST = 2_000
_DESKS = {"author": "/desk", "adjudicator": "/queue"}
"""Where people who write and judge questions work."""
router = APIRouter()


@router.get("/")
@open_to(*PARTICIPANTS, "admin")
def home(visit: Here) -> Response:
    """On to where the person is."""
    role, stage = visit.person.role, visit.person.stage
    if role == "admin":
        return go("/admin")
    if role in _DESKS and stage == "done":
        return go(_DESKS[role])
    return go({"items": "/item", "done": "/end", "screened_out": "/end"}.get(stage, f"/{stage}"))


def _consent_text(visit: Visit, language: str) -> str:
    study = study_of(visit)
    if study.consent:
        # A study's own text is never replaced by ours, whatever the interface's language.
        return study.consent.get(language, next(iter(study.consent.values())))
    culture = culture_name(visit.person.culture, language)
    return languages()[language].say(
        of_kind(visit, "consent"), culture=culture, contact=study.contact, licence=study.licence or "–"
    )


@router.get("/consent")
@open_to(*PARTICIPANTS)
def consent(visit: Here) -> Response:
    """The consent text."""
    return elsewhere(visit, "consent") or _consent(visit)


def _consent(visit: Visit, status: int = 200, fault: str = "") -> Response:
    text = _consent_text(visit, visit.language)
    version = people.consent_version(visit.language, text)
    return page(visit, "consent", status, text=text, version=version, fault=fault)


@router.post("/consent")
@open_to(*PARTICIPANTS)
def agree(visit: Here) -> Response:
    """Record the consent; then the private link, shown once."""
    away = elsewhere(visit, "consent")
    if away is not None:
        return away
    language = visit.form.get("language", "")
    if language not in languages():
        raise HTTPException(400)
    text = _consent_text(visit, language)
    if visit.form.get("version") != people.consent_version(language, text):
        # The study's file has changed since the page was opened: nobody agrees to what they have not seen.
        return _consent(visit, 409, "changed")
    if visit.form.get("agree") != "yes":
        return _consent(visit, 400, "missing")
    people.consented(visit.store, visit.person.id, language, text, visit.now)
    return new_link(visit)


@router.get("/eligibility")
@open_to("annotator")
def eligibility(visit: Here) -> Response:
    """How long the person lived in the country."""
    return elsewhere(visit, "eligibility") or _eligibility(visit)


def _eligibility(visit: Visit, status: int = 200) -> Response:
    return page(
        visit, "eligibility", status, culture=culture_of(visit), fault=status != 200, given=visit.form
    )


@router.post("/eligibility")
@open_to("annotator")
def lived(visit: Here) -> Response:
    """Keep the answer; it can be given once."""
    years = visit.form.get("years", "").strip()
    if not (years.isdecimal() and len(years) <= 2 and int(years) <= OF_YEARS):
        return _eligibility(visit, 400)
    people.lived_there(visit.store, visit.person.id, int(years), FEWEST_YEARS, visit.now)
    return go("/")


@router.get("/priming")
@open_to("annotator")
def priming(visit: Here) -> Response:
    """A few easy questions about the person's country."""
    away = elsewhere(visit, "priming")
    if away is None and not _asked_first(visit):
        replies.primed(visit.store, visit.person.id, (), visit.now)
        return go("/")
    return away or _priming(visit)


def _asked_first(visit: Visit) -> tuple[Question, ...]:
    return material_of(visit).priming.get(visit.person.culture or "", ())


def _priming(visit: Visit, status: int = 200) -> Response:
    return page(
        visit, "priming", status, culture=culture_of(visit), fault=status != 200, given=visit.form,
        questions=_asked_first(visit),
    )  # fmt: skip


@router.post("/priming")
@open_to("annotator")
def primed(visit: Here) -> Response:
    """Keep the replies and go on, right or wrong."""
    asked = _asked_first(visit)
    given = [Replied(q.kind, visit.form.get(q.kind, ""), visit.form.get(q.kind) == q.right) for q in asked]
    if any(reply.answer not in q.options for q, reply in zip(asked, given, strict=True)):
        return elsewhere(visit, "priming") or _priming(visit, 400)
    replies.primed(visit.store, visit.person.id, given, visit.now)
    return go("/")


@router.get("/instructions")
@open_to("annotator")
def instructions(visit: Here) -> Response:
    """How it works."""
    return elsewhere(visit, "instructions") or page(
        visit, of_kind(visit, "instructions"), culture=culture_of(visit)
    )


@router.post("/instructions")
@open_to("annotator")
def understood(visit: Here) -> Response:
    """On to the check or the items."""
    people.advance(visit.store, visit.person.id, "instructions", visit.now)
    return go("/")


@router.get("/check")
@open_to("annotator")
def check(visit: Here) -> Response:
    """Whether the instructions were understood."""
    return elsewhere(visit, "check") or _check(visit)


def _check(visit: Visit, status: int = 200) -> Response:
    tries = replies.attempts(visit.store, visit.person.id)
    return page(
        visit, "check", status, culture=culture_of(visit), options=_OPTIONS, fault=status != 200,
        again=tries > 0, attempt=tries + 1, given=visit.form,
    )  # fmt: skip


@router.post("/check")
@open_to("annotator")
def checked(visit: Here) -> Response:
    """An attempt; there are two."""
    given = [
        Replied(name, visit.form.get(name, ""), visit.form.get(name) == right)
        for name, right in CHECK.items()
    ]
    if any(reply.answer not in _OPTIONS[reply.question] for reply in given):
        return elsewhere(visit, "check") or _check(visit, 400)
    attempt = visit.form.get("attempt", "")
    if attempt not in map(str, range(1, replies.TRIES + 1)):
        raise HTTPException(400)
    replies.checked(visit.store, visit.person.id, int(attempt), given, visit.now)
    return go("/")


@router.get("/end")
@open_to("annotator")
def end(visit: Here) -> Response:
    """The end: what the study is about, and the code for a recruitment platform."""
    study, stage = study_of(visit), visit.person.stage
    if stage == "screened_out":
        why = "check" if replies.attempts(visit.store, visit.person.id) else "years"
        text = say(visit, f"out_{why}", culture=culture_of(visit))
        return ending(visit, say(visit, "out_title"), text, code=study.screen_out_code)
    if stage != "done":
        return go("/")
    number = leases.progress_of(visit.store, visit.person.id)
    return page(
        visit, "debrief", number=number, shown=study.completion_code, onward=_onward(visit),
        debrief=say(visit, of_kind(visit, "debrief"), culture=culture_of(visit)), contact=study.contact,
        thanks="said" in visit.request.query_params,
    )  # fmt: skip


def _onward(visit: Visit) -> str:
    """Where the person's recruitment platform wants them sent; empty where nobody knows."""
    study = study_of(visit)
    platform = people.platform(visit.store, visit.person.id)
    address = study.completion_urls.get(platform, people.COMPLETION.get(platform, ""))
    return address.replace("{code}", study.completion_code) if study.completion_code else ""


@router.post("/end")
@open_to("annotator")
def said(visit: Here) -> Response:
    """What somebody wants to tell at the end; nothing depends on it."""
    text = visit.form.get("said", "").replace("\r\n", "\n").strip()[:_LONGEST]
    if text and visit.person.stage == "done":
        replies.said_at_the_end(visit.store, visit.person.id, text, visit.now)
    return go("/end?said=1")
