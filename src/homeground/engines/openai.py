"""Any OpenAI-compatible server: vLLM, SGLang, llama.cpp, Ollama, hosted providers. Text and pictures."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from homeground.engines.protocol import Images, Say
from homeground.engines.registry import model_facts
from homeground.errors import EnvironmentProblem, InputError
from homeground.schema import Answer, Message, Request

KEY = "OPENAI_API_KEY"
BASE_URL = "OPENAI_BASE_URL"
_DEFAULT_URL = "https://api.openai.com/v1"
_IN_FLIGHT = 8
_RETRIES = 4
_TIMEOUT = 600.0
_LONGEST = 300


class OpenAIEngine:
    """One model on one server. The key comes from the environment and goes nowhere but the server."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        """Name the model and the server (``OPENAI_BASE_URL``, then OpenAI's own, by default).

        Raises:
            InputError: ``base_url`` is not an HTTP address.
        """
        self.name = f"openai:{model}"
        self._model = model
        self._url = (base_url or os.environ.get(BASE_URL) or _DEFAULT_URL).rstrip("/")
        parts = urlsplit(self._url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"--base-url: {self._url!r} is not an address such as http://127.0.0.1:8000/v1")
        # What is written down has no user name or password in it.
        host = parts.hostname + (f":{parts.port}" if parts.port else "")
        self._public_url = urlunsplit((parts.scheme, host, parts.path, "", ""))
        self.identity: Mapping[str, str] = {
            "engine": "openai",
            "model": model,
            "base_url": self._public_url,
        }
        self.sees = model_facts(model).sees
        self._client: Any = None

    def ready(self, say: Say) -> None:
        """Reach the server; whatever it answers will do.

        Raises:
            EnvironmentProblem: nothing answers at the address.
        """
        import openai

        del say
        try:
            self._open().with_options(max_retries=0).models.list()
        except openai.APIConnectionError as error:
            raise self._unreachable(error) from None
        except (openai.OpenAIError, ValueError):
            return  # something is there, and not every server lists its models

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[tuple[str, Answer]]:
        """Answer with a few requests in flight at a time."""
        left = iter(requests)
        pool = ThreadPoolExecutor(max_workers=_IN_FLIGHT)
        try:
            running: dict[Future[Answer], str] = {}
            for key, request in islice(left, _IN_FLIGHT):
                running[pool.submit(self._one, request, images)] = key
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    key = running.pop(future)
                    yield key, future.result()
                    for next_key, request in islice(left, 1):
                        running[pool.submit(self._one, request, images)] = next_key
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _one(self, request: Request, images: Images) -> Answer:
        import openai

        began = time.perf_counter()
        try:
            reply = self._open().chat.completions.create(
                model=self._model,
                messages=[_message(message, images) for message in request.messages],
                max_tokens=request.sampling.max_tokens,
                temperature=request.sampling.temperature,
            )
        except openai.APIStatusError as error:
            if error.code == "content_filter":
                return _refused(time.perf_counter() - began)
            raise EnvironmentProblem(
                f"{self._public_url}: HTTP {error.status_code} for model {self._model!r}: "
                f"{self._safe(_reason(error.body) or error.message)}"
            ) from None
        except openai.APIConnectionError as error:
            raise self._unreachable(error) from None
        except (openai.OpenAIError, ValueError) as error:
            raise EnvironmentProblem(
                f"{self._public_url}: not the answer of an OpenAI-compatible server: {self._safe(str(error))}"
            ) from None
        return self._read(reply, time.perf_counter() - began)

    def _unreachable(self, error: Exception) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"cannot reach {self._public_url}: {self._safe(str(error.__cause__ or error))}; "
            "is the server running, and is --base-url right?"
        )

    def _read(self, reply: Any, seconds: float) -> Answer:  # noqa: ANN401
        try:
            choice = reply.choices[0]
            message = choice.message
            usage = reply.usage
            return Answer(
                text=message.content or "",
                reasoning=getattr(message, "reasoning_content", None)
                or getattr(message, "reasoning", None)
                or "",
                finish_reason=choice.finish_reason or "stop",
                prompt_tokens=usage.prompt_tokens if usage else 0,
                completion_tokens=usage.completion_tokens if usage else 0,
                seconds=seconds,
            )
        except (AttributeError, IndexError, TypeError) as error:
            raise EnvironmentProblem(
                f"{self._public_url}: not the answer of an OpenAI-compatible server: {self._safe(str(reply))}"
            ) from error

    def _open(self) -> Any:  # noqa: ANN401
        if self._client is None:
            import openai

            self._client = openai.OpenAI(
                api_key=os.environ.get(KEY) or "none",
                base_url=self._url,
                max_retries=_RETRIES,
                timeout=_TIMEOUT,
            )
        return self._client

    def _safe(self, text: str) -> str:
        """A server's own words on one line, bounded, and without the key it may have echoed."""
        key = os.environ.get(KEY)
        if key:
            text = text.replace(key, "…")
        return " ".join(text.split())[:_LONGEST]


def _reason(body: object) -> str:
    if isinstance(body, dict):
        return str(body.get("message") or body.get("error") or "")
    return ""


def _refused(seconds: float) -> Answer:
    return Answer(
        text="",
        finish_reason="content_filter",
        prompt_tokens=0,
        completion_tokens=0,
        seconds=seconds,
    )


def _message(message: Message, images: Images) -> dict[str, object]:
    if message.image is None:
        return {"role": message.role, "content": message.text}
    data = base64.b64encode(images(message.image)).decode("ascii")
    return {
        "role": message.role,
        "content": [
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
            {"type": "text", "text": message.text},
        ],
    }
