"""Import of the published conversations: a scaffold's slots are where its siblings differ from the neutral one."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.benchmarks.imported import (
    SCALES,
    Imported,
    ImportRefused,
    Photograph,
    read_picture,
    slug,
    systems_named,
    write_benchmark,
)
from homeground.benchmarks.published_records import PublishedFiles, Version, read_mapping
from homeground.benchmarks.recovery import Recovered, Siblings
from homeground.cultures import cultures_of
from homeground.dialogues import conversation
from homeground.dialogues.scaffolds import takes_part
from homeground.errors import InputError
from homeground.schema import Concept, Culture, Level, Scene

_PROTOCOL = "capri"
_UNKNOWN = "not stated; ask the publisher"


def import_published(
    source: Path | str, folder: Path | str, *, mapping: Path | str | None = None
) -> Imported:
    """Make a benchmark of the published conversations as they were downloaded.

    Args:
        source: a folder with JSON or JSON Lines files, and the pictures in PNG.
        folder: where the benchmark will stand; must not exist or be empty.
        mapping: TOML that says how the files call our fields and values, where not as in ``published.toml``.

    Raises:
        ImportRefused: fields or pictures are missing; every one is named.
        InputError: there is no conversation, a file is broken, or ``folder`` is in use.
    """
    files = PublishedFiles(Path(source), read_mapping(mapping))
    versions, left_out = files.versions(), files.left_out
    people = {culture.code: culture for culture in cultures_of(_PROTOCOL)}
    families: dict[str, Siblings] = {}
    scenes: dict[str, tuple[Concept, str]] = {}
    for version in versions:
        reason = _unfit(version, people)
        pictured = (version.concept, version.given["image"])
        if scenes.setdefault(version.scene, pictured) != pictured:
            reason = f"scene {version.scene} has another picture or concept elsewhere"
        reason = reason or families.setdefault(version.scaffold, Siblings(version)).add(version)
        if reason:
            left_out.append(f"{version.where}: {reason}")
    found = [(family, made) for family in families.values() if (made := family.recover(left_out))]
    left_out = list(dict.fromkeys(left_out))  # a record of each level has the same to say
    first_of: dict[str, Version] = {}
    for family, made in found:
        first_of.setdefault(made.scaffold.scene, family.first)
    pairs = [pair for _, made in found for pair in made.pairs]
    there = {pair.culture for pair in pairs}
    photographs = _photographs(Path(source), first_of)
    licences = ", ".join(sorted({p.scene.licence for p in photographs}))
    result = write_benchmark(
        Path(folder),
        name=f"{_PROTOCOL}-published",
        protocol=_PROTOCOL,
        seed=0,
        licence=f"{_UNKNOWN} (conversations); {licences} (pictures)",
        cultures=[culture for code, culture in people.items() if code in there],
        photographs=photographs,
        scaffolds=[made.scaffold for _, made in found],
        cues=pairs,
        left_out=left_out,
    )
    differences = [*_wordings(found), *_unlike(found, people)]
    return msgspec.structs.replace(result, problems=(*result.problems, *differences))


def _unfit(version: Version, people: Mapping[str, Culture]) -> str | None:
    """Why the protocol has no such conversation; a neutral one is nobody's."""
    code = version.culture
    if version.level == "neutral":
        return None
    if code not in people:
        return f"culture {code} is not in protocol {_PROTOCOL}"
    if not takes_part(people[code], version.concept):
        return f"protocol {_PROTOCOL} leaves {code} out of {version.concept}"
    return None


def _photographs(source: Path, first_of: Mapping[str, Version]) -> list[Photograph]:
    """The scenes, each with its picture.

    Raises:
        ImportRefused: pictures that are missing, or no PNG.
    """
    found, faults = [], []
    for name, version in first_of.items():
        given = version.given
        try:
            path = _picture(source, given["image"])
            sha256 = hashlib.sha256(read_picture(path)).hexdigest()
        except (InputError, ValueError, OSError, RuntimeError) as error:
            faults.append(f"{version.where}: image {given['image']!r}: {error}")
            continue
        favoured, first = systems_named(given["description"])
        description = given["description"] if given["description"] and not favoured else NO_DESCRIPTION
        scene = Scene(
            id=name,
            concept=version.concept,
            image=f"images/{slug(name)}.png",
            image_sha256=sha256,
            value=0,
            unit="none",
            plausible=(0, 0),
            thing=SCALES[version.concept].thing,
            description=description,
            first_system=first if description != NO_DESCRIPTION else None,
            origin="photograph",
            licence=given["licence"] or _UNKNOWN,
        )
        found.append(Photograph(scene, path, source=given["source"] or f"as published: {given['image']}"))
    if faults:
        raise ImportRefused(faults)
    return found


def _picture(source: Path, name: str) -> Path:
    """Where a record's picture lies: under its path or in ``images``; a PNG made of it beside it goes first."""
    for path in (source / name, source / "images" / name, source / "images" / Path(name).name):
        if not path.resolve().is_relative_to(source.resolve()):
            raise InputError(f"lies outside {source}")
        for choice in (path.with_suffix(".png"), path, path.with_name(f"{path.name}.png")):
            if choice.is_file():
                return choice
    raise InputError(f"no such file in {source}")


def _wordings(found: Iterable[tuple[Siblings, Recovered]]) -> list[str]:
    """Concepts whose conversations closed with several questions: here they all close with one."""
    closings: dict[Concept, set[str]] = {}
    for family, made in found:
        closings.setdefault(made.scaffold.concept, set()).update(family.closings)
    return [
        f"{concept}: the conversations close with {len(said)} different questions; here all close with the same"
        for concept, said in closings.items()
        if len(said) > 1
    ]


def _unlike(found: Iterable[tuple[Siblings, Recovered]], people: Mapping[str, Culture]) -> list[str]:
    """Levels at which the published text is not the one that is derived here, with how many conversations."""
    compared: Counter[Level] = Counter()
    unlike: dict[Level, list[str]] = {}
    for family, made in found:
        pairs = {pair.culture: pair for pair in made.pairs}
        for version in family.others:
            if version.culture not in pairs:
                continue
            pair = pairs[version.culture]
            derived = conversation(made.scaffold, people[version.culture], pair, version.level, "")[:-1]
            compared[version.level] += 1
            if derived not in (version.turns, version.turns[:-1]):
                unlike.setdefault(version.level, []).append(version.where)
    return [
        f"level {level}: {len(names)} of {compared[level]} conversations read otherwise when published, "
        f"the first {names[0]}"
        for level, names in unlike.items()
    ]
