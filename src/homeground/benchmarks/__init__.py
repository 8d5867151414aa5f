"""A benchmark as a folder on disk: built, loaded, checked."""

from homeground.benchmarks.folder import Benchmark, load_benchmark
from homeground.benchmarks.question_set import QuestionSet, open_benchmark

__all__ = ["Benchmark", "QuestionSet", "load_benchmark", "open_benchmark"]
