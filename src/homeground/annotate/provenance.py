"""What residents said of cues, written back beside the cues' sources in culture files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.annotate.export import Line
from homeground.annotate.store.leases import VERDICTS
from homeground.cultures.library import CultureFile
from homeground.errors import InputError
from homeground.files import read_bytes, read_jsonl, read_toml, write_whole


class Verdict(NamedTuple):
    """All that was said of one cue."""

    culture: str
    kind: str
    cue: str
    confirm: int
    reject: int
    unsure: int
    study: str
    last: str
    """The day of the last judgement."""
    simulated: bool
    """A program made it up, or part of it."""

    @property
    def text(self) -> str:
        """As the culture file keeps it."""
        who = "simulated people" if self.simulated else "residents"
        return (
            f"{self.confirm} confirmed, {self.reject} rejected, {self.unsure} not sure "
            f"({who}; {self.study}, {self.last})"
        )


class Written(NamedTuple):
    """Where a verdict went: the file, or none where no cue of that kind and value stands there."""

    verdict: Verdict
    file: Path | None


def verdicts(export: Path) -> list[Verdict]:
    """The judgements of an export, counted by cue.

    Raises:
        InputError: the folder holds no ``judgements.jsonl``, or a broken one.
    """
    said: dict[tuple[str, str, str], list[Line]] = {}
    for number, line in read_jsonl(export / "judgements.jsonl", Line):
        if line.verdict not in VERDICTS:
            raise InputError(f"{export / 'judgements.jsonl'}:{number}: field verdict: {line.verdict!r}")
        said.setdefault((line.culture, line.kind, line.cue), []).append(line)
    found = []
    for key, lines in sorted(said.items()):
        count = Counter(line.verdict for line in lines)
        studies = ", ".join(sorted({line.study for line in lines}))
        culture, kind, cue = key
        found.append(
            Verdict(
                culture=culture, kind=kind, cue=cue, confirm=count["confirm"], reject=count["reject"],
                unsure=count["unsure"], study=studies, last=max(line.made for line in lines),
                simulated=any(line.simulated for line in lines),
            )
        )  # fmt: skip
    return found


def write_back(given: Iterable[Verdict], folder: Path) -> list[Written]:
    """Set the field ``checked`` of each cue in the culture files of a folder (``PT.toml``…), all else as it was.

    Cues stand one a line there, as in the files that come with this package; a file is written only if it still
    reads as the same culture with nothing but ``checked`` changed.

    Raises:
        InputError: a file cannot be read or changed, or a program made up what was said.
    """
    given = list(given)
    made_up = next((verdict.study for verdict in given if verdict.simulated), None)
    if made_up is not None:
        raise InputError(
            f"study {made_up!r} is simulated: culture files take what residents said and nothing else"
        )
    written: list[Written] = []
    by_culture: dict[str, list[Verdict]] = {}
    for verdict in given:
        by_culture.setdefault(verdict.culture, []).append(verdict)
    for culture, those in by_culture.items():
        path = folder / f"{Path(culture).name}.toml"
        if not path.exists():
            raise InputError(f"{path}: no such culture file; give the folder that holds the files to change")
        text = read_bytes(path).decode("utf-8-sig")
        before = read_toml(path, CultureFile)
        known = {(kind, cue.value) for kind, cues in before.cues.items() for cue in cues}
        for verdict in those:
            if (verdict.kind, verdict.cue) in known:
                text = _set(text, verdict, path)
                written.append(Written(verdict, path))
            else:
                written.append(Written(verdict, None))
        _same(text, before, path)
        write_whole(path, text)
    return written


def _set(text: str, verdict: Verdict, path: Path) -> str:
    """The file's text with one cue's field set."""
    table = re.search(rf"(?ms)^{re.escape(verdict.kind)} *= *\[\n(.*?)^\]", text)
    value = _string(verdict.cue)
    line = table and re.search(rf"(?m)^ *\{{ *value *= *{re.escape(value)} *,.*?\}} *,? *(?=#|$)", table[1])
    if not table or not line:
        raise InputError(
            f"{path}: cannot find the line of cues.{verdict.kind} {verdict.cue!r}; one cue a line"
        )
    kept = re.sub(r', *checked *= *"[^"]*"', "", line[0])
    end = kept.rindex("}")
    new = f"{kept[:end].rstrip()}, checked = {_string(verdict.text)} {kept[end:]}"
    start = table.start(1) + line.start()
    return text[:start] + new + text[start + len(line[0]) :]


def _string(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's."""
    return msgspec.json.encode(text).decode()


def _same(text: str, before: CultureFile, path: Path) -> None:
    after = msgspec.toml.decode(text, type=CultureFile)

    def bare(file: CultureFile) -> CultureFile:
        cues = {
            kind: tuple(msgspec.structs.replace(cue, checked="") for cue in cues)
            for kind, cues in file.cues.items()
        }
        return msgspec.structs.replace(file, cues=cues)

    if bare(after) != bare(before):
        raise InputError(f"{path}: cannot be changed safely; give each cue a line of its own")
