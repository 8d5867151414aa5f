"""TaarofBench: role-played scenes in which Persian ritual politeness is expected, or is not.

Gohari Sadr et al., "We Politely Insist: Your LLM Must Learn the Persian Art of Taarof", EMNLP 2025. JSON Lines with
``Setting, Topic, Type, Environment, User Role, LLM Role, Context, Utterance, Annotations``. The scene and what is said
in it make the question; what is expected of the listener is the gold, a rubric rather than an answer.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from homeground.questions.importers.intake import Imported, Intake, details, text
from homeground.schema import Question

_NEEDED = ("Type", "Context", "Utterance", "Annotations")
_DETAILS = ("Type", "Setting", "Topic", "Environment", "User Role", "LLM Role")


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """All scenes, in English unless ``language`` says otherwise; counted from 0 within their type.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake, places = Intake(culture), Counter[str]()
    for line, row in intake.rows(path, _NEEDED):
        with intake.record(path, line):
            kind = text(row, "Type")
            number, places[kind] = places[kind], places[kind] + 1
            question = Question(
                id=f"TaarofBench:{kind}:{number}",
                question=f'{text(row, "Context")} I say: "{text(row, "Utterance")}"',
                answers=(text(row, "Annotations"),),
                language=language or "en",
                culture=intake.code("Iran", path, line),
                notes=details(row, _DETAILS),
            )
            intake.add(question, path, line)
    return intake.result()
