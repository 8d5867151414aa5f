"""Answers → judgements: what an answer means, and whether it is right, by two rulebooks."""

from homeground.judging.judge import SIGNATURE, judge_answer, read_answer

__all__ = ["SIGNATURE", "judge_answer", "read_answer"]
