"""How deep the reasoning goes, and what depth is worth (arXiv:2606.17688, research question 2 and appendix B.4).

The depth of an answer's reasoning is the deepest of four levels that it reaches: L0 no cultural reasoning, L1 a cue is
mentioned, L2 a cue is bound to an identity, L3 that identity drives the answer (``judging.depth``). As published, over
the objective concepts. Answers that show no reasoning have no depth.
"""

from __future__ import annotations

from collections.abc import Iterator

from homeground.experiments.frame import Mask
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.schema import CONDITIONS

DEPTHS = ("L0", "L1", "L2", "L3")


def reasoning(study: Study) -> list[Table]:
    """Shares of depths by level, and accuracy of the question task at each depth."""
    return [
        study.table("depth", "Depth of reasoning", _shares(study), across="depth", notes=(
            "L0: no cultural reasoning; L1: a cue is mentioned; L2: a cue is bound to an identity; L3: that identity "
            "drives the answer. Shares of the answers that show any reasoning.",
        )),
        study.table("accuracy_by_depth", "Right, by depth of reasoning", _accuracies(study), across="depth", notes=(
            "Share of questions right among the answers of that depth. Answers are not assigned to depths at random: "
            "what is easier to answer may be easier to reason about.",
        )),
    ]  # fmt: skip


def _reasoned(study: Study) -> Iterator[tuple[dict[str, str], Mask, Mask]]:
    """Series and level, the question task's answers that show reasoning, and those that show none."""
    frame = study.frame
    for series in study.series:
        asked = study.of(series) & study.objective & frame.where(task="question")
        for level in CONDITIONS:
            some = asked & frame.where(condition=level)
            shown = some & (frame.depth >= 0)
            if shown.any():
                yield {**series.by, "level": level}, shown, some & ~shown


def _shares(study: Study) -> list[Row]:
    return [
        Row(
            by={**by, "depth": name},
            estimate=study.share(study.frame.depth == depth, shown),
            counts={"no_reasoning": int(silent.sum())},
        )
        for by, shown, silent in _reasoned(study)
        for depth, name in enumerate(DEPTHS)
    ]


def _accuracies(study: Study) -> list[Row]:
    return [
        Row(by={**by, "depth": name}, estimate=study.accuracy(some))
        for by, shown, _ in _reasoned(study)
        for depth, name in enumerate(DEPTHS)
        if (some := shown & (study.frame.depth == depth)).any()
    ]
