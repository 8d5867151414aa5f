"""The phrase judge: whether an answer says the gold of a question, in one of its forms."""

from homeground.judging.phrases.match import PhraseMatch, match_phrase, published_phrase

__all__ = ["PhraseMatch", "match_phrase", "published_phrase"]
