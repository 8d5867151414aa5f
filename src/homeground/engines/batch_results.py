"""Lines of a batch service's result files as answers. The files come from outside: no line makes an exception.

OpenAI and vLLM: ``{"custom_id", "response": {"status_code", "body"}, "error"}``, where vLLM's error can be a text
(https://platform.openai.com/docs/api-reference/batch/request-output; vLLM's ``run_batch.py``). Gemini: ``{"key",
"response"}`` or a status in the place of the response (https://ai.google.dev/gemini-api/docs/batch-api), where other
tools write the key into ``metadata``. Read 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from homeground.engines.batch_requests import BatchFormat, batch_services
from homeground.errors import InputError
from homeground.schema import Answer

LONGEST = 32_000_000
"""Bytes of a line that are read; some services repeat the request, pictures included."""
_LONGEST_KIND = 60
_OK = 200
_BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_Tokens = Annotated[int, Meta(ge=0, le=2**53)]
_T = TypeVar("_T")


class Failure(NamedTuple):
    """A request that the service could not answer this time; it can be sent again."""

    kind: str


class Unusable(NamedTuple):
    """A line that speaks of no request."""

    kind: str


class _Line(Struct):
    custom_id: str | None = None
    key: str | None = None
    metadata: Raw = Raw()
    response: Raw = Raw()
    error: Raw = Raw()
    status: Raw = Raw()


class _Keyed(Struct):
    key: str


class _Problem(Struct):
    code: str | int | None = None
    type: str | None = None
    status: str | None = None
    error: Raw = Raw()


class _Response(Struct):
    status_code: int = _OK
    body: Raw = Raw()


class _Part(Struct):
    text: str | None = None
    thought: bool | None = None


class _Message(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Token(Struct):
    logprob: float


class _LogProbs(Struct):
    content: list[_Token] | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: _LogProbs | None = None


class _Usage(Struct):
    prompt_tokens: _Tokens | None = None
    completion_tokens: _Tokens | None = None


class _Completion(Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Raw = Raw()


class _Content(Struct):
    parts: list[_Part] = []


class _Chosen(Struct, rename="camel"):
    log_probability: float


class _Chances(Struct, rename="camel"):
    chosen_candidates: list[_Chosen] = []


class _Candidate(Struct, rename="camel"):
    content: _Content | None = None
    finish_reason: str | None = None
    logprobs_result: _Chances | None = None


class _Feedback(Struct, rename="camel"):
    block_reason: str | None = None


class _GeminiUsage(Struct, rename="camel"):
    prompt_token_count: _Tokens | None = None
    candidates_token_count: _Tokens | None = None
    thoughts_token_count: _Tokens | None = None


class _Generated(Struct, rename="camel"):
    candidates: list[_Candidate] = []
    prompt_feedback: _Feedback | None = None
    usage_metadata: _GeminiUsage | None = None


def result_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a file that are not blank with their numbers (from 1), one in memory at a time.

    ``None`` stands for a line of more than ``LONGEST`` bytes.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number in count(1):
                line = file.readline(LONGEST + 1)
                if not line:
                    return
                if len(line) > LONGEST and not line.endswith(b"\n"):
                    while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                        pass
                    yield number, None
                    continue
                line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if line.strip():
                    yield number, line
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def read_line(line: bytes) -> tuple[str, Answer | Failure] | Unusable:
    """The key of a request with its answer or failure, or why the line has none."""
    read = _decode(line, _Line)
    if read is None:
        return Unusable("not a result in JSON")
    inner = _decode(read.metadata, _Keyed) if _there(read.metadata) else None
    key = read.custom_id or read.key or (inner.key if inner else None)
    if not key:
        return Unusable("without custom_id or key")
    if read.custom_id:
        if not (_there(read.response) or _there(read.error)):
            return Unusable("without a response or an error, as lines that were sent")
        return key, _openai(read)
    if not (_there(read.response) or _there(read.error) or _there(read.status)):
        return Unusable("without a response or an error, as lines that were sent")
    return key, _gemini(read)


def _openai(line: _Line) -> Answer | Failure:
    response = _decode(line.response, _Response) if _there(line.response) else _Response()
    if response is None:
        return Failure("response that cannot be read")
    done = _decode(response.body, _Completion)
    refused = response.status_code != _OK
    code = _code(line.error) or (_code(response.body) if refused else _code(done.error) if done else "")
    if code == "content_filter":
        return _answer("", "", "content_filter", 0, 0)
    if refused or _there(line.error) or code:
        http = f"HTTP {response.status_code}" if refused else ""
        return Failure(f"{http} {code}".strip() or "error without a code")
    if done is None or not done.choices:
        return Failure("response without an answer")
    choice = done.choices[0]
    message = choice.message
    finish = _finish("openai", choice.finish_reason or "stop")
    if isinstance(finish, Failure):
        return finish
    usage = done.usage or _Usage()
    content = message.content
    text = "".join(part.text or "" for part in content) if isinstance(content, list) else content
    return _answer(
        text or message.refusal or "",
        message.reasoning_content or message.reasoning or "",
        finish,
        usage.prompt_tokens or 0,
        usage.completion_tokens or 0,
        tuple(token.logprob for token in (choice.logprobs and choice.logprobs.content) or ()),
    )


def _gemini(line: _Line) -> Answer | Failure:
    for problem in (line.error, line.status):
        if _there(problem):
            return Failure(_code(problem) or "error without a code")
    if not _there(line.response):
        return Failure("response without an answer")
    done = _decode(line.response, _Generated)
    if done is None:
        return Failure("response that cannot be read")
    usage = done.usage_metadata or _GeminiUsage()
    prompt = usage.prompt_token_count or 0
    if not done.candidates:
        if done.prompt_feedback and done.prompt_feedback.block_reason:
            return _answer("", "", "content_filter", prompt, 0)
        return Failure("response without an answer")
    candidate = done.candidates[0]
    finish = _finish("gemini", candidate.finish_reason or "")
    if isinstance(finish, Failure):
        return finish
    parts = candidate.content.parts if candidate.content else []
    chances = candidate.logprobs_result
    return _answer(
        "".join(part.text or "" for part in parts if not part.thought),
        "".join(part.text or "" for part in parts if part.thought),
        finish,
        prompt,
        # As with OpenAI, what was thought counts as written.
        (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
        tuple(token.log_probability for token in chances.chosen_candidates) if chances else (),
    )


def _answer(
    text: str,
    reasoning: str,
    finish: str,
    prompt: int,
    completion: int,
    logprobs: tuple[float, ...] = (),
) -> Answer:
    return Answer(
        text=text,
        reasoning=reasoning,
        finish_reason=finish,
        prompt_tokens=prompt,
        completion_tokens=completion,
        seconds=0.0,
        logprobs=logprobs,
    )


def _finish(format: BatchFormat, said: str) -> str | Failure:
    known = batch_services()[format].finish.get(said)
    return known or Failure(f"ended by {_one_line(said) or 'nothing'}")


def _there(raw: Raw) -> bool:
    """Whether a field says anything; on success, services leave it out or write null, "" or {}."""
    return bytes(raw).strip() not in (b"", b"null", b'""', b"{}")


def _code(raw: Raw, *, nested: bool = True) -> str:
    """The kind of an error in the service's own words; empty where it names none."""
    problem = _decode(raw, _Problem) if _there(raw) else None
    if problem is None:
        return ""
    if nested and _there(problem.error):
        return _code(problem.error, nested=False) or "error"
    named = problem.status or (problem.code if isinstance(problem.code, str) else None) or problem.type
    if not named and problem.code is not None:
        named = f"code {problem.code}"
    return _one_line(named or "")


def _one_line(text: str) -> str:
    kept = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(kept.split())[:_LONGEST_KIND]


def _decode(raw: bytes | Raw, shape: type[_T]) -> _T | None:
    decoder: Any = msgspec.json
    try:
        decoded: _T = decoder.decode(raw, type=shape)
    except _BROKEN:
        return None
    return decoded
