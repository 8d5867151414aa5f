"""Task × strategy → messages; every template is versioned data."""

from homeground.prompts.messages import Prompts, Thinking, closing_question, marker, options_of, sampling

__all__ = ["Prompts", "Thinking", "closing_question", "marker", "options_of", "sampling"]
