"""What an answer of a person means: read by the same judge that reads models' answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from homeground.files import read_toml
from homeground.judging import read_answer
from homeground.judging.rulebooks import careful
from homeground.schema import Concept

Accepted = Mapping[str, Mapping[Concept, Sequence[str]]]
"""What counts as right by culture and concept, as ``Culture.accepted``."""
_NUMBER = re.compile(r"\d+(?:[.,٫]\d+)*")
_UNITS = Path(str(files("homeground.annotate.validation"))) / "units.toml"


class Graded(NamedTuple):
    """An answer, read."""

    found: tuple[str, ...]
    """Systems or currencies."""
    correct: bool

    @property
    def verdict(self) -> str:
        """What agreement is counted over: the first system or currency, ``none`` without any."""
        return self.found[0] if self.found else "none"


@cache
def _units() -> dict[Concept, tuple[str, ...]]:
    return read_toml(_UNITS, dict[Concept, tuple[str, ...]])


def units_of(concept: Concept, accepted: Accepted) -> tuple[str, ...]:
    """The units that people choose from; for prices the currencies of all cultures of the benchmark."""
    if concept != "price":
        return _units()[concept]
    return tuple(sorted({name for of in accepted.values() for name in of.get("price", ())}))


def grade(content: Mapping[str, Any], answer: Mapping[str, Any], accepted: Accepted) -> Graded:
    """Read an answer to an item; an attention item is right if value and unit are as it said.

    What stands around the number, as in ``(20)`` or ``20 or so``, is no part of it, unless it names a unit too.

    Args:
        content: of the item.
        answer: ``value`` and ``unit``.
        accepted: of the benchmark.
    """
    concept, value, unit = content["concept"], answer["value"], answer["unit"]
    number = _NUMBER.search(value)
    if number and not read_answer(concept, value).found:
        reading = read_answer(concept, f"{number[0]} {unit}")
    else:
        reading = read_answer(concept, f"{value} {unit}")
    if content.get("instructed"):
        return Graded(
            reading.found, [_bare(value), _bare(unit)] == [_bare(text) for text in content["instructed"]]
        )
    expected = tuple(accepted[content["asked"]].get(concept, ()))
    return Graded(reading.found, careful(reading, expected))


def _bare(text: str) -> str:
    """Without spaces and case, digits of any script as ASCII."""
    digits = (str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text if not c.isspace())
    return "".join(digits).casefold()
