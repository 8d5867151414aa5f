"""How far people agree on an item: on the system or currency that the judge read first, or on none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homeground.annotate.lines import AnswerLine
from homeground.statistics.agreement import Agreement, agreement

NONE = "none"
"""Of an answer in which no system or currency was found."""
_SEED = 1


def read_as(line: AnswerLine) -> str:
    """The category of an answer."""
    return line.found[0] if line.found else NONE


def agreement_on(lines: Sequence[AnswerLine]) -> Agreement:
    """Agreement of those who answered the same item; items with one answer count for nothing."""
    items: dict[tuple[str, str], list[str]] = {}
    for line in sorted(lines, key=lambda line: (line.culture, line.item)):
        items.setdefault((line.culture, line.item), []).append(read_as(line))
    names = sorted({name for said in items.values() for name in said})
    codes = np.full((len(items), max(map(len, items.values()), default=0)), -1, dtype=np.int64)
    for row, said in zip(codes, items.values(), strict=True):
        row[: len(said)] = [names.index(name) for name in said]
    return agreement(codes, _SEED)
