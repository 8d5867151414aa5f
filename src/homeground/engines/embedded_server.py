"""A llama.cpp server inside a process, and one request to it."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from typing import Any

from msgspec import UNSET

from homeground.engines.protocol import Refusal
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Request

CONTEXT = 4096
"""Tokens of prompt and answer together that the model is given room for."""
FAST_SLOTS = 4
"""Prompts that the fast mode has in flight at the same time: llama.cpp's own default."""
_THREADS = 2


def start_server(
    weights: str, api_key: str | None = None, *, fast: bool = False, threads: int | None = None
) -> Any:  # noqa: ANN401
    """A llama.cpp server in this process. It also listens on a free local port.

    Args:
        weights: path of a GGUF file.
        api_key: what a client on that port must show; drawn at random, and so nobody's, by default.
        fast: several slots, flash attention where llama.cpp likes it, and its default cache; exact mode otherwise.
        threads: how many work on one prompt; by default two, or one on one core.

    Raises:
        EnvironmentProblem: the file cannot be loaded.
    """
    # Two threads stay usable on a busy machine when OpenMP's waiting loops give up early.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights
    if fast:
        params.n_parallel = FAST_SLOTS
        params.n_ctx = CONTEXT * FAST_SLOTS
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_AUTO
    else:
        params.n_parallel = 1
        params.n_ctx = CONTEXT
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.n_cache_reuse = 0
        params.cache_ram_mib = 0
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads or min(_THREADS, cores())
    params.warmup = False
    params.verbosity = -1
    params.api_keys = [api_key or secrets.token_hex(16)]
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise EnvironmentProblem(f"{weights}: llama.cpp cannot load it: {error}") from error


def ask(server: Any, request: Request, *, reuse: bool = True) -> Answer | Refusal:  # noqa: ANN401
    """Put one request to a server of ``start_server``.

    Args:
        server: the server.
        request: what to ask; pictures are left out.
        reuse: whether the server may start from what it still holds of an earlier prompt.
    """
    body: dict[str, Any] = {
        "messages": [{"role": m.role, "content": m.text} for m in request.messages],
        "max_tokens": request.sampling.max_tokens,
        "temperature": request.sampling.temperature,
        "cache_prompt": reuse,
    }
    if request.sampling.thinking is not UNSET:
        body["chat_template_kwargs"] = {"enable_thinking": request.sampling.thinking}
    if request.sampling.logprobs is True:
        body |= {"logprobs": True, "top_logprobs": 1}
    if request.draw is not UNSET:
        body["seed"] = _seed(request.draw)
    began = time.perf_counter()
    result = server.handle_chat_completions(body)
    seconds = time.perf_counter() - began
    if "choices" not in result:
        reason = result.get("message") or result.get("error", {}).get("message") or result
        return Refusal(str(reason))
    choice = result["choices"][0]
    tokens = (choice.get("logprobs") or {}).get("content") or ()
    return Answer(
        text=choice["message"].get("content") or "",
        reasoning=choice["message"].get("reasoning_content") or "",
        finish_reason=choice["finish_reason"],
        prompt_tokens=result["usage"]["prompt_tokens"],
        completion_tokens=result["usage"]["completion_tokens"],
        seconds=seconds,
        logprobs=tuple(token["logprob"] for token in tokens),
    )


def _seed(draw: str) -> int:
    """The same draw of the same cell gets the same tokens again."""
    return int.from_bytes(hashlib.sha256(draw.encode()).digest()[:4], "big")


def cores() -> int:
    """How many cores this process may use."""
    return len(core_numbers()) or os.cpu_count() or 1


def core_numbers() -> tuple[int, ...]:
    """Which cores this process may use; empty where the operating system does not say."""
    if not hasattr(os, "sched_getaffinity"):
        return ()
    return tuple(sorted(os.sched_getaffinity(0)))
