"""Pages of people who take part: invitation, consent, eligibility, instructions, items, the end, withdrawal."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.guard import ANYBODY, Attempts, Here, Visit, open_to
from homeground.annotate.app.pages import go, link, page, set_cookie
from homeground.annotate.app.words import languages
from homeground.annotate.store import leases, people
from homeground.annotate.study import StudyFile
from homeground.cultures.library import load_file

FEWEST_YEARS, OF_YEARS = 5, 15
"""Who lived in a country for 5 of the last 15 years may judge its cues (the rule of the published study)."""
_LONGEST_COMMENT = 2_000
_LONGEST_CLIENT = 64
router = APIRouter()


def _study(visit: Visit) -> StudyFile:
    study: StudyFile = visit.request.app.state.study
    return study


def _attempts(visit: Visit) -> Attempts:
    attempts: Attempts = visit.request.app.state.attempts
    return attempts


def _culture(code: str | None) -> str:
    return load_file(code).name if code else ""


def _at(visit: Visit, stage: str) -> Response | None:
    """Where to send somebody who is not at a page's stage."""
    return None if visit.person.stage == stage else go("/")


@router.get("/")
@open_to("annotator", "admin")
def home(visit: Here) -> Response:
    """On to where the person is."""
    if visit.person.role == "admin":
        return go("/admin")
    stage = visit.person.stage
    return go({"items": "/item", "done": "/end", "screened_out": "/end"}.get(stage, f"/{stage}"))


@router.get("/i/{secret}")
@open_to(ANYBODY)
def invitation(visit: Here, secret: str) -> Response:
    """The invitation; looking at it does not use it up, so programs that preview links do no harm."""
    _attempts(visit).check(visit)
    found = people.invited(visit.store, _study(visit).id, secret, visit.now)
    if found is None:
        raise _attempts(visit).wrong(visit)
    recruitment = {name: visit.request.query_params.get(name, "")[:200] for name in people.RECRUITMENT}
    return page(
        visit, "invite", role=found[0], culture=_culture(found[1]),
        recruitment={name: value for name, value in recruitment.items() if value},
    )  # fmt: skip


@router.post("/i/{secret}")
@open_to(ANYBODY)
def accept(visit: Here, secret: str) -> Response:
    """Use the invitation up: a new person and a new cookie, whatever cookie the browser had."""
    _attempts(visit).check(visit)
    cookie = people.redeem(visit.store, _study(visit).id, secret, visit.form, visit.now)
    if cookie is None:
        raise _attempts(visit).wrong(visit)
    response = go("/")
    set_cookie(visit, response, cookie)
    return response


def _consent_text(visit: Visit, language: str) -> str:
    study = _study(visit)
    if study.consent:
        # A study's own text is never replaced by ours, whatever the interface's language.
        return study.consent.get(language, next(iter(study.consent.values())))
    return languages()[language].say(
        "consent_text", culture=_culture(visit.person.culture), contact=study.contact
    )


@router.get("/consent")
@open_to("annotator")
def consent(visit: Here) -> Response:
    """The consent text."""
    text = _consent_text(visit, visit.language)
    return _at(visit, "consent") or page(visit, "consent", text=text, fault=False)


@router.post("/consent")
@open_to("annotator")
def agree(visit: Here) -> Response:
    """Record the consent; then the private link, shown once."""
    away = _at(visit, "consent")
    if away is not None:
        return away
    language = visit.form.get("language", "")
    if language not in languages():
        raise HTTPException(400)
    text = _consent_text(visit, language)
    if visit.form.get("agree") != "yes":
        return page(visit, "consent", 400, text=text, fault=True)
    people.consented(visit.store, visit.person.id, language, text, visit.now)
    return new_link(visit)


@router.post("/link")
@open_to("annotator")
def new_link(visit: Here) -> Response:
    """A new private link, shown once."""
    secret = people.private_link(visit.store, visit.person.id)
    return page(visit, "link", link=link(visit, f"my/{secret}"))


@router.get("/link")
@open_to("annotator")
def old_link(visit: Here) -> Response:
    """A private link is shown only once; changing the language there leads on."""
    return page(visit, "leave", secret="")


@router.get("/eligibility")
@open_to("annotator")
def eligibility(visit: Here) -> Response:
    """How long the person lived in the country."""
    culture = _culture(visit.person.culture)
    return _at(visit, "eligibility") or page(visit, "eligibility", culture=culture, fault=False)


@router.post("/eligibility")
@open_to("annotator")
def lived(visit: Here) -> Response:
    """Keep the answer; it can be given once."""
    years = visit.form.get("years", "").strip()
    if not (years.isascii() and years.isdigit() and len(years) <= 2 and int(years) <= OF_YEARS):
        return page(visit, "eligibility", 400, culture=_culture(visit.person.culture), fault=True)
    people.lived_there(visit.store, visit.person.id, int(years), FEWEST_YEARS, visit.now)
    return go("/")


@router.get("/instructions")
@open_to("annotator")
def instructions(visit: Here) -> Response:
    """How it works."""
    culture = _culture(visit.person.culture)
    return _at(visit, "instructions") or page(visit, "instructions", culture=culture)


@router.post("/instructions")
@open_to("annotator")
def understood(visit: Here) -> Response:
    """On to the items."""
    people.advance(visit.store, visit.person.id, "instructions", "items", visit.now)
    return go("/")


@router.get("/item")
@open_to("annotator")
def item(visit: Here) -> Response:
    """The item that the person holds, or a new one."""
    return _at(visit, "items") or _item(visit)


def _item(visit: Visit, status: int = 200, **back: object) -> Response:
    given = leases.lease(visit.store, visit.person.id, visit.now)
    if given == "done":
        people.advance(visit.store, visit.person.id, "items", "done", visit.now)
        return go("/end")
    if given == "wait":
        return page(visit, "wait")
    if given == "paused":
        say = languages()[visit.language].say
        return page(visit, "end", title=say("paused_title"), text=say("paused_text"), shown="")
    values = {
        "item": given.item, "cue": given.content, "culture": _culture(visit.person.culture),
        "number": leases.progress_of(visit.store, visit.person.id), "client": uuid.uuid4().hex,
        "verdicts": leases.VERDICTS, "chosen": "", "comment": "", "fault": False,
        "late": "late" in visit.request.query_params,
    }  # fmt: skip
    return page(visit, "item", status, **(values | back))


@router.post("/item")
@open_to("annotator")
def judge(visit: Here) -> Response:
    """Keep a judgement; a form sent twice counts once."""
    form = visit.form
    verdict, comment = form.get("verdict", ""), form.get("comment", "").replace("\r\n", "\n").strip()
    client = form.get("client", "")
    if not 0 < len(client) <= _LONGEST_CLIENT or "\0" in comment + client:
        raise HTTPException(400)
    if verdict not in leases.VERDICTS or len(comment) > _LONGEST_COMMENT:
        return _item(visit, 400, chosen=verdict, comment=comment[:_LONGEST_COMMENT], fault=True)
    outcome = leases.submit(
        visit.store, visit.person.id, client, form.get("item", "")[:64].replace("\0", ""), verdict, comment,
        visit.now,
    )  # fmt: skip
    return go("/item?late=1" if outcome == "late" else "/item")


@router.post("/finish")
@open_to("annotator")
def finish(visit: Here) -> Response:
    """Stop before everything is judged."""
    people.advance(visit.store, visit.person.id, "items", "done", visit.now)
    return go("/")


@router.get("/end")
@open_to("annotator")
def end(visit: Here) -> Response:
    """The end, with the code for a recruitment platform."""
    say, study = languages()[visit.language].say, _study(visit)
    if visit.person.stage == "screened_out":
        text = say("out_text", culture=_culture(visit.person.culture))
        return page(visit, "end", title=say("out_title"), text=text, shown=study.screen_out_code)
    number = leases.progress_of(visit.store, visit.person.id)
    return _at(visit, "done") or page(
        visit, "end", title=say("done_title"), text=say("done_text", number=number),
        shown=study.completion_code,
    )  # fmt: skip


@router.get("/leave")
@open_to("annotator")
def leave(visit: Here) -> Response:
    """A new private link, or withdrawal."""
    return page(visit, "leave", secret="")


@router.post("/withdraw")
@open_to("annotator")
def withdraw(visit: Here) -> Response:
    """Withdraw, logged in."""
    return _withdraw(visit, visit.person.id)


@router.get("/my/{secret}")
@open_to(ANYBODY)
def private(visit: Here, secret: str) -> Response:
    """The private link: come back, or withdraw."""
    _of_link(visit, secret)
    return page(visit, "leave", secret=secret)


@router.post("/my/{secret}")
@open_to(ANYBODY)
def resume(visit: Here, secret: str) -> Response:
    """Come back on this device, with a new cookie."""
    cookie = people.login(visit.store, _of_link(visit, secret), visit.now)
    response = go("/")
    set_cookie(visit, response, cookie)
    return response


@router.post("/my/{secret}/withdraw")
@open_to(ANYBODY)
def withdraw_by_link(visit: Here, secret: str) -> Response:
    """Withdraw by the private link."""
    return _withdraw(visit, _of_link(visit, secret))


def _of_link(visit: Visit, secret: str) -> str:
    _attempts(visit).check(visit)
    found = people.of_link(visit.store, _study(visit).id, secret)
    if found is None:
        raise _attempts(visit).wrong(visit)
    return found.id


def _withdraw(visit: Visit, person: str) -> Response:
    if visit.form.get("sure") != "yes":
        raise HTTPException(400)
    people.withdraw(visit.store, person, visit.now)
    visit.who = None
    say = languages()[visit.language].say
    return page(visit, "end", title=say("withdrawn_title"), text=say("withdrawn_text"), shown="")
