"""Judgements → estimates with intervals; scenes and dialogues are random, cultures are fixed."""

from homeground.statistics.accuracy import accuracy
from homeground.statistics.bootstrap import Bootstrap
from homeground.statistics.flips import MarginVerdict, exact_p, items_of, verdict_for_margins
from homeground.statistics.gap import Gap, GapDifference, Pairs, difference_of_gaps, paired_gap
from homeground.statistics.holm import holm
from homeground.statistics.power import discordance_of, pairs_needed, smallest_gap
from homeground.statistics.sign_flip import SignFlip, sign_flip

__all__ = [
    "Bootstrap",
    "Gap",
    "GapDifference",
    "MarginVerdict",
    "Pairs",
    "SignFlip",
    "accuracy",
    "difference_of_gaps",
    "discordance_of",
    "exact_p",
    "holm",
    "items_of",
    "paired_gap",
    "pairs_needed",
    "sign_flip",
    "smallest_gap",
    "verdict_for_margins",
]
