"""A run through files: write the requests that have no answer, read what a batch service made of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import msgspec
import tomli_w

from homeground.engines.batch import BATCH
from homeground.engines.batch_intake import Intake, Kind
from homeground.engines.batch_requests import (
    BATCH_FORMATS,
    BatchFormat,
    BatchService,
    batch_services,
    cut,
    request_line,
)
from homeground.errors import InputError, unknown
from homeground.files import new_folder, read_bytes, sha256_file, write_whole
from homeground.runs.folder import SPEC, Run, open_run
from homeground.schema import Record, Request

INDEX = "batch.toml"
_PICTURES = 16
"""Pictures kept at hand: in the order of the plan, requests with the same one are neighbours."""


class Shard(Record, frozen=True, kw_only=True):
    """One file of requests, all for one model."""

    file: str
    model: str
    """As the service calls it."""
    requests: int
    bytes: int
    sha256: str


class BatchIndex(Record, frozen=True, kw_only=True):
    """``batch.toml``: what stands beside it."""

    format: BatchFormat
    run: str
    """Name of the run's folder."""
    run_sha256: str
    """Of its ``run.toml``."""
    requests: int
    shard: tuple[Shard, ...]


class BatchWritten(Record, frozen=True, kw_only=True):
    """What a call of ``write_batch`` did."""

    folder: str | None
    """``None`` where every request has its answer; nothing is written then."""
    format: BatchFormat
    requests: int
    answered: int
    """Requests that have an answer and are not in the files."""
    waiting: int
    """Cells whose request is made of an answer that is yet to come."""
    shards: tuple[Shard, ...]


class BatchRead(Record, frozen=True, kw_only=True):
    """What a call of ``read_batch`` found: ``lines = stored + already + all failed + all unused``."""

    run: str
    lines: int
    """Lines that are not blank."""
    stored: int
    """New answers."""
    already: int
    """Further lines of requests that have an answer or, failed, a line already."""
    failed: tuple[Kind, ...]
    """Requests that the service could not answer, and that have no answer from elsewhere."""
    unused: tuple[Kind, ...]
    """Lines that are no result of this run."""
    missing: int
    """Requests without an answer now."""
    waiting: int
    """Cells whose request is made of an answer that is yet to come."""


def write_batch(
    run: Run | Path | str,
    folder: Path | str,
    *,
    format: BatchFormat = "openai",
    model: str | None = None,
) -> BatchWritten:
    """Write every request that has no answer yet into a new folder: shards and their index.

    Requests come in the order of the plan. The same run in the same state gives the same bytes.

    Args:
        run: a run that was begun with ``batch:`` models, or its folder.
        folder: a new folder.
        format: ``openai``, which vLLM reads too, or ``gemini``.
        model: only this model of the run.

    Raises:
        InputError: no such run, model or format; the folder is there; another process holds the run; a request is
            larger than a file may be.
        EnvironmentProblem: the disk refuses; nothing is left behind.
    """
    run = run if isinstance(run, Run) else open_run(run)
    folder = Path(folder)
    if format not in BATCH_FORMATS:
        raise unknown("format", format, list(BATCH_FORMATS))
    models = _models(run, model)
    with run.locked():
        asked = _requests(run, models)
        with run.store(write=True) as store:
            known = store.known(asked)
        left = {key: request for key, request in asked.items() if key not in known}
        shards: tuple[Shard, ...] = ()
        if left:
            with new_folder(folder) as scratch:
                shards = tuple(_write(run, left, scratch, format))
                index = BatchIndex(
                    format=format,
                    run=run.folder.resolve().name,
                    run_sha256=sha256_file(run.folder / SPEC),
                    requests=len(left),
                    shard=shards,
                )
                write_whole(scratch / INDEX, tomli_w.dumps(msgspec.to_builtins(index)))
        return BatchWritten(
            folder=str(folder) if left else None,
            format=format,
            requests=len(left),
            answered=len(known),
            waiting=_waiting(run, models),
            shards=shards,
        )


def read_batch(run: Run | Path | str, files: Sequence[Path | str]) -> BatchRead:
    """Store the answers in result files of any format, in any order, as far as they go.

    An answer that is stored already stays as it is. Failed requests are not stored; ``write_batch`` writes them again.

    Raises:
        InputError: no such run or file; another process holds the run; a file holds nothing of this run (the answers
            in the other files are stored all the same).
        EnvironmentProblem: the disk refuses; every answer stored so far is kept.
    """
    run = run if isinstance(run, Run) else open_run(run)
    paths = [Path(file) for file in files]
    if not paths:
        raise InputError("no file given; name the result files")
    for path in paths:
        if not path.exists() or path.is_dir():
            raise InputError(f"{path}: no such file")
    models = _models(run, None)
    with run.locked(), run.store(write=True) as store:
        reading = Intake(_requests(run, models), store)
        for path in paths:
            reading.read(path)
        reading.keep()
        reading.check()
        # Answers can be what further requests are made of.
        run.forget_plan()
        asked = _requests(run, models)
        return BatchRead(
            run=str(run.folder),
            lines=reading.lines,
            stored=reading.stored,
            already=reading.already,
            failed=reading.failed(),
            unused=reading.unused(),
            missing=len(asked) - len(store.known(asked)),
            waiting=_waiting(run, models),
        )


def _models(run: Run, wanted: str | None) -> list[str]:
    """The run's models that are asked through files, or the wanted one of them.

    Raises:
        InputError: there is none.
    """
    ours = [name for name in run.spec.models if name.startswith(BATCH)]
    if not ours:
        raise InputError(
            f"{run.folder}: none of its models is asked through files ({', '.join(run.spec.models)}); "
            "begin a run with --model batch:NAME"
        )
    if wanted is None:
        return ours
    found = [name for name in ours if wanted in (name, name.removeprefix(BATCH))]
    if not found:
        raise unknown("model", wanted, ours)
    return found


def _requests(run: Run, models: Sequence[str]) -> dict[str, Request]:
    plan = run.plan
    return {key: request for key, request in plan.requests.items() if plan.model_of[key] in models}


def _waiting(run: Run, models: Sequence[str]) -> int:
    cells = zip(run.cells, run.plan.keys, strict=True)
    return sum(key is None and cell.model in models for cell, key in cells)


def _write(run: Run, left: dict[str, Request], folder: Path, format: BatchFormat) -> Iterator[Shard]:
    service = batch_services()[format]
    lines = cut(_lines(run, left, format, service), requests=service.requests, size=service.bytes)
    for (number, model), shard in groupby(lines, key=lambda item: item[0]):
        path = folder / f"requests-{number:03}.jsonl"
        count = size = 0
        digest = hashlib.sha256()
        with path.open("wb") as file:
            for _, line in shard:
                file.write(line)
                digest.update(line)
                count += 1
                size += len(line)
            file.flush()
            os.fsync(file.fileno())
        yield Shard(file=path.name, model=model, requests=count, bytes=size, sha256=digest.hexdigest())


def _lines(
    run: Run, left: dict[str, Request], format: BatchFormat, service: BatchService
) -> Iterator[tuple[str, bytes]]:
    places = {scene.image_sha256: scene.image for scene in run.source.scenes.values()}

    @lru_cache(_PICTURES)
    def picture(sha256: str) -> bytes:
        return read_bytes(run.source.folder / places[sha256])

    for key, request in left.items():
        line = request_line(format, key, request, picture)
        if len(line) > service.bytes:
            raise InputError(f"request {key}: {len(line)} bytes, more than a file may hold ({service.bytes})")
        yield request.engine["model"], line
