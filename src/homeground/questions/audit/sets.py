"""The profile of a set: how much of it is flagged for what, which items are worst, which are nearly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from homeground.questions.audit.text import Text
from homeground.questions.audit.tongue import guess
from homeground.questions.audit.verdicts import NO_RULES, RULES, Audited, Rule
from homeground.questions.audit.words import base_code
from homeground.schema import Question


class Count(NamedTuple):
    """In how many questions one guideline is flagged and doubted."""

    rule: Rule
    flagged: int
    unsure: int


class Profile(NamedTuple):
    """What an audit found in a set."""

    items: int
    flagged: int
    languages: dict[str, int]
    """Questions by language, most first; ``?`` where it is not told."""
    counts: tuple[Count, ...]
    """By guideline, in the order of the paper; those that nothing was said of are left out."""
    untold: dict[str, tuple[Rule, ...]]
    """What the rules could not judge, somewhere or everywhere: the reason, and the guidelines."""
    twins: tuple[tuple[str, str], ...]
    """Pairs of ids: a question, and the first that asks nearly the same."""
    worst: tuple[tuple[Question, Audited], ...]
    """Items with flags, worst first."""


def severity(item: Audited) -> float:
    """How bad an item is: the confidence of its surest flag, added up over the guidelines that it breaks."""
    surest: dict[Rule, float] = {}
    for flag in item.flags:
        surest[flag.guideline] = max(flag.confidence, surest.get(flag.guideline, 0.0))
    return sum(surest.values())


def profile(
    questions: Sequence[Question], audited: Sequence[Audited], language_code: str | None = None
) -> Profile:
    """The profile of a set.

    Args:
        questions: the items.
        audited: what the audit said of them, in the same order.
        language_code: their language, where the items do not say it.
    """
    flagged = Counter(rule for item in audited for rule in {flag.guideline for flag in item.flags})
    unsure = Counter(rule for item in audited for rule in {flag.guideline for flag in item.unsure})
    untold: dict[str, dict[Rule, None]] = {}
    for item in audited:
        for rule, why in item.untold.items():
            untold.setdefault(why, {})[rule] = None
    languages = Counter(
        base_code(language_code or item.language) or guess(Text(item.question)) or "?" for item in questions
    )
    ranked = sorted(zip(questions, audited, strict=True), key=lambda pair: -severity(pair[1]))
    return Profile(
        items=len(audited),
        flagged=sum(bool(item.flags) for item in audited),
        languages=dict(languages.most_common()),
        counts=tuple(
            Count(rule, flagged[rule], unsure[rule]) for rule in RULES if flagged[rule] or unsure[rule]
        ),
        untold=_joined(untold),
        twins=tuple((item.id, item.like) for item in audited if item.like is not None),
        worst=tuple(pair for pair in ranked if pair[1].flags),
    )


def _joined(untold: dict[str, dict[Rule, None]]) -> dict[str, tuple[Rule, ...]]:
    """Reasons with their guidelines in order; languages without rules are one reason."""
    order = {rule: place for place, rule in enumerate(RULES)}
    joined: dict[str, tuple[Rule, ...]] = {}
    codes = [why.removeprefix(NO_RULES) for why in untold if why.startswith(NO_RULES)]
    for why, rules in untold.items():
        if why.startswith(NO_RULES):
            why = NO_RULES + ", ".join(codes)
        joined[why] = tuple(sorted({*joined.get(why, ()), *rules}, key=lambda rule: order[rule]))
    return joined
