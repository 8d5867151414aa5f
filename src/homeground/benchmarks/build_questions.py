"""Make a question set's folder from a file of questions and answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from homeground.benchmarks.folder import ABOUT
from homeground.benchmarks.question_set import (
    QUESTIONS,
    AboutQuestions,
    QuestionSet,
    check_golds,
    load_question_set,
)
from homeground.cultures.local_names import PageLanguage, local_names
from homeground.errors import InputError
from homeground.files import jsonl, new_folder, read_text
from homeground.questions.pairs import load_questions, screened_by
from homeground.questions.reading import Fault, read_records
from homeground.schema import Question
from homeground.version import __version__

STARTER = "starter"
"""Names the set that comes with the package."""
VERSION = "1"
_LONGEST = 100_000
"""Bytes of what is said of a set."""
_MANY = 6
"""Cultures or languages that a refusal names."""
_HEADING = re.compile(r"^(#{1,5} )", re.MULTILINE)
_CARD = """\
# {name} {version}

{count} questions and answers about {culture}, asked {language}. Does a model answer as people of that culture
would, when nobody says that it is about them, and when somebody does?

- Licence: {licence}
- Answers of other cultures beside the set's own: {siblings}
- Questions that name a source of their answer: {sourced}
- Questions with options, which are not shown to the model: {options}
- Chosen against these models, whose scores on it say nothing: {screened}
- Made into a benchmark by homeground {homeground}

{words}

## What a score on it does not mean

A country is a proxy for a culture, not a person. An answer counts as right if it says one of the accepted forms and no
other candidate; what people there would also say, and the set does not list, counts as wrong. A score stands beside
what no knowledge at all would score: the answers of other cultures, one of them or all.
"""
_NAMED_IN: tuple[PageLanguage, ...] = ("en", "pt")
"""Languages in which a model can be told the culture; names belong to a set's digest."""
_UNKNOWN = "Who wrote the questions, and who checked them, is not said."


def starter() -> Path:
    """The set that comes with the package: Portugal, in European Portuguese."""
    return Path(str(files("homeground.questions"))) / "sets" / "portuguese.jsonl"


def build_questions(
    source: Path | str,
    folder: Path | str,
    *,
    culture: str | None = None,
    culture_name: str | None = None,
    language: str | None = None,
    name: str | None = None,
    licence: str | None = None,
) -> QuestionSet:
    """Write a new question set's folder and load it.

    What a Markdown file beside ``source`` says, of the same name, stands in the card.

    Args:
        source: JSON Lines, a JSON list or CSV, or ``STARTER``.
        folder: where it will stand; must not exist or be empty.
        culture: code; questions that name another are left out. By default the one that all questions name.
        culture_name: English name, for a code that is no country's.
        language: of the questions; those that name another are left out. By default the one that all of them name.
        name: of the set; the file's by default.
        licence: of the questions.

    Raises:
        InputError: naming file and line: a question has no gold, an id stands twice, culture or language are unclear,
            none is left, or ``folder`` is in use; nothing is written.
    """
    shipped = str(source) == STARTER
    path = starter() if shipped else Path(source)
    everything = load_questions(path)
    questions = [
        question
        for question in everything
        if culture in (None, question.culture or culture)
        and language in (None, question.language or language)
    ]
    if not questions:
        raise InputError(
            f"{path}: none of {len(everything):,} questions is of that culture and language; there are "
            f"{_shown(_said(everything, 'culture'))} and {_shown(_said(everything, 'language'))}"
        )
    check_golds(path, questions)
    code = culture or _common(path, questions, "culture")
    if code is None:
        raise InputError(f"{path}: no question says whose culture it is about; give --culture, such as PT")
    spoken = language or _common(path, questions, "language")
    siblings = Counter(other for question in questions for other in question.contrast or ())
    if siblings[code]:
        raise InputError(
            f"{path}: field contrast: {code} is the set's own culture; its answers are the golds"
        )
    about = AboutQuestions(
        name=name or path.stem,
        kind="questions",
        version=VERSION,
        licence=licence or ("Apache-2.0" if shipped else "not stated"),
        culture=code,
        language=spoken,
        screened_by=_screeners(path),
        names={code: _names(path, code, culture_name)} | {one: _sibling(one) for one in sorted(siblings)},
        homeground=__version__,
    )
    with new_folder(Path(folder)) as scratch:
        (scratch / QUESTIONS).write_bytes(jsonl(questions))
        (scratch / ABOUT).write_text(tomli_w.dumps(msgspec.to_builtins(about)), encoding="utf-8")
        (scratch / "README.md").write_text(_card(about, questions, siblings, path), encoding="utf-8")
    return load_question_set(folder)


def _screeners(path: Path) -> tuple[str, ...]:
    records = read_records(path, dict[str, Any])
    return screened_by(record for _, record in records if not isinstance(record, Fault))


def _common(path: Path, questions: Sequence[Question], field: str) -> str | None:
    """What all questions say that say anything."""
    said = _said(questions, field)
    if len(said) > 1:
        raise InputError(f"{path}: field {field}: several: {_shown(said)}; choose one with --{field}")
    return next(iter(said), None)


def _said(questions: Sequence[Question], field: str) -> Counter[str]:
    return Counter(value for question in questions if (value := getattr(question, field)))


def _shown(said: Counter[str]) -> str:
    named = [f"{value} ({count})" for value, count in said.most_common(_MANY)]
    return ", ".join(named) + (f" and {len(said) - _MANY} more" if len(said) > _MANY else "") or "none named"


def _names(path: Path, code: str, given: str | None) -> dict[str, str]:
    if given:
        return {"en": given}
    try:
        return {language: local_names(code, language).culture for language in _NAMED_IN}
    except InputError as error:
        raise InputError(f"{path}: {error}; for another culture give --culture-name") from error


def _sibling(code: str) -> dict[str, str]:
    try:
        return {language: local_names(code, language).culture for language in _NAMED_IN}
    except InputError:
        return {"en": code}


def _card(about: AboutQuestions, questions: Sequence[Question], siblings: Counter[str], path: Path) -> str:
    beside = path.with_suffix(".md")
    words = read_text(beside, _LONGEST).strip() if beside.is_file() and beside != path else _UNKNOWN
    return _CARD.format(
        name=about.name,
        version=about.version,
        count=len(questions),
        culture=about.names[about.culture]["en"],
        language=f"in `{about.language}`" if about.language else "in a language that is not said",
        licence=about.licence,
        siblings=", ".join(f"{code} ({count})" for code, count in sorted(siblings.items())) or "none",
        sourced=sum(question.source is not None for question in questions),
        options=sum(bool(question.options) for question in questions),
        screened=", ".join(f"`{name}`" for name in about.screened_by) or "none",
        homeground=about.homeground,
        words=_HEADING.sub(r"#\1", words),
    )
