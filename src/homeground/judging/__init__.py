"""Answers → judgements: what an answer means, and whether it is right, by two rulebooks."""

from homeground.judging.judge import SIGNATURE, Asked, judge_answer
from homeground.judging.reader import read_answer

__all__ = ["SIGNATURE", "Asked", "judge_answer", "read_answer"]
