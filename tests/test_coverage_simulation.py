"""Do 95 % intervals hold the truth in 95 of 100 studies? Simulated studies of the benchmark's design.

Scenes are drawn from all scenes, each with three dialogues of a pool that serves every scene; cultures are the
same in all studies, each with its own level. The truth is the mean over all scenes and dialogues. Two thousand studies
put a Monte Carlo error of ±1 point (95 %) on a share near 95 %.
"""

from typing import NamedTuple

import numpy as np
import pytest

from homeground.schema import Estimate
from homeground.statistics import accuracy, paired_gap
from homeground.statistics.clusters import Floats, Labels
from homeground.statistics.intervals import clopper_pearson

STUDIES = 2_000
SCENES, KINDS, CULTURES = 60, 3, np.linspace(-1, 1, 4)
N = SCENES * KINDS * len(CULTURES)
POPULATION = 400_000


class Design(NamedTuple):
    """Standard deviations on the logit scale."""

    level: float
    """Logit of an average answer."""
    scene: float = 1.2
    template: float = 0.0
    pair: float = 0.5
    """Of a scene with a dialogue, beyond what either does."""


def truth(design: Design) -> float:
    rng = np.random.default_rng(1)
    spread = np.sqrt(design.scene**2 + design.template**2 + design.pair**2)
    logits = design.level + rng.normal(0, spread, POPULATION)
    return float(np.mean([chance(logits + culture).mean() for culture in CULTURES]))


def chance(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))


def holds(estimate: Estimate, value: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= value <= estimate.high


def place(rng: np.random.Generator, design: Design) -> tuple[Floats, Labels, Labels]:
    """Logit, scene and dialogue of each conversation, whoever asks.

    As many dialogues as scenes, each in three of them, as in the built-in benchmark.
    """
    scene = np.repeat(np.arange(SCENES), KINDS)
    template = np.stack([rng.permutation(SCENES) for _ in range(KINDS)], axis=1).ravel()
    logits = design.level + rng.normal(0, design.scene, SCENES)[scene]
    logits += rng.normal(0, design.template, SCENES)[template] + rng.normal(0, design.pair, len(scene))
    return logits, scene, template


def ask(rng: np.random.Generator, logits: Floats) -> list[bool]:
    """Whether each answer is right, all cultures of a conversation in a row."""
    right: list[bool] = (
        (rng.random((len(logits), len(CULTURES))) < chance(logits[:, None] + CULTURES)).ravel().tolist()
    )
    return right


def rows(labels: Labels) -> list[int]:
    """The label of each answer."""
    repeated: list[int] = np.repeat(labels, len(CULTURES)).tolist()
    return repeated


MIDDLE = Design(level=0.4)
DIALOGUES_MATTER = Design(level=0.4, template=1.2)


@pytest.mark.parametrize(
    ("design", "naive_at_most"),
    [
        pytest.param(MIDDLE, 0.8, id="middle"),
        pytest.param(DIALOGUES_MATTER, 0.7, id="dialogues matter"),
        pytest.param(Design(level=4.3), 0.92, id="near 100 %"),
        pytest.param(Design(level=4.6, template=0.8), 0.92, id="near 100 %, dialogues matter"),
    ],
)
def test_intervals_of_accuracy_cover(design: Design, naive_at_most: float) -> None:
    """Clustered by scene and dialogue they do, whether dialogues matter or not; unclustered ones are too sure."""
    rng = np.random.default_rng(20261130)
    share = truth(design)
    covered = naive = 0
    for _ in range(STUDIES):
        logits, scene, template = place(rng, design)
        right = ask(rng, logits)
        covered += holds(accuracy(right, rows(scene), rows(template)), share)
        low, high = clopper_pearson(sum(right) / N, N)
        naive += low <= share <= high
    assert 0.93 <= covered / STUDIES <= 0.97
    assert naive / STUDIES < naive_at_most


def test_scenes_alone_are_enough_only_where_dialogues_do_not_matter() -> None:
    shares = []
    for design in (MIDDLE, DIALOGUES_MATTER):
        rng = np.random.default_rng(20261130)
        share, covered = truth(design), 0
        for _ in range(STUDIES):
            logits, scene, _ = place(rng, design)
            covered += holds(accuracy(ask(rng, logits), rows(scene)), share)
        shares.append(covered / STUDIES)
    assert 0.93 <= shares[0] <= 0.97
    assert shares[1] < 0.93


def test_intervals_of_gaps_cover() -> None:
    """Two tasks over the same conversations: common difficulty cancels, what a scene does to one of them stays."""
    rng = np.random.default_rng(20261130)
    known = Design(level=1.4, template=0.6)
    lost, own = 1.0, 0.8
    used = known._replace(level=known.level - lost, scene=float(np.hypot(known.scene, own)))
    gap = truth(known) - truth(used)
    covered = 0
    for _ in range(STUDIES):
        logits, scene, template = place(rng, known)
        first, second = ask(rng, logits), ask(rng, logits - lost + rng.normal(0, own, SCENES)[scene])
        covered += holds(paired_gap(first, second, rows(scene), rows(template)).estimate, gap)
    assert 0.93 <= covered / STUDIES <= 0.97
