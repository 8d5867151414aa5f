"""The lines of a validation study's export: what the store writes and the analysis reads.

``answers.jsonl`` holds an ``AnswerLine`` an answer, ``people.jsonl`` a ``PersonLine`` a person who has not withdrawn,
``study.json`` one ``StudyLine``.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from homeground.schema import Concept, Record

Group: TypeAlias = Literal["evaluation", "control", "attention"]
Count: TypeAlias = Annotated[int, Meta(ge=0)]


class Exclusion(Record, frozen=True, kw_only=True):
    """Who is left out, as whole people: fixed before the first answer, and blind to every evaluation answer."""

    control_share: Annotated[float, Meta(ge=0, le=1)] = 0.5
    """Fewest right of the control answers that a person may have."""
    control_fewest: Annotated[int, Meta(ge=1)] = 3
    """Control answers from which on ``control_share`` applies."""
    attention_missed: Count = 1
    """Most attention items that a person may miss."""


class AnswerLine(Record, frozen=True, kw_only=True):
    """One answer of one person who played the chatbot."""

    study: str
    item: str
    group: Group
    """``evaluation``: a conversation of the person's own culture; ``control``: of another; ``attention``: an item that
    says what to answer."""
    culture: str
    """Whose people answer: the culture of the cell."""
    concept: Concept | Literal[""]
    """Empty for attention items."""
    asked: str
    """Code of the culture whose conversation it is; empty for attention items."""
    scaffold: str
    value: str
    unit: str
    """As chosen, or as typed."""
    other: bool
    """The unit was typed."""
    seconds: Annotated[float, Meta(ge=0)] | None
    """Time on task; none where nobody knows."""
    person: str
    """A pseudonym; empty once that person has withdrawn."""
    made: str
    """A day."""
    comment: str
    found: tuple[str, ...]
    """Systems or currencies that the judge read, as ``Reading.found``."""
    correct: bool | None
    """By the ``careful`` rulebook; of an attention item, as instructed. None where nothing is right or wrong."""


class PersonLine(Record, frozen=True, kw_only=True):
    """Somebody who takes part and has not withdrawn."""

    person: str
    culture: str
    years: int | None
    """Lived there, of the last 15."""
    stage: Literal[
        "consent", "eligibility", "priming", "instructions", "check", "items", "done", "screened_out"
    ]
    consent: str | None
    """Version of the text agreed to; none before consent."""
    priming_right: Count
    priming_asked: Count
    check_tries: Count
    debrief: tuple[str, ...] = ()
    """What they wanted to tell at the end, the first first."""


class StudyLine(Record, frozen=True, kw_only=True):
    """The study behind an export."""

    id: str
    kind: Literal["validation"]
    title: str
    benchmark: str
    """Signature of the benchmark whose conversations were answered."""
    judge: str
    """Signature of the judge that read the answers."""
    cultures: tuple[str, ...]
    concepts: tuple[Concept, ...]
    quota: Annotated[int, Meta(ge=1)]
    """Answers that each item gets."""
    items_per_cell: Annotated[int, Meta(ge=1)]
    control: Annotated[float, Meta(ge=0, le=1)]
    """Share of control items among them."""
    exclusion: Exclusion
    fixed: str
    """When the exclusion rules were recorded (ISO 8601): before the first answer."""
    simulated: bool
    """Whether a program made the answers up, as in a demo: then nothing here was said by people."""
