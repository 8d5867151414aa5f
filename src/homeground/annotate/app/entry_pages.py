"""Everything that was written, for admins: a list with filters, and each entry with its history and verdicts."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app import draft
from homeground.annotate.app.beside import guide, titles
from homeground.annotate.app.context import study_of
from homeground.annotate.app.draft import Difference, Piece
from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.helping import version_of
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import (
    LONGEST_COMMENT,
    Mark,
    discussion_of,
    find,
    is_open,
    names_of,
    when,
)
from homeground.annotate.store import entries, guidance, verdicts
from homeground.annotate.store.entries import ROUNDS, STATUSES, Past, Shown
from homeground.annotate.store.verdicts import DECISIONS, Decided
from homeground.questions.guidelines import Rejected

PAGE = 50
SHOWN = tuple(status for status in STATUSES if status != "draft")
"""A draft is its writer's own affair."""
LONGEST_WHY, MOST_EXAMPLES = 300, 20
"""Characters of a reason; bad examples that a guideline gets from the study."""
_VERSIONS, _LONGEST = 30, 6_000
"""Versions that a page shows; characters of a field up to which words are compared."""
router = APIRouter()


class Change(NamedTuple):
    """A version with what it changed."""

    version: int
    why: str
    person: str
    guidelines: int
    when: str
    fields: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """For each field that changed its pieces in order, each with ``ins``, ``del`` or nothing."""


class Heard(NamedTuple):
    """A verdict with who made it."""

    person: str
    version: int
    status: str
    comment: str
    marks: tuple[Mark, ...]
    """Guidelines that it does not simply keep, or that were commented on."""
    guidelines: int
    when: str


@router.get("/admin/entries")
def listed(visit: Here) -> Response:
    """What was written, by number; some statuses or rounds alone where the address says so."""
    study, asked = study_of(visit), visit.request.query_params
    if study.kind != "questions":
        return go("/admin")
    status, round_, number = asked.get("status", ""), asked.get("round", ""), asked.get("page", "1")
    status, round_ = status if status in SHOWN else "", round_ if round_ in ROUNDS else ""
    found = entries.listed(
        visit.store, study.id, statuses=(status,) if status else SHOWN, rounds=(round_,) if round_ else ROUNDS,
        private=False,
    )  # fmt: skip
    here, last = place(number, len(found), PAGE)
    return page(
        visit, "entries", entries=found[(here - 1) * PAGE : here * PAGE], all=len(found), here=here, last=last,
        picked=status, round=round_, statuses=SHOWN, rounds=ROUNDS, when=when,
    )  # fmt: skip


def place(number: str, length: int, size: int) -> tuple[int, int]:
    """The page that an address asks for, at most the last one, and the last one; from 1."""
    last = max(1, -(-length // size))
    asked = int(number) if number.isascii() and number.isdigit() and len(number) <= 9 else 1
    return min(max(1, asked), last), last


@router.get("/admin/entry/{entry}")
def shown(visit: Here, entry: str) -> Response:
    """An entry with all that happened to it."""
    return go("/admin") if study_of(visit).kind != "questions" else _page(visit, find(visit, entry).entry)


def _page(visit: Visit, entry: Shown, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    study = study_of(visit)
    past = entries.history(visit.store, study.id, entry.id, drafts=False)
    said = verdicts.decided(visit.store, study.id, entry.id).get(entry.id, [])
    newest = [one.decision for one in said if one.version == entry.version]
    others = {one.id: one for one in entries.listed(visit.store, study.id, statuses=("merged",))}
    if entry.merged_into:
        into = entries.shown(visit.store, study.id, entry.merged_into)
        others |= {into.id: into} if into else {}
    can_be_example = entry.round == "trial" and entry.status == "rejected"
    values: dict[str, Any] = {
        "entry": entry, "past": list(_changes(past[-_VERSIONS - 1 :]))[:_VERSIONS], "versions": len(past),
        "heard": [_heard(one, titles(visit)) for one in reversed(said)], "when": when,
        "tie": entry.status == "proposed" and verdicts.ties(newest, study.judgements),
        "names": names_of(visit, _codes(past)), "contrast": draft.CONTRAST,
        "discussion": discussion_of(visit, entry.id), "client": uuid.uuid4().hex, "open": is_open(visit),
        "longest": LONGEST_COMMENT, "looks": entries.looks(visit.store, study.id, entry.id),
        "public": {one.version for one in past},
        "into": others.get(entry.merged_into or ""),
        "absorbed": [one for one in others.values() if one.merged_into == entry.id],
        "guide": guide(visit) if can_be_example else None, "longest_why": LONGEST_WHY,
        "guidelines": guidance.newest(visit.store, study.id).version,
        "picked": _blamed(said), "why": "", "remarks": _remarks(said), "fault": "", "most": MOST_EXAMPLES,
        "made": "example" in visit.request.query_params,
    }  # fmt: skip
    return page(visit, "entry", status, **(values | more))


def _codes(past: Sequence[Past]) -> set[str]:
    return {code for one in past for code in one.question.contrast or ()}


# ---- history ------------------------------------------------------------------------------------


def _changes(past: Sequence[Past]) -> Iterator[Change]:
    """Versions with what each changed, the newest first."""
    for number in range(len(past) - 1, -1, -1):
        one = past[number]
        fields = _fields(past[number - 1], one) if number else ()
        yield Change(one.version, one.why, one.person, one.guidelines, when(one.made), fields)


def _fields(before: Past, after: Past) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    others = draft.codes(before.question.contrast or (), after.question)
    had, has = draft.texts_of(before.question, others), draft.texts_of(after.question, others)
    found = []
    for name, text in has.items():
        if max(len(text), len(had[name])) > _LONGEST:
            # Comparing words takes time with the square of their number.
            pieces = [("del", had[name]), ("ins", text)] if text != had[name] else []
        else:
            pieces = [
                piece for one in draft.differences({name: had[name]}, {name: text}) for piece in woven(one)
            ]
        if pieces:
            found.append((name, tuple((kind, text) for kind, text in pieces if text)))
    return tuple(found)


def woven(difference: Difference) -> Iterator[tuple[str, str]]:
    """Both texts as one, in order: what went as ``del``, what came as ``ins``, what stayed without a mark."""
    left, right = list(difference.one), list(difference.other)
    while left or right:
        for mark, pieces in (("del", left), ("ins", right)):
            if pieces and pieces[0].differs:
                yield mark, pieces.pop(0).text
        if left and right and not (left[0].differs or right[0].differs):
            same: Piece = left.pop(0)
            right.pop(0)
            yield "", same.text


# ---- verdicts -----------------------------------------------------------------------------------


def _heard(one: Decided, named: dict[Any, str]) -> Heard:
    marks = tuple(
        Mark(rule, title, mark, one.comments.get(rule, ""))
        for rule, title in named.items()
        if (mark := one.marks.get(rule, "keeps")) != "keeps" or one.comments.get(rule)
    )
    status, text = DECISIONS[one.decision], one.comments.get("", "")
    return Heard(one.person, one.version, status, text, marks, one.guidelines, when(one.made))


def _blamed(said: Sequence[Decided]) -> str:
    """The guideline that most verdicts say is broken."""
    broken = Counter(rule for one in said for rule, mark in one.marks.items() if mark == "breaks")
    return broken.most_common(1)[0][0] if broken else ""


def _remarks(said: Sequence[Decided]) -> tuple[str, ...]:
    """What adjudicators said of that guideline and of the whole: to be read, never to be published as it is."""
    words = (one.comments.get(name, "") for name in (_blamed(said), "") for one in said)
    return tuple(dict.fromkeys(text for text in words if text))


# ---- bad examples -------------------------------------------------------------------------------


@router.post("/admin/entry/{entry}/example")
def example(visit: Here, entry: str) -> Response:
    """Make a rejected entry of the trial round a bad example of a guideline: a new version of the guidelines."""
    study = study_of(visit)
    if study.kind != "questions":
        raise HTTPException(400)
    found, base = find(visit, entry).entry, version_of(visit)
    rules = [one.guideline.id for group in guide(visit).groups for one in group.guidelines]
    rule = next((one for one in rules if one == visit.form.get("guideline", "")), None)
    why = " ".join(visit.form.get("why", "").split())
    if rule is None or found.round != "trial" or found.status != "rejected":
        raise HTTPException(400)
    newest = guidance.newest(visit.store, study.id)
    had = [bad for bad in newest.added.rejected if bad.guideline == rule]
    fault = ("" if why else "empty") or ("long" if len(why) > LONGEST_WHY else "")
    if fault or len(had) >= MOST_EXAMPLES:
        return _page(visit, found, 400, picked=rule, why=why, fault=fault or "full")
    answer = "; ".join(draft.answers_text(found.question.answers).split("\n"))
    bad = Rejected(guideline=rule, question=found.question.question, answer=answer, why=why)
    if bad in had:
        return go(f"/admin/entry/{found.id}?example=1#example")
    added = msgspec.structs.replace(newest.added, rejected=(*newest.added.rejected, bad))
    if newest.version != base or not guidance.change(visit.store, study.id, added, base, visit.now):
        return _page(visit, found, 409, picked=rule, why=why, fault="conflict")
    return go(f"/admin/entry/{found.id}?example=1#example")


@router.get("/admin/entry/{entry}/example")
def back(visit: Here, entry: str) -> Response:
    """Where a change of language leads from a page that answered a form."""
    return go(f"/admin/entry/{find(visit, entry).entry.id}?lang={visit.language}")
