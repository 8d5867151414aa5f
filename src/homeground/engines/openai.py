"""Any OpenAI-compatible server: vLLM, SGLang, llama.cpp, Ollama, hosted providers. Text and pictures."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from homeground.engines.protocol import Images, Refusal, Results, Say
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
_REFUSES_THE_PROMPT = (400, 413, 422)
"""HTTP answers that speak of this prompt, not of the server, the key or the model."""

_Result = tuple[str, Answer | Refusal | EnvironmentProblem]


class OpenAIEngine:
    """One model on one server. The key comes from the environment and goes nowhere but the server."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        """Name the model and the server (``OPENAI_BASE_URL``, then OpenAI's own, by default).

        Raises:
            InputError: ``base_url`` is not an HTTP address, or the key is no key.
        """
        self.name = f"openai:{model}"
        self._model = model
        self._url = _address(base_url or os.environ.get(BASE_URL) or _DEFAULT_URL)
        self._key = _key()
        self.identity: Mapping[str, str] = {"engine": "openai", "model": model, "base_url": self._url}
        self.sees = model_facts(self.name).sees
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

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer with a few requests in flight at a time.

        After a fault nothing new is sent; what is in flight is still waited for and yielded.
        """
        self._open()
        left = iter(requests)
        results: SimpleQueue[_Result] = SimpleQueue()
        # Daemon threads: Ctrl-C must not wait for a slow server.
        tasks: SimpleQueue[tuple[str, Request] | None] = SimpleQueue()
        stopped = Event()
        for _ in range(_IN_FLIGHT):
            Thread(target=self._work, args=(tasks, results, images, stopped), daemon=True).start()
        running = 0
        fault: EnvironmentProblem | None = None
        try:
            while True:
                while fault is None and running < _IN_FLIGHT and (task := next(left, None)) is not None:
                    tasks.put(task)
                    running += 1
                if running == 0:
                    break
                key, result = results.get()
                running -= 1
                if isinstance(result, EnvironmentProblem):
                    fault = fault or result
                else:
                    yield [(key, result)]
        finally:
            stopped.set()
            for _ in range(_IN_FLIGHT):
                tasks.put(None)
        if fault is not None:
            raise fault

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _work(
        self,
        tasks: SimpleQueue[tuple[str, Request] | None],
        results: SimpleQueue[_Result],
        images: Images,
        stopped: Event,
    ) -> None:
        while not stopped.is_set() and (task := tasks.get()) is not None:
            key, request = task
            try:
                results.put((key, self._one(request, images)))
            except EnvironmentProblem as problem:
                results.put((key, problem))
            except Exception as error:  # a thread must never die without a word
                results.put((key, EnvironmentProblem(f"{self._url}: {self._safe(repr(error))}")))

    def _one(self, request: Request, images: Images) -> Answer | Refusal:
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
                return _filtered(time.perf_counter() - began)
            reason = self._safe(_reason(error.body) or error.message)
            said = f"{self._url}: HTTP {error.status_code} for model {self._model!r}: {reason}"
            if error.status_code in _REFUSES_THE_PROMPT:
                return Refusal(said)
            raise EnvironmentProblem(said) from None
        except openai.APIConnectionError as error:
            raise self._unreachable(error) from None
        except (openai.OpenAIError, ValueError) as error:
            raise self._odd(str(error)) from None
        return self._read(reply, time.perf_counter() - began)

    def _unreachable(self, error: Exception) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"cannot reach {self._url}: {self._safe(str(error.__cause__ or error))}; "
            "is the server running, and is --base-url right?"
        )

    def _odd(self, said: str) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"{self._url}: not the answer of an OpenAI-compatible server: {self._safe(said)}"
        )

    def _read(self, reply: Any, seconds: float) -> Answer:  # noqa: ANN401
        try:
            choice = reply.choices[0]
            message = choice.message
            return Answer(
                text=_text(message.content),
                reasoning=_text(
                    getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
                ),
                finish_reason=str(choice.finish_reason or "stop"),
                prompt_tokens=_count(reply.usage, "prompt_tokens"),
                completion_tokens=_count(reply.usage, "completion_tokens"),
                seconds=seconds,
            )
        except (AttributeError, IndexError, TypeError, ValueError):
            raise self._odd(str(reply)) from None

    def _open(self) -> Any:  # noqa: ANN401
        if self._client is None:
            import openai

            self._client = openai.OpenAI(
                api_key=self._key or "none", base_url=self._url, max_retries=_RETRIES, timeout=_TIMEOUT
            )
        return self._client

    def _safe(self, text: str) -> str:
        """A server's own words on one line, bounded, and without the key it may have echoed."""
        if self._key:
            text = text.replace(self._key, "…")
        return " ".join(text.split())[:_LONGEST]


def _address(url: str) -> str:
    """A server's address that may be written down.

    Raises:
        InputError: it is none, or it carries a name, a password or a query; it is not repeated then.
    """
    try:
        parts = urlsplit(url.strip().rstrip("/"))
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or "@" in url or parts.query or parts.fragment:
        raise InputError(
            "--base-url: not an address such as http://127.0.0.1:8000/v1; "
            f"a key or password belongs into {KEY}, not into the address"
        )
    return parts.geturl()


def _key() -> str | None:
    """The key, or ``None``; white space around it, as a file's last newline, is dropped.

    Raises:
        InputError: it holds something that no HTTP header can.
    """
    key = (os.environ.get(KEY) or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"{KEY}: holds characters that no key has")
    return key or None


def _reason(body: object) -> str:
    if isinstance(body, dict):
        return str(body.get("message") or body.get("error") or "")
    return ""


def _filtered(seconds: float) -> Answer:
    return Answer(
        text="", finish_reason="content_filter", prompt_tokens=0, completion_tokens=0, seconds=seconds
    )


def _text(content: Any) -> str:  # noqa: ANN401
    """A message's text; some servers send a list of parts."""
    if isinstance(content, list):
        parts = (
            part.get("text") if isinstance(part, dict) else getattr(part, "text", "") for part in content
        )
        return "".join(str(part or "") for part in parts)
    return str(content or "")


def _count(usage: Any, name: str) -> int:  # noqa: ANN401
    return int(getattr(usage, name, None) or 0)


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
