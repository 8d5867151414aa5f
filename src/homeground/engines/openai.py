"""Any OpenAI-compatible server: vLLM, SGLang, llama.cpp, Ollama, hosted providers. Text and pictures."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from homeground.engines.flow import Flow, LoopThread
from homeground.engines.openai_dialect import Dialect, family_of, messages_json
from homeground.engines.openai_http import Fault, Http, Reply, Unreachable, Untrusted, pause
from homeground.engines.openai_reply import Again, Broken, Refused, read_reply
from homeground.engines.pace import MOST, Pace
from homeground.engines.protocol import Images, Refusal, Results, Say
from homeground.engines.registry import model_facts
from homeground.engines.shares import in_shares
from homeground.errors import EnvironmentProblem, InputError
from homeground.schema import Answer, Request

KEY = "OPENAI_API_KEY"
BASE_URL = "OPENAI_BASE_URL"
_DEFAULT_URL = "https://api.openai.com/v1"
_RETRIES = 5
"""Tries of one request after the first."""
_PROBE = 60.0
"""Seconds that a server may take to say that it is there."""
_CLOSING = 5.0
"""Seconds that connections may take to close."""
_LONGEST = 300
_OK = 200


class _Task(NamedTuple):
    request: Request
    messages: msgspec.Raw


class _Slots(msgspec.Struct):
    total_slots: int = 1


class OpenAIEngine:
    """One model on one server. The key comes from the environment and goes nowhere but the server."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        """Name the model and the server (``OPENAI_BASE_URL``, then OpenAI's own, by default).

        Raises:
            InputError: ``base_url`` is not an HTTP address, the key is no key, or ``models.toml`` names a family of
                servers that there is not.
        """
        self.name = f"openai:{model}"
        self._model = model
        self._url = _address(base_url or os.environ.get(BASE_URL) or _DEFAULT_URL)
        self._key = _key()
        self.identity: Mapping[str, str] = {"engine": "openai", "model": model, "base_url": self._url}
        facts = model_facts(self.name)
        self.sees = facts.sees
        family = family_of(self._url, facts.server)
        self._dialect = Dialect(model, family)
        self._slots_at = family.slots
        self._pace = Pace()
        self._draw = random.Random()
        self._thread: LoopThread | None = None
        self._http = Http(self._url, self._key)
        self._flows: set[Flow[_Task, Answer | Refusal]] = set()
        self._met = False
        """Whether the server ever took a connection."""
        self._held = 0.0
        """When the server wants to be asked again, by the loop's clock."""

    def ready(self, say: Say) -> None:
        """Reach the server; whatever it answers will do.

        Raises:
            EnvironmentProblem: nothing answers at the address.
        """
        del say
        try:
            self._open().call(self._http.get("/models", _PROBE))
        except Fault as fault:
            raise self._unreachable(fault) from None
        self._met = True

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer with as many requests in flight as the server bears, sent in the order of the plan.

        So neighbours, which share the longest prefixes, are with the server at the same time; where the server works in
        slots, each slot gets a contiguous share instead. After a fault that no
        other try mended, nothing new is sent; what is in flight is still waited for and yielded.
        """
        flow: Flow[_Task, Answer | Refusal] = Flow(
            self._open().loop, self._pace, lambda task: self._one(task, flow)
        )
        self._flows.add(flow)
        try:
            yield from flow.work_through(
                (key, _Task(request, messages_json(request.messages, images)))
                for key, request in in_shares(list(requests), self._slots())
            )
        finally:
            self._flows.discard(flow)

    def close(self) -> None:
        """Let go of requests in flight and close the connections, within seconds."""
        if self._thread is None:
            return
        thread, self._thread = self._thread, None
        while self._flows:
            self._flows.pop().cancel()
        try:
            thread.call(self._http.close(), _CLOSING)
        except TimeoutError:
            pass  # a connection that does not close in time goes with its thread
        finally:
            thread.close()

    def _slots(self) -> int:
        """In how many slots the server works, each with a prompt of its own; 1 where it does not say."""
        if not self._slots_at:
            return 1
        try:
            reply = self._open().call(self._http.get(self._slots_at, _PROBE))
            slots = msgspec.json.decode(reply.body, type=_Slots).total_slots if reply.status == _OK else 1
        except (Fault, msgspec.DecodeError):
            return 1  # the order is a matter of speed alone; a server that is gone is noticed with the first request
        return max(1, min(slots, MOST))

    def _open(self) -> LoopThread:
        if self._thread is None:
            self._thread = LoopThread()
            self._held = 0.0
        return self._thread

    async def _one(
        self, task: _Task, flow: Flow[_Task, Answer | Refusal]
    ) -> Answer | Refusal | EnvironmentProblem | None:
        try:
            return await self._insist(task, flow)
        except EnvironmentProblem as problem:
            return problem
        except Exception as error:  # a task must never die without a word
            return self._problem(repr(error))

    async def _insist(self, task: _Task, flow: Flow[_Task, Answer | Refusal]) -> Answer | Refusal | None:
        """Ask until there is an answer, the tries are spent, or another request met a fault."""
        tries = 0
        while True:
            await flow.rest(self._held - asyncio.get_running_loop().time(), keep_place=True)
            if flow.stopped:
                return None
            sent = self._dialect.write(task.request, task.messages)
            mark = self._pace.sent()
            meaning = await self._try(sent.body)
            if isinstance(meaning, Answer):
                self._pace.answered(mark, meaning.seconds)
                return meaning
            if isinstance(meaning, Broken):
                raise self._problem(meaning.said)
            if isinstance(meaning, Refused):
                try:
                    if self._dialect.other_words(task.request, sent, meaning.error):
                        continue
                except EnvironmentProblem as problem:
                    raise self._problem(f"model {self._model!r} {problem}") from None
                return Refusal(f"{self._url}: {self._safe(meaning.said)}")
            tries += 1
            if meaning.busy:
                self._pace.busy(mark)
            if meaning.wait is not None:
                self._held = max(self._held, asyncio.get_running_loop().time() + meaning.wait)
            if tries > _RETRIES:
                raise self._problem(meaning.said, f" (tried {tries} times)" if tries > 1 else "")
            # A busy server gets no other request instead of this one.
            await flow.rest(pause(tries, self._draw), keep_place=meaning.busy)

    async def _try(self, body: bytes) -> Answer | Again | Refused | Broken:
        try:
            reply: Reply = await self._http.post("/chat/completions", body)
        except Unreachable as fault:
            if isinstance(fault, Untrusted) or not self._met:
                raise self._unreachable(fault) from None
            return Again(f"cannot reach it any more: {fault}", busy=True)
        except Fault as fault:
            self._met = True
            return Again(str(fault))
        self._met = True
        return read_reply(reply, self._model)

    def _unreachable(self, fault: Fault) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"cannot reach {self._url}: {self._safe(str(fault))}; "
            "is the server running, and is --base-url right?"
        )

    def _problem(self, said: str, more: str = "") -> EnvironmentProblem:
        return EnvironmentProblem(f"{self._url}: {self._safe(said)}{more}")

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
