"""What a screening leaves of a release: the evidence or the kept questions that ``homeground screen`` wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from homeground.errors import InputError
from homeground.files import field_error, sha256_json
from homeground.questions.pairs import load_questions, screened_by
from homeground.questions.reading import Fault, read_records
from homeground.runs.screen import Evidence, Screening
from homeground.schema import Question

T = TypeVar("T")
_AGAIN = "export without --screened, and screen its questions.jsonl again"


class Screened(NamedTuple):
    """What a screening leaves."""

    kept: frozenset[str]
    """Ids of questions that none of the models already answers."""
    left_out: int
    """Accepted questions that are not kept, or were never screened."""
    screened_by: tuple[str, ...]
    evidence: Screening | None
    """The head of the evidence; none where only the kept questions were given."""


def screened(path: Path, questions: Sequence[Question]) -> Screened:
    """Join a screening with accepted questions.

    Args:
        path: the evidence of ``homeground screen``, or what its ``--kept`` wrote.
        questions: what would be released without it.

    Raises:
        InputError: the file is neither, or a question was changed since it was screened.
    """
    records = [(line, record) for line, record in read_records(path, dict[str, Any])]
    for line, record in records:
        if isinstance(record, Fault):
            raise InputError(f"{path}:{line}: {record.why}")
    plain = [(line, record) for line, record in records if not isinstance(record, Fault)]
    if not plain:
        raise InputError(f"{path}: nothing in it; right is what 'homeground screen' wrote")
    if {"screened", "digest", "models"} <= plain[0][1].keys():
        return _evidence(path, plain, questions)
    return _kept(path, [record for _, record in plain], questions)


def _evidence(
    path: Path, records: Sequence[tuple[int, dict[str, Any]]], questions: Sequence[Question]
) -> Screened:
    head = _converted(path, *records[0], Screening)
    items = [_converted(path, line, record, Evidence) for line, record in records[1:]]
    asked = tuple(dict.fromkeys(item.id for item in items))
    there = {question.id: question for question in questions}
    # The evidence does not say what was asked, but its digest does.
    same = all(name in there for name in asked) and head.digest == sha256_json(
        [there[name] for name in asked]
    )
    if not same:
        raise InputError(f"{path}: of other questions than those accepted now (digest); {_AGAIN}")
    known = {item.id for item in items if item.already}
    return _result(questions, (name for name in asked if name not in known), head.screened_by, head)


def _kept(path: Path, records: Sequence[dict[str, Any]], questions: Sequence[Question]) -> Screened:
    against = screened_by(records)
    if not against:
        raise InputError(f"{path}: no field screened_by in it; right is what 'homeground screen' wrote")
    kept = {question.id: question for question in load_questions(path)}
    for question in questions:
        if question.id in kept and kept[question.id] != question:
            raise InputError(f"{path}: question {question.id} was changed since it was screened; {_AGAIN}")
    return _result(questions, kept, against, None)


def _result(
    questions: Sequence[Question], kept: Iterable[str], against: tuple[str, ...], head: Screening | None
) -> Screened:
    found = frozenset(kept) & {question.id for question in questions}
    return Screened(found, len(questions) - len(found), against, head)


def _converted(path: Path, line: int, record: dict[str, Any], shape: type[T]) -> T:
    try:
        return msgspec.convert(record, shape)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}:{line}: {field_error(error)}") from error
