"""The application: routes behind the guard, limits before it, errors as pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.resources import files

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from homeground.annotate.app import (
    adjudicating,
    admin,
    community,
    items,
    joining,
    release,
    steps,
    writing,
)
from homeground.annotate.app.guard import (
    ANYBODY,
    Attempts,
    Limits,
    Visit,
    cookie_of,
    guard,
    language_of,
    open_to,
)
from homeground.annotate.app.pages import ending
from homeground.annotate.app.words import languages
from homeground.annotate.store import Store, people
from homeground.annotate.store.retention import forgetting
from homeground.annotate.study import Material, StudyFile

_HOME = files("homeground.annotate.app")
_STYLE, _ICON = (_HOME.joinpath(name).read_bytes() for name in ("style.css", "icon.svg"))
_KEEP = {"cache-control": "max-age=300"}
_NOTHING = Material()
_open = APIRouter()


@_open.get("/style.css")
@open_to(ANYBODY)
def style() -> Response:
    """The pages' look."""
    return Response(_STYLE, media_type="text/css", headers=_KEEP)


@_open.get("/icon.svg")
@open_to(ANYBODY)
def icon() -> Response:
    """The mark in the browser's tab."""
    return Response(_ICON, media_type="image/svg+xml", headers=_KEEP)


def create_app(
    store: Store,
    study: StudyFile,
    material: Material = _NOTHING,
    clock: Callable[[], float] = time.time,
    address: str = "",
) -> FastAPI:
    """The pages of one study, whose items are in the store already.

    Args:
        store: a migrated database.
        study: the study's file.
        material: what the study is made of.
        clock: seconds since 1970.
        address: how people reach the site, such as ``https://study.example.org``; empty to go by each request.
    """
    # A redirect to a path without its slash would be made of the Host header, which anybody may write.
    app = FastAPI(
        dependencies=[Depends(guard)],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=(lambda _: forgetting(store, study.id, study.retention_days, clock))
        if study.retention_days
        else None,
    )
    app.state.store, app.state.study, app.state.clock, app.state.attempts = store, study, clock, Attempts()
    app.state.address, app.state.material = address, material
    for router in (
        _open,
        joining.router,
        steps.router,
        items.router,
        admin.router,
        writing.router,
        adjudicating.router,
        community.router,
        release.router,
    ):
        app.include_router(router)
    app.add_middleware(Limits)
    app.add_exception_handler(HTTPException, _error)
    return app


def _error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  (it is registered for no other)
    status, headers, state = error.status_code, error.headers, request.app.state
    now, cookie, code = state.clock(), cookie_of(request), language_of(request)
    who = people.who(state.store, state.study.id, cookie, now) if cookie else None
    visit, language = Visit(request, state.store, now, who, cookie, code), languages()[code]
    key = f"error_{status}" if f"error_{status}" in language.words else "error_400"
    response = ending(visit, language.say("error_title"), language.say(key), status, onward="back")
    for name, value in (headers or {}).items():
        response.headers[name] = value
    return response
