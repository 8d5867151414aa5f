"""Contiguous shares of the plan's order for servers with several slots, each of which remembers one prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def in_shares(items: Sequence[T], slots: int) -> Iterator[T]:
    """The items so that those sent at the same time come from different shares, and each slot walks through one.

    A server of this kind gives a prompt to the slot that holds the most similar one. Were neighbours of the order in
    flight together, each slot would have to evaluate what they share.

    Args:
        items: in the order of the plan.
        slots: how many shares, at least 1.
    """
    share = -(-len(items) // slots)
    for place in range(share):
        yield from items[place::share]
