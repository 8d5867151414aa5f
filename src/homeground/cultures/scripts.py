"""Which characters make words: the ranges that cutting a text needs, for classes of regular expressions."""

from __future__ import annotations

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts without spaces: Thai to Khmer, kana, Han."""
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u200d"
)
"""Marks that belong to words but are not \\w."""
UNPOINTED = (
    *range(0x300, 0x370),
    *range(0x591, 0x5C8),
    0x640,
    *range(0x64B, 0x660),
    0x670,
    0x93C,
    0x9BC,
    0xA3C,
)
"""Dots and accents left uncomposed, vowel points, kashida, nukta: words are compared without them."""
