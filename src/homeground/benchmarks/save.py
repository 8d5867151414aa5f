"""Writing the files of a benchmark, but for its pictures, into a new folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import tomli_w

from homeground.benchmarks.croissant import CROISSANT, croissant
from homeground.benchmarks.folder import ABOUT, About
from homeground.files import jsonl
from homeground.schema import CuePair, Culture, Scaffold, Scene


def save_tables(
    folder: Path,
    about: About,
    cultures: Sequence[Culture],
    scenes: Sequence[Scene],
    scaffolds: Sequence[Scaffold],
    cues: Sequence[CuePair],
    readme: str,
) -> None:
    """Write the tables, their Croissant metadata, ``benchmark.toml`` and the card.

    Raises:
        OSError: the disk refuses; ``files.new_folder`` around the call leaves nothing behind.
    """
    tables = {
        "cultures": jsonl(cultures),
        "scenes": jsonl(scenes),
        "scaffolds": jsonl(scaffolds),
        "cues": jsonl(cues),
    }
    for name, content in tables.items():
        (folder / f"{name}.jsonl").write_bytes(content)
    (folder / CROISSANT).write_bytes(croissant(about, tables))
    (folder / ABOUT).write_text(tomli_w.dumps(msgspec.to_builtins(about)), encoding="utf-8")
    (folder / "README.md").write_text(readme, encoding="utf-8")
