"""CaLMQA: questions that want long answers, in 23 languages, each with an English translation.

Arora et al., "CaLMQA: Exploring culturally specific long-form question answering across 23 languages", ACL 2025. JSON
Lines with ``name, file_language, language, question, question_english`` and sometimes ``human_answer``, or the raw JSON
with ``entries``. Answers there that carry the state of a prompt were written by models: they are no golds. A question
written in its language is ``CaLMQA:NAME``, one translated into it ``CaLMQA:LANGUAGE:NAME``; the English text of either
is ``CaLMQA:NAME:en`` and is taken once, however many languages it was translated into.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from homeground.errors import InputError
from homeground.files import read_bytes
from homeground.questions.cells import options
from homeground.questions.importers.intake import Imported, Intake, converted, details, text
from homeground.questions.importers.places import calmqa_languages
from homeground.questions.reading import Unfit
from homeground.schema import Question

_NEEDED = ("name", "file_language", "language", "question", "question_english")
_ENGLISH = "English"


class _Text(msgspec.Struct):
    text: str


class _Asked(msgspec.Struct):
    name: str
    language: str
    translations: dict[str, _Text]
    source: str | None = None
    category: str | None = None


class _Answer(msgspec.Struct):
    translations: dict[str, _Text]
    prompting_state: dict[str, object] | None = None


class _Entry(msgspec.Struct):
    question: _Asked
    answers: tuple[_Answer, ...] = ()


class _Dataset(msgspec.Struct):
    entries: list[msgspec.Raw]


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """The questions in their own language and in English, or in one of them.

    Args:
        path: JSON Lines, or the raw ``dataset-….json``.
        culture: a code for all questions; by default the country of a language that is one country's.
        language: ``local``, ``en`` (the translations) or another code; both by default.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake = Intake(culture)
    for where, row in _raw(intake, path) if path.suffix == ".json" else intake.rows(path, _NEEDED):
        with intake.record(path, where):
            _add(intake, path, where, row, language)
    return intake.result()


def _add(intake: Intake, path: Path, where: object, row: dict[str, Any], language: str | None) -> None:
    """Both versions of a question, or the one that is wanted."""
    spoken = text(row, "file_language").capitalize()
    tongue = calmqa_languages().get(spoken)
    if tongue is None:
        raise Unfit(f"field file_language: {spoken!r} is no language of CaLMQA")
    name, own = text(row, "name"), text(row, "language") == spoken
    prefix = "" if own else f"{spoken.lower()}:"
    code = tongue.culture if own else None
    versions = [(f"{name}:en", "question_english", _ENGLISH, "en", spoken == _ENGLISH)]
    if spoken != _ENGLISH:
        versions.insert(0, (f"{prefix}{name}", "question", spoken, tongue.language, True))
    for identifier, field, called, short, local in versions:
        if language not in (None, short) and not (language == "local" and local):
            continue
        question = Question(
            id=f"CaLMQA:{identifier}",
            question=text(row, field),
            answers=_human(row.get("human_answer"), called),
            language=short,
            culture=intake.code(code, path, where),
            notes=details(row, ("category", "source")),
        )
        if short != "en" or not intake.has(question):
            intake.add(question, path, where)


def _human(answers: object, language: str) -> tuple[str, ...] | None:
    """What people answered in one language."""
    found = answers.get(language) if isinstance(answers, dict) else None
    return options(found) or None


def _raw(intake: Intake, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries of raw JSON as rows: one for each language that a question is in beside English."""
    try:
        dataset = converted(read_bytes(path).removeprefix(b"\xef\xbb\xbf"), _Dataset)
    except Unfit as error:
        raise InputError(f"{path}: no data set of CaLMQA: {error}") from error
    for number, raw in enumerate(dataset.entries, start=1):
        with intake.record(path, f"entry {number}"):
            entry = converted(bytes(raw), _Entry)
            asked, human = entry.question, [a for a in entry.answers if a.prompting_state is None]
            texts = {name: version.text for name, version in asked.translations.items()}
            for spoken in [name for name in texts if name != _ENGLISH] or [_ENGLISH]:
                yield (
                    asked.name,
                    {
                        "name": asked.name,
                        "file_language": spoken.lower(),
                        "language": asked.language,
                        "question": texts.get(spoken),
                        "question_english": texts.get(_ENGLISH),
                        "human_answer": {
                            name: [a.translations[name].text for a in human if name in a.translations]
                            for name in texts
                        },
                        "category": asked.category,
                        "source": asked.source,
                    },
                )
