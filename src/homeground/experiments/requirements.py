"""Requirements: what a release must reach, each as one line that a build can be made to depend on.

    [SERIES] TASK.LEVEL[.CULTURE or .CONCEPT] [low|value|high] OP NUMBER[%]

    question.implicit >= 0.8
    question.implicit.FR value >= 80 %
    [openai:my-model/pragmatic] gap.implicit <= 0.2

SERIES, in brackets, is a model with or without its strategy; where none is named, every series must pass. TASK is
``question`` or ``background`` (share right), ``gap`` (background minus question, over the same conversations),
``acted`` (share of questions right among those whose background was right) or ``contrast`` (share of contrast pairs
with both right). OP is one of ``>= > <= <``. What is compared is the end of the 95 % interval that makes the gate hard
to pass by chance, ``low`` for ``>=`` and ``>``, ``high`` for ``<=`` and ``<``; ``value`` asks for the estimate itself.
Numbers are shares, or with ``%`` a hundred times as much.

This file has the expressions; ``gate`` judges them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeVar, get_args

from homeground.errors import InputError, unknown
from homeground.files import read_text
from homeground.schema import CONCEPTS, CONDITIONS, TOLD, Condition, Record

N = TypeVar("N", bound=str)
Measure = Literal["question", "background", "gap", "acted", "contrast"]
Bound = Literal["low", "value", "high"]
Op = Literal[">=", ">", "<=", "<"]

MEASURES: tuple[Measure, ...] = get_args(Measure)
BOUNDS: tuple[Bound, ...] = get_args(Bound)
OPS: tuple[Op, ...] = get_args(Op)
_HOLDS: MappingProxyType[Op, Callable[[float, float], bool]] = MappingProxyType(
    {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
)
_MOST = 100_000
"""Bytes of a file of requirements."""
_SHOWN = 60
"""Characters of a faulty expression that its error repeats."""
_SHAPE = re.compile(
    r"\s*(?:\[(?P<series>[^\[\]]*)\])?\s*(?P<target>[\w.-]*)\s*(?P<bound>[A-Za-z]*)\s*(?P<op>[<>=!~]*)"
    r"\s*(?P<number>[^\s%]*)\s*(?P<percent>%?)\s*(?P<rest>.*)",
    re.ASCII | re.DOTALL,
)
"""Every part can be missing, so that any text has this shape, and each part its place in it."""
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?", re.ASCII | re.IGNORECASE)


class Requirement(Record, frozen=True, kw_only=True):
    """One requirement; ``str`` gives it as it would be written, with its bound."""

    series: str = ""
    """A model, with or without its strategy; empty for every series."""
    measure: Measure
    level: Condition
    group: str = ""
    """A culture's code or a concept; empty for all of them."""
    bound: Bound
    op: Op
    limit: float
    """A share; for ``gap`` a difference of shares."""

    def __str__(self) -> str:
        """The expression, which ``parse_requirement`` reads as the same requirement."""
        series = f"[{self.series}] " if self.series else ""
        group = f".{self.group}" if self.group else ""
        return f"{series}{self.measure}.{self.level}{group} {self.bound} {self.op} {self.limit!r}"

    def met_by(self, number: float) -> bool:
        """Whether a number keeps to the limit."""
        return _HOLDS[self.op](number, self.limit)


def parse_requirement(text: str) -> Requirement:
    """Read one expression.

    Raises:
        InputError: it is none; the error gives the column (from 1) of the fault.
    """
    parts = _SHAPE.fullmatch(text)
    if parts is None:
        raise _fault(text, 0, "no requirement")
    series = (parts["series"] or "").strip()
    if parts["series"] is not None and not (series and series.isprintable()):
        raise _fault(text, parts.start("series"), "expected a model, such as [openai:my-model/direct]")
    measure, level, group = _target(text, parts["target"], parts.start("target"))
    if parts["op"] not in OPS:
        why = f"no operator {parts['op']!r}" if parts["op"] else "expected an operator"
        raise _fault(text, parts.start("op"), f"{why}; known: {' '.join(OPS)}")
    op = _one_of(text, parts.start("op"), "operator", parts["op"], OPS)
    bound: Bound = "low" if op in (">=", ">") else "high"
    if parts["bound"]:
        bound = _one_of(text, parts.start("bound"), "bound", parts["bound"], BOUNDS)
    limit = _limit(text, parts, -1 if measure == "gap" else 0)
    if parts["rest"]:
        raise _fault(text, parts.start("rest"), "nothing can follow the number")
    return Requirement(
        series=series, measure=measure, level=level, group=group, bound=bound, op=op, limit=limit
    )


def read_requirements(path: Path) -> list[Requirement]:
    """A file of expressions, one a line; blank lines and lines that begin with ``#`` are passed over.

    Raises:
        InputError: no such file, or a line that is no expression; the error begins with file and line.
    """
    found = []
    for number, line in enumerate(read_text(path, _MOST).splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(parse_requirement(line))
            except InputError as error:
                raise InputError(f"{path}:{number}: {error}") from error
    return found


def _target(text: str, target: str, start: int) -> tuple[Measure, Condition, str]:
    """``TASK.LEVEL`` or ``TASK.LEVEL.GROUP``, which stands at ``start``."""
    task, *more = target.split(".")
    if not task:
        open_bracket = text.startswith("[", start)
        what = "a bracket that closes" if open_bracket else "TASK.LEVEL, such as question.implicit"
        raise _fault(text, start, f"expected {what}")
    measure = _one_of(text, start, "task", task, MEASURES)
    if not more:
        raise _fault(text, start + len(task), f"expected a level, such as {task}.implicit")
    level = _one_of(text, start + len(task) + 1, "level", more[0], (*CONDITIONS, *TOLD))
    place = start + len(task) + len(level) + 2
    group = more[1] if len(more) > 1 else ""
    if len(more) == 2 and not group:
        raise _fault(text, place, "expected a culture or a concept")
    if len(more) > 2:
        raise _fault(
            text, place + len(group), f"expected at most TASK.LEVEL.GROUP, not {len(more) + 1} parts"
        )
    if measure == "contrast" and group and group not in CONCEPTS:
        raise _fault(text, place, "contrast pairs have two cultures each; name a concept, or nothing")
    return measure, level, group


def _limit(text: str, parts: re.Match[str], least: int) -> float:
    start, written = parts.start("number"), parts["number"]
    if not _NUMBER.fullmatch(written):
        raise _fault(text, start, "expected a number, such as 0.8 or 80 %")
    limit = float(Decimal(written) / 100) if parts["percent"] else float(written)
    if not least <= limit <= 1:
        hint = f"; did you mean {limit:g} %?" if 1 < limit <= 100 and not parts["percent"] else ""
        raise _fault(text, start, f"a number from {least} to 1 was expected{hint}")
    return limit


def _one_of(text: str, place: int, noun: str, name: str, known: tuple[N, ...]) -> N:
    for one in known:
        if one == name:
            return one
    raise _fault(text, place, str(unknown(noun, name[:_SHOWN], known)))


def _fault(text: str, place: int, why: str) -> InputError:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return InputError(f"requirement {shown!r}, column {place + 1}: {why}")
