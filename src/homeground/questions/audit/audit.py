"""The audit of one question and of a set: every rule called, every guideline answered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from homeground.questions.audit import form, golds, scope, tongue, twins, wording
from homeground.questions.audit.text import Text
from homeground.questions.audit.verdicts import NO_RULES, Audited, Flag, Rule, gather
from homeground.questions.audit.words import base_code, language
from homeground.schema import Question

_PEOPLE: dict[Rule, str] = {
    "L5": "whether the answer is right takes facts",
    "E2": "whether it belongs to this culture takes its people",
    "E3": "whether everybody there knows it takes its people",
    "D2": "whether big chatbots fail takes asking them",
    "D3": "whether others answer otherwise takes the field contrast",
}
_OF_LANGUAGE: tuple[Rule, ...] = ("L1", "L2", "L3", "L6", "L7", "E4", "E1", "E5", "F6")


def audit_question(
    question: Question,
    culture: str | None = None,
    language_code: str | None = None,
    today: date | None = None,
) -> Audited:
    """Audit one question.

    Args:
        question: the item.
        culture: ISO code of the culture that the set is about; without it the item's own, without that any country's
            name counts.
        language_code: language of the question, such as ``pt`` or ``pt-PT``; without it the item's own, without that it
            is guessed from common words.
        today: the day from which "three years ago" counts; the clock's where it is not given.
    """
    culture = culture or question.culture
    text = Text(question.question)
    tag = language_code or question.language
    code = base_code(tag) or tongue.guess(text)
    rules = language(code) if code else None
    found: list[Flag] = [
        *form.long_or_tangled(text, rules),
        *form.several_questions(text),
        *form.options(question, text),
        *form.not_a_question(text, code, rules),
        *golds.golds(question, text, rules),
        *scope.scope(text, code, rules, culture),
        *tongue.wrong_language(text, code),
        *tongue.wrong_variety(question, code, tag, culture),
        *wording.recent_years(text, today),
    ]
    untold = dict(_PEOPLE)
    if question.contrast:
        del untold["D3"]
    if rules is None:
        said = f"{NO_RULES}{code}" if code else "language not told"
        untold |= dict.fromkeys(_OF_LANGUAGE, said)
    else:
        found += wording.wording(text, rules, one_answer=len(question.answers or ()) == 1)
        found += form.yes_or_no(text, rules)
        found += form.long_form(text, rules, [golds.size_of(f) for f in golds.forms_of(question)])
        rare = form.rare_words(text, rules.code) if rules.spaced else []
        found += rare or []
        if rare is None:
            untold["L1"] = "rare words take the package wordfreq"
    return gather(question.id, found, untold)


def audit_set(
    questions: Sequence[Question],
    culture: str | None = None,
    language_code: str | None = None,
    today: date | None = None,
) -> list[Audited]:
    """Audit all questions of a set, in order; near-duplicates are told by ``like``. Arguments as for one question."""
    audited = [audit_question(item, culture, language_code, today) for item in questions]
    twin = twins.nearly_same(questions)
    return [
        msgspec.structs.replace(item, like=like) if like else item
        for item, like in zip(audited, twin, strict=True)
    ]
