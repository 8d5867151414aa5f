"""What stands beside the form: guidelines with what the study added, the audit's verdicts, questions that are alike."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from homeground.annotate.app import draft
from homeground.annotate.app.context import say, study_of
from homeground.annotate.app.guard import Visit
from homeground.annotate.app.words import DEFAULT, languages
from homeground.annotate.store import guidance
from homeground.annotate.store.similar import Similar, similar
from homeground.cultures.local_names import PAGE_LANGUAGES, PageLanguage
from homeground.questions.audit import RULES, Rule, audit_question
from homeground.questions.audit.verdicts import NO_RULES, Flag
from homeground.questions.guidelines import Guideline, Heading, Rejected, Sheet, guidelines
from homeground.schema import Question

_LONGEST = 4_000
"""Characters of a field up to which the audit reads it: far more than can be saved."""
_SHOWN = 160
"""Characters of a span that are shown."""
Mark = Literal["flag", "unsure"]


class Beside(NamedTuple):
    """A guideline with what the study says to it."""

    guideline: Guideline
    note: str
    rejected: tuple[Rejected, ...]


class Group(NamedTuple):
    """Guidelines under a heading."""

    heading: Heading
    guidelines: tuple[Beside, ...]


class Guide(NamedTuple):
    """The guidelines as a page shows them."""

    code: str
    """Language of the package's text."""
    direction: str
    sheet: Sheet
    groups: tuple[Group, ...]


class Marked(NamedTuple):
    """A guideline, or a defect, of which the audit found something."""

    rule: Rule
    title: str
    wanted: str
    """What the guideline asks for, or what is to be done about the defect, in the page's language."""
    mark: Mark
    findings: tuple[Flag, ...]


class Verdicts(NamedTuple):
    """What the audit and the rest of the set say of a question."""

    marked: tuple[Marked, ...]
    people: tuple[tuple[Rule, str], ...]
    """Guidelines that no rule can judge, with their titles: people must look."""
    no_rules: bool
    """There are no rules for the question's language."""
    passed: int
    similar: list[Similar]

    @property
    def marks(self) -> dict[str, Mark]:
        """The mark of each guideline that has one."""
        return {one.rule: one.mark for one in self.marked}


@cache
def _sheet(culture: str, language: str) -> tuple[str, Sheet]:
    """The package's guidelines, in English where they are not in the page's language."""
    known: dict[str, PageLanguage] = {code: code for code in PAGE_LANGUAGES}
    found = known.get(language, known[DEFAULT])
    return found, guidelines(culture, found)


def guide(visit: Visit) -> Guide:
    """The guidelines for the study's culture, with its own notes and bad examples."""
    study = study_of(visit)
    code, sheet = _sheet(study.cultures[0], visit.language)
    added = guidance.newest(visit.store, study.id).added
    groups = tuple(
        Group(
            heading,
            tuple(
                Beside(
                    one,
                    added.notes.get(one.id, ""),
                    tuple(bad for bad in added.rejected if bad.guideline == one.id),
                )
                for one in sheet.guidelines
                if one.group == group
            ),
        )
        for group, heading in sheet.groups.items()
    )
    return Guide(code, languages()[code].direction, sheet, groups)


def titles(visit: Visit) -> dict[Rule, str]:
    """What each guideline and each defect is called on this page."""
    _, sheet = _sheet(study_of(visit).cultures[0], visit.language)
    named: dict[Rule, str] = {one.id: one.title for one in sheet.guidelines}
    return {rule: named.get(rule) or say(visit, f"desk_defect_{rule}") for rule in RULES}


def verdicts(visit: Visit, question: Question, entry: str = "") -> Verdicts | None:
    """What there is to say of a question, perhaps half written; nothing where it is empty or far too long.

    Args:
        visit: whose page it is for.
        question: as typed.
        entry: the one that is being written, if it is in the store already.
    """
    text = question.question
    fields = draft.texts_of(question, tuple(question.contrast or ()))
    if not text.strip() or any(len(field) > _LONGEST for field in fields.values()):
        return None
    study = study_of(visit)
    audited = audit_question(question, study.cultures[0], study.language)
    named, sheet = titles(visit), _sheet(study.cultures[0], visit.language)[1]
    wanted: dict[Rule, str] = {one.id: one.rule for one in sheet.guidelines}
    found = (*audited.flags, *audited.unsure)
    marked = tuple(
        Marked(
            rule,
            named[rule],
            wanted.get(rule) or say(visit, f"desk_defect_wanted_{rule}"),
            "flag" if audited.verdict(rule) == "flag" else "unsure",
            tuple(flag for flag in found if flag.guideline == rule),
        )
        for rule in RULES
        if any(flag.guideline == rule for flag in found)
    )
    return Verdicts(
        marked,
        tuple((rule, named[rule]) for rule in RULES if rule in audited.untold),
        any(why.startswith(NO_RULES) for why in audited.untold.values()),
        len(audited.passed),
        similar(visit.store, study.id, visit.person.id, text, without=entry),
    )


def span(text: str) -> str:
    """A span at a length that can be shown."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
