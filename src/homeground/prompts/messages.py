"""The messages of one cell, from the templates in ``capri.toml`` and ``chat.toml``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from homeground.files import read_toml, sha256_json
from homeground.prompts.chat import chat_messages, chat_templates
from homeground.schema import (
    CONCEPTS,
    Concept,
    Framing,
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

    def __init__(
        self, grounding: Grounding, framing: Framing = "transcript", folded: Collection[str] = ()
    ) -> None:
        """Choose how things are shown.

        Args:
            grounding: whether the model sees the picture or reads its description.
            framing: the conversation as text, as published, or as native chat turns.
            folded: models without a system role: what ``chat`` tells the others there goes into the first user turn.
        """
        self.grounding = grounding
        self.framing = framing
        self.folded = frozenset(folded)

    @property
    def signature(self) -> str:
        """Version and hash of the templates and closing questions."""
        closings = [_closings()[c] for c in CONCEPTS]
        if self.framing == "chat":
            # The wording of the requirements is shared with the transcript.
            digest = sha256_json([chat_templates(), _templates(), closings])
            return f"{chat_templates().version}@{digest[:8]}"
        digest = sha256_json([_templates(), closings])
        return f"{_templates().version}@{digest[:8]}"

    def framing_of(self, models: Sequence[str]) -> str:
        """What the signature says of the framing, with what was merged and folded for these models."""
        if self.framing == "transcript":
            return "transcript"
        places = {"folded" if model in self.folded else "role" for model in models}
        return f"chat,user-turns-merged,system-{'+'.join(sorted(places))}"

    def background(self, turns: Sequence[Turn], model: str = "") -> tuple[Message, ...]:
        """Name the user's country from the conversation alone, without the picture.

        ``model`` makes no difference: this task has no system text.
        """
        del model
        if self.framing == "chat":
            ask = Turn(speaker="user", text=chat_templates().background.ask)
            return chat_messages((*turns, ask))
        text = _templates().background.text.format(conversation=transcript(turns))
        return (Message(role="user", text=text.strip()),)

    def question(
        self, turns: Sequence[Turn], scene: Scene, strategy: Strategy, model: str = ""
    ) -> tuple[Message, ...]:
        """Play the chatbot and answer the closing question about the scene.

        Args:
            turns: the conversation, the closing question last.
            scene: what the picture shows.
            strategy: how the model is asked to go about it.
            model: who is asked; matters to where ``chat`` puts the system text.
        """
        templates = _templates().question
        options = options_of(scene.concept)
        seen = self.grounding == "image"
        pragmatic = templates.pragmatic
        image = scene.image_sha256 if seen else None
        told = {
            "format": templates.option_format.format(options=", ".join(options))
            if options
            else templates.measure_format,
            "pragmatic": pragmatic.text.lstrip("\n").format(marker=pragmatic.marker)
            if strategy == "pragmatic"
            else "",
            "description": "" if seen else f"\nPicture: {scene.description}\n",
        }
        if self.framing == "chat":
            system = chat_templates().question.system.format_map(told).strip()
            return chat_messages(turns, system=system, image=image, fold_system=model in self.folded)
        text = templates.text.format(
            grounding="picture" if seen else "description of the picture",
            conversation=transcript(turns),
            **told,
        )
        return (Message(role="user", text=text.strip(), image=image),)


def sampling(strategy: Strategy, limit: int | None = None) -> Sampling:
    """Greedy, with the published limit of new tokens for the strategy, or another one."""
    return Sampling(max_tokens=MAX_TOKENS[strategy] if limit is None else limit)


def transcript(turns: Sequence[Turn]) -> str:
    """The conversation as text, one line a turn."""
    return "\n".join(f"{_SPEAKERS[turn.speaker]}: {turn.text}" for turn in turns)
