"""The messages of one cell, from the templates in ``capri.toml`` and ``chat.toml``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from homeground.files import read_toml, sha256_json
from homeground.prompts.chat import chat_messages, chat_templates
from homeground.schema import (
    CONCEPTS,
    SYSTEM,
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

HERE = Path(str(files("homeground.prompts")))
"""Where the templates are."""
_SPEAKERS = {"user": "User", "chatbot": "Chatbot"}
_SHORT, _LONG = 256, 2048
"""New tokens without and with reasoning (Miao, Zhu and Shwartz 2026, appendix B.2)."""
_REASONING = ("cot", "pragmatic")
Thinking: TypeAlias = Literal["none", "switch", "always"] | None
"""Whether a model has a thinking mode of its own; ``None`` where nobody has said."""


class _Background(Record, frozen=True, kw_only=True):
    text: str


class _Pragmatic(Record, frozen=True, kw_only=True):
    text: str
    apart: str
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


class _Natural(Record, frozen=True, kw_only=True):
    text: str
    described: str
    options: str


class _Sequential(Record, frozen=True, kw_only=True):
    text: str
    look: str
    silent: str


class _Own(Record, frozen=True, kw_only=True):
    version: str
    natural: _Natural
    sequential: _Sequential


class _Closing(Record, frozen=True, kw_only=True):
    question: str
    options: tuple[str, ...] = ()


class _Closings(Record, frozen=True, kw_only=True):
    concept: dict[Concept, _Closing]


@cache
def _templates() -> _Templates:
    return read_toml(HERE / "capri.toml", _Templates)


@cache
def own_templates() -> _Own:
    """The templates of the strategies that the paper does not have."""
    return read_toml(HERE / "strategies.toml", _Own)


@cache
def _closings() -> dict[Concept, _Closing]:
    return read_toml(HERE / "concepts.toml", _Closings).concept


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
        self,
        grounding: Grounding,
        framing: Framing = "transcript",
        folded: Collection[str] = (),
        *,
        thinkers: Collection[str] = (),
        systems: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Choose how things are shown.

        Args:
            grounding: whether the model sees the picture or reads its description.
            framing: the conversation as text, as published, or as native chat turns.
            folded: models without a system role: what others are told there goes into their first user turn.
            thinkers: models that think apart; they need no marker before a ``pragmatic`` answer.
            systems: the texts of ``system:NAME`` strategies by name.
        """
        self.grounding = grounding
        self.framing = framing
        self.folded = frozenset(folded)
        self.thinkers = frozenset(thinkers)
        self.systems = systems

    @property
    def signature(self) -> str:
        """Version and hash of the templates and closing questions, and of the user's own system texts."""
        parts: list[object] = [
            _templates(),
            own_templates(),
            [_closings()[c] for c in CONCEPTS],
            dict(self.systems),
        ]
        version = _templates().version
        if self.framing == "chat":
            # The wording of the requirements is shared with the transcript.
            parts.append(chat_templates())
            version = chat_templates().version
        return f"{version}@{sha256_json(parts)[:8]}"

    def framing_of(self, models: Sequence[str]) -> str:
        """What the signature says of the framing, with what was merged and folded for these models."""
        if self.framing == "transcript":
            return "transcript"
        places = {"folded" if model in self.folded else "role" for model in models}
        return f"chat,user-turns-merged,system-{'+'.join(sorted(places))}"

    def background(self, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Name the user's country from the conversation alone, without the picture."""
        if self.framing == "chat":
            ask = Turn(speaker="user", text=chat_templates().background.ask)
            return chat_messages((*turns, ask))
        text = _templates().background.text.format(conversation=transcript(turns))
        return (Message(role="user", text=text.strip()),)

    def question(
        self,
        turns: Sequence[Turn],
        scene: Scene,
        strategy: Strategy,
        model: str = "",
        said: str | None = None,
    ) -> tuple[Message, ...]:
        """Play the chatbot and answer the closing question about the scene.

        Args:
            turns: the conversation, the closing question last.
            scene: what the picture shows.
            strategy: how the model is asked to go about it.
            model: who is asked; matters to where a system text goes, and to whether a marker is asked for.
            said: for ``sequential`` what the model answered in the first turn.
        """
        image = scene.image_sha256 if self.grounding == "image" else None
        if strategy == "sequential":
            return self._sequential(turns, scene, said or "")
        if strategy == "natural" or strategy.startswith(SYSTEM):
            return self._natural(turns, scene, self.systems.get(strategy.removeprefix(SYSTEM), ""), model)
        told = self._told(scene, strategy, model)
        if self.framing == "chat":
            system = chat_templates().question.system.format_map(told).strip()
            return chat_messages(turns, system=system, image=image, fold_system=model in self.folded)
        text = _templates().question.text.format(
            grounding="picture" if image else "description of the picture",
            conversation=transcript(turns),
            **told,
        )
        return (Message(role="user", text=text.strip(), image=image),)

    def _told(self, scene: Scene, strategy: Strategy, model: str) -> dict[str, str]:
        templates = _templates().question
        pragmatic = templates.pragmatic
        marked = pragmatic.text.lstrip("\n").format(marker=pragmatic.marker)
        return {
            "format": answer_format(scene.concept),
            "pragmatic": ""
            if strategy != "pragmatic"
            else pragmatic.apart.lstrip("\n")
            if model in self.thinkers
            else marked,
            "description": "" if self.grounding == "image" else f"\nPicture: {scene.description}\n",
        }

    def _natural(self, turns: Sequence[Turn], scene: Scene, system: str, model: str) -> tuple[Message, ...]:
        """The conversation as it is; the picture, or its description before the first turn."""
        natural = own_templates().natural
        image = scene.image_sha256 if self.grounding == "image" else None
        described = "" if image else natural.described.format(description=scene.description)
        options = options_of(scene.concept)
        if options:
            *before, last = turns
            asked = f"{last.text} {natural.options.format(options=', '.join(options))}"
            turns = (*before, Turn(speaker=last.speaker, text=asked))
        fold = model in self.folded
        if self.framing == "chat":
            first, *rest = turns
            shown = (Turn(speaker=first.speaker, text=described + first.text), *rest)
            return chat_messages(shown, system=system, image=image, fold_system=fold)
        text = natural.text.format(description=described, conversation=transcript(turns)).strip()
        if system and not fold:
            return (Message(role="system", text=system), Message(role="user", text=text, image=image))
        return (Message(role="user", text=f"{system}\n\n{text}" if system else text, image=image),)

    def _sequential(self, turns: Sequence[Turn], scene: Scene, said: str) -> tuple[Message, ...]:
        """The background task with the model's answer to it, then the question."""
        sequential = own_templates().sequential
        seen = self.grounding == "image"
        text = sequential.text.format(
            look=sequential.look if seen else "",
            format=answer_format(scene.concept),
            description="" if seen else f"\nPicture: {scene.description}\n",
        )
        return (
            *self.background(turns),
            Message(role="assistant", text=said.strip() or sequential.silent),
            Message(role="user", text=text.strip(), image=scene.image_sha256 if seen else None),
        )


def answer_format(concept: Concept) -> str:
    """How an answer is to be written: a value and a unit, or one of the options."""
    options = options_of(concept)
    templates = _templates().question
    return templates.option_format.format(options=", ".join(options)) if options else templates.measure_format


def sampling(
    strategy: Strategy,
    limit: int | None = None,
    *,
    temperature: float = 0.0,
    thinking: Thinking = None,
    logprobs: bool = False,
) -> Sampling:
    """How the tokens of an answer are drawn.

    Args:
        strategy: how the question is asked; with reasoning there is room for more tokens.
        limit: another limit of new tokens than the published one.
        temperature: greedy at 0, as published.
        thinking: whether the model has a thinking mode; one that can be switched is, as the strategy says.
        logprobs: whether the log-probabilities of the new tokens are wanted.
    """
    reasons = strategy in _REASONING
    wants: bool | UnsetType = (
        reasons if thinking == "switch" or (strategy == "cot" and thinking is None) else UNSET
    )
    most = _LONG if reasons else _SHORT
    return Sampling(
        temperature=temperature,
        max_tokens=most if limit is None else limit,
        thinking=wants,
        logprobs=logprobs or UNSET,
    )


def transcript(turns: Sequence[Turn]) -> str:
    """The conversation as text, one line a turn."""
    return "\n".join(f"{_SPEAKERS[turn.speaker]}: {turn.text}" for turn in turns)
