"""What a plan will take before anything is asked: requests, tokens with and without shared prefixes, money."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise

from homeground.plan.requests import Plan
from homeground.schema import Cell, Record, Request

CHARACTERS_PER_TOKEN = 3.9
"""Characters of our English prompts that a token of today's vocabularies stands for (SmolLM2's: 4.5 on these prompts,
which a test recomputes). An estimate of tokens is within a tenth or so of another vocabulary's count."""
_MILLION = 1e6


class Prices(Record, frozen=True, kw_only=True):
    """What a million tokens cost, in any currency."""

    prompt: float
    completion: float
    cached: float | None = None
    """A prompt token that the server has in its prefix cache; as any other where nothing is said."""


class Forecast(Record, frozen=True, kw_only=True):
    """What a plan will take. Tokens are estimated from characters; pictures are not counted."""

    cells: int
    requests: int
    """Distinct requests; those of a second turn are counted as many as its cells."""
    saved: int
    """Calls that are not made since cells share a request."""
    left: int
    """Requests that have no answer yet."""
    prompt_tokens: int
    """Tokens of all prompts."""
    prompt_tokens_shared: int
    """Tokens that are left to evaluate where a server keeps the prefix of the prompt before."""
    completion_tokens: int
    """New tokens at most."""
    images: int
    """Requests with a picture."""
    cost: float | None = None
    """At most, without a prefix cache."""
    cost_shared: float | None = None
    """At most, where the cache holds every shared prefix."""


def forecast(
    plan: Plan,
    cells: Sequence[Cell],
    answered: Container[str],
    prices: Prices | None = None,
) -> Forecast:
    """Count what a plan will take.

    Args:
        plan: what to ask, in its order.
        cells: what it serves.
        answered: keys of requests that have an answer already; the rest is forecast.
        prices: of a million tokens.
    """
    left = [request for key, request in plan.requests.items() if key not in answered]
    prompts = [_text(request) for request in left]
    whole = sum(map(len, prompts))
    shared = sum(_common(one, two) for one, two in pairwise(prompts))
    new = sum(request.sampling.max_tokens for request in left)
    tokens, reused = round(whole / CHARACTERS_PER_TOKEN), round(shared / CHARACTERS_PER_TOKEN)
    cost = cost_shared = None
    if prices is not None:
        written = new * prices.completion
        cost = (tokens * prices.prompt + written) / _MILLION
        cached = prices.prompt if prices.cached is None else prices.cached
        cost_shared = ((tokens - reused) * prices.prompt + reused * cached + written) / _MILLION
    return Forecast(
        cells=len(cells),
        requests=len(plan.requests) + plan.waiting,
        saved=len(cells) - len(plan.requests) - plan.waiting,
        left=len(left) + plan.waiting,
        prompt_tokens=tokens,
        prompt_tokens_shared=tokens - reused,
        completion_tokens=new,
        images=sum(any(message.image for message in request.messages) for request in left),
        cost=cost,
        cost_shared=cost_shared,
    )


def _text(request: Request) -> str:
    return "\n".join(f"{message.image or ''}{message.role}\n{message.text}" for message in request.messages)


def _common(one: str, two: str) -> int:
    """Characters that two prompts begin with alike."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == two[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
