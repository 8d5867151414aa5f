"""``homeground batch write`` and ``homeground batch read``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, print_json

if TYPE_CHECKING:
    from homeground.runs.batch import BatchRead, BatchWritten


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    ways = parser.add_subparsers(dest="way", metavar="WAY", required=True)
    write = ways.add_parser("write", help="write every prompt that has no answer yet to files")
    write.add_argument("run", type=Path, metavar="RUN", help="folder of a run with --model batch:NAME")
    write.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    write.add_argument(
        "--format", choices=["openai", "gemini"], default="openai",
        help="openai is read by vllm run-batch too (default: %(default)s)",
    )  # fmt: skip
    write.add_argument("--model", metavar="NAME", help="only this model of the run (default: all)")
    add_json(write)
    read = ways.add_parser("read", help="store the answers in result files, as far as they go")
    read.add_argument("run", type=Path, metavar="RUN", help="the run's folder")
    read.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="results and errors, in any order and either format",
    )
    add_json(read)


def call(arguments: Namespace) -> int:
    """Write or read."""
    from homeground.runs.batch import read_batch, write_batch

    if arguments.way == "write":
        written = write_batch(arguments.run, arguments.output, format=arguments.format, model=arguments.model)
        _print(written, _written(arguments.run, written), as_json=arguments.json)
    else:
        read = read_batch(arguments.run, arguments.files)
        _print(read, _read(read), as_json=arguments.json)
    return 0


def _print(result: BatchWritten | BatchRead, lines: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json(result)
    else:
        print("\n".join(lines))


def _written(run: Path, written: BatchWritten) -> list[str]:
    if written.folder is None:
        return [
            f"nothing to write: each of the {written.answered} prompts has its answer",
            f"Next: homeground report {run}",
        ]
    files = f"{len(written.shards)} file{'s' if len(written.shards) > 1 else ''}"
    said = [
        f"{written.folder}: {written.requests} prompts in {files}, listed in batch.toml; "
        f"{written.answered} have an answer already"
    ]
    said += [
        f"  {one.file}  {one.model}  {one.requests} prompts  {one.bytes / 1e6:.1f} MB"
        for one in written.shards
    ]
    if written.waiting:
        said.append(f"{written.waiting} cells wait for these answers; write again when they are read")
    said.append(f"Next: send the files, then homeground batch read {run} RESULTS…")
    return said


def _read(read: BatchRead) -> list[str]:
    from homeground.engines.batch_intake import in_words

    said = [f"{read.lines} lines read: {read.stored} answers stored, {read.already} there already"]
    if read.failed:
        said.append(f"failed: {in_words(read.failed)}")
    if read.unused:
        said.append(f"not of this run: {in_words(read.unused)}")
    said.append(f"still missing: {read.missing}")
    if read.waiting:
        said[-1] += f", and {read.waiting} cells wait for one of them"
    if read.missing:
        said.append(f"Next: homeground batch write {read.run} -o NEW writes {read.missing}")
    else:
        said.append(f"Next: homeground report {read.run}")
    return said
