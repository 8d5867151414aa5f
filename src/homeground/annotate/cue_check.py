"""The items of a cue check: each cue of a culture in its sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homeground.annotate.sheet import Row, rows_of
from homeground.annotate.store.studies import NewItem
from homeground.benchmarks import Benchmark
from homeground.cultures.library import kinds, load_file
from homeground.files import sha256_json


def from_library(study: str, cultures: Sequence[str]) -> Iterator[NewItem]:
    """The cues of the culture files, each in its kind's sentence."""
    for code in cultures:
        for kind, cues in load_file(code).cues.items():
            before, after = kinds()[kind].sentence.split("{}")
            for cue in cues:
                yield _item(study, code, Row(kind, cue.value, before[:1].upper() + before[1:], f"{after}."))


def from_benchmark(study: str, benchmark: Benchmark, cultures: Sequence[str]) -> Iterator[NewItem]:
    """The cues of a benchmark, each in the first sentence that uses it."""
    for code in cultures:
        for row in rows_of(benchmark, code):
            yield _item(study, code, row)


def _item(study: str, code: str, row: Row) -> NewItem:
    return NewItem(sha256_json([study, code, row.kind, row.value])[:32], code, row._asdict())
