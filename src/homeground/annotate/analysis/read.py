"""Reading an export's folder, and seeing that its lines fit together."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.annotate.lines import AnswerLine, PersonLine, StudyLine
from homeground.errors import InputError
from homeground.files import read_json, read_jsonl

STUDY, ANSWERS, PEOPLE = "study.json", "answers.jsonl", "people.jsonl"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Export(NamedTuple):
    """A validation study as its export tells it."""

    study: StudyLine
    answers: tuple[AnswerLine, ...]
    """In an order of their own, so that nothing hangs on the order of lines."""
    people: tuple[PersonLine, ...]


def read_export(folder: Path) -> Export:
    """Read what ``annotate export`` wrote of a validation study.

    Raises:
        InputError: there is no such export, or its lines do not fit together; names file, line and field.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; name one that 'annotate export' wrote")
    if not (folder / STUDY).is_file():
        raise InputError(f"{folder}: it has no {STUDY}, so it is no export of a validation study")
    study = read_json(folder / STUDY, StudyLine)
    try:
        datetime.fromisoformat(study.fixed)
    except ValueError as error:
        raise InputError(f"{folder / STUDY}: field fixed: {study.fixed!r} is no ISO 8601 time") from error
    people = _people(folder / PEOPLE, study)
    answers = _answers(folder / ANSWERS, study, people)
    return Export(
        study, tuple(sorted(answers, key=msgspec.json.encode)), tuple(people[name] for name in sorted(people))
    )


def _people(path: Path, study: StudyLine) -> dict[str, PersonLine]:
    found: dict[str, PersonLine] = {}
    for number, line in read_jsonl(path, PersonLine):
        if not line.person:
            raise _fault(path, number, "person", "empty; a pseudonym is needed")
        if line.person in found:
            raise _fault(path, number, "person", f"{line.person!r} stands in an earlier line already")
        _known(path, number, "culture", line.culture, study.cultures)
        if line.priming_right > line.priming_asked:
            said = f"{line.priming_right} right of {line.priming_asked} asked"
            raise _fault(path, number, "priming_right", said)
        found[line.person] = line
    return found


def _answers(path: Path, study: StudyLine, people: dict[str, PersonLine]) -> list[AnswerLine]:
    found: list[AnswerLine] = []
    first: dict[tuple[str, str], int] = {}
    for number, line in read_jsonl(path, AnswerLine):
        if line.study != study.id:
            raise _fault(path, number, "study", f"{line.study!r}; {STUDY} is of {study.id!r}")
        _known(path, number, "culture", line.culture, study.cultures)
        if not _DAY.fullmatch(line.made):
            raise _fault(path, number, "made", f"{line.made!r} is no day such as 2026-03-01")
        if problem := _cell(line, study):
            raise _fault(path, number, *problem)
        if line.person:
            who = people.get(line.person)
            if who is None:
                raise _fault(path, number, "person", f"{line.person!r} is not in {PEOPLE}")
            if who.culture != line.culture:
                said = f"{line.culture!r}, but {line.person!r} is of {who.culture!r} in {PEOPLE}"
                raise _fault(path, number, "culture", said)
            before = first.setdefault((line.person, line.item), number)
            if before != number:
                said = f"{line.person!r} has answered {line.item!r} on line {before} already"
                raise _fault(path, number, "item", said)
        found.append(line)
    return found


def _cell(line: AnswerLine, study: StudyLine) -> tuple[str, str] | None:
    """The field of a line that contradicts its group, and how."""
    if line.group == "attention":
        if line.concept:
            return "concept", f"{line.concept!r}; an attention item has none"
        return ("correct", "null; an attention item is right or wrong") if line.correct is None else None
    if line.concept not in study.concepts:
        return "concept", f"{line.concept!r} is none of {', '.join(study.concepts)}"
    if line.group == "evaluation" and line.asked != line.culture:
        return "asked", f"{line.asked!r}; an evaluation item is of the people's own culture, {line.culture!r}"
    if line.group == "control" and line.asked == line.culture:
        return "asked", f"{line.asked!r}; a control item is of another culture"
    return None


def _known(path: Path, number: int, field: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise _fault(path, number, field, f"{name!r} is none of {', '.join(known)}")


def _fault(path: Path, number: int, field: str, said: str) -> InputError:
    return InputError(f"{path}:{number}: field {field}: {said}")
