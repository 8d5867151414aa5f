"""Answers before and after exclusion: which there are, and what share of them is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from homeground.annotate.analysis.exclusion import Excluded
from homeground.annotate.lines import AnswerLine, Group, StudyLine
from homeground.schema import Concept, Estimate
from homeground.statistics.accuracy import accuracy
from homeground.statistics.ceiling import CeilingPart, CeilingShare, HumanCeiling
from homeground.statistics.human_table import HumanCell

ALL = "all"
"""Instead of a concept or a culture: all of them together."""


class Answers(NamedTuple):
    """What a study, or a part of it, has to analyse."""

    study: StudyLine
    lines: tuple[AnswerLine, ...]
    left_out: dict[str, Excluded]
    """Those among the people of ``lines`` whom the rules leave out, by pseudonym."""
    cultures: tuple[str, ...]
    concepts: tuple[Concept, ...]

    @property
    def people(self) -> dict[str, str]:
        """Everybody who gave an answer and has not withdrawn, with their culture."""
        return {line.person: line.culture for line in self.lines if line.person}

    @property
    def withdrawn(self) -> int:
        """Answers of people who withdrew since."""
        return sum(not line.person for line in self.lines)

    def of(
        self, *groups: Group, after: bool = False, culture: str = ALL, concept: str = ALL
    ) -> list[AnswerLine]:
        """The answers to items of some groups; ``after`` leaves out what is excluded."""
        return [
            line
            for line in self.lines
            if line.group in groups
            and (culture in (ALL, line.culture))
            and (concept in (ALL, line.concept))
            and not (after and line.person in self.left_out)
        ]

    def share(self, group: Group, *, after: bool, culture: str = ALL, concept: str = ALL) -> Estimate:
        """Share right of the answers that are right or wrong.

        Clustered by person and by conversation, since a person answers many conversations, and people of several
        cultures answer siblings of one conversation. In simulations of such a study (5 concepts × 23 conversations × 3
        answers, 12 people for each of 4 cultures) these intervals cover 94 to 99 %; clustered by person alone they
        cover 84 to 88 % by concept where conversations differ much in how hard they are.
        """
        judged = [
            line
            for line in self.of(group, after=after, culture=culture, concept=concept)
            if line.correct is not None
        ]
        people = [line.person or place for place, line in enumerate(judged)]
        return accuracy([bool(line.correct) for line in judged], people, [line.scaffold for line in judged])


def cells_of(answers: Answers) -> list[HumanCell]:
    """Every culture and concept that has an answer, as in table 6 of arXiv:2606.17688."""
    found = []
    for culture in answers.cultures:
        for concept in answers.concepts:
            given = answers.of("evaluation", "control", culture=culture, concept=concept)
            if not given:
                continue
            people = {line.person for line in given if line.person}
            kept = answers.of("evaluation", "control", after=True, culture=culture, concept=concept)
            control = any(line.group == "control" for line in given)
            found.append(
                HumanCell(
                    culture=culture, concept=concept, annotators=len(people),
                    annotators_dropped=len(people & answers.left_out.keys()), instances=len(given), kept=len(kept),
                    evaluation=_count(kept, "evaluation"), control=_count(kept, "control") if control else None,
                )
            )  # fmt: skip
    return found


def _count(lines: Sequence[AnswerLine], group: Group) -> tuple[int, int]:
    said = [line.correct for line in lines if line.group == group and line.correct is not None]
    return sum(said), len(said)


def ceiling_of(answers: Answers) -> HumanCeiling:
    """What a report draws: evaluation answers in all, by concept, by culture and by cell."""
    cells = cells_of(answers)
    cultures = dict.fromkeys(cell.culture for cell in cells)
    concepts = [c for c in answers.concepts if c in {cell.concept for cell in cells}]
    by_cell: dict[str, dict[str, CeilingPart]] = {culture: {} for culture in cultures}
    for cell in cells:
        by_cell[cell.culture][cell.concept] = _part(answers, cell.culture, cell.concept)
    return HumanCeiling(
        study=answers.study.id,
        benchmark=answers.study.benchmark,
        judge=answers.study.judge,
        simulated=answers.study.simulated,
        people=len(answers.people),
        excluded=len(answers.left_out),
        withdrawn=answers.withdrawn,
        total=_part(answers),
        by_concept={concept: _part(answers, concept=concept) for concept in concepts},
        by_culture={culture: _part(answers, culture) for culture in cultures},
        by_cell=by_cell,
    )


def _part(answers: Answers, culture: str = ALL, concept: str = ALL) -> CeilingPart:
    def share(*, after: bool) -> CeilingShare:
        found = answers.share("evaluation", after=after, culture=culture, concept=concept)
        return CeilingShare(
            right=round((found.value or 0) * found.n), asked=found.n, low=found.low, high=found.high,
            clusters=found.clusters,
        )  # fmt: skip

    return CeilingPart(before=share(after=False), after=share(after=True))
