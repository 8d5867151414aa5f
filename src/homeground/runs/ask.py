"""Requests → answers through a store: stopped at any moment, nothing is asked twice; a run's folder is not needed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from homeground.engines import AnswerStore, Engine, model_facts, open_engine
from homeground.engines.protocol import EngineOptions, Images, Refusal, Results, Say
from homeground.errors import EnvironmentProblem, InputError
from homeground.plan import Plan
from homeground.plan.requests import request_key
from homeground.prompts import sampling
from homeground.questions.chat import Chat, Prompt
from homeground.schema import Answer, Request

_LOOK_AGAIN = 0.5
"""Seconds after which to look whether somebody else has answered what they claimed."""
_THOUGHTS = 2048
"""New tokens for the thoughts of a model that always thinks."""
_HOPELESS = 16
"""Refusals in a row, with no answer yet, after which the rest is not tried."""


class Tally(NamedTuple):
    """How far the asking has come. Tokens and seconds are of this call's answers alone."""

    done: int
    """Requests that have an answer, stored and committed."""
    total: int
    refused: int
    asked: int
    prompt_tokens: int
    completion_tokens: int
    model_seconds: float


Watch = Callable[[Tally], None]
"""Told at the start, and after each group of answers."""


def no_image(sha256: str) -> bytes:
    """For engines that are shown nothing.

    Raises:
        InputError: always.
    """
    raise InputError(f"no picture is shown here, but {sha256} was asked for")


def ask_all(
    engine: Engine,
    requests: Mapping[str, Request],
    store: AnswerStore,
    *,
    watch: Watch = lambda tally: None,
    say: Say = lambda line: None,
) -> dict[str, Answer | Refusal]:
    """The answer to each request, or why its prompt was refused; only what the store does not know is asked.

    Each group of answers is on disk before the next one is asked for. An engine that has nothing to answer is not
    even looked for.

    Args:
        engine: whom to ask.
        requests: by key, in the order in which to send them.
        store: open for writing; others may be asking through it at the same time.
        watch: follows the progress.
        say: told what takes time before the first answer.

    Raises:
        EnvironmentProblem: the model or server cannot be used, or it refuses everything; every answer so far is kept.
    """
    if len(store.known(requests)) < len(requests):
        engine.ready(say)
    asking = Asking(store, watch)
    asking.ask(Plan(requests, (), dict.fromkeys(requests, engine.name)), {engine.name: engine})
    answers = store.get(requests)
    found: dict[str, Answer | Refusal] = {**asking.refused, **answers}
    if asking.refused and (not answers or len(found) < len(requests)):
        first = next(iter(asking.refused.values())).reason
        raise EnvironmentProblem(
            f"{engine.name}: {len(asking.refused)} prompts were refused, the first with {first}"
        )
    return found


class Asking:
    """Asks what has no answer yet, and counts."""

    def __init__(self, store: AnswerStore, watch: Watch, image: Images = no_image) -> None:
        """Ask nothing yet.

        Args:
            store: open for writing.
            watch: told at the start, and after each group of answers.
            image: the PNG of a picture by its SHA-256.
        """
        self._store, self._watch, self._image = store, watch, image
        self.asked = self.done = self.total = 0
        self.seconds = 0.0
        self._prompt_tokens = self._completion_tokens = 0
        self.refused: dict[str, Refusal] = {}

    def ask(self, plan: Plan, engines: Mapping[str, Engine]) -> None:
        """Ask the requests of a plan that have no answer, engine by engine.

        A store without any answer, and many refusals in a row, is a reason to leave the rest alone.
        """
        known = self._store.known(plan.requests)
        self.done, self.total = len(known), len(plan.requests)
        self._tell()
        left = {key for key in plan.requests if key not in known}
        try:
            while left:
                mine = self._store.claim(left)
                if not mine:
                    time.sleep(_LOOK_AGAIN)
                for name, engine in engines.items():
                    asked = [
                        (key, request)
                        for key, request in plan.requests.items()
                        if plan.model_of[key] == name and key in mine
                    ]
                    for group in engine.answer(asked, self._image) if asked else ():
                        self._keep(plan, group)
                        if len(self.refused) >= _HOPELESS and not self.done:
                            return
                # Somebody else on the same store may be asking the rest: their answers count as they come.
                left -= mine | self._store.known(left - mine)
                self.done = len(plan.requests) - len(left) - len(self.refused)
        finally:
            self._store.release()

    def _keep(self, plan: Plan, group: Results) -> None:
        """Store a group as a whole; only then does it count as done."""
        self.refused |= {key: result for key, result in group if isinstance(result, Refusal)}
        answers = [(key, result) for key, result in group if isinstance(result, Answer)]
        self._store.add_all((key, plan.requests[key], answer) for key, answer in answers)
        for _, answer in answers:
            self.asked += 1
            self.done += 1
            self.seconds += answer.seconds
            self._prompt_tokens += answer.prompt_tokens
            self._completion_tokens += answer.completion_tokens
        self._tell()

    def _tell(self) -> None:
        self._watch(
            Tally(
                self.done, self.total, len(self.refused), self.asked, self._prompt_tokens, self._completion_tokens,
                self.seconds,
            )
        )  # fmt: skip


@contextlib.contextmanager
def open_store(path: Path) -> Iterator[AnswerStore]:
    """An answer store to write to, made where there is none.

    Raises:
        InputError: it has no folder, or is no store.
    """
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no such folder")
    with AnswerStore(path, write=True) as store:
        yield store


def open_at_once(model: str, base_url: str | None = None) -> Engine:
    """The engine of a model that answers while one waits, for questions that make no run.

    Raises:
        InputError: no such model, or a batch service, whose files belong to a run.
    """
    engine = open_engine(model, EngineOptions(base_url))
    if engine.identity["engine"] == "batch":
        raise InputError(
            f"{model}: answers through the files of a run alone; name embedded, openai or inspect"
        )
    return engine


@contextlib.contextmanager
def open_chat(
    model: str,
    answers: Path,
    *,
    base_url: str | None = None,
    watch: Watch = lambda tally: None,
    say: Say = lambda line: None,
) -> Iterator[Chat]:
    """A model to put prompts to, greedily and without thinking apart where that can be switched off.

    Args:
        model: ``engine:name``.
        answers: the store that keeps what it says.
        base_url: server of an ``openai:`` model.
        watch: follows the progress.
        say: told what takes time before the first answer.

    Raises:
        InputError: no such model, a batch service, or no store.
    """
    engine = open_at_once(model, base_url)
    thinking = model_facts(model).thinking
    try:
        with open_store(answers) as store:

            def ask(prompts: Mapping[str, Prompt], limit: int) -> dict[str, Answer | str]:
                room = limit + (_THOUGHTS if thinking == "always" else 0)
                drawn = sampling("direct", room, thinking=thinking)
                by_name = {
                    name: Request(engine=dict(engine.identity), messages=prompt, sampling=drawn)
                    for name, prompt in prompts.items()
                }
                keys = {name: request_key(request) for name, request in by_name.items()}
                requests = {keys[name]: request for name, request in by_name.items()}
                found = ask_all(engine, requests, store, watch=watch, say=say)
                results = ((name, found[key]) for name, key in keys.items())
                return {
                    name: result.reason if isinstance(result, Refusal) else result for name, result in results
                }

            yield Chat(engine.name, ask)
    finally:
        engine.close()
