"""A GGUF model in this process, on llama.cpp, in exact mode.

Exact mode means that reuse never changes an answer: one slot, flash attention off, no cache reuse across
positions, one request in flight. Then a prompt gives the same text and log-probabilities whatever was asked before
it, so the order of the plan may share prefixes freely.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from homeground.engines.protocol import Images, Refusal, Results, Say
from homeground.engines.registry import model_facts
from homeground.engines.weights import embedded_models, get_weights, weights_path
from homeground.errors import EnvironmentProblem
from homeground.schema import Answer, Request

CONTEXT = 4096
"""Tokens of prompt and answer together that the model is given room for."""
_THREADS = 2


class EmbeddedEngine:
    """One embedded model; the weights load with the first request."""

    sees: bool | None = False

    def __init__(self, model: str) -> None:
        """Name the model.

        Raises:
            InputError: no such model.
        """
        self.name = f"embedded:{model}"
        self._model = model
        weights_path(model)  # an unknown name is refused here
        self._path: Path | None = None
        self._server: Any = None
        self.identity: Mapping[str, str] = {
            "engine": "embedded",
            "model": model,
            "weights": embedded_models()[model].sha256,
            "runtime": f"xllamacpp {version('xllamacpp')}",
            "mode": "exact",
            "context": str(CONTEXT),
        }
        self.sees = model_facts(model).sees

    def ready(self, say: Say) -> None:
        """Fetch the weights where they are not in the cache yet.

        Raises:
            EnvironmentProblem: they cannot be fetched.
        """
        self._path = get_weights(self._model, say=say)

    def answer(self, requests: Iterable[tuple[str, Request]], images: Images) -> Iterator[Results]:
        """Answer one request after the other."""
        del images
        for key, request in requests:
            yield [(key, self._one(request))]

    def close(self) -> None:
        """Free the model."""
        self._server = None

    def _one(self, request: Request) -> Answer | Refusal:
        server = self._loaded()
        began = time.perf_counter()
        result = server.handle_chat_completions(
            {
                "messages": [{"role": m.role, "content": m.text} for m in request.messages],
                "max_tokens": request.sampling.max_tokens,
                "temperature": request.sampling.temperature,
                "cache_prompt": True,
            }
        )
        seconds = time.perf_counter() - began
        if "choices" not in result:
            reason = result.get("message") or result.get("error", {}).get("message") or result
            return Refusal(f"{self.name}: {reason}")
        choice = result["choices"][0]
        return Answer(
            text=choice["message"].get("content") or "",
            reasoning=choice["message"].get("reasoning_content") or "",
            finish_reason=choice["finish_reason"],
            prompt_tokens=result["usage"]["prompt_tokens"],
            completion_tokens=result["usage"]["completion_tokens"],
            seconds=seconds,
        )

    def _loaded(self) -> Any:  # noqa: ANN401
        if self._server is None:
            if self._path is None:
                self.ready(lambda line: None)
            self._server = start_server(str(self._path))
        return self._server


def start_server(weights: str, api_key: str | None = None) -> Any:  # noqa: ANN401
    """A llama.cpp server in this process, in exact mode. It also listens on a free local port.

    Args:
        weights: path of a GGUF file.
        api_key: what a client on that port must show; drawn at random, and so nobody's, by default.

    Raises:
        EnvironmentProblem: the file cannot be loaded.
    """
    # Two threads stay usable on a busy machine when OpenMP's waiting loops give up early.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.n_cache_reuse = 0
    params.cache_ram_mib = 0
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = min(_THREADS, os.cpu_count() or 1)
    params.warmup = False
    params.verbosity = -1
    params.api_keys = [api_key or secrets.token_hex(16)]
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise EnvironmentProblem(f"{weights}: llama.cpp cannot load it: {error}") from error
