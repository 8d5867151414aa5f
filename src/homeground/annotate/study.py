"""``study.toml``, and the cues that a cue check asks about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from homeground.annotate.sheet import Row, rows_of
from homeground.annotate.store.studies import NewItem
from homeground.benchmarks import load_benchmark
from homeground.cultures.library import codes, kinds, load_file
from homeground.errors import InputError, unknown
from homeground.files import read_toml, sha256_json
from homeground.schema import Record


class StudyFile(Record, frozen=True, kw_only=True):
    """A study as its file says it."""

    id: str
    kind: Literal["cue-check"]
    title: str
    contact: str
    """Whom people can write to; shown on the consent page."""
    cultures: tuple[str, ...]
    benchmark: str = ""
    """A benchmark's folder, beside the file: its sentences. Without one, the cues of the culture files."""
    quota: int = 3
    """Judgements that each item gets."""
    lease_minutes: float = 20
    per_person: int = 0
    """Items that one person gets at most; 0 for all of their culture."""
    completion_code: str = ""
    screen_out_code: str = ""
    consent: dict[str, str] = {}  # noqa: RUF012  (msgspec copies it for each record)
    """Your own consent text by language, paragraphs apart by an empty line; where a language has none, the
    first of them; with none at all, a short plain text."""


def load_study(path: Path) -> tuple[StudyFile, list[NewItem]]:
    """A study's file and its items.

    Raises:
        InputError: the file or what it names cannot be used.
    """
    study = read_toml(path, StudyFile)
    if not study.id.strip() or len(study.id) > 80:
        raise InputError(f"{path}: field id: empty or longer than 80 characters")
    if not study.cultures:
        raise InputError(f"{path}: field cultures: none given; right is a list such as ['PT', 'BR']")
    if study.quota < 1 or study.lease_minutes <= 0 or study.per_person < 0:
        raise InputError(f"{path}: fields quota and lease_minutes must be above 0, per_person not below it")
    for code in study.cultures:
        if code not in codes():
            raise unknown("culture", code, codes())
    items = list(_from_benchmark(study, path) if study.benchmark else _from_library(study))
    if not items:
        raise InputError(f"{path}: no cue to check in cultures {', '.join(study.cultures)}")
    return study, items


def _from_library(study: StudyFile) -> Iterator[NewItem]:
    for code in study.cultures:
        for kind, cues in load_file(code).cues.items():
            before, after = kinds()[kind].sentence.split("{}")
            for cue in cues:
                yield _item(study, code, Row(kind, cue.value, before[:1].upper() + before[1:], f"{after}."))


def _from_benchmark(study: StudyFile, path: Path) -> Iterator[NewItem]:
    benchmark = load_benchmark(path.parent / study.benchmark)
    for code in study.cultures:
        if code not in benchmark.cultures:
            raise unknown("culture", code, tuple(benchmark.cultures))
        for row in rows_of(benchmark, code):
            yield _item(study, code, row)


def _item(study: StudyFile, code: str, row: Row) -> NewItem:
    return NewItem(sha256_json([study.id, code, row.kind, row.value])[:32], code, row._asdict())
