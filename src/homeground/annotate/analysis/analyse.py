"""From an export to its tables and to the ceiling that a report draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from homeground.annotate.analysis.answers import Answers, ceiling_of
from homeground.annotate.analysis.exclusion import Excluded, excluded
from homeground.annotate.analysis.read import Export
from homeground.annotate.analysis.tables import tables_of
from homeground.annotate.lines import PersonLine
from homeground.errors import unknown
from homeground.experiments.table import Table
from homeground.report.numbers import percent
from homeground.statistics.ceiling import HumanCeiling


class Analysis(NamedTuple):
    """What a study comes to."""

    excluded: tuple[Excluded, ...]
    priming: str
    """How people came to the items, in a line; empty where nobody did."""
    ceiling: HumanCeiling
    tables: list[Table]


def analyse(export: Export, cultures: Sequence[str] = (), concepts: Sequence[str] = ()) -> Analysis:
    """Analyse a study, or some cultures and concepts of it.

    Who is left out follows from all that a person answered, whatever part is analysed.

    Args:
        export: the study.
        cultures: codes; all by default.
        concepts: likewise.

    Raises:
        InputError: the study has no such culture or concept.
    """
    study = export.study
    for noun, names, known in (("culture", cultures, study.cultures), ("concept", concepts, study.concepts)):
        for name in names:
            if name not in known:
                raise unknown(noun, name, known)
    wanted = tuple(code for code in study.cultures if not cultures or code in cultures)
    about = tuple(name for name in study.concepts if not concepts or name in concepts)
    lines = tuple(
        line
        for line in export.answers
        if line.culture in wanted and (line.group == "attention" or line.concept in about)
    )
    those = {line.person for line in lines}
    left_out = {
        person: one for person, one in excluded(export.answers, study.exclusion).items() if person in those
    }
    answers = Answers(study, lines, left_out, wanted, about)
    priming = _priming([person for person in export.people if person.culture in wanted])
    return Analysis(tuple(left_out.values()), priming, ceiling_of(answers), tables_of(answers, priming))


def _priming(people: Sequence[PersonLine]) -> str:
    asked = sum(person.priming_asked for person in people)
    tries = [person.check_tries for person in people if person.check_tries]
    parts = []
    if asked:
        right = sum(person.priming_right for person in people)
        parts.append(f"Priming: {right} of {asked} answers right ({percent(right / asked)}).")
    if tries:
        first = tries.count(1)
        parts.append(
            f"Comprehension check: {first} of {len(tries)} people tried it once, {len(tries) - first} more often."
        )
    failed = sum(person.stage == "screened_out" for person in people)
    parts += [f"Screened out: {failed}."] if failed else []
    return " ".join(parts)
