"""The answers behind the page's answer browser, as compact JSON that no answer can break out of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from homeground.benchmarks import Benchmark, QuestionSet
from homeground.experiments.study import Study
from homeground.report.examples import found_in, pictured, visible

MOST = 60_000
"""Answers that a page holds; a larger study shows an even share of them, and says so."""
_LONGEST = 400
_COLUMNS = ("item", "culture", "concept", "condition", "task", "model", "strategy", "run")
"""As ``page.js`` has them."""


def payload(study: Study, texts: dict[str, str]) -> dict[str, Any]:
    """What the browser shows, in tables of names and rows of places in them.

    Args:
        study: the judgements.
        texts: what was said, by the key of the request.
    """
    frame = study.frame
    order = (
        np.arange(len(frame)) if len(frame) <= MOST else np.linspace(0, len(frame) - 1, MOST).astype(np.int64)
    )
    columns = {
        name: getattr(frame, name)
        for name in ("item", "culture", "concept", "condition", "task", "model", "strategy", "run")
    }
    said, found, expected = _Names(), _Names(), _Names()
    rows = []
    for place in order:
        judgement = frame.judgements[place]
        verdict = {True: 1, False: 0, None: 2}[judgement.correct]
        rows.append(
            [
                *(int(column.codes[place]) for column in columns.values()),
                verdict,
                int(bool(judgement.published)),
                said.place(_short(texts.get(judgement.key, ""))),
                found.place(found_in(judgement)),
                expected.place(" or ".join(judgement.expected)),
            ]
        )
    items = columns["item"].names
    return {
        "names": {name: list(map(pictured, column.names)) for name, column in columns.items()},
        "cultures": {code: study.source.cultures[code].name for code in columns["culture"].names},
        **_about(study.source, items, columns["culture"].names),
        "said": said.names,
        "found": found.names,
        "expected": expected.names,
        "rows": rows,
        "all": len(frame),
    }


def _about(source: Benchmark | QuestionSet, items: Sequence[str], cultures: Sequence[str]) -> dict[str, Any]:
    """What each item is about, what that is called, its cues by item and culture, and the names that tell it apart."""
    if isinstance(source, QuestionSet):
        asked = [_short(source.questions[item].question) for item in items]
        return {"about": "Question", "scenes": asked, "cues": {}, "tags": ["condition"]}
    return {
        "about": "Scene",
        "scenes": [source.scenes[source.scaffolds[item].scene].description for item in items],
        "cues": {
            f"{i}/{j}": [cue.value for cue in pair.cues]
            for i, item in enumerate(items)
            for j, code in enumerate(cultures)
            if (pair := source.cues.get((item, code)))
        },
        "tags": ["culture", "concept", "condition", "task"],
    }


def as_script(data: dict[str, Any]) -> str:
    """JSON for a data block inside a page: nothing in it can end the block or open a comment."""
    text = msgspec.json.encode(data).decode()
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _short(text: str) -> str:
    shown = visible(text[: _LONGEST + 1])
    return shown if len(text) <= _LONGEST else f"{shown[:_LONGEST]}…"


class _Names:
    """Distinct names by their place."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = len(self.names)
            self.names.append(name)
        return self._places[name]
