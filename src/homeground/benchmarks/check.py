"""Check a benchmark folder beyond loading it: slots, images, what every conversation needs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from homeground.benchmarks.folder import Benchmark, image_problem, load_benchmark
from homeground.benchmarks.question_set import load_question_set
from homeground.dialogues.scaffolds import problems, takes_part
from homeground.schema import CONCEPTS, Record


class ConceptCount(Record, frozen=True, kw_only=True):
    """How much there is of one concept."""

    scenes: int
    scaffolds: int
    conversations: int


class CheckResult(Record, frozen=True, kw_only=True):
    """What a check found; a sound benchmark has no problems."""

    scenes: int
    scaffolds: int
    conversations: int
    concepts: dict[str, ConceptCount]
    problems: tuple[str, ...]


class QuestionCounts(Record, frozen=True, kw_only=True):
    """What a question set holds; one that loads at all has no problems."""

    questions: int
    culture: str
    language: str | None
    contrast: dict[str, int]
    """How many questions have an answer of each other culture."""

    @property
    def summary(self) -> str:
        """In one line."""
        beside = ", ".join(f"{code} {count}" for code, count in self.contrast.items()) or "none"
        spoken = f", in {self.language}" if self.language else ""
        return f"{self.questions} questions about {self.culture}{spoken}; answers of other cultures: {beside}"


def check_questions(folder: Path | str) -> QuestionCounts:
    """Load a question set's folder, with all its checks, and count.

    Raises:
        InputError: naming file, line and field.
    """
    loaded = load_question_set(folder)
    return QuestionCounts(
        questions=len(loaded.questions),
        culture=loaded.about.culture,
        language=loaded.about.language,
        contrast=dict(sorted(loaded.siblings.items())),
    )


def check_benchmark(folder: Path | str) -> CheckResult:
    """Count and verify everything in a benchmark folder.

    Raises:
        InputError: the folder cannot be loaded at all.
    """
    benchmark = load_benchmark(folder, strict=False)
    found = [*_image_problems(benchmark), *_scaffold_problems(benchmark), *_cue_problems(benchmark)]
    concept_of = {s.id: s.concept for s in benchmark.scaffolds.values()}
    scenes = Counter(s.concept for s in benchmark.scenes.values())
    scaffolds = Counter(concept_of.values())
    conversations = Counter(concept_of[scaffold] for scaffold, _ in benchmark.cues)
    return CheckResult(
        scenes=len(benchmark.scenes),
        scaffolds=len(benchmark.scaffolds),
        conversations=len(benchmark.cues),
        concepts={
            c: ConceptCount(scenes=scenes[c], scaffolds=scaffolds[c], conversations=conversations[c])
            for c in CONCEPTS
            if scenes[c]
        },
        problems=tuple(found),
    )


def _image_problems(benchmark: Benchmark) -> list[str]:
    found = []
    for line, scene in enumerate(benchmark.scenes.values(), start=1):
        where = f"scenes.jsonl:{line}: scene {scene.id}"
        problem = image_problem(benchmark.folder, scene)
        if problem:
            found.append(f"{where}: {problem}")
        if not scene.plausible[0] <= scene.value <= scene.plausible[1]:
            found.append(f"{where}: value {scene.value:g} lies outside its plausible range")
    return found


def _scaffold_problems(benchmark: Benchmark) -> list[str]:
    return [
        f"scaffolds.jsonl:{line}: scaffold {scaffold.id}: {problem}"
        for line, scaffold in enumerate(benchmark.scaffolds.values(), start=1)
        for problem in problems(list(scaffold.turns))
    ]


def _cue_problems(benchmark: Benchmark) -> list[str]:
    found = []
    for scaffold in benchmark.scaffolds.values():
        for culture in benchmark.cultures.values():
            there = (scaffold.id, culture.code) in benchmark.cues
            if there != takes_part(culture, scaffold.concept):
                word = "misses" if not there else "has, against the protocol,"
                found.append(f"cues.jsonl: scaffold {scaffold.id} {word} cues for {culture.code}")
    for line, pair in enumerate(benchmark.cues.values(), start=1):
        kinds = tuple(slot.kind for slot in benchmark.scaffolds[pair.scaffold].slots)
        for cues in (pair.cues, pair.placebo or pair.cues):
            if tuple(cue.kind for cue in cues) != kinds:
                found.append(f"cues.jsonl:{line}: kinds of cue differ from the scaffold's slots {kinds}")
        names = (benchmark.cultures[pair.culture].name.removeprefix("the "),)
        for cue in (*pair.cues, *(pair.placebo or ())):
            if any(name.casefold() in cue.value.casefold() for name in names):
                found.append(f"cues.jsonl:{line}: cue {cue.value!r} states the country outright")
    return found
