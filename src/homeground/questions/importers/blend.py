"""BLEnD: everyday questions for 16 regions, in the region's language and in English, with every annotator's answers.

Myung et al., "BLEnD: A Benchmark for LLMs on Everyday Knowledge in Diverse Cultures and Languages", NeurIPS 2024.
A file ``REGION_data.json`` holds ``{ID: {question, en_question, annotations: [{answers, en_answers, count}], idks}}``,
or a list of the same with ``ID`` inside. Identifiers repeat in every region and both languages; here the question in
the region's language is ``BLEnD:REGION:ID`` and its English translation ``BLEnD:REGION:ID:en``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import msgspec

from homeground.errors import InputError
from homeground.files import read_bytes
from homeground.questions.importers.intake import Imported, Intake, converted
from homeground.questions.importers.places import blend_languages, place
from homeground.questions.reading import Unfit
from homeground.schema import Gold, Question

_ENDING = "_data.json"
_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Vote(msgspec.Struct):
    answers: tuple[str, ...]
    en_answers: tuple[str, ...]
    count: _Count


class _Item(msgspec.Struct):
    question: str
    en_question: str
    annotations: tuple[_Vote, ...]
    idks: dict[str, _Count]


class _Listed(msgspec.Struct):
    ID: str


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """One annotation file, or all of a folder.

    Args:
        path: ``REGION_data.json``, or a folder of such files.
        culture: a code for all questions; by default the region's country.
        language: ``local`` (the region's), ``en`` (the translation) or another code; both by default.

    Raises:
        InputError: a file that is no such file, or whose name is no region's.
    """
    intake = Intake(culture)
    paths = sorted(path.glob(f"*{_ENDING}")) if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path}: no file here is called REGION{_ENDING}, such as Spain{_ENDING}")
    for file in paths:
        _read_region(intake, file, language)
    return intake.result()


def _read_region(intake: Intake, file: Path, language: str | None) -> None:
    region = file.name.removesuffix(_ENDING)
    local = blend_languages().get(region)
    if local is None:
        regions = ", ".join(blend_languages())
        raise InputError(f"{file}: {region!r} is no region of BLEnD; REGION{_ENDING} is for one of {regions}")
    known = place(region)
    code, notes = intake.code(region, file, 1), known.region if known else None
    # "en" means the same translation for every region, also for those whose own language is English.
    wanted = [False, True] if language is None else [True] if language == "en" else [False]
    if language not in (None, "en", "local", local):
        return
    for name, raw in _items(intake, file):
        with intake.record(file, name):
            item = converted(raw, _Item)
            for english in wanted:
                where = f"{name}:en" if english else name
                with intake.record(file, where):
                    golds = ((v.en_answers if english else v.answers, v.count) for v in item.annotations)
                    question = Question(
                        id=f"BLEnD:{region}:{where}",
                        question=item.en_question if english else item.question,
                        answers=tuple(Gold(forms=forms, count=count) for forms, count in golds),
                        language="en" if english else local,
                        culture=code,
                        idks=item.idks,
                        notes=notes,
                    )
                    intake.add(question, file, where)


def _items(intake: Intake, file: Path) -> list[tuple[str, bytes]]:
    """The records of a file by identifier; one that stands twice, or has none, is rejected."""
    data = read_bytes(file).removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
        if not data.lstrip().startswith(b"["):
            found = converted(data, dict[str, msgspec.Raw])
            _reject_repeated(intake, file, data)
            return [(name, bytes(raw)) for name, raw in found.items()]
        listed = [bytes(raw) for raw in converted(data, list[msgspec.Raw])]
    except (Unfit, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{file}: no annotations of BLEnD: {error}") from error
    items = []
    for number, raw in enumerate(listed, start=1):
        with intake.record(file, f"item {number}"):
            items.append((converted(raw, _Listed).ID, raw))
    return items


def _reject_repeated(intake: Intake, file: Path, data: bytes) -> None:
    """An object keeps the last of two records under one name; the first would be lost without a word."""
    pairs: list[tuple[str, object]] = json.loads(data, object_pairs_hook=list, parse_int=str)
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            intake.reject(file, name, "the identifier stands twice; the last record with it is taken")
        seen.add(name)
