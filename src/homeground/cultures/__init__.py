"""Who asks: what each culture expects, and the ordinary things that tell a listener where it is."""

from homeground.cultures.draw import draw_cue
from homeground.cultures.library import cue_kinds, cultures_of, load_file

__all__ = ["cue_kinds", "cultures_of", "draw_cue", "load_file"]
