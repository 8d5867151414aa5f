"""Reading question–answer pairs: JSON Lines with ``id``, ``question``, ``answers``."""

from __future__ import annotations

from pathlib import Path

from homeground.errors import InputError
from homeground.files import read_jsonl
from homeground.schema import Question


def load_questions(path: Path | str) -> list[Question]:
    """All questions of a file, in order.

    Raises:
        InputError: naming file, line and field; an empty file too.
    """
    path = Path(path)
    questions = []
    for line, question in read_jsonl(path, Question):
        if not question.question.strip():
            raise InputError(f"{path}:{line}: field question: empty")
        questions.append(question)
    if not questions:
        raise InputError(f"{path}: no questions in it")
    return questions
