"""The culture files in ``data/`` (one a culture) and the protocols that say what each expects."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from homeground.errors import InputError, unknown
from homeground.files import read_toml
from homeground.schema import Concept, Culture, Record

DATA = Path(str(files("homeground.cultures"))) / "data"
PROTOCOLS = ("capri",)
UNVERIFIED = "unverified"
"""The source of a listed cue that nobody has looked up; such a cue is never drawn."""


class ListedCue(Record, frozen=True, kw_only=True):
    """One value of a listed kind of cue."""

    value: str
    source: str


class Rule(Record, frozen=True, kw_only=True):
    """How values of a generated kind look in this culture."""

    patterns: tuple[str, ...]
    """Shapes to draw from; ``cultures.rules`` says how each kind reads them."""
    source: str
    reserved: bool | None = None
    """Phone numbers only: whether the range is set aside for fiction by the country's regulator."""


class CultureFile(Record, frozen=True, kw_only=True):
    """A culture's data file."""

    code: str
    kind: Literal["territory"] = "territory"
    name: str
    cues: dict[str, tuple[ListedCue, ...]]
    rules: dict[str, Rule]


class Protocol(Record, frozen=True, kw_only=True):
    """A study's own table of what counts as right, by culture and concept."""

    name: str
    accepted: dict[str, dict[Concept, tuple[str, ...]]]


@cache
def load_file(code: str) -> CultureFile:
    """The data file of one culture.

    Raises:
        InputError: no such culture, or its file is broken.
    """
    if code not in codes():
        raise unknown("culture", code, codes())
    return read_toml(DATA / f"{code}.toml", CultureFile)


@cache
def codes() -> tuple[str, ...]:
    """Codes of the cultures that have a data file, sorted."""
    return tuple(sorted(path.stem for path in DATA.glob("*.toml")))


@cache
def load_protocol(name: str) -> Protocol:
    """A protocol by name.

    Raises:
        InputError: no such protocol.
    """
    if name not in PROTOCOLS:
        raise unknown("protocol", name, PROTOCOLS)
    return read_toml(DATA.parent / f"{name}.toml", Protocol)


def cultures_of(protocol: str, wanted: tuple[str, ...] | None = None) -> tuple[Culture, ...]:
    """Cultures with what they expect under a protocol, in the protocol's order.

    Raises:
        InputError: an unknown culture, or one that the protocol says nothing of.
    """
    table = load_protocol(protocol).accepted
    for code in wanted or ():
        if code not in table:
            raise unknown("culture", code, tuple(table))
    if wanted is not None and not wanted:
        raise InputError("no culture given")
    chosen = [code for code in table if wanted is None or code in wanted]
    return tuple(Culture(code=code, name=load_file(code).name, accepted=table[code]) for code in chosen)


def cue_kinds(code: str) -> tuple[str, ...]:
    """Kinds of cue that this culture's file offers, listed ones first."""
    data = load_file(code)
    return (*data.cues, *data.rules)
