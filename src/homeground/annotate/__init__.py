"""Pages for people: so far the sheet on which residents check the cues of their country."""

from homeground.annotate.sheet import cue_sheet

__all__ = ["cue_sheet"]
