"""Entries that ask nearly the same, side by side, for admins: one stays with all answers, the others point to it, or
all are found to be different and no longer shown."""

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
from homeground.annotate.store import different, entries, writing
from homeground.annotate.store.different import Group
from homeground.annotate.store.entries import Shown

_PAGE, _MOST = 10, 12
"""Clusters of a page, entries of a cluster that are shown at once."""
_VERSION, _TAKE = "version_", "take_"
router = APIRouter()


class Cluster(NamedTuple):
    """Entries that ask nearly the same."""

    id: str
    entries: tuple[Shown, ...]
    more: tuple[Shown, ...]
    """Entries that can be merged only later."""
    golds: tuple[Joined, ...]
    keep: str
    """The one that stays unless the admin chooses another: accepted, older."""
    key: str
    client: str


class Found(NamedTuple):
    """Clusters of a study."""

    open: list[list[Shown]]
    aside: list[list[Shown]]
    """Those that somebody found to be different."""


def found_clusters(visit: Visit) -> Found:
    """Entries of the set that ask nearly the same."""
    study = study_of(visit).id
    groups = different.groups(visit.store, study)
    found = Found([], [])
    for those in clusters(entries.listed(visit.store, study, statuses=writing.MERGED_FROM)):
        (found.aside if different.looked_at(_group(those), groups) else found.open).append(those)
    return found


def _group(those: Sequence[Shown]) -> Group:
    return frozenset((one.id, one.version) for one in those)


def _golds(those: Sequence[Shown]) -> tuple[Joined, ...]:
    return tuple(joined(those, lambda question: question.answers))


def _cluster(those: Sequence[Shown]) -> Cluster:
    shown = tuple(those[:_MOST])
    keep = min(shown, key=lambda one: (one.status != "accepted", one.number))
    key = different.key_of(_group(those))
    return Cluster(shown[0].id, shown, tuple(those[_MOST:]), _golds(shown), keep.id, key, uuid.uuid4().hex)


def _page(visit: Visit, status: int = 200, **more: Any) -> Response:  # noqa: ANN401
    found = found_clusters(visit)
    asked, done = visit.form or visit.request.query_params, visit.request.query_params.get("done", "")
    aside = asked.get("aside") == "yes"
    those = found.aside if aside else found.open
    here, last = place(asked.get("page", "1"), len(those), _PAGE)
    shown = [_cluster(one) for one in those[(here - 1) * _PAGE : here * _PAGE]]
    codes = {code for one in shown for entry in one.entries for code in entry.question.contrast or ()}
    values: dict[str, Any] = {
        "clusters": shown, "all": len(those), "here": here, "last": last, "names": names_of(visit, codes),
        "fault": "", "at": "", "typed": {}, "done": done if done.isascii() and done.isdigit() else "",
        "noted": done == "different", "aside": aside, "different": len(found.aside), "take": _TAKE,
        "version": _VERSION,
    }  # fmt: skip
    return page(visit, "duplicates", status, **(values | more))


@router.get("/admin/duplicates")
def duplicates(visit: Here) -> Response:
    """Clusters of entries that ask nearly the same."""
    return _page(visit) if study_of(visit).kind == "questions" else go("/admin")


@router.post("/admin/duplicates")
def change(visit: Here) -> Response:
    """Merge a cluster or a part of it, or find it to be different, or no longer so. If any of it was changed
    meanwhile, nothing is done."""
    if study_of(visit).kind != "questions":
        raise HTTPException(400)
    return _look(visit) if visit.form.get("do") in ("different", "alike") else _merge(visit)


def _look(visit: Visit) -> Response:
    """Keep that a cluster was found to be different, or that it is to be looked at again."""
    group, aside = _group_of(visit), visit.form["do"] == "different"
    if group is None:
        return _page(visit, 409, fault="conflict")
    keep = different.set_aside if aside else different.take_back
    fault = keep(visit.store, visit.person.id, group, visit.now)
    if fault:
        return _page(visit, 409, fault=fault)
    return go("/admin/duplicates?done=different" if aside else "/admin/duplicates")


def _group_of(visit: Visit) -> Group | None:
    """The cluster that the form showed, if it is still the same."""
    those = (_group(one) for part in found_clusters(visit) for one in part)
    return next((one for one in those if different.key_of(one) == visit.form.get("key")), None)


def _merge(visit: Visit) -> Response:
    study = study_of(visit)
    client, seen = client_of(visit), _seen(visit)
    now = {
        one.id: one
        for one in entries.listed(visit.store, study.id, statuses=writing.MERGED_FROM)
        if one.id in seen
    }
    keep = visit.form.get("keep", "")
    taken = [one for one in seen if one == keep or visit.form.get(_TAKE + one) == "yes"]
    if keep not in seen:
        raise HTTPException(400)
    aside = any(seen.items() <= _group(one) for one in found_clusters(visit).aside)
    if aside or any(name not in now or now[name].version != version for name, version in seen.items()):
        if _done(visit, keep, taken):
            return _merged(visit, keep)
        return _page(visit, 409, fault="conflict")
    those = sorted(now.values(), key=lambda one: one.number)
    golds = _golds(those)
    ticked = [gold for number, gold in enumerate(golds) if visit.form.get(f"gold_{number}") == "yes"]
    fault = _fault([now[name] for name in taken], golds, ticked)
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


def _fault(taken: Sequence[Shown], golds: Sequence[Joined], ticked: Sequence[Joined]) -> str:
    """Why these cannot be merged so; a key of a text."""
    those = {one.id for one in taken}
    if len(those) < 2:
        return "alone"
    if any(gold.entries & those for gold in golds) and not any(gold.entries & those for gold in ticked):
        return "no_gold"
    if len({one.round == "trial" for one in taken}) > 1:
        return "trial"
    return ""
