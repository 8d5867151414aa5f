"""Cells → distinct requests, in the order that shares the most prefix."""

from homeground.plan.cells import Selection, conversation_cells
from homeground.plan.questions import fitted, make_question_plan, question_cells
from homeground.plan.requests import Plan, Way, make_plan

__all__ = [
    "Plan",
    "Selection",
    "Way",
    "conversation_cells",
    "fitted",
    "make_plan",
    "make_question_plan",
    "question_cells",
]
