"""Figures printed in Miao, Zhu and Shwartz 2026 (arXiv:2606.17688), recomputed from what stands beside them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from homeground.statistics.divergence import Ints, changed
from homeground.statistics.extreme_cultures import extreme_cultures
from homeground.statistics.human_table import HumanCell, HumanLine, human_table

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "human_table6.jsonl").read_text().splitlines()
]
"""Table 6 as printed: counts, and shares in percent."""

# Table 5 as printed: answers kept; evaluation answers, percent right; control answers, percent right.
BY_CONCEPT = {
    "price": (185, 160, 86.9, 25, 80.0),
    "distance": (195, 168, 91.7, 27, 77.8),
    "speed": (131, 112, 90.2, 19, 84.2),
    "size": (101, 86, 89.5, 15, 73.3),
    "temperature": (249, 211, 95.3, 38, 65.8),
}
BY_CULTURE = {
    "US": (106, 106, 90.6, None, None),
    "CN": (83, 70, 98.6, 13, 69.2),
    "FR": (70, 60, 90.0, 10, 80.0),
    "BR": (61, 51, 76.5, 10, 80.0),
    "IN": (112, 94, 94.7, 18, 94.4),
    "JP": (109, 90, 87.8, 19, 84.2),
    "KR": (100, 86, 94.2, 14, 71.4),
    "GB": (75, 64, 89.1, 11, 54.5),
    "IR": (103, 84, 91.7, 19, 94.7),
    "IL": (42, 32, 96.9, 10, 10.0),
}
TOTAL = (861, 737, 91.2, 124, 75.0)

# Table 2 as printed, percent: one list of ten cultures a column, in the order of the rows.
TABLE_2 = {
    "Qwen-32B implicit": [6.8, 3.8, 4.5, 5.3, 6.8, 4.5, 5.3, 4.5, 3.8, 6.1],
    "Qwen-32B explicit": [3.8, 1.5, 1.5, 3.0, 3.0, 3.0, 2.3, 2.3, 3.0, 2.3],
    "Gemma-31B implicit": [8.3, 7.6, 9.1, 8.3, 10.6, 9.1, 8.3, 8.3, 8.3, 9.1],
    "Gemma-31B explicit": [9.8, 7.6, 8.3, 6.1, 7.6, 6.1, 6.8, 5.3, 9.1, 6.8],
    "Gemini-3.1 implicit": [9.8, 8.3, 6.1, 7.6, 8.3, 5.3, 7.6, 9.1, 6.1, 10.6],
    "Gemini-3.1 explicit": [6.8, 11.4, 8.3, 9.1, 9.8, 10.6, 8.3, 8.3, 7.6, 6.1],
}
SCAFFOLDS = 132


def right(total: int, percent: float) -> int:
    """The one whole number of right answers that a printed percent can stand for."""
    fits = [count for count in range(total + 1) if total and round(100 * count / total, 1) == percent]
    if not total:
        assert percent == 0
        return 0
    assert len(fits) == 1
    return fits[0]


def cell(row: dict[str, Any]) -> HumanCell:
    evaluation, control = row["evaluation_total"], row["control_total"]
    return HumanCell(
        culture=row["culture"],
        concept=row["concept"],
        annotators=row["annotators"],
        annotators_dropped=row["annotators_dropped"],
        instances=row["instances"],
        kept=row["kept"],
        evaluation=(right(evaluation, row["evaluation_percent"]), evaluation),
        control=None if control is None else (right(control, row["control_percent"]), control),
    )


def printed(line: HumanLine) -> tuple[int | float | None, ...]:
    shares = [
        None if share is None else round(100 * share, 1)
        for share in (line.evaluation_share, line.control_share)
    ]
    asked = None if line.control is None else line.control[1]
    return line.kept, line.evaluation[1], shares[0], asked, shares[1]


def test_table_5_follows_from_table_6() -> None:
    table = human_table([cell(row) for row in ROWS])
    assert {name: printed(line) for name, line in table.by_concept.items()} == BY_CONCEPT
    assert {name: printed(line) for name, line in table.by_culture.items()} == BY_CULTURE
    assert printed(table.total) == TOTAL
    assert table.total.evaluation == (672, 737)
    assert table.total.control == (93, 124)


def test_cells_of_table_6_hold_together() -> None:
    for row in ROWS:
        assert row["kept"] == row["evaluation_total"] + (row["control_total"] or 0), row
        assert row["annotators_dropped"] <= row["annotators"]
        assert row["kept"] <= row["instances"]
    nobody = [(row["culture"], row["concept"]) for row in ROWS if not row["evaluation_total"]]
    assert nobody == [("IL", "size")]
    empty = human_table([cell(row) for row in ROWS if (row["culture"], row["concept"]) == nobody[0]])
    assert empty.total.evaluation_share is None


def test_the_filter_looks_at_the_outcome() -> None:
    """What the filter dropped, and how far it alone could carry the published accuracy."""
    total = human_table([cell(row) for row in ROWS]).total
    assert (total.annotators_dropped, total.annotators) == (101, 295)
    assert (total.kept, total.instances) == (861, 1321)
    assert total.kept_share == pytest.approx(0.652, abs=0.0005)
    assert total.control is not None
    # Of 88.9 % right among the kept, 57.9 % are certain if each answer that was dropped was wrong.
    correct = total.evaluation[0] + total.control[0]
    assert round(100 * correct / total.kept, 1) == 88.9
    assert round(100 * correct / total.instances, 1) == 57.9


def flips(percents: list[float]) -> list[int]:
    """Flips of 132 scaffolds that printed percents stand for; each is a multiple of 1/132."""
    return [right(SCAFFOLDS, percent) for percent in percents]


def scattered(counts: list[int], rng: np.random.Generator) -> Ints:
    """Answers that flip as often as printed, each culture's flips anywhere."""
    neutral = rng.integers(0, 5, SCAFFOLDS)
    answers = np.tile(neutral[:, None], len(counts))
    for column, count in enumerate(counts):
        rows = rng.choice(SCAFFOLDS, count, replace=False)
        answers[rows, column] = (neutral[rows] + 1) % 5
    return changed(answers, neutral[:, None])


def nested(counts: list[int]) -> Ints:
    """The dependence that tells two cultures apart best: who flips less flips only where others flip too."""
    return (np.arange(SCAFFOLDS)[:, None] < np.array(counts)).astype(np.int64)


def test_table_2_stands_for_whole_flips() -> None:
    counts = flips(TABLE_2["Qwen-32B implicit"])
    assert (max(counts), min(counts)) == (9, 5)


@pytest.mark.parametrize("column", TABLE_2)
def test_table_2_names_no_most_alien_and_no_closest_culture(column: str) -> None:
    counts = flips(TABLE_2[column])
    rng = np.random.default_rng(20261130)
    sets = [scattered(counts, rng) for _ in range(3)] + [nested(counts)]
    for moved in sets:
        ends = extreme_cultures(moved, range(SCAFFOLDS), seed=1, permutations=1_000)
        assert ends is not None
        assert ends.most_alien.divergence == pytest.approx(max(counts) / SCAFFOLDS)
        assert ends.closest.divergence == pytest.approx(min(counts) / SCAFFOLDS)
        assert not ends.most_alien.supported
        assert not ends.closest.supported
        assert min(ends.most_alien.p_next, ends.closest.p_next) > 0.2


def test_flips_of_the_published_number_can_support_a_verdict() -> None:
    """The same scaffolds do tell a culture apart that flips often enough."""
    counts = [40, *flips(TABLE_2["Qwen-32B implicit"])[1:]]
    ends = extreme_cultures(
        scattered(counts, np.random.default_rng(1)), range(SCAFFOLDS), seed=1, permutations=1_000
    )
    assert ends is not None
    assert ends.most_alien.cultures == (0,)
    assert ends.most_alien.supported
    assert not ends.closest.supported
