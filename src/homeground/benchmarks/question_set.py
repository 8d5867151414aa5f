"""A question set as a folder: ``benchmark.toml``, ``questions.jsonl`` and a card.

What the plan, runs and reports need of a conversation benchmark it has too, under the same names.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from homeground.benchmarks.folder import ABOUT, Benchmark, is_question_set, load_benchmark
from homeground.cultures.local_names import local_names
from homeground.errors import InputError
from homeground.files import read_bytes, read_toml, sha256_json
from homeground.questions.pairs import load_questions
from homeground.schema import Culture, Gold, Question, Record, Scene

QUESTIONS = "questions.jsonl"


class AboutQuestions(Record, frozen=True, kw_only=True, omit_defaults=True):
    """``benchmark.toml`` of a question set."""

    name: str
    kind: Literal["questions"]
    version: str
    licence: str
    culture: str
    """Code of the culture that the questions are about."""
    language: str | None = None
    """Of the questions, such as ``pt-PT``; TOML has no word for nothing."""
    names: dict[str, dict[str, str]]
    """What the culture, and those whose answers stand beside its own, are called: by code and language."""
    screened_by: tuple[str, ...] = ()
    """Models that the questions were chosen against: their scores stay out of headline claims."""
    homeground: str
    """Version of the code that built it."""


class QuestionSet:
    """A question set in memory. Build one with ``load_question_set``."""

    def __init__(self, folder: Path, about: AboutQuestions, questions: Sequence[Question]) -> None:
        """Keep the questions; ``load_question_set`` has checked them."""
        self.folder = folder
        self.about = about
        self.questions = {question.id: question for question in questions}
        self.scenes: dict[str, Scene] = {}
        """None: nothing is shown."""

    @cached_property
    def cultures(self) -> dict[str, Culture]:
        """The set's culture first, then those whose answers stand beside its own."""
        about = self.about
        codes = dict.fromkeys((about.culture, *about.names))
        return {code: Culture(code=code, name=self.name_of(code, "en"), accepted={}) for code in codes}

    def name_of(self, code: str, language: str) -> str:
        """What a culture is called in a language, in English where that is not known.

        Raises:
            InputError: the set does not name it, and it is no culture that we know.
        """
        names = self.about.names.get(code)
        if names is not None:
            return names.get(language) or names.get("en") or code
        return local_names(code, "pt" if language == "pt" else "en").culture

    @cached_property
    def siblings(self) -> Counter[str]:
        """How many questions have an answer of each other culture."""
        return Counter(code for question in self.questions.values() for code in question.contrast or ())

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that can change a prompt or what counts as right."""
        about = self.about
        return sha256_json([about.culture, about.language, about.names, list(self.questions.values())])

    @property
    def signature(self) -> str:
        """Name, version and the head of the digest, for the signature of every figure."""
        return f"{self.about.name}-{self.about.version}@{self.digest[:8]}"

    def copy_to(self, folder: Path) -> None:
        """Write this set's own files, and no others, into a new folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in (ABOUT, "README.md", QUESTIONS):
            if (self.folder / name).is_file():
                shutil.copyfile(self.folder / name, folder / name)

    def check_images(self) -> None:
        """There are none to check."""


def accepted(answers: Sequence[str | Gold] | None) -> tuple[str, ...]:
    """All forms of all right answers, in order and once each."""
    forms = (form for gold in answers or () for form in ((gold,) if isinstance(gold, str) else gold.forms))
    return tuple(dict.fromkeys(forms))


def load_question_set(folder: Path | str) -> QuestionSet:
    """Load a question set's folder.

    Raises:
        InputError: naming the file, and the line and field where there is one.
    """
    folder = Path(folder)
    about = read_toml(folder / ABOUT, AboutQuestions)
    questions = load_questions(folder / QUESTIONS)
    check_golds(folder / QUESTIONS, questions)
    return QuestionSet(folder, about, questions)


def open_benchmark(folder: Path | str) -> Benchmark | QuestionSet:
    """Load a benchmark's folder of either kind.

    Raises:
        InputError: it is none, or broken.
    """
    return load_question_set(folder) if is_question_set(folder) else load_benchmark(folder)


def check_golds(path: Path, questions: Sequence[Question]) -> None:
    """See that every question has an answer that could be found in what a model says.

    Raises:
        InputError: the first that has none, or one without a letter or digit; an empty gold is in every answer.
    """
    faults = [(question.id, fault) for question in questions if (fault := fault_of(question))]
    if faults:
        name, fault = faults[0]
        more = f" ({len(faults) - 1} more questions have such a fault)" if len(faults) > 1 else ""
        raise InputError(f"{path}:{_line(path, name)}: question {name}: {fault}{more}")


def _line(path: Path, name: str) -> int:
    """The line of a question: its id in quotation marks in JSON, a cell of its own in CSV."""
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
    lines = read_bytes(path).decode("utf-8-sig", errors="replace").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if word.search(line)), 1)


def fault_of(question: Question) -> str:
    """Why a question cannot be scored; empty where it can."""
    if not accepted(question.answers):
        return "field answers: no gold; a question without a right answer cannot be scored"
    named = {"answers": question.answers or ()} | {
        f"contrast.{code}": answers for code, answers in (question.contrast or {}).items()
    }
    for field, answers in named.items():
        if not accepted(answers):
            return f"field {field}: no answer; leave the culture out"
        for form in accepted(answers):
            if not any(char.isalnum() for char in form):
                return f"field {field}: {form!r} says nothing, and would be found in any answer"
    return ""
