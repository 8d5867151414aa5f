"""Typed tokens: a folded text cut into numbers, words, single characters of scripts without spaces, and signs.

Every pattern is bounded and every token is looked at a fixed number of times, so that reading takes time linear in the
length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from homeground.cultures.scripts import HANGUL, MARKS, UNPOINTED, UNSPACED

# A non-joiner belongs to the Persian word that it stands in.
_MARKS = MARKS + "\u200c"
_NUMBER = r"\d{1,30}(?:(?:[.,](?=\d)|[' ](?=\d{3}(?!\d)))\d{1,30}){0,9}(?:[eE][+-]?\d{1,2}(?!\w))?|(?<![\d.])\.\d{1,30}"
FRACTIONS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_TOKEN = re.compile(rf"{_NUMBER}|(?:[^\W\d_{UNSPACED}{HANGUL}{_MARKS}]++|[{_MARKS}]++)++|\*\*+|[^\s`_]|\n")
_VARIANTS = {
    "ı": "i", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك",
    "ۀ": "ه", "ۃ": "ه", "ہ": "ه", "ھ": "ه", "ە": "ه", "ة": "ه",
}  # fmt: skip
_FOLDED = str.maketrans(_VARIANTS) | dict.fromkeys((*UNPOINTED, 0x200C, 0x200D))
_LONGEST = 64
"""Characters of a word that are compared; no form is as long."""


@lru_cache(65536)
def fold_word(word: str) -> str:
    """A word as it is compared: case, accents, vowel points and variants of letters folded."""
    word = word[:_LONGEST]
    if word.isascii():
        return word.lower()
    # The breve of й is no accent: рупий and рупии are two forms.
    plain = unicodedata.normalize("NFD", word.casefold().replace("й", "j")).translate(_FOLDED)
    return unicodedata.normalize("NFC", plain)


def _is_emphasis(text: str, place: int) -> bool:
    """Whether a star is Markdown, touching a word on one side alone, rather than a sign between two things."""
    before = place > 0 and not text[place - 1].isspace()
    after = place + 1 < len(text) and not text[place + 1].isspace()
    return before != after


class Tokens:
    """The tokens of a text: what each is compared by, and where it stands."""

    __slots__ = ("ends", "keys", "memo", "starts", "text")

    def __init__(self, text: str) -> None:
        """Cut ``text``, which is folded already."""
        self.text = text
        self.keys: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.memo: dict[object, Any] = {}
        """What readers have worked out about places in the text already."""
        keys, starts, ends = self.keys, self.starts, self.ends
        for match in _TOKEN.finditer(text):
            token = match[0]
            if token[0] == "*" and (len(token) > 1 or _is_emphasis(text, match.start())):
                continue
            key = token[:_LONGEST].lower() if token.isascii() else fold_word(token)
            if not key:
                continue
            keys.append(key)
            starts.append(match.start())
            ends.append(match.end())

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.keys)

    def glued(self, index: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return index > 0 and self.starts[index] == self.ends[index - 1]

    def is_number(self, index: int) -> bool:
        """Whether a token is a number in digits."""
        key = self.keys[index]
        return key[0].isdigit() or (key[0] == "." and len(key) > 1)

    def is_word(self, index: int) -> bool:
        """Whether a token is a word or a character of a script without spaces."""
        return self.keys[index][0].isalpha()
