"""The release of a study of questions, and its trial run on the embedded model. For admins alone, the default."""

from __future__ import annotations

import contextlib
import re
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, HTTPException
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from homeground.annotate.app.beside import titles
from homeground.annotate.app.context import study_of
from homeground.annotate.app.guard import Here, Visit
from homeground.annotate.app.pages import go, page
from homeground.annotate.release import Release, gather, write
from homeground.annotate.release.card import figures
from homeground.annotate.release.trial import NAME, Trial, folder_of
from homeground.annotate.release.write import packed
from homeground.annotate.store.entries import STATUSES
from homeground.engines.weights import find_weights
from homeground.errors import EnvironmentProblem, HomegroundError
from homeground.report.numbers import interval, percent
from homeground.schema import Question

_FEW = 100
"""Questions with fewer of which a score's interval is wider than 10 points to each side."""
_SHOWN, _SAID, _GOLDS = 100, 1_000, 12
"""Flagged questions, questions of a trial run, and right answers of one, that a page shows."""
_ROUNDS = ("main", "review", "trial")
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
_HEAD = 2_000
_ALONE = "sandbox allow-scripts; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
"""The report has a script: it runs as if it came from nowhere, without this site's cookies and forms."""
_PLAIN = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_LOCK = threading.Lock()


@contextlib.asynccontextmanager
async def _until_the_end(app: FastAPI) -> AsyncIterator[None]:
    """A trial run that this server began ends with it."""
    yield
    trial: Trial | None = getattr(app.state, "trial", None)
    if trial is not None:
        await run_in_threadpool(trial.stop)


router = APIRouter(lifespan=_until_the_end)


class Flagged(NamedTuple):
    """A question that the audit still flags."""

    entry: str
    number: int
    question: Question
    rules: tuple[str, ...]
    like: int | None
    """The number of the first one that asks nearly the same."""


def _trial(visit: Visit) -> Trial:
    state = visit.request.app.state
    with _LOCK:
        if not hasattr(state, "trial"):
            state.trial = Trial(folder_of(visit.store, study_of(visit).id))
        trial: Trial = state.trial
    return trial


def _of_questions(visit: Visit) -> bool:
    return study_of(visit).kind == "questions"


# ---- the release --------------------------------------------------------------------------------


def _page(visit: Visit, status: int = 200, fault: str = "") -> Response:
    release = gather(visit.store, study_of(visit).id)
    counts = release.counts
    named = titles(visit)
    values: dict[str, Any] = {
        "release": release, "fault": fault, "figures": figures(release), "percent": percent, "interval": interval,
        "rounds": _ROUNDS, "flagged": _flagged(release), "shown": _SHOWN, "titles": named,
        "statuses": [name for name in STATUSES if any(counts[round_, name] for round_ in _ROUNDS)],
        "warnings": _warnings(release), "state": _trial(visit).state(), "weights": _no_weights(),
    }  # fmt: skip
    return page(visit, "release", status, **values)


def _warnings(release: Release) -> list[tuple[str, dict[str, object]]]:
    """What an admin should know before a release, as keys of texts with what fills them."""
    n, counts = len(release.items), release.counts
    found: list[tuple[str, dict[str, object]]] = []

    def warn(key: str, number: int, **values: object) -> None:
        if number:
            found.append((f"release_warn_{key}", {"number": number, **values}))

    # Half the width of a 95 % interval around one half, which is where it is widest.
    points = round(98 / n**0.5) if n else 0
    warn("few", n if n < _FEW else 0, points=points)
    warn("open", sum(counts[round_, "proposed"] for round_ in ("main", "review")))
    warn("sent_back", sum(counts[round_, "sent_back"] for round_ in ("main", "review")))
    warn("changed", len(release.changed_since))
    warn("trial", counts["trial", "accepted"])
    warn("like", len(release.profile.twins), different=release.found_different)
    if release.screened_by:
        found.append(("release_warn_models", {"models": ", ".join(release.screened_by)}))
    if not release.licence:
        found.append(("release_warn_licence", {}))
    return found


def _flagged(release: Release) -> list[Flagged]:
    numbers = {item.question.id: item.entry.number for item in release.items}
    return [
        Flagged(
            item.entry.id,
            item.entry.number,
            item.question,
            tuple(dict.fromkeys(flag.guideline for flag in audited.flags)),
            numbers.get(audited.like) if audited.like else None,
        )
        for item, audited in zip(release.items, release.audited, strict=True)
        if audited.flags or audited.like
    ]


@router.get("/admin/release")
def release(visit: Here) -> Response:
    """What a release would hold now."""
    return _page(visit) if _of_questions(visit) else go("/admin")


@router.post("/admin/release")
def download(visit: Here) -> Response:
    """The release as a ZIP."""
    if not _of_questions(visit):
        raise HTTPException(400)
    try:
        found = gather(visit.store, study_of(visit).id)
        with tempfile.TemporaryDirectory(prefix="homeground-") as folder:
            target = Path(folder) / "release"
            write(found, target)
            data = packed(target, found.slug)
    except HomegroundError as error:
        return _page(visit, 409, str(error))
    name = quote(f"{found.slug}.zip")
    named = f"attachment; filename=\"release.zip\"; filename*=UTF-8''{name}"
    return Response(data, media_type="application/zip", headers={"content-disposition": named})


# ---- the trial run ------------------------------------------------------------------------------


def _no_weights() -> str:
    """The command that fetches the embedded model; empty where it is there."""
    try:
        find_weights(NAME)
    except EnvironmentProblem:
        return f"homeground models get {NAME}"
    return ""


def _run_page(visit: Visit, status: int = 200, fault: str = "") -> Response:
    trial = _trial(visit)
    results = trial.results()
    values: dict[str, Any] = {
        "state": trial.state(), "results": results, "report": trial.report() is not None, "fault": fault,
        "weights": _no_weights(), "percent": percent, "interval": interval, "shown": _SAID, "golds": _GOLDS,
        "spoken": study_of(visit).language, "folder": str(trial.folder),
    }  # fmt: skip
    return page(visit, "trial_run", status, **values)


@router.get("/admin/trial-run")
def trial_run(visit: Here) -> Response:
    """How the trial run stands, and what came of it."""
    return _run_page(visit) if _of_questions(visit) else go("/admin")


@router.post("/admin/trial-run")
def begin_or_stop(visit: Here) -> Response:
    """Begin a trial run of what a release would hold now, or stop the one that is going on."""
    if not _of_questions(visit):
        raise HTTPException(400)
    action = visit.form.get("action")
    if action == "stop":
        _trial(visit).stop()
    elif action == "start":
        try:
            _trial(visit).start(gather(visit.store, study_of(visit).id))
        except HomegroundError as error:
            return _run_page(visit, 409, str(error))
    else:
        raise HTTPException(400)
    return go("/admin/trial-run")


@router.get("/admin/trial-run/report")
def report(visit: Here) -> Response:
    """The report's page, in a sandbox of its own."""
    found = _trial(visit).report() if _of_questions(visit) else None
    if found is None:
        return go("/admin/trial-run")
    text = found.read_text(encoding="utf-8")
    policy = _POLICY.search(text[:_HEAD])
    return Response(
        text,
        media_type="text/html; charset=utf-8",
        headers={"content-security-policy": _ALONE + (policy[1] if policy else _PLAIN)},
    )
