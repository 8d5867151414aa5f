"""Forms of words in a table that tokens are looked up in, longest first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Generic, TypeVar

from homeground.judging.text import fold
from homeground.judging.tokens import Tokens

V = TypeVar("V")

# What may follow a form in Hangul without a space: the first syllables of particles and endings.
_PARTICLES = frozenset(
    "입이예에은는을를가로으도만의와과까부정쯤인라며고여짜기하지요네랑보처대씩당밖나야든군죠임음"
)
ATTACHED_BEFORE = "בהלוכמש" + "وبلفك"
"""Letters that Hebrew and Arabic write onto the word behind them."""
_ATTACHED_AFTER = ("dir", "dur", "tir", "tur", "ي", "اي", "ها")
_STEM = 3


class Lexicon(Generic[V]):
    """Forms with a value each; a form is compared token by token, whatever spaces stand between them."""

    def __init__(self, *, bounded: bool = True) -> None:
        """An empty table; ``bounded`` says whether a Korean form must end where a word or its particle does."""
        self._root: dict[str, Any] = {}
        self._bounded = bounded

    @property
    def starts(self) -> Collection[str]:
        """The tokens that forms begin with."""
        return self._root.keys()

    def add(self, form: str, value: V) -> V:
        """Add a form, or return the value that it has already."""
        node = self._root
        for key in _keys(form):
            node = node.setdefault(key, {})
        found: V = node.setdefault("", value)
        return found

    def at(self, tokens: Tokens, index: int, *, inflected: bool = False) -> tuple[V, int] | None:
        """The value of the longest form that begins at a token, and the index after it.

        Args:
            tokens: the text.
            index: where the form begins.
            inflected: also try the word without a prefix or an ending that its language glues to it.
        """
        keys, size = tokens.keys, len(tokens.keys)
        if index >= size:
            return None
        node = self._root.get(keys[index])
        if node is None:
            return self._inflected(tokens, index) if inflected else None
        best: tuple[V, int] | None = None
        position, hyphen = index, False
        while True:
            position += 1
            if "" in node and not hyphen and not (self._bounded and _runs_on(tokens, position)):
                best = (node[""], position)
            if position >= size:
                break
            key = keys[position]
            hyphen = key == "-" and key not in node and tokens.glued(position)
            if hyphen:
                continue
            if key[0].isdigit():
                if tokens.starts[position] != tokens.ends[position - 1]:
                    break
                key = "~" + key
            node = node.get(key)
            if node is None:
                break
        if best is None and inflected:
            return self._inflected(tokens, index)
        return best

    def _inflected(self, tokens: Tokens, index: int) -> tuple[V, int] | None:
        word = tokens.keys[index]
        if len(word) <= _STEM:
            return None
        for ending in _ATTACHED_AFTER:
            if word.endswith(ending) and len(word) - len(ending) >= _STEM:
                node = self._root.get(word[: -len(ending)])
                if node is not None and "" in node:
                    return node[""], index + 1
        if word[0] in ATTACHED_BEFORE:
            for cut in (1, 2):
                node = self._root.get(word[cut:]) if len(word) - cut >= _STEM else None
                if node is not None and "" in node:
                    return node[""], index + 1
        return None


def _runs_on(tokens: Tokens, position: int) -> bool:
    """Whether a Korean word goes on behind a form with something that is no particle."""
    if position >= len(tokens.keys) or not tokens.glued(position):
        return False
    last, following = tokens.keys[position - 1][-1], tokens.keys[position][0]
    return "\uac00" <= last <= "\ud7af" and "\uac00" <= following <= "\ud7af" and following not in _PARTICLES


def _keys(form: str) -> list[str]:
    tokens = Tokens(fold(form, 0, len(form)).text)
    return [
        "~" + key if key[0].isdigit() and tokens.glued(index) else key
        for index, key in enumerate(tokens.keys)
    ]
