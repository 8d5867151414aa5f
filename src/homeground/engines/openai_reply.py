"""What a server's reply means: an answer, a refusal of the prompt, a fault to try again, or a problem for the user."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import msgspec

from homeground.engines.openai_http import Reply
from homeground.schema import Answer

_BUSY = (429, 503)
_AGAIN = (408, 425)
_REFUSES_THE_PROMPT = (400, 413, 422)
"""HTTP answers that speak of this prompt, not of the server, the key or the model."""
_NO_MONEY = "insufficient_quota"
"""A code that comes with 429 and that no waiting mends."""
_REASONS = ("thinking", "reasoning")
"""Types of a message's parts that are no answer."""
_SHOWN = 2000


class Again(NamedTuple):
    """A fault that may pass."""

    said: str
    wait: float | None = None
    """Seconds that the server asks for."""
    busy: bool = False
    """The server has too much to do."""


class Refused(NamedTuple):
    """The server does not take this request as it is, but may take others."""

    said: str
    error: Any


class Broken(NamedTuple):
    """No try of any request would help."""

    said: str


Meaning = Answer | Again | Refused | Broken


def read_reply(reply: Reply, model: str) -> Meaning:
    """What a reply means; ``said`` may hold anything that the server said, the key too."""
    try:
        body = _json(reply.body)
    except ValueError:
        said = reply.body[:_SHOWN].decode("utf-8", "replace")
        if reply.status == 200:
            return Again(f"not the answer of an OpenAI-compatible server: {said}")
        return _status(reply.status, model, reply, None, said)
    error = body.get("error") if isinstance(body, dict) else None
    if reply.status == 200 and isinstance(error, dict):
        # Some routers say with 200 that the server behind them failed.
        code = error.get("code")
        if isinstance(code, int) and 400 <= code < 600:
            return _status(code, model, reply, body, _reason(body))
    if reply.status != 200:
        return _status(reply.status, model, reply, body, _reason(body))
    return _answer(body, reply.seconds)


def _status(status: int, model: str, reply: Reply, body: Any, reason: str) -> Meaning:  # noqa: ANN401
    error = body.get("error") if isinstance(body, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    said = f"HTTP {status} for model {model!r}: {reason or 'no reason given'}"
    if code == "content_filter":
        return Answer(
            text="",
            finish_reason="content_filter",
            prompt_tokens=0,
            completion_tokens=0,
            seconds=reply.seconds,
        )
    if code == _NO_MONEY:
        return Broken(said)
    if status in _BUSY:
        return Again(said, reply.retry_after, busy=True)
    if status in _AGAIN or status >= 500:
        return Again(said, reply.retry_after)
    if status in _REFUSES_THE_PROMPT:
        return Refused(said, body)
    return Broken(said)


def _answer(body: Any, seconds: float) -> Answer | Broken:  # noqa: ANN401
    try:
        choice = body["choices"][0]
        message = choice["message"]
        usage = body.get("usage") or {}
        text, thought = _parts(message.get("content"))
        apart = message.get("reasoning_content") or message.get("reasoning")
        return Answer(
            text=text,
            reasoning="".join(_parts(apart)) or thought,
            finish_reason=str(choice.get("finish_reason") or "stop"),
            prompt_tokens=int(usage.get("prompt_tokens") or 0),
            completion_tokens=int(usage.get("completion_tokens") or 0),
            seconds=seconds,
            logprobs=_logprobs(choice),
        )
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return Broken(f"not the answer of an OpenAI-compatible server: {json.dumps(body)[:_SHOWN]}")


def _logprobs(choice: Any) -> tuple[float, ...]:  # noqa: ANN401
    """The log-probabilities of the tokens, where the server gives them."""
    tokens = (choice.get("logprobs") or {}).get("content") or ()
    return tuple(float(token["logprob"]) for token in tokens)


def _parts(content: Any) -> tuple[str, str]:  # noqa: ANN401
    """A message's text, and its reasoning where a list of parts holds both."""
    if not isinstance(content, list):
        return str(content or ""), ""
    text: list[str] = []
    thought: list[str] = []
    for part in content:
        if not isinstance(part, dict):
            text.append(str(part or ""))
        elif (kind := part.get("type")) in _REASONS:
            thought += _parts(part.get(kind) or part.get("text"))
        else:
            text.append(str(part.get("text") or ""))
    return "".join(text), "".join(thought)


def _reason(body: Any) -> str:  # noqa: ANN401
    """A server's reason, wherever it puts it."""
    if not isinstance(body, dict):
        return str(body)
    error = body.get("error", body)
    if isinstance(error, dict):
        return str(error.get("message") or error.get("error") or error.get("detail") or "")
    return str(error or "")


def _json(data: bytes) -> Any:  # noqa: ANN401
    """Parsed JSON; what is not strict but usual (lone surrogates, NaN) is read as well.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return json.loads(data)
