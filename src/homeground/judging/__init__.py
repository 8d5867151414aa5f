"""Answers → judgements: what an answer means, and whether it is right, by two rulebooks."""

from homeground.judging.judge import Asked, judge_answer, signature
from homeground.judging.questions import judge_question
from homeground.judging.reader import read_answer

__all__ = ["Asked", "judge_answer", "judge_question", "read_answer", "signature"]
