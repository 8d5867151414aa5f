"""A benchmark as a folder on disk: built, loaded, checked."""

from homeground.benchmarks.folder import Benchmark, load_benchmark

__all__ = ["Benchmark", "load_benchmark"]
