"""Contrast accuracy of a study's answers: conversations alike but for the cues, whose cultures expect other answers."""

from __future__ import annotations

import numpy as np

from homeground.experiments.frame import Mask
from homeground.experiments.study import Study
from homeground.statistics.contrast import Contrast, contrast_accuracy


def contrast_of(study: Study, rows: Mask) -> Contrast:
    """Contrast accuracy over the given rows of the question task, which all are right or wrong.

    Each draw is a scaffold of its own.
    """
    frame, cultures = study.frame, study.benchmark.cultures
    places = np.flatnonzero(rows)
    _, first, scaffold = np.unique(frame.same("item")[places], return_index=True, return_inverse=True)
    first = places[first]
    column = np.asarray([list(cultures).index(name) for name in frame.culture.names], dtype=np.int64)
    correct = np.full((len(first), len(cultures)), -1, dtype=np.int64)
    correct[scaffold, column[frame.culture.codes[places]]] = frame.correct[places]
    expected: dict[tuple[str, str], set[str]] = {
        (concept, culture.code): set(answers)
        for culture in cultures.values()
        for concept, answers in culture.accepted.items()
    }
    answers = sorted(set().union(*expected.values()))
    accepted = np.asarray(
        [
            [[answer in expected.get((concept, code), set()) for answer in answers] for code in cultures]
            for concept in frame.concept.names
        ],
        dtype=np.bool_,
    )
    return contrast_accuracy(
        correct,
        accepted[frame.concept.codes[first]],
        frame.scene.codes[first],
        frame.template.codes[first],
    )
