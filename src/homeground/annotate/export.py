"""A study's judgements as files: JSON Lines and CSV, by pseudonym, without anything that says who somebody is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from homeground.annotate.store import Store, studies
from homeground.files import jsonl, new_folder, write_whole
from homeground.report.formats import csv_cell
from homeground.schema import Record


class Line(Record, frozen=True, kw_only=True):
    """One judgement. ``person`` is a pseudonym, empty once that person has withdrawn; ``made`` is a day."""

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


def lines(store: Store, study: str) -> list[Line]:
    """All judgements of a study in the order in which they came."""
    return [
        Line(
            study=study, culture=s.culture, kind=s.content["kind"], cue=s.content["value"],
            before=s.content["before"], after=s.content["after"], verdict=s.verdict, comment=s.comment,
            person=s.person, made=datetime.fromtimestamp(s.made, UTC).date().isoformat(), item=s.item,
        )
        for s in studies.said(store, study)
    ]  # fmt: skip


def csv(judgements: list[Line]) -> str:
    """Judgements as CSV; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    names = Line.__struct_fields__
    table = [names, *([getattr(line, name) for name in names] for line in judgements)]
    return "".join(",".join(csv_cell(text) for text in row) + "\n" for row in table)


def export(store: Store, study: str, folder: Path) -> int:
    """Write ``judgements.jsonl``, ``judgements.csv``, ``people.jsonl`` and ``consents.jsonl`` to a new folder.

    Returns:
        How many judgements there are.

    Raises:
        InputError: the folder is there already and not empty.
    """
    judgements = lines(store, study)
    with new_folder(folder) as made:
        write_whole(made / "judgements.jsonl", jsonl(judgements))
        write_whole(made / "judgements.csv", csv(judgements))
        write_whole(made / "people.jsonl", jsonl(studies.people(store, study)))
        write_whole(made / "consents.jsonl", jsonl(studies.consents(store)))
    return len(judgements)
