"""CulturalBench: questions on 45 regions, with four options (Easy) or as four statements to judge (Hard).

Chiu et al., "CulturalBench: A Robust, Diverse, and Challenging Cultural Benchmark by Human-AI CulturalTeaming", ACL
2025. CSV, a row a prompt: Easy has ``question_idx, prompt_question, prompt_option_a … prompt_option_d, answer,
country`` with a letter as answer; Hard has ``prompt_option`` and ``True`` or ``False`` instead. The published files
were not at hand when this was written: the columns are those that public evaluations of them read.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from homeground.questions.importers.intake import Imported, Intake, lettered, text
from homeground.questions.reading import Unfit
from homeground.schema import Question

_NEEDED = ("question_idx", "prompt_question", "answer", "country")
_JUDGED: tuple[str, ...] = ("True", "False")


def read(path: Path, *, culture: str | None = None, language: str | None = None) -> Imported:
    """All prompts, in English unless ``language`` says otherwise.

    A prompt of Hard is the question with one option below it; those of one question are counted from 0.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    intake, places = Intake(culture), Counter[str]()
    for line, row in intake.rows(path, _NEEDED):
        with intake.record(path, line):
            number, asked = text(row, "question_idx"), text(row, "prompt_question")
            if "prompt_option" in row:
                name = f"hard:{number}:{places[number]}"
                places[number] += 1
                asked = f"{asked}\n{text(row, 'prompt_option')}"
                options, gold = _JUDGED, _judged(row)
            else:
                name = f"easy:{number}"
                options = tuple(text(row, f"prompt_option_{letter}") for letter in "abcd")
                gold = lettered(options, text(row, "answer"))
            question = Question(
                id=f"CulturalBench:{name}",
                question=asked,
                answers=(gold,),
                options=options,
                language=language or "en",
                culture=intake.code(row["country"], path, line),
            )
            intake.add(question, path, line)
    return intake.result()


def _judged(row: dict[str, Any]) -> str:
    answer = str(row["answer"]).strip().capitalize()
    if answer not in _JUDGED:
        raise Unfit(f"field answer: {answer!r} is neither True nor False")
    return answer
