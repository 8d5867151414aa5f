"""Divergences and contrast pairs: definitions by hand, floors, intervals that cover, verdicts that do not cry wolf."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from homeground.statistics import accuracy, paired_gap
from homeground.statistics.contrast import contrast_accuracy
from homeground.statistics.divergence import Ints, changed, inter_culture, shifts_from_neutral
from homeground.statistics.extreme_cultures import extreme_cultures
from homeground.statistics.sign_flip import sign_flip


@st.composite
def tables(draw: st.DrawFn, missing: bool = True, least: int = 1) -> Ints:
    """Answers of up to four kinds, scaffolds × cultures."""
    rows, columns = draw(st.integers(least, 12)), draw(st.integers(2, 5))
    lowest = -1 if missing else 0
    cells = st.lists(st.integers(lowest, 3), min_size=columns, max_size=columns)
    return np.array(draw(st.lists(cells, min_size=rows, max_size=rows)), dtype=np.int64)


def scenes_of(answers: Ints) -> list[int]:
    return [row // 2 for row in range(len(answers))]


@given(tables())
def test_d_inter_is_the_mean_over_pairs(answers: Ints) -> None:
    shares, left_out = [], 0
    for a, b in combinations(range(answers.shape[1]), 2):
        both = [(x, y) for x, y in zip(answers[:, a], answers[:, b], strict=True) if x >= 0 and y >= 0]
        left_out += len(answers) - len(both)
        if both:
            shares.append(sum(x != y for x, y in both) / len(both))
    result = inter_culture(answers, scenes_of(answers))
    assert result.left_out == left_out
    assert result.estimate.value == (pytest.approx(sum(shares) / len(shares)) if shares else None)


@given(tables(least=3))
def test_the_error_of_d_inter_by_hand(answers: Ints) -> None:
    """G/(G−1) times the squares of what each scene adds to the mean over pairs of (y − p_k)/n_k."""
    scenes = scenes_of(answers)
    pairs = []
    for a, b in combinations(range(answers.shape[1]), 2):
        both = [
            (scene, float(x != y))
            for scene, x, y in zip(scenes, answers[:, a], answers[:, b], strict=True)
            if x >= 0 and y >= 0
        ]
        if both:
            share = sum(moved for _, moved in both) / len(both)
            pairs.append([(scene, (moved - share) / len(both)) for scene, moved in both])
    seen = {scene for pair in pairs for scene, _ in pair}
    sums = [sum(term for pair in pairs for at, term in pair if at == scene) / len(pairs) for scene in seen]
    found = inter_culture(answers, scenes).estimate.se
    if len(seen) < 2:
        assert found is None
    else:
        by_hand = np.sqrt(len(seen) / (len(seen) - 1) * sum(part**2 for part in sums))
        assert found == pytest.approx(by_hand, abs=1e-7)


@given(tables())
def test_shares_stay_inside_and_intervals_hold_them(answers: Ints) -> None:
    shifts = shifts_from_neutral(answers[:, 1:], answers[:, 0], scenes_of(answers))
    for result in (inter_culture(answers, scenes_of(answers)), *shifts.by_culture, shifts.mean):
        estimate = result.estimate
        if estimate.value is None:
            assert estimate.n == 0
        elif estimate.low is not None and estimate.high is not None:
            assert 0 <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= 1
            assert estimate.low < estimate.high
        else:
            assert estimate.clusters == 1


@given(tables(missing=False, least=3))
def test_with_every_answer_there_it_is_an_accuracy(answers: Ints) -> None:
    """No answer missing: the linear approximation is exact, and the estimate that of ``accuracy``."""
    scenes, templates = scenes_of(answers), [row % 3 for row in range(len(answers))]
    pairs = list(combinations(range(answers.shape[1]), 2))
    moved = [bool(row[a] != row[b]) for row in answers for a, b in pairs]
    spread = [[label for label in way for _ in pairs] for way in (scenes, templates)]
    mine, theirs = inter_culture(answers, scenes, templates).estimate, accuracy(moved, *spread)
    assert (mine.n, mine.clusters) == (theirs.n, theirs.clusters)
    for one, two in ((mine.value, theirs.value), (mine.low, theirs.low), (mine.high, theirs.high)):
        assert one == pytest.approx(two, abs=1e-7)


@given(tables())
def test_answers_that_do_not_depend_on_culture_diverge_nowhere(answers: Ints) -> None:
    same = np.tile(answers[:, [0]], answers.shape[1])
    result = inter_culture(same, scenes_of(same))
    assert result.estimate.value in (0, None)
    shifts = shifts_from_neutral(same, answers[:, 0], scenes_of(same))
    assert shifts.mean.estimate.value in (0, None)


@given(tables(), st.permutations(range(4)))
def test_names_of_answers_and_order_of_cultures_do_not_matter(answers: Ints, names: list[int]) -> None:
    renamed = np.where(answers < 0, -1, np.array(names)[answers])[:, ::-1]
    one, two = (inter_culture(table, scenes_of(table)) for table in (answers, renamed))
    assert one.left_out == two.left_out
    assert one.estimate.value == pytest.approx(two.estimate.value)
    assert one.estimate.se == pytest.approx(two.estimate.se, abs=1e-7)


def test_a_shift_above_its_floor_is_the_paired_gap() -> None:
    rng = np.random.default_rng(3)
    neutral = rng.integers(0, 3, 60)
    answers, filler = (rng.integers(-1, 3, (60, 2)) for _ in range(2))
    scenes = [row // 3 for row in range(60)]
    floor = changed(filler, neutral[:, None])
    above = shifts_from_neutral(answers, neutral, scenes, floor=floor)
    moved = changed(answers, neutral[:, None])
    for column, result in enumerate(above.by_culture):
        rows = [row for row in range(60) if moved[row, column] >= 0 and floor[row, column] >= 0]
        gap = paired_gap(
            [bool(moved[row, column]) for row in rows],
            [bool(floor[row, column]) for row in rows],
            [scenes[row] for row in rows],
        )
        assert result.left_out == 60 - len(rows)
        assert (result.estimate.n, result.estimate.clusters) == (gap.estimate.n, gap.estimate.clusters)
        for part in ("value", "low", "high", "se"):
            assert getattr(result.estimate, part) == pytest.approx(getattr(gap.estimate, part))
        above_floor = (moved[rows, column] - floor[rows, column]).astype(np.float64)
        assert result.p == sign_flip(above_floor, np.array(scenes)[rows]).p


@given(tables(missing=False, least=2))
def test_floors_of_all_cultures_are_taken_off_the_mean_over_pairs(answers: Ints) -> None:
    scenes = scenes_of(answers)
    placebo = np.roll(answers, 1, axis=0)
    floor = changed(placebo, answers)
    above = inter_culture(answers, scenes, floor=floor).estimate.value
    below = inter_culture(answers, scenes).estimate.value
    assert below is not None
    assert above == pytest.approx(below - floor.mean())


def test_one_rerun_is_the_floor_of_every_culture() -> None:
    answers, neutral, again = np.array([[1, 0], [0, 0], [1, 1]]), np.array([0, 0, 1]), np.array([1, 0, 1])
    floor = changed(again, neutral)[:, None]
    shifts = shifts_from_neutral(answers, neutral, [0, 1, 2], floor=floor)
    assert [culture.estimate.value for culture in shifts.by_culture] == pytest.approx([0, -1 / 3])
    inter = inter_culture(answers, [0, 1, 2], floor=floor).estimate
    assert inter.value == pytest.approx(1 / 3 - 1 / 3)


def test_d_inter_covers_with_answers_missing_by_culture() -> None:
    rng = np.random.default_rng(20261130)

    def study(scenes: int, absent: float) -> tuple[Ints, list[int]]:
        latent = rng.normal(0, 1.2, scenes)[:, None, None] + rng.normal(0, 0.4, (scenes, 1, 10))
        latent = latent + rng.normal(0, 0.5, (scenes, 3, 10)) + np.linspace(-0.2, 0.2, 10)
        answers = np.digitize(latent.reshape(scenes * 3, 10), [-1, 0, 1])
        gone = rng.random(answers.shape) < np.linspace(0, absent, 10)
        return np.where(gone, -1, answers), [row // 3 for row in range(scenes * 3)]

    truth = inter_culture(*study(6_000, 0)).estimate.value
    assert truth is not None
    covered = 0
    for _ in range(300):
        estimate = inter_culture(*study(44, 0.4)).estimate
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= truth <= estimate.high
    assert 0.91 <= covered / 300 <= 0.98


def null_sets(rng: np.random.Generator, together: float) -> NDArray[np.int64]:
    """60 scaffolds of 20 scenes, six cultures alike; a culture moves a scene's scaffolds together."""
    effect = rng.normal(-1, 1, (20, 1)) + rng.normal(0, 1, (20, 6)) * together
    chance = 1 / (1 + np.exp(-np.repeat(effect, 3, axis=0)))
    return (rng.random((60, 6)) < chance).astype(np.int64)


@pytest.mark.parametrize("together", [0.0, 3.0])
def test_permutation_p_is_uniform_where_cultures_are_alike(together: float) -> None:
    rng = np.random.default_rng(5)
    scenes = [row // 3 for row in range(60)]
    found, named = [], 0
    for seed in range(250):
        moved = null_sets(rng, together)
        moved[rng.random(moved.shape) < 0.05] = -1
        ends = extreme_cultures(moved, scenes, seed, permutations=199)
        assert ends is not None
        found.append((ends.most_alien.p, ends.closest.p))
        named += ends.most_alien.supported or ends.closest.supported
    for p in np.array(found).T:
        assert (p <= 0.05).mean() < 0.09
        assert 0.01 < (p <= 0.1).mean() < 0.16
        assert 0.35 < (p <= 0.5).mean() < 0.6
    assert named / 250 < 0.05


def test_swaps_of_single_scaffolds_cry_wolf_where_scenes_move_together() -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for seed in range(100):
        ends = extreme_cultures(null_sets(rng, 3.0), range(60), seed, permutations=199)
        assert ends is not None
        wrong += ends.most_alien.p <= 0.05
    assert wrong / 100 > 0.12


def test_one_of_two_alike_is_not_named_but_one_alone_is() -> None:
    rng = np.random.default_rng(6)
    two = one = differ = 0
    for seed in range(60):
        chance = np.array([0.35, 0.35, 0.1, 0.1, 0.1, 0.1])
        ends = extreme_cultures((rng.random((132, 6)) < chance).astype(np.int64), range(132), seed, 199)
        assert ends is not None
        differ += ends.most_alien.p <= 0.05
        two += ends.most_alien.supported
        chance[1] = 0.1
        ends = extreme_cultures((rng.random((132, 6)) < chance).astype(np.int64), range(132), seed, 199)
        assert ends is not None
        one += ends.most_alien.supported and ends.most_alien.cultures == (0,)
    assert differ > 55
    assert two <= 7
    assert one > 50


def test_a_missing_answer_is_not_swapped() -> None:
    """Nine scaffolds tell the first two apart, and the third answered only where nobody moved: a sign test."""
    moved = np.array([[1, 0, -1]] * 9 + [[0, 0, 0]])
    ends = extreme_cultures(moved, range(10), seed=1, permutations=20_000)
    assert ends is not None
    assert ends.most_alien.p == pytest.approx(2 / 2**9, abs=0.002)
    assert ends.most_alien.p_next == 1  # nothing sets the first apart from the third
    assert not ends.most_alien.supported


def test_cultures_without_answers_and_ties() -> None:
    moved = np.array([[1, 0, -1], [0, 1, -1], [0, 0, -1]])
    ends = extreme_cultures(moved, range(3), seed=1, permutations=99)
    assert ends is not None
    assert ends.most_alien.cultures == (0, 1)
    assert (ends.most_alien.p, ends.most_alien.p_next, ends.most_alien.supported) == (1, 1, False)
    assert extreme_cultures(moved[:, 1:], range(3), seed=1) is None
    assert extreme_cultures(moved, range(3), 1, 99) == ends
    still = extreme_cultures(np.zeros((4, 3), dtype=np.int64), range(4), seed=1, permutations=99)
    assert still is not None
    assert still.most_alien.p == 1


@given(st.data())
def test_a_constant_answerer_gets_no_contrast_pair_right(data: st.DataObject) -> None:
    shape = data.draw(st.tuples(st.integers(1, 6), st.integers(2, 5), st.integers(2, 3)))
    bits = st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    accepted = np.array(data.draw(bits)).reshape(shape)
    always = data.draw(st.integers(0, shape[2] - 1))
    result = contrast_accuracy(accepted[:, :, always].astype(np.int64), accepted, range(shape[0]))
    assert result.both == 0
    assert result.estimate.value in (0, None)
    perfect = contrast_accuracy(np.ones(shape[:2], dtype=np.int64), accepted, range(shape[0]))
    assert perfect.estimate.value in (1, None)
    assert perfect.both == result.one + result.neither


def test_contrast_pairs_by_hand() -> None:
    # Imperial, metric, metric, either, nothing expected: two contrast pairs a scaffold, US–FR and US–JP.
    accepts = [[False, True], [True, False], [True, False], [True, True], [False, False]]
    accepted = np.array([accepts] * 3)
    correct = np.array([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1], [0, -1, 0, 1, 1]])
    result = contrast_accuracy(correct, accepted, ["a", "a", "b"])
    assert (result.both, result.one, result.neither, result.left_out) == (3, 1, 1, 1)
    assert result.estimate.value == pytest.approx(3 / 5)
    assert (result.estimate.n, result.estimate.clusters) == (5, 2)
