"""Text as phrases are looked for in it, and the tables of words that the phrase judge reads.

In the reading form case is folded, an accent stands behind its letter as a mark of its own (so that a missing one can
be forgiven and a different one cannot), and vowel points, kashida, quotes and Markdown are gone. Every character is
mapped by itself: the form of a text is the joined forms of its pieces, which is how a span finds its way back.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any, NamedTuple

from homeground.judging import negation
from homeground.judging.clauses import clause_words
from homeground.judging.tables import read_distilled, read_words
from homeground.judging.text import fold
from homeground.schema import Record

_CHUNK = 1024
_EXPANDED = 4
"""Longest form of one character; U+FDFA would make eighteen of it, and a text eighteen times as long."""
WIDE = ("en", "pt", "es", "fr", "de", "it", "nl")
"""The languages whose plurals and number words are forgiven where no language is named."""
NON_JOINER = "\u200c"
"""Persian writes it between a word and its ending; it ends a word here, and a space may stand for it."""


class LanguageWords(Record, frozen=True, kw_only=True, rename={"or_": "or", "and_": "and"}):
    """What the phrase judge knows of one language, besides ``stance.toml``."""

    article: tuple[str, ...] = ()
    """Articles, also those that are written onto the word ("l'")."""
    function: tuple[str, ...] = ()
    """Words that say nothing by themselves; they tell languages apart, too."""
    plural: tuple[tuple[str, str, int], ...] = ()
    """Endings of singular and plural, and the fewest letters of what stands before them."""
    plural_named: tuple[tuple[str, str, int], ...] = ()
    """The same for endings that make other words in other languages: only where the language is named."""
    no_plural: tuple[str, ...] = ()
    """Words of which what looks like the plural is another word ("news")."""
    suffix: tuple[str, ...] = ()
    """Endings written onto a word, where the language is named."""
    not_far: tuple[str, ...] = ()
    """Denials that reach over several words ("is not what they call"); all others deny only what they stand beside."""
    not_before: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()
    disbelief: tuple[str, ...] = ()
    """What denies a whole clause that follows: "I don't think that"."""
    no_denial: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()
    or_: tuple[str, ...] = ()
    and_: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    """"I don't know, but": an answer may follow."""
    same: tuple[str, ...] = ()
    """Words for "or" after which the same thing is named once more."""
    guess: tuple[str, ...] = ()
    """What makes a guess of what follows "I don't know"."""
    retract: tuple[str, ...] = ()
    """Takes back what was said just before."""
    retract_within: tuple[str, ...] = ()
    """The same, but only within a sentence."""
    attribute: tuple[str, ...] = ()
    """First words of what describes a thing, rather than naming another candidate."""
    light: tuple[str, ...] = ()
    """Words that may stand before a candidate and are none."""
    answer: tuple[str, ...] = ()
    """What stands before the colon of a final answer."""
    copula: tuple[str, ...] = ()
    tens: str = ""
    """What stands between tens and units in a number word."""
    tens_one: str = ""
    """The same before one, where it differs ("vingt et un")."""
    to: tuple[str, ...] = ()
    """What joins the two ends of a range, besides those of ``number_words.toml``."""
    between: tuple[str, ...] = ()
    """What stands before the two ends of a range with an "and" in the middle, likewise."""
    verb: tuple[str, ...] = ()
    """Verbs with which another clause of a list begins, rather than another candidate ("drink beer, eat pretzels")."""


class PhraseWords(Record, frozen=True, kw_only=True):
    """The whole of ``phrases.toml``."""

    variants: dict[str, str]
    """Letters that stand for one another, each with the one that is read."""
    number_tails: tuple[str, ...]
    """What may be written onto a number."""
    clashing_numbers: tuple[str, ...]
    """Number words that are ordinary words of another language: they count only as the whole answer."""
    longer: dict[str, tuple[str, ...]]
    """Names in scripts without spaces, with the longer names in which they do not count."""
    around: dict[str, str]
    """For Han and hiragana, the characters that may stand before and after a word of that script."""
    glued: dict[str, str]
    """For Hebrew and Arabic, the prefixes that are written onto a word, as a regular expression."""
    particles: dict[str, tuple[str, ...]]
    """By script, what is written onto the end of a word."""
    language: dict[str, LanguageWords]


@cache
def phrase_words() -> PhraseWords:
    """The judge's own table.

    Raises:
        InputError: the data file is broken.
    """
    return read_words("phrases", PhraseWords)


@cache
def stance_words() -> dict[str, dict[str, tuple[str, ...]]]:
    """Language → kind → words, of ``stance.toml``, ``clauses.toml`` and the judge's own table together.

    Raises:
        InputError: a data file is broken.
    """
    found = {code: dict(row) for code, row in negation.stance_words().items()}
    for code, clause in clause_words().items():
        row = found.setdefault(code, {})
        row.update({kind: getattr(clause, kind) for kind in ("disbelief", "conceded")})
    for code, own in phrase_words().language.items():
        row = dict(found.get(code, {}))
        for field, kind in zip(own.__struct_fields__, own.__struct_encode_fields__, strict=True):
            if kind not in ("plural", "plural_named", "tens", "tens_one"):
                row[kind] = (*row.get(kind, ()), *getattr(own, field))
        found[code] = row
    return found


@cache
def _number_rows() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read_words("number_words", dict[str, Any])["language"]
    return found


@cache
def number_words() -> dict[str, dict[str, int]]:
    """Language → word → its value, of ``number_words.toml``; whole numbers only.

    Raises:
        InputError: the data file is broken.
    """
    found: dict[str, dict[str, int]] = {}
    distilled = read_distilled("number_words", dict[str, dict[str, dict[str, float]]])
    for code, row in _number_rows().items():
        values = {**distilled.get(code, {}).get("values", {}), **row.get("values", {})}
        risky = frozenset(row.get("risky", ())) if code not in WIDE else frozenset()
        found[code] = {
            reading_form(w): int(v) for w, v in values.items() if v == int(v) and not (risky & {w})
        }
    return found


class RangeWords(NamedTuple):
    """What joins the two ends of a range, and what stands before two ends with an "and" between them."""

    to: frozenset[str]
    between: frozenset[str]
    and_: frozenset[str]


@cache
def range_words() -> RangeWords:
    """The words for a range, of all languages, in their reading form.

    Raises:
        InputError: a data file is broken.
    """
    and_ = frozenset(reading_form(w) for row in stance_words().values() for w in row.get("and", ()))
    rows, own = _number_rows().values(), phrase_words().language.values()
    to = (*(w for row in rows for w in row.get("to", ())), *(w for row in own for w in row.to))
    between = (
        *(
            first
            for row in rows
            for first, middle, _ in row.get("between", ())
            if reading_form(middle) in and_
        ),
        *(w for row in own for w in row.between),
    )
    return RangeWords(
        to=frozenset(map(reading_form, to)) | frozenset("-~〜"),
        between=frozenset(reading_form(w) for w in between if w),
        and_=and_,
    )


class _Table(dict[int, str]):
    """Code point → reading form, worked out when a character is first met."""

    def __missing__(self, code: int) -> str:
        form = "".join(_mapped(char) for char in fold(chr(code), 0, 1).text.casefold())
        if len(form) > _EXPANDED:
            form = chr(code)
        self[code] = form
        return form


_DROPPED = frozenset('"*`«»“”„‹›\u00ad')
_SPACED_OUT = frozenset("_「」『』〈〉《》")
_LINES = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")


def _mapped(char: str) -> str:
    variants = phrase_words().variants
    if char in variants:
        return variants[char]
    if char in _LINES:
        return "\n"
    if char in _DROPPED:
        return ""
    category = unicodedata.category(char)
    if char in _SPACED_OUT or category in ("Zs", "Cc"):
        return " "
    if category == "Cf":
        return char if char == NON_JOINER else ""
    code = ord(char)
    if category == "Mn" and (0x0591 <= code <= 0x05C7 or 0x0610 <= code <= 0x06ED):
        return ""
    # Marks are set apart where they are accents; in Indic scripts they are vowels, in Hangul NFD splits syllables.
    if code < 0x0590 or 0x1E00 <= code <= 0x1FFF or 0x3040 <= code <= 0x30FF:
        return "".join(variants.get(part, part) for part in unicodedata.normalize("NFD", char))
    return char


_TABLE = _Table()


def reading_form(text: str) -> str:
    """The form in which texts and golds are compared."""
    return text.translate(_TABLE)


class ReadingText:
    """A stretch of an answer in its reading form, with the way back."""

    def __init__(self, answer: str, start: int, end: int) -> None:
        """Read ``answer[start:end]``."""
        self._part = answer[start:end]
        self._start = start
        self.text = reading_form(self._part)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the answer, in code points, that ``text[start:end]`` came from."""
        return self._start + self._place(start), self._start + self._place(end - 1) + 1

    def _place(self, index: int) -> int:
        """Which character of the part made the character at ``index``: its chunk, then by halving."""
        part, low, size = self._part, 0, len(self._part)
        if len(self.text) == size and part.isascii():
            return index
        for low in range(0, size, _CHUNK):
            made = len(part[low : low + _CHUNK].translate(_TABLE))
            if index < made:
                break
            index -= made
        first, high = low, min(size, low + _CHUNK) - 1
        while low < high:
            middle = (low + high) // 2
            if len(part[first : middle + 1].translate(_TABLE)) > index:
                high = middle
            else:
                low = middle + 1
        return low
