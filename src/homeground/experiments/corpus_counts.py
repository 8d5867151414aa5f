"""How often terms stand in a corpus: from a file, from an infini-gram server, or from an index on this machine.

Infini-gram (Liu et al. 2024, arXiv:2401.17377) counts any sequence of tokens in corpora of trillions of them. Nothing
here reaches the network but ``count_on_server``, and that only the address it is given.
"""

from __future__ import annotations

import csv
import io
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from homeground.engines.flow import LoopThread
from homeground.engines.openai_http import Fault, Http, Reply, Unreachable, pause
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import read_text

_Count = Annotated[int, msgspec.Meta(ge=0)]
_LARGEST = 64 * 2**20
"""Bytes of a file of counts."""
_TIMEOUT = 60.0
"""Seconds for one count; most take a fraction of one."""
_CLOSING = 5.0
"""Seconds that connections may take to close."""
_TRIES = 4
_BUSY = 429
_BROKEN = 500
_LONGEST = 200
_SMALL = 2**16
"""A vocabulary up to this size is stored in two bytes a token."""
_HEADER = ["term", "count"]


class Counts(NamedTuple):
    """How often terms stand in a corpus."""

    source: str
    """Where the counts come from, in words."""
    of: Mapping[str, int]
    """By term."""
    approximate: int = 0
    """How many of them the index calls approximate."""


class _Reply(msgspec.Struct):
    """What a server says; other fields are passed over."""

    count: _Count | None = None
    approx: bool = False
    error: str | None = None


def read_counts(path: Path | str) -> Counts:
    """Counts from a JSON object ``{"term": count}``, or from a CSV file with the columns ``term`` and ``count``.

    Raises:
        InputError: there is no such file, or it is neither; names the line of a CSV file.
    """
    path = Path(path)
    text = read_text(path, _LARGEST)
    count = _from_json(path, text) if text.lstrip()[:1] in ("{", "[") else _from_csv(path, text)
    if not count:
        raise InputError(f"{path}: no counts")
    return Counts(f"the file {path.name}", count)


def _from_json(path: Path, text: str) -> dict[str, int]:
    try:
        return msgspec.json.decode(text, type=dict[str, _Count])
    except msgspec.DecodeError as error:
        said = str(error).replace("`", "")
        raise InputError(f"{path}: not an object of terms and counts: {said}") from error


def _from_csv(path: Path, text: str) -> dict[str, int]:
    count: dict[str, int] = {}
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        if next(reader, None) != _HEADER:
            raise InputError(f"{path}:1: the header must be term,count")
        for cells in reader:
            where = f"{path}:{reader.line_num}"
            if not cells:
                continue
            if len(cells) != len(_HEADER) or not (cells[1].isascii() and cells[1].isdigit()):
                raise InputError(f"{where}: not a term and a whole number from 0 on")
            if cells[0] in count:
                raise InputError(f"{where}: {cells[0]!r} stands in an earlier line already")
            count[cells[0]] = int(cells[1])
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not valid CSV: {error}") from error
    return count


def count_on_server(url: str, index: str, terms: Iterable[str], *, timeout: float = _TIMEOUT) -> Counts:
    """Ask an infini-gram server for each term, one after the other.

    A server that is busy, broken for the moment or too slow is asked again, four times in all.

    Args:
        url: the address that takes the queries.
        index: which of the server's indexes.
        terms: what to count.
        timeout: seconds for each reply.

    Raises:
        InputError: ``url`` is no HTTP address.
        EnvironmentProblem: the server cannot be reached, does not answer in time, or refuses a query.
    """
    http = Http(_address(url), None)
    thread = LoopThread()
    try:
        replies = {term: _asked(thread, http, url, index, term, timeout) for term in dict.fromkeys(terms)}
    finally:
        try:
            thread.call(http.close(), _CLOSING)
        finally:
            thread.close()
    return Counts(
        f"the index {index} at {url}",
        {term: count for term, (count, _) in replies.items()},
        sum(approximate for _, approximate in replies.values()),
    )


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or "@" in url:
        raise InputError(
            "--server: not an address such as https://api.infini-gram.io/ (without name or password)"
        )
    return url


def _asked(
    thread: LoopThread, http: Http, url: str, index: str, term: str, timeout: float
) -> tuple[int, bool]:
    body = msgspec.json.encode({"index": index, "query_type": "count", "query": term})
    draw = random.Random()
    what = f"{url}: count of {term!r} in {index!r}"
    for tries in range(1, _TRIES + 1):
        wait = None
        try:
            reply = thread.call(http.post("", body), timeout)
        except Unreachable as fault:
            raise EnvironmentProblem(f"cannot reach {url}: {_short(str(fault))}") from None
        except TimeoutError:
            problem = f"no whole reply within {timeout:g} s"
        except Fault as fault:
            problem = str(fault)
        else:
            if reply.status != _BUSY and reply.status < _BROKEN:
                return _count(reply, what)
            problem = f"HTTP status {reply.status}: {_said(reply)}"
            wait = reply.retry_after
        if tries < _TRIES:
            time.sleep(pause(tries, draw) if wait is None else wait)
    raise EnvironmentProblem(f"{what}: {_short(problem)} (tried {_TRIES} times)")


def _count(reply: Reply, what: str) -> tuple[int, bool]:
    try:
        said = msgspec.json.decode(reply.body, type=_Reply)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise EnvironmentProblem(
            f"{what}: HTTP status {reply.status} and no infini-gram reply: {_said(reply)}"
        ) from None
    if said.error is not None:
        raise EnvironmentProblem(f"{what}: {_short(said.error)}")
    if said.count is None:
        raise EnvironmentProblem(f"{what}: HTTP status {reply.status} and no count: {_said(reply)}")
    return said.count, said.approx


def _said(reply: Reply) -> str:
    return _short(reply.body.decode(errors="replace")) or "an empty reply"


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def count_in_index(folder: Path | str, tokenizer: Path | str, terms: Iterable[str]) -> Counts:
    """Count in an infini-gram index on this machine; needs the extra ``homeground[corpus]``.

    A term is counted with and without a space before it where the tokenizer tells the two apart.

    Args:
        folder: the index, with its ``tokenized.*`` and ``table.*`` files.
        tokenizer: the ``tokenizer.json`` of the tokenizer that it was made with.
        terms: what to count.

    Raises:
        InputError: ``folder`` holds no index, or ``tokenizer`` is none.
        EnvironmentProblem: the packages are not installed, or the index cannot be opened.
    """
    folder = Path(folder)
    if not (any(folder.glob("tokenized.*")) and any(folder.glob("table.*"))):
        raise InputError(f"{folder}: no infini-gram index: it has no tokenized.* and table.* files")
    encode, vocabulary = _tokenizer(Path(tokenizer))
    engines = _package("infini_gram.engine")
    kind = "u16" if vocabulary <= _SMALL else "u32"
    try:
        engine = engines.InfiniGramEngine(index_dir=str(folder), eos_token_id=0, token_dtype=kind)
    except RuntimeError as error:
        raise EnvironmentProblem(f"{folder}: the index cannot be opened: {_short(str(error))}") from error
    count, approximate = {}, 0
    for term in dict.fromkeys(terms):
        results = [engine.count(input_ids=list(ids)) for ids in _ways(encode, term)]
        count[term] = sum(result["count"] for result in results)
        approximate += any(result["approx"] for result in results)
    if not any(count.values()):
        raise InputError(f"{folder}: none of the terms stands in it; is {tokenizer} its tokenizer?")
    return Counts(f"the index {folder.name} on this machine", count, approximate)


def _tokenizer(path: Path) -> tuple[Callable[[str], Sequence[int]], int]:
    """What cuts a text into the numbers of its tokens, and how many tokens there are."""
    text = read_text(path, _LARGEST)
    tokenizers = _package("tokenizers")
    try:
        made = tokenizers.Tokenizer.from_str(text)
    except Exception as error:  # the package raises nothing narrower
        raise InputError(f"{path}: no tokenizer.json: {_short(str(error))}") from error
    return lambda term: made.encode(term, add_special_tokens=False).ids, made.get_vocab_size()


def _ways(encode: Callable[[str], Sequence[int]], term: str) -> list[Sequence[int]]:
    """The term's tokens at the start of a text and behind a space, unless one way holds the other."""
    bare, spaced = encode(term), encode(f" {term}")
    if not bare:
        return []
    return [bare] if list(spaced[-len(bare) :]) == list(bare) else [bare, spaced]


def _package(name: str) -> Any:  # noqa: ANN401
    """A module of an optional package."""
    try:
        return import_module(name)
    except ImportError:
        raise EnvironmentProblem(
            f"{name.partition('.')[0].replace('_', '-')} is not installed, which a local index needs; install it with: "
            "pip install 'homeground[corpus]'"
        ) from None
