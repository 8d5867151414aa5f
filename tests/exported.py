"""Exports of validation studies, written as ``annotate export`` writes them, of made-up people."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from homeground.annotate.lines import AnswerLine, Exclusion, Group, PersonLine, StudyLine
from homeground.files import jsonl
from homeground.schema import OBJECTIVE, Concept

METRIC = ("metric",)


def study_line(
    cultures: Sequence[str] = ("FR", "US"),
    concepts: Sequence[Concept] = ("temperature", "price"),
    *,
    benchmark: str = "capri-drawn-1@00000000",
    simulated: bool = False,
    exclusion: Exclusion | None = None,
) -> StudyLine:
    return StudyLine(
        id="people-2026", kind="validation", title="Do people hear the cues?", benchmark=benchmark, judge="judge-2@1",
        cultures=tuple(cultures), concepts=tuple(concepts), quota=3, items_per_cell=29, control=0.2,
        exclusion=exclusion or Exclusion(), fixed="2026-03-01T09:00:00+00:00", simulated=simulated,
    )  # fmt: skip


def person_line(person: str, culture: str = "FR", tries: int = 1) -> PersonLine:
    return PersonLine(
        person=person, culture=culture, years=12, stage="done", consent="1", priming_right=4, priming_asked=5,
        check_tries=tries,
    )  # fmt: skip


def answer_line(
    person: str,
    item: str,
    correct: bool | None,
    *,
    group: Group = "evaluation",
    culture: str = "FR",
    concept: Concept = "temperature",
    scaffold: str = "",
    found: tuple[str, ...] = METRIC,
    seconds: float | None = 12.0,
    unit: str = "°C",
    other: bool = False,
) -> AnswerLine:
    asked = {"evaluation": culture, "control": "US" if culture != "US" else "FR", "attention": ""}[group]
    return AnswerLine(
        study="people-2026", item=item, group=group, culture=culture,
        concept="" if group == "attention" else concept, asked=asked, scaffold=scaffold or item, value="21", unit=unit,
        other=other, seconds=seconds, person=person, made="2026-03-02", comment="", found=found, correct=correct,
    )  # fmt: skip


def write_export(
    folder: Path, study: StudyLine, answers: Iterable[AnswerLine], people: Iterable[PersonLine]
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_bytes(msgspec.json.encode(study))
    (folder / "answers.jsonl").write_bytes(jsonl(answers))
    (folder / "people.jsonl").write_bytes(jsonl(people))
    return folder


def made_up_export(
    folder: Path,
    benchmark: str,
    cultures: Sequence[str],
    concepts: Sequence[Concept] = OBJECTIVE,
    *,
    accepted: dict[str, dict[Concept, tuple[str, ...]]],
    people: int = 8,
    simulated: bool = True,
    seed: int = 1,
) -> Path:
    """A whole study: 29 items a cell, three answers each; most people are right, one a culture is careless."""
    draw = random.Random(seed)
    answers, persons = [], []
    for culture in cultures:
        names = [f"{culture}-p{number:02}" for number in range(people)]
        persons += [person_line(name, culture, draw.choice((1, 1, 2))) for name in names]
        care = {name: draw.uniform(0.85, 0.99) for name in names} | {names[0]: 0.3}
        for concept in concepts:
            right = accepted[culture].get(concept)
            for number in range(29 if right else 0):
                control = number >= 23 and culture != "US"
                for name in draw.sample(names, 3):
                    good = draw.random() < care[name] - 0.12 * control
                    found = (
                        (right if not control else ("imperial",))
                        if good
                        else draw.choice((("imperial",), ()))
                    )
                    typed = draw.random() < 0.04
                    answers.append(
                        answer_line(
                            name if draw.random() < 0.98 else "", f"{culture}-{concept}-{number}", good,
                            group="control" if control else "evaluation", culture=culture, concept=concept,
                            scaffold=f"{concept}-{number}", found=(found or ())[:1],
                            seconds=round(draw.lognormvariate(3, 0.5), 1), other=typed,
                            unit=draw.choice(("jō", "pyeong", "=1+1")) if typed else "°C",
                        )
                    )  # fmt: skip
        for name in names:
            for number in range(2):
                answers.append(
                    answer_line(name, f"{culture}-look-{number}", draw.random() < care[name] + 0.1, group="attention",
                                culture=culture)
                )  # fmt: skip
    return write_export(
        folder, study_line(cultures, concepts, benchmark=benchmark, simulated=simulated), answers, persons
    )
