"""Framing ``chat``: the conversation as native chat turns, as chat models were trained to read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from homeground.files import read_toml
from homeground.schema import Message, Record, Turn

_ROLES: dict[str, Literal["user", "assistant"]] = {"user": "user", "chatbot": "assistant"}


class _Background(Record, frozen=True, kw_only=True):
    ask: str


class _Question(Record, frozen=True, kw_only=True):
    system: str


class ChatTemplates(Record, frozen=True, kw_only=True):
    """The shape of ``chat.toml``."""

    version: str
    background: _Background
    question: _Question


@cache
def chat_templates() -> ChatTemplates:
    """The templates of this framing."""
    return read_toml(Path(str(files("homeground.prompts"))) / "chat.toml", ChatTemplates)


def chat_messages(
    turns: Sequence[Turn], *, system: str = "", image: str | None = None, fold_system: bool = False
) -> tuple[Message, ...]:
    """Turns as messages that every chat template takes: roles alternate, the user speaks first.

    Args:
        turns: the conversation, the closing question last.
        system: what the model is told before the conversation.
        image: SHA-256 of the picture; it stands in the first turn, where most prompts share it.
        fold_system: put the system text into the first user turn, for models without a system role.
    """
    merged: list[tuple[Literal["user", "assistant"], list[str]]] = []
    for turn in turns:
        role = _ROLES[turn.speaker]
        if merged and merged[-1][0] == role:
            merged[-1][1].append(turn.text)
        else:
            merged.append((role, [turn.text]))
    texts = ["\n".join(parts) for _, parts in merged]
    if system and fold_system:
        texts[0] = f"{system}\n\n{texts[0]}"
    messages = [
        Message(role=role, text=text, image=image if index == 0 else None)
        for index, ((role, _), text) in enumerate(zip(merged, texts, strict=True))
    ]
    if system and not fold_system:
        messages.insert(0, Message(role="system", text=system))
    return tuple(messages)
