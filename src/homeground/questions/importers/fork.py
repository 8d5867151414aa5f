"""FORK: two-option questions on food customs, the culture named, implied or left out.

Palta and Rudinger, "FORK: A Bite-Sized Test Set for Probing Culinary Cultural Biases in Commonsense Reasoning Systems",
Findings of ACL 2023. CSV or JSON Lines with ``ID, Question, Option A, Option B, Answer Key, Country, Type, Dimension``.
"""

from __future__ import annotations

from pathlib import Path

from homeground.questions.importers.intake import Imported, Intake, details, lettered, text
from homeground.schema import Question

_NEEDED = ("ID", "Question", "Option A", "Option B", "Answer Key", "Country")


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """All questions, in English unless ``language`` says otherwise.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake = Intake(culture)
    for line, row in intake.rows(path, _NEEDED):
        with intake.record(path, line):
            options = (text(row, "Option A"), text(row, "Option B"))
            question = Question(
                id=f"FORK:{text(row, 'ID')}",
                question=text(row, "Question"),
                answers=(lettered(options, text(row, "Answer Key")),),
                options=options,
                language=language or "en",
                culture=intake.code(row["Country"], path, line),
                notes=details(row, ("Type", "Dimension")),
            )
            intake.add(question, path, line)
    return intake.result()
