"""Any provider of Inspect AI, through ``get_model().generate()``; needs the extra ``homeground[inspect]``.

Inspect brings the provider's client, its retries and its own bound on connections; what comes back becomes an answer
as from any other engine. Its own cache stays off: the answer store keeps answers, under a key that leaves nothing out.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from homeground.engines.flow import Flow, LoopThread
from homeground.engines.pace import Pace
from homeground.engines.protocol import Images, Refusal, Results, Say
from homeground.engines.registry import model_facts
from homeground.errors import EnvironmentProblem
from homeground.files import png_uri
from homeground.schema import Answer, Message, Request

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput

INSPECT = "inspect:"
"""How the names of such models begin."""
_AT_ONCE = 50
"""Requests that are with Inspect at the same time; it sends as many as the provider's limit allows."""
_RETRIES = 5
_REFUSES_THE_PROMPT = (400, 413, 422)
_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)S?$")
_LONGEST = 300
_PATIENCE = 5.0
"""Seconds that a provider's client may take to close."""
_FINISH = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}


class InspectEngine:
    """One model of one provider of Inspect's. Keys are read by Inspect from the environment."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        """Name the model as Inspect does, ``provider/name``; ``base_url`` instead of the provider's own server."""
        self.name = f"{INSPECT}{model}"
        self._model = model
        self._base_url = base_url
        server = {"base_url": base_url} if base_url else {}
        self.identity: Mapping[str, str] = {"engine": "inspect", "model": model, **server}
        self.sees = model_facts(self.name).sees
        self._opened: Model | None = None
        self._thread: LoopThread | None = None
        self._flows: set[Flow[tuple[Request, Images], Answer | Refusal]] = set()

    def ready(self, say: Say) -> None:
        """Let Inspect find the provider, its package and its key.

        Raises:
            EnvironmentProblem: Inspect is not installed, or one of them is missing.
        """
        del say
        self._provider()

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer with as many requests in flight as Inspect's limit for the provider allows."""
        if self._thread is None:
            self._thread = LoopThread()
        self._provider()
        flow: Flow[tuple[Request, Images], Answer | Refusal] = Flow(
            self._thread.loop, Pace(_AT_ONCE, _AT_ONCE), self._one
        )
        self._flows.add(flow)
        try:
            yield from flow.work_through((key, (request, images)) for key, request in requests)
        finally:
            self._flows.discard(flow)

    def close(self) -> None:
        """Let go of requests in flight and of the provider's client."""
        while self._flows:
            self._flows.pop().cancel()
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            if self._opened is not None:
                thread.call(self._opened.api.aclose(), _PATIENCE)
        finally:
            self._opened = None
            thread.close()

    def _provider(self) -> Model:
        if self._opened is None:
            try:
                from inspect_ai.model import get_model
            except ImportError as error:
                raise EnvironmentProblem(
                    f"{self.name}: needs Inspect AI; install it with: pip install 'homeground[inspect]'"
                ) from error
            try:
                self._opened = get_model(self._model, base_url=self._base_url, memoize=False)
            except Exception as error:  # every provider has errors of its own for what is missing
                raise self._problem(error) from None
        return self._opened

    async def _one(self, task: tuple[Request, Images]) -> Answer | Refusal | EnvironmentProblem:
        request, images = task
        began = time.perf_counter()
        try:
            output = await self._provider().generate(_messages(request, images), config=_config(request))
            return _answer(output, time.perf_counter() - began)
        except (
            Exception
        ) as raised:  # providers raise what their clients do; a task must never die without a word
            error = _last(raised)
            # Inspect's own error repeats the whole request, and holds the provider's words beside it.
            said = getattr(error, "provider_message", None) or error
            if getattr(error, "status_code", None) in _REFUSES_THE_PROMPT:
                return Refusal(f"{self.name}: {_safe(said)}")
            return self._problem(said)

    def _problem(self, said: object) -> EnvironmentProblem:
        return EnvironmentProblem(f"{self.name}: {_safe(said)}")


def _last(error: Exception) -> BaseException:
    """What went wrong the last time, where Inspect's retries say only that they have ended."""
    attempt = getattr(error, "last_attempt", None)
    return (attempt.exception() if attempt is not None else None) or error


def _messages(request: Request, images: Images) -> list[ChatMessage]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [kinds[message.role](content=_content(message, images)) for message in request.messages]


def _content(message: Message, images: Images) -> Any:  # noqa: ANN401
    from inspect_ai.model import ContentImage, ContentText

    if message.image is None:
        return message.text
    return [ContentImage(image=png_uri(images(message.image))), ContentText(text=message.text)]


def _config(request: Request) -> GenerateConfig:
    from inspect_ai.model import GenerateConfig

    sampling = request.sampling
    more: dict[str, Any] = {}
    if sampling.thinking is not UNSET:
        more["reasoning_effort"] = "medium" if sampling.thinking else "none"
    if sampling.logprobs is True:
        more["logprobs"] = True
    return GenerateConfig(
        temperature=sampling.temperature, max_tokens=sampling.max_tokens, max_retries=_RETRIES, **more
    )


def _answer(output: ModelOutput, seconds: float) -> Answer | Refusal:
    """What Inspect's output is to us. Where a provider refused the prompt, its words stand in place of the answer."""
    used = output.usage
    if not output.choices:
        return Refusal(f"{output.model}: {_safe(output.error or 'no answer')}")
    choice = output.choices[0]
    refused = used is None
    if refused and choice.stop_reason == "model_length":
        return Refusal(f"{output.model}: {_safe(output.completion)}")
    filtered = choice.stop_reason == "content_filter"
    reasoning = [part for part in _parts(choice.message.content) if part.type == "reasoning"]
    return Answer(
        text="" if filtered and refused else choice.message.text,
        reasoning="\n".join(part.reasoning or part.summary or "" for part in reasoning),
        finish_reason=_FINISH.get(choice.stop_reason, "stop"),
        prompt_tokens=sum(
            (used.input_tokens, used.input_tokens_cache_read or 0, used.input_tokens_cache_write or 0)
        )
        if used
        else 0,
        completion_tokens=used.output_tokens if used else 0,
        seconds=seconds,
        logprobs=tuple(token.logprob for token in choice.logprobs.content) if choice.logprobs else (),
    )


def _parts(content: Any) -> list[Any]:  # noqa: ANN401
    return [] if isinstance(content, str) else content


def _safe(said: object) -> str:
    """Somebody's own words on one line, bounded, and without any secret of the environment they may have echoed."""
    text = re.sub(r"\[/?[a-z]+\]", "", str(said))  # Inspect marks words up for its terminal
    for name, value in os.environ.items():
        if len(value) > 3 and _SECRET.search(name.upper()):
            text = text.replace(value, "…")
    return " ".join(text.split())[:_LONGEST]
