"""Coming and going: invitations, shared links of recruitment platforms, private links, withdrawal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import (
    PARTICIPANTS,
    attempts_of,
    culture_name,
    of_kind,
    say,
    stands,
    study_of,
)
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
    return _closed(visit, found[0]) or _invite(visit, *found)


@router.post("/i/{secret}")
@open_to(ANYBODY)
def accept(visit: Here, secret: str) -> Response:
    """Use the invitation up: a person and a new cookie, whatever cookie the browser had."""
    attempts_of(visit).check(visit)
    _gives_up(visit)
    cookie = people.redeem(visit.store, study_of(visit).id, secret, visit.form, visit.now)
    if cookie is None:
        # A closed study leaves the invitation unused, and says so; any other that lets nobody in is none.
        return invitation(visit, secret)
    return _enter(visit, cookie)


def _gives_up(visit: Visit) -> None:
    """Somebody's login gives way to another in their browser only where they ticked it.

    Raises:
        HTTPException: 400.
    """
    if visit.who is not None and visit.form.get("sure") != "yes":
        raise HTTPException(400)


def _closed(visit: Visit, role: str) -> Response | None:
    """What somebody is told who can join no more, since the study has ended."""
    joinable = people.joinable(study_of(visit).kind, stands(visit))
    return None if role in joinable else _refused(visit, "closed")


def _refused(visit: Visit, why: str) -> Response:
    title, text = say(visit, f"join_{why}_title"), say(visit, f"join_{why}_text")
    return ending(visit, title, text, 409, onward="back")


def _enter(visit: Visit, cookie: str) -> Response:
    """On to where the person is, with a cookie of their own; the one that the browser had is worth nothing any more."""
    if visit.who is not None:
        people.logout(visit.store, visit.cookie)
    response = go("/")
    set_cookie(visit, response, cookie)
    return response


def _invite(visit: Visit, role: str, culture: str | None) -> Response:
    key = of_kind(visit, "invite") if role == "annotator" else f"invite_{role}"
    given = {name: visit.request.query_params.get(name, "")[:200] for name in people.RECRUITMENT}
    return page(
        visit, "invite", text=say(visit, key, culture=culture_name(culture, visit.language)),
        once=visit.request.scope["path"].startswith("/i/"), here=visit.who,
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
    return _closed(visit, "annotator") or _invite(visit, "annotator", found.culture)


@router.post("/join/{secret}")
@open_to(ANYBODY)
def join(visit: Here, secret: str) -> Response:
    """Join by a shared link."""
    attempts_of(visit).check(visit)
    _gives_up(visit)
    cookie, refusal = recruiting.join(visit.store, study_of(visit).id, secret, visit.form, visit.now)
    if refusal == "unknown":
        raise attempts_of(visit).wrong(visit)
    if cookie is None:
        return _refused(visit, str(refusal))
    return _enter(visit, cookie)


@router.post("/link")
@open_to(*PARTICIPANTS)
def new_link(visit: Here) -> Response:
    """A new private link, shown once."""
    with _taking_part():
        secret = people.private_link(visit.store, visit.person.id)
    return page(visit, "link", link=link(visit, f"my/{secret}"))


@router.get("/link")
@open_to(*PARTICIPANTS)
def old_link(visit: Here) -> Response:
    """A private link is shown only once; asking for its page again leads on."""
    return page(visit, "leave", secret="", here=None)


@router.get("/leave")
@open_to(*PARTICIPANTS)
def leave(visit: Here) -> Response:
    """A new private link, the end of this login, or withdrawal."""
    return page(visit, "leave", secret="", here=None)


@router.post("/logout")
@open_to(*people.ROLES)
def logout(visit: Here) -> Response:
    """End the login of this browser, and no other."""
    people.logout(visit.store, visit.cookie)
    return go("/logout")


@router.get("/logout")
@open_to(ANYBODY)
def logged_out(visit: Here) -> Response:
    """Where that ends, in any language; asking for it logs nobody out."""
    if visit.who is not None:
        return go("/")
    return ending(visit, say(visit, "logged_out_title"), say(visit, "logged_out_text"))


@router.post("/withdraw")
@open_to(*PARTICIPANTS)
def withdraw(visit: Here) -> Response:
    """Withdraw, logged in."""
    return _withdraw(visit, visit.person.id)


@router.get("/withdraw")
@open_to(*PARTICIPANTS)
def old_withdrawal(visit: Here) -> Response:
    """Back to where it can be done: asking for a page withdraws nobody."""
    return go("/leave")


@router.get("/my/{secret}")
@open_to(ANYBODY)
def private(visit: Here, secret: str) -> Response:
    """The private link: come back, or withdraw."""
    person = _of_link(visit, secret)
    here = visit.who if visit.who is not None and visit.who.id != person else None
    return page(visit, "leave", secret=secret, here=here)


@router.post("/my/{secret}")
@open_to(ANYBODY)
def resume(visit: Here, secret: str) -> Response:
    """Come back on this device, with a new cookie unless the browser has one of theirs: forms that are open there
    would not fit another."""
    person = _of_link(visit, secret)
    if visit.who is not None and visit.who.id == person:
        return go("/")
    _gives_up(visit)
    with _taking_part():
        cookie = people.login(visit.store, person, visit.now)
    return _enter(visit, cookie)


@contextlib.contextmanager
def _taking_part() -> Iterator[None]:
    """Send away whoever withdrew since their request was let in."""
    try:
        yield
    except people.Withdrawn as error:
        raise HTTPException(401) from error


@router.post("/my/{secret}/withdraw")
@open_to(ANYBODY)
def withdraw_by_link(visit: Here, secret: str) -> Response:
    """Withdraw by the private link."""
    return _withdraw(visit, _of_link(visit, secret))


@router.get("/my/{secret}/withdraw")
@open_to(ANYBODY)
def old_withdrawal_by_link(visit: Here, secret: str) -> Response:
    """Back to where it can be done."""
    _of_link(visit, secret)
    return go(f"/my/{secret}")


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
    return go("/withdrawn")


@router.get("/withdrawn")
@open_to(ANYBODY)
def withdrawn(visit: Here) -> Response:
    """Where a withdrawal ends, in any language."""
    return ending(visit, say(visit, "withdrawn_title"), say(visit, "withdrawn_text"))
