"""The interface's languages: one TOML file each in ``words/``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from homeground.files import read_toml
from homeground.schema import Record

HOME = Path(str(files("homeground.annotate.app"))) / "words"
DEFAULT = "en"
_DIGITS = "0123456789,."
_NUMBER = re.compile(r"\d+(,\d{3})*(\.\d+)?", re.ASCII)


class Language(Record, frozen=True, kw_only=True):
    """A language of the interface."""

    name: str
    direction: Literal["ltr", "rtl"]
    locale: str = ""
    """Whose names of countries are said, in CLDR's code; empty for the language's own."""
    digits: str = _DIGITS
    """The language's own figures from nought to nine, what stands between thousands, and what before decimals."""
    words: dict[str, str]

    def say(self, key: str, /, **values: object) -> str:
        """The text of a key with its places filled, numbers in the language's own figures; what is filled in is never
        read as a pattern."""
        return self.words[key].format(**{name: self._figures(value) for name, value in values.items()})

    def _figures(self, value: object) -> object:
        # What only holds digits among other signs is a code or a name, and stays as it is.
        if self.digits == _DIGITS or not _NUMBER.fullmatch(str(value)):
            return value
        return str(value).translate(str.maketrans(_DIGITS, self.digits))


@cache
def languages() -> dict[str, Language]:
    """All languages by code."""
    return {path.stem: read_toml(path, Language) for path in sorted(HOME.glob("*.toml"))}


def choose(*wishes: str | None) -> str:
    """The first wish that is a language here; a wish may be a browser's list (``pt-BR,pt;q=0.9,en;q=0.8``)."""
    for wish in wishes:
        for part in (wish or "")[:200].split(","):
            code = part.partition(";")[0].strip().lower().partition("-")[0]
            if code in languages():
                return code
    return DEFAULT
