"""What a release of a study of questions holds: accepted entries of the main round and the review, nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from homeground.annotate.release.screened import Screened, screened
from homeground.annotate.store import Store, different
from homeground.annotate.store.sources import EntrySource, Judged, StudySource, source
from homeground.annotate.store.verdicts import DECISIONS
from homeground.benchmarks.question_set import fault_of
from homeground.errors import InputError
from homeground.questions.audit import Audited, Profile, audit_set, profile
from homeground.questions.pairs import screened_by
from homeground.schema import Question
from homeground.statistics.agreement import Agreement, agreement

ROUNDS = ("main", "review")
"""Rounds that a release is made of."""
_INDEPENDENT = 2
"""Verdicts of a version that were made without the other; a third is a tie-break, made since these two differ."""
_UNFIT_FOR_NAMES = re.compile(r"[^\w.-]+")


class Item(NamedTuple):
    """A released question."""

    entry: EntrySource
    question: Question
    screened_by: tuple[str, ...]
    """Models that it was chosen or written against."""
    absorbed: tuple[EntrySource, ...]
    """Entries that were merged into it."""


class Fault(NamedTuple):
    """Why an accepted entry cannot be released as it is."""

    number: int
    why: str


class Release:
    """What a release holds, in memory. Make one with ``gather``."""

    def __init__(self, found: StudySource, items: Sequence[Item], joined: Screened | None = None) -> None:
        """Keep the items, by number."""
        self.source = found
        self.items = tuple(items)
        self.joined = joined
        """What a screening left; none where there was none."""
        settings = found.settings
        self.name: str = settings.get("name") or found.id
        self.culture: str = settings["cultures"][0]
        self.language: str = settings["language"]
        self.licence: str = settings.get("licence") or ""
        self.simulated: bool = bool(settings.get("simulated"))
        self.slug = slug(self.name)
        """The set's name as folders and ids can have it."""

    @cached_property
    def counts(self) -> Counter[tuple[str, str]]:
        """Entries of the study by round and status."""
        return Counter((entry.round, entry.status) for entry in self.source.entries)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps accepted entries from being released."""
        told = ((item.entry.number, self._fault(item.question)) for item in self.items)
        return tuple(Fault(number, why) for number, why in told if why)

    def _fault(self, question: Question) -> str:
        if not question.question.strip():
            return "field question: empty"
        if question.culture not in (None, self.culture):
            return f"field culture: {question.culture}, but the study is about {self.culture}"
        if question.language not in (None, self.language):
            return f"field language: {question.language}, but the study is in {self.language}"
        if self.culture in (question.contrast or {}):
            return f"field contrast: {self.culture} is the study's own culture; its answers are the golds"
        return fault_of(question)

    @cached_property
    def screened_by(self) -> tuple[str, ...]:
        """Models that stay out of headline claims on the set."""
        return tuple(dict.fromkeys(model for item in self.items for model in item.screened_by))

    @cached_property
    def today(self) -> date:
        """The day of the last change: what the audit takes for today, so that the same store gives the same bytes."""
        made = [past.made for entry in self.source.entries for past in entry.versions]
        made += [verdict.made for entry in self.source.entries for verdict in entry.verdicts]
        return datetime.fromtimestamp(max(made, default=0.0), UTC).date()

    @cached_property
    def audited(self) -> list[Audited]:
        """What the audit says of each question."""
        questions = [item.question for item in self.items]
        return audit_set(questions, self.culture, self.language, self.today)

    @cached_property
    def profile(self) -> Profile:
        """What the audit says of the set."""
        return profile([item.question for item in self.items], self.audited, self.language)

    @cached_property
    def found_different(self) -> int:
        """How many of the look-alikes people looked at and found to ask something else."""
        newest = {item.question.id: (item.entry.id, item.entry.versions[-1].version) for item in self.items}
        return sum(
            different.looked_at({newest[one], newest[like]}, self.source.different)
            for one, like in self.profile.twins
        )

    @cached_property
    def agreement(self) -> Agreement:
        """Of the first two adjudicators of each version in the main round and the review."""
        return agreed(self.source.entries)

    @cached_property
    def changed_since(self) -> tuple[Item, ...]:
        """Items whose newest version nobody has accepted: corrected or merged after they were."""
        return tuple(
            item
            for item in self.items
            if not any(
                verdict.version == item.entry.versions[-1].version and verdict.decision == "accept"
                for verdict in item.entry.verdicts
            )
        )


def agreed(entries: Iterable[EntrySource], rounds: Sequence[str] = ROUNDS) -> Agreement:
    """Agreement of the first two adjudicators of each version in some rounds, over their decisions."""
    names = tuple(DECISIONS)
    pairs = [
        [names.index(verdict.decision) for verdict in said[:_INDEPENDENT]]
        for entry in entries
        if entry.round in rounds
        for said in by_version(entry.verdicts).values()
        if len(said) >= _INDEPENDENT
    ]
    codes = np.asarray(pairs, dtype=np.int64).reshape(-1, _INDEPENDENT)
    return agreement(codes, seed=0, categories=len(names))


def by_version(verdicts: Iterable[Judged]) -> dict[int, list[Judged]]:
    """The verdicts on each version, in order."""
    found: dict[int, list[Judged]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.version, []).append(verdict)
    return found


def slug(name: str) -> str:
    """A name of letters, digits, dots, lines and hyphens alone, in any script."""
    return _UNFIT_FOR_NAMES.sub("-", name).strip("-.") or "set"


def gather(store: Store, study: str, screening: Path | None = None) -> Release:
    """What a release would hold now.

    Args:
        store: the database.
        study: one of questions.
        screening: what ``homeground screen`` wrote, evidence or kept questions: the others are left out.

    Raises:
        InputError: ``screening`` is no such file, or is of other questions than those of the release.
    """
    found = source(store, study)
    release = Release(found, list(_items(found)))
    if screening is None:
        return release
    joined = screened(screening, [item.question for item in release.items])
    kept = [
        item._replace(screened_by=tuple(dict.fromkeys((*item.screened_by, *joined.screened_by))))
        for item in release.items
        if item.question.id in joined.kept
    ]
    if not kept:
        raise InputError(f"{screening}: keeps none of the {len(release.items):,} accepted questions")
    return Release(found, kept, joined)


def _items(found: StudySource) -> Iterator[Item]:
    into = _absorbed(found.entries)
    originals = {e.id: msgspec.json.decode(e.original) for e in found.entries if e.original is not None}
    taken = {original["id"] for original in originals.values()}
    name = found.settings.get("name") or found.id
    for entry in found.entries:
        if entry.round not in ROUNDS or entry.status != "accepted":
            continue
        absorbed = into.get(entry.id, ())
        original = originals.get(entry.id)
        one = _id(name, entry.number, taken) if original is None else original["id"]
        models = [look.model for from_ in (entry, *absorbed) for look in from_.looks]
        # Answers of an entry that was merged into this one may be here: chosen against whom it was, so is this one.
        against = screened_by([originals.get(from_.id, {}) for from_ in (entry, *absorbed)])
        yield Item(
            entry,
            _question(entry, one, found.settings),
            tuple(dict.fromkeys((*against, *models))),
            absorbed,
        )


def _id(name: str, number: int, taken: set[str]) -> str:
    """Its name in the set: the same in every release, and none that an imported question has."""
    found = f"{slug(name)}-{number:04d}"
    while found in taken:
        found += "-new"
    return found


def _question(entry: EntrySource, name: str, settings: Mapping[str, Any]) -> Question:
    """The newest content. What was imported and never changed stays as it was, down to what it does not say."""
    question = msgspec.structs.replace(entry.versions[-1].question, id=name)
    if entry.original is not None and len(entry.versions) == 1:
        return question
    return msgspec.structs.replace(
        question,
        culture=question.culture or settings["cultures"][0],
        language=question.language or settings["language"],
    )


def _absorbed(entries: Sequence[EntrySource]) -> dict[str, tuple[EntrySource, ...]]:
    """The entries that were merged into each, directly or by way of others."""
    by_id = {entry.id: entry for entry in entries}
    found: dict[str, list[EntrySource]] = {}
    for entry in entries:
        seen, at = {entry.id}, entry
        while at.merged_into in by_id and at.merged_into not in seen:
            at = by_id[at.merged_into]
            seen.add(at.id)
            found.setdefault(at.id, []).append(entry)
    return {name: tuple(those) for name, those in found.items()}
