"""Numbers in digits: grouping and decimals as the world writes them, and fractions."""

from __future__ import annotations

import re
import unicodedata

from homeground.judging.tokens import FRACTIONS, Tokens

_DENOMINATORS = frozenset((2, 3, 4, 5, 6, 8, 10, 16))
_GROUP = re.compile(r"\d{1,3}\.\d{3}")


def digits_at(tokens: Tokens, index: int) -> tuple[float | None, int, float | None]:
    """A number in digits, with a fraction behind it or as one: value, index after it, value if its stop groups."""
    keys, size = tokens.keys, len(tokens)
    if keys[index] in FRACTIONS:
        return unicodedata.numeric(keys[index]), index + 1, None
    value = value_of(keys[index])
    if value is None:
        return None, index, None
    over = _fraction(tokens, index)
    if over is not None:
        return over, index + 3, None
    if index + 1 < size and keys[index + 1] in FRACTIONS:
        return value + unicodedata.numeric(keys[index + 1]), index + 2, None
    if index + 1 < size and value == int(value):
        hyphen = keys[index + 1] == "-"  # "1-1/2"
        begin = index + 1 + hyphen
        if begin < size and tokens.glued(index + 1) == hyphen == (hyphen and tokens.glued(begin)):
            more = _fraction(tokens, begin)
            if more is not None and more < 1:
                return value + more, begin + 3, None
    grouped = None
    if _GROUP.fullmatch(keys[index]) and keys[index][0] != "0":
        grouped = float(keys[index].replace(".", ""))
    return value, index + 1, grouped


def _fraction(tokens: Tokens, index: int) -> float | None:
    """ "3/4": a numerator, a stroke and a denominator of daily life, glued together."""
    if index + 2 >= len(tokens) or tokens.keys[index + 1] not in ("/", "⁄"):
        return None
    top, bottom = tokens.keys[index], tokens.keys[index + 2]
    if not (top.isdecimal() and bottom.isdecimal() and tokens.glued(index + 1) and tokens.glued(index + 2)):
        return None
    goes_on = index + 3 < len(tokens) and tokens.keys[index + 3] == "/" and tokens.glued(index + 3)
    if goes_on or len(top) > 3 or len(bottom) > 2 or int(bottom) not in _DENOMINATORS:
        return None
    return int(top) / int(bottom)


def value_of(text: str) -> float | None:
    """The value of digits with grouping and a decimal sign; ``None`` where it cannot be told."""
    plain = text.replace(" ", "").replace("'", "")
    marks = [char for char in plain if char in ".,"]
    if len(set(marks)) == 2:
        # Two kinds of mark: the last one is the decimal sign, once.
        decimal = marks[-1]
        plain = plain.replace("," if decimal == "." else ".", "")
        if plain.count(decimal) > 1:
            return None
        plain = plain.replace(decimal, ".")
    elif len(marks) > 1:
        plain = plain.replace(marks[0], "")
    elif marks == [","]:
        head, tail = plain.split(",")
        plain = head + tail if len(tail) == 3 and head not in ("", "0") else f"{head}.{tail}"
    return float(plain)
