"""NormAd: stories about etiquette in 75 countries, each acceptable there or not.

Rao et al., "NormAd: A Framework for Measuring the Cultural Adaptability of Large Language Models", NAACL 2025. CSV or
JSON Lines with ``ID, Country, Background, Axis, Subaxis, Value, Rule-of-Thumb, Story, Explanation, Gold Label``; the
label is ``yes``, ``no`` or ``neutral``. Examples without a label have no gold. The story makes the question as it
stands: what is asked about it (is that acceptable?) is in the benchmark's prompts, not in its data.
"""

from __future__ import annotations

from pathlib import Path

from homeground.questions.importers.intake import Imported, Intake, details, text
from homeground.questions.reading import Unfit
from homeground.schema import Question

_NEEDED = ("Country", "Story")
_DETAILS = ("Axis", "Subaxis", "Rule-of-Thumb", "Value", "Explanation")
_LABELS = ("yes", "no", "neutral")


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """All stories, in English unless ``language`` says otherwise.

    A file without identifiers gets the numbers of its lines.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake = Intake(culture)
    for line, row in intake.rows(path, _NEEDED):
        with intake.record(path, line):
            label = text(row, "Gold Label").lower() if "Gold Label" in row else None
            if label is not None and label not in _LABELS:
                raise Unfit(f"field Gold Label: {label!r} is none of {', '.join(_LABELS)}")
            question = Question(
                id=f"NormAd:{text(row, 'ID') if 'ID' in row else line}",
                question=text(row, "Story"),
                answers=None if label is None else (label,),
                options=None if label is None else _LABELS,
                language=language or "en",
                culture=intake.code(row["Country"], path, line),
                notes=details(row, _DETAILS),
            )
            intake.add(question, path, line)
    return intake.result()
