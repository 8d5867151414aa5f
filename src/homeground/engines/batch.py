"""Models that are asked through files: the engine calls nobody and says how to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from homeground.engines.protocol import Images, Results, Say
from homeground.engines.registry import model_facts
from homeground.errors import EnvironmentProblem
from homeground.schema import Request

BATCH = "batch:"
"""How the names of such models begin."""


class BatchEngine:
    """One model behind a batch service, whichever it is."""

    def __init__(self, model: str) -> None:
        """Name the model as the service does."""
        self.name = f"{BATCH}{model}"
        self.identity: Mapping[str, str] = {"engine": "batch", "model": model}
        self.sees = model_facts(self.name).sees

    def ready(self, say: Say) -> None:
        """Nothing is needed."""

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer nothing.

        Raises:
            EnvironmentProblem: there is anything to ask.
        """
        left = sum(1 for _ in requests)
        if left:
            raise EnvironmentProblem(
                f"{self.name}: {left} prompts have no answer yet; write them to files with "
                "'homeground batch write RUN -o DIR', send these, and read the results with "
                "'homeground batch read RUN FILE'"
            )
        yield from ()

    def close(self) -> None:
        """Nothing is held."""
