"""What people reach on a conversation benchmark, by concept and by culture.

Counts are summed, and a share is taken of the sums: a cell weighs as many answers as it has (Miao, Zhu and Shwartz
2026, arXiv:2606.17688, tables 5 and 6). The evaluation group answered conversations of its own culture, the control
group those of another. How many annotators and answers were dropped stands beside each figure, since a filter that
looks at the outcome lifts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from homeground.schema import Record


class HumanCell(Record, frozen=True, kw_only=True):
    """Answers of people from one culture to one concept."""

    culture: str
    concept: str
    annotators: int
    annotators_dropped: int
    instances: int
    """Answers given, before the filter."""
    kept: int
    """Answers left after the filter, evaluation and control."""
    evaluation: tuple[int, int]
    """Right answers, and all of them."""
    control: tuple[int, int] | None
    """Likewise; ``None`` where there is no control group."""


class HumanLine(Record, frozen=True, kw_only=True):
    """One line of the table: the sums of some cells."""

    annotators: int
    annotators_dropped: int
    instances: int
    kept: int
    evaluation: tuple[int, int]
    control: tuple[int, int] | None

    @property
    def evaluation_share(self) -> float | None:
        """Right answers of the evaluation group; ``None`` without any answer."""
        return _share(self.evaluation)

    @property
    def control_share(self) -> float | None:
        """Right answers of the control group; ``None`` without any answer."""
        return _share(self.control)

    @property
    def kept_share(self) -> float | None:
        """Answers that the filter left, of those given."""
        return _share((self.kept, self.instances))


class HumanTable(Record, frozen=True, kw_only=True):
    """The table, its lines in the order in which the cells first name them."""

    by_concept: dict[str, HumanLine]
    by_culture: dict[str, HumanLine]
    total: HumanLine


def human_table(cells: Sequence[HumanCell]) -> HumanTable:
    """Sum cells by concept, by culture and in all."""
    return HumanTable(
        by_concept=_lines(cells, lambda cell: cell.concept),
        by_culture=_lines(cells, lambda cell: cell.culture),
        total=_line(cells),
    )


def _lines(cells: Sequence[HumanCell], key: Callable[[HumanCell], str]) -> dict[str, HumanLine]:
    names = dict.fromkeys(key(cell) for cell in cells)
    return {name: _line([cell for cell in cells if key(cell) == name]) for name in names}


def _line(cells: Sequence[HumanCell]) -> HumanLine:
    controls = [cell.control for cell in cells if cell.control is not None]
    return HumanLine(
        annotators=sum(cell.annotators for cell in cells),
        annotators_dropped=sum(cell.annotators_dropped for cell in cells),
        instances=sum(cell.instances for cell in cells),
        kept=sum(cell.kept for cell in cells),
        evaluation=_sum(cell.evaluation for cell in cells),
        control=_sum(controls) if controls else None,
    )


def _sum(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(counts)
    return sum(right for right, _ in pairs), sum(asked for _, asked in pairs)


def _share(count: tuple[int, int] | None) -> float | None:
    return count[0] / count[1] if count and count[1] else None
