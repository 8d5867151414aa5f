"""Records of a file that somebody else wrote: JSON Lines, a JSON list or CSV, in UTF-8, each fault with its line.

Lines are read one by one, so memory holds one record at a time; only a JSON list is held as a whole.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from homeground.errors import InputError
from homeground.files import field_error

T = TypeVar("T")
Kind: TypeAlias = Literal["csv", "lines", "list"]
Row: TypeAlias = dict[str, str]

LONGEST_LINE = 10_000_000
"""Bytes that a line may have."""
LARGEST_LIST = 500_000_000
"""Bytes that a file with one JSON list may have."""
_BYTE = re.compile(r"\(byte (\d+)\)")
_BOM = b"\xef\xbb\xbf"
_OTHER = {
    b"\xff\xfe": "UTF-16 or UTF-32 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"\x00\x00\xfe\xff": "UTF-32 text; save it as UTF-8",
    b"PK\x03\x04": "a ZIP archive or a spreadsheet; save it as CSV in UTF-8",
    b"\x1f\x8b": "compressed; unpack it first",
    b"PAR1": "Parquet; write it as JSON Lines first",
}


class Fault(NamedTuple):
    """What is wrong with one line."""

    why: str


class Unfit(ValueError):
    """A record that cannot be used; its text says which field and why."""


def read_records(
    path: Path, shape: type[T], *, needed: tuple[str, ...] = (), convert: Callable[[Row], object] = dict
) -> Iterator[tuple[int, T | Fault]]:
    """The records of a file, each with the line that it starts on (from 1); blank lines are passed over.

    Args:
        path: JSON Lines, a JSON list or CSV (``,``, ``;`` or tabs between cells), told apart by content and extension.
        shape: what each record becomes.
        needed: columns that a CSV file must have.
        convert: makes of a row of CSV (text by column) what ``shape`` takes; may raise ``Unfit``.

    Raises:
        InputError: the file as a whole cannot be read: missing, in another encoding, a column missing or twice.
    """
    try:
        with path.open("rb") as file:
            kind = _kind(path, file)
            if kind == "csv":
                for line, row in _rows(path, file, needed):
                    yield line, row if isinstance(row, Fault) else _made(row, convert, shape)
            elif kind == "list":
                yield from _items(path, file, shape)
            else:
                yield from _lines(file, shape)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _kind(path: Path, file: BufferedReader) -> Kind:
    """By content first: a file that starts as JSON is no CSV, whatever it is called."""
    head = file.peek(64)[:65536]
    for magic, what in _OTHER.items():
        if head.startswith(magic):
            raise InputError(f"{path}: not UTF-8 text: {what}")
    start = head.removeprefix(_BOM).lstrip()[:1]
    if start == b"[":
        return "list"
    return "lines" if start == b"{" or path.suffix.lower() in (".json", ".jsonl", ".ndjson") else "csv"


def _made(row: Row, convert: Callable[[Row], object], shape: type[T]) -> T | Fault:
    """A record, or why it is none."""
    try:
        return msgspec.convert(convert(row), shape)
    except msgspec.ValidationError as error:
        return Fault(field_error(error))
    except Unfit as error:
        return Fault(str(error))


def _decoded(data: bytes, decoder: msgspec.json.Decoder[T]) -> T | Fault:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        return Fault(field_error(error))
    except RecursionError:
        return Fault("not valid JSON: nested too deeply")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if data.strip() == b"{":
            return Fault("an object over several lines: write one object a line, or a list of them")
        return Fault(f"not valid JSON: {error}")


def _raw_lines(file: BufferedReader) -> Iterator[tuple[int, bytes | Fault]]:
    """Lines as bytes, without a byte order mark, each with its number; a line that is no UTF-8 text is a fault."""
    number, first = 0, True
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if first:
            raw, first = raw.removeprefix(_BOM), False
        if len(raw) > LONGEST_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(LONGEST_LINE)
            yield number, Fault(f"longer than {LONGEST_LINE:,} bytes")
            continue
        fault = _not_text(raw)
        yield number, raw if fault is None else fault


def _not_text(raw: bytes) -> Fault | None:
    if 0 in raw:
        return Fault(f"not UTF-8 text: byte {raw.index(0) + 1} of the line is zero")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return Fault(
            f"not UTF-8 text: byte {error.start + 1} of the line is 0x{raw[error.start]:02x}; save the file as UTF-8"
        )
    return None


def _lines(file: BufferedReader, shape: type[T]) -> Iterator[tuple[int, T | Fault]]:
    decoder = msgspec.json.Decoder(shape)
    for number, raw in _raw_lines(file):
        if isinstance(raw, Fault):
            yield number, raw
        elif raw.strip():
            record: T | Fault = _decoded(raw, decoder)
            yield number, record


def _items(path: Path, file: BufferedReader, shape: type[T]) -> Iterator[tuple[int, T | Fault]]:
    data = file.read(LARGEST_LIST + 1).removeprefix(_BOM)
    if len(data) > LARGEST_LIST:
        raise InputError(f"{path}: a list of more than {LARGEST_LIST:,} bytes; write it as JSON Lines")
    found: list[msgspec.Raw] | Fault = _decoded(data, msgspec.json.Decoder(list[msgspec.Raw]))
    if isinstance(found, Fault):
        where = _BYTE.search(found.why)
        yield data.count(b"\n", 0, int(where[1]) if where else len(data.rstrip())) + 1, found
        return
    decoder = msgspec.json.Decoder(shape)
    position, line = 0, 1
    for item in map(bytes, found):
        start = data.index(item, position)
        line += data.count(b"\n", position, start)
        record: T | Fault = _decoded(item, decoder)
        yield line, _not_text(item) or record
        position = start + len(item)
        line += item.count(b"\n")


def _rows(path: Path, file: BufferedReader, needed: tuple[str, ...]) -> Iterator[tuple[int, Row | Fault]]:
    """The rows of a CSV file below its header, by column; a row without any cell filled is passed over."""
    faults: list[tuple[int, Fault]] = []
    lines = _text_lines(file, faults)
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=_mark(first), strict=True)
    header: list[str] | None = None
    while True:
        start = reader.line_num + 1
        cells = _next(reader, start, faults)
        if faults and header is None:
            raise InputError(f"{path}:{faults[0][0]}: {faults[0][1].why}")
        if faults:
            yield from faults
            faults.clear()
        elif cells is None:
            break
        elif header is None:
            header = _header(path, cells, needed)
        elif any(cell.strip() for cell in cells):
            if len(cells) == len(header):
                yield start, {name: cell for name, cell in zip(header, cells, strict=True) if name}
            else:
                yield start, Fault(f"{len(cells)} cells for {len(header)} columns")
    if header is None:
        _header(path, [], needed)


def _text_lines(file: BufferedReader, faults: list[tuple[int, Fault]]) -> Iterator[str]:
    """Lines for the CSV reader, which must see each one; those that are no text stand empty, with their fault kept."""
    for number, raw in _raw_lines(file):
        if isinstance(raw, Fault):
            faults.append((number, raw))
        yield "\n" if isinstance(raw, Fault) else raw.decode()


def _next(reader: Iterator[list[str]], line: int, faults: list[tuple[int, Fault]]) -> list[str] | None:
    """The next row; ``None`` at the end, or where a fault is added."""
    try:
        return next(reader, None)
    except csv.Error as error:
        hint = " (a quotation mark that is never closed?)" if "limit" in str(error) else ""
        faults.append((line, Fault(f"not valid CSV: {error}{hint}")))
        return None


def _mark(header: str) -> str:
    """What separates the cells: of three marks the one that gives most columns."""

    def columns(mark: str) -> int:
        try:
            return len(next(csv.reader([header], delimiter=mark), []))
        except csv.Error:
            return 0

    return max(",;\t", key=columns)


def _header(path: Path, cells: list[str], needed: tuple[str, ...]) -> list[str]:
    """Names of the columns.

    Raises:
        InputError: one is missing, or stands twice.
    """
    header = [cell.strip() for cell in cells]
    for name in needed:
        if name not in header:
            there = ", ".join(name for name in header if name)
            raise InputError(f"{path}:1: column {name}: missing" + (f"; there are {there}" if there else ""))
    for name in header:
        if name and header.count(name) > 1:
            raise InputError(f"{path}:1: column {name}: stands {header.count(name)} times")
    return header
