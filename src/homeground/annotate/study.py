"""``study.toml``, and what a study of each kind is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from homeground.annotate import cue_check
from homeground.annotate.lines import Exclusion
from homeground.annotate.store.leases import Load
from homeground.annotate.store.people import PLATFORMS
from homeground.annotate.store.studies import NewItem
from homeground.annotate.validation import items as validation
from homeground.annotate.validation import priming
from homeground.annotate.validation.grading import Accepted
from homeground.benchmarks import Benchmark, load_benchmark
from homeground.cultures.facts import territory_codes
from homeground.cultures.library import codes
from homeground.errors import InputError, unknown
from homeground.files import read_toml
from homeground.schema import Concept, Record

Kind = Literal["cue-check", "validation", "questions"]


class StudyFile(Record, frozen=True, kw_only=True):
    """A study as its file says it."""

    id: str
    kind: Kind
    title: str
    contact: str
    """Whom people can write to; shown on the consent page."""
    cultures: tuple[str, ...]
    benchmark: str = ""
    """A benchmark's folder, beside the file. A cue check without one takes the cues of the culture files."""
    quota: int = 0
    """Judgements that each item gets; 0 for the kind's own: 3 in a cue check, else 1. Questions: how many adjudicators
    decide on each, 1 or 2; where two differ, a third breaks the tie."""
    lease_minutes: float = 20
    per_person: int = 0
    """Items that one person gets at most; 0 for all of their culture."""
    completion_code: str = ""
    screen_out_code: str = ""
    completion_urls: dict[str, str] = {}  # noqa: RUF012  (msgspec copies it for each record)
    """Where each recruitment platform wants people sent at the end, with ``{code}`` in the code's place; Prolific's is
    known."""
    consent: dict[str, str] = {}  # noqa: RUF012
    """Your own consent text by language, paragraphs apart by an empty line; where a language has none, the
    first of them; with none at all, a short plain text."""
    retention_days: int = 0
    """Days after which who somebody is gets erased; 0 for never."""
    simulated: bool = False
    """People are made up by a program; every table of the study says so."""
    concepts: tuple[str, ...] = ()
    """Validation: the concepts asked about; all objective ones unless some are named."""
    items_per_cell: int = 29
    """Validation: items of each culture and concept."""
    control: float = 0.2
    """Validation: share of them that are conversations of the control culture."""
    control_culture: str = "US"
    attention_every: int = 12
    """Validation: after about how many items an attention item comes; 0 for none."""
    seed: int = 1
    """Validation: draws the items."""
    exclusion: Exclusion = Exclusion()
    """Validation: whose answers are left out; fixed once the first answer is in."""

    language: str = ""
    """Questions: BCP 47 tag of the language that they are written in, such as ``pt-PT``."""
    siblings: tuple[str, ...] = ()
    """Questions: cultures whose answers writers are asked for beside their own, by code."""
    try_on: tuple[str, ...] = ()
    """Questions: models that writers may try a question on, such as ``embedded:smollm2-135m``; each look is kept."""
    name: str = ""
    """Questions: of the released set; the study's id without it."""
    licence: str = ""
    """Questions: under which the set is released, and to which writers agree."""

    @property
    def judgements(self) -> int:
        """Judgements that each item gets; of a question, how many adjudicators."""
        return self.quota or (3 if self.kind == "cue-check" else 1)

    @property
    def load(self) -> Load:
        """What is handed out to whom."""
        asks = self.kind == "validation"
        return Load(
            self.judgements, self.lease_minutes, self.per_person, self.control if asks else 0,
            self.attention_every if asks else 0,
        )  # fmt: skip

    def settings(self, material: Material) -> dict[str, object]:
        """What the store keeps beside the load, for the export."""
        if self.kind == "questions":
            names = ("simulated", "cultures", "language", "siblings", "name", "licence")
            return {name: getattr(self, name) for name in names}
        return {
            "simulated": self.simulated,
            "items_per_cell": self.items_per_cell,
            "cultures": self.cultures,
            "concepts": validation.concepts_of(self.concepts),
            "benchmark": material.benchmark,
            "accepted": material.accepted,
        }

    @property
    def fixed(self) -> dict[str, object]:
        """What nobody may change once there are answers."""
        return {"exclusion": msgspec.to_builtins(self.exclusion)} if self.kind == "validation" else {}


class Material(NamedTuple):
    """What a study is made of, beside its file."""

    items: tuple[NewItem, ...] = ()
    benchmark: str = ""
    """Signature of the benchmark that the items are from."""
    accepted: Accepted = MappingProxyType({})
    """What counts as right, by culture and concept."""
    pictures: Mapping[str, Path] = MappingProxyType({})
    """Files of pictures by SHA-256."""
    priming: Mapping[str, tuple[priming.Question, ...]] = MappingProxyType({})
    """Priming questions by culture."""


def load_study(path: Path) -> tuple[StudyFile, Material]:
    """A study's file and what it is made of.

    Raises:
        InputError: the file or what it names cannot be used.
    """
    study = read_toml(path, StudyFile)
    try:
        _check(study)
        make = {"cue-check": _cue_check, "validation": _validation, "questions": _questions}[study.kind]
        material = make(study, path)
    except InputError as error:
        if str(error).startswith("field "):
            raise InputError(f"{path}: {error}") from error
        raise
    if not material.items and study.kind != "questions":
        raise InputError(f"{path}: nothing to ask about in cultures {', '.join(study.cultures)}")
    return study, material


def _check(study: StudyFile) -> None:
    if not study.id.strip() or len(study.id) > 80:
        raise InputError("field id: empty or longer than 80 characters")
    if not study.cultures:
        raise InputError("field cultures: none given; right is a list such as ['PT', 'BR']")
    if study.quota < 0 or study.lease_minutes <= 0 or study.per_person < 0:
        raise InputError(
            "fields quota, per_person and lease_minutes: right is 0 or more, and above 0 for the last"
        )
    if study.items_per_cell < 1 or not 0 <= study.control < 1 or study.attention_every < 0:
        raise InputError(
            "fields items_per_cell, control and attention_every: right is 1 or more, 0 to below 1, and 0 or more"
        )
    if study.retention_days < 0:
        raise InputError("field retention_days: right is 0 (never) or more")
    for platform, address in study.completion_urls.items():
        if platform not in PLATFORMS or not address.startswith("https://"):
            raise InputError(
                f"field completion_urls.{platform}: right is an address with https:// of {', '.join(PLATFORMS)}"
            )
    for code in study.cultures:
        if code not in codes() and not (study.kind == "questions" and code in territory_codes()):
            raise unknown("culture", code, codes())


def _cue_check(study: StudyFile, path: Path) -> Material:
    if not study.benchmark:
        return Material(tuple(cue_check.from_library(study.id, study.cultures)))
    benchmark = _benchmark(study, path)
    items = tuple(cue_check.from_benchmark(study.id, benchmark, study.cultures))
    return Material(items, benchmark.signature)


def _validation(study: StudyFile, path: Path) -> Material:
    if not study.benchmark:
        raise InputError("field benchmark: missing; right is the folder that 'homeground build' wrote")
    benchmark = _benchmark(study, path)
    benchmark.check_images()
    concepts: tuple[Concept, ...] = validation.concepts_of(study.concepts)
    plan = validation.Plan(
        study.id, study.cultures, concepts, study.items_per_cell, study.control, study.control_culture,
        study.attention_every > 0, study.seed,
    )  # fmt: skip
    used = {cue.value for pair in benchmark.cues.values() for cue in pair.cues}
    return Material(
        tuple(validation.items_of(benchmark, plan)),
        benchmark.signature,
        {code: dict(culture.accepted) for code, culture in benchmark.cultures.items()},
        {scene.image_sha256: benchmark.folder / scene.image for scene in benchmark.scenes.values()},
        {code: priming.questions(code, study.seed, used) for code in study.cultures},
    )


def _questions(study: StudyFile, _: Path) -> Material:
    if len(study.cultures) != 1:
        raise InputError("field cultures: right is one for a study of questions, such as ['PT']")
    if not study.language:
        raise InputError("field language: missing; right is a tag such as 'pt-PT'")
    if study.quota > 2:
        raise InputError("field quota: right is 1 or 2 adjudicators")
    for code in study.siblings:
        if code == study.cultures[0] or code not in (*codes(), *territory_codes()):
            raise InputError(f"field siblings: {code!r}; right are codes of other cultures, such as 'BR'")
    return Material()


def _benchmark(study: StudyFile, path: Path) -> Benchmark:
    benchmark = load_benchmark(path.parent / study.benchmark)
    for code in study.cultures:
        if code not in benchmark.cultures:
            raise unknown("culture", code, tuple(benchmark.cultures))
    return benchmark
