"""Pages for people: residents check the cues of their country, on a printed sheet or on a served study's pages."""

from homeground.annotate.sheet import cue_sheet

__all__ = ["cue_sheet"]
