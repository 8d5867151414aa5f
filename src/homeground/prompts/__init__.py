"""Task × strategy → messages; every template is versioned data."""

from homeground.prompts.messages import Prompts, Thinking, closing_question, marker, options_of, sampling
from homeground.prompts.questions import QuestionPrompts

__all__ = ["Prompts", "QuestionPrompts", "Thinking", "closing_question", "marker", "options_of", "sampling"]
