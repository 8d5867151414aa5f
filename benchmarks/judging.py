"""How long it takes to read a million short answers, and what memory it takes.

Run from the checkout: ``make bench-judging`` (``BENCH_ANSWERS`` sets how many). Answers are made of test cases, each
with a number of its own, so that no two are alike and no cache helps. As machines differ, the time is also given as a
ratio to that of only decoding and encoding the same lines as JSON in one process.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = Path(__file__).parents[1] / "tests" / "cases"
COPY = "import sys, msgspec\nfor line in sys.stdin.buffer: msgspec.json.encode(msgspec.json.decode(line))"
MOST_CHARACTERS = 120
"""A short answer."""


def answers() -> list[tuple[str, str]]:
    """Concepts and answers of the cases, without the long ones."""
    measures = (json.loads(line) for line in (CASES / "measures.jsonl").read_text("utf-8").splitlines())
    background = (json.loads(line) for line in (CASES / "background.jsonl").read_text("utf-8").splitlines())
    rows = [(row["concept"], row["answer"]) for row in measures]
    rows += [("country", row["answer"]) for row in background]
    return [row for row in rows if len(row[1]) <= MOST_CHARACTERS]


def write(path: Path, count: int) -> None:
    """``count`` lines, no two alike."""
    some = itertools.islice(itertools.cycle(answers()), count)
    with path.open("w", encoding="utf-8") as file:
        for index, (concept, answer) in enumerate(some):
            numbered = re.sub(r"(?<!\d)[1-9]\d?(?![\d.,])", str(10 + index % 9973), answer, count=1)
            said = numbered if numbered != answer else f"{answer} ({index})"
            file.write(json.dumps({"concept": concept, "answer": said}, ensure_ascii=False) + "\n")


def timed(command: list[str], path: Path, *, as_input: bool) -> float:
    """Seconds that a command takes, its output thrown away."""
    began = time.perf_counter()
    with path.open("rb") as file:
        subprocess.run(command, stdin=file if as_input else None, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    count = int(os.environ.get("BENCH_ANSWERS", "1000000"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write(path, count)
        copying = timed([sys.executable, "-c", COPY], path, as_input=True)
        judge = [sys.executable, "-m", "homeground", "judge", "--texts", str(path), "--json"]
        judging = timed(judge, path, as_input=False)
    # The largest of all processes; the command and its workers are cores + 1 of them at most.
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    cores = os.cpu_count() or 1
    print(f"{count:,} answers in {judging:.1f} s on {cores} cores: {count / judging:,.0f} a second")
    print(f"{judging / copying:.1f} times as long as decoding and encoding their JSON ({copying:.1f} s)")
    print(f"largest process {largest:.0f} MB, at most {largest * (cores + 1):.0f} MB in all")


if __name__ == "__main__":
    main()
