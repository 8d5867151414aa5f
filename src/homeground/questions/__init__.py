"""Culture question–answer pairs, and the audit of their defects."""

from homeground.questions.audit import Audited, Flag, audit_question, audit_set
from homeground.questions.pairs import load_questions

__all__ = ["Audited", "Flag", "audit_question", "audit_set", "load_questions"]
