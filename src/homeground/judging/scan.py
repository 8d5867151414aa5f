"""What readers of measures and of money share: where numbers begin, ranges go on, and a form is the whole answer."""

from __future__ import annotations

from homeground.judging.lexicon import ATTACHED_BEFORE
from homeground.judging.number_words import role, tables
from homeground.judging.numerals import Number, is_glued, read_numbers
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


def skip(tokens: Tokens, index: int) -> int:
    """Past a token, or past a number in digits that no unit follows."""
    if not tokens.keys[index][0].isdigit():
        return index + 1
    numbers = read_numbers(tokens, index, short_suffixes=False)
    return max(index + 1, numbers[-1].end if numbers else 0)
