"""A run as a folder: what was asked, every answer, and the judgements derived from them."""

from homeground.runs.folder import Run, RunSpec, open_run

__all__ = ["Run", "RunSpec", "open_run"]
