"""Every experiment over 180,000 judgements, each interval checked by 10,000 replicates of the cluster bootstrap.

``make bench-experiments``. The judgements are of a made-up model under five strategies, over the whole benchmark;
reading the answers is not part of the time, building the columns is. It is set beside one product of two matrices of
the size that 2,000 groups need, measured in the same run.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from tests.simulated import simulated_run

from homeground import build_conversations, load_benchmark
from homeground.experiments.catalogue import fitting, run_experiment
from homeground.experiments.study import Study
from homeground.plan import Selection
from homeground.runs.judge import judge_run

REPLICATES = 10_000
STRATEGIES = ("direct", "pragmatic", "natural", "system:a", "system:b")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build_conversations(folder / "benchmark")
        benchmark = load_benchmark(folder / "benchmark")
        models = {"openai:Qwen3-VL-8B-Instruct": 0.6}
        run = simulated_run(
            folder / "run", benchmark, Selection(strategies=STRATEGIES), models, systems=STRATEGIES[3:]
        )
        judgements = judge_run(run)
        print(f"{len(judgements):,} judgements; {_megabytes():.0f} MB so far")
        seconds = {}
        began = time.perf_counter()
        study = Study([run], [judgements], REPLICATES)
        seconds["columns"] = time.perf_counter() - began
        rows = 0
        for name in fitting(study):
            began = time.perf_counter()
            rows += sum(len(table.rows) for table in run_experiment(name, study))
            seconds[name] = time.perf_counter() - began
        print("\n| part | seconds |\n|---|--:|")
        for name, took in seconds.items():
            print(f"| {name} | {took:.2f} |")
        total = sum(seconds.values())
        print(f"| all, {rows:,} estimates | {total:.2f} |")
        began = time.perf_counter()
        product = np.ones((2_000, 516), dtype=np.float32) @ np.ones((516, REPLICATES), dtype=np.float32)
        one = time.perf_counter() - began
        print(
            f"\n{total / one:.0f} times one product for 2,000 groups ({one:.2f} s, {product.nbytes / 1e6:.0f} MB)"
        )
        print(f"largest memory: {_megabytes():.0f} MB")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
