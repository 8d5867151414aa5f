"""The folder: ``benchmark.toml``, JSON Lines for the items, ``images/``; it diffs well and derives the rest."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

from homeground.errors import InputError
from homeground.files import read_jsonl, read_toml, sha256_json
from homeground.schema import CuePair, Culture, Record, Scaffold, Scene

ABOUT = "benchmark.toml"
FILES = ("cultures.jsonl", "scenes.jsonl", "scaffolds.jsonl", "cues.jsonl")


class About(Record, frozen=True, kw_only=True):
    """``benchmark.toml``: what this benchmark is."""

    name: str
    kind: Literal["conversations"]
    version: str
    licence: str
    protocol: str
    seed: int
    origin: Literal["drawn", "photographs"]
    """Results on drawn scenes are never set beside published figures for photographs without a word."""
    homeground: str
    """Version of the code that built it."""


class Benchmark:
    """A conversation benchmark in memory. Build one with ``load_benchmark``."""

    def __init__(
        self,
        folder: Path,
        about: About,
        cultures: tuple[Culture, ...],
        scenes: tuple[Scene, ...],
        scaffolds: tuple[Scaffold, ...],
        cues: tuple[CuePair, ...],
    ) -> None:
        """Keep the records; ``load_benchmark`` has checked that they fit together."""
        self.folder = folder
        self.about = about
        self.cultures = {culture.code: culture for culture in cultures}
        self.scenes = {scene.id: scene for scene in scenes}
        self.scaffolds = {scaffold.id: scaffold for scaffold in scaffolds}
        self.cues = {(pair.scaffold, pair.culture): pair for pair in cues}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that can change a prompt or what counts as right."""
        return sha256_json(
            [
                list(self.cultures.values()),
                list(self.scenes.values()),
                list(self.scaffolds.values()),
                list(self.cues.values()),
            ]
        )

    def copy_to(self, folder: Path) -> None:
        """Write this benchmark's own files, and no others, into a new folder."""
        names = [ABOUT, "README.md", *FILES, *(scene.image for scene in self.scenes.values())]
        for name in names:
            source = self.folder / name
            if source.is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, folder / name)

    @property
    def signature(self) -> str:
        """Name, version and the head of the digest, for the signature of every figure."""
        return f"{self.about.name}-{self.about.version}@{self.digest[:8]}"


def load_benchmark(folder: Path | str) -> Benchmark:
    """Load a benchmark folder and check that its records refer to each other.

    Raises:
        InputError: naming the file, and the line and field where there is one.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such benchmark folder")
    if not (folder / ABOUT).is_file():
        raise InputError(f"{folder}: not a benchmark folder: it has no {ABOUT}")
    about = read_toml(folder / ABOUT, About)
    cultures = _unique(folder / "cultures.jsonl", Culture, lambda c: c.code)
    scenes = _unique(folder / "scenes.jsonl", Scene, lambda s: s.id)
    scaffolds = _unique(folder / "scaffolds.jsonl", Scaffold, lambda s: s.id)
    cues = _unique(folder / "cues.jsonl", CuePair, lambda p: f"{p.scaffold} {p.culture}")
    benchmark = Benchmark(folder, about, cultures, scenes, scaffolds, cues)
    for line, scene in enumerate(scenes, start=1):
        if ".." in Path(scene.image).parts or Path(scene.image).is_absolute():
            raise InputError(
                f"{folder}/scenes.jsonl:{line}: field image: {scene.image!r} lies outside the folder"
            )
    for line, scaffold in enumerate(scaffolds, start=1):
        shown = benchmark.scenes.get(scaffold.scene)
        if shown is None:
            raise InputError(f"{folder}/scaffolds.jsonl:{line}: field scene: no scene {scaffold.scene!r}")
        if shown.concept != scaffold.concept:
            raise InputError(
                f"{folder}/scaffolds.jsonl:{line}: field concept: {scaffold.concept!r}, "
                f"but scene {shown.id!r} is about {shown.concept!r}"
            )
    for line, pair in enumerate(cues, start=1):
        if pair.scaffold not in benchmark.scaffolds:
            raise InputError(f"{folder}/cues.jsonl:{line}: field scaffold: no scaffold {pair.scaffold!r}")
        if pair.culture not in benchmark.cultures:
            raise InputError(f"{folder}/cues.jsonl:{line}: field culture: no culture {pair.culture!r}")
    return benchmark


R = TypeVar("R", bound=Record)


def _unique(path: Path, shape: type[R], key: Callable[[R], str]) -> tuple[R, ...]:
    seen: dict[str, int] = {}
    records = []
    for line, record in read_jsonl(path, shape):
        name = key(record)
        if name in seen:
            raise InputError(f"{path}:{line}: {name!r} stands on line {seen[name]} already")
        seen[name] = line
        records.append(record)
    if not records:
        raise InputError(f"{path}: empty; a benchmark needs at least one line here")
    return tuple(records)
