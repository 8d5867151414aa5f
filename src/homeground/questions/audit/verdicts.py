"""What the audit says: findings about one question, for each of the fifteen guidelines and seven defects of an item."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from homeground.questions.guidelines import GuidelineId
from homeground.schema import Record

Defect: TypeAlias = Literal["F1", "F2", "F3", "F4", "F5", "F6", "F7"]
"""No gold, empty gold, dangerous or very short gold, multiple choice, no question, rubric as gold, long-form answer."""
Rule: TypeAlias = GuidelineId | Defect
Verdict: TypeAlias = Literal["pass", "flag", "cannot tell"]
Field: TypeAlias = Literal["question", "answers", "options"]

RULES: tuple[Rule, ...] = (*get_args(GuidelineId), *get_args(Defect))
"""All identifiers, in the order of the paper, defects last."""


def told(sure: bool) -> Literal["flag", "cannot tell"]:
    """The verdict of a rule that found something: a flag if it is sure."""
    return "flag" if sure else "cannot tell"


NO_RULES = "no rules for "
"""Begins the reason why a guideline is untold in a language."""


class Flag(Record, frozen=True, kw_only=True):
    """One finding about one question."""

    guideline: Rule
    verdict: Literal["flag", "cannot tell"] = "flag"
    evidence: str
    """The span as it stands in the item; empty where something is missing."""
    why: str
    confidence: float
    """How far to trust the rule, from 0 to 1: 0.9 and more where it sees the thing itself (a question mark is missing),
    about 0.8 where words nearly always mean it, 0.6 and less where they often do. Set by hand, not fitted."""
    field: Field = "question"
    """Where the evidence stands."""


class Audited(Record, frozen=True, kw_only=True):
    """A question's findings; no flags is the good case.

    Every guideline and defect is in exactly one place: flagged, doubted (``unsure``), out of the rules' sight
    (``untold``), or passed.
    """

    id: str
    flags: tuple[Flag, ...]
    unsure: tuple[Flag, ...] = ()
    """Findings with the verdict "cannot tell": a person should look."""
    untold: dict[Rule, str] = msgspec.field(default_factory=dict)
    """Guidelines that no rule can judge here, each with the reason."""
    passed: tuple[Rule, ...] = ()
    like: str | None = None
    """The first question of the set that asks nearly the same, by its id."""

    def verdict(self, rule: Rule) -> Verdict:
        """The verdict on one guideline or defect."""
        if any(flag.guideline == rule for flag in self.flags):
            return "flag"
        return "pass" if rule in self.passed else "cannot tell"


def gather(item: str, findings: list[Flag], untold: dict[Rule, str]) -> Audited:
    """One question's findings in order, each span once; what nothing was said of has passed."""
    once = dict.fromkeys(findings)
    order = {rule: place for place, rule in enumerate(RULES)}
    found = sorted(once, key=lambda finding: order[finding.guideline])
    flagged = {finding.guideline for finding in found if finding.verdict == "flag"}
    doubted = {finding.guideline for finding in found} - flagged
    return Audited(
        id=item,
        flags=tuple(finding for finding in found if finding.verdict == "flag"),
        unsure=tuple(finding for finding in found if finding.verdict != "flag"),
        untold={rule: why for rule, why in untold.items() if rule not in flagged | doubted},
        passed=tuple(rule for rule in RULES if rule not in flagged | doubted | untold.keys()),
    )
