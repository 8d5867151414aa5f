"""Many answers from a file of JSON Lines, read and written out a line each, on every core where there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from homeground.errors import EnvironmentProblem, InputError, unknown
from homeground.files import field_error
from homeground.judging.reader import ABOUTS, About, read_answer
from homeground.schema import OBJECTIVE, SUBJECTIVE, Reading

_CHUNK = 5_000
"""Lines that go to a process at a time."""
_Lines = list[tuple[int, bytes]]


class Line(msgspec.Struct, frozen=True):
    """One line of input; keys that we do not know are passed over."""

    concept: str
    answer: str
    gold: str | tuple[str, ...] = ()
    language: str | None = None


def judge_lines(path: Path) -> Iterator[bytes]:
    """One JSON object for each line of a file, in its order, without a newline.

    Raises:
        InputError: naming the first line that cannot be read, after the readings of all before it.
        EnvironmentProblem: the file cannot be read.
    """
    chunks = _chunks(path)
    first = next(chunks, None)
    if first is None:
        return
    second = next(chunks, None)
    if second is None:
        yield from _judged(str(path), first)
        return
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = [pool.submit(_tried, str(path), first), pool.submit(_tried, str(path), second)]
        while waiting:
            lines, problem = waiting.pop(0).result()
            yield from lines
            if problem is not None:
                pool.shutdown(cancel_futures=True)
                raise InputError(problem)
            # Few chunks are under way at a time, so that memory does not grow with the file.
            while len(waiting) < 2 * (os.cpu_count() or 1) and (chunk := next(chunks, None)) is not None:
                waiting.append(pool.submit(_tried, str(path), chunk))


def _chunks(path: Path) -> Iterator[_Lines]:
    try:
        with path.open("rb") as file:
            numbered = ((number, line) for number, line in enumerate(file, start=1) if line.strip())
            while chunk := list(islice(numbered, _CHUNK)):
                yield chunk
    except OSError as error:
        raise EnvironmentProblem(f"{path}: {error.strerror or error}") from error


def _tried(path: str, chunk: _Lines) -> tuple[list[bytes], str | None]:
    done: list[bytes] = []
    try:
        for line in _judged(path, chunk):
            done.append(line)
    except InputError as error:
        return done, str(error)
    return done, None


def _judged(path: str, chunk: _Lines) -> Iterator[bytes]:
    decoder, encoder = msgspec.json.Decoder(Line), msgspec.json.Encoder()
    for number, raw in chunk:
        try:
            line = decoder.decode(raw)
        except msgspec.ValidationError as error:
            raise InputError(f"{path}:{number}: {field_error(error)}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}:{number}: not valid JSON: {error}") from error
        try:
            about = about_of(line.concept)
            golds = (line.gold,) if isinstance(line.gold, str) else line.gold
            reading = read_answer(about, line.answer, golds=golds, language=line.language)
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from error
        yield encoder.encode(as_json(about, reading))


def about_of(name: str) -> About:
    """A name as a user writes it.

    Raises:
        InputError: no such concept, and neither ``country`` nor ``phrase``.
    """
    for about in ABOUTS:
        if about == name:
            return about
    raise unknown("concept", name, ABOUTS)


def as_json(about: About, reading: Reading) -> dict[str, Any]:
    """A reading as the keys that apply to what was read for.

    ``status`` always, and ``span`` where something was found; ``value``, ``unit`` and ``system`` of a measure;
    ``value``, ``unit``, ``currency`` (a sorted list where it is ambiguous) and ``candidates`` of a price; ``option``;
    ``countries``; ``match`` of a phrase. ``first`` is the system, currency or country that stands first of several.
    """
    several = reading.status == "both"
    row: dict[str, Any] = {"status": reading.status}
    if about == "country":
        row["countries"] = list(reading.found)
    elif about == "phrase":
        row["match"] = bool(reading.found)
        row["gold"] = reading.found[0] if reading.found else None
    elif about in SUBJECTIVE:
        row["option"] = reading.found[0] if reading.status == "ok" else None
        if several:
            row["options"] = list(reading.found)
    elif about in OBJECTIVE:
        row |= {"value": reading.value, "unit": reading.unit}
        name = "currency" if about == "price" else "system"
        if reading.status == "ambiguous":
            row[name] = sorted(reading.found)
        else:
            row[name] = reading.found[0] if reading.status == "ok" else None
        if several:
            row["currencies" if about == "price" else "systems"] = list(reading.found)
        if about == "price" and reading.candidates:
            row["candidates"] = list(reading.candidates)
    if several:
        row["first"] = reading.found[0]
    if reading.span is not None:
        row["span"] = list(reading.span)
    return row
