"""Judgements → estimates with intervals; scenes and dialogues are random, cultures are fixed."""

from homeground.statistics.accuracy import accuracy
from homeground.statistics.gap import Gap, paired_gap

__all__ = ["Gap", "accuracy", "paired_gap"]
