"""What every importer gives back, and how it gathers that: questions, and by name whatever was not taken."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from homeground.files import field_error
from homeground.questions.cells import plain
from homeground.questions.importers.places import place
from homeground.questions.reading import Fault, Unfit, read_records
from homeground.schema import Gold, Question

T = TypeVar("T")


class Told(NamedTuple):
    """Something about one record of a file."""

    file: str
    where: str
    """Line number, or the record's identifier where the format has no lines."""
    why: str

    def __str__(self) -> str:
        """One line, as an error would say it."""
        return f"{self.file}:{self.where}: {self.why}"


class Imported(NamedTuple):
    """A benchmark's questions in our form."""

    questions: tuple[Question, ...]
    rejected: tuple[Told, ...]
    """Records that were not taken."""
    remarks: tuple[Told, ...] = ()
    """Records that were taken otherwise than they stand in the file."""


class Intake:
    """Gathers questions from one or more files."""

    def __init__(self, culture: str | None = None) -> None:
        """``culture`` is a code that goes before whatever the files say."""
        self._culture = culture
        self._questions: dict[str, tuple[Question, Told]] = {}
        self._rejected: list[Told] = []
        self._remarks: list[Told] = []

    def result(self) -> Imported:
        """All that was gathered."""
        questions = tuple(question for question, _ in self._questions.values())
        return Imported(questions, tuple(self._rejected), tuple(self._remarks))

    def reject(self, file: Path, where: object, why: str) -> None:
        """Leave a record out, and say so."""
        self._rejected.append(Told(str(file), str(where), why))

    def remark(self, file: Path, where: object, why: str) -> None:
        """Say that a record was taken otherwise than it stands."""
        self._remarks.append(Told(str(file), str(where), why))

    @contextlib.contextmanager
    def record(self, file: Path, where: object) -> Iterator[None]:
        """One record: an ``Unfit`` in it leaves it out."""
        try:
            yield
        except Unfit as error:
            self.reject(file, where, str(error))

    def rows(self, file: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of CSV, JSON Lines or a JSON list, each with its line; what is none is rejected.

        Raises:
            InputError: the file as a whole cannot be read.
        """
        for line, row in read_records(file, dict[str, Any], needed=needed):
            if isinstance(row, Fault):
                self.reject(file, line, row.why)
            elif missing := [name for name in needed if name not in row]:
                self.reject(file, line, f"field {missing[0]}: missing")
            else:
                yield line, row

    def code(self, name: object, file: Path, where: object) -> str | None:
        """The culture that a name means; one that is not known stays as it is, and is remarked upon."""
        text = plain("" if name is None else name)
        if self._culture or not text:
            return self._culture
        found = place(text)
        if found is None:
            self.remark(file, where, f"no culture is known as {text!r}; the name stands for its code")
        return found.culture if found else text

    def has(self, question: Question) -> bool:
        """Whether the same question is there already, under the same identifier."""
        known = self._questions.get(question.id)
        return known is not None and known[0].question == question.question

    def add(self, question: Question, file: Path, where: object) -> None:
        """Take a question.

        Golds lose blank forms, and forms that stand twice; both of no consequence to what counts as right.

        Raises:
            Unfit: no question, no gold that could be right, or an identifier that is taken already.
        """
        if not question.question.strip():
            raise Unfit("the question is blank")
        answers = question.answers
        if answers is not None:
            golds = [_clean(gold) for gold in answers]
            answers = tuple(gold for gold in golds if gold is not None)
            if not answers:
                raise Unfit(f"no gold: {'no answer is given' if not golds else 'every answer is blank'}")
            lost = [gold for gold, kept in zip(question.answers or (), golds, strict=True) if kept is None]
            if lost:
                votes = sum(gold.count or 0 for gold in lost if isinstance(gold, Gold))
                self.remark(
                    file, where, f"{len(lost)} of {len(golds)} golds blank and left out ({votes} votes)"
                )
        known = self._questions.get(question.id)
        if known is not None:
            raise Unfit(f"the identifier {question.id!r} is taken by {known[1].file}:{known[1].where}")
        question = msgspec.structs.replace(question, question=question.question.strip(), answers=answers)
        self._questions[question.id] = question, Told(str(file), str(where), "")


def _clean(gold: str | Gold) -> str | Gold | None:
    if isinstance(gold, str):
        return gold.strip() or None
    forms = tuple(dict.fromkeys(form.strip() for form in gold.forms if form.strip()))
    return msgspec.structs.replace(gold, forms=forms) if forms else None


def text(row: dict[str, Any], name: str) -> str:
    """A field's text, stripped.

    Raises:
        Unfit: it is empty, or no text.
    """
    value = row.get(name)
    try:
        found = "" if value is None else plain(value)
    except Unfit as error:
        raise Unfit(f"field {name}: {error}") from error
    if not found:
        raise Unfit(f"field {name}: empty")
    return found


def details(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """Other fields of a record, as notes; empty ones are passed over."""
    found = {name: row[name] for name in names if row.get(name) not in (None, "")}
    return "; ".join(f"{name}: {' '.join(str(value).split())}" for name, value in found.items()) or None


def lettered(options: tuple[str, ...], key: str) -> str:
    """The option that a letter means, ``A`` for the first.

    Raises:
        Unfit: there is no such option.
    """
    place = ord(key.upper()) - ord("A") if len(key) == 1 else -1
    if not 0 <= place < len(options):
        raise Unfit(f"the answer key {key!r} means none of {len(options)} options")
    return options[place]


def converted(data: bytes, shape: type[T]) -> T:
    """JSON as a record.

    Raises:
        Unfit: it is none.
    """
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise Unfit(field_error(error)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unfit(f"not valid JSON: {error}") from error
