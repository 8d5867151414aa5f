"""The disk: whole files or nothing, and errors that name file, line and field."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from homeground.errors import EnvironmentProblem, InputError

T = TypeVar("T")


def png_uri(png: bytes) -> str:
    """A PNG as an address that holds it, for a page or a server."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file so that a reader, a crash or a full disk never meets half of it.

    Raises:
        EnvironmentProblem: the disk refuses; whatever stood at ``path`` is still there.
    """
    data = content.encode() if isinstance(content, str) else content
    path = path.resolve()
    with _refusals(path):
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device is written into, not replaced
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_beside(path, data)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """What the disk refuses, said of the file or folder that the user knows."""
    try:
        yield
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror or error}") from error


def _write_beside(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder that appears under ``path`` complete, or not at all.

    Raises:
        InputError: something is there already.
        EnvironmentProblem: the disk refuses; nothing is left behind.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path}: already exists and is not empty; name a new folder")
    path = path.resolve()
    with _refusals(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        try:
            yield scratch
            scratch.chmod(0o777 & ~_umask())
            if path.exists() and path.samefile(Path.cwd()):
                # A folder that somebody stands in cannot be replaced; what makes it valid goes in last.
                for child in sorted(scratch.iterdir(), key=lambda p: p.suffix == ".toml"):
                    child.replace(path / child.name)
                return
            if path.exists():
                path.rmdir()
            scratch.replace(path)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def sha256_file(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_json(value: object) -> str:
    """Hexadecimal SHA-256 of a value's canonical JSON (keys sorted)."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


def read_bytes(path: Path) -> bytes:
    """A file's bytes.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def read_text(path: Path, most: int) -> str:
    """A small text file.

    Raises:
        InputError: there is no such file, it has more than ``most`` bytes, or it is no UTF-8.
    """
    data = read_bytes(path)
    if len(data) > most:
        raise InputError(f"{path}: {len(data):,} bytes; at most {most:,} can be used")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error}") from error


def read_toml(path: Path, shape: type[T]) -> T:
    """A TOML file as one record.

    Raises:
        InputError: naming the file and the line or field at fault.
    """
    try:
        raw: Any = tomllib.loads(read_bytes(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {field_error(error)}") from error


def read_json(path: Path, shape: type[T]) -> T:
    """A JSON file as one record.

    Raises:
        InputError: naming the file and the field at fault.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=shape)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {field_error(error)}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not valid JSON: {error}") from error


def read_jsonl(path: Path, shape: type[T]) -> Iterator[tuple[int, T]]:
    """The records of a JSON Lines file, each with its line number (from 1); blank lines are skipped.

    Raises:
        InputError: naming file, line and field.
    """
    decoder = msgspec.json.Decoder(shape)
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except msgspec.ValidationError as error:
            raise InputError(f"{path}:{number}: {field_error(error)}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}:{number}: not valid JSON: {error}") from error


def jsonl(records: Iterable[object]) -> bytes:
    """Records as JSON Lines, keys in the order of the schema."""
    encoder = msgspec.json.Encoder()
    return b"".join(encoder.encode(record) + b"\n" for record in records)


def line_of(path: Path, text: str) -> int:
    """Number of the first line of a file that holds a text (from 1); the last line where none does.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    lines = read_bytes(path).decode("utf-8-sig", errors="replace").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if text in line), max(1, len(lines)))


def field_error(error: msgspec.ValidationError) -> str:
    """A validation error in the words of this project: the field first, then what is wrong."""
    message, _, where = str(error).partition(" - at ")
    message = message.replace("`", "")
    field = where.strip("`").removeprefix("$").removeprefix(".")
    return f"field {field}: {message}" if field else message
