"""A release as a folder: the set, and beside it how each question came to be. The same store gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from homeground.annotate.release.card import card
from homeground.annotate.release.gather import Item, Release
from homeground.annotate.release.lines import (
    Counted,
    Flagged,
    GuidelinesLine,
    LookLine,
    MemberLine,
    MergedLine,
    ProvenanceLine,
    ReleaseLine,
    VerdictLine,
    VersionLine,
)
from homeground.annotate.store.entries import Past
from homeground.benchmarks.build_questions import build_questions
from homeground.benchmarks.question_set import QuestionSet
from homeground.errors import InputError
from homeground.files import jsonl, new_folder, write_whole
from homeground.questions.audit import titles
from homeground.schema import Question
from homeground.version import __version__

SET = "set"
MOST_BYTES = 256 * 2**20
"""Of a release that is packed into one file."""
_DAWN = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same release gives the same bytes."""


def write(release: Release, folder: Path) -> int:
    """Write a release to a new folder.

    ``set/`` is the benchmark. Beside it: ``questions.jsonl`` (the same, each question with the models that it was
    written or screened against), ``provenance.jsonl``, ``guidelines.jsonl``, ``rejected.jsonl`` (what ``homeground
    guidelines --examples`` reads), ``audit.jsonl``, ``people.jsonl``, ``consents.jsonl`` and ``release.json``.

    Returns:
        How many questions there are.

    Raises:
        InputError: nothing is accepted, an accepted question cannot be released as it is, or the folder is there
            already and not empty.
    """
    check(release)
    source = release.source
    with new_folder(folder) as made:
        build_set(release, made)
        write_whole(made / "provenance.jsonl", jsonl(_provenance(item) for item in release.items))
        write_whole(made / "guidelines.jsonl", jsonl(_guidelines(release)))
        newest = source.guidelines[-1].added.rejected if source.guidelines else ()
        write_whole(made / "rejected.jsonl", jsonl(newest))
        write_whole(made / "audit.jsonl", jsonl(release.audited))
        write_whole(made / "people.jsonl", jsonl(_people(release)))
        write_whole(made / "consents.jsonl", jsonl(source.consents))
        write_whole(made / "release.json", msgspec.json.format(msgspec.json.encode(about(release))))
    return len(release.items)


def check(release: Release) -> None:
    """See that a release can be written.

    Raises:
        InputError: it cannot; the first reason, and how many more there are.
    """
    if not release.items:
        raise InputError(
            f"study {release.source.id!r}: no question of the main round or the review is accepted yet"
        )
    if release.faults:
        first, *others = release.faults
        more = f" ({len(others)} more accepted questions cannot be released)" if others else ""
        raise InputError(
            f"study {release.source.id!r}: question {first.number}: {first.why}; correct or reject it{more}"
        )


def build_set(release: Release, made: Path) -> QuestionSet:
    """Write ``questions.jsonl`` and ``set/`` to a folder that is there."""
    questions = made / "questions.jsonl"
    write_whole(questions, jsonl(_record(item) for item in release.items))
    words = questions.with_suffix(".md")
    write_whole(words, card(release))
    built = build_questions(
        questions,
        made / SET,
        culture=release.culture,
        language=release.language,
        name=release.name,
        licence=release.licence or None,
    )
    words.unlink()
    return built


def packed(folder: Path, name: str) -> bytes:
    """A release's folder as a ZIP, all in a folder of a name; no time and no path of this machine is in it.

    Raises:
        InputError: it is larger than a page may give out.
    """
    found = io.BytesIO()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if sum(path.stat().st_size for path in files) > MOST_BYTES:
        raise InputError(f"{name}: larger than {MOST_BYTES:,} bytes; use 'homeground annotate export'")
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            info = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", _DAWN)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, path.read_bytes())
    return found.getvalue()


def about(release: Release) -> ReleaseLine:
    """The figures of a release."""
    found, flags = release.agreement, release.profile.counts
    return ReleaseLine(
        study=release.source.id,
        set=release.name,
        culture=release.culture,
        language=release.language,
        simulated=release.simulated,
        questions=len(release.items),
        entries=tuple(
            Counted(round=name, status=status, entries=count)
            for (name, status), count in sorted(release.counts.items())
        ),
        verdicts=found.raw.n,
        raw=found.raw,
        ac1=found.ac1,
        alpha=found.alpha,
        flags=tuple(
            Flagged(rule=count.rule, title=titles()[count.rule], questions=count.flagged)
            for count in flags
            if count.flagged
        ),
        screened_by=release.screened_by,
        guidelines=release.source.guidelines[-1].version if release.source.guidelines else 0,
        homeground=__version__,
    )


def _record(item: Item) -> dict[str, Any]:
    record: dict[str, Any] = msgspec.to_builtins(item.question)
    return record | ({"screened_by": item.screened_by} if item.screened_by else {})


def _provenance(item: Item) -> ProvenanceLine:
    entry = item.entry
    return ProvenanceLine(
        id=item.question.id,
        number=entry.number,
        round=entry.round,
        versions=tuple(_versions(entry.versions)),
        verdicts=tuple(
            VerdictLine(
                version=verdict.version, decision=verdict.decision, marks=verdict.marks, person=verdict.person,
                made=_day(verdict.made), guidelines=verdict.guidelines,
            )
            for verdict in entry.verdicts
        ),
        merged=tuple(
            MergedLine(number=one.number, round=one.round, persons=_writers(one.versions))
            for one in item.absorbed
        ),
        looks=tuple(
            LookLine(
                number=one.number, version=look.version, model=look.model, condition=look.condition,
                text=look.text, correct=look.correct, made=_day(look.made),
            )
            for one in (entry, *item.absorbed)
            for look in one.looks
        ),
        original=None if entry.original is None else msgspec.Raw(entry.original.encode()),
    )  # fmt: skip


def _versions(versions: tuple[Past, ...]) -> Iterator[VersionLine]:
    before: Question | None = None
    for past in versions:
        yield VersionLine(
            version=past.version, why=past.why, person=past.person, made=_day(past.made),
            guidelines=past.guidelines, changed=() if before is None else _changed(before, past.question),
        )  # fmt: skip
        before = past.question


def _changed(one: Question, two: Question) -> tuple[str, ...]:
    names = (name for name in Question.__struct_fields__ if name != "id")
    return tuple(name for name in names if getattr(one, name) != getattr(two, name))


def _writers(versions: tuple[Past, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(past.person for past in versions if past.person))


def _guidelines(release: Release) -> Iterator[GuidelinesLine]:
    """All versions; a bad example that was removed is gone from those before too, and only counted."""
    newest = release.source.guidelines[-1].added.rejected if release.source.guidelines else ()
    for one in release.source.guidelines:
        had = one.added.rejected
        kept = tuple(bad for bad in had if bad in newest)
        yield GuidelinesLine(
            version=one.version, made=_day(one.made), notes=one.added.notes, rejected=kept,
            left_out=len(had) - len(kept),
        )  # fmt: skip


def _people(release: Release) -> Iterator[MemberLine]:
    wrote = Counter(name for item in release.items for name in _writers(item.entry.versions))
    judged = Counter(verdict.person for item in release.items for verdict in item.entry.verdicts)
    for one in release.source.people:
        yield MemberLine(
            person=one.person, role=one.role, stage=one.stage, consent=one.consent, wrote=wrote[one.person],
            judged=judged[one.person],
        )  # fmt: skip


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
