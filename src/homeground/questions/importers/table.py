"""Any other CSV, JSON Lines or JSON list, by a mapping from our fields to its columns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homeground.errors import InputError, unknown
from homeground.questions.cells import golds, options, plain
from homeground.questions.importers.intake import Imported, Intake, lettered, text
from homeground.questions.reading import Unfit
from homeground.schema import Gold, Question

FIELDS = ("id", "question", "answers", "options", "key", "language", "culture", "source", "notes")
"""What a column can become. ``key`` is the letter of the right option, in place of ``answers``."""


def read(
    path: Path,
    *,
    culture: str | None = None,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
    separator: str | None = None,
) -> Imported:
    """All questions of a table.

    Args:
        path: CSV, JSON Lines or a JSON list.
        culture: a code for all questions, before what a column says.
        language: of questions whose row says none.
        columns: a column for each field of ``FIELDS`` that is wanted, several of options or answers joined by ``+``;
            by default the columns that are called as the fields are. Without identifiers a question gets the file's
            name and its line.
        separator: what stands between several answers or options in a cell; without one a cell is one answer, unless
            it spells a list.

    Raises:
        InputError: an unknown field, none for the question, ``key`` without ``options`` or beside ``answers``, or a
            file that cannot be read as a whole.
    """
    if columns is not None:
        _check(columns)
    needed = ("question",) if columns is None else tuple(n for c in columns.values() for n in c.split("+"))
    intake = Intake(culture)
    for line, row in intake.rows(path, needed):
        there = {name: name for name in FIELDS if name in row} if columns is None else columns
        with intake.record(path, line):
            given = _options(row, there, separator)
            question = Question(
                id=text(row, there["id"]) if "id" in there else f"{path.stem}:{line}",
                question=text(row, there["question"]),
                answers=_answers(row, there, given, separator),
                options=given,
                language=_optional(row, there, "language") or language,
                culture=intake.code(_optional(row, there, "culture"), path, line),
                source=_optional(row, there, "source"),
                notes=_optional(row, there, "notes"),
            )
            intake.add(question, path, line)
    return intake.result()


def _check(columns: Mapping[str, str]) -> None:
    for field in columns:
        if field not in FIELDS:
            raise unknown("field", field, FIELDS)
    if "question" not in columns:
        raise InputError("no column is mapped to question: question=COLUMN is needed")
    if "key" in columns and ("options" not in columns or "answers" in columns):
        raise InputError(
            "key is the letter of the right option: it needs options, and stands in place of answers"
        )


def _options(row: dict[str, Any], there: Mapping[str, str], separator: str | None) -> tuple[str, ...] | None:
    if "options" not in there:
        return None
    return _joined(row, there["options"]) or options(row.get(there["options"]), separator)


def _answers(
    row: dict[str, Any], there: Mapping[str, str], given: tuple[str, ...] | None, separator: str | None
) -> tuple[str | Gold, ...] | None:
    """The golds; ``None`` where the table has none by design, empty where this row's is missing."""
    if "answers" in there:
        value = row.get(there["answers"], "")
        return None if value is None else _joined(row, there["answers"]) or golds(value, separator) or ()
    if "key" in there:
        if given is None:
            raise Unfit(f"field {there['key']}: a letter, and no options that it could mean")
        return (lettered(given, text(row, there["key"])),)
    return None


def _joined(row: dict[str, Any], column: str) -> tuple[str, ...]:
    """The cells of several columns that are filled; none where ``column`` is one alone."""
    names = column.split("+") if "+" in column else []
    return tuple(filled for name in names if (filled := plain(row[name])))


def _optional(row: dict[str, Any], there: Mapping[str, str], field: str) -> str | None:
    value = row.get(there[field]) if field in there else None
    return None if value is None else plain(value) or None
