"""The culture files in ``data/`` (one a culture), the kinds of cue, and what each culture expects."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from homeground.cultures.facts import cldr_accepted, facts_of, territory_codes
from homeground.errors import InputError, unknown
from homeground.files import read_toml
from homeground.schema import Concept, Culture, Record

HOME = Path(str(files("homeground.cultures")))
DATA = HOME / "data"
PROTOCOLS = ("capri", "cldr")
"""``capri``: the published table of ten. ``cldr``: what CLDR prefers and curated sets beside it, for any territory."""
UNVERIFIED = "unverified"
"""The source of a listed cue that nobody has looked up; such a cue is drawn only when asked for."""


class Kind(Record, frozen=True, kw_only=True):
    """A kind of cue."""

    form: Literal["listed", "generated"]
    about: str
    sentence: str
    """A sentence that a value fits, with ``{}`` in its place."""
    neutral: str
    """Culture-free wording for that place."""
    fillers: tuple[str, ...]
    """Culture-free wording of several lengths, as long as values are."""


class ListedCue(Record, frozen=True, kw_only=True):
    """One value of a listed kind of cue."""

    value: str
    source: str
    checked: str = ""
    """What residents said of it, as ``homeground annotate cues`` writes it; empty while nobody was asked."""


class Rule(Record, frozen=True, kw_only=True):
    """How values of a generated kind look in this culture."""

    patterns: tuple[str, ...]
    """Shapes to draw from; ``cultures.rules`` says how each kind reads them."""
    source: str
    reserved: bool | None = None
    """Phone numbers only: whether the range is set aside for fiction by the country's regulator."""


class CultureFile(Record, frozen=True, kw_only=True):
    """A culture's data file: a territory, or any group that inherits its facts from one."""

    code: str
    kind: Literal["territory", "region", "language", "profession", "group"] = "territory"
    name: str
    inherits: str | None = None
    """The territory whose facts a culture of another kind has."""
    cues: dict[str, tuple[ListedCue, ...]] = {}  # noqa: RUF012  (msgspec copies it for each record)
    rules: dict[str, Rule] = {}  # noqa: RUF012

    @property
    def territory(self) -> str:
        """The territory that facts are taken from."""
        return self.inherits or self.code


class _Kinds(Record, frozen=True, kw_only=True):
    kind: dict[str, Kind]


class _Protocol(Record, frozen=True, kw_only=True):
    name: str
    accepted: dict[str, dict[Concept, tuple[str, ...]]]


@cache
def kinds() -> dict[str, Kind]:
    """All kinds of cue by name."""
    return read_toml(HOME / "kinds.toml", _Kinds).kind


@cache
def codes() -> tuple[str, ...]:
    """Codes of the cultures that have a data file, sorted."""
    return tuple(sorted(path.stem for path in DATA.glob("*.toml")))


@cache
def load_file(code: str) -> CultureFile:
    """The data file of one culture.

    Raises:
        InputError: no such culture, or its file is broken.
    """
    if code not in codes():
        if code in territory_codes():
            raise InputError(
                f"culture {code!r} has facts but no cues: add cultures/data/{code}.toml, as docs/cultures.md shows"
            )
        raise unknown("culture", code, codes())
    return read_toml(DATA / f"{code}.toml", CultureFile)


@cache
def _capri() -> dict[str, dict[Concept, tuple[str, ...]]]:
    return read_toml(HOME / "capri.toml", _Protocol).accepted


def cultures_of(protocol: str, wanted: tuple[str, ...] | None = None) -> tuple[Culture, ...]:
    """Cultures with what they expect under a protocol: the wanted ones, or all that have cues.

    Raises:
        InputError: an unknown protocol or culture, or one that the protocol says nothing of.
    """
    if protocol not in PROTOCOLS:
        raise unknown("protocol", protocol, PROTOCOLS)
    if wanted is not None and not wanted:
        raise InputError("no culture given")
    if protocol == "capri":
        for code in wanted or ():
            if code not in _capri():
                hint = "; protocol cldr knows it" if code in (*codes(), *territory_codes()) else ""
                raise InputError(f"{unknown('culture', code, tuple(_capri()))} (protocol capri{hint})")
        return tuple(
            Culture(code=code, name=load_file(code).name, accepted=accepted)
            for code, accepted in _capri().items()
            if wanted is None or code in wanted
        )
    chosen = wanted if wanted is not None else tuple(code for code in codes() if load_file(code).cues)
    return tuple(_under_cldr(code) for code in dict.fromkeys(chosen))


def _under_cldr(code: str) -> Culture:
    if code in codes():
        data = load_file(code)
        return Culture(code=code, kind=data.kind, name=data.name, accepted=cldr_accepted(data.territory))
    if code not in territory_codes():
        raise unknown("culture", code, (*codes(), *territory_codes()))
    return Culture(code=code, name=facts_of(code).name.value, accepted=cldr_accepted(code))


def cue_kinds(code: str) -> tuple[str, ...]:
    """Kinds of cue that this culture's file offers, listed ones first."""
    data = load_file(code)
    return (*data.cues, *data.rules)
