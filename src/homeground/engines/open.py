"""The names that open engines: ``engine:model``."""

from __future__ import annotations

from homeground.engines.protocol import Engine, EngineOptions
from homeground.errors import InputError

ENGINES = ("embedded", "openai", "inspect", "batch", "ray")
_DEFAULT = EngineOptions()


def open_engine(name: str, options: EngineOptions = _DEFAULT) -> Engine:
    """The engine for ``engine:model``. Cheap: weights are fetched and loaded, and servers called, on first use.

    Raises:
        InputError: the name is not of that form, or no such engine or embedded model.
    """
    kind, _, model = name.partition(":")
    if kind not in ENGINES or not model:
        raise InputError(
            f"unknown model {name!r}: write engine:name, for example embedded:smollm2-135m "
            f"or openai:NAME; engines: {', '.join(ENGINES)}"
        )
    if kind == "embedded":
        from homeground.engines.embedded import EmbeddedEngine

        return EmbeddedEngine(model, fast=options.fast, processes=options.processes, threads=options.threads)
    if kind == "batch":
        from homeground.engines.batch import BatchEngine

        return BatchEngine(model)
    if kind == "inspect":
        from homeground.engines.inspect import InspectEngine

        return InspectEngine(model, options.base_url)
    if kind == "ray":
        from homeground.engines.ray import RayEngine

        return RayEngine(open_engine(model, options), open_engine, options)
    from homeground.engines.openai import OpenAIEngine

    return OpenAIEngine(model, options.base_url)
