"""What the fuzzing of the annotate pages stands on: a study of each kind, its visitors, the forms on its pages."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlsplit

from fastapi import FastAPI
from fastapi.testclient import TestClient

from homeground.annotate.app import create_app
from homeground.annotate.app.guard import Attempts
from homeground.annotate.store import Store, people, recruiting, studies
from homeground.annotate.store.leases import Load
from homeground.annotate.store.studies import NewItem
from homeground.annotate.store.tables import Study
from homeground.annotate.store.writing import Written, write
from homeground.annotate.study import Material, StudyFile
from homeground.annotate.validation import priming
from homeground.annotate.validation.grading import Accepted
from tests.annotating import NOW, database, filled, person, put_at, study
from tests.community import ask, opened

LIVE = "=live"
"""Stands for what a page holds right now: a hidden field."""
TYPED: dict[str, list[str]] = {
    "years": ["7", "2", "15"], "value": ["20", "1,5"], "question": ["Qual é a cor?"], "answers": ["azul", "a | b"],
    "text": ["Porquê?"], "said": ["E se for amarelo?"],
}  # fmt: skip
"""What somebody honest types, where a page does not say it."""
LINKS = ("/i/", "/join/", "/my/")
KINDS = ("cue-check", "validation", "questions")


@dataclass
class Form:
    """A form as a page holds it: where it leads, what each field may be, which fields are hidden."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    """Where some of its buttons lead instead."""


class Reader(HTMLParser):
    """Reads the forms of a page, and what its links and its forms that only ask say in queries."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.queries: set[str] = set()
        self._all: dict[str, Form] = {}
        """By the form's id, or by its place where it has none."""
        self._ask: set[str] = set()
        self._inside = self._select = ""
        self.feed(page)
        self.forms = [
            Form(action, form.fields, form.hidden)
            for key, form in self._all.items()
            for action in (form.action, *form.others)
            if key not in self._ask
        ]
        for key in self._ask:
            self.queries |= set(self._all[key].fields)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.queries |= {name for name, _ in parse_qsl(urlsplit(given.get("href", "")).query)}
        if tag == "form":
            self._inside = given.get("id", f"form {len(self._all)}")
            form = self._all.setdefault(self._inside, Form(""))
            form.action = urldefrag(given.get("action", "")).url
            form.others += [given["data-audit"]] if "data-audit" in given else []
            if given.get("method") != "post":
                self._ask.add(self._inside)
        key, name, value = given.get("form", self._inside), given.get("name", ""), given.get("value", "")
        if not key:
            return
        form = self._all.setdefault(key, Form(""))
        if "formaction" in given:
            form.others.append(urldefrag(given["formaction"]).url)
        if tag == "select":
            self._select = name
        elif tag == "option":
            form.fields.setdefault(self._select, []).append(value)
        elif tag in ("input", "button", "textarea") and name:
            if given.get("type") == "hidden":
                form.hidden[name] = value
            values = [value or given.get("min", ""), *([given["max"]] if "max" in given else [])]
            form.fields.setdefault(name, []).extend(values)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = ""


class Site:
    """A study's pages, and how to be somebody there."""

    def __init__(self, store: Store, file: StudyFile, material: Material) -> None:
        self.store, self.kind, self.material = store, file.kind, material
        self.roles = [role for role in people.ROLES_OF[file.kind] if role != "admin"]
        self.app: FastAPI = create_app(store, file, material, lambda: NOW)
        # Whoever guesses links here is not to be stopped by their number.
        self.app.state.attempts = Attempts(most=10**9)
        self.paths: dict[str, dict[str, Any]] = self.app.openapi()["paths"]
        self.queries: set[str] = {"lang", *people.RECRUITMENT[:2]}
        self.browser = TestClient(self.app, follow_redirects=False)
        self._numbers = itertools.count()
        self._turns = itertools.cycle((True, False))

    def everybody(self) -> list[Visitor]:
        """Whoever can come: nobody in particular, people at each stage, an admin."""
        stages = [*people.FLOWS[self.kind], *(["screened_out"] if "annotator" in self.roles else [])]
        those = [(role, stage) for role in self.roles for stage in stages]
        return [Visitor(self, role, stage) for role, stage in (("", ""), *those, ("admin", "done"))]

    def posts(self) -> set[str]:
        """The routes that take forms."""
        return {path for path, methods in self.paths.items() if "post" in methods}

    def route(self, action: str) -> str:
        """The route that a form leads to: the one that says most of the path word for word."""
        fitting = (p for p in self.posts() if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", p), action))
        return min(fitting, key=lambda path: path.count("{"))

    def somebody(self, role: str, stage: str) -> tuple[str, str]:
        """Somebody new of a role at a stage: id and cookie."""
        found, cookie = person(self.store, stage, role)
        put_at(self.store, found, stage)
        return found, cookie

    def secret(self, route: str, of: str = "") -> str:
        """What stands in an address of a route right now, for a person if it is theirs alone."""
        if route.startswith("/i/"):
            return people.invite(self.store, "s", self.roles[0], "PT", 1, NOW)
        if route.startswith("/join/"):
            if "annotator" not in self.roles:
                return "x"  # no admin can make one
            return recruiting.share(self.store, "s", "prolific", "PT", 10_000, 1, NOW)
        if route.startswith("/picture/"):
            return next(iter(self.material.pictures), "x")
        if "{entry}" in route:
            if not of:
                return "x"
            text = f"Qual é o {next(self._numbers)}?"
            written = write(self.store, of, text, ask(text), NOW, propose=next(self._turns))
            return written.entry if isinstance(written, Written) else "x"
        assert route.startswith("/my/"), f"say here what stands in an address of {route}"
        return people.private_link(self.store, self.somebody(self.roles[0], "done")[0])

    def address(self, route: str, of: str = "") -> str:
        """A whole path of a route right now, as a recruitment platform calls it."""
        if "{" not in route:
            return route
        return re.sub(r"\{\w+\}", self.secret(route, of), route) + f"?PROLIFIC_PID={next(self._numbers)}"

    def reopen(self) -> None:
        """Let the study run again, whatever an admin did."""
        with self.store.write() as session:
            session.get_one(Study, "s").status = "open"


class Visitor:
    """Somebody of a role at a stage, with a cookie; whoever has moved on is replaced by somebody who is there."""

    def __init__(self, site: Site, role: str, stage: str) -> None:
        self.site, self.role, self.stage = site, role, stage
        self.forms: dict[str, list[Form]] = {}
        self._pages: dict[str, str] = {}
        self._enter()
        for path, methods in site.paths.items():
            # Links of all kinds are for whoever is nobody yet; the others have enough pages of their own.
            for_me = path.startswith(LINKS) if not role else not path.startswith(LINKS)
            if "get" in methods and for_me and (role == "admin") >= path.startswith("/admin"):
                self._read(path)
        self.csrf = self._token()
        self.start = self.forms
        """The forms of all pages when they came first."""

    def begin(self, route: str) -> None:
        """Be somebody new, and read the page whose form leads to a route."""
        self._enter()
        self.forms = {}
        for path in dict.fromkeys((self._pages.get(route, "/"), *self._pages.values())):
            self._read(path)
            if self.forms:
                break
        self.csrf = self._token()

    def live(self, route: str, name: str) -> str:
        """What a hidden field of a form holds right now."""
        return next((form.hidden[name] for form in self.forms.get(route, ()) if name in form.hidden), "")

    def secret(self, route: str) -> str:
        """What stands in an address of a route right now: where a form of theirs leads, if one does."""
        for form in self.forms.get(route, ()):
            if found := re.fullmatch(re.sub(r"\{\w+\}", "([^/]+)", route), form.action):
                return found[1]
        return self.site.secret(route, self.id)

    def address(self, route: str) -> str:
        """A whole path of a route right now."""
        return re.sub(r"\{\w+\}", self.secret(route), route) if "{" in route else route

    def honest(self, route: str, fields: dict[str, list[str]], kept: int, pick: int) -> dict[str, str]:
        """What honest people send by a route's form, in those of its fields whose bit is set."""
        return {
            name: self.live(route, name) if values == [LIVE] else values[pick % len(values)]
            for place, (name, values) in enumerate(sorted(fields.items()))
            if kept >> place & 1
        }

    def _enter(self) -> None:
        browser, self.id = self.site.browser, ""
        browser.cookies.clear()
        if self.role:
            self.id, cookie = self.site.somebody(self.role, self.stage)
            browser.cookies.set("homeground", cookie)
        else:
            browser.get(self.site.address("/i/{secret}"))
        if self.role == "admin":
            self.site.reopen()
        self.cookie = browser.cookies["homeground"]

    def _read(self, path: str) -> None:
        answer = self.site.browser.get(self.site.address(path, self.id))
        if answer.headers.get("content-type", "").startswith("text/html"):
            read = Reader(answer.text)
            self.site.queries |= read.queries
            for form in read.forms:
                route = self.site.route(form.action)
                self.forms.setdefault(route, []).append(form)
                self._pages.setdefault(route, path)

    def _token(self) -> str:
        return next(form.hidden["csrf"] for forms in self.forms.values() for form in forms)


def fields_of(site: Site, visitors: list[Visitor]) -> dict[str, dict[str, list[str]]]:
    """Every route that takes a form, with its fields and what their pages let one choose; none where no page here has
    the form."""
    found: dict[str, dict[str, list[str]]] = {path: {} for path in site.posts()}
    for visitor in visitors:
        for path, forms in visitor.start.items():
            for form in forms:
                known = found[path]
                for name, values in form.fields.items():
                    hidden = {other.hidden.get(name) for other in forms}
                    more = [LIVE] if len(hidden) == 1 and name in form.hidden else values
                    known[name] = sorted({*known.get(name, ()), *TYPED.get(name, more)})
    return found


@contextlib.contextmanager
def site_of(kind: str, server: str, folder: Path) -> Iterator[Site]:
    """A running study of a kind on a database of a kind; no item of it is ever full."""
    with database(server, folder) as url:
        load, material, file = Load(10**6, 20, 0), Material(), study(kind=kind)
        if kind == "cue-check":
            store = filled(url, 3, load)
        else:
            store = Store(url)
            store.migrate()
        if kind == "questions":
            file = opened(store)
        elif kind == "validation":
            material = _validation(folder)
            settings = file.settings(material)
            studies.put(store, "s", kind, "Answers", load, material.items, NOW, settings, file.fixed)
            studies.set_status(store, "s", "open", studies.state(store, "s").version, NOW)
        try:
            with (site := Site(store, file, material)).browser:
                yield site
        finally:
            store.close()


def _validation(folder: Path) -> Material:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    items = tuple(
        NewItem(
            f"v{place}", "PT",
            {
                "turns": [["user", "How warm is it?"]], "concept": concept, "asked": asked,
                "picture": "p" * 64, "description": "A beach.",
            },
            concept, "", part,
        )
        for place, (concept, asked, part) in enumerate(
            itertools.product(("temperature", "price"), ("PT", "US"), ("evaluation", "control"))
        )
    )  # fmt: skip
    accepted: Accepted = {
        "PT": {"temperature": ("metric",), "price": ("EUR",)},
        "US": {"temperature": ("imperial",)},
    }
    return Material(
        items, "sig", accepted, {"p" * 64: folder / "picture.png"}, {"PT": priming.questions("PT", 1)}
    )
