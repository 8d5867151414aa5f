"""Pages: Jinja templates, everything escaped, with the visitor's language, form token and cookies."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import jinja2
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from homeground.annotate.app.guard import Visit, cookie_name
from homeground.annotate.app.words import languages

_YEAR = 31_536_000
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("homeground.annotate.app", "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(visit: Visit, name: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401
    """A page in the visitor's language."""
    language = languages()[visit.language]
    text = _ENVIRONMENT.get_template(f"{name}.html.j2").render(
        say=language.say,
        code=visit.language,
        language=language,
        languages=languages(),
        csrf=visit.csrf,
        who=visit.who,
        path=visit.request.url.path,
        **values,
    )
    response = HTMLResponse(text, status)
    if visit.cookie and visit.request.cookies.get(cookie_name(visit.request)) != visit.cookie:
        set_cookie(visit, response, visit.cookie)
    if visit.request.query_params.get("lang") in languages():
        response.set_cookie("language", visit.language, max_age=_YEAR, httponly=True, samesite="lax")
    return response


def set_cookie(visit: Visit, response: Response, secret: str) -> None:
    """The browser's secret: out of reach of scripts and of other sites' forms."""
    secure = visit.request.url.scheme == "https"
    response.set_cookie(
        cookie_name(visit.request), secret, max_age=_YEAR // 12, httponly=True, samesite="lax", secure=secure
    )


def go(path: str) -> Response:
    """On to another page, by GET."""
    return RedirectResponse(path, 303)


def link(visit: Visit, path: str) -> str:
    """A whole address on this server, to be given to somebody."""
    return f"{str(visit.request.base_url).rstrip('/')}/{quote(path)}"
