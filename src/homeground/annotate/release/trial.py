"""A trial run of what a release would hold, on the embedded model, in a process of its own.

Its folder holds ``state.json``, so that a server that starts again knows how it stands; the newest ``set`` and ``run``;
and ``answers.sqlite``, so that no prompt is asked twice, however often the set changes or a run is stopped. The process
lives no longer than the server: it reads its standard input, which ends with the server.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from homeground.annotate.release.gather import Release
from homeground.annotate.release.write import SET, build_set, check
from homeground.annotate.store import Store
from homeground.engines.weights import cache_folder, find_weights
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import read_json, sha256_json, write_whole
from homeground.report.write import PAGE
from homeground.schema import Estimate, Record

NAME = "smollm2-135m"
MODEL = f"embedded:{NAME}"
CONDITIONS = ("plain", "oracle")
STATE, RESULTS, RUN, LOG, ANSWERS = "state.json", "results.json", "run", "log.txt", "answers.sqlite"
_LOCK = ".lock"
_BEGINNING = 30.0
"""Seconds that a process may take to begin."""
_PATIENCE = 5.0
"""Seconds that a process may take to end before it is ended."""


class State(Record, frozen=True, kw_only=True):
    """``state.json``: how the trial run stands."""

    status: Literal["running", "done", "failed", "stopped"]
    model: str
    questions: int
    began: float
    """Seconds since 1970."""
    done: int = 0
    total: int = 0
    """Prompts answered, and prompts."""
    fault: str = ""
    """Why it failed, in one line."""


class Score(Record, frozen=True, kw_only=True):
    """A share of questions right, as it is."""

    answers: str
    """``plain`` or ``oracle``; or what knows nothing: ``other culture``, ``shotgun`` or ``every culture``."""
    careful: Estimate
    published: Estimate


class Said(Record, frozen=True, kw_only=True):
    """What the model said to one question."""

    condition: str
    text: str
    correct: bool
    """By the careful rulebook."""


class Answered(Record, frozen=True, kw_only=True):
    """A question with what the model said to it."""

    id: str
    question: str
    golds: tuple[str, ...]
    said: tuple[Said, ...]


class Results(Record, frozen=True, kw_only=True):
    """``results.json``: what came of a trial run."""

    signature: str
    scores: tuple[Score, ...]
    told: str
    """What being told adds, in a sentence (English)."""
    items: tuple[Answered, ...]


class Busy(InputError):
    """A trial run is going on."""


def folder_of(store: Store, study: str) -> Path:
    """Where the trial runs of a study stand: beside an SQLite file; for another database in the user's cache."""
    url = store.engine.url
    name = sha256_json([url.render_as_string(hide_password=True), study])[:16]
    file = url.database if url.get_backend_name() == "sqlite" else None
    if not file or ":" in file:
        return cache_folder() / "trial-runs" / name
    path = Path(file)
    return path.with_name(f"{path.name}.trial-run") / sha256_json(study)[:16]


class Trial:
    """The trial run of a study: at most one at a time."""

    def __init__(self, folder: Path) -> None:
        """Look after a folder, which need not be there."""
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()

    def state(self) -> State | None:
        """How it stands; none where there never was one, or where nobody can tell."""
        try:
            state = read_json(self.folder / STATE, State)
            return self._ended(state) if state.status == "running" else state
        except InputError:
            return None

    def results(self) -> Results | None:
        """What came of the run that is done."""
        state = self.state()
        if state is None or state.status != "done":
            return None
        try:
            return read_json(self.folder / RESULTS, Results)
        except InputError:
            return None

    def report(self) -> Path | None:
        """The report's page of the run that is done."""
        state, path = self.state(), self.folder / RUN / PAGE
        return path if state is not None and state.status == "done" and path.is_file() else None

    def start(self, release: Release) -> bool:
        """Build the set and begin; what was answered before is not asked again.

        Returns:
            Whether it was begun: not while another runs.

        Raises:
            InputError: the release cannot be built.
            EnvironmentProblem: the weights are not there, or the disk refuses.
        """
        check(release)
        find_weights(NAME)
        with self._starting:
            before = self.state()
            if before is not None and before.status == "running":
                return False
            for folder in (self.folder.parent, self.folder):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                with locked(self.folder):
                    self._prepare(release)
            except Busy:
                return False
            with (self.folder / LOG).open("wb") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "homeground.annotate.release.worker", str(self.folder)],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    # Ctrl-C is for the server, which then stops this in order.
                    start_new_session=True,
                )
            return True

    def stop(self) -> None:
        """End what this server began."""
        with self._starting:
            process = self._process
            if process is None:
                return
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._running()
            self._process = None
            with contextlib.suppress(InputError):
                state = read_json(self.folder / STATE, State)
                if state.status == "running":
                    write_record(self.folder / STATE, msgspec.structs.replace(state, status="stopped"))

    def _running(self) -> bool:
        """Whether a process of this server's is at work."""
        process = self._process
        if process is None or process.poll() is None:
            return process is not None
        if process.stdin is not None:
            process.stdin.close()
        return False

    def _ended(self, state: State) -> State:
        """How a run stands that is said to go on: so it does, unless no process holds the folder."""
        if self._running():
            return state
        if self._process is None and state.total == 0 and time.time() - state.began < _BEGINNING:
            return state  # begun by another server, or by one that has gone: its process may not hold the folder yet
        with contextlib.suppress(Busy), locked(self.folder):
            # It may have ended since the file was read.
            state = read_json(self.folder / STATE, State)
            if state.status == "running":
                code = self._process.returncode if self._process is not None else 0
                fault = f"exit code {code}; {self.folder / LOG} may say more" if code else ""
                return msgspec.structs.replace(state, status="failed" if code else "stopped", fault=fault)
        return state

    def _prepare(self, release: Release) -> None:
        """Leave the set, how it stands and the answers so far in the folder, and nothing of earlier runs."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".new-") as scratch:
            made = Path(scratch)
            build_set(release, made)
            for old in self.folder.iterdir():
                if old.is_dir() and old != made:
                    shutil.rmtree(old, ignore_errors=True)
                elif not old.is_dir() and not old.name.startswith((ANSWERS, _LOCK)):
                    old.unlink(missing_ok=True)
            (made / SET).rename(self.folder / SET)
        state = State(status="running", model=MODEL, questions=len(release.items), began=time.time())
        write_record(self.folder / STATE, state)


@contextlib.contextmanager
def locked(folder: Path, seconds: float = 0) -> Iterator[None]:
    """Hold a trial run's folder; a crash lets go of it.

    Args:
        folder: it must be there.
        seconds: to wait for another who holds it.

    Raises:
        Busy: another process holds it.
        EnvironmentProblem: the disk refuses.
    """
    try:
        lock = sqlite3.connect(folder / _LOCK, isolation_level=None, timeout=seconds)
    except sqlite3.OperationalError as error:
        raise EnvironmentProblem(f"{folder}: cannot be written: {error}") from error
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" in str(error):
            raise Busy(f"{folder}: a trial run is going on") from error
        raise EnvironmentProblem(f"{folder}: cannot be written: {error}") from error
    try:
        yield
    finally:
        lock.close()


def write_record(path: Path, record: Record) -> None:
    """A record as a JSON file."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(record)))
