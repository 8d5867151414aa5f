"""The admin's first page of a study of questions: what became of what was written, who did how much, who agrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from fastapi.responses import Response

from homeground.annotate.app.beside import titles
from homeground.annotate.app.context import culture_name, study_of
from homeground.annotate.app.duplicates import found_clusters
from homeground.annotate.app.guard import Visit
from homeground.annotate.app.pages import page
from homeground.annotate.app.questions import when
from homeground.annotate.release.gather import ROUNDS as RELEASED
from homeground.annotate.release.gather import agreed
from homeground.annotate.store import entries, people, progress, studies, verdicts
from homeground.annotate.store.entries import ROUNDS, STATUSES
from homeground.annotate.store.sources import EntrySource, StudySource, source
from homeground.report.numbers import interval, percent

_EVENTS, _MOST_BROKEN = 8, 8
_TRIAL = ("trial",)


class Row(NamedTuple):
    """What one person did, by pseudonym; under no name what those did who have withdrawn."""

    person: str
    counts: Counter[str]
    """Of a writer by the status that it has now, of an adjudicator by decision; all of it under ``all``."""


class Broken(NamedTuple):
    """A guideline that verdicts say is broken."""

    rule: str
    title: str
    number: int
    unsure: int


def overview_page(visit: Visit, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    """The page; ``more``: a new link, or that somebody else was faster."""
    study = study_of(visit)
    whole, private = source(visit.store, study.id), entries.kept_back(visit.store, study.id)
    # A draft that its writer took back was never anybody else's affair.
    whole = whole._replace(entries=tuple(entry for entry in whole.entries if entry.id not in private))
    counts = Counter((entry.round, entry.status) for entry in whole.entries)
    agreements = {
        name: found
        for name, rounds in (("main", RELEASED), ("trial", _TRIAL))
        if (found := agreed(whole.entries, rounds)).raw.n
    }
    state = studies.state(visit.store, study.id)
    values: dict[str, Any] = {
        "study": study, "state": state, "counts": counts, "waiting": verdicts.waiting(visit.store, study.id),
        "ties": verdicts.tied(visit.store, study.id),
        "round": whole.settings.get("round", "main"), "agreements": agreements, "percent": percent,
        "interval": interval,
        "rounds": [name for name in ROUNDS if any(counts[name, one] for one in STATUSES)],
        "statuses": [one for one in STATUSES if any(counts[name, one] for name in ROUNDS)],
        "accepted": sum(counts[name, "accepted"] for name in RELEASED),
        "written": sum(counts.values()) - sum(counts[name, "draft"] for name in ROUNDS),
        "writers": _writers(whole), "judges": _judges(whole), "broken": _broken(visit, whole.entries),
        "version": whole.guidelines[-1].version if whole.guidelines else 0,
        "roles": people.joinable(study.kind, state.status),
        "culture": culture_name(study.cultures[0], visit.language),
        "events": [
            (when(at), kind, detail) for at, kind, detail in progress.events(visit.store, study.id, _EVENTS)
        ],
        "groups": len(found_clusters(visit).open), "link": "", "made": "", "picked": "", "conflict": False,
    }  # fmt: skip
    return page(visit, "community", status, **(values | more))


def _rows(counts: dict[str, Counter[str]], whole: StudySource, role: str) -> list[Row]:
    """Everybody of a role and whoever did as they do, those who did most first; the withdrawn last."""
    for one in whole.people:
        if one.role == role:
            counts.setdefault(one.person, Counter())
    found = [Row(person, count) for person, count in counts.items()]
    return sorted(found, key=lambda row: (not row.person, -row.counts["all"], row.person))


def _writers(whole: StudySource) -> list[Row]:
    """Whoever wrote an entry first is its writer; a draft is nobody else's affair yet."""
    counts: dict[str, Counter[str]] = {}
    for entry in whole.entries:
        first = entry.versions[0]
        if first.why != "imported" and entry.status != "draft":
            counts.setdefault(first.person, Counter()).update(("all", entry.status))
    return _rows(counts, whole, "author")


def _judges(whole: StudySource) -> list[Row]:
    counts: dict[str, Counter[str]] = {}
    for entry in whole.entries:
        for verdict in entry.verdicts:
            counts.setdefault(verdict.person, Counter()).update(("all", verdict.decision))
    return _rows(counts, whole, "adjudicator")


def _broken(visit: Visit, entries: Iterable[EntrySource]) -> list[Broken]:
    marks = Counter(
        (rule, mark)
        for entry in entries
        for verdict in entry.verdicts
        for rule, mark in verdict.marks.items()
    )
    found = [
        Broken(rule, title, marks[rule, "breaks"], marks[rule, "unsure"])
        for rule, title in titles(visit).items()
        if marks[rule, "breaks"]
    ]
    return sorted(found, key=lambda one: -one.number)[:_MOST_BROKEN]
