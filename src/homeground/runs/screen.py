"""Screening: which candidate questions big models already answer, with every answer kept as evidence.

That ChatGPT and its like fail is guideline D2 of the paper on Tuguesice-PT. A set chosen so tells nothing of the models
it was chosen against, so they are named and stay out of headline claims on it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from homeground.benchmarks.question_set import check_golds
from homeground.engines import AnswerStore, Engine, model_facts
from homeground.engines.protocol import Refusal, Say
from homeground.errors import InputError
from homeground.files import jsonl, sha256_json
from homeground.judging import judge_question
from homeground.judging import signature as judge_signature
from homeground.plan import Way
from homeground.plan.requests import Requests
from homeground.prompts import QuestionPrompts
from homeground.prompts.questions import SHORT
from homeground.questions.chat import REASON, one_line
from homeground.questions.pairs import load_questions, screened_by
from homeground.questions.reading import Fault, read_records
from homeground.runs.ask import Watch, ask_all, open_at_once, open_store
from homeground.schema import Answer, Cell, Question, Record, Request
from homeground.version import __version__

SAMPLES = 3
TEMPERATURE = 0.7
RULE = "a model already answers a question if more than half of its samples are right by the careful rulebook"
_HOTTEST = 2.0
_SHOWN = 500
"""Characters kept of an answer; all of it is judged, and stands in the store."""


class Screener(Record, frozen=True, kw_only=True):
    """A model that questions were screened with."""

    model: str
    """``engine:name``."""
    engine: dict[str, str]
    """What its engine says of itself."""
    already: int
    """Questions that it already answers."""
    published: int
    """Questions of which more than half of its samples are right by the published rulebook."""


class Screening(Record, frozen=True, kw_only=True):
    """The first line of the evidence: what was asked of whom, and what came of it."""

    screened: str
    """The file."""
    digest: str
    """SHA-256 of its questions."""
    questions: int
    left: int
    """Questions that none of the models already answers."""
    models: tuple[Screener, ...]
    screened_by: tuple[str, ...]
    """Models that stay out of headline claims: these, and those that the file names from earlier screenings."""
    samples: int
    temperature: float
    max_tokens: int
    rule: str
    prompts: str
    judge: str
    homeground: str


class Said(Record, frozen=True, kw_only=True):
    """One answer."""

    key: str
    """In the store."""
    temperature: float
    text: str
    """At most 500 characters of it."""
    finish_reason: str
    careful: bool
    published: bool
    """Whether it is right, by either rulebook."""


class Evidence(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What one model said to one question."""

    id: str
    model: str
    already: bool
    """Right in more than half of its samples, by the careful rulebook."""
    careful: int
    published: int
    """How many of the samples are right, by either rulebook."""
    samples: int
    greedy: Said | None
    """Evidence alone: it does not count."""
    said: tuple[Said, ...]
    """The samples, drawn above temperature 0."""
    refused: tuple[str, ...] = ()
    """Why prompts were refused; such a sample is not right."""


class Screened(NamedTuple):
    """What came of a screening."""

    head: Screening
    evidence: list[Evidence]
    left: list[dict[str, Any]]
    """The questions that no model already answers, as they stand in the file and in its order, each with
    ``screened_by``."""

    def evidence_lines(self) -> bytes:
        """The evidence as JSON Lines, the head first."""
        return jsonl([self.head, *self.evidence])


def screen(
    path: Path,
    models: Sequence[str],
    answers: Path,
    *,
    samples: int = SAMPLES,
    temperature: float = TEMPERATURE,
    base_url: str | None = None,
    watch: Watch = lambda tally: None,
    say: Say = lambda line: None,
) -> Screened:
    """Ask every question of every model, once greedily and in samples, and judge the answers by both rulebooks.

    Each question is asked as it stands, for at most 64 new tokens, with thinking off where it can be.

    Args:
        path: questions with golds.
        models: ``engine:name``, at least one.
        answers: the store; made where there is none. What it knows is not asked again.
        samples: answers of each question above temperature 0, at least 1.
        temperature: at which those are drawn.
        base_url: server of ``openai:`` models.
        watch: follows the progress, model by model.
        say: told what takes time.

    Raises:
        InputError: naming file and line: a question has no gold, an id stands twice; or an argument is wrong.
        EnvironmentProblem: a model cannot be used, or refuses everything; every answer so far is kept.
    """
    if not models:
        raise InputError("no model given; name one with --model engine:name")
    if samples < 1:
        raise InputError("--samples: give a number of at least 1")
    if not 0 < temperature <= _HOTTEST:
        raise InputError(f"--temperature: {temperature:g} is not above 0 and at most {_HOTTEST:g}")
    questions = load_questions(path)
    check_golds(path, questions)
    evidence: list[Evidence] = []
    screeners: list[Screener] = []
    with contextlib.ExitStack() as stack:
        engines = [_opened(stack, name, base_url) for name in dict.fromkeys(models)]
        store = stack.enter_context(open_store(answers))
        for engine in engines:
            say(f"{engine.name}: {len(questions)} questions, {1 + samples} answers each")
            asking = _Screen(engine, questions, samples, temperature)
            found = asking.evidence(store, watch, say)
            engine.close()  # what it holds, such as weights, is in the way of the next one
            evidence += found
            screeners.append(
                Screener(
                    model=engine.name,
                    engine=dict(engine.identity),
                    already=sum(item.already for item in found),
                    published=sum(2 * item.published > item.samples for item in found),
                )
            )
    known = {item.id for item in evidence if item.already}
    records = _records(path)
    against = tuple(dict.fromkeys((*screened_by(records), *(one.model for one in screeners))))
    left: list[dict[str, Any]] = [
        {**record, **msgspec.to_builtins(question), "screened_by": against}
        for question, record in zip(questions, records, strict=True)
        if question.id not in known
    ]
    head = Screening(
        screened=path.name,
        digest=sha256_json(questions),
        questions=len(questions),
        left=len(left),
        models=tuple(screeners),
        screened_by=against,
        samples=samples,
        temperature=temperature,
        max_tokens=SHORT,
        rule=RULE,
        prompts=QuestionPrompts("en").signature,
        judge=judge_signature(),
        homeground=__version__,
    )
    return Screened(head, evidence, left)


def _opened(stack: contextlib.ExitStack, name: str, base_url: str | None) -> Engine:
    engine = open_at_once(name, base_url)
    stack.callback(engine.close)
    return engine


def _records(path: Path) -> list[dict[str, Any]]:
    """The file's records in order, with the fields that a question has no place for."""
    return [
        {name: value for name, value in record.items() if value != ""}
        for _, record in read_records(path, dict[str, Any])
        if not isinstance(record, Fault)
    ]


class _Screen:
    """One model's share."""

    def __init__(
        self, engine: Engine, questions: Sequence[Question], samples: int, temperature: float
    ) -> None:
        self._engine, self._questions = engine, questions
        self._samples, self._temperature = samples, temperature
        self._requests: dict[str, Request] = {}
        self._greedy = self._planned(1, 0.0)
        self._drawn = self._planned(samples, temperature)

    def _planned(self, draws: int, temperature: float) -> dict[str, list[tuple[Cell, str]]]:
        """The cells of each question with their keys; the same keys as in a run that asks the same."""
        name, prompts = self._engine.name, QuestionPrompts("en")
        thinking = {name: model_facts(name).thinking}
        requests = Requests(
            Way(prompts, {name: self._engine.identity}, None, temperature=temperature, thinking=thinking)
        )
        planned = {
            question.id: [
                (cell, requests.add(cell, prompts.plain(question.question), "direct", SHORT))
                for cell in (_cell(question, name, draw) for draw in range(draws))
            ]
            for question in self._questions
        }
        self._requests |= requests.plan(()).requests
        return planned

    def evidence(self, store: AnswerStore, watch: Watch, say: Say) -> list[Evidence]:
        """Ask what is not known yet, and judge."""
        results = ask_all(self._engine, self._requests, store, watch=watch, say=say)
        return [self._judged(question, results) for question in self._questions]

    def _judged(self, question: Question, results: Mapping[str, Answer | Refusal]) -> Evidence:
        greedy = self._said(question, self._greedy[question.id], results, 0.0)
        said = self._said(question, self._drawn[question.id], results, self._temperature)
        careful = sum(one.careful for one in said)
        tried = {key: results[key] for _, key in (*self._greedy[question.id], *self._drawn[question.id])}
        return Evidence(
            id=question.id,
            model=self._engine.name,
            already=2 * careful > self._samples,
            careful=careful,
            published=sum(one.published for one in said),
            samples=self._samples,
            greedy=next(iter(greedy), None),
            said=tuple(said),
            refused=tuple(one_line(one.reason, REASON) for one in tried.values() if isinstance(one, Refusal)),
        )

    def _said(
        self,
        question: Question,
        cells: Sequence[tuple[Cell, str]],
        results: Mapping[str, Answer | Refusal],
        temperature: float,
    ) -> list[Said]:
        found = []
        for cell, key in cells:
            answer = results[key]
            if isinstance(answer, Refusal):
                continue
            judged = judge_question(cell, key, answer, question)
            found.append(
                Said(
                    key=key,
                    temperature=temperature,
                    text=answer.text[:_SHOWN],
                    finish_reason=answer.finish_reason,
                    careful=bool(judged.correct),
                    published=bool(judged.published),
                )
            )
        return found


def _cell(question: Question, model: str, draw: int) -> Cell:
    return Cell(
        item=question.id,
        scene=question.id,
        template=question.id,
        concept="fact",
        culture=question.culture or "",
        condition="plain",
        task="question",
        strategy="direct",
        model=model,
        draw=draw,
    )
