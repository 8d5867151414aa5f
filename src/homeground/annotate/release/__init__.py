"""What a community wrote, released: accepted questions as a benchmark, with how they came to be."""

from homeground.annotate.release.gather import Release, gather
from homeground.annotate.release.write import write

__all__ = ["Release", "gather", "write"]
