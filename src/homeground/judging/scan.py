"""What readers of measures and of money share: where numbers begin, ranges go on, and a form is the whole answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from homeground.judging.glued_numbers import is_glued
from homeground.judging.lexicon import ATTACHED_BEFORE
from homeground.judging.number_words import Languages, role, tables
from homeground.judging.numerals import Number, number_starts, read_numbers
from homeground.judging.tokens import Tokens

BETWEEN_REACH = 3
"""Tokens after "between" within which its first number begins."""
_MOST = 1_500
"""Places that are read at the beginning of a text, and again at its end."""
_TAIL = 3_000
"""Tokens at the end of a long text."""
_ANY = frozenset((".", *ATTACHED_BEFORE))
_WHOLE = 8
"""Tokens that are looked at on either side of a form that may be the whole answer."""
_LONGEST_FORM = 4
WORD = 4
"""Letters from which a form is a word of its own, so that "a" before it can only mean one of them."""
_ONE_VOWEL = frozenset(("a", "an"))
_QUOTES = frozenset(('"', "'"))
_LONGEST_NAME = 6
"""Tokens of the name of a field with its quotes."""
_LONGEST_FIGURE = 9
_VAGUE_REACH = 3
"""Tokens of the longest vague amount before a power ("a couple of")."""
_CLOSE = 1.5
"""How much larger the second of two numbers with a stroke between them may be for the two to be a range."""


class Places:
    """Goes from place to place where something can begin, and not to too many of them.

    What stands between is passed over at the cost of one look. A text of thousands of such places is nobody's answer
    to a question: its beginning and its end are read, so that reading takes time linear in the length of any text.
    """

    def __init__(self, tokens: Tokens, starts: frozenset[str]) -> None:
        """Look for ``starts`` and for numbers in ``tokens``."""
        self._keys = tokens.keys
        self._starts = starts
        self._left = _MOST

    def next(self, index: int) -> int:
        """The first place from a token on where something can begin; the number of tokens where there is none."""
        keys, starts, size = self._keys, self._starts, len(self._keys)
        while index < size:
            key = keys[index]
            if key in starts or key[0].isdigit() or key[0] in _ANY or is_glued(key):
                break
            index += 1
        self._left -= 1
        if self._left == 0 and index < size - _TAIL:
            self._left = _MOST
            return self.next(size - _TAIL)
        return index


@cache
def amount_starts() -> frozenset[str]:
    """Every token that a number, an article or a vague amount before a unit, or a range can begin with."""
    roles = [tables().roles[name].starts for name in ("articles", "vague")]
    return number_starts().union(_ONE_VOWEL, tables().between.starts, *roles)


def one_or_some(tokens: Tokens, index: int) -> Iterator[tuple[float | None, Languages, int]]:
    """An article (one) or a vague amount (no value) at a token, with its languages and the index after it."""
    for name, value in (("articles", 1.0), ("vague", None)):
        found = role(name, tokens, index)
        if found is None and name == "articles" and tokens.keys[index] in _ONE_VOWEL:
            found = frozenset(("en",)), index + 1
        if found:
            yield value, *found


def and_a_half(tokens: Tokens, index: int) -> tuple[float, int] | None:
    """What stands behind a unit and adds a part of one ("and a half"), with the index after it."""
    more = tables().added.at(tokens, index)
    if more is None or tokens.keys[index].isdigit():
        return None
    return next(iter(more[0].values())), more[1]


def is_sign(tokens: Tokens, index: int) -> bool:
    """Whether a word or dash for "minus" is a sign: a dash only where it is glued to the number alone."""
    if tokens.keys[index] != "-":
        return True
    if index + 1 >= len(tokens) or not tokens.glued(index + 1):
        return False
    return not (tokens.glued(index) and tokens.keys[index - 1][0].isalnum())


def is_part_of_a_name(tokens: Tokens, index: int) -> bool:
    """Whether digits are glued to Latin letters before them ("A4"), the sign of a product aside ("3x4")."""
    if not tokens.is_number(index) or not tokens.glued(index):
        return False
    before = tokens.keys[index - 1]
    return before.isascii() and before[0].isalpha() and before != "x"


def is_whole(tokens: Tokens, start: int, end: int) -> bool:
    """Whether a form is all that an answer says, signs aside."""
    size = len(tokens)
    if (
        not tokens.is_word(start)
        or tokens.ends[end - 1] - tokens.starts[start] < 2
        or end - start > _LONGEST_FORM
        or start >= _WHOLE
        or size - end >= _WHOLE
    ):
        return False
    return not any(tokens.keys[index][0].isalnum() for index in (*range(start), *range(end, size)))


def past_field(tokens: Tokens, index: int) -> int:
    """Past the name of the next field of a record: ``25, "unit": "`` lets its unit stand right behind the number."""
    keys, size = tokens.keys, len(tokens)
    begin = index + 1 if index < size and keys[index] in _QUOTES else index
    if begin >= size or keys[begin] != ",":
        return index
    begin += 1
    while begin < size and keys[begin] == "\n":
        begin += 1
    if begin >= size or keys[begin] not in _QUOTES:
        return index
    for end in range(begin + 2, min(begin + _LONGEST_NAME, size - 1)):
        if keys[end] in _QUOTES:
            if keys[end + 1] != ":":
                return index
            return end + 3 if end + 2 < size and keys[end + 2] in _QUOTES else end + 2
    return index


def slash_range(tokens: Tokens, number: Number) -> int | None:
    """The index after the stroke of "25/26", if two whole numbers that lie close together stand on either side.

    ``number`` stands before the stroke.
    """
    index = number.end
    if index + 1 >= len(tokens) or tokens.keys[index] != "/" or not tokens.keys[index - 1].isdecimal():
        return None
    high = tokens.keys[index + 1]
    if not (tokens.glued(index) and tokens.glued(index + 1) and high.isdecimal() and high[0] != "0"):
        return None
    low = number.value
    return index + 1 if low < int(high[:_LONGEST_FIGURE]) <= _CLOSE * low else None


def range_joint(tokens: Tokens, index: int, *, between: bool) -> int | None:
    """The index after what joins the two ends of a range ("-", "to"; "and" behind "between")."""
    joint = role("to", tokens, index)
    if joint is None and between and (middle := tables().middle.at(tokens, index)):
        return middle[1]
    return joint[1] if joint else None


def shared_power(low: float, numbers: list[Number]) -> float:
    """The low end of a range, multiplied by what follows the high end alone: "10 to 15 thousand".

    Args:
        low: as it was said.
        numbers: the readings of the high end, the longest first.
    """
    power = numbers[0].value / numbers[-1].value if numbers[-1].value else 1.0
    return low * power if power >= 10 and low < numbers[-1].value else low


def is_vague(tokens: Tokens, index: int) -> bool:
    """Whether a power of ten stands for no number: "a few hundred", "thousands of"."""
    if not tables().powers.at(tokens, index):
        return False
    if role("vague", tokens, index):
        return True
    near = (role("vague", tokens, place) for place in range(max(0, index - _VAGUE_REACH), index))
    return any(found is not None and found[1] >= index for found in near)


def skip(tokens: Tokens, index: int) -> int:
    """Past a token, or past a number in digits that no unit follows."""
    if not tokens.keys[index][0].isdigit():
        return index + 1
    numbers = read_numbers(tokens, index, short_suffixes=False)
    return max(index + 1, numbers[-1].end if numbers else 0)
