"""Build a conversation benchmark from cultures, scenes and dialogues: same seed, same bytes."""

from __future__ import annotations

from pathlib import Path

from homeground.benchmarks.card import card
from homeground.benchmarks.folder import About, Benchmark, load_benchmark
from homeground.benchmarks.save import save_tables
from homeground.cultures import cultures_of
from homeground.dialogues import fill_scaffolds, make_scaffolds
from homeground.errors import unknown
from homeground.files import new_folder
from homeground.scenes import draw_scenes
from homeground.schema import CONCEPTS, Concept
from homeground.version import __version__

VERSION = "0.1"


def build_conversations(
    folder: Path | str,
    *,
    cultures: tuple[str, ...] | None = None,
    concepts: tuple[str, ...] | None = None,
    protocol: str = "capri",
    seed: int = 1,
    unverified: bool = False,
) -> Benchmark:
    """Write a new benchmark folder and load it.

    Args:
        folder: where it will stand; must not exist or be empty.
        cultures: codes, all of the protocol's by default.
        concepts: all seven by default.
        protocol: which table says what a culture expects.
        seed: draws the scenes, the cues and the order of units in descriptions.
        unverified: also draw cues whose source nobody has looked up.

    Raises:
        InputError: an unknown culture, concept or protocol, or ``folder`` is in use; nothing is written.
    """
    people = cultures_of(protocol, cultures)
    wanted = _concepts(concepts)
    drawn = draw_scenes(wanted, seed)
    scaffolds = make_scaffolds([(d.scene, d.place) for d in drawn], seed)
    cues = fill_scaffolds(scaffolds, people, seed, unverified=unverified)
    about = About(
        name=f"{protocol}-drawn",
        kind="conversations",
        version=VERSION,
        licence="Apache-2.0",
        protocol=protocol,
        seed=seed,
        origin="drawn",
        homeground=__version__,
    )
    scenes = [d.scene for d in drawn]
    with new_folder(Path(folder)) as scratch:
        (scratch / "images").mkdir()
        for picture in drawn:
            (scratch / picture.scene.image).write_bytes(picture.png)
        readme = card(about, people, scenes, scaffolds, cues)
        save_tables(scratch, about, people, scenes, scaffolds, cues, readme)
    return load_benchmark(folder)


def _concepts(wanted: tuple[str, ...] | None) -> tuple[Concept, ...]:
    for name in wanted or ():
        if name not in CONCEPTS:
            raise unknown("concept", name, CONCEPTS)
    return tuple(c for c in CONCEPTS if wanted is None or c in wanted)
