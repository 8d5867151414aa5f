"""What pages ask of a visit: the study, its material, names of cultures in the visitor's language."""

from __future__ import annotations

from functools import cache

from babel import Locale
from fastapi.responses import Response

from homeground.annotate.app.guard import Attempts, Visit
from homeground.annotate.app.pages import ending, go
from homeground.annotate.app.words import DEFAULT, languages
from homeground.annotate.store import studies
from homeground.annotate.study import Material, StudyFile
from homeground.cultures.library import codes, load_file


def study_of(visit: Visit) -> StudyFile:
    """The study's file."""
    study: StudyFile = visit.request.app.state.study
    return study


def material_of(visit: Visit) -> Material:
    """What the study is made of."""
    material: Material = visit.request.app.state.material
    return material


def attempts_of(visit: Visit) -> Attempts:
    """Who was wrong how often."""
    attempts: Attempts = visit.request.app.state.attempts
    return attempts


@cache
def culture_name(code: str | None, language: str) -> str:
    """A culture's name: a territory's in the language by CLDR, any other as its file says."""
    if not code:
        return ""
    file = load_file(code) if code in codes() else None
    if file is not None and (file.kind != "territory" or language == DEFAULT):
        return file.name
    locale = Locale.parse(languages()[language].locale or language)
    name: str = locale.territories.get(code, file.name if file else code)
    return name


def culture_of(visit: Visit) -> str:
    """The name of the person's culture."""
    return culture_name(visit.person.culture, visit.language)


PARTICIPANTS = ("annotator", "author", "adjudicator")
"""Roles of people who take part: they agree to something, have a private link and can withdraw."""


def say(visit: Visit, key: str, **values: object) -> str:
    """A text in the visitor's language."""
    return languages()[visit.language].say(key, **values)


def of_kind(visit: Visit, key: str) -> str:
    """The key of a text that each kind of study has its own of."""
    return f"{key}_{study_of(visit).kind.replace('-', '_')}"


def stands(visit: Visit) -> str:
    """How the study stands: ``open``, ``paused`` or ``closed``."""
    return studies.state(visit.store, study_of(visit).id).status


def elsewhere(visit: Visit, stage: str) -> Response | None:
    """Where to send somebody who is not at a page's stage; in a closed study nobody begins to take part."""
    if visit.person.stage != stage:
        return go("/")
    return ended(visit) if stage not in ("items", "done") and stands(visit) == "closed" else None


def ended(visit: Visit) -> Response:
    """The study has ended."""
    return ending(visit, say(visit, "ended_title"), say(visit, "ended_text"))
