"""The audit: what is wrong with a question before any model sees it, guideline by guideline."""

from homeground.questions.audit.audit import audit_question, audit_set
from homeground.questions.audit.sets import Profile, profile
from homeground.questions.audit.verdicts import RULES, Audited, Flag, Rule
from homeground.questions.audit.words import LANGUAGES, advice, titles

__all__ = [
    "LANGUAGES", "RULES", "Audited", "Flag", "Profile", "Rule", "advice", "audit_question", "audit_set", "profile",
    "titles",
]  # fmt: skip
