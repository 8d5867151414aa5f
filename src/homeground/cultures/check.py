"""Checking a contributed culture file, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from homeground.cultures.facts import facts_of, territory_codes
from homeground.cultures.library import UNVERIFIED, CultureFile, kinds
from homeground.cultures.names import country_names
from homeground.files import read_bytes, read_toml

FEWEST = 6
"""Values that a listed kind should have, so that two seeds give two benchmarks."""
_CODE = re.compile(r"[A-Z]{2}(?:-[A-Z0-9]{1,8})*|[a-z][a-z0-9-]{2,40}")
_DOMAINS = {"GB": "uk"}
"""National domains that are not the territory's code."""


def check_file(path: Path | str) -> list[str]:
    """What is wrong with a culture file, one line a fault with its place; empty when nothing is.

    Raises:
        InputError: the file cannot be read as a culture file at all.
    """
    path = Path(path)
    data = read_toml(path, CultureFile)
    text = read_bytes(path).decode("utf-8-sig").splitlines()
    return [f"{path}:{_line(text, needle)}: {said}" for needle, said in _faults(data, path)]


def leak(territory: str, value: str) -> str | None:
    """The name, demonym or national domain in a cue that states its country outright.

    The country's English name is looked for inside words too ("Irancell"), every other name as a whole word.
    """
    said = value.casefold()
    name = facts_of(territory).name.value
    if name.casefold() in said:
        return name
    found = _whole_names(territory).search(value)
    if found:
        return found[0]
    domain = re.search(rf"\.{_DOMAINS.get(territory, territory.lower())}\b", said)
    return domain[0] if domain else None


@cache
def _whole_names(territory: str) -> re.Pattern[str]:
    names = country_names()
    own = [
        n for table in (names.any_case, names.as_written) for n, code in table.items() if code == territory
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(own)))})(?!\w)", re.IGNORECASE)


def _faults(data: CultureFile, path: Path) -> Iterator[tuple[str, str]]:
    """Each fault with a piece of text that stands on its line."""
    known = territory_codes()
    if data.kind == "territory" and data.code not in known:
        yield (
            "code",
            f"field code: {data.code!r} is no territory that CLDR knows; right is an ISO 3166-1 code",
        )
    if data.kind != "territory" and data.inherits not in known:
        yield (
            "inherits",
            f'field inherits: a {data.kind} takes its facts from a territory, such as inherits = "IN"',
        )
    if not _CODE.fullmatch(data.code):
        yield "code", f"field code: {data.code!r} is no identifier such as PT, IN-AS or school-teachers"
    if path.stem != data.code:
        yield "code", f"field code: the file must be called {data.code}.toml"
    if not data.name.strip():
        yield "name", 'field name: empty; right is the name as it reads after "I am from"'
    yield from _listed(data)
    yield from _rules(data)


def _listed(data: CultureFile) -> Iterator[tuple[str, str]]:
    for kind, cues in data.cues.items():
        if kind not in kinds() or kinds()[kind].form != "listed":
            yield kind, f"cues.{kind}: no listed kind of that name; known: {_named('listed')}"
            continue
        sourced = [cue for cue in cues if cue.source.strip() and cue.source != UNVERIFIED]
        if len(sourced) < FEWEST:
            yield kind, f"cues.{kind}: {len(sourced)} values with a source; at least {FEWEST} are needed"
        seen: set[str] = set()
        for cue in cues:
            where = f'value = "{cue.value}"'
            if not cue.value.strip() or cue.value != cue.value.strip():
                yield where, f"cues.{kind}: {cue.value!r} is empty or has spaces around it"
            if not cue.source.strip():
                yield (
                    where,
                    f'cues.{kind}: {cue.value!r} has no source; give a page that says so, or "unverified"',
                )
            if cue.value.casefold() in seen:
                yield where, f"cues.{kind}: {cue.value!r} stands twice"
            seen.add(cue.value.casefold())
            if "{" in cue.value or "}" in cue.value:
                yield where, f"cues.{kind}: {cue.value!r} holds a brace, which marks slots"
            named = leak(data.territory, cue.value) if data.territory in territory_codes() else None
            if named:
                yield where, f"cues.{kind}: {cue.value!r} leaks: {named!r} states the country outright"


def _rules(data: CultureFile) -> Iterator[tuple[str, str]]:
    for kind, rule in data.rules.items():
        where = f"[rules.{kind}]"
        if kind not in kinds() or kinds()[kind].form != "generated":
            yield where, f"rules.{kind}: no generated kind of that name; known: {_named('generated')}"
            continue
        if not rule.patterns or not all(pattern.strip() for pattern in rule.patterns):
            yield where, f"rules.{kind}: an empty pattern"
        if not rule.source.strip():
            yield where, f"rules.{kind}: no source"
        if kind == "phone" and not rule.reserved and any("X" not in pattern for pattern in rule.patterns):
            yield where, "rules.phone: a range that is not reserved for fiction needs masked digits (X)"


def _named(form: str) -> str:
    return ", ".join(name for name, kind in kinds().items() if kind.form == form)


def _line(text: list[str], needle: str) -> int:
    return next((number for number, line in enumerate(text, start=1) if needle in line), 1)
