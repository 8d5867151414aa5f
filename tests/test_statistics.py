"""Estimators: the formulas by hand, agreement with the one-way case, and intervals that cover."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from homeground.statistics import accuracy, paired_gap
from homeground.statistics.clusters import clustered_mean, critical_t
from homeground.statistics.intervals import clopper_pearson


def test_clustered_error_by_hand() -> None:
    # Clusters (1, 1), (0, 1), (0, 0, 1): mean 4/7; sums of residuals 6/7, −1/7, −5/7.
    values = np.array([1.0, 1, 0, 1, 0, 0, 1])
    labels = np.array([0, 0, 1, 1, 2, 2, 2])
    result = clustered_mean(values, labels)
    by_hand = math.sqrt(3 / 2 * ((6 / 7) ** 2 + (1 / 7) ** 2 + (5 / 7) ** 2) / 7**2)
    assert result.mean == pytest.approx(4 / 7)
    assert result.se == pytest.approx(by_hand)
    assert result.clusters == 3
    assert critical_t(2) == pytest.approx(stats.t.ppf(0.975, 2))


def test_one_answer_a_cluster_is_the_ordinary_error() -> None:
    values = np.array([1.0, 0, 0, 1, 1, 1, 0, 1])
    result = clustered_mean(values, np.arange(8))
    assert result.se == pytest.approx(stats.sem(values))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=60))
def test_two_ways_are_never_surer_than_either(rows: list[tuple[bool, int, int]]) -> None:
    values = np.array([float(right) for right, _, _ in rows])
    one, two = (np.array([row[i] for row in rows]) for i in (1, 2))
    both = clustered_mean(values, one, two)
    parts = [clustered_mean(values, way) for way in (one, two)]
    if both.se is None:
        assert any(part.se is None for part in parts)
    else:
        assert all(part.se is not None and both.se >= part.se - 1e-12 for part in parts)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=80))
def test_intervals_hold_the_share_and_stay_inside(rows: list[tuple[bool, int]]) -> None:
    estimate = accuracy([right for right, _ in rows], [scene for _, scene in rows])
    assert estimate.value == pytest.approx(sum(right for right, _ in rows) / len(rows))
    assert estimate.n == len(rows)
    if estimate.low is not None and estimate.high is not None and estimate.value is not None:
        assert 0 <= estimate.low <= estimate.value + 1e-9
        assert estimate.value - 1e-9 <= estimate.high <= 1
        assert estimate.low < estimate.high
    else:
        assert estimate.clusters == 1


def test_all_right_has_a_width_and_one_cluster_has_none() -> None:
    estimate = accuracy([True] * 40, [i // 4 for i in range(40)])
    assert estimate.high == 1
    assert estimate.low is not None
    assert 0.5 < estimate.low < 0.75
    alone = accuracy([True, False], ["a", "a"])
    assert alone.low is None
    assert alone.value == 0.5
    assert accuracy([], []).value is None


@pytest.mark.parametrize("cultures", [3, 4, 5])
def test_no_spread_between_clusters_is_no_certainty(cultures: int) -> None:
    """Every scene has the same share right, exactly or but for rounding: one rule for all."""
    right = [culture > 0 for _ in range(6) for culture in range(cultures)]
    scenes = [scene for scene in range(6) for _ in range(cultures)]
    estimate = accuracy(right, scenes, [scene % 3 for scene in scenes])
    low, high = clopper_pearson(1 - 1 / cultures, 3)
    assert estimate.low == pytest.approx(low)
    assert estimate.high == pytest.approx(high)


@given(st.integers(1, 60), st.data())
def test_the_exact_interval_agrees_with_scipy(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    reference = stats.binomtest(right, n).proportion_ci(method="exact")
    assert clopper_pearson(right / n, n) == pytest.approx((reference.low, reference.high), abs=1e-9)


def test_unclustered_answers_get_the_exact_interval() -> None:
    right = [i < 7 for i in range(20)]
    estimate = accuracy(right, list(range(20)))
    reference = stats.binomtest(7, 20).proportion_ci(method="exact")
    # n* is n·(n−1)/n here, since the clustered error divides by n−1.
    assert estimate.low == pytest.approx(reference.low, abs=0.01)
    assert estimate.high == pytest.approx(reference.high, abs=0.01)


def test_paired_gap_counts_flips_both_ways() -> None:
    known = [True, True, True, False, True, True]
    used = [True, False, False, True, True, False]
    gap = paired_gap(known, used, [0, 0, 1, 1, 2, 2])
    assert gap.estimate.value == pytest.approx(2 / 6)
    assert (gap.only_first, gap.only_second) == (3, 1)
    with pytest.raises(ValueError, match="equal numbers"):
        paired_gap([True], [], [])
