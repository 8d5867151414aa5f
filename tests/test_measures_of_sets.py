"""Measures of sets of items and of annotators: published examples, properties, simulations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from homeground.schema import Estimate
from homeground.statistics.agreement import agreement
from homeground.statistics.circular import circular_mean
from homeground.statistics.discriminative_power import discriminative_power, tukey_hsd
from homeground.statistics.divergence import Ints
from homeground.statistics.exhaustion import exhaustion
from homeground.statistics.item_discrimination import item_discrimination

HOURS = st.lists(st.floats(0, 24, exclude_max=True), min_size=1, max_size=20)


def apart(one: float, two: float) -> float:
    """Hours between two times of day, the short way round."""
    return abs((one - two + 12) % 24 - 12)


@given(HOURS)
def test_circular_measures_agree_with_scipy(hours: list[float]) -> None:
    result = circular_mean(np.array(hours))
    if result.mean.value is None or result.resultant is None or result.resultant < 1e-6:
        return
    assert 0 <= result.mean.value < 24
    assert apart(result.mean.value, stats.circmean(hours, high=24)) < 1e-6
    assert result.resultant == pytest.approx(1 - stats.circvar(hours, high=24), abs=1e-9)
    assert result.sd == pytest.approx(stats.circstd(hours, high=24), abs=1e-5)


@given(HOURS, st.floats(0, 24))
def test_turning_the_clock_turns_the_mean(hours: list[float], turn: float) -> None:
    one, two = circular_mean(np.array(hours)), circular_mean((np.array(hours) + turn) % 24)
    if one.mean.value is None or two.mean.value is None or one.resultant is None or one.resultant < 1e-3:
        return
    assert apart(one.mean.value + turn, two.mean.value) < 1e-6
    assert one.mean.se == pytest.approx(two.mean.se, abs=1e-6)


def test_midnight_is_between_eleven_and_one() -> None:
    result = circular_mean(np.array([23.0, 1.0]), counts=np.array([10, 10]))
    assert result.mean.value == pytest.approx(0, abs=1e-9)
    assert result.mean.n == 20
    assert result.mean.low is not None
    assert result.mean.high is not None
    assert result.mean.low < 0 < result.mean.high
    alone = circular_mean(np.array([23.0, 1.0]), clusters=["a", "a"])
    assert alone.mean.low is None


def test_counts_are_repeats() -> None:
    hours, counts, who = np.array([17.0, 18.5, 21.0]), np.array([3, 0, 2]), ["a", "b", "c"]
    spread = np.array([17.0, 17.0, 17.0, 21.0, 21.0])
    assert circular_mean(hours, counts) == circular_mean(spread)
    assert circular_mean(hours, counts, who) == circular_mean(spread, clusters=list("aaacc"))
    with pytest.raises(ValueError, match="negative"):
        circular_mean(hours, np.array([1, -1, 0]))


def test_opposite_times_have_no_mean() -> None:
    result = circular_mean(np.array([6.0, 18.0]))
    assert (result.mean.value, result.mean.low, result.resultant, result.sd) == (None, None, 0, None)
    assert circular_mean(np.array([])).mean.value is None
    spread = circular_mean(np.array([0.0, 7.0, 15.0]))
    assert spread.mean.value is not None
    assert spread.mean.low is None


def test_circular_intervals_cover_across_midnight() -> None:
    rng = np.random.default_rng(7)
    who = list(np.repeat(np.arange(20), 5))
    covered = naive = 0
    for _ in range(300):
        own = np.repeat(rng.vonmises(0, 4, 20), 5)
        hours = (rng.vonmises(own, 4) * 24 / (2 * math.pi) + 23.5) % 24
        for clusters in (who, None):
            mean = circular_mean(hours, clusters=clusters).mean
            assert mean.low is not None
            assert mean.high is not None
            holds = any(mean.low <= 23.5 + fold <= mean.high for fold in (-24, 0, 24))
            covered += holds and clusters is not None
            naive += holds and clusters is None
    assert 0.92 <= covered / 300 <= 0.98
    assert naive / 300 < 0.85


@given(
    arrays.arrays(
        np.float64, st.tuples(st.integers(2, 9), st.integers(2, 7)), elements=st.sampled_from([0.0, 1])
    )
)
def test_discrimination_is_the_point_biserial_with_the_rest(scores: NDArray[np.float64]) -> None:
    result = item_discrimination(scores)
    assert not result.may_drop
    for column, found in enumerate(result.correlations):
        item, rest = scores[:, column], np.delete(scores, column, axis=1).sum(axis=1)
        if np.ptp(item) and np.ptp(rest):
            assert found == pytest.approx(stats.pointbiserialr(item, rest).statistic)
        else:
            assert found is None


def test_items_are_dropped_only_with_fifty_models() -> None:
    scores = (np.random.default_rng(1).random((50, 4)) < 0.5).astype(np.float64)
    assert item_discrimination(scores).may_drop
    assert not item_discrimination(scores[:49]).may_drop
    assert item_discrimination(np.zeros((0, 2))).correlations == (None, None)


def test_tukey_of_two_models_is_the_sign_flip_test() -> None:
    # Nine items tell the two apart, eight of them one way: dealing anew is tossing a coin an item.
    scores = np.array([[1.0] * 8 + [0] + [1] * 5, [0.0] * 8 + [1] + [1] * 5])
    p = tukey_hsd(scores, np.random.default_rng(1), permutations=20_000)
    assert p[0, 1] == pytest.approx(stats.binomtest(8, 9).pvalue, abs=0.005)
    assert p[0, 1] == p[1, 0]
    assert p[0, 0] == 1


def test_alike_models_are_told_apart_in_one_study_of_twenty() -> None:
    """The level holds for all pairs together; with clusters it holds only if they are dealt as one."""
    rng = np.random.default_rng(2)
    families = {"alone": 0, "together": 0, "ignored": 0}
    for seed in range(150):
        single = (rng.random((5, 60)) < 0.5).astype(np.float64)
        groups = np.repeat((rng.random((5, 15)) < 0.5).astype(np.float64), 4, axis=1)
        labels = [item // 4 for item in range(60)]
        for name, scores, clusters in (
            ("alone", single, None),
            ("together", groups, labels),
            ("ignored", groups, None),
        ):
            share = discriminative_power(scores, seed, clusters=clusters, permutations=199).share
            assert share is not None
            families[name] += share > 0
    assert families["alone"] / 150 < 0.1
    assert families["together"] / 150 < 0.1
    assert families["ignored"] / 150 > 0.3


def test_power_grows_with_items_and_is_compared_at_equal_numbers() -> None:
    rng = np.random.default_rng(3)
    scores = (rng.random((8, 500)) < np.linspace(0.3, 0.6, 8)[:, None]).astype(np.float64)
    everything, some = discriminative_power(scores, 1), discriminative_power(scores, 1, items=60)
    assert everything.share is not None
    assert some.share is not None
    assert (everything.draws, some.draws, some.items, some.pairs) == (1, 20, 60, 28)
    assert some.share < everything.share - 0.2
    assert some.lowest is not None
    assert some.highest is not None
    assert some.lowest <= some.share <= some.highest
    assert discriminative_power(scores, 1, items=60) == some
    with pytest.raises(ValueError, match="501 items cannot be drawn from 500"):
        discriminative_power(scores, 1, items=501)
    assert discriminative_power(scores[:1], 1).share is None
    assert discriminative_power(np.ones((4, 9)), 1).share == 0


def test_exhaustion_by_hand() -> None:
    correct = np.array([[True, True, False, False], [True, True, True, False], [True, False, False, False]])
    result = exhaustion(correct, ceiling=0.9)
    assert (result.best, result.nobody, result.everybody) == (1, (3,), (0,))
    assert (result.items, result.models) == (4, 3)
    assert result.headroom.value == pytest.approx(0.15)
    assert result.accuracy.low is not None
    assert result.headroom.high == pytest.approx(0.9 - result.accuracy.low)
    nothing = exhaustion(np.zeros((0, 3), dtype=np.bool_))
    assert (nothing.best, nothing.headroom.value, nothing.nobody) == (None, None, ())


def test_an_estimated_ceiling_adds_its_error() -> None:
    correct = np.array([[i % 3 > 0 for i in range(90)]])
    known = exhaustion(correct, ceiling=0.9).headroom
    people = Estimate(value=0.9, low=0.8, high=0.95, se=0.04, n=100, clusters=20)
    estimated = exhaustion(correct, ceiling=people).headroom
    assert known.se is not None
    assert estimated.se == pytest.approx(math.hypot(known.se, 0.04))
    assert estimated.clusters == 20
    nobody = Estimate(value=None, low=None, high=None, se=None, n=0, clusters=0)
    assert exhaustion(correct, ceiling=nobody).headroom.value is None


def codes(rows: list[str]) -> Ints:
    """One row of letters an annotator; a full stop where there is no answer."""
    return np.array([[-1 if mark == "." else ord(mark) - ord("a") for mark in row] for row in rows]).T


KRIPPENDORFF_BINARY = codes(["abaaaaaaba", "bbbaabaaaa"])
KRIPPENDORFF_NOMINAL = codes(["aabbdcccedda", "babbbccceddd"])
KRIPPENDORFF_MISSING = codes(["abccbadab...", "abccbbdabe.c", ".cccbcdbbea.", "abccbddabea."])


def test_agreement_of_the_published_examples() -> None:
    """Alpha: Krippendorff 2011, sections A to C. AC1: Gwet 2014, the same table as C; and 100 patients, two raters."""
    assert agreement(KRIPPENDORFF_BINARY, 1).alpha.value == pytest.approx(0.095, abs=0.0005)
    assert agreement(KRIPPENDORFF_NOMINAL, 1).alpha.value == pytest.approx(0.692, abs=0.0005)
    four = agreement(KRIPPENDORFF_MISSING, 1)
    assert four.alpha.value == pytest.approx(0.743, abs=0.0005)
    assert four.raw.value == pytest.approx(0.81818, abs=0.000005)
    assert four.ac1.value == pytest.approx(0.77544, abs=0.000005)
    assert four.alpha.n == 11
    patients = {(0, 0): 13, (1, 1): 20, (1, 2): 7, (2, 1): 4, (2, 2): 56}
    two = agreement(np.array([pair for pair, count in patients.items() for _ in range(count)]), 1)
    assert two.ac1.value == pytest.approx(0.8493, abs=0.00005)
    assert two.alpha.value == pytest.approx(0.7973, abs=0.00005)


RATINGS = arrays.arrays(
    np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(-1, 3)
)


@given(RATINGS, st.permutations(range(4)))
def test_names_of_categories_and_order_of_annotators_do_not_matter(ratings: Ints, names: list[int]) -> None:
    renamed = np.where(ratings < 0, -1, np.array(names)[ratings])[:, ::-1]
    for one, two in zip(agreement(ratings, 1, resamples=2), agreement(renamed, 1, resamples=2), strict=True):
        assert one.value == pytest.approx(two.value)


@given(RATINGS)
def test_alpha_by_pairs_of_answers(ratings: Ints) -> None:
    """Observed and expected disagreement counted pair by pair, as alpha is defined."""
    items = [[code for code in row if code >= 0] for row in ratings]
    items = [item for item in items if len(item) > 1]
    everything = [code for item in items for code in item]
    n = len(everything)
    found = agreement(ratings, 1, resamples=2).alpha.value
    expected = sum(a != b for a in everything for b in everything) / (n * (n - 1)) if n else 0
    if not expected:
        assert found is None
        return
    observed = sum(sum(a != b for a in item for b in item) / (len(item) - 1) for item in items) / n
    assert found == pytest.approx(1 - observed / expected)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=12), st.integers(2, 4))
def test_one_mind_agrees_wholly(answers: list[int], annotators: int) -> None:
    result = agreement(np.tile(np.array(answers)[:, None], annotators), 1, resamples=50)
    assert result.raw.value == 1
    assert result.raw.low == 1
    assert result.ac1.value in (1, None)
    assert result.alpha.value in (1, None)
    assert (result.alpha.value is None) == (len(set(answers)) == 1)


def test_agreement_where_little_can_be_said() -> None:
    nothing = agreement(np.full((3, 2), -1), 1)
    assert (nothing.raw.value, nothing.ac1.n) == (None, 0)
    single = agreement(np.array([[0, 1]]), 1)
    assert (single.raw.value, single.raw.low) == (0, None)
    # One answer of forty differs: many resamples miss it, and alpha has no interval.
    rare = np.zeros((20, 2), dtype=np.int64)
    rare[0, 0] = 1
    result = agreement(rare, 1)
    assert result.alpha.value is not None
    assert result.alpha.low is None
    assert result.raw.low is not None
    assert agreement(np.zeros((9, 2), dtype=np.int64), 1, categories=5).ac1.value == 1
    with pytest.raises(ValueError, match="code 5 is not below 3"):
        agreement(np.array([[5, 1]]), 1, categories=3)


def test_agreement_intervals_cover() -> None:
    rng = np.random.default_rng(4)

    def ratings(items: int) -> Ints:
        truth = rng.choice(3, items, p=(0.6, 0.3, 0.1))
        noise = rng.integers(0, 3, (items, 3))
        return np.where(rng.random((items, 3)) < 0.7, truth[:, None], noise)

    truths = [measure.value for measure in agreement(ratings(200_000), 1, resamples=2)]
    covered = np.zeros(3)
    for seed in range(150):
        for place, estimate in enumerate(agreement(ratings(80), seed, resamples=300)):
            truth = truths[place]
            assert truth is not None
            assert estimate.low is not None
            assert estimate.high is not None
            covered[place] += estimate.low <= truth <= estimate.high
    assert (covered / 150 > 0.88).all()
    assert (covered / 150 < 0.99).all()
