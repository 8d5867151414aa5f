"""Questions of another set, read for review in a study: a file of questions, a question set's folder, a review file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from homeground.benchmarks.folder import is_question_set
from homeground.benchmarks.question_set import load_question_set
from homeground.errors import InputError
from homeground.questions.pairs import load_questions, screened_by
from homeground.questions.reading import Fault, read_records
from homeground.questions.transposed import accept, read_review
from homeground.schema import Question

LONGEST = 32_768
"""Bytes of a question as JSON: as much as a form can send back."""
_REVIEW = {"transposed", "seal", "reviewer_applies"}
"""Fields that a transposed review file has and no file of questions."""
_MANY = 6


class ForReview(NamedTuple):
    """What of a file can go into a study's queue."""

    questions: list[Question]
    screened_by: dict[str, tuple[str, ...]]
    """Models that a question was chosen against, by its id."""
    left_out: dict[str, int]
    """Why others cannot, and how many they are."""


def for_review(path: Path, culture: str, language: str) -> ForReview:
    """The questions of a file or folder that are about a culture and in a language.

    A question that names another culture or language is left out; one that names none is taken as the study's.

    Args:
        path: JSON Lines, a JSON list or CSV of questions; a question set's folder; or a review file of transposed
            questions, of which those are taken that ``homeground transpose --accept`` would take.
        culture: the study's.
        language: the study's, such as ``pt-PT``.

    Raises:
        InputError: the file cannot be read, or nothing of it fits.
    """
    everything, against = _read(path, culture, language)
    left: Counter[str] = Counter()
    fitting = []
    for question in everything:
        why = _unfit(question, culture, language)
        if why:
            left[why] += 1
        else:
            fitting.append(question)
    if not fitting:
        raise InputError(
            f"{path}: none of {len(everything):,} questions is about {culture} and in {language}: {_said(left)}"
        )
    return ForReview(fitting, against, dict(left.most_common()))


def _read(path: Path, culture: str, language: str) -> tuple[Sequence[Question], dict[str, tuple[str, ...]]]:
    if path.is_dir():
        return _folder(path, culture, language)
    first = next((record for _, record in read_records(path, dict[str, Any])), None)
    if isinstance(first, dict) and first.keys() >= _REVIEW:
        return accept(read_review([path])).questions, {}
    records = [record for _, record in read_records(path, dict[str, Any]) if not isinstance(record, Fault)]
    against = {str(record.get("id")): models for record in records if (models := screened_by([record]))}
    return load_questions(path), against


def _folder(path: Path, culture: str, language: str) -> tuple[Sequence[Question], dict[str, tuple[str, ...]]]:
    if not is_question_set(path):
        raise InputError(
            f"{path}: no question set: right is a folder that 'homeground build questions' wrote"
        )
    found = load_question_set(path)
    about = found.about
    if about.culture != culture or about.language not in (None, language):
        raise InputError(
            f"{path}: a set about {about.culture} in {about.language or 'a language that it does not say'}, "
            f"the study is about {culture} in {language}"
        )
    against = dict.fromkeys(found.questions, about.screened_by) if about.screened_by else {}
    return list(found.questions.values()), against


def _unfit(question: Question, culture: str, language: str) -> str:
    if question.culture not in (None, culture):
        return f"about {question.culture}"
    if question.language not in (None, language):
        return f"in {question.language}"
    if culture in (question.contrast or {}):
        return f"with an answer of {culture} as another culture's"
    if len(msgspec.json.encode(question)) > LONGEST:
        return f"longer than {LONGEST:,} bytes"
    return ""


def _said(left: Counter[str]) -> str:
    named = [f"{count:,} {why}" for why, count in left.most_common(_MANY)]
    return ", ".join(named) + (f" and {len(left) - _MANY} other reasons" if len(left) > _MANY else "")
