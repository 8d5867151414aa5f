"""Areas given as a product of two lengths: "3 m × 4 m", "10 by 13 feet"."""

from __future__ import annotations

from homeground.judging.found import Amount
from homeground.judging.number_words import role
from homeground.judging.numerals import read_numbers
from homeground.judging.scan import is_part_of_a_name
from homeground.judging.tokens import Tokens
from homeground.judging.unit_reader import SQUARES, TALL, UnitReader
from homeground.judging.units import units

_TO_OTHER = frozenset((",", "、", "\n", ";", "-", "a", "its", "the"))
"""What may stand between the first side and the name of the second, words for "and" aside."""
_TO_NUMBER = frozenset((":", "=", "of", "de", "is", "約", "约", "약", "~", "about", "为", "は", "が"))
"""What may stand between the name of the second side and its length."""
_LISTED = ([","], ["、"])
_TO_SIDE = 4
_COUNTING = frozenset(("%", ":", "/", "°", "$", "€", "£"))


def read_product(tokens: Tokens, index: int) -> Amount | None:
    """The area that a product of two lengths beginning at a token gives, in the square of the second's unit."""
    if is_part_of_a_name(tokens, index) or not tokens.keys[index][0].isalnum():
        return None
    lengths = UnitReader("length", tokens)
    for one in read_numbers(tokens, index, short_suffixes=False):
        length, end = _length(lengths, tokens, one.end)
        named = _names_side(tokens, end)
        behind = units().side.at(tokens, end) if length is not None else None
        if behind and behind[1] < len(tokens) and not tokens.is_number(behind[1]):
            named, end = True, behind[1]  # "5 m lang und", not "5 m, Breite 4 m"
        if end < len(tokens) and tokens.keys[end] == "-" and units().times.at(tokens, end + 1):
            end += 1  # "12-by-14-foot"
        times = units().times.at(tokens, end)
        side = _other_side(tokens, end) if length is not None else None
        joined = role("joiners", tokens, end)
        listed = named and side is None and times is None
        comma = end + 1 if tokens.keys[end : end + 1] in _LISTED else len(tokens)
        begin = side or (times[1] if times else (joined[1] if joined else comma) if listed else len(tokens))
        if begin + 1 < len(tokens) and tokens.keys[begin] == "-" and tokens.glued(begin):
            begin += 1
        if begin >= len(tokens):
            continue
        for two in read_numbers(tokens, begin, short_suffixes=False):
            other, last = _length(lengths, tokens, two.end)
            if other is None and length is not None and _stands_alone(tokens, two.end):
                other, last = length, two.end  # "4 metres by 3"
            if other is None or other not in SQUARES:
                continue
            if listed and not (_names_side(tokens, last) or units().side.at(tokens, last)):
                continue  # "5 m long, 4 m wide" is an area, "5 m long, 4 m high" none
            factor = 1.0
            if length is not None and length != other:
                factor = (units().unit[length].factor or 1.0) / (units().unit[other].factor or 1.0)
            square = SQUARES[other]
            return Amount(square, units().unit[square].system, one.value * factor * two.value, index, last)
    return None


def _other_side(tokens: Tokens, index: int) -> int | None:
    """The index of the second number in "5 m, width 4 m": the name of a side stands before it."""
    table, size = units().side, len(tokens)
    named = table.at(tokens, index)
    index = named[1] if named and not tokens.is_number(min(named[1], size - 1)) else index
    for _ in range(_TO_SIDE):
        if index >= size:
            return None
        if found := table.at(tokens, index):
            begin = found[1]
            while begin < size and begin < found[1] + _TO_SIDE and tokens.keys[begin] in _TO_NUMBER:
                begin += 1
            return begin
        joined = role("joiners", tokens, index)
        if joined is None and tokens.keys[index] not in _TO_OTHER:
            return None
        index = joined[1] if joined else index + 1
    return None


def _names_side(tokens: Tokens, end: int) -> bool:
    """Whether the token before an index names a side."""
    named = units().side.at(tokens, end - 1)
    return named is not None and named[1] == end


def _stands_alone(tokens: Tokens, index: int) -> bool:
    """Whether a number counts nothing else: no word follows it but those that go with a length."""
    return (
        index >= len(tokens)
        or tokens.keys[index] in TALL
        or units().side.at(tokens, index) is not None
        or not (tokens.is_word(index) or tokens.keys[index] in _COUNTING)
    )


def _length(lengths: UnitReader, tokens: Tokens, index: int) -> tuple[str | None, int]:
    """A length's unit with what may stand behind it ("m long"), or nothing at all."""
    if index < len(tokens) and tokens.keys[index] == "-":
        index += 1
    found = lengths.forms.at(tokens, index, inflected=True)
    if found is None or lengths.is_another_word(index, found[1]):
        return None, index
    end = found[1]
    if end < len(tokens) and tokens.keys[end] in TALL and not units().times.at(tokens, end):
        end += 1
    return lengths.named(found[0]), end
