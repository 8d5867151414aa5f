"""The messages of one cell, from the templates in ``capri.toml``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from homeground.files import read_toml, sha256_json
from homeground.schema import (
    CONCEPTS,
    Concept,
    Grounding,
    Message,
    Record,
    Sampling,
    Scene,
    Strategy,
    Turn,
)

_HERE = Path(str(files("homeground.prompts")))
_SPEAKERS = {"user": "User", "chatbot": "Chatbot"}
MAX_TOKENS: dict[Strategy, int] = {"direct": 256, "pragmatic": 2048}
"""New tokens without and with reasoning (Miao, Zhu and Shwartz 2026, appendix B.2)."""


class _Background(Record, frozen=True, kw_only=True):
    text: str


class _Pragmatic(Record, frozen=True, kw_only=True):
    text: str
    marker: str


class _Question(Record, frozen=True, kw_only=True):
    text: str
    measure_format: str
    option_format: str
    pragmatic: _Pragmatic


class _Templates(Record, frozen=True, kw_only=True):
    version: str
    background: _Background
    question: _Question


class _Closing(Record, frozen=True, kw_only=True):
    question: str
    options: tuple[str, ...] = ()


class _Closings(Record, frozen=True, kw_only=True):
    concept: dict[Concept, _Closing]


@cache
def _templates() -> _Templates:
    return read_toml(_HERE / "capri.toml", _Templates)


@cache
def _closings() -> dict[Concept, _Closing]:
    return read_toml(_HERE / "concepts.toml", _Closings).concept


def options_of(concept: Concept) -> tuple[str, ...]:
    """The options of a subjective concept; empty for an objective one."""
    return _closings()[concept].options


def closing_question(concept: Concept) -> str:
    """The question that ends every conversation about a concept."""
    return _closings()[concept].question


def marker() -> str:
    """The line after which a ``pragmatic`` answer is judged."""
    return _templates().question.pragmatic.marker


class Prompts:
    """Writes messages in one framing and grounding; both are part of the signature."""

    framing = "transcript"
    """The conversation is shown as text, as published."""

    def __init__(self, grounding: Grounding) -> None:
        """``grounding`` says whether the model sees the picture or reads its description."""
        self.grounding = grounding

    @property
    def signature(self) -> str:
        """Version and hash of the templates and closing questions."""
        digest = sha256_json([_templates(), [_closings()[c] for c in CONCEPTS]])
        return f"{_templates().version}@{digest[:8]}"

    def background(self, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Name the user's country from the conversation alone, without the picture."""
        text = _templates().background.text.format(conversation=transcript(turns))
        return (Message(role="user", text=text.strip()),)

    def question(self, turns: Sequence[Turn], scene: Scene, strategy: Strategy) -> tuple[Message, ...]:
        """Play the chatbot and answer the closing question about the scene."""
        templates = _templates().question
        options = options_of(scene.concept)
        seen = self.grounding == "image"
        pragmatic = templates.pragmatic
        text = templates.text.format(
            grounding="picture" if seen else "description of the picture",
            format=templates.option_format.format(options=", ".join(options))
            if options
            else templates.measure_format,
            pragmatic=pragmatic.text.lstrip("\n").format(marker=pragmatic.marker)
            if strategy == "pragmatic"
            else "",
            description="" if seen else f"\nPicture: {scene.description}\n",
            conversation=transcript(turns),
        )
        return (Message(role="user", text=text.strip(), image=scene.image_sha256 if seen else None),)


def sampling(strategy: Strategy, limit: int | None = None) -> Sampling:
    """Greedy, with the published limit of new tokens for the strategy, or another one."""
    return Sampling(max_tokens=MAX_TOKENS[strategy] if limit is None else limit)


def transcript(turns: Sequence[Turn]) -> str:
    """The conversation as text, one line a turn."""
    return "\n".join(f"{_SPEAKERS[turn.speaker]}: {turn.text}" for turn in turns)
