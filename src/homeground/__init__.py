"""Homeground measures whether a language model meets people on their home ground.

The names below are the Python side of the command line's verbs; each is imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from homeground.version import __version__

if TYPE_CHECKING:
    from homeground.benchmarks.build import build_conversations
    from homeground.benchmarks.build_questions import build_questions
    from homeground.benchmarks.check import check_benchmark
    from homeground.benchmarks.folder import load_benchmark
    from homeground.experiments.catalogue import run_experiment
    from homeground.experiments.study import open_study
    from homeground.report.write import write_report
    from homeground.runs.batch import read_batch, write_batch
    from homeground.runs.judge import judge_run
    from homeground.runs.run import run_benchmark

_HOMES = {
    "build_conversations": "homeground.benchmarks.build",
    "build_questions": "homeground.benchmarks.build_questions",
    "check_benchmark": "homeground.benchmarks.check",
    "judge_run": "homeground.runs.judge",
    "load_benchmark": "homeground.benchmarks.folder",
    "open_study": "homeground.experiments.study",
    "read_batch": "homeground.runs.batch",
    "run_benchmark": "homeground.runs.run",
    "run_experiment": "homeground.experiments.catalogue",
    "write_batch": "homeground.runs.batch",
    "write_report": "homeground.report.write",
}

__all__ = [
    "__version__",
    "build_conversations",
    "build_questions",
    "check_benchmark",
    "judge_run",
    "load_benchmark",
    "open_study",
    "read_batch",
    "run_benchmark",
    "run_experiment",
    "write_batch",
    "write_report",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a verb's home when the verb is first used, so that ``import homeground`` stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'homeground' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
