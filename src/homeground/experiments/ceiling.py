"""How far is a model from people? Both on the same cultures and concepts, at the level that people saw.

People of a country played the chatbot in conversations of their own culture (arXiv:2606.17688, section 2.3): what they
reach says that the cues can be heard, and is the ceiling of what can be asked of a model. Their intervals are clustered
by person and by conversation, the models' by scene and by dialogue.
"""

from __future__ import annotations

from homeground.experiments.people_ceiling import ALL, LEVEL
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.schema import OBJECTIVE


def ceiling(study: Study) -> list[Table]:
    """People beside every model, in all, by concept and by culture; no table without a study of people.

    The table ``ceiling`` has columns culture, concept (``all`` for all of them) and who (``people``, or the series).
    """
    people = study.ceiling
    if people is None:
        return []
    frame = study.frame
    asked = study.objective & frame.where(task="question", condition=LEVEL)
    concepts = [name for name in OBJECTIVE if (asked & frame.where(concept=name)).any()]
    cultures = [code for code in study.benchmark.cultures if (asked & frame.where(culture=code)).any()]
    parts = [(ALL, ALL), *((ALL, name) for name in concepts), *((name, ALL) for name in cultures)]
    rows = []
    for culture, concept in parts if asked.any() else ():
        where = {name: value for name, value in (("culture", culture), ("concept", concept)) if value != ALL}
        by = {"culture": culture, "concept": concept}
        if found := people.of(culture, concept):
            rows.append(Row(by={**by, "who": people.who}, estimate=found))
        for series in study.series:
            some = study.of(series) & asked & frame.where(**where)
            if some.any():
                rows.append(Row(by={**by, "who": _name(series)}, estimate=study.accuracy(some)))
    title = f"Beside {people.who}, at {LEVEL} cues"
    return [study.table("ceiling", title, rows, across="who", notes=(
        f"Share answered in the user's units or currency at level {LEVEL}. The {people.who} of study {people.study} "
        "answered as the chatbot, in conversations of the same cultures and concepts, though not always the same ones; "
        "those whom the study's rules leave out do not count.",
        *people.notes,
    ))]  # fmt: skip


def _name(series: Series) -> str:
    return ", ".join(part for part in series if part)
