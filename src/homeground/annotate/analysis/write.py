"""An analysis as files: every table in three forms, and ``people.json`` for a report."""

from __future__ import annotations

from pathlib import Path

import msgspec

from homeground.annotate.analysis.analyse import Analysis
from homeground.files import write_whole
from homeground.report.formats import csv, latex, markdown

PEOPLE = "people.json"


def write_analysis(found: Analysis, folder: Path) -> None:
    """Write ``people.json`` and ``tables/`` into a folder; what it holds under these names is replaced.

    Raises:
        EnvironmentProblem: the disk refuses.
    """
    for table in found.tables:
        for ending, write in (("csv", csv), ("md", markdown), ("tex", latex)):
            write_whole(folder / "tables" / f"{table.name}.{ending}", write(table))
    write_whole(folder / PEOPLE, msgspec.json.format(msgspec.json.encode(found.ceiling)) + b"\n")
