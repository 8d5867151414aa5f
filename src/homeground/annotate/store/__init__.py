"""The database of studies: items given out and judged, people and their roles, what happened."""

from homeground.annotate.store import question_tables as question_tables
from homeground.annotate.store.database import Store

__all__ = ["Store"]
