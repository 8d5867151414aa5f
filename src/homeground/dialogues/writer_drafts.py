"""The drafts file: what each answer came to, one line an answer, so that a stopped build asks nothing twice."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from homeground.dialogues.writer_prompts import Stage
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import field_error, jsonl, write_whole
from homeground.schema import DialogueKind, Record, Slot, Turn


class Draft(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What one answer came to. An answer that broke a rule leaves the reasons and nothing of its own."""

    scene: str
    kind: DialogueKind
    model: str
    prompts: str
    key: str
    """SHA-256 of the request, the try and the scaffold."""
    stage: Stage
    turns: tuple[Turn, ...] = ()
    slots: tuple[Slot, Slot] | None = None
    problems: tuple[str, ...] = ()


class Drafts:
    """An append-only JSON Lines file; what was added is on disk when ``add`` returns."""

    def __init__(self, path: Path) -> None:
        """Read what an earlier build left. Nothing is written before the first ``add``.

        Raises:
            InputError: the file is no drafts file.
        """
        self.path = path
        self._known: dict[str, Draft] = {}
        content = path.read_bytes() if path.exists() else b""
        lines = content.split(b"\n")
        for number, line in enumerate(lines[:-1], start=1):  # what follows the last newline was cut off
            try:
                draft = msgspec.json.decode(line, type=Draft)
            except msgspec.ValidationError as error:
                raise InputError(f"{path}:{number}: {field_error(error)}") from error
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError(f"{path}:{number}: not valid JSON: {error}") from error
            self._known[draft.key] = draft
        if lines[-1]:
            os.truncate(path, len(content) - len(lines[-1]))

    def __len__(self) -> int:
        """How many answers are known."""
        return len(self._known)

    def get(self, key: str) -> Draft | None:
        """What the answer to a request came to, if it was asked before."""
        return self._known.get(key)

    def add(self, draft: Draft) -> None:
        """Keep what an answer came to.

        Raises:
            EnvironmentProblem: the disk refuses.
        """
        line = msgspec.json.encode(draft) + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise EnvironmentProblem(f"{self.path}: cannot be written: {error.strerror or error}") from error
        self._known[draft.key] = draft

    def forget(self, model: str) -> None:
        """Drop what a model's answers came to, since they came to nothing; without other models', the file goes.

        Raises:
            EnvironmentProblem: the disk refuses.
        """
        self._known = {key: draft for key, draft in self._known.items() if draft.model != model}
        if self._known:
            write_whole(self.path, jsonl(self._known.values()))
        else:
            self.path.unlink(missing_ok=True)
