"""Depth of cultural reasoning: from no cultural word (0) to an identity that drives the answer (3)."""

from homeground.judging.depth.read import Depth, read_depth

__all__ = ["Depth", "read_depth"]
