"""Other people's benchmarks as questions: one file a benchmark, and a mapping for any other table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from homeground.errors import InputError, unknown
from homeground.questions.importers import (
    bertaqa,
    blend,
    calmqa,
    culturalbench,
    fork,
    normad,
    taarofbench,
)
from homeground.questions.importers import table as mapped
from homeground.questions.importers.intake import Imported, Told

__all__ = ["FORMATS", "Imported", "Told", "import_questions"]

_READERS = {
    "bertaqa": bertaqa.read,
    "blend": blend.read,
    "calmqa": calmqa.read,
    "culturalbench": culturalbench.read,
    "fork": fork.read,
    "normad": normad.read,
    "taarofbench": taarofbench.read,
}
FORMATS = (*_READERS, "table")
"""What can be imported; ``table`` is any CSV or JSON with a mapping."""


def import_questions(
    format: str,
    path: Path | str,
    *,
    culture: str | None = None,
    language: str | None = None,
    columns: Mapping[str, str] | None = None,
    separator: str | None = None,
) -> Imported:
    """Questions of a benchmark, and by name what was not taken.

    Args:
        format: one of ``FORMATS``.
        path: the file, as published; for BLEnD also a folder of them.
        culture: a code for all questions, before what the file says.
        language: keeps questions in this language; where the file names none, they are taken to be in it.
        columns: for ``table`` alone: a column by the field that it becomes.
        separator: for ``table`` alone: what stands between several answers in a cell.

    Raises:
        InputError: the file as a whole cannot be read, or an argument does not fit the format.
    """
    if format == "table":
        return mapped.read(
            Path(path), culture=culture, language=language, columns=columns, separator=separator
        )
    if format not in _READERS:
        raise unknown("format", format, FORMATS)
    if columns is not None or separator is not None:
        raise InputError(
            f"format {format} has fixed columns; a mapping or a separator goes with format table"
        )
    return _READERS[format](Path(path), culture=culture, language=language)
