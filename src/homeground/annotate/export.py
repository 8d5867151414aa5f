"""A study's answers as files: JSON Lines and CSV, by pseudonym, without anything that says who somebody is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from homeground.annotate import release
from homeground.annotate.lines import AnswerLine, PersonLine, StudyLine
from homeground.annotate.store import Store, studies
from homeground.annotate.store.studies import Whole
from homeground.annotate.validation.grading import grade
from homeground.errors import InputError
from homeground.files import jsonl, new_folder, write_whole
from homeground.judging import signature
from homeground.report.formats import csv_cell
from homeground.schema import Record


class Line(Record, frozen=True, kw_only=True):
    """One judgement of a cue. ``person`` is a pseudonym, empty once that person has withdrawn; ``made`` is a day."""

    study: str
    culture: str
    kind: str
    cue: str
    before: str
    after: str
    verdict: str
    comment: str
    person: str
    made: str
    item: str
    simulated: bool = False
    """A program made it up."""


def lines(whole: Whole, study: str) -> list[Line] | list[AnswerLine]:
    """All that was said in a study, in the order in which it came."""
    return _answers(whole, study) if whole.kind == "validation" else _cues(whole, study)


def _cues(whole: Whole, study: str) -> list[Line]:
    return [
        Line(
            study=study, culture=s.culture, kind=s.content["kind"], cue=s.content["value"],
            before=s.content["before"], after=s.content["after"], verdict=s.verdict, comment=s.comment,
            person=s.person, made=_day(s.made), item=s.item, simulated=whole.settings.get("simulated", False),
        )
        for s in whole.said
    ]  # fmt: skip


def _answers(whole: Whole, study: str) -> list[AnswerLine]:
    found = []
    for s in whole.said:
        graded = grade(s.content, s.answer, whole.settings["accepted"])
        attention = s.part == "attention"
        line = {
            "study": study, "item": s.item, "group": s.part, "culture": s.culture,
            "concept": "" if attention else s.content["concept"], "asked": s.content["asked"],
            "scaffold": s.content["scaffold"], "value": s.answer["value"], "unit": s.answer["unit"],
            "other": s.answer["other"], "seconds": s.seconds, "person": s.person, "made": _day(s.made),
            "comment": s.comment, "found": graded.found, "correct": graded.correct,
        }  # fmt: skip
        found.append(msgspec.convert(line, AnswerLine))
    return found


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _about(whole: Whole, study: str) -> StudyLine:
    """What a validation study is, for its export."""
    kept = whole.settings
    line = {
        "id": study, "kind": whole.kind, "title": whole.title, "benchmark": kept["benchmark"],
        "judge": signature(), "cultures": kept["cultures"], "concepts": kept["concepts"], "quota": kept["quota"],
        "items_per_cell": kept["items_per_cell"], "control": kept["control"],
        "exclusion": kept["fixed"]["exclusion"], "simulated": kept["simulated"],
        "fixed": datetime.fromtimestamp(kept["fixed_at"], UTC).isoformat(timespec="seconds"),
    }  # fmt: skip
    return msgspec.convert(line, StudyLine)


def csv(said: Sequence[Line] | Sequence[AnswerLine], kind: type[Record]) -> str:
    """Lines as CSV; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    names = kind.__struct_fields__
    table = [names, *([_text(getattr(line, name)) for name in names] for line in said)]
    return "".join(",".join(csv_cell(text) for text in row) + "\n" for row in table)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def export(store: Store, study: str, folder: Path, screened: Path | None = None) -> int:
    """Write what was said to a new folder, as JSON Lines and CSV, beside ``people.jsonl`` and ``consents.jsonl``:
    ``judgements`` of a cue check; ``answers`` and ``study.json`` of a validation study. Of a study of questions, its
    release.

    Args:
        store: the database.
        study: which of its studies.
        folder: a new one.
        screened: of a study of questions: what ``homeground screen`` wrote of it.

    Returns:
        How many judgements, answers or questions there are.

    Raises:
        InputError: the folder is there already and not empty, or a release cannot be made.
    """
    if studies.kind_of(store, study) == "questions":
        return release.write(release.gather(store, study, screened), folder)
    if screened is not None:
        raise InputError(
            f"--screened {screened}: for studies of questions; study {study!r} is of another kind"
        )
    whole = studies.whole(store, study)
    said, validation = lines(whole, study), whole.kind == "validation"
    people = [msgspec.convert(member._asdict(), PersonLine) for member in whole.people]
    name = "answers" if validation else "judgements"
    with new_folder(folder) as made:
        write_whole(made / f"{name}.jsonl", jsonl(said))
        write_whole(made / f"{name}.csv", csv(said, AnswerLine if validation else Line))
        write_whole(made / "people.jsonl", jsonl(people))
        write_whole(made / "consents.jsonl", jsonl(whole.consents))
        if validation:
            write_whole(made / "study.json", msgspec.json.format(msgspec.json.encode(_about(whole, study))))
    return len(said)
