"""Each estimator against another way to the same figure: other libraries, brute force, or its own definition."""

import itertools
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from homeground.cli import power as power_command
from homeground.cli.main import Parser
from homeground.errors import InputError
from homeground.statistics import (
    Bootstrap,
    Pairs,
    difference_of_gaps,
    discordance_of,
    exact_p,
    holm,
    items_of,
    paired_gap,
    pairs_needed,
    sign_flip,
    smallest_gap,
    verdict_for_margins,
)
from homeground.statistics.bootstrap import Group, Members
from homeground.statistics.clusters import Floats, Labels, clustered_difference, clustered_mean

Design = tuple[Floats, Labels, Labels]


def crossed(scenes: int, templates: int, answers: int, seed: int) -> Design:
    """Answers with an effect of their scene, their dialogue and the pair of both."""
    rng = np.random.default_rng(seed)
    scene = np.repeat(np.arange(scenes), 3)
    template = (
        np.concatenate([rng.permutation(scenes) for _ in range(3)]).reshape(3, -1).T.ravel() % templates
    )
    spread = rng.normal(0, 1, scenes)[scene] + rng.normal(0, 1, templates)[template]
    p = 1 / (1 + np.exp(-spread - rng.normal(0, 0.5, len(scene))))
    right = rng.random((len(scene), answers)) < p[:, None]
    return right.ravel().astype(np.float64), np.repeat(scene, answers), np.repeat(template, answers)


# ---- clustered errors ---------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(3, 15), st.integers(3, 12))
def test_clustered_errors_agree_with_statsmodels(seed: int, scenes: int, templates: int) -> None:
    """The mean is a regression on a constant; its small-sample factor (n−1)/(n−k) is 1."""
    import statsmodels.api as sm

    values, scene, template = crossed(scenes, templates, 4, seed)
    values = values + np.random.default_rng(seed).random(len(values))
    constant = np.ones(len(values))

    def reference(groups: NDArray[np.int64]) -> float:
        fit = sm.OLS(values, constant).fit(cov_type="cluster", cov_kwds={"groups": groups})
        return float(fit.cov_params()[0, 0])

    one = clustered_mean(values, scene)
    assert one.se is not None
    assert one.se**2 == pytest.approx(reference(scene))
    both = clustered_mean(values, scene, template)
    assert both.se is not None
    parts = [reference(scene), reference(template), reference(np.stack([scene, template], axis=1))]
    assert both.se**2 == pytest.approx(max(parts))


@given(st.integers(0, 10**6), st.integers(2, 20))
def test_clustered_errors_agree_with_inspect(seed: int, scenes: int) -> None:
    from inspect_ai.scorer import SampleScore, Score, stderr

    values, scene, _ = crossed(scenes, 5, 3, seed)
    scores = [
        SampleScore(score=Score(value=float(value)), sample_metadata={"scene": int(one)})
        for value, one in zip(values, scene, strict=True)
    ]
    theirs: Any = stderr(cluster="scene")
    assert clustered_mean(values, scene).se == pytest.approx(theirs(scores))


# ---- bootstrap ----------------------------------------------------------------------------------


def grouped(values: Floats, members: Sequence[Members]) -> list[Group]:
    return [Group(values[some], some) for some in members]


def everything(answers: Floats | Labels) -> list[Labels]:
    return [np.arange(len(answers))]


@pytest.mark.parametrize("scenes", [8, 40])
def test_one_way_the_bootstrap_has_the_analytic_error(scenes: int) -> None:
    values, scene, _ = crossed(scenes, 5, 4, seed=1)
    means = Bootstrap(scene).means(grouped(values, everything(values)))
    analytic = clustered_mean(values, scene).se
    assert analytic is not None
    assert means.std() == pytest.approx(analytic * math.sqrt((scenes - 1) / scenes), rel=0.03)
    assert means.mean() == pytest.approx(values.mean(), abs=0.01)


def test_two_ways_the_pigeonhole_counts_the_pairs_thrice() -> None:
    values, scene, template = crossed(60, 40, 4, seed=2)
    means = Bootstrap(scene, template).means(grouped(values, everything(values)))
    parts = [clustered_mean(values, way) for way in (scene, template, scene * 100 + template)]
    variance = sum(part.se**2 * (part.clusters - 1) / part.clusters for part in parts if part.se is not None)
    assert means.std() == pytest.approx(math.sqrt(variance), rel=0.05)
    analytic = clustered_mean(values, scene, template).se
    assert analytic is not None
    assert means.std() > analytic


def test_the_bootstrap_agrees_with_scipy() -> None:
    """Resampling clusters is resampling their sums and sizes together."""
    values, scene, _ = crossed(25, 5, 4, seed=3)
    kept = np.flatnonzero(np.random.default_rng(3).random(len(values)) < 0.7)
    values, scene = values[kept], scene[kept]
    sums, sizes = np.bincount(scene, weights=values), np.bincount(scene)
    reference = stats.bootstrap(
        (sums, sizes),
        lambda some, many, axis: some.sum(axis) / many.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    (found,) = Bootstrap(scene, replicates=20_000).intervals(grouped(values, everything(values)))
    assert found == pytest.approx((reference.low, reference.high), abs=0.01)


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_each_group_gets_the_quantiles_of_its_own_means(seed: int, groups: int) -> None:
    values, scene, template = crossed(9, 7, 2, seed)
    rng = np.random.default_rng(seed)
    masks = [rng.random(len(values)) < share for share in rng.random(groups)]
    bootstrap = Bootstrap(scene, template, replicates=199, seed=seed)
    together = bootstrap.intervals(grouped(values, masks))
    assert together == bootstrap.intervals(grouped(values, [np.flatnonzero(mask) for mask in masks]))
    for mask, found in zip(masks, together, strict=True):
        if min(len(np.unique(scene[mask])), len(np.unique(template[mask]))) < 2:
            assert found is None
            continue
        (means,) = bootstrap.means(grouped(values, [mask]))
        assert found is not None
        assert found == pytest.approx(np.nanquantile(means, [0.025, 0.975]), abs=1e-5)


@given(st.integers(0, 10**6))
def test_a_replicate_weighs_answers_by_scene_times_dialogue(seed: int) -> None:
    """Means of indicators give back the weights, which must factor."""
    scene, template = (way.ravel() for way in np.indices((3, 4)))
    bootstrap = Bootstrap(scene, template, replicates=50, seed=seed)
    groups = everything(scene)
    shares = np.stack(
        [bootstrap.means(grouped((np.arange(12) == one).astype(float), groups))[0] for one in range(12)]
    )
    weights = shares.reshape(3, 4, 50)
    by_scene, by_template = weights.sum(axis=1) * 3, weights.sum(axis=0) * 4
    assert weights == pytest.approx(by_scene[:, None] * by_template[None] / 12, abs=1e-5)
    assert by_scene == pytest.approx(by_scene.round(), abs=1e-4)


def test_a_group_that_is_seldom_drawn_keeps_the_replicates_that_have_it() -> None:
    values, scene, _ = crossed(60, 5, 2, seed=4)
    few = np.flatnonzero(scene < 2)
    bootstrap = Bootstrap(scene, replicates=2_000)
    missing = np.isnan(bootstrap.means(grouped(values, [few]))).mean()
    assert missing == pytest.approx((58 / 60) ** 60, abs=0.03)
    shares = [values[scene == one].mean() for one in (0, 1)]
    (found,) = bootstrap.intervals(grouped(values, [few]))
    assert found == pytest.approx((min(shares), max(shares)))


def test_bootstraps_repeat_by_seed_and_know_what_they_cannot_say() -> None:
    values, scene, template = crossed(20, 10, 2, seed=5)
    groups = everything(values)
    first = Bootstrap(scene, template, replicates=500).intervals(grouped(values, groups))
    assert first == Bootstrap(scene, template, replicates=500).intervals(grouped(values, groups))
    assert first != Bootstrap(scene, template, replicates=500, seed=1).intervals(grouped(values, groups))
    nothing = [np.flatnonzero(scene == 3), np.flatnonzero(template == 3), np.flatnonzero(scene < 0)]
    assert Bootstrap(scene, template, replicates=50).intervals(grouped(values, nothing)) == [None, None, None]
    constant = np.full(len(values), 0.25)
    assert Bootstrap(scene, replicates=50).intervals(grouped(constant, groups)) == [(0.25, 0.25)]


# ---- sign flips and McNemar ---------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 8)), min_size=1, max_size=40))
def test_sign_flips_agree_with_counting_all(rows: list[tuple[int, int]]) -> None:
    differences = np.array([float(d) for d, _ in rows])
    clusters = np.array([c for _, c in rows])
    sums = [int(differences[clusters == one].sum()) for one in np.unique(clusters)]
    totals = [
        sum(sign * one for sign, one in zip(signs, sums, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(sums))
    ]
    far = sum(abs(total) >= abs(sum(sums)) for total in totals)
    found = sign_flip(differences, clusters)
    assert found.exact
    assert found.p == pytest.approx(far / len(totals))


@pytest.mark.parametrize("seed", range(4))
def test_sign_flips_agree_with_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 11, 60)
    differences = rng.normal(0.15, 1, 60)
    sums = np.bincount(clusters, weights=differences)
    reference = stats.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    found = sign_flip(differences, clusters)
    assert found.exact
    assert found.p == pytest.approx(reference.pvalue)


@given(st.integers(0, 120), st.integers(0, 120), st.integers(0, 30))
def test_a_pair_a_cluster_is_the_exact_mcnemar_test(b: int, c: int, ties: int) -> None:
    differences = np.array([1.0] * b + [-1.0] * c + [0.0] * (ties + 1))
    found = sign_flip(differences, np.arange(len(differences)))
    assert found.exact
    assert found.p == pytest.approx(exact_p(b, c))


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_exact_p_agrees_with_scipy(b: int, c: int) -> None:
    assert exact_p(b, c) == exact_p(c, b)
    assert exact_p(b, c) == pytest.approx(stats.binomtest(b, b + c).pvalue if b + c else 1.0)


def test_many_clusters_of_fractions_are_drawn() -> None:
    rng = np.random.default_rng(6)
    sums = rng.normal(0.35, 1, 40)
    found = sign_flip(sums, np.arange(40))
    assert not found.exact
    assert found == sign_flip(sums, np.arange(40))
    assert found.p != sign_flip(sums, np.arange(40), seed=1).p
    # Rounded to hundredths the totals repeat, and all of them can be counted.
    counted = sign_flip(np.round(sums * 100), np.arange(40))
    assert counted.exact
    assert found.p == pytest.approx(counted.p, abs=4 * math.sqrt(counted.p / 9_999))
    assert sign_flip(sums + 100, np.arange(40)).p == 1 / 10_000


@given(st.integers(1, 40), st.data())
def test_a_verdict_holds_for_every_table_with_these_margins(n: int, data: st.DataObject) -> None:
    first, second = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    tables = [
        exact_p(first - both, second - both) for both in range(n + 1) if both <= min(first, second)
        and first + second - both <= n
    ]  # fmt: skip
    bounded = verdict_for_margins(n, first - second, first)
    assert (bounded.best, bounded.worst) == (min(tables), max(tables))
    assert (bounded.significant == "every") == (max(tables) <= 0.05)
    assert (bounded.significant == "none") == (min(tables) > 0.05)
    free = verdict_for_margins(n, first - second)
    assert free.best <= bounded.best
    assert free.worst >= bounded.worst
    assert free == verdict_for_margins(n, second - first)


def test_margins_that_cannot_be_are_refused() -> None:
    for n, difference, first in ((10, 11, None), (10, 4, 3), (10, -4, 7), (10, 2, 11)):
        with pytest.raises(ValueError, match="no two counts"):
            verdict_for_margins(n, difference, first)
    with pytest.raises(ValueError, match="no whole number"):
        items_of(1.4, 327)


@given(st.sampled_from([1, 2]), st.data())
def test_items_come_back_from_rounded_points(digits: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 10 ** (digits + 2) // 2 - 1))
    first, second = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    published = round(first / n * 100, digits) - round(second / n * 100, digits)
    assert items_of(published, n, digits) == first - second


# ---- Holm ---------------------------------------------------------------------------------------


@settings(max_examples=25)  # statsmodels takes 30 ms and more for one family
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.data())
def test_holm_agrees_with_statsmodels(ps: list[float], data: st.DataObject) -> None:
    from statsmodels.stats.multitest import multipletests

    adjusted = holm(ps)
    assert adjusted == pytest.approx(list(multipletests(ps, method="holm")[1]))
    place = data.draw(st.integers(0, len(ps)))
    assert holm([*ps[:place], None, *ps[place:]]) == [*adjusted[:place], None, *adjusted[place:]]


def test_holm_refuses_what_is_no_p_value() -> None:
    assert holm([]) == []
    for wrong in (math.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match="no p value"):
            holm([0.5, wrong])


# ---- gaps and differences of gaps ---------------------------------------------------------------


def flips(forth: int, back: int, still: int) -> tuple[list[bool], list[bool]]:
    return [True] * forth + [False] * back + [True] * still, [False] * forth + [True] * back + [True] * still


@given(st.integers(2, 60), st.sampled_from([(True, True), (True, False), (False, True)]))
def test_a_gap_that_never_varies_has_a_width(scenes: int, pair: tuple[bool, bool]) -> None:
    gap = paired_gap([pair[0]] * scenes, [pair[1]] * scenes, list(range(scenes))).estimate
    mean = pair[0] - pair[1]
    upper = 1 - 0.025 ** (1 / scenes)
    # A share up to ``upper`` of scenes may be at the other end, of which a gap of 0 has two.
    assert gap.low == pytest.approx(mean - upper * (1 + mean))
    assert gap.high == pytest.approx(mean + upper * (1 - mean))


def test_two_gaps_that_never_vary_differ_by_an_interval() -> None:
    same = Pairs([True] * 20, [True] * 20, list(range(20)))
    found = difference_of_gaps(same, same).estimate
    assert found.low == pytest.approx(-2 * (1 - 0.025 ** (1 / 20)))
    assert found.high == pytest.approx(2 * (1 - 0.025 ** (1 / 20)))


def test_few_flips_get_the_exact_p() -> None:
    few = paired_gap(*flips(9, 1, 30), list(range(40)))
    assert few.test == "exact McNemar"
    assert few.p == pytest.approx(stats.binomtest(1, 10).pvalue)
    many = paired_gap(*flips(20, 5, 15), list(range(40)))
    assert many.test == "sign flip by scene"
    assert many.p == pytest.approx(stats.binomtest(5, 25).pvalue)
    assert paired_gap([], [], []).p is None


def test_flips_of_one_scene_are_one_observation() -> None:
    """Twenty flips in two scenes: McNemar alone would call p = 2e-6."""
    gap = paired_gap(*flips(20, 0, 20), [i // 10 for i in range(40)])
    assert gap.test == "sign flip by scene"
    assert gap.p == 0.5


def test_tests_of_a_gap_err_as_often_as_they_say() -> None:
    """A few flips, those of a scene all one way: by scene 5 % of studies look significant, by pair far more."""
    rng = np.random.default_rng(7)
    scene = np.repeat(np.arange(30), 5)
    alone = by_scene = few = 0
    for _ in range(600):
        flipped = (rng.random(30) < 0.25)[scene] & (rng.random(150) < 0.5)
        forth = (rng.random(30) < 0.5)[scene]
        gap = paired_gap(list(flipped & forth), list(flipped & ~forth), list(scene))
        assert gap.p is not None
        few += gap.only_first + gap.only_second < 25
        by_scene += gap.p <= 0.05
        alone += exact_p(gap.only_first, gap.only_second) <= 0.05
    assert few > 400
    assert by_scene / 600 <= 0.06
    assert alone / 600 > 0.12


def answers(rng: np.random.Generator, n: int, share: float) -> list[bool]:
    return list(rng.random(n) < share)


def test_a_difference_of_gaps_on_the_same_items_is_paired() -> None:
    rng = np.random.default_rng(8)
    scenes = [i // 6 for i in range(120)]
    templates = [(i * 7) % 11 for i in range(120)]
    one = Pairs(answers(rng, 120, 0.8), answers(rng, 120, 0.4), scenes, templates)
    two = Pairs(answers(rng, 120, 0.8), answers(rng, 120, 0.6), scenes, templates)
    found = difference_of_gaps(one, two)
    each = np.array(one.first) * 1.0 - one.second - (np.array(two.first) * 1.0 - two.second)
    by_hand = clustered_mean(each, np.array(scenes), np.array(templates))
    assert found.estimate.value == pytest.approx(by_hand.mean)
    assert found.estimate.se == pytest.approx(by_hand.se)
    assert found.estimate.clusters == 11
    assert found.test == "sign flip by scene"
    assert found.p == sign_flip(each, np.array(scenes)).p
    # The order of the items is nothing.
    order = rng.permutation(120)
    shuffled = Pairs(*([column[i] for i in order] for column in (two.first, two.second, scenes, templates)))
    assert difference_of_gaps(one, shuffled).estimate.se == pytest.approx(found.estimate.se)
    assert difference_of_gaps(one, shuffled).p == found.p


def test_a_difference_of_gaps_on_other_scenes_is_independent() -> None:
    rng = np.random.default_rng(9)
    one = Pairs(answers(rng, 120, 0.8), answers(rng, 120, 0.4), [i // 6 for i in range(120)])
    two = Pairs(answers(rng, 80, 0.8), answers(rng, 80, 0.6), [f"other {i // 4}" for i in range(80)])
    found = difference_of_gaps(one, two)
    gaps = [paired_gap(*pairs).estimate for pairs in (one, two)]
    errors = [gap.se for gap in gaps if gap.se is not None]
    values = [gap.value for gap in gaps if gap.value is not None]
    assert found.estimate.value == pytest.approx(values[0] - values[1])
    assert found.estimate.se == pytest.approx(math.hypot(*errors))
    assert found.test == "t by scene"
    t = (values[0] - values[1]) / math.hypot(*errors)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 19))
    assert found.estimate.low is not None
    assert found.p is not None
    assert (found.p < 0.05) == (found.estimate.low > 0)


def test_scenes_that_two_gaps_share_cancel() -> None:
    """Two cultures on the same scenes: not the same items, yet no independent ones either."""
    rng = np.random.default_rng(10)
    effect = rng.random(20)
    sizes = rng.integers(2, 6, (2, 20))
    sides = []
    for size in sizes:
        scenes = np.repeat(np.arange(20), size)
        sides.append(
            Pairs(list(rng.random(len(scenes)) < effect[scenes]), [False] * len(scenes), list(scenes))
        )
    shared = difference_of_gaps(*sides)
    apart = difference_of_gaps(sides[0], sides[1]._replace(scenes=[f"other {s}" for s in sides[1].scenes]))
    assert shared.test == apart.test == "t by scene"
    assert shared.estimate.value == apart.estimate.value
    assert shared.estimate.se is not None
    assert apart.estimate.se is not None
    assert shared.estimate.se < 0.8 * apart.estimate.se


def test_gaps_of_nothing_have_no_difference() -> None:
    some, nothing = Pairs([True], [False], ["a"]), Pairs([], [], [])
    assert difference_of_gaps(some, nothing).estimate.value is None
    lonely = difference_of_gaps(some, Pairs([True], [True], ["b"]))
    assert (lonely.estimate.value, lonely.estimate.se, lonely.p) == (1, None, None)
    with pytest.raises(ValueError, match="equal numbers"):
        difference_of_gaps(some, Pairs([True], [], ["a"]))


@given(st.integers(0, 10**6))
def test_a_difference_of_means_is_never_surer_than_its_shared_part(seed: int) -> None:
    values, scene, template = crossed(6, 5, 2, seed)
    same = clustered_difference(values, values, (scene, scene), (template, template))
    assert same.mean == 0
    assert same.se == pytest.approx(0, abs=1e-12)


# ---- power --------------------------------------------------------------------------------------


@pytest.mark.parametrize("discordance", [0.2, 0.3, 0.4])
@pytest.mark.parametrize("n", [150, 327, 800])
def test_the_exact_test_has_about_the_power_promised(n: int, discordance: float) -> None:
    """Every outcome counted: discordant pairs are binomial, and so are those among them that go one way."""
    gap = smallest_gap(n, discordance)
    assert gap is not None
    forward = (1 + gap / discordance) / 2
    power = 0.0
    for pairs in range(n + 1):
        found = [b for b in range(pairs + 1) if exact_p(b, pairs - b) <= 0.05]
        power += stats.binom.pmf(pairs, n, discordance) * stats.binom.pmf(found, pairs, forward).sum()
    assert 0.74 < power < 0.82


@given(st.integers(20, 100_000), st.floats(0.02, 1), st.floats(1, 10))
def test_the_pairs_for_the_smallest_gap_are_the_pairs_there_are(n: int, psi: float, effect: float) -> None:
    gap = smallest_gap(n, psi, effect)
    if gap is None:
        assert (needed := pairs_needed(psi, psi, effect)) is None or needed > n
    else:
        assert pairs_needed(gap * (1 - 1e-9), psi, effect) in (n, n + 1)
        wider = smallest_gap(2 * n, psi, 2 * effect)
        assert wider == pytest.approx(gap)


def test_what_is_larger_than_the_discordance_cannot_be() -> None:
    assert pairs_needed(0.3, 0.2) is None
    assert smallest_gap(10, 0.2) is None
    assert smallest_gap(2, 1) is None


def test_discordance_follows_from_accuracy() -> None:
    rng = np.random.default_rng(11)
    common, own = rng.random(200_000) < 0.7, rng.random((2, 200_000)) < 0.7
    copied = rng.random((2, 200_000)) < math.sqrt(0.4)
    one, two = np.where(copied, common, own)
    assert np.mean(one != two) == pytest.approx(discordance_of(0.7, 0.4), abs=0.004)
    assert np.corrcoef(one, two)[0, 1] == pytest.approx(0.4, abs=0.01)


def power(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    parser = Parser(prog="homeground power")
    power_command.arguments(parser)
    assert power_command.call(parser.parse_args(words)) == 0
    return capsys.readouterr().out


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = power(capsys, "--n", "327", "--gap", "5", "--discordance", "0.2", "0.4", "--design-effect", "2")
    assert max(map(len, table.splitlines())) <= 80
    rows = [line.split() for line in table.splitlines()[1:3]]
    assert rows == [["0.2", "9.7", "points", "1,252"], ["0.4", "13.8", "points", "2,507"]]
    assert "design effect 2" in table
    assert "–" in power(capsys, "--gap", "20", "--accuracy", "0.9")
    lines = [
        json.loads(line) for line in power(capsys, "--n", "327", "--accuracy", "0.5", "--json").splitlines()
    ]
    assert [line["correlation"] for line in lines] == [0, 0.25, 0.5, 0.75]
    assert [line["discordance"] for line in lines] == [0.5, 0.375, 0.25, 0.125]
    assert lines[2]["smallest_gap_points"] == pytest.approx(100 * (smallest_gap(327, 0.25) or 0))


@pytest.mark.parametrize(
    "words", [(), ("--n", "9", "--accuracy", "0.5", "--discordance", "0.2"), ("--n", "9", "--accuracy", "1")]
)
def test_the_command_refuses_what_says_nothing(words: tuple[str, ...]) -> None:
    parser = Parser(prog="homeground power")
    power_command.arguments(parser)
    with pytest.raises(InputError, match=r"--accuracy|--gap"):
        power_command.call(parser.parse_args(words))


@pytest.mark.parametrize(
    "words", [("--accuracy", "60"), ("--gap", "0"), ("--discordance", "nan"), ("--n", "0")]
)
def test_the_command_wants_numbers_in_range(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    parser = Parser(prog="homeground power")
    power_command.arguments(parser)
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(words)
    assert stop.value.code == 2
    assert words[0] in capsys.readouterr().err
