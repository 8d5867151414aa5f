"""The review file of transposed questions: written for people, read back strictly, made into a set of questions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import fields, replace

from homeground.errors import InputError
from homeground.files import jsonl, sha256_json
from homeground.questions.cells import golds
from homeground.questions.chat import Opinion
from homeground.questions.reading import Fault, Row, Unfit, read_records
from homeground.schema import Gold, Question, Record

_BETWEEN = "|"
"""Between several right answers in a cell."""
_SEAL = 8
_TRIGGERS = ("=", "+", "-", "@", "\t", "'")
"""What a spreadsheet takes for the beginning of a formula, and the mark that tells it not to."""


class ReviewRow(Record, frozen=True, kw_only=True):
    """A transposed question for a reviewer, who fills in what begins with ``reviewer_`` and leaves the rest alone."""

    id: str
    source: str
    """The question in English."""
    transposed: str
    """In the target's language; empty where the model gave none that could be read."""
    fault: str
    """What rules see wrong with that translation; mostly nothing."""
    applies: Opinion
    why: str
    """Whether it applies to the target country, as far as rules can tell."""
    model_applies: Opinion
    model_why: str
    """What the model says of that."""
    reviewer_applies: str = ""
    """yes or no; empty where nobody has looked."""
    reviewer_question: str = ""
    """A better wording, where ``transposed`` needs one."""
    reviewer_answers: str | tuple[str | Gold, ...] = ""
    """Right answers: text with ``|`` between several, or a list."""
    reviewer_notes: str = ""
    culture: str
    language: str
    model: str
    prompts: str
    seal: str = ""
    """Hash of everything that is not the reviewer's."""


_COLUMNS = tuple(field.name for field in fields(ReviewRow))
_REVIEWERS = tuple(name for name in _COLUMNS if name.startswith("reviewer_"))
Fate = Literal["kept", "reviewer", "rules", "model", "untranslated"]


class Accepted(NamedTuple):
    """What became of review files."""

    questions: list[Question]
    fates: dict[str, Fate]
    """Of each row by its id: kept, or why it was left out."""
    unreviewed: int
    """Questions kept without a reviewer's word."""


def sealed(row: ReviewRow) -> ReviewRow:
    """The row with its seal."""
    return replace(row, seal=_seal(row))


def _seal(row: ReviewRow) -> str:
    values = [getattr(row, name) for name in _COLUMNS if name not in (*_REVIEWERS, "seal")]
    return f"x{sha256_json(values)[:_SEAL]}"  # begins with a letter, so no spreadsheet takes it for a number


def review_file(rows: Sequence[ReviewRow], *, as_csv: bool) -> bytes:
    """Rows as JSON Lines, or as CSV that spreadsheets open as UTF-8 and in which no cell is taken for a formula."""
    if not as_csv:
        return jsonl(rows)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    writer.writerows([_guarded(getattr(row, name)) for name in _COLUMNS] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_TRIGGERS) else cell


def _bare(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_TRIGGERS) else cell


def _cells(row: Row) -> dict[str, str]:
    return {name: _bare(row[name]) for name in _COLUMNS}


def read_review(paths: Sequence[Path]) -> list[tuple[str, ReviewRow]]:
    """The rows of review files, each with its file and line.

    Raises:
        InputError: the first fault, by file and line: a column is missing, what is not the reviewer's was changed, an
            id stands twice, or files are about different countries or languages.
    """
    rows: dict[str, tuple[str, ReviewRow]] = {}
    for path in paths:
        for line, row in read_records(path, ReviewRow, needed=_COLUMNS, convert=_cells):
            where = f"{path}:{line}"
            if isinstance(row, Fault):
                raise InputError(f"{where}: {row.why}")
            if row.id in rows:
                raise InputError(f"{where}: field id: {row.id!r} stands in {rows[row.id][0]} already")
            if row.seal != _seal(row):
                raise InputError(
                    f"{where}: a field that is not the reviewer's was changed; corrections go into "
                    f"{', '.join(_REVIEWERS[:-1])}"
                )
            first = next(iter(rows.values()), (where, row))[1]
            if (row.culture, row.language) != (first.culture, first.language):
                raise InputError(
                    f"{where}: about {row.culture} in {row.language}, the first row about "
                    f"{first.culture} in {first.language}; make a set of each"
                )
            rows[row.id] = where, row
    if not rows:
        raise InputError(f"{paths[0]}: no rows in it")
    return list(rows.values())


def accept(rows: Sequence[tuple[str, ReviewRow]]) -> Accepted:
    """Make questions of reviewed rows.

    A row goes out if its reviewer says that it does not apply. Where no reviewer has said anything, it goes out if the
    rules say ``no``, or else if the model does, or if its translation has a fault.

    Raises:
        InputError: the first fault, by file and line: a reviewer's word or answer that cannot be understood, or none
            left.
    """
    questions: list[Question] = []
    fates: dict[str, Fate] = {}
    unreviewed = 0
    for where, row in rows:
        try:
            word, question, answers = _word(row), row.reviewer_question.strip(), _answers(row)
        except Unfit as error:
            raise InputError(f"{where}: {error}") from error
        text = question or row.transposed
        if word == "yes" and not text:
            raise InputError(f"{where}: field reviewer_question: empty, and there is no translation to take")
        fate = fates[row.id] = _fate(word, text, row)
        if fate == "kept":
            questions.append(_question(row, text, answers, reviewed=bool(word or question or answers)))
            unreviewed += not (word or question or answers)
    if not questions:
        raise InputError(
            "no question is left: reviewers, rules or the model say of each that it does not apply"
        )
    return Accepted(questions, fates, unreviewed)


def _fate(word: str, text: str, row: ReviewRow) -> Fate:
    if word:
        return "kept" if word == "yes" else "reviewer"
    if not text or (row.fault and not row.reviewer_question.strip()):
        return "untranslated"
    if row.applies == "no":
        return "rules"
    return "model" if row.model_applies == "no" else "kept"


def _word(row: ReviewRow) -> str:
    word = row.reviewer_applies.strip().lower()
    if word not in ("", "yes", "no"):
        raise Unfit(f"field reviewer_applies: {row.reviewer_applies[:40]!r} is none of yes, no and nothing")
    return word


def _answers(row: ReviewRow) -> tuple[str | Gold, ...] | None:
    given = row.reviewer_answers
    if isinstance(given, str) and given.strip()[:1] == "[" and given.strip()[-1] != "]":
        raise Unfit("field reviewer_answers: looks like a list and is none")
    try:
        found = golds(msgspec.to_builtins(given), _BETWEEN)
    except Unfit as error:
        raise Unfit(f"field reviewer_answers: {error}") from error
    for gold in found or ():
        for form in (gold,) if isinstance(gold, str) else gold.forms:
            if not any(char.isalnum() for char in form):
                raise Unfit(f"field reviewer_answers: {form!r} says nothing")
    return found or None


def _question(
    row: ReviewRow, text: str, answers: tuple[str | Gold, ...] | None, *, reviewed: bool
) -> Question:
    said = "; ".join(_remarks(row, reviewed=reviewed))
    return Question(
        id=f"{row.id}:{row.culture}",
        question=text,
        answers=answers,
        language=row.language,
        culture=row.culture,
        notes=said,
    )


def _remarks(row: ReviewRow, *, reviewed: bool) -> Iterator[str]:
    yield f"transposed by {row.model} with {row.prompts} from: {row.source}"
    yield "seen by a reviewer" if reviewed else "not reviewed"
    if note := " ".join(row.reviewer_notes.split()):
        yield note
