"""Requests as lines of a batch service's input file.

Formats: ``openai`` as the hosted Batch API and ``vllm run-batch`` read it, ``gemini`` as Gemini's Batch API does.
Sources and limits stand in ``batch.toml``.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, get_args

import msgspec

from homeground.engines.openai_dialect import family_of, messages_json
from homeground.engines.protocol import Images
from homeground.engines.registry import model_facts
from homeground.files import read_toml
from homeground.schema import Message, Record, Request

BatchFormat: TypeAlias = Literal["openai", "gemini"]
BATCH_FORMATS: tuple[BatchFormat, ...] = get_args(BatchFormat)
Finish: TypeAlias = Literal["stop", "length", "content_filter"]
_GEMINI_ROLES = {"user": "user", "assistant": "model"}
_Group = TypeVar("_Group")


class BatchService(Record, frozen=True, kw_only=True):
    """What one format's services take in a file, and which of their ends are answers."""

    requests: int | None = None
    bytes: int
    endpoint: str = ""
    source: str
    checked: str
    finish: dict[str, Finish]


@cache
def batch_services() -> Mapping[str, BatchService]:
    """What ``batch.toml`` says, by format."""
    return read_toml(Path(str(files("homeground.engines"))) / "batch.toml", dict[str, BatchService])


def request_line(format: BatchFormat, key: str, request: Request, images: Images) -> bytes:
    """One request as a line with its line break; the same bytes for the same request."""
    if format == "gemini":
        line: dict[str, object] = {"key": key, "request": _gemini(request, images)}
    else:
        endpoint = batch_services()["openai"].endpoint
        line = {"custom_id": key, "method": "POST", "url": endpoint, "body": _openai(request, images)}
    return msgspec.json.encode(line) + b"\n"


def cut(
    lines: Iterable[tuple[_Group, bytes]], *, requests: int | None, size: int
) -> Iterator[tuple[tuple[int, _Group], bytes]]:
    """Lines with the number of their file, from 1: in order, one group a file, as few files as that allows.

    Args:
        lines: each with its group; lines of a group stand together.
        requests: the most lines of a file, where that is limited.
        size: the most bytes of a file. A longer line gets a file of its own.
    """
    number = held = filled = 0
    current: _Group | None = None
    for group, line in lines:
        if number == 0 or group != current or held == requests or filled + len(line) > size:
            number, current, held, filled = number + 1, group, 0, 0
        held += 1
        filled += len(line)
        yield (number, group), line


def _openai(request: Request, images: Images) -> dict[str, object]:
    body: dict[str, object] = {
        "model": request.engine["model"],
        "messages": messages_json(request.messages, images),
        # The older max_tokens is refused by OpenAI's reasoning models; vLLM and llama.cpp take either.
        "max_completion_tokens": request.sampling.max_tokens,
        "temperature": request.sampling.temperature,
    }
    if request.sampling.logprobs is True:
        body["logprobs"] = True
    if request.sampling.thinking is not msgspec.UNSET:
        # A server that cannot switch the mode must refuse: an answer without it would pass for one with it.
        family = family_of("", model_facts(request.engine["model"]).server)
        body |= (family.on if request.sampling.thinking else family.off)[0]
    return body


def _gemini(request: Request, images: Images) -> dict[str, object]:
    config: dict[str, object] = {
        "temperature": request.sampling.temperature,
        "maxOutputTokens": request.sampling.max_tokens,
    }
    if request.sampling.logprobs is True:
        config["responseLogprobs"] = True
    if request.sampling.thinking is not msgspec.UNSET:
        # By the thinking guide a budget of -1 leaves the amount to the model and 0 switches the mode off.
        config["thinkingConfig"] = (
            {"thinkingBudget": -1, "includeThoughts": True}
            if request.sampling.thinking
            else {"thinkingBudget": 0}
        )
    system = [{"text": message.text} for message in request.messages if message.role == "system"]
    body: dict[str, object] = {"systemInstruction": {"parts": system}} if system else {}
    body["contents"] = [
        {"role": _GEMINI_ROLES[message.role], "parts": _gemini_parts(message, images)}
        for message in request.messages
        if message.role != "system"
    ]
    body["generationConfig"] = config
    return body


def _gemini_parts(message: Message, images: Images) -> list[dict[str, object]]:
    text: dict[str, object] = {"text": message.text}
    if message.image is None:
        return [text]
    data = _base64(message.image, images)
    return [{"inlineData": {"mimeType": "image/png", "data": data}}, text]


def _base64(sha256: str, images: Images) -> str:
    return base64.b64encode(images(sha256)).decode("ascii")
