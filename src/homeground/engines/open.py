"""One small protocol for every engine, and the names that open them: ``engine:model``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from homeground.errors import InputError
from homeground.schema import Answer, Request

ENGINES = ("embedded", "openai")
Images = Callable[[str], bytes]
"""The PNG of an image by its SHA-256."""


class Engine(Protocol):
    """Answers requests, in any order, each exactly once."""

    name: str
    """``engine:model``."""
    identity: Mapping[str, str]
    """Everything about the engine that can change an answer; part of each request's key."""
    sees: bool | None
    """Whether the model takes pictures; ``None`` when nobody has said."""

    def ready(self) -> None:
        """Do nothing when the engine can be used; called before anything is written.

        Raises:
            EnvironmentProblem: the server cannot be reached.
        """
        ...

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[tuple[str, Answer]]:
        """Answers with the key of their request, as they come.

        Raises:
            EnvironmentProblem: the model or server cannot be used; answers yielded so far stand.
        """
        ...

    def close(self) -> None:
        """Let go of what the engine holds."""
        ...


def open_engine(name: str, base_url: str | None = None) -> Engine:
    """The engine for ``engine:model``. Cheap: weights load, and servers are called, on first use.

    Raises:
        InputError: the name is not of that form, or no such engine or embedded model.
        EnvironmentProblem: the model's weights have not been fetched.
    """
    kind, _, model = name.partition(":")
    if kind not in ENGINES or not model:
        raise InputError(
            f"unknown model {name!r}: write engine:name, for example embedded:smollm2-135m "
            f"or openai:NAME; engines: {', '.join(ENGINES)}"
        )
    if kind == "embedded":
        from homeground.engines.embedded import EmbeddedEngine

        return EmbeddedEngine(model)
    from homeground.engines.openai import OpenAIEngine

    return OpenAIEngine(model, base_url)
