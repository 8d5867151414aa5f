"""What is in front of them: drawn scenes with a known true value."""

from homeground.scenes.catalogue import DrawnScene, draw_scenes

__all__ = ["DrawnScene", "draw_scenes"]
