"""Trying a question on a model: asked plainly and told whose culture is meant, within a time, not too often."""

from __future__ import annotations

import logging
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Literal, NamedTuple

from homeground.cultures.local_names import local_names
from homeground.engines import AnswerStore, model_facts
from homeground.engines.protocol import Refusal
from homeground.errors import EnvironmentProblem, HomegroundError
from homeground.judging import judge_question
from homeground.plan import Way
from homeground.plan.requests import Requests
from homeground.prompts import QuestionPrompts
from homeground.prompts.questions import SHORT, oracle_language
from homeground.runs.ask import ask_all, open_at_once
from homeground.schema import Cell, Condition, Question

SECONDS = 60.0
"""That a model may take."""
_AT_ONCE = 2
"""Models that work at the same time, whoever asks."""
_MOST_WAITING = 8
_MOST_PEOPLE = 10_000
_CONDITIONS: tuple[Condition, ...] = ("plain", "oracle")
_ROOM = threading.BoundedSemaphore(_AT_ONCE)
_LOG = logging.getLogger("homeground.annotate")


class Tried(NamedTuple):
    """What a model answered."""

    condition: str
    text: str
    correct: bool | None
    """By the careful rulebook; none where the question has no right answer yet."""


class Tries:
    """Who tries how often: one at a time, and so many within an hour."""

    def __init__(self, most: int = 30, seconds: float = 3_600) -> None:
        """Nobody has tried anything yet."""
        self.most = most
        self._seconds = seconds
        self._times: dict[str, deque[float]] = {}
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, person: str, now: float) -> Literal["", "busy", "often"]:
        """Begin one, or say why not."""
        with self._lock:
            # Each that waits holds one of the server's threads.
            if person in self._busy or len(self._busy) >= _MOST_WAITING:
                return "busy"
            times = self._times.pop(person, None) or deque(maxlen=self.most)
            self._times[person] = times
            if len(self._times) > _MOST_PEOPLE:
                self._times.pop(next(iter(self._times)))
            if sum(time > now - self._seconds for time in times) >= self.most:
                return "often"
            times.append(now)
            self._busy.add(person)
            return ""

    def end(self, person: str) -> None:
        """That one is over."""
        with self._lock:
            self._busy.discard(person)


def within(seconds: float, ask: Callable[[], list[Tried]], over: Callable[[], None]) -> list[Tried]:
    """What a call gives, if it gives it in time; else it goes on by itself, and nobody hears of it.

    Args:
        seconds: to wait at most.
        ask: the call.
        over: called when it is really over.

    Raises:
        TimeoutError: it took too long, or others were before it.
        HomegroundError: whatever it raises.
    """
    done: Future[list[Tried]] = Future()

    def in_turn() -> list[Tried]:
        if not _ROOM.acquire(timeout=seconds):
            over()
            raise TimeoutError
        try:
            return ask()
        finally:
            _ROOM.release()
            over()

    def work() -> None:
        try:
            done.set_result(in_turn())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return done.result(seconds)


def ask_model(model: str, question: Question, culture: str, language: str) -> list[Tried]:
    """Ask a model plainly and told, greedily, and judge what it says.

    Args:
        model: ``engine:name``.
        question: with its golds.
        culture: code of the study's.
        language: of the study's questions, such as ``pt-PT``.

    Raises:
        HomegroundError: no such model; or it, its weights or its server cannot be used.
    """
    engine = open_at_once(model)
    try:
        facts = model_facts(model)
        folded = [engine.name] if facts.system_role is False else []
        thinkers = [engine.name] if facts.thinking in ("switch", "always") else []
        prompts = QuestionPrompts(oracle_language(None, language), folded, thinkers=thinkers)
        name = local_names(culture, "pt" if prompts.language == "pt" else "en").culture
        asked = {
            "plain": prompts.plain(question.question),
            "oracle": prompts.oracle(question.question, name, engine.name),
        }
        way = Way(prompts, {engine.name: engine.identity}, None, thinking={engine.name: facts.thinking})
        requests = Requests(way)
        cells = [_cell(question, culture, engine.name, condition) for condition in _CONDITIONS]
        keys = [requests.add(cell, asked[cell.condition], "direct", SHORT) for cell in cells]
        with (
            tempfile.TemporaryDirectory(prefix="homeground-") as folder,
            AnswerStore(Path(folder) / "answers.sqlite", write=True) as store,
        ):
            found = ask_all(engine, requests.plan(keys).requests, store)
        tried = []
        for cell, key in zip(cells, keys, strict=True):
            answer = found[key]
            if isinstance(answer, Refusal):
                raise EnvironmentProblem(answer.reason)
            judged = judge_question(cell, key, answer, question, language)
            tried.append(
                Tried(cell.condition, answer.text, bool(judged.correct) if question.answers else None)
            )
        return tried
    finally:
        engine.close()


def reason(error: Exception) -> str:
    """One line on why nothing came; what nobody foresaw goes to the log."""
    if isinstance(error, HomegroundError):
        return " ".join(str(error).split())[:300]
    _LOG.error("a model could not be asked", exc_info=error)
    return type(error).__name__


def _cell(question: Question, culture: str, model: str, condition: Condition) -> Cell:
    return Cell(
        item=question.id, scene=question.id, template=question.id, concept="fact", culture=culture,
        condition=condition, task="question", strategy="direct", model=model,
    )  # fmt: skip
