"""What is assumed of a user of whom nothing is known (arXiv:2606.17688, research question 4).

At level ``null`` a model is asked without any conversation. Which country it names then, and in which system of units
or currency it answers, is its prior. All cultures and dialogues share these prompts, so each distinct answer counts
once, not once a culture. Without a conversation the question for the country differs by concept alone: answers are
clustered by concept there, and by scene in the question task; no dialogue is shown, so none counts as a cluster.
Shares have clustered Korn–Graubard intervals (``statistics.accuracy``).
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

import numpy as np

from homeground.experiments.frame import Codes, Mask
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.schema import OBJECTIVE
from homeground.statistics import accuracy

UNSETTLED = {"both": "several", "ambiguous": "ambiguous", "none": "no answer", "refused": "refused"}
"""What is said where an answer settles on nothing, by its status; ambiguous is a sign such as ¥ alone."""
_FEW = 20
"""With fewer prompts behind it a share carries a note."""
_MEASURED = tuple(concept for concept in OBJECTIVE if concept != "price")


class _Group(NamedTuple):
    """Answers whose shares sum to 1."""

    kind: Literal["country", "system", "currency"]
    concept: str
    rows: Mask


def priors(study: Study) -> list[Table]:
    """Shares of countries, systems of units and currencies at level null."""
    return [
        study.table("priors", "Assumed of a user of whom nothing is known", _rows(study), notes=(
            "At level null, where all users share the prompt: each distinct answer counts once, n says how many there "
            "are. The question for the country is one prompt a concept.",
            "Several: more than one was named. Ambiguous: a sign that stands for more than one, such as ¥. No answer: "
            "no country, system or currency was named. Refused: the model declined to say.",
            "Systems over all concepts: every scene counts once.",
        ))
    ]  # fmt: skip


def _rows(study: Study) -> list[Row]:
    frame = study.frame
    rows = []
    for series in study.series:
        mine = study.of(series) & frame.where(condition="null")
        background, question = (mine & frame.where(task=task) for task in ("background", "question"))
        groups = [
            _Group("country", "all", background),
            _Group("system", "all", question & frame.where(concept=_MEASURED)),
            *(_Group("system", name, question & frame.where(concept=name)) for name in _MEASURED),
            _Group("currency", "price", question & frame.where(concept="price")),
        ]
        for group in groups:
            rows += _shares(study, group, series.by)
    return rows


def _shares(study: Study, group: _Group, by: dict[str, str]) -> list[Row]:
    """The share of everything that was said, most frequent first."""
    places = _distinct(study, group.rows)
    prompts = study.frame.cluster[places]
    count = len(np.unique(prompts))
    note = f"only {_many(len(places), 'distinct answer')} to {_many(count, 'prompt')}" if count < _FEW else ""
    said = np.asarray([_said(study, place) for place in places.tolist()], dtype=np.str_)
    return [
        Row(
            by={**by, "kind": group.kind, "concept": group.concept, "said": name},
            estimate=accuracy(said == name, prompts),
            counts={"answers": number},
            note=note,
        )
        for name, number in sorted(Counter(said.tolist()).items(), key=lambda item: (-item[1], item[0]))
    ]


def _distinct(study: Study, rows: Mask) -> Codes:
    """The first of the rows that share an answer."""
    judgements = study.frame.judgements
    first: dict[str, int] = {}
    for place in np.flatnonzero(rows).tolist():
        first.setdefault(judgements[place].key, place)
    return np.asarray(list(first.values()), dtype=np.int64)


def _said(study: Study, place: int) -> str:
    frame = study.frame
    settled = frame.said.names[frame.said.codes[place]]
    return settled or UNSETTLED.get(frame.status.names[frame.status.codes[place]], "several")


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
