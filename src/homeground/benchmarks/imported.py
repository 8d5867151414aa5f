"""What both importers share: pictures that are whole, refusals with every reason, and a folder written at once."""

from __future__ import annotations

import math
import re
import shutil
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from homeground.benchmarks.build import VERSION
from homeground.benchmarks.card import card
from homeground.benchmarks.check import check_benchmark
from homeground.benchmarks.folder import About
from homeground.benchmarks.save import save_tables
from homeground.errors import InputError
from homeground.files import new_folder, read_bytes
from homeground.schema import Concept, CuePair, Culture, Record, Scaffold, Scene, System
from homeground.version import __version__

LARGEST = 20_000_000
"""Bytes that a picture may have."""
_METRIC = re.compile(
    r"\d\s*(°\s?C|℃|celsius|km|kph|cm|mm|m²?|(kilo|centi|milli)?met(er|re)s?|sq(\.|uare) m\w*)(?!\w)", re.I
)
_IMPERIAL = re.compile(
    r"\d\s*(°\s?F|℉|fahrenheit|mph|mi|miles?|ft²?|feet|foot|inch(es)?|yards?|sq(\.|uare) f\w+)(?!\w)", re.I
)
_MAGIC = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"RIFF": "WebP", b"BM": "BMP"}


class Scale(NamedTuple):
    """How a concept's values are measured, and what stands where a table says nothing."""

    unit: str
    low: float
    high: float
    thing: str
    margin: float
    """Half of the plausible range, as a share of the value or, where ``fixed``, in ``unit``."""
    fixed: bool = False


SCALES: dict[Concept, Scale] = {
    "temperature": Scale("celsius", -273.15, math.inf, "the thermometer", 0.2),
    "distance": Scale("metre", 0, math.inf, "the two things", 0.2),
    "speed": Scale("kilometre_per_hour", 0, math.inf, "the vehicle", 0.2),
    "size": Scale("square_metre", 0, math.inf, "the room", 0.2),
    "price": Scale("none", 0, math.inf, "the item", 0.2),
    # A fifth of the hour would be minutes after midnight and half of the evening.
    "time_expression": Scale("hour", 0, 24, "the clock", 1, fixed=True),
    "quantifier": Scale("share", 0, 1, "the container", 0.1, fixed=True),
}


class ImportRefused(InputError):
    """All that is wrong with what was to be imported; nothing was written."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep them one by one: the command line prints a line for each."""
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class Imported(Record, frozen=True, kw_only=True):
    """What an import wrote."""

    folder: str
    scenes: int
    scaffolds: int
    conversations: int
    left_out: tuple[str, ...] = ()
    """What could not be brought into our form, each with the reason."""
    problems: tuple[str, ...] = ()
    """What ``check_benchmark`` finds, and where the benchmark differs from what was imported."""


class Photograph(NamedTuple):
    """A scene, and where its picture lies until it is copied."""

    scene: Scene
    path: Path
    place: str = ""
    source: str = ""


def write_benchmark(
    folder: Path,
    *,
    name: str,
    protocol: str,
    seed: int,
    licence: str,
    cultures: Sequence[Culture],
    photographs: Sequence[Photograph],
    scaffolds: Sequence[Scaffold],
    cues: Sequence[CuePair],
    left_out: Sequence[str] = (),
) -> Imported:
    """Write a benchmark of photographs and check it; whole, or not at all.

    Raises:
        InputError: there is no conversation, or ``folder`` is in use.
    """
    if not cues:
        raise ImportRefused([*left_out, "no conversation is left: nothing was written"])
    about = About(
        name=name,
        kind="conversations",
        version=VERSION,
        licence=licence,
        protocol=protocol,
        seed=seed,
        origin="photographs",
        homeground=__version__,
    )
    scenes = [p.scene for p in photographs]
    readme = _of_photographs(card(about, cultures, scenes, scaffolds, cues), photographs, left_out)
    with new_folder(folder) as scratch:
        (scratch / "images").mkdir()
        for photograph in photographs:
            shutil.copyfile(photograph.path, scratch / photograph.scene.image)
        save_tables(scratch, about, cultures, scenes, scaffolds, cues, readme)
        check = check_benchmark(scratch)
    return Imported(
        folder=str(folder),
        scenes=check.scenes,
        scaffolds=check.scaffolds,
        conversations=check.conversations,
        left_out=tuple(left_out),
        problems=check.problems,
    )


def _of_photographs(text: str, photographs: Sequence[Photograph], left_out: Sequence[str]) -> str:
    """The card with the pictures' sources and what was left out."""
    rows = [f"| {p.scene.image} | {_cell(p.scene.licence)} | {_cell(p.source)} |" for p in photographs]
    text += "\n".join(["\n## Pictures\n", "| image | licence | source |", "|---|---|---|", *rows, ""])
    if left_out:
        text += "\n".join(["\n## Left out\n", *(f"- {line}" for line in left_out), ""])
    return text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def read_picture(path: Path) -> bytes:
    """The bytes of a PNG that is there as a whole; its pixels are not decoded.

    Raises:
        InputError: what is wrong with it, without its name.
    """
    if not path.is_file():
        raise InputError("no such file")
    if path.stat().st_size > LARGEST:
        raise InputError(f"larger than {LARGEST // 1_000_000} MB; make it smaller")
    data = read_bytes(path)
    kind = next((name for magic, name in _MAGIC.items() if data.startswith(magic)), None)
    if kind is None:
        raise InputError("not a picture; give a PNG")
    if kind != "PNG":
        # Engines and pages say "image/png" of every picture, and some servers take them at their word.
        raise InputError(f"{kind}, not PNG; convert it to PNG")
    if not _is_whole(data):
        raise InputError("a PNG that is damaged or cut short")
    return data


def _is_whole(png: bytes) -> bool:
    """Whether the chunks of a PNG are sound from its header to its end (PNG specification, section 5)."""
    at, kinds = 8, [b""]
    while at + 12 <= len(png) and kinds[-1] != b"IEND":
        size, kind = struct.unpack_from(">I4s", png, at)
        end = at + 8 + size
        if zlib.crc32(png[at + 4 : end]).to_bytes(4, "big") != png[end : end + 4]:
            return False
        kinds.append(kind)
        at = end + 4
    header = len(png) > 24 and 0 not in struct.unpack_from(">II", png, 16)
    return header and kinds[1:2] == [b"IHDR"] and b"IDAT" in kinds and kinds[-1] == b"IEND"


def systems_named(description: str) -> tuple[str | None, System | None]:
    """The measure that favours a system of units, if one stands alone, and the system named first of both."""
    metric, imperial = _METRIC.search(description), _IMPERIAL.search(description)
    if metric and imperial:
        return None, "metric" if metric.start() < imperial.start() else "imperial"
    alone = metric or imperial
    return alone[0] if alone else None, None


def slug(text: str) -> str:
    """Text as an identifier that is a plain file name too: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
