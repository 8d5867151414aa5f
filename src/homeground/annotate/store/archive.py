"""The file of a backup: a ZIP of JSON Lines, one member a table, and a manifest that says what must be in it.

Files are written whole, for their owner alone; what is read is held to the manifest and to limits, whatever it says.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import math
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from homeground.errors import EnvironmentProblem, InputError
from homeground.files import field_error
from homeground.schema import Record

FORMAT, VERSION = "homeground annotate backup", 1
MOST_BYTES = 2**31 - 1
"""Of the file and of each member: as much as a ZIP holds without its 64-bit records, which are then refused."""
_LONGEST_LINE = 2**24
_MOST_MANIFEST = 2**20
_MOST_DIRECTORY = 2**16
_MANIFEST = "manifest.json"
_END, _END_64 = b"PK\5\6", b"PK\6\7"
_END_BYTES, _END_64_BYTES = 22, 20
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError,
)  # fmt: skip
"""What Python's reader of ZIP files raises at damaged ones; ``RuntimeError`` has ``NotImplementedError`` in it."""


class Part(Record, frozen=True, kw_only=True):
    """One table: ``size`` and ``sha256`` are of its lines, each a JSON array in the order of ``columns``."""

    table: str
    columns: tuple[str, ...]
    rows: int
    size: int
    sha256: str

    @property
    def member(self) -> str:
        """Its name in the archive."""
        return f"{self.table}.jsonl"


class Manifest(Record, frozen=True, kw_only=True):
    """What a backup holds. No time is in it: the same state gives the same bytes."""

    format: str
    version: int
    revision: str
    tables: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """Of all tables."""
        return sum(part.rows for part in self.tables)


class Contents(NamedTuple):
    """A table before it is written."""

    table: str
    columns: tuple[str, ...]
    rows: Iterable[Sequence[Any]]


class _Head(msgspec.Struct):
    """What every version of the manifest says."""

    format: str
    version: int


def write(path: Path, revision: str, tables: Iterable[Contents]) -> Manifest:
    """Write a backup whole or not at all, readable by its owner alone.

    Raises:
        InputError: something that is no file is at ``path``.
        EnvironmentProblem: the disk refuses, or there is too much for the format; what stood there is still there.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a file; name a new one")
    with _beside(path) as file, zipfile.ZipFile(file, "w", allowZip64=False) as made:
        manifest = Manifest(
            format=FORMAT, version=VERSION, revision=revision,
            tables=tuple(_put(made, path, table) for table in tables),
        )  # fmt: skip
        made.writestr(_info(_MANIFEST), msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    return manifest


def _put(made: zipfile.ZipFile, path: Path, table: Contents) -> Part:
    encode, digest, rows, size = msgspec.json.Encoder().encode, hashlib.sha256(), 0, 0
    with made.open(_info(f"{table.table}.jsonl"), "w") as member:
        for row in table.rows:
            line = encode([_plain(value) for value in row]) + b"\n"
            size += len(line)
            if len(line) > _LONGEST_LINE or size > MOST_BYTES:
                raise EnvironmentProblem(f"{path}: table {table.table} is larger than a backup can hold")
            member.write(line)
            digest.update(line)
            rows += 1
    return Part(
        table=table.table, columns=table.columns, rows=rows, size=size, sha256=digest.hexdigest()
    )  # fmt: skip


def _plain(value: object) -> object:
    """JSON has no infinity: lines have its name."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100600 << 16
    return info


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A new file, of the owner's alone, that takes the place of ``path`` at the end."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror or error}") from error
    except zipfile.LargeZipFile as error:
        raise EnvironmentProblem(f"{path}: more than {MOST_BYTES:,} bytes, a backup's limit") from error


class Archive:
    """A backup that is open for reading."""

    def __init__(self, path: Path, file: zipfile.ZipFile) -> None:
        """Read the manifest, and hold the list of members to it.

        Raises:
            InputError: they do not fit, or are of another format or version.
        """
        self._path, self._zip = path, file
        infos = file.infolist()
        members = {info.filename: info for info in infos}
        if _MANIFEST not in members:
            raise InputError(f"{path}: no backup of homeground annotate: no {_MANIFEST} in it")
        for info in infos:
            if info.compress_type != zipfile.ZIP_DEFLATED or info.flag_bits & 1:
                raise InputError(f"{path}: member {info.filename!r} is not packed as in a backup")
        self.manifest = self._manifest(members[_MANIFEST])
        expected = {part.member: part.size for part in self.manifest.tables} | {
            _MANIFEST: members[_MANIFEST].file_size
        }
        found = {info.filename: info.file_size for info in infos}
        if found != expected or not len(infos) == len(found) == len(self.manifest.tables) + 1:
            raise InputError(f"{path}: its members or their sizes are not those that its {_MANIFEST} names")
        if max(found.values()) > MOST_BYTES:
            raise InputError(f"{path}: a member is larger than {MOST_BYTES:,} bytes, a backup's limit")

    def _manifest(self, info: zipfile.ZipInfo) -> Manifest:
        where = f"{self._path}: {_MANIFEST}"
        if info.file_size > _MOST_MANIFEST:
            raise InputError(f"{where}: larger than {_MOST_MANIFEST:,} bytes")
        data = self._zip.read(info)
        try:
            head = msgspec.json.decode(data, type=_Head)
            if head.format != FORMAT:
                raise InputError(f"{where}: field format: {head.format!r}; right is {FORMAT!r}")
            if head.version != VERSION:
                raise InputError(f"{where}: field version: {head.version}; this program reads {VERSION}")
            return msgspec.json.decode(data, type=Manifest)
        except msgspec.ValidationError as error:
            raise InputError(f"{where}: {field_error(error)}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{where}: not valid JSON: {error}") from error

    def rows(self, part: Part, shape: Any) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
        """The rows of a table. All that the manifest says of it holds only once the last has been taken.

        Args:
            part: the table, as the manifest has it.
            shape: the type of a row, as ``msgspec`` reads it.

        Raises:
            InputError: naming the line at fault, or what differs from the manifest.
        """
        decoder, digest, count = msgspec.json.Decoder(shape), hashlib.sha256(), 0
        where = f"{self._path}: {part.member}"
        # A member's reader gives no more than the size of the list, which is the manifest's.
        with _damage(self._path), self._zip.open(part.member) as member:
            lines = io.BufferedReader(member)  # type: ignore[type-var]  # has readinto, which is all that it needs
            while line := lines.readline(_LONGEST_LINE + 1):
                count += 1
                if count > part.rows or len(line) > _LONGEST_LINE:
                    raise InputError(f"{where}:{count}: more rows than its {_MANIFEST} says, or too long")
                digest.update(line)
                yield self._row(decoder, line, f"{where}:{count}")
        if (count, digest.hexdigest()) != (part.rows, part.sha256):
            raise InputError(f"{where}: its rows or their SHA-256 are not those that its {_MANIFEST} names")

    def _row(self, decoder: msgspec.json.Decoder[Any], line: bytes, where: str) -> tuple[Any, ...]:
        try:
            row: tuple[Any, ...] = decoder.decode(line)
        except msgspec.ValidationError as error:
            raise InputError(f"{where}: {field_error(error)}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{where}: not valid JSON: {error}") from error
        return row


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """A backup, its manifest checked.

    Raises:
        InputError: there is none, or it is damaged, or none of ours.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    with contextlib.ExitStack() as stack:
        with _damage(path):
            file = stack.enter_context(path.open("rb"))
            _bounded(path, file)
            archive = Archive(path, stack.enter_context(zipfile.ZipFile(file)))
        yield archive


def _bounded(path: Path, file: IO[bytes]) -> None:
    """Refuse what Python's reader would take for a list of any length, before it reads any."""
    size = file.seek(0, os.SEEK_END)
    if size > MOST_BYTES:
        raise InputError(f"{path}: {size:,} bytes; a backup has at most {MOST_BYTES:,}")
    file.seek(max(0, size - _END_BYTES - _END_64_BYTES))
    tail = file.read()
    end = tail[-_END_BYTES:]
    if len(end) < _END_BYTES or not end.startswith(_END):
        raise InputError(f"{path}: no backup of homeground annotate, or one that is cut off")
    (directory,) = struct.unpack("<L", end[12:16])
    if tail.startswith(_END_64) or directory > _MOST_DIRECTORY:
        raise InputError(f"{path}: no backup of homeground annotate: too many members")


@contextlib.contextmanager
def _damage(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise InputError(
            f"{path}: cannot be read, perhaps damaged: {error or type(error).__name__}"
        ) from error
