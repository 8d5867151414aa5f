"""Runs that share a store of answers: a prompt that one has asked is free for the others, even at the same time."""

import contextlib
import json
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.servers import Recorder, completion
from tests.test_cli import homeground

WORDS = ("--model", "openai:m", "--concepts", "price", "--sample", "6", "--grounding", "description")


def _asked(server: Recorder) -> Counter[str]:
    return Counter(json.dumps(body["messages"]) for body in server.bodies)


def test_two_runs_at_once_ask_nothing_twice(benchmark_folder: Path, tmp_path: Path) -> None:
    def slowly(body: dict[str, Any]) -> tuple[int, bytes]:
        time.sleep(0.05)
        return 200, completion("$5")

    store = tmp_path / "shared.sqlite"
    with Recorder(slowly) as server:
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", "homeground", "run", str(benchmark_folder), *WORDS, "-o", str(tmp_path / name),
                 "--base-url", server.url, "--answers", str(store), "--json"],
                stdout=subprocess.PIPE, text=True,
            )
            for name in ("one", "two")
        ]  # fmt: skip
        results = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
        asked = _asked(server)
    assert set(asked.values()) == {1}
    assert sum(result["run"]["asked"] for result in results) == len(asked)
    assert all(result["run"]["answered"] == result["run"]["requests"] == len(asked) for result in results)
    with contextlib.closing(sqlite3.connect(store)) as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (len(asked),)


def test_a_third_run_pays_for_what_is_new_alone(benchmark_folder: Path, tmp_path: Path) -> None:
    with Recorder(lambda body: (200, completion("$5"))) as server:
        common = (
            "run",
            benchmark_folder,
            *WORDS,
            "--base-url",
            server.url,
            "--answers",
            tmp_path / "s",
            "--json",
        )
        first = json.loads(homeground(*common, "-o", tmp_path / "one", "--condition", "implicit").stdout)
        second = json.loads(homeground(*common, "-o", tmp_path / "two").stdout)
        assert second["run"]["asked"] == second["run"]["requests"] - first["run"]["requests"]
        assert set(_asked(server).values()) == {1}
        nowhere = homeground(*common[:-2], tmp_path / "no" / "s", "-o", tmp_path / "three")
    assert nowhere.returncode == 2
    assert "there is no such folder" in nowhere.stderr
