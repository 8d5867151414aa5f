"""What was said before: hand-written dialogues with two cue slots, and the six levels made of them."""

from homeground.dialogues.levels import conversation
from homeground.dialogues.scaffolds import fill_scaffolds, make_scaffolds

__all__ = ["conversation", "fill_scaffolds", "make_scaffolds"]
