"""The lines of a release's files. Persons are pseudonyms, empty once they have withdrawn; times are days, UTC."""

from __future__ import annotations

import msgspec

from homeground.questions.guidelines import GuidelineId, Rejected
from homeground.schema import Estimate, Record


class VersionLine(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One version of a question."""

    version: int
    why: str
    """``written``, ``revised``, ``corrected`` by somebody else, ``merged`` or ``imported``."""
    person: str
    made: str
    guidelines: int
    """Version of the study's guidelines that stood beside the form; 0 for the package's alone."""
    changed: tuple[str, ...] = ()
    """Fields that differ from the version before."""


class VerdictLine(Record, frozen=True, kw_only=True):
    """What an adjudicator decided on a version."""

    version: int
    decision: str
    """``accept``, ``send_back`` or ``reject``."""
    marks: dict[str, str]
    """For each guideline ``keeps``, ``breaks`` or ``unsure``."""
    person: str
    made: str
    guidelines: int


class MergedLine(Record, frozen=True, kw_only=True):
    """A question that asked the same and went into this one."""

    number: int
    round: str
    persons: tuple[str, ...]
    """Who wrote it."""


class LookLine(Record, frozen=True, kw_only=True):
    """A model's answer that somebody looked at while writing."""

    number: int
    """Of the question in the study: this one's, or one's that was merged into it."""
    version: int
    model: str
    condition: str
    text: str
    correct: bool | None
    made: str


class ProvenanceLine(Record, frozen=True, kw_only=True, omit_defaults=True):
    """How one released question came to be."""

    id: str
    """As in the set."""
    number: int
    """In the study."""
    round: str
    """``main``, or ``review`` for one of an imported set."""
    versions: tuple[VersionLine, ...]
    verdicts: tuple[VerdictLine, ...]
    merged: tuple[MergedLine, ...] = ()
    looks: tuple[LookLine, ...] = ()
    original: msgspec.Raw | None = None
    """Of an imported question: the record as it was."""


class GuidelinesLine(Record, frozen=True, kw_only=True):
    """One version of what the study adds to the package's guidelines."""

    version: int
    made: str
    notes: dict[GuidelineId, str]
    rejected: tuple[Rejected, ...]
    """Its bad examples, those alone that the newest version has too."""
    left_out: int
    """Bad examples that it had and that were removed since."""


class MemberLine(Record, frozen=True, kw_only=True):
    """Somebody who takes part and has not withdrawn."""

    person: str
    role: str
    stage: str
    consent: str | None
    """Version of the text agreed to; none before consent, and for admins."""
    wrote: int
    """Released questions that they wrote, revised or corrected a version of."""
    judged: int
    """Verdicts that they made on released questions."""


class Counted(Record, frozen=True, kw_only=True):
    """How many entries of a round have a status."""

    round: str
    status: str
    entries: int


class Flagged(Record, frozen=True, kw_only=True):
    """In how many released questions the audit flags a guideline or defect."""

    rule: str
    title: str
    questions: int


class ReleaseLine(Record, frozen=True, kw_only=True):
    """``release.json``: the figures of the card."""

    study: str
    set: str
    culture: str
    language: str
    simulated: bool
    """People are made up by a program."""
    questions: int
    entries: tuple[Counted, ...]
    verdicts: int
    """Versions with two verdicts of the main round and the review, on which agreement is measured."""
    raw: Estimate
    ac1: Estimate
    alpha: Estimate
    flags: tuple[Flagged, ...]
    screened_by: tuple[str, ...]
    guidelines: int
    homeground: str
