"""The starter set on Portugal: its shape, its contrast answers, what its card claims, and what the audit says of it."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import homeground.questions
from homeground.cultures.names import mentions
from homeground.judging.phrases import match_phrase
from homeground.questions import load_questions
from homeground.questions.audit import audit_set
from homeground.schema import Gold, Question

SETS = Path(homeground.questions.__file__).parent / "sets"
NOTES = ("source read", "source not read")


@cache
def items() -> tuple[Question, ...]:
    return tuple(load_questions(SETS / "portuguese.jsonl"))


def forms(answers: tuple[str | Gold, ...] | None) -> list[str]:
    return [
        form for answer in answers or () for form in ((answer,) if isinstance(answer, str) else answer.forms)
    ]


def brazilian(item: Question) -> list[str]:
    return forms((item.contrast or {}).get("BR"))


def test_there_are_enough_questions_and_none_twice() -> None:
    assert len(items()) >= 70
    assert max(Counter(item.id for item in items()).values()) == 1
    assert max(Counter(item.question for item in items()).values()) == 1


def test_every_item_says_what_it_is_and_where_its_answer_stands() -> None:
    for item in items():
        assert (item.language, item.culture) == ("pt-PT", "PT"), item.id
        assert item.source is not None and re.fullmatch(r"https?://[^\s/]+\.[a-z]+/\S+", item.source), item.id
        assert item.notes in NOTES, item.id


def test_every_item_has_one_answer_in_forms_that_are_safe_to_look_for() -> None:
    for item in items():
        assert item.answers is not None and len(item.answers) == 1, item.id
        assert item.options is None
        for form in forms(item.answers):
            assert form == form.strip() and len(form) >= 3, (item.id, form)


def test_questions_are_short_and_name_no_country() -> None:
    for item in items():
        assert item.question.endswith("?") and item.question.count("?") == 1, item.id
        assert len(item.question.split()) <= 20, item.id
        assert not list(mentions(item.question)), item.id
        capitals = re.findall(r"(?<=\s)[A-ZÁÉÍÓÚÂÊÔÃÕÇ]\w*", item.question)
        assert set(capitals) <= {"Páscoa"}, (item.id, capitals)


def test_the_judge_tells_the_answer_from_the_brazilian_one_and_from_the_question() -> None:
    assert sum(bool(brazilian(item)) for item in items()) >= 0.6 * len(items())
    for item in items():
        gold = forms(item.answers)
        for form in gold:
            assert match_phrase(gold, form, language="pt").match, (item.id, form)
            assert not match_phrase(brazilian(item), form, language="pt").match, (item.id, form)
        for form in brazilian(item):
            assert not match_phrase(gold, form, language="pt").match, (item.id, form)
        assert not match_phrase(gold, item.question, language="pt").match, item.id


def test_the_audit_flags_nothing() -> None:
    audited = audit_set(items(), "PT")
    assert [(item.id, flag.guideline, flag.evidence) for item in audited for flag in item.flags] == []
    assert [item.id for item in audited if item.like] == []


def test_the_card_counts_right_and_admits_who_wrote_it() -> None:
    card = (SETS / "portuguese.md").read_text(encoding="utf-8")
    read = sum(item.notes == "source read" for item in items())
    assert card.count(f"{len(items())} questions") == 1
    assert f"{len(items())} perguntas" in card
    assert f"{sum(bool(brazilian(item)) for item in items())} items carry `contrast`" in card
    assert f"{read} read, {len(items()) - read} not read" in card
    assert "a language model" in card and "no native speaker yet" in card
