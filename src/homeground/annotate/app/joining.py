"""Coming and going: invitations, shared links of recruitment platforms, private links, withdrawal."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import PARTICIPANTS, attempts_of, culture_name, of_kind, say, study_of
from homeground.annotate.app.guard import ANYBODY, Here, Visit, open_to
from homeground.annotate.app.pages import ending, go, link, page, set_cookie
from homeground.annotate.store import people, recruiting

router = APIRouter()


@router.get("/i/{secret}")
@open_to(ANYBODY)
def invitation(visit: Here, secret: str) -> Response:
    """The invitation; looking at it does not use it up, so programs that preview links do no harm."""
    attempts_of(visit).check(visit)
    found = people.invited(visit.store, study_of(visit).id, secret, visit.now)
    if found is None:
        raise attempts_of(visit).wrong(visit)
    return _invite(visit, found[0], found[1])


@router.post("/i/{secret}")
@open_to(ANYBODY)
def accept(visit: Here, secret: str) -> Response:
    """Use the invitation up: a new person and a new cookie, whatever cookie the browser had."""
    attempts_of(visit).check(visit)
    cookie = people.redeem(visit.store, study_of(visit).id, secret, visit.form, visit.now)
    if cookie is None:
        raise attempts_of(visit).wrong(visit)
    return _enter(visit, cookie)


def _enter(visit: Visit, cookie: str) -> Response:
    """On to where the person is, with a cookie of their own whatever the browser had."""
    response = go("/")
    set_cookie(visit, response, cookie)
    return response


def _invite(visit: Visit, role: str, culture: str | None) -> Response:
    key = of_kind(visit, "invite") if role == "annotator" else f"invite_{role}"
    given = {name: visit.request.query_params.get(name, "")[:200] for name in people.RECRUITMENT}
    return page(
        visit, "invite", text=say(visit, key, culture=culture_name(culture, visit.language)),
        once=visit.request.scope["path"].startswith("/i/"),
        recruitment={name: value for name, value in given.items() if value},
    )  # fmt: skip


@router.get("/join/{secret}")
@open_to(ANYBODY)
def shared(visit: Here, secret: str) -> Response:
    """A shared link, as a recruitment platform opens it; who takes part already goes on where they were."""
    attempts_of(visit).check(visit)
    found = recruiting.shared(visit.store, study_of(visit).id, secret, visit.now)
    if found is None or "annotator" not in people.ROLES_OF[study_of(visit).kind]:
        raise attempts_of(visit).wrong(visit)
    if visit.who is not None and visit.who.role == "annotator":
        return go("/")
    return _invite(visit, "annotator", found.culture)


@router.post("/join/{secret}")
@open_to(ANYBODY)
def join(visit: Here, secret: str) -> Response:
    """Join by a shared link."""
    attempts_of(visit).check(visit)
    cookie, refusal = recruiting.join(visit.store, study_of(visit).id, secret, visit.form, visit.now)
    if refusal == "unknown":
        raise attempts_of(visit).wrong(visit)
    if cookie is None:
        return ending(visit, say(visit, f"join_{refusal}_title"), say(visit, f"join_{refusal}_text"), 409)
    return _enter(visit, cookie)


@router.post("/link")
@open_to(*PARTICIPANTS)
def new_link(visit: Here) -> Response:
    """A new private link, shown once."""
    secret = people.private_link(visit.store, visit.person.id)
    return page(visit, "link", link=link(visit, f"my/{secret}"))


@router.get("/link")
@open_to(*PARTICIPANTS)
def old_link(visit: Here) -> Response:
    """A private link is shown only once; changing the language there leads on."""
    return page(visit, "leave", secret="")


@router.get("/leave")
@open_to(*PARTICIPANTS)
def leave(visit: Here) -> Response:
    """A new private link, or withdrawal."""
    return page(visit, "leave", secret="")


@router.post("/withdraw")
@open_to(*PARTICIPANTS)
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
    return _enter(visit, cookie)


@router.post("/my/{secret}/withdraw")
@open_to(ANYBODY)
def withdraw_by_link(visit: Here, secret: str) -> Response:
    """Withdraw by the private link."""
    return _withdraw(visit, _of_link(visit, secret))


def _of_link(visit: Visit, secret: str) -> str:
    attempts_of(visit).check(visit)
    found = people.of_link(visit.store, study_of(visit).id, secret)
    if found is None:
        raise attempts_of(visit).wrong(visit)
    return found.id


def _withdraw(visit: Visit, person: str) -> Response:
    if visit.form.get("sure") != "yes":
        raise HTTPException(400)
    people.withdraw(visit.store, person, visit.now)
    visit.who = None
    return ending(visit, say(visit, "withdrawn_title"), say(visit, "withdrawn_text"))
