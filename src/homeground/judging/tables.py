"""Where the tables of words lie, and how they are read."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from homeground.files import read_bytes, read_toml

T = TypeVar("T")
_WORDS = Path(str(files("homeground.judging"))) / "words"


def read_words(name: str, shape: type[T]) -> T:
    """A curated table, ``words/NAME.toml``.

    Raises:
        InputError: the data file is broken.
    """
    return read_toml(_WORDS / f"{name}.toml", shape)


def read_distilled(name: str, shape: type[T]) -> T:
    """A table distilled from CLDR, ``words/NAME.json``.

    Raises:
        InputError: there is no such file.
        msgspec.ValidationError: it was not made by this version's script.
    """
    return msgspec.json.decode(read_bytes(_WORDS / f"{name}.json"), type=shape)
