"""One HTML page: everything in it, nothing fetched, one script that its own policy names."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from homeground.benchmarks import QuestionSet
from homeground.engines import model_facts
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Table
from homeground.files import png_uri
from homeground.report.browser import as_script, payload
from homeground.report.examples import Chooser, Example, differing, failing, pictured, shown, visible
from homeground.report.numbers import CONDITION_NAMES, interval, interval_of, p_of, percent, points, value_of
from homeground.report.results import Results
from homeground.report.wide import grids
from homeground.schema import CONCEPTS, SUBJECTIVE, Answer, Judgement, Request

_ROOM = files("homeground.report")


def render(results: Results) -> str:
    """The page of a study."""
    study = results.study
    frame = study.frame
    requests, answers = _asked(study)
    examples = {series: _examples(study, series, failing, requests, answers) for series in study.series}
    disputed = {series: _examples(study, series, differing, requests, answers) for series in study.series}
    scenes = {e.judgement.cell.scene for some in (*examples.values(), *disputed.values()) for e in some}
    script = _ROOM.joinpath("page.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(f"\n{script}".encode()).digest()
    text: str = _template(results.template).render(
        results=results,
        study=study,
        spec=study.runs[0].spec,
        benchmark=study.source,
        asked={one.id: visible(one.question) for one in study.source.questions.values()}
        if isinstance(study.source, QuestionSet)
        else {},
        models=list(dict.fromkeys(model for run in study.runs for model in run.spec.models)),
        examples=examples,
        disputed=disputed,
        disputes={series: _disputes(study, series) for series in study.series},
        pictures={scene: _data_uri(study, scene) for scene in sorted(scenes) if scene in study.source.scenes},
        facts=model_facts,
        judged=len(frame),
        cells=sum(len(run.cells) for run in study.runs),
        requests=sum(len(run.plan.requests) for run in study.runs),
        level_names=CONDITION_NAMES,
        cultures=[
            (code, study.source.cultures[code].name.removeprefix("the "))
            for code in study.source.cultures
            if code in frame.culture.names
        ],
        concepts=[(name, name.replace("_", " ")) for name in CONCEPTS if name in frame.concept.names],
        subjective=SUBJECTIVE,
        style=_ROOM.joinpath("page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(digest).decode("ascii"),
        data=as_script(payload(study, {key: answer.text for key, answer in answers.items()})),
        draw=results.figure,
        grids=lambda name: grids(results.tables[name]) if name in results.tables else [],
    )
    return text


def _asked(study: Study) -> tuple[dict[str, Request], dict[str, Answer]]:
    """All requests of the study, and the answers they have, by key."""
    requests: dict[str, Request] = {}
    answers: dict[str, Answer] = {}
    for run in study.runs:
        requests |= run.plan.requests
        with run.store() as store:
            answers |= store.get(run.plan.requests)
    return requests, answers


def _mine(study: Study, series: Series) -> list[Judgement]:
    return [study.frame.judgements[place] for place in study.of(series).nonzero()[0]]


def _examples(
    study: Study, series: Series, choose: Chooser, requests: dict[str, Request], answers: dict[str, Answer]
) -> list[Example]:
    return [
        shown(judgement, known, requests[judgement.key], answers[judgement.key])
        for judgement, known in choose(_mine(study, series))
    ]


def _disputes(study: Study, series: Series) -> int:
    """How many answers the two rulebooks judge differently."""
    frame = study.frame
    judged = study.of(series) & (frame.correct >= 0)
    return int((judged & (frame.correct != frame.published)).sum())


def _data_uri(study: Study, scene: str) -> str:
    png = (study.source.folder / study.source.scenes[scene].image).read_bytes()
    return png_uri(png)


def _notes(table: Table) -> Sequence[str]:
    """What to know of a table, the words of its rows among it."""
    rows = {
        f"{', '.join(value for name, value in row.by.items() if name != 'run')}: {row.note}"
        for row in table.rows
        if row.note
    }
    return (*table.notes, *sorted(rows))


def _shown(value: object) -> object:
    """What stands on the page: names that users gave may hold control characters too. Markup stays as it is."""
    return pictured(value) if type(value) is str else value


@cache
def _template(name: str) -> Any:  # noqa: ANN401
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("homeground.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters |= {
        "percent": percent, "points": points, "interval": interval, "value_of": value_of, "interval_of": interval_of,
        "p_of": p_of, "notes": _notes,
    }  # fmt: skip
    return environment.get_template(name)
