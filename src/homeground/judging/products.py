"""Areas given as a product of two lengths: "3 m × 4 m", "10 by 13 feet"."""

from __future__ import annotations

from homeground.judging.found import Amount
from homeground.judging.numerals import read_numbers
from homeground.judging.scan import is_part_of_a_name
from homeground.judging.tokens import Tokens
from homeground.judging.unit_reader import SQUARES, TALL, UnitReader
from homeground.judging.units import units


def read_product(tokens: Tokens, index: int) -> Amount | None:
    """The area that a product of two lengths beginning at a token gives, in the square of the second's unit."""
    if is_part_of_a_name(tokens, index) or not tokens.keys[index][0].isalnum():
        return None
    lengths = UnitReader("length", tokens)
    for one in read_numbers(tokens, index, short_suffixes=False):
        length, end = _length(lengths, tokens, one.end)
        times = units().times.at(tokens, end)
        if times is None or times[1] >= len(tokens):
            continue
        for two in read_numbers(tokens, times[1], short_suffixes=False):
            other, last = _length(lengths, tokens, two.end)
            if other is None or other not in SQUARES:
                continue
            factor = 1.0
            if length is not None and length != other:
                factor = (units().unit[length].factor or 1.0) / (units().unit[other].factor or 1.0)
            square = SQUARES[other]
            return Amount(square, units().unit[square].system, one.value * factor * two.value, index, last)
    return None


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
    return lengths.named(next(iter(found[0].values()))), end
