"""One question cut up for the rules: words, sentences, what stands in quotes."""

from __future__ import annotations

import re
from functools import cached_property

QUESTION_MARKS = "?？؟՞፧⁇⁈⁉﹖\u037e"
_QUOTED = re.compile(
    r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|「[^」\n]{0,400}」|『[^』\n]{0,400}』|"
    r"《[^》\n]{0,400}》|(?<!\w)'[^'\n]{2,400}'(?!\w)|(?<!\w)‘[^’\n]{2,400}’(?!\w)"
)
_CAPITAL = '[A-Z\u00c0-\u00d6\u00d8-\u00de\u0400-\u042f¿¡"“«]'
_SENTENCE = re.compile(
    rf"(?<=[{QUESTION_MARKS}!！。])\s*|\n+|(?<=[^\W\d_]{{3}}\.)\s+(?={_CAPITAL})|(?<=\.[\"”»)])\s+(?={_CAPITAL})"
    rf"|(?<=\s\.)\s+(?={_CAPITAL})"
)
_NEXT = re.compile(rf"\s+{_CAPITAL}")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_GREEK = re.compile("[\u0370-\u03ff]")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


class Text:
    """A question's text, each view of it made when first asked for. Positions are those of ``raw`` throughout."""

    def __init__(self, raw: str) -> None:
        """``raw`` is the question as it stands in the item."""
        self.raw = raw

    @cached_property
    def words(self) -> list[str]:
        """Words in order; characters of scripts without spaces count one by one through ``size``."""
        return _WORD.findall(self.raw)

    @cached_property
    def lower(self) -> frozenset[str]:
        """The words in small letters, and the parts of those with an apostrophe."""
        parts = (part for word in self.words for part in re.split(r"['’]", word.lower()))
        return frozenset(parts) | {word.lower() for word in self.words}

    @cached_property
    def han(self) -> int:
        """Number of Chinese characters."""
        return len(_HAN.findall(self.raw))

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Where something stands in quotes, the quotes included."""
        return [found.span() for found in _QUOTED.finditer(self.raw)]

    @cached_property
    def unquoted(self) -> str:
        """The text with spaces in place of what is quoted."""
        if not self.quoted:
            return self.raw
        text = list(self.raw)
        for start, end in self.quoted:
            text[start:end] = " " * (end - start)
        return "".join(text)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where sentences stand, without the space around them."""
        found, start = [], 0
        cuts = [cut.span() for cut in _SENTENCE.finditer(self.unquoted)]
        # A quotation that is a sentence ends the one around it if another begins.
        said = [end for _, end in self.quoted if self.raw[end - 2] in ".!。" and _NEXT.match(self.raw, end)]
        cuts += [(end, end + 1) for end in said]
        for end, after in (*sorted(cuts), (len(self.raw), len(self.raw))):
            piece = self.raw[start:end]
            if any(char.isalnum() for char in piece):
                left = len(piece) - len(piece.lstrip())
                found.append((start + left, start + len(piece.rstrip())))
            start = after
        return found

    @cached_property
    def asked(self) -> list[tuple[int, int]]:
        """The sentences that end with a question mark of their own, one in quotes aside."""
        # Greek asks with a semicolon.
        marks = QUESTION_MARKS + ";" if _GREEK.search(self.raw) else QUESTION_MARKS
        return [
            (start, end)
            for start, end in self.sentences
            if any(mark in self.unquoted[start:end] for mark in marks)
        ]
