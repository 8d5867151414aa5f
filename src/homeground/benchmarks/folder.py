"""The folder: ``benchmark.toml``, JSON Lines for the items, ``images/``; it diffs well and derives the rest."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from homeground.dialogues.scaffolds import problems
from homeground.errors import InputError
from homeground.files import line_of, read_jsonl, read_toml, sha256_file, sha256_json
from homeground.schema import SYSTEMS, CuePair, Culture, Record, Scaffold, Scene

ABOUT = "benchmark.toml"
NO_DESCRIPTION = "No description of this picture is given."
"""Stands in the description of an imported picture that nobody has put into words: for models that see alone."""
FILES = ("cultures.jsonl", "scenes.jsonl", "scaffolds.jsonl", "cues.jsonl")


class AboutWriter(Record, frozen=True, kw_only=True):
    """The model that wrote a benchmark's dialogues."""

    model: str
    """``engine:name``."""
    prompts: str
    """Version and hash of the prompts and of the rules."""
    engine: dict[str, str]
    """What the engine says of itself, but for the server's address."""
    tries: int
    """Answers that each of the two stages of a scaffold could take."""
    asked: int
    """Scaffolds that it was asked for."""
    left_out: int
    """Of these, how many never kept the rules."""


class About(Record, frozen=True, kw_only=True, omit_defaults=True):
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
    writer: AboutWriter | None = None
    """Absent where the dialogues are hand-written or imported; TOML has no word for nothing."""


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
        names = [
            ABOUT,
            "README.md",
            "croissant.json",
            *FILES,
            *(scene.image for scene in self.scenes.values()),
        ]
        for name in names:
            source = self.folder / name
            if source.is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, folder / name)

    def check_images(self) -> None:
        """See that every picture is there and is the one recorded.

        Raises:
            InputError: naming the first that is not.
        """
        path = self.folder / "scenes.jsonl"
        for scene in self.scenes.values():
            problem = image_problem(self.folder, scene)
            if problem:
                line = line_of(path, f'"{scene.id}"')
                raise InputError(f"{path}:{line}: scene {scene.id}: {problem}")

    @property
    def signature(self) -> str:
        """Name, version and the head of the digest, for the signature of every figure."""
        return f"{self.about.name}-{self.about.version}@{self.digest[:8]}"


class _Kind(msgspec.Struct):
    kind: str


def is_question_set(folder: Path | str) -> bool:
    """Whether a folder says that it is a question set; what is no benchmark at all does not.

    Raises:
        InputError: its ``benchmark.toml`` is broken.
    """
    path = Path(folder) / ABOUT
    return path.is_file() and read_toml(path, _Kind).kind == "questions"


def load_benchmark(folder: Path | str, *, strict: bool = True) -> Benchmark:
    """Load a benchmark folder and check that its records refer to each other.

    Args:
        folder: where it stands.
        strict: refuse broken scaffolds too; without it ``check_benchmark`` can list them all.

    Raises:
        InputError: naming the file, and the line and field where there is one.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such benchmark folder")
    if not (folder / ABOUT).is_file():
        raise InputError(f"{folder}: not a benchmark folder: it has no {ABOUT}")
    if is_question_set(folder):
        raise InputError(f"{folder}: a question set; conversations are needed here")
    about = read_toml(folder / ABOUT, About)
    cultures = _unique(folder / "cultures.jsonl", Culture, lambda c: c.code)
    scenes = _unique(folder / "scenes.jsonl", Scene, lambda s: s.id)
    scaffolds = _unique(folder / "scaffolds.jsonl", Scaffold, lambda s: s.id)
    cues = _unique(folder / "cues.jsonl", CuePair, lambda p: f"{p.scaffold} {p.culture}")
    for line, culture in cultures:
        _check_culture(folder, line, culture)
    for line, scene in scenes:
        if ".." in Path(scene.image).parts or Path(scene.image).is_absolute():
            raise _fault(folder, "scenes", line, "image", f"{scene.image!r} lies outside the folder")
    concept_of = {scene.id: scene.concept for _, scene in scenes}
    for line, scaffold in scaffolds:
        if scaffold.scene not in concept_of:
            raise _fault(folder, "scaffolds", line, "scene", f"no scene {scaffold.scene!r}")
        concept = concept_of[scaffold.scene]
        if concept != scaffold.concept:
            said = f"{scaffold.concept!r}, but scene {scaffold.scene!r} is about {concept!r}"
            raise _fault(folder, "scaffolds", line, "concept", said)
        for problem in problems(list(scaffold.turns)) if strict else ():
            raise _fault(folder, "scaffolds", line, "turns", problem)
    names, codes = {s.id for _, s in scaffolds}, {c.code for _, c in cultures}
    for line, pair in cues:
        if pair.scaffold not in names:
            raise _fault(folder, "cues", line, "scaffold", f"no scaffold {pair.scaffold!r}")
        if pair.culture not in codes:
            raise _fault(folder, "cues", line, "culture", f"no culture {pair.culture!r}")
    return Benchmark(folder, about, _bare(cultures), _bare(scenes), _bare(scaffolds), _bare(cues))


def image_problem(folder: Path, scene: Scene) -> str | None:
    """What is wrong with a scene's picture, in words."""
    path = folder / scene.image
    if not path.is_file():
        return f"image {scene.image} is missing"
    if sha256_file(path) != scene.image_sha256:
        return f"image {scene.image} is not the one recorded (SHA-256 differs)"
    return None


def _check_culture(folder: Path, line: int, culture: Culture) -> None:
    for concept, accepted in culture.accepted.items():
        for name in accepted:
            currency = len(name) == 3 and name.isascii() and name.isupper()
            if not (currency if concept == "price" else name in SYSTEMS):
                right = "an ISO 4217 code" if concept == "price" else f"one of {', '.join(SYSTEMS)}"
                raise _fault(folder, "cultures", line, f"accepted.{concept}", f"{name!r} is not {right}")


def _fault(folder: Path, name: str, line: int, field: str, said: str) -> InputError:
    return InputError(f"{folder}/{name}.jsonl:{line}: field {field}: {said}")


R = TypeVar("R", bound=Record)


def _bare(lines: list[tuple[int, R]]) -> tuple[R, ...]:
    return tuple(record for _, record in lines)


def _unique(path: Path, shape: type[R], key: Callable[[R], str]) -> list[tuple[int, R]]:
    seen: dict[str, int] = {}
    records = []
    for line, record in read_jsonl(path, shape):
        name = key(record)
        if name in seen:
            raise InputError(f"{path}:{line}: {name!r} stands on line {seen[name]} already")
        seen[name] = line
        records.append((line, record))
    if not records:
        raise InputError(f"{path}: empty; a benchmark needs at least one line here")
    return records
