"""Task × strategy → messages; every template is versioned data."""

from homeground.prompts.messages import Prompts, closing_question, marker, options_of, sampling

__all__ = ["Prompts", "closing_question", "marker", "options_of", "sampling"]
