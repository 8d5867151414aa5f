"""What people reach on the conversations that models are asked about: the ceiling of a model's accuracy.

The record between a validation study and a report. Shares are of evaluation answers, conversations of the people's own
culture; ``before`` counts everybody, ``after`` leaves out those whom the study's exclusion rules leave out.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from homeground.files import sha256_json
from homeground.schema import Estimate, Record

_ROUNDING = 1e-9
_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class CeilingShare(Record, frozen=True, kw_only=True):
    """Right answers, with the 95 % interval of their share."""

    right: _Count
    asked: _Count
    low: _Share | None
    """None where there is no interval: no answer, or fewer than two people or conversations."""
    high: _Share | None
    clusters: _Count
    """People or conversations, whichever are fewer."""

    def __post_init__(self) -> None:
        """Refuse what is no share of a count with an interval around it."""
        if self.right > self.asked:
            raise ValueError(f"{self.right} right of {self.asked} asked")
        if self.low is None or self.high is None:
            if self.low != self.high:
                raise ValueError("an interval has both low and high, or neither")
        elif not self.asked or not self.low - _ROUNDING <= self.right / self.asked <= self.high + _ROUNDING:
            raise ValueError(f"{self.right} of {self.asked} lies outside low {self.low} to high {self.high}")

    @property
    def estimate(self) -> Estimate | None:
        """As an estimate; none without any answer."""
        if not self.asked:
            return None
        return Estimate(
            value=self.right / self.asked, low=self.low, high=self.high, se=None, n=self.asked, clusters=self.clusters
        )  # fmt: skip


class CeilingPart(Record, frozen=True, kw_only=True):
    """One part of a study, without and with its exclusion rules."""

    before: CeilingShare
    after: CeilingShare


class HumanCeiling(Record, frozen=True, kw_only=True):
    """``people.json``: what the people of a study reach."""

    study: str
    benchmark: str
    """Signature of the benchmark whose conversations they answered, at level ``implicit``."""
    judge: str
    """Signature of the judge that read their answers."""
    simulated: bool
    """Whether a program made the answers up."""
    people: _Count
    """Who gave an answer and has not withdrawn."""
    excluded: _Count
    """Of these, left out by the rules."""
    withdrawn: _Count
    """Answers of people who withdrew since; each counts as a person of its own."""
    total: CeilingPart
    by_concept: dict[str, CeilingPart]
    by_culture: dict[str, CeilingPart]
    by_cell: dict[str, dict[str, CeilingPart]]
    """By culture, then by concept."""

    @property
    def signature(self) -> str:
        """Names the study, with the head of a hash over all of its figures."""
        made_up = " (simulated)" if self.simulated else ""
        return f"people:{self.study}@{sha256_json(self)[:8]}{made_up}"
