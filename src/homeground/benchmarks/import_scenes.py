"""Import of own photographs: PNG files and a table of what they show become a benchmark folder."""

from __future__ import annotations

import csv
import hashlib
import io
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec

from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.benchmarks.imported import (
    SCALES,
    Imported,
    ImportRefused,
    Photograph,
    Scale,
    read_picture,
    slug,
    systems_named,
    write_benchmark,
)
from homeground.cultures import cultures_of
from homeground.dialogues import fill_scaffolds, make_scaffolds
from homeground.errors import InputError, unknown
from homeground.files import read_bytes
from homeground.scenes.reading import both_systems
from homeground.schema import CONCEPTS, Concept, Scaffold, Scene, System

REQUIRED = ("file", "concept", "value", "licence", "source")
OPTIONAL = ("unit", "plausible_low", "plausible_high", "thing", "place", "description")
_ANY = Scale("", -math.inf, math.inf, "", 0)
"""For the other columns of a row whose concept is unknown."""


def import_scenes(
    photographs: Path | str,
    folder: Path | str,
    *,
    table: Path | str | None = None,
    cultures: tuple[str, ...] | None = None,
    protocol: str = "capri",
    seed: int = 1,
) -> Imported:
    """Make a benchmark of own photographs and the hand-written dialogues.

    Args:
        photographs: a folder with the PNG files.
        folder: where the benchmark will stand; must not exist or be empty.
        table: the CSV file; ``scenes.csv`` beside the pictures by default.
        cultures: codes, all of the protocol's by default.
        protocol: which table says what a culture expects.
        seed: draws the dialogues, the cues and the order of units in descriptions.

    Raises:
        ImportRefused: everything that is wrong with the table and the pictures.
        InputError: an unknown culture or protocol, no such table, or ``folder`` is in use.
    """
    people = cultures_of(protocol, cultures)
    photographs = Path(photographs)
    reader = _Reader(photographs, Path(table) if table is not None else photographs / "scenes.csv", seed)
    found = [p for p in (reader.photograph(cells) for cells in reader.rows()) if p is not None]
    if not found and not reader.problems:
        reader.problems.append(f"{reader.table}: no row below the header: nothing to import")
    if reader.problems:
        raise ImportRefused(reader.problems)
    scaffolds = [_tidied(s) for s in make_scaffolds([(p.scene, p.place) for p in found], seed)]
    return write_benchmark(
        Path(folder),
        name=f"{protocol}-photographs",
        protocol=protocol,
        seed=seed,
        licence=f"Apache-2.0 (dialogues); {', '.join(sorted({p.scene.licence for p in found}))} (photographs)",
        cultures=people,
        photographs=found,
        scaffolds=scaffolds,
        cues=fill_scaffolds(scaffolds, people, seed),
    )


def _tidied(scaffold: Scaffold) -> Scaffold:
    """A scaffold without the gaps that an empty place leaves in its sentences."""
    turns = tuple(
        msgspec.structs.replace(turn, text=re.sub(r" +(?=[ ,.;:?!])", "", turn.text).strip())
        for turn in scaffold.turns
    )
    return msgspec.structs.replace(scaffold, turns=turns)


class _Reader:
    """Reads a table row by row and gathers all that is wrong with it."""

    def __init__(self, photographs: Path, table: Path, seed: int) -> None:
        self.photographs, self.table, self.seed = photographs, table, seed
        self.problems: list[str] = []
        self._row = 1
        self._cells: dict[str, str] = {}
        self._seen: dict[str, int] = {}
        self._ids: Counter[str] = Counter()
        self._readings: Counter[Concept] = Counter()

    def _say(self, column: str, said: str) -> None:
        where = f"row {self._row}" + (f", column {column}" if column else "")
        self.problems.append(f"{self.table}: {where}: {said}")

    def rows(self) -> Iterator[dict[str, str]]:
        """The cells of each row by column; a row's number is the one that a spreadsheet shows.

        Raises:
            InputError: the file is no CSV table at all.
        """
        try:
            text = read_bytes(self.table).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{self.table}: not UTF-8; save it as CSV in UTF-8") from error
        head = text.partition("\n")[0]
        mark = ";" if head.count(";") > head.count(",") else ","
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        try:
            names = [name.strip().lower() for name in next(lines, [])]
            self._check_header(names)
            for self._row, line in enumerate(lines, start=2):
                cells = [cell.strip() for cell in line]
                if len(cells) > len(names):
                    said = f"{len(cells)} cells for {len(names)} columns; quote a cell that holds {mark!r}"
                    self._say("", said)
                elif any(cells):
                    yield dict.fromkeys(names, "") | dict(zip(names, cells, strict=False))
        except csv.Error as error:
            raise InputError(f"{self.table}:{lines.line_num}: not valid CSV: {error}") from error

    def _check_header(self, names: list[str]) -> None:
        for name, times in Counter(names).items():
            if name not in (*REQUIRED, *OPTIONAL):
                self._say(name, str(unknown("column", name, (*REQUIRED, *OPTIONAL))))
            elif times > 1:
                self._say(name, f"stands {times} times")
        for name in REQUIRED:
            if name not in names:
                self._say(name, "missing")

    def photograph(self, cells: dict[str, str]) -> Photograph | None:
        """The photograph of one row, or nothing once there is a problem, which is kept."""
        self._cells = cells
        for column in REQUIRED:
            if cells.get(column) == "" and (column, cells.get("concept")) != ("value", "price"):
                self._say(column, "empty")
        for column in ("thing", "place"):
            if "{" in cells.get(column, "") or "}" in cells.get(column, ""):
                self._say(column, "braces have a meaning in dialogues; leave them out")
        picture = self._picture(cells.get("file", ""))
        concept = cast("Concept", cells.get("concept", ""))
        if concept and concept not in CONCEPTS:
            self._say("concept", str(unknown("concept", concept, CONCEPTS)))
        scale = SCALES.get(concept, _ANY)
        if scale.unit and cells.get("unit", "") not in ("", scale.unit):
            self._say("unit", f"{cells['unit']!r}; give the value in {scale.unit}, the unit of {concept}")
        sound = len(self.problems)
        value = self._number("value", 0, scale)
        margin = scale.margin if scale.fixed else abs(value) * scale.margin
        low = self._number("plausible_low", max(value - margin, scale.low), scale)
        high = self._number("plausible_high", min(value + margin, scale.high), scale)
        if sound == len(self.problems) and not low <= value <= high:
            self._say("value", f"{value:g} lies outside its plausible range, {low:g} to {high:g}")
        description, first = self._description(cells.get("description", ""), concept, value, scale.unit)
        if picture is None or concept not in CONCEPTS or self.problems:
            return None
        path, sha256 = picture
        name = self._name(f"{concept}-{path.stem}")
        scene = Scene(
            id=name,
            concept=concept,
            image=f"images/{name}.png",
            image_sha256=sha256,
            value=value,
            unit=scale.unit,
            plausible=(low, high),
            thing=cells.get("thing") or scale.thing,
            description=description,
            first_system=first,
            origin="photograph",
            licence=cells["licence"],
        )
        return Photograph(scene, path, cells.get("place", ""), cells["source"])

    def _picture(self, name: str) -> tuple[Path, str] | None:
        """Path and SHA-256 of a row's picture, which must be one that no row above has."""
        if not name:
            return None
        path = self.photographs / name
        try:
            if not path.resolve().is_relative_to(self.photographs.resolve()):
                raise InputError(f"lies outside {self.photographs}")
            sha256 = hashlib.sha256(read_picture(path)).hexdigest()
            if sha256 in self._seen:
                raise InputError(f"the same picture as in row {self._seen[sha256]}")
        except (InputError, ValueError, OSError, RuntimeError) as error:
            self._say("file", f"{name!r}: {error}")
            return None
        self._seen[sha256] = self._row
        return path, sha256

    def _number(self, column: str, default: float, scale: Scale) -> float:
        text = self._cells.get(column, "")
        if not text:
            return default
        try:
            number = float(text.replace("\N{MINUS SIGN}", "-")) if "_" not in text else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self._say(column, f"{text!r} is not a number; write one such as 21.5, without its unit")
            return default
        if not scale.low <= number <= scale.high:
            top = f" to {scale.high:g}" if math.isfinite(scale.high) else " upwards"
            self._say(column, f"{text} cannot be; values in {scale.unit} go from {scale.low:g}{top}")
        return number

    def _description(self, text: str, concept: Concept, value: float, unit: str) -> tuple[str, System | None]:
        """The description, which favours no system of units, and the system that it names first."""
        if not text:
            return NO_DESCRIPTION, None
        if "{reading}" in text:
            start = random.Random(f"{self.seed}/first/{concept}").randrange(2)
            first: System = "imperial" if (start + self._readings[concept]) % 2 else "metric"
            self._readings[concept] += 1
            try:
                text = text.replace("{reading}", both_systems(value, unit, first))
            except InputError as error:
                if unit:
                    self._say("description", f"{{reading}}: {error}")
        alone, first_named = systems_named(text)
        if alone:
            self._say("description", f"{alone!r} favours a system of units; write {{reading}} or name both")
        return text, first_named

    def _name(self, text: str) -> str:
        """An identifier made of a file's name, told apart from its like by a number."""
        name = slug(text)
        self._ids[name] += 1
        return name if self._ids[name] == 1 else self._name(f"{name}-{self._ids[name]}")
