"""Requests → answers: the embedded model, any OpenAI-compatible server, and the store that loses nothing."""

from homeground.engines.open import open_engine
from homeground.engines.protocol import Engine
from homeground.engines.registry import known_models, model_facts
from homeground.engines.store import AnswerStore

__all__ = ["AnswerStore", "Engine", "known_models", "model_facts", "open_engine"]
