"""What the tests of the author's pages share: a form as a browser has it, texts as people type them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from fastapi.testclient import TestClient
from hypothesis import strategies as st

from homeground.annotate.store import entries
from tests.annotating import hidden
from tests.community import Rooms

HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}{culture}</textarea>"
FIELDS = ("question", "answers", "contrast_BR", "source", "notes")
FORM = st.text(
    st.characters(exclude_characters="|\n\r", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1
)
"""One form of an answer."""
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


class Fields(HTMLParser):
    """The text of each text area, as a browser has it, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.areas: dict[str, str] = {}
        self.text = ""
        self._in = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "textarea":
            self._in = dict(attrs).get("name") or "?"
            self.areas[self._in] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            # A browser passes over a line break at the very beginning.
            self.areas[self._in] = self.areas[self._in].removeprefix("\n")
            self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in:
            self.areas[self._in] += data
        self.text += data


def form_of(page: str) -> dict[str, str]:
    """The main form as a browser would send it."""
    areas = Fields(page).areas
    found = re.search(r'<form id="write".*?</form>', page, re.DOTALL)
    assert found
    return hidden(found[0]) | {name: areas[name].replace("\n", "\r\n") for name in areas if name in FIELDS}


def save(browser: TestClient, path: str, do: str = "propose", **typed: str) -> Any:  # noqa: ANN401
    """Fill the form at a path and press a button."""
    return browser.post(path, data=form_of(browser.get(path).text) | typed | {"do": do})


def newest(rooms: Rooms, entry: str) -> entries.Shown:
    found = entries.shown(rooms.store, "s", entry)
    assert found is not None
    return found
