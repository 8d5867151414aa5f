"""The published conversations as downloaded: JSON in one shape or another, read by a mapping of names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from homeground.benchmarks.imported import ImportRefused, slug
from homeground.cultures.names import country_names
from homeground.errors import InputError, unknown
from homeground.files import read_bytes, read_jsonl, read_toml
from homeground.schema import CONCEPTS, DIALOGUE_KINDS, LEVELS, Concept, DialogueKind, Level, Record, Turn

_USUAL = Path(str(files("homeground.benchmarks"))) / "published.toml"
_TURN = re.compile(r"(user|chatbot|assistant|bot)_?(\d+)", re.IGNORECASE)
_SHOWN = 3
_COLUMNS = 20


class Mapping(Record, frozen=True, kw_only=True):
    """The mapping file: what the downloaded files call our fields, and their values."""

    fields: dict[str, str | tuple[str, ...]] = {}  # noqa: RUF012  (msgspec copies it for each record)
    """Our name of a field = theirs, dots leading into nested objects; or several to look for in turn."""
    values: dict[str, str] = {}  # noqa: RUF012
    """Their word = ours, for concepts, cultures, kinds and levels."""


class Version(NamedTuple):
    """One conversation at one level, in our words."""

    where: str
    concept: Concept
    culture: str
    kind: DialogueKind
    level: Level
    turns: tuple[Turn, ...]
    scene: str
    scaffold: str
    given: dict[str, str]
    """All fields as they stand in the record, "" where there is nothing."""


def read_mapping(path: Path | str | None) -> Mapping:
    """The names in ``published.toml``, those of a mapping file before them.

    Raises:
        InputError: the file is broken, or names a field that we do not have.
    """
    usual = read_toml(_USUAL, Mapping)
    if path is None:
        return usual
    own = read_toml(Path(path), Mapping)
    for name in own.fields:
        if name not in usual.fields:
            raise InputError(f"{path}: {unknown('field', name, tuple(usual.fields))}")
    return Mapping(fields=usual.fields | own.fields, values=usual.values | own.values)


class PublishedFiles:
    """Reads all JSON files below a folder, and keeps what it could not use."""

    def __init__(self, folder: Path, mapping: Mapping) -> None:
        """Name the folder and how its files call things."""
        self.folder = folder
        self.left_out: list[str] = []
        self._names = {n: (p,) if isinstance(p, str) else p for n, p in mapping.fields.items()}
        known: tuple[str, ...] = (*CONCEPTS, *DIALOGUE_KINDS, *LEVELS)
        self._values = {_plain(ours): ours for ours in known}
        self._values |= {_plain(theirs): ours for theirs, ours in mapping.values.items()}
        self._missing: dict[tuple[str, str], list[int]] = {}

    def versions(self) -> list[Version]:
        """Every conversation at every level that the files hold.

        Raises:
            ImportRefused: fields that are missing, with their records.
            InputError: no such folder, no conversation in it, or a file is not JSON.
        """
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no such folder")
        paths = sorted(p for end in ("json", "jsonl") for p in self.folder.rglob(f"*.{end}") if p.is_file())
        found: list[Version] = []
        columns: dict[str, None] = {}
        useful = False
        for path in paths:
            name = str(path.relative_to(self.folder))
            records = list(_records(path))
            if any(self._levels(record) for _, record in records):
                useful = True
                found += [v for number, record in records for v in self._read(name, number, record)]
            else:
                columns |= dict.fromkeys(chain.from_iterable(record for _, record in records))
                self.left_out.append(f"{name}: holds no conversations")
        if not useful:
            raise InputError(self._nothing(len(paths), list(columns)))
        if self._missing:
            raise ImportRefused([self._missed(*key, numbers) for key, numbers in self._missing.items()])
        return found

    def _nothing(self, files: int, columns: list[str]) -> str:
        there = f", whose fields are {', '.join(columns[:_COLUMNS])}" if columns else ""
        return (
            f"{self.folder}: no turns user_1, chatbot_1, … under any of {', '.join(self._names['conversation'])} in "
            f"{files} JSON or JSON Lines files{there}; name the field in a mapping file, or convert to JSON first"
        )

    def _missed(self, file: str, field: str, numbers: list[int]) -> str:
        shown = ", ".join(map(str, numbers[:_SHOWN]))
        more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
        looked = ", ".join(self._names[field])
        return f"{file}: field {field} (looked for: {looked}) is missing in record {shown}{more}"

    def _read(self, file: str, number: int, record: dict[str, Any]) -> Iterator[Version]:
        """The versions of one record; what it lacks and what cannot be used is kept."""
        where = self._text(record, "id") or f"{file}: record {number}"
        levels = self._levels(record)
        if not levels:
            self._missing.setdefault((file, "conversation"), []).append(number)
        asked = [level for level in levels if level != "null"]
        if levels and not asked:
            return  # the question alone: ours to ask
        needed = ["concept", "kind", "image"] + ["culture"] * any(level != "neutral" for level in asked)
        given = {field: self._text(record, field) or "" for field in self._names}
        lacking = [field for field in needed if not given[field]] + ["level"] * ("" in asked)
        for field in lacking:
            self._missing.setdefault((file, field), []).append(number)
        if lacking or not levels:
            return
        concept, kind = self._ours(given["concept"]), self._ours(given["kind"])
        culture = country(self._ours(given["culture"])) or ""
        sound = {
            "concept": concept in CONCEPTS,
            "kind": kind in DIALOGUE_KINDS,
            "culture": bool(culture) or "culture" not in needed,
        }
        strange = [f"unknown {field} {given[field]!r}" for field, known in sound.items() if not known]
        strange += [f"unknown level {level!r}" for level in asked if level not in LEVELS]
        if strange:
            self.left_out.append(f"{where}: {', '.join(strange)}")
            return
        scene = slug(given["scene"] or f"{concept}-{Path(given['image']).stem}")
        scaffold = given["scaffold"]
        if not scaffold or self._ours(scaffold) in DIALOGUE_KINDS:
            scaffold = f"{scene}/{kind}"
        for level in asked:
            named = (cast("Concept", concept), culture, cast("DialogueKind", kind), cast("Level", level))
            yield Version(where, *named, levels[level], scene, scaffold, given)

    def _levels(self, record: dict[str, Any]) -> dict[str, tuple[Turn, ...]]:
        """The conversations in a record by level; the level is "" where nothing names it."""
        held = self._get(record, "conversation")
        if turns := _turns(held):
            return {self._ours(self._text(record, "level") or ""): turns}
        within = record | held if isinstance(held, dict) else record
        named = ((self._ours(key), _turns(value)) for key, value in within.items())
        return {level: turns for level, turns in named if level in LEVELS and turns}

    def _ours(self, word: str) -> str:
        return self._values.get(_plain(word), word)

    def _text(self, record: dict[str, Any], field: str) -> str | None:
        value = self._get(record, field)
        return str(value) if isinstance(value, str | int) and str(value).strip() else None

    def _get(self, record: dict[str, Any], field: str) -> Any:  # noqa: ANN401
        """The first value that is there under one of a field's names, and is no object where a path leads on."""
        for name in self._names[field]:
            value: Any = record
            for part in [name] if name in record else name.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if value is not None and (field == "conversation" or not isinstance(value, dict)):
                return value
        return None


def country(text: str) -> str | None:
    """ISO code of a country by its code, name or demonym, in any case."""
    word = " ".join(text.replace("_", " ").split()).casefold().removeprefix("the ")
    if len(word) == 2 and word != "uk":
        return word.upper()
    return _countries().get(word)


@cache
def _countries() -> dict[str, str]:
    names = country_names()
    return {name.casefold(): code for name, code in names.as_written.items()} | names.any_case


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _turns(value: object) -> tuple[Turn, ...]:
    """Turns from a dict ``user_1, chatbot_1, …`` (or its JSON); empty ones fill up a table and are none."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            return ()
    if not isinstance(value, dict):
        return ()
    keyed = []
    for key, text in value.items():
        match = _TURN.fullmatch(str(key))
        if match and isinstance(text, str) and text.strip():
            user = match[1].lower() == "user"
            turn = Turn(speaker="user" if user else "chatbot", text=text.strip())
            keyed.append((int(match[2]), not user, turn))
    return tuple(turn for *_, turn in sorted(keyed, key=lambda item: item[:2]))


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file with their numbers: lines of JSON Lines, places in a JSON list."""
    if path.suffix == ".jsonl":
        yield from read_jsonl(path, dict)
        return
    try:
        whole = msgspec.json.decode(read_bytes(path))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # Some tools call JSON Lines "json" too.
        try:
            yield from list(read_jsonl(path, dict))
        except InputError:
            raise InputError(f"{path}: not valid JSON: {error}") from error
        return
    yield from ((n, r) for n, r in enumerate(_flat(whole), start=1) if isinstance(r, dict))


def _flat(value: object) -> list[Any]:
    """A list of records; splits of a set are joined, and records by name get it as their ``id``."""
    if isinstance(value, dict):
        inner = list(value.values())
        if inner and all(isinstance(v, list) for v in inner):
            return [record for split in inner for record in split]
        if inner and all(isinstance(v, dict) for v in inner) and not any(map(_turns, inner)):
            return [{"id": key} | record for key, record in value.items()]
        return [value]
    return value if isinstance(value, list) else []
