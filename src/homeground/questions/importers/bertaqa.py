"""BertaQA: three-option questions on the Basque Country and on the world, in Basque and in English.

Etxaniz et al., "BertaQA: How Much Do Language Models Know About Local Culture?", NeurIPS 2024. JSON Lines with
``id, category, group, difficulty, question, candidates, answer`` (and ``config``, the language), or CSV with
``candidate0 … candidate2``, which holds the local questions alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from homeground.questions.cells import options as read_options
from homeground.questions.importers.intake import Imported, Intake, details, text
from homeground.questions.reading import Unfit
from homeground.schema import Question

_NEEDED = ("id", "question", "answer")
_WORLD = ("gai orokorrak", "global topics", "global")
"""What the group of questions is called that are about no culture in particular."""


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """Questions of one language, or of all that the file names; English where it names none.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake = Intake(culture)
    for line, row in intake.rows(path, _NEEDED):
        tongue = str(row.get("config") or language or "en")
        if language not in (None, tongue):
            continue
        with intake.record(path, line):
            options, world = _options(row), str(row.get("group", "")).casefold() in _WORLD
            question = Question(
                id=f"BertaQA:{text(row, 'id')}:{tongue}",
                question=text(row, "question"),
                answers=(_chosen(options, text(row, "answer")),),
                options=options,
                language=tongue,
                culture=intake.code("" if world else "Basque Country", path, line),
                notes=details(row, ("category", "group", "difficulty")),
            )
            intake.add(question, path, line)
    return intake.result()


def _options(row: dict[str, Any]) -> tuple[str, ...]:
    if "candidates" not in row:
        return tuple(text(row, f"candidate{number}") for number in range(3))
    found = read_options(row["candidates"]) or ()
    if len(found) < 2 or not all(found):
        raise Unfit("field candidates: not two or more options")
    return found


def _chosen(options: tuple[str, ...], key: str) -> str:
    place = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else -1
    if not 0 <= place < len(options):
        raise Unfit(f"field answer: {key!r} is no number from 0 to {len(options) - 1}")
    return options[place]
