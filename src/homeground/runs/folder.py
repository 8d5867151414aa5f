"""The run's folder: ``run.toml``, ``benchmark/``, ``answers.sqlite``, and what is derived from them."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import tomli_w

from homeground.benchmarks import Benchmark, QuestionSet, open_benchmark
from homeground.engines import AnswerStore
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import new_folder, read_toml, sha256_json, write_whole
from homeground.judging import signature as judge_signature
from homeground.plan import (
    Plan,
    Selection,
    Way,
    conversation_cells,
    make_plan,
    make_question_plan,
    question_cells,
)
from homeground.prompts import Prompts, QuestionPrompts, Thinking
from homeground.schema import Cell, Framing, Grounding, Record
from homeground.version import __version__

SPEC = "run.toml"
_LOCKING = 0.3
"""Seconds to wait for a lock: two processes that start at the same moment must not both be turned away."""


class RunSpec(Record, frozen=True, kw_only=True):
    """``run.toml``: everything needed to ask the same again. Two runs are told apart by diffing it."""

    homeground: str
    benchmark: str
    """The benchmark's signature; its files stand in ``benchmark/``."""
    digest: str
    prompts: str
    framing: Framing
    folded: tuple[str, ...] = ()
    """Models without a system role, where the framing has a system text."""
    grounding: Grounding | Literal["none"]
    """None where nothing is shown, in a question set."""
    language: str | None = None
    """In which a model is told whose culture a question set is about."""
    max_tokens: int | None = None
    temperature: float = 0.0
    logprobs: bool = False
    """Whether the log-probabilities of the new tokens are stored, where an engine offers them."""
    thinking: dict[str, Literal["none", "switch", "always"]] = {}  # noqa: RUF012  (msgspec copies it)
    """Which models have a thinking mode, of those where that is known."""
    systems: dict[str, str] = {}  # noqa: RUF012
    """The texts of ``system:NAME`` strategies by name."""
    answers: str | None = None
    """A store that other runs share; the run's own where nothing is said."""
    models: tuple[str, ...]
    engines: dict[str, dict[str, str]]
    selection: Selection


class Run:
    """A run's folder that exists."""

    def __init__(self, folder: Path, spec: RunSpec) -> None:
        """Keep the folder and what its ``run.toml`` says."""
        self.folder = folder
        self.spec = spec

    @cached_property
    def source(self) -> Benchmark | QuestionSet:
        """The benchmark as it was when the run began, of either kind."""
        return open_benchmark(self.folder / "benchmark")

    @property
    def benchmark(self) -> Benchmark:
        """The conversations that the run is over.

        Raises:
            InputError: it is over a question set.
        """
        if isinstance(self.source, QuestionSet):
            raise InputError(f"{self.folder}: a run over a question set; this is for conversations")
        return self.source

    @cached_property
    def prompts(self) -> Prompts | QuestionPrompts:
        """The prompts that the run was begun with.

        Raises:
            InputError: this version of the code writes other prompts.
        """
        spec = self.spec
        thinkers = [model for model, mode in spec.thinking.items() if mode != "none"]
        prompts: Prompts | QuestionPrompts
        if spec.grounding == "none":
            prompts = QuestionPrompts(spec.language or "en", spec.folded, thinkers=thinkers)
        else:
            prompts = Prompts(
                spec.grounding, spec.framing, spec.folded, thinkers=thinkers, systems=spec.systems
            )
        if prompts.signature != self.spec.prompts:
            raise InputError(
                f"{self.folder / SPEC}: field prompts: begun with {self.spec.prompts}, this version of "
                f"homeground writes {prompts.signature}; use version {self.spec.homeground}, or a new folder"
            )
        return prompts

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells of the run."""
        spec = self.spec
        if isinstance(self.source, QuestionSet):
            return question_cells(self.source, spec.selection, spec.models)
        return conversation_cells(self.source, spec.selection, spec.models)

    @cached_property
    def plan(self) -> Plan:
        """The distinct requests behind the cells, as far as they can be written by now."""
        spec = self.spec
        how = (spec.engines, spec.max_tokens, spec.temperature, spec.thinking, spec.logprobs)
        prompts = self.prompts
        if isinstance(self.source, QuestionSet) and isinstance(prompts, QuestionPrompts):
            return make_question_plan(self.source, self.cells, Way(prompts, *how), spec.selection.foreign)
        if isinstance(prompts, QuestionPrompts):
            raise InputError(f"{self.folder / SPEC}: field grounding: none, but benchmark/ has conversations")
        way = Way(prompts, *how)
        if "sequential" not in spec.selection.strategies or not self._answers.is_file():
            return make_plan(self.benchmark, self.cells, way)
        with self.store() as store:

            def said(key: str) -> str | None:
                answer = store.get([key]).get(key)
                return answer.text if answer else None

            return make_plan(self.benchmark, self.cells, way, said)

    def forget_plan(self) -> None:
        """Plan anew when next asked, since answers have come that more requests can be written from."""
        self.__dict__.pop("plan", None)

    def store(self, *, write: bool = False) -> AnswerStore:
        """Open the answer store."""
        return AnswerStore(self._answers, write=write)

    @property
    def _answers(self) -> Path:
        return Path(self.spec.answers) if self.spec.answers else self.folder / "answers.sqlite"

    @property
    def judgements(self) -> Path:
        """Where the judgements stand, one a line."""
        return self.folder / "judgements.jsonl"

    def signature(self, model: str | None = None) -> str:
        """What every figure of the run carries, so that two figures can be told apart at a glance."""
        spec = self.spec
        asked = (model,) if model else spec.models
        parts = {
            "homeground": spec.homeground,
            "benchmark": spec.benchmark,
            "prompts": spec.prompts,
            "framing": self.prompts.framing_of(asked),
            "grounding": spec.grounding,
            "model": ",".join(_model_signature(name, spec.engines[name]) for name in asked),
            "temperature": f"{spec.temperature:g}"
            + (f"x{spec.selection.draws}" if spec.selection.draws > 1 else ""),
            "tokens": str(spec.max_tokens or "published"),
            "sample": "all"
            if spec.selection.sample is None
            else f"{spec.selection.sample}@{spec.selection.seed}",
            "judge": judge_signature(),
            "run": sha256_json([spec.selection, spec.engines, spec.max_tokens])[:8],
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against a second process; a crash lets go of it.

        Raises:
            InputError: another process holds it.
        """
        try:
            lock = sqlite3.connect(self.folder / ".lock", isolation_level=None, timeout=_LOCKING)
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise InputError(
                    f"{self.folder}: another homeground process is writing here; wait for it to end"
                ) from error
            raise EnvironmentProblem(f"{self.folder}: cannot be written: {error}") from error
        try:
            yield
        finally:
            lock.close()


def _model_signature(name: str, identity: dict[str, str]) -> str:
    weights = identity.get("weights")
    return f"{name}@{weights[:8]}" if weights else name


def open_run(folder: Path | str) -> Run:
    """Open a run's folder.

    Raises:
        InputError: it is none, or its ``run.toml`` is broken.
    """
    folder = Path(folder)
    if not (folder / SPEC).is_file():
        raise InputError(f"{folder}: not a run's folder: it has no {SPEC}")
    return Run(folder, read_toml(folder / SPEC, RunSpec))


def begin_run(folder: Path, benchmark: Benchmark | QuestionSet, spec: RunSpec) -> Run:
    """A new run's folder, or the one that is there when it was begun with the same ``spec``.

    Raises:
        InputError: the folder holds something else, or a run that differs; the difference is named.
    """
    if (folder / SPEC).is_file():
        there = open_run(folder)
        difference = _difference(there.spec, spec)
        if difference:
            raise InputError(
                f"{folder}: holds a run with another {difference}; name a new folder with -o, "
                f"or repeat the run as {folder / SPEC} says"
            )
        return there
    with new_folder(folder) as scratch:
        benchmark.check_images()
        benchmark.copy_to(scratch / "benchmark")
        write_whole(scratch / SPEC, tomli_w.dumps(_plain(spec)))
    return Run(folder, spec)


def make_spec(
    benchmark: Benchmark | QuestionSet,
    selection: Selection,
    engines: dict[str, dict[str, str]],
    prompts: Prompts | QuestionPrompts,
    max_tokens: int | None,
    *,
    temperature: float = 0.0,
    logprobs: bool = False,
    thinking: Mapping[str, Thinking] = MappingProxyType({}),
    answers: Path | None = None,
) -> RunSpec:
    """Describe a run before it begins."""
    return RunSpec(
        homeground=__version__,
        benchmark=benchmark.signature,
        digest=benchmark.digest,
        prompts=prompts.signature,
        framing=prompts.framing,
        folded=tuple(sorted(prompts.folded)),
        grounding=prompts.grounding,
        language=prompts.language if isinstance(prompts, QuestionPrompts) else None,
        max_tokens=max_tokens,
        temperature=temperature,
        logprobs=logprobs,
        thinking={model: mode for model, mode in thinking.items() if mode is not None},
        systems=dict(prompts.systems),
        answers=str(answers.resolve()) if answers else None,
        models=tuple(engines),
        engines=engines,
        selection=selection,
    )


def _plain(spec: RunSpec) -> dict[str, Any]:
    """The spec as TOML can hold it, which knows no null."""

    def without_nulls(value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return {k: without_nulls(v) for k, v in value.items() if v is not None}
        return value

    plain: dict[str, Any] = without_nulls(msgspec.to_builtins(spec))
    return plain


def _difference(one: RunSpec, two: RunSpec) -> str:
    """The first field in which two specs differ, with both values; empty when they agree."""
    left, right = msgspec.to_builtins(one), msgspec.to_builtins(two)
    for name in left:
        if left[name] != right[name]:
            if isinstance(left[name], dict):
                for key in sorted({*left[name], *right[name]}):
                    a, b = left[name].get(key), right[name].get(key)
                    if a != b:
                        return f"{name}.{key} (there {a}, now {b})"
            return f"{name} (there {left[name]}, now {right[name]})"
    return ""
