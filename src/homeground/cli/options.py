"""Argument types that several commands share."""

from __future__ import annotations

import argparse


def names(text: str) -> tuple[str, ...]:
    """A comma-separated list."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError("give at least one name")
    return found


def positive(text: str) -> int:
    """A whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number
