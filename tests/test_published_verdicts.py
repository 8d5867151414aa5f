"""What published figures support, recomputed from the counts behind them."""

import pytest

from homeground.statistics import (
    exact_p,
    holm,
    items_of,
    paired_gap,
    smallest_gap,
    verdict_for_margins,
)

NEW, OLD, EXPRESSIONS = 327, 232, 132
"""Items of the question benchmark and of the set beside it; scaffolds of the subjective concepts."""


@pytest.mark.parametrize(
    ("n", "points", "items", "best", "significant"),
    [
        (NEW, 14.07, 46, 2.0**-45, "every"),
        (NEW, 1.52, 5, 0.0625, "none"),
        (OLD, 1.72, 4, 0.125, "none"),
        (OLD, 1.29, 3, 0.25, "none"),
    ],
)
def test_gaps_between_specialised_and_base_models(
    n: int, points: float, items: int, best: float, significant: str
) -> None:
    assert items_of(points, n) == items
    verdict = verdict_for_margins(n, items)
    assert verdict.significant == significant
    assert verdict.best == pytest.approx(best)
    # Other dependences between the two models make it no better.
    assert verdict.worst == exact_p(items + (n - items) // 2, (n - items) // 2)


def test_the_large_gap_holds_at_worst() -> None:
    """186 flips against 140: all but one of the 327 items told the models apart, and still p is below .05."""
    verdict = verdict_for_margins(NEW, 46)
    assert verdict.worst == pytest.approx(0.0126, abs=5e-5)
    # The best accuracy is published, 39.76 points: 130 items. That leaves fewer flips, and a smaller p.
    bounded = verdict_for_margins(NEW, 46, items_of(39.76, NEW))
    assert bounded.worst == exact_p(46 + 84, 84) < verdict.worst


def test_only_the_large_gap_survives_the_family() -> None:
    """Even at best, and so all the more elsewhere."""
    gaps = [(NEW, 46), (NEW, 5), (OLD, 4), (OLD, 3)]
    adjusted = holm([verdict_for_margins(n, items).best for n, items in gaps])
    assert [p is not None and p <= 0.05 for p in adjusted] == [True, False, False, False]


def test_the_smallest_gap_that_the_question_benchmark_finds() -> None:
    gaps = [smallest_gap(NEW, discordance) for discordance in (0.2, 0.4)]
    assert [round(100 * gap, 1) for gap in gaps if gap is not None] == [6.9, 9.8]


def test_nine_flips_against_five_name_no_closest_culture() -> None:
    """Flips from neutral, 6.8 and 3.8 points: two cultures over the same scaffolds, whatever they have in common."""
    assert [items_of(points, EXPRESSIONS, digits=1) for points in (6.8, 3.8)] == [9, 5]
    verdict = verdict_for_margins(EXPRESSIONS, 9 - 5, first=9)
    assert verdict.best == 0.125
    assert verdict.worst == exact_p(9, 5) == pytest.approx(0.424, abs=5e-4)
    assert verdict.significant == "none"
    moved, other = [True] * 9 + [False] * 123, [False] * 9 + [True] * 5 + [False] * 118
    apart = paired_gap(moved, other, list(range(EXPRESSIONS)))
    assert (apart.only_first, apart.only_second, apart.test) == (9, 5, "exact McNemar")
    assert apart.p == verdict.worst


@pytest.mark.parametrize(
    ("most", "least"), [(6.8, 3.8), (3.8, 1.5), (10.6, 7.6), (9.8, 5.3), (10.6, 5.3), (11.4, 6.1)]
)
def test_no_column_of_the_table_tells_its_extremes_apart(most: float, least: float) -> None:
    """Ten cultures make 45 pairs, and the most distant of them was picked after the fact."""
    first, second = (items_of(points, EXPRESSIONS, digits=1) for points in (most, least))
    best = verdict_for_margins(EXPRESSIONS, first - second, first).best
    (adjusted, *_) = holm([best] + [1.0] * 44)
    assert adjusted is not None
    assert adjusted > 0.5
