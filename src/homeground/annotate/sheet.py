"""The cue sheet: each cue of one culture in its sentence, for residents to confirm or reject."""

from __future__ import annotations

from typing import NamedTuple

from homeground.benchmarks import Benchmark
from homeground.dialogues.levels import SLOTS, slot_turn
from homeground.errors import unknown


class Row(NamedTuple):
    """One cue in the first sentence that uses it."""

    kind: str
    value: str
    before: str
    after: str


def cue_sheet(benchmark: Benchmark, code: str) -> str:
    """The HTML page for one culture.

    Raises:
        InputError: the benchmark does not know the culture.
    """
    import jinja2

    if code not in benchmark.cultures:
        raise unknown("culture", code, tuple(benchmark.cultures))
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("homeground.annotate", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    page = environment.get_template("sheet.html.j2")
    return page.render(
        culture=benchmark.cultures[code], rows=rows_of(benchmark, code), benchmark=benchmark.signature
    )


def rows_of(benchmark: Benchmark, code: str) -> list[Row]:
    """Each cue of a culture once, by kind and value."""
    rows: dict[tuple[str, str], Row] = {}
    for (name, culture), pair in benchmark.cues.items():
        if culture != code:
            continue
        scaffold = benchmark.scaffolds[name]
        for slot, cue in enumerate(pair.cues):
            before, after = scaffold.turns[slot_turn(scaffold, slot)].text.split(SLOTS[slot])
            rows.setdefault((cue.kind, cue.value), Row(cue.kind, cue.value, before, after))
    return [rows[key] for key in sorted(rows)]
