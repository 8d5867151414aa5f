"""The unit beside a number: its name behind the number, around it, or made of a length and what it is counted by."""

from __future__ import annotations

from homeground.judging.language import language_of
from homeground.judging.number_words import role
from homeground.judging.numerals import Number
from homeground.judging.scan import past_field
from homeground.judging.tokens import Tokens
from homeground.judging.units import Dimension, Form, fits_language, speed_unit, units

SQUARES = {
    "metre": "square_metre", "centimetre": "square_centimetre", "kilometre": "square_kilometre", "foot": "square_foot",
    "inch": "square_inch", "yard": "square_yard", "mile": "square_mile",
}  # fmt: skip
TALL = frozenset((
    "tall", "long", "wide", "high", "deep", "apart", "away", "thick", "across", "x", "by", "or", "and", "to", "from",
    "left",
))  # fmt: skip
"""Words behind a length that leave it one ("5 in tall", not "5 in the picture")."""
_QUOTES = ("'", '"')
_BETWEEN = frozenset(("-", "(", "[", "多", "余", "餘", "来", "來", "几", "幾", "数", "여"))
"""What may stand between a number and its unit."""
_BEFORE_SCALE = frozenset(("(", ",", "in", "on", "the", "en", "em", "по", "scale", "auf", "der", "의"))
_FEET = frozenset(("ft", "foot", "feet"))
"""Behind them, a figure counts inches: "6 ft 2"."""
_FIELD_ENDS = ([","], ['"'], ["'"])
_QUOTED = 12
"""Tokens before a mark within which another may have opened what it closes."""
_SIGN = 2
"""Letters of a unit's sign: with a doubtful number word before it, it is another word ("en mi")."""
_PER = "per "

Unit = tuple[Form | str, int]
"""A unit, as a form or by its name, and the index of the token after it."""


class UnitReader:
    """Finds the units of one dimension among the tokens of a text."""

    def __init__(self, dimension: Dimension, tokens: Tokens) -> None:
        """Read units of ``dimension`` in ``tokens``."""
        self._tokens = tokens
        self._dimension = dimension
        self.forms = units().forms[dimension]
        self._heads = units().heads[dimension]

    def named(self, form: Form) -> str:
        """The unit that a form stands for in the language of the text."""
        if not form.by_language:
            return form.unit
        return form.by_language.get(language_of(self._tokens, form.by_language)) or form.unit

    def head(self, index: int) -> tuple[str, int] | None:
        """A unit's first part that stands before the number: 時速, 摄氏, or the scale's name itself."""
        tokens = self._tokens
        if self._dimension == "speed" and (found := units().heads_per.at(tokens, index)):
            seconds = next(iter(found[0].values()))
            return f"{_PER}{seconds}", found[1]
        if self._dimension != "temperature":
            return None
        found_head = self._heads.at(tokens, index)
        if found_head is not None:
            kinds = sorted(found_head[0])
            return (kinds[0], found_head[1]) if len(kinds) == 1 else None
        scale = self.forms.at(tokens, index)
        if scale is None or scale[1] >= len(tokens):
            return None
        form = scale[0]
        return (form.unit, scale[1]) if form.alone and form.unit else None

    def behind(self, index: int, number: Number, head: str | None) -> Unit | None:
        """The unit behind a number: its form and the index after it."""
        tokens, size = self._tokens, len(self._tokens)
        if head is not None and not head.startswith(_PER):
            after = units().degree.at(tokens, index)
            direct = self.forms.at(tokens, index)
            if direct is not None and direct[0].unit == head:
                return direct[0], direct[1]
            return head, after[1] if after else index
        if index < size and tokens.keys[index] == "+" and tokens.glued(index):
            index += 1  # "10+ km"
        for _ in range(2):
            if index < size and tokens.keys[index] in _BETWEEN:
                index += 1
        if tokens.keys[index : index + 1] in _FIELD_ENDS:
            field = past_field(tokens, index)
            if field != index:
                return self._measure(field, number, head)
        if index >= size or "\n" in tokens.text[tokens.ends[index - 1] : tokens.starts[index]]:
            return None
        return self._measure(index, number, head)

    def _measure(self, index: int, number: Number, head: str | None) -> Unit | None:
        if self._dimension == "speed":
            return self._speed(index, number, head)
        if self._dimension == "area":
            return self._area(index, number)
        found = self._form(index, number)
        if self._dimension == "temperature":
            return found or self._scale(index, number)
        if found is None or self._is_longer_elsewhere(index, found[1]):
            return None
        return found

    def _form(self, index: int, number: Number) -> tuple[Form, int] | None:
        tokens = self._tokens
        found = self.forms.at(tokens, index, inflected=True)
        if found is None and number.languages and (of := role("of", tokens, index)):
            index = of[1]  # "une centaine de mètres"
            found = self.forms.at(tokens, index, inflected=True)
            if found and tokens.ends[found[1] - 1] - tokens.starts[index] < _SIGN:
                return None
        if found is None:
            return None
        form = found[0]
        if not fits_language(form, number.languages, risky=number.risky) or self.is_another_word(
            index, found[1]
        ):
            return None
        if not self.named(form):
            return None  # a word that is a unit in another language than the text's
        if (
            number.risky
            and found[1] == index + 1
            and tokens.keys[index].isascii()
            and len(tokens.keys[index]) <= _SIGN
        ):
            return None
        return form, found[1]

    def _scale(self, index: int, number: Number) -> tuple[Form, int] | None:
        """The scale behind words for a degree that name none: "degrees (Celsius)", "градусов по Цельсию"."""
        degree = units().degree.at(self._tokens, index, inflected=True)
        if degree is None:
            return None
        index = degree[1]
        if below := role("below_zero", self._tokens, index):
            index = below[1]
        for _ in range(3):
            if (found := self._form(index, number)) is not None:
                return found
            if index >= len(self._tokens) or self._tokens.keys[index] not in _BEFORE_SCALE:
                return None
            index += 1
        return None

    def _speed(self, index: int, number: Number, head: str | None) -> Unit | None:
        tokens = self._tokens
        found = self._form(index, number)
        length = units().forms["length"].at(tokens, index, inflected=True)
        if length is None or (found is not None and found[1] > length[1]):
            return found
        form = length[0]
        if head is not None:
            unit = speed_unit(self.named(form), float(head.removeprefix(_PER)))
            return (unit, length[1]) if unit else None
        if (tail := units().per.at(tokens, length[1])) is not None:
            unit = speed_unit(self.named(form), next(iter(tail[0].values())))
            if unit:
                return unit, tail[1]
        return found

    def _area(self, index: int, number: Number) -> Unit | None:
        tokens, table = self._tokens, units()
        found = self._form(index, number)
        before = table.square_before.at(tokens, index)
        begin = before[1] if before else index
        if before and begin < len(tokens) and tokens.keys[begin] == "-":
            begin += 1
        length = table.forms["length"].at(tokens, begin, inflected=True)
        if length is None:
            return found
        after = None if before else self._squared(length[1])
        square = SQUARES.get(length[0].unit)
        end = after[1] if after else length[1]
        if square is None or not (before or after) or (found is not None and found[1] >= end):
            return found
        return square, end

    def _squared(self, index: int) -> tuple[set[str], int] | None:
        """What makes an area of the length before it; the figure of "6 ft 2 in" does not."""
        tokens = self._tokens
        found = units().square_after.at(tokens, index)
        if found is None or not tokens.keys[index].isdigit():
            return found
        if tokens.keys[index - 1] in _QUOTES or self._is_cut_short(found[1]):
            return None
        lengths = units().forms["length"]
        if not tokens.glued(index) and (lengths.at(tokens, found[1]) or tokens.keys[index - 1] in _FEET):
            return None
        return found

    def _is_cut_short(self, end: int) -> bool:
        """Whether a figure before ``end`` counts the word glued behind it: "6ft2in"."""
        tokens = self._tokens
        if end >= len(tokens) or not tokens.glued(end):
            return False
        return tokens.keys[end - 1].isdigit() and tokens.keys[end].isascii() and tokens.is_word(end)

    def _is_longer_elsewhere(self, index: int, end: int) -> bool:
        """Whether a length is in truth part of a speed or an area ("5 km/h", "5 m²")."""
        tokens, table = self._tokens, units()
        if table.per.at(tokens, end) or self._squared(end):
            return True
        for dimension in ("speed", "area"):
            other = table.forms[dimension].at(tokens, index)
            if other is not None and other[1] > end and not self.is_another_word(index, other[1]):
                return True
        return False

    def is_another_word(self, index: int, end: int) -> bool:
        """Whether signs and short words behind a number are no unit after all."""
        tokens = self._tokens
        key = tokens.keys[index]
        if end > index + 1 and self._is_cut_short(end):
            return True
        if key in _QUOTES:
            return not tokens.glued(index) or self._closes(index) or self._is_genitive(index)
        if key == "in" and end == index + 1 and end < len(tokens):
            if tokens.is_word(end):
                return tokens.keys[end] not in TALL
            return not tokens.glued(index) and tokens.is_number(end)  # "1 in 5"
        return False

    def _closes(self, index: int) -> bool:
        """Whether a mark closes what another has opened: 'about 6', "the 12"."""
        tokens = self._tokens
        key = tokens.keys[index]
        for place in range(index - 1, max(-1, index - _QUOTED), -1):
            if tokens.keys[place] == key:
                touches = tokens.ends[place] == tokens.starts[place + 1]
                return touches and not (place > 0 and tokens.glued(place) and tokens.is_word(place - 1))
            if tokens.keys[place] in _QUOTES and tokens.is_number(place - 1):
                return False  # 5'11"
        return False

    def _is_genitive(self, index: int) -> bool:
        """Whether a mark is the apostrophe of "the 90's"."""
        tokens = self._tokens
        return index + 1 < len(tokens) and tokens.keys[index + 1] == "s" and tokens.glued(index + 1)
