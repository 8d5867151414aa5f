"""Pages: Jinja templates, everything escaped, with the visitor's language, form token and cookies."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import jinja2
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from homeground.annotate.app.guard import Visit, cookie_name, cookie_of, over_https
from homeground.annotate.app.words import languages

_YEAR = 31_536_000
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("homeground.annotate.app", "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def prepare() -> None:
    """Compile all templates, and read the words of all languages."""
    languages()
    for name in _ENVIRONMENT.list_templates(["j2"]):
        _ENVIRONMENT.get_template(name)


def page(visit: Visit, name: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401
    """A page in the visitor's language."""
    language = languages()[visit.language]
    shared = {
        "say": language.say,
        "code": visit.language,
        "language": language,
        "languages": languages(),
        "csrf": visit.csrf,
        "who": visit.who,
        "study": visit.request.app.state.study,
        "path": visit.request.scope["path"],
        "query": _query(visit),
        # The answer to a form, perhaps with a secret that is shown once, cannot be asked for in another language.
        "asked": visit.request.method == "GET",
    }
    text = _ENVIRONMENT.get_template(f"{name}.html.j2").render(shared | values)
    response = HTMLResponse(text, status)
    if visit.cookie and cookie_of(visit.request) != visit.cookie:
        set_cookie(visit, response, visit.cookie)
    if visit.request.query_params.get("lang") in languages():
        secure = over_https(visit.request.scope)
        response.set_cookie(
            "language", visit.language, max_age=_YEAR, httponly=True, samesite="lax", secure=secure
        )
    return response


def ending(
    visit: Visit, title: str, text: str, status: int = 200, code: str = "", onward: str = ""
) -> Response:
    """A page on which something ends: a title, a sentence, whom to write to.

    Args:
        visit: whose page it is.
        title: the page's.
        text: the sentence.
        status: of the response.
        code: for a recruitment platform, where there is one.
        onward: key of what the way home is called, for whoever is logged in; none where this is home.
    """
    return page(visit, "end", status, title=title, text=text, shown=code, onward=onward)


def _query(visit: Visit) -> str:
    """What the address asks for beside the language: a change of language keeps it, such as a platform's number."""
    kept = [(name, text) for name, text in visit.request.query_params.multi_items() if name != "lang"]
    return f"{urlencode(kept)}&" if kept else ""


def set_cookie(visit: Visit, response: Response, secret: str) -> None:
    """The browser's secret: out of reach of scripts and of other sites' forms."""
    secure = over_https(visit.request.scope)
    response.set_cookie(
        cookie_name(visit.request), secret, max_age=_YEAR // 12, httponly=True, samesite="lax", secure=secure
    )


def go(path: str) -> Response:
    """On to another page, by GET."""
    return RedirectResponse(path, 303)


def link(visit: Visit, path: str) -> str:
    """A whole address on this site, to be given to somebody."""
    address: str = visit.request.app.state.address or str(visit.request.base_url)
    return f"{address.rstrip('/')}/{quote(path)}"
