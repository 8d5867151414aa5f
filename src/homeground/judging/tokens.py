"""Typed tokens: a folded text cut into numbers, words, single characters of scripts without spaces, and signs.

Every pattern is bounded and every token is looked at a fixed number of times, so that reading takes time linear in the
length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

# Scripts without spaces (Thai to Khmer, kana, Han) and Hangul, which glues its particles: one character, one token.
RUN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
_NUMBER = r"\d{1,30}(?:(?:[.,](?=\d)|[' ](?=\d{3}(?!\d)))\d{1,30}){0,9}(?:[eE][+-]?\d{1,2}(?!\w))?|(?<![\d.])\.\d{1,30}"
FRACTIONS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_TOKEN = re.compile(rf"{_NUMBER}|(?:[^\W\d_{RUN}{HANGUL}{_MARKS}]++|[{_MARKS}]++)++|\*\*+|[^\s`_]|\n")
_VARIANTS = {
    "ı": "i", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك",
    "ۀ": "ه", "ۃ": "ه", "ہ": "ه", "ھ": "ه", "ە": "ه", "ة": "ه",
}  # fmt: skip
_UNPOINTED = (
    *range(0x300, 0x370),
    *range(0x591, 0x5C8),
    0x640,
    *range(0x64B, 0x660),
    0x670,
    0x93C,
    0x9BC,
    0xA3C,
    0x200C,
    0x200D,
)
_FOLDED = str.maketrans(_VARIANTS) | dict.fromkeys(_UNPOINTED)
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
