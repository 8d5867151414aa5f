"""Reading question–answer pairs: ``id``, ``question`` and ``answers`` as JSON Lines, a JSON list or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from homeground.errors import InputError
from homeground.questions.cells import golds, options, spelled
from homeground.questions.reading import Fault, Row, Unfit, read_records
from homeground.schema import Question

NEEDED = ("id", "question", "answers")
"""Columns and fields that no file may lack; an answer itself can be missing."""
_TEXTS = ("language", "culture", "source", "notes")
_READ: dict[str, Callable[[str], object]] = {
    "answers": golds,
    "options": options,
    "contrast": spelled,
    "idks": spelled,
}
MOST = 100
"""How many problems are told by default."""


def load_questions(path: Path | str, *, unique: bool = True) -> list[Question]:
    """All questions of a file, in order: UTF-8, with or without a byte order mark.

    In CSV an empty cell is a field that is not given; ``answers``, ``options``, ``contrast`` and ``idks`` hold text or
    a list or mapping in JSON or as a Python literal.

    Args:
        path: JSON Lines, a JSON list or CSV, told apart by content and extension.
        unique: refuse an identifier that stands twice. Whoever keeps answers by identifier must; an audit, which looks
            at one question after the other, need not.

    Raises:
        InputError: the first fault, naming file, line and field; two lines for an id that stands twice; an empty file.
    """
    path = Path(path)
    questions = []
    for line, question in _checked(path, unique):
        if isinstance(question, Fault):
            raise InputError(f"{path}:{line}: {question.why}")
        questions.append(question)
    if not questions:
        raise InputError(f"{path}: no questions in it")
    return questions


def check_questions(path: Path | str, most: int = MOST) -> list[str]:
    """Everything that ``load_questions`` would refuse, a line a fault; the last line counts those beyond ``most``."""
    path = Path(path)
    problems: list[str] = []
    questions = more = 0
    try:
        for line, question in _checked(path, unique=True):
            if not isinstance(question, Fault):
                questions += 1
            elif len(problems) < most:
                problems.append(f"{path}:{line}: {question.why}")
            else:
                more += 1
    except InputError as error:
        problems.append(str(error))
    if not questions and not problems:
        problems.append(f"{path}: no questions in it")
    return problems + ([f"{path}: {more:,} more"] if more else [])


def screened_by(records: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The models that questions were chosen against, as their records' field ``screened_by`` says, once each."""
    said = (record.get("screened_by") or () for record in records)
    names = (some if isinstance(some, list | tuple) else (some,) for some in said)
    return tuple(dict.fromkeys(str(name) for some in names for name in some))


def _checked(path: Path, unique: bool) -> Iterator[tuple[int, Question | Fault]]:
    seen: dict[str, int] = {}
    for line, question in read_records(path, Question, needed=NEEDED, convert=_fields):
        if isinstance(question, Fault):
            yield line, question
        elif not question.id.strip():
            yield line, Fault("field id: empty")
        elif not question.question.strip():
            yield line, Fault("field question: empty")
        elif unique and question.id in seen:
            yield line, Fault(f"field id: {question.id!r} stands in line {seen[question.id]} already")
        else:
            seen[question.id] = line
            yield line, question


def _fields(row: Row) -> dict[str, object]:
    """A row of CSV as the fields of a question."""
    fields: dict[str, object] = {
        "id": row["id"].strip(),
        "question": row["question"].strip(),
        "answers": None,
    }
    for name, cell in row.items():
        text = cell.strip()
        if text and name in _READ:
            try:
                fields[name] = _READ[name](text)
            except Unfit as error:
                raise Unfit(f"field {name}: {error}") from error
        elif text and name in _TEXTS:
            fields[name] = text
    return fields
