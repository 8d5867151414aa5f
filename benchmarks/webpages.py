"""A page as a browser without JavaScript reads it: its forms, where its main button or link leads, its pictures.

The pages mark what leads on with the class ``main``: a button of a form, or a link. Nothing else is known of them, so
that whatever a study asks is found on the page itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple

Attributes = dict[str, str]


@dataclass
class Field:
    """Something to fill in. Radio buttons of one name are one field, with a choice each."""

    name: str
    kind: str
    """``hidden``, ``radio``, ``checkbox``, ``select``, ``textarea``, or the ``type`` of an input."""
    value: str = ""
    """What it holds as the page comes; of a checkbox, what it sends when ticked."""
    required: bool = False
    ticked: bool = False
    choices: list[str] = field(default_factory=list)
    low: float = 0
    high: float = 100


@dataclass
class Form:
    """A form, its fields by name."""

    action: str
    fields: dict[str, Field] = field(default_factory=dict)
    main: bool = False


@dataclass
class Page:
    """What a browser has in front of it."""

    path: str
    status: int
    forms: list[Form] = field(default_factory=list)
    onward: str = ""
    """Where the main link leads."""
    pictures: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def form(self) -> Form | None:
        """The form with the main button."""
        return next((form for form in self.forms if form.main), None)


class Asked(NamedTuple):
    """What a person is asked: a field of a form on a page, with what they have filled in before it."""

    page: Page
    form: Form
    field: Field
    said: dict[str, str]


Answers = Callable[[Asked, random.Random], str | None]
"""What to put into a field; ``None`` leaves it to :func:`anything`, an empty text sends nothing of a choice."""


def anything(field: Field, draw: random.Random) -> str:
    """Something that a browser would let through; what need not be filled in stays as it is."""
    if field.kind in ("radio", "select"):
        return draw.choice([choice for choice in field.choices if choice] or [""])
    if field.kind == "checkbox":
        return field.value if field.required or field.ticked else ""
    if field.value or not field.required:
        return field.value
    if field.kind == "number":
        return str(draw.randint(round(field.low), round(field.high)))
    return "some words"


def fill(page: Page, form: Form, answers: Answers, draw: random.Random) -> dict[str, str]:
    """What a browser sends once a person has filled in a form."""
    sent: dict[str, str] = {}
    for one in form.fields.values():
        if one.kind == "hidden":
            sent[one.name] = one.value
            continue
        said = answers(Asked(page, form, one, sent), draw)
        said = anything(one, draw) if said is None else said
        if said or one.kind not in ("radio", "checkbox"):
            sent[one.name] = said
    return sent


def read(path: str, status: int, text: str) -> Page:
    """Read a page."""
    reader = _Reader(Page(path, status))
    reader.feed(text)
    reader.close()
    reader.page.text = " ".join(" ".join(reader.words).split())
    return reader.page


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.words: list[str] = []
        self._form: Form | None = None
        self._inside: Field | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: Attributes = {name: value or "" for name, value in attrs}
        main = "main" in given.get("class", "").split()
        if tag == "img":
            self.page.pictures.append(given["src"])
        elif tag == "a" and main:
            self.page.onward = given["href"]
        elif tag == "form" and given.get("method", "get").lower() == "post":
            self._form = Form(given.get("action", "").partition("#")[0] or self.page.path)
            self.page.forms.append(self._form)
        elif self._form is not None:
            self._in_form(self._form, tag, given, main)

    def _in_form(self, form: Form, tag: str, given: Attributes, main: bool) -> None:
        name = given.get("name", "")
        if tag == "button":
            form.main = form.main or main
            if main and name:
                form.fields[name] = Field(name, "hidden", given.get("value", ""))
        elif tag == "option" and self._inside is not None:
            self._inside.choices.append(given.get("value", ""))
            if "selected" in given:
                self._inside.value = given.get("value", "")
        elif name and tag in ("input", "select", "textarea"):
            kind = given.get("type", "text") if tag == "input" else tag
            new = Field(name, kind, given.get("value", "on" if kind == "checkbox" else ""))
            one = form.fields.setdefault(name, new)
            one.required = one.required or "required" in given
            one.ticked = one.ticked or "checked" in given
            one.low, one.high = float(given.get("min", one.low)), float(given.get("max", one.high))
            if kind == "radio":
                one.choices.append(given.get("value", "on"))
            if tag != "input":
                self._inside = one

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag in ("select", "textarea"):
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.words.append(data)
        elif self._inside.kind == "textarea":
            self._inside.value += data
