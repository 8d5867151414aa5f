"""Entries that ask nearly the same, side by side, for admins: one stays with all answers, the others point to it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response

from homeground.annotate.app.context import study_of
from homeground.annotate.app.entry_pages import place
from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.merging import Joined, clusters, joined, merged
from homeground.annotate.app.pages import go, page
from homeground.annotate.app.questions import client_of, names_of
from homeground.annotate.store import entries, writing
from homeground.annotate.store.entries import Shown

_STATUSES = ("proposed", "sent_back", "accepted")
"""Not what is out of the set; a draft is its writer's own affair."""
_PAGE, _MOST = 10, 12
"""Clusters of a page, entries of a cluster that are shown at once."""
_VERSION, _TAKE = "version_", "take_"
router = APIRouter()


class Cluster(NamedTuple):
    """Entries that ask nearly the same."""

    id: str
    entries: tuple[Shown, ...]
    more: int
    """Entries that are not shown yet."""
    golds: tuple[Joined, ...]
    keep: str
    """The one that stays unless the admin chooses another: of the release rather than of the trial, accepted, older."""
    client: str


def found_clusters(visit: Visit) -> list[list[Shown]]:
    """Entries of the set that ask nearly the same."""
    return clusters(entries.listed(visit.store, study_of(visit).id, statuses=_STATUSES))


def _golds(those: Sequence[Shown]) -> tuple[Joined, ...]:
    return tuple(joined(those, lambda question: question.answers))


def _cluster(those: Sequence[Shown]) -> Cluster:
    shown = tuple(those[:_MOST])
    keep = min(shown, key=lambda one: (one.round == "trial", one.status != "accepted", one.number))
    return Cluster(shown[0].id, shown, len(those) - len(shown), _golds(shown), keep.id, uuid.uuid4().hex)


def _page(visit: Visit, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    found = found_clusters(visit)
    asked, done = visit.form or visit.request.query_params, visit.request.query_params.get("done", "")
    here, last = place(asked.get("page", "1"), len(found), _PAGE)
    shown = [_cluster(those) for those in found[(here - 1) * _PAGE : here * _PAGE]]
    codes = {code for one in shown for entry in one.entries for code in entry.question.contrast or ()}
    values: dict[str, Any] = {
        "clusters": shown, "all": len(found), "here": here, "last": last, "names": names_of(visit, codes),
        "fault": "", "at": "", "typed": {}, "done": done if done.isascii() and done.isdigit() else "",
        "take": _TAKE, "version": _VERSION,
    }  # fmt: skip
    return page(visit, "duplicates", status, **(values | more))


@router.get("/admin/duplicates")
def duplicates(visit: Here) -> Response:
    """Clusters of entries that ask nearly the same."""
    return _page(visit) if study_of(visit).kind == "questions" else go("/admin")


@router.post("/admin/duplicates")
def merge(visit: Here) -> Response:
    """Merge a cluster, or a part of it. If any of it was changed meanwhile, nothing is done."""
    study = study_of(visit)
    if study.kind != "questions":
        raise HTTPException(400)
    client, seen = client_of(visit), _seen(visit)
    now = {one.id: one for one in entries.listed(visit.store, study.id, statuses=_STATUSES) if one.id in seen}
    keep = visit.form.get("keep", "")
    taken = [one for one in seen if one == keep or visit.form.get(_TAKE + one) == "yes"]
    if keep not in seen:
        raise HTTPException(400)
    if any(name not in now or now[name].version != version for name, version in seen.items()):
        if _done(visit, keep, taken):
            return _merged(visit, keep)
        return _page(visit, 409, fault="conflict")
    those = sorted(now.values(), key=lambda one: one.number)
    golds = _golds(those)
    ticked = [gold for number, gold in enumerate(golds) if visit.form.get(f"gold_{number}") == "yes"]
    fault = _fault(now[keep], [now[name] for name in taken], golds, ticked)
    if fault:
        return _page(visit, 400, fault=fault, at=those[0].id, typed=visit.form)
    others = [one for one in those if one.id in taken and one.id != keep]
    outcome = writing.merge(
        visit.store, visit.person.id, client, (keep, seen[keep]), [(one.id, seen[one.id]) for one in others],
        merged(now[keep], others, ticked), visit.now,
    )  # fmt: skip
    if isinstance(outcome, str):
        return _page(visit, 409, fault="closed" if outcome == "closed" else "conflict")
    return _merged(visit, keep)


def _done(visit: Visit, keep: str, taken: Sequence[str]) -> bool:
    """Whether that very merge is done already, as with a form that is sent twice."""
    others = [entries.shown(visit.store, study_of(visit).id, one) for one in taken if one != keep]
    return bool(others) and all(one is not None and one.merged_into == keep for one in others)


def _merged(visit: Visit, keep: str) -> Response:
    kept = entries.shown(visit.store, study_of(visit).id, keep)
    return go(f"/admin/duplicates?done={kept.number if kept else ''}")


def _seen(visit: Visit) -> dict[str, int]:
    """The entries that the form showed, with their versions.

    Raises:
        HTTPException: 400.
    """
    found = {
        name.removeprefix(_VERSION): version
        for name, version in visit.form.items()
        if name.startswith(_VERSION)
    }
    if not 1 < len(found) <= _MOST or not all(
        v.isascii() and v.isdigit() and len(v) < 10 for v in found.values()
    ):
        raise HTTPException(400)
    return {name: int(version) for name, version in found.items()}


def _fault(keep: Shown, taken: Sequence[Shown], golds: Sequence[Joined], ticked: Sequence[Joined]) -> str:
    """Why these cannot be merged so; a key of a text."""
    those = {one.id for one in taken}
    if len(those) < 2:
        return "alone"
    if any(gold.entries & those for gold in golds) and not any(gold.entries & those for gold in ticked):
        return "no_gold"
    # An entry of the trial round never reaches the release, and would take the others out of it.
    if keep.round == "trial" and any(one.round != "trial" for one in taken):
        return "trial"
    return ""
