"""Answers that decline to answer, in any of the languages of ``words/stance.toml``."""

from __future__ import annotations

from homeground.judging.negation import stance, words_of

_READ = 20_000
"""Characters that are read at the beginning of a long text, and at its end."""


def refuses(text: str) -> bool:
    """Whether a text says that it cannot tell ("unknown", "no puedo determinar", 알 수 없음).

    Ask it only where nothing else was found: a long answer may say in passing what it does not know. One pass over
    the words, each looked up in a table.
    """
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]}\n{text[-_READ:]}"
    return bool(stance().refusal.languages(words_of(text), text))
