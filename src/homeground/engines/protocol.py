"""What every engine is to the rest of the house: something that answers requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from homeground.schema import Answer, Request

Images = Callable[[str], bytes]
"""The PNG of an image by its SHA-256."""


Say = Callable[[str], None]
"""Told what takes time, a line at a time."""


class Refusal(NamedTuple):
    """A prompt that the server will not take, whatever the number of tries; nothing is stored for it."""

    reason: str


Results = list[tuple[str, Answer | Refusal]]
"""Answers, or refusals, each with the key of its request."""


class EngineOptions(NamedTuple):
    """What a user can say of how engines work."""

    base_url: str | None = None
    """Server for ``openai:`` models, and for providers of ``inspect:`` models."""
    fast: bool = False
    """Let the embedded engine answer several prompts at once, at the price of exactness."""
    processes: int | None = None
    """At most so many processes of one embedded model, each on a core; as many as fit by default."""
    threads: int | None = None
    """How many work on one prompt of an embedded model that has a single process."""
    actors: int | None = None
    """Ray actors, each with an engine of its own; one a CPU of the cluster by default."""


class Engine(Protocol):
    """Answers requests, in any order, each exactly once."""

    name: str
    """``engine:model``."""
    identity: Mapping[str, str]
    """Everything about the engine that can change an answer; part of each request's key."""
    sees: bool | None
    """Whether the model takes pictures; ``None`` when nobody has said."""

    def ready(self, say: Say) -> None:
        """Make sure that the engine can be used; called before anything is written.

        Raises:
            EnvironmentProblem: the server cannot be reached, or the weights cannot be fetched.
        """
        ...

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answers as they come, in groups of those that are there at the same time; no group is empty.

        A group is stored and committed as a whole before the next one is asked for. Requests come in the order of
        the plan, in which neighbours share the longest prefixes.

        Raises:
            EnvironmentProblem: the model or server cannot be used; answers yielded so far stand.
        """
        ...

    def close(self) -> None:
        """Let go of what the engine holds."""
        ...
