"""Measures: which unit, of which system, with which value."""

from __future__ import annotations

from functools import cache

from homeground.judging.found import Amount, Finding, Value, combined, findings
from homeground.judging.language import language_of
from homeground.judging.number_words import Languages, role, tables
from homeground.judging.numerals import Number, read_numbers
from homeground.judging.products import read_product
from homeground.judging.scan import (
    BETWEEN_REACH,
    WORD,
    Places,
    amount_starts,
    and_a_half,
    is_part_of_a_name,
    is_sign,
    is_vague,
    is_whole,
    one_or_some,
    past_field,
    range_joint,
    shared_power,
    skip,
    slash_range,
)
from homeground.judging.text import Folded
from homeground.judging.tokens import Tokens
from homeground.judging.unit_reader import Unit, UnitReader
from homeground.judging.units import DIMENSION_OF, Dimension, Form, fits_language, speed_unit, units
from homeground.schema import Concept, Reading

_ABOUT = frozenset(
    ("約", "约", "大", "약", "~", "≈", "about", "approx", ".", "ca", "環", "तकरीबन", "लगभग", "حدود", "تقريبا")
)
_BARE = {"foot": "inch", "metre": "centimetre"}
"""What a bare number glued behind a unit counts: 5'3, 1m80."""
_TENTHS = 10
_TALLEST = {"inch": 12.0, "centimetre": 2.0}
_COMPOUNDS = frozenset((
    ("foot", "inch"), ("yard", "foot"), ("yard", "inch"), ("mile", "yard"), ("mile", "foot"), ("metre", "centimetre"),
    ("kilometre", "metre"), ("centimetre", "millimetre"), ("chi", "cun"), ("shaku", "sun"),
))  # fmt: skip
_QUOTES = frozenset(("'", '"'))


def read_measure(concept: Concept, folded: Folded) -> Reading:
    """Read an answer about temperature, distance, speed or size.

    Without a unit the reading has status ``none`` and, as its value, the first number there is.
    """
    tokens = Tokens(folded.text)
    found, bare = find_measures(concept, tokens)
    amounts = [finding.amount for finding in found if not finding.denied]
    if not amounts:
        return Reading(status="none", value=bare)
    systems = tuple(dict.fromkeys(amount.system for amount in amounts))
    first = next((a for a in amounts if a.value is not None and a.system == systems[0]), amounts[0])
    return Reading(
        status="ok" if len(systems) == 1 else "both",
        found=systems,
        value=first.value,
        unit=first.unit,
        span=folded.span(tokens.starts[first.start], tokens.ends[first.end - 1]),
    )


def find_measures(concept: Concept, tokens: Tokens) -> tuple[list[Finding], Value]:
    """Every measure of a concept's dimension, and the first number beside which no unit stands."""
    scanner = _Scanner(concept, tokens)
    return findings(tokens, combined(tokens, scanner.amounts(), _smaller)), scanner.bare


def _smaller(one: str, two: str) -> float | None:
    if (one, two) not in _COMPOUNDS:
        return None
    big, small = units().unit[one].factor, units().unit[two].factor
    return None if big is None or small is None else big / small


@cache
def _starts(dimension: Dimension) -> frozenset[str]:
    """Every token that something can begin with: a number, a sign, a unit."""
    table = units()
    minus = tables().roles["minus"].starts
    lengths = (table.forms["length"].starts, table.heads_per.starts) if dimension in ("speed", "area") else ()
    return amount_starts().union(
        table.forms[dimension].starts,
        table.heads[dimension].starts,
        minus,
        *lengths,
    )


class _Scanner:
    """Goes through the tokens once, from number to number and unit to unit."""

    def __init__(self, concept: Concept, tokens: Tokens) -> None:
        self._tokens = tokens
        self._dimension = DIMENSION_OF[concept]
        self._units = UnitReader(self._dimension, tokens)
        self._last = -1
        """Index of the token after the last amount."""
        self.bare: Value = None
        """The first number beside which no unit stands."""

    def amounts(self) -> list[Amount]:
        tokens, found = self._tokens, list[Amount]()
        places = Places(tokens, _starts(self._dimension))
        index, size, between = places.next(0), len(tokens), -BETWEEN_REACH - 1
        while index < size:
            if tables().between.at(tokens, index):
                between = index
            here = self._measure(index, ranged=index - between <= BETWEEN_REACH)
            if here is None:
                here = self._alone(index)
            if here is not None:
                found.append(here)
                index = self._last = here.end
                if bare := self._bare_part(here):
                    found.append(bare)
                    index = bare.end
            else:
                index = skip(tokens, index)
            index = places.next(index)
        return found

    # ---- a number and its unit -----------------------------------------------------------------

    def _measure(self, index: int, *, ranged: bool) -> Amount | None:
        tokens = self._tokens
        start, negative = index, False
        signed = role("minus", tokens, index)
        if signed and is_sign(tokens, index):
            index, negative = signed[1], True
        head = self._units.head(index)
        begin = index if head is None else head[1]
        if head is not None:
            negative = negative or any(role("minus", tokens, place) for place in range(index, begin))
            if inside := role("minus", tokens, begin):
                begin, negative = inside[1], True
            while begin < len(tokens) and tokens.keys[begin] in _ABOUT:
                begin += 1
        if begin >= len(tokens) or (begin != self._last and is_part_of_a_name(tokens, begin)):
            return None
        numbers = self._numbers(begin)
        for number in numbers:
            unit = self._units.behind(number.end, number, head[0] if head else None)
            if unit is not None:
                value = None if is_vague(tokens, begin) else self._value(number, unit[0], negative=negative)
                return self._amount(unit, value, start)
            spread = self._spread(number, ranged=ranged, head=head[0] if head else None, negative=negative)
            if spread is not None:
                return self._amount(*spread, start)
        if numbers and self.bare is None:
            value, end = numbers[0].value, numbers[0].end
            if self._dimension == "temperature":
                degree = units().degree.at(tokens, end, inflected=True)
                below = role("below_zero", tokens, degree[1] if degree else end)
                value = -abs(value) if negative or below else value
            self.bare = value
        return None

    def _numbers(self, index: int) -> list[Number]:
        tokens = self._tokens
        numbers = read_numbers(tokens, index, short_suffixes=False)
        if numbers:
            return numbers
        for value, languages, end in one_or_some(tokens, index):
            if self._is_long_form(end, languages):
                return [Number(value if value is not None else float("nan"), end, languages)]
        return []

    def _is_long_form(self, index: int, languages: Languages) -> bool:
        """Whether a unit's word of these languages stands here ("a mile", but not Spanish "varios miles")."""
        found = self._units.forms.at(self._tokens, index)
        text = self._tokens.text
        return (
            found is not None
            and fits_language(found[0], languages, risky=True)
            and self._tokens.ends[found[1] - 1] - self._tokens.starts[index] >= WORD
            and text[self._tokens.starts[index]].isalpha()
        )

    def _value(self, number: Number, unit: Form | str, *, negative: bool) -> float | None:
        value = number.value
        if value != value:
            return None
        if number.grouped is not None and isinstance(unit, Form) and self._groups_with_stops(unit):
            value = number.grouped
        return -value if negative and self._dimension == "temperature" else value

    def _groups_with_stops(self, unit: Form) -> bool:
        """Whether a full stop groups thousands in the language of a unit's word or of the text."""
        comma = tables().comma
        written = {code.partition("-")[0] for code in unit.languages}
        if "any" not in written and "en" not in written and written <= comma:
            return True
        return language_of(self._tokens, {*comma, "en"}) in comma

    def _spread(
        self, number: Number, *, ranged: bool, head: str | None, negative: bool
    ) -> tuple[Unit, Value] | None:
        """The other end of a range whose unit stands once, behind it; or what a "±" allows, left aside."""
        tokens = self._tokens
        end = number.end
        if self._dimension == "temperature" and (degree := units().degree.at(tokens, end)):
            end = degree[1]
        begin = range_joint(tokens, end, between=ranged) or slash_range(tokens, number)
        spread = begin is None and end < len(tokens) and tokens.keys[end] == "±"
        if spread:
            begin = end + 1
        if begin is None or begin >= len(tokens):
            return None
        again = role("minus", tokens, begin) if self._dimension == "temperature" else None
        others = read_numbers(tokens, again[1] if again else begin, short_suffixes=False)
        for other in others:
            unit = self._units.behind(other.end, other, head)
            if unit is None:
                continue
            low = self._value(number, unit[0], negative=negative)
            if low is not None:
                low = shared_power(low, others[others.index(other) :])
            high = self._value(other, unit[0], negative=again is not None)
            if spread or low is None or high is None or low >= high:
                return unit, low
            return unit, (low, high)
        return None

    def _amount(self, unit: Unit, value: Value, start: int) -> Amount:
        form, end = unit
        name = form if isinstance(form, str) else self._units.named(form)
        if isinstance(value, float):
            if more := and_a_half(self._tokens, end):
                value, end = value + more[0], more[1]
            if self._dimension == "temperature":
                below = role("below_zero", self._tokens, end)
                inside = any(role("below_zero", self._tokens, place) for place in range(start + 1, end))
                value, end = (-abs(value) if below or inside else value), (below[1] if below else end)
        elif isinstance(value, tuple) and value[0] == 0 and role("below_zero", self._tokens, end):
            value = -value[1]  # शून्य से 5 डिग्री नीचे
        return Amount(name, units().unit[name].system, value, start, end)

    # ---- the rest ------------------------------------------------------------------------------

    def _alone(self, index: int) -> Amount | None:
        """A unit without a number: a form that can mean nothing else, or one that is the whole answer."""
        tokens = self._tokens
        if self._dimension == "area" and (product := read_product(tokens, index)):
            return product
        found = self._units.forms.at(tokens, index)
        if found is None:
            found = self._units.forms.at(tokens, index, inflected=True)
        end = found[1] if found else index
        form = found[0] if found else None
        if self._dimension == "speed":
            length = units().forms["length"].at(tokens, index)
            tail = units().per.at(tokens, length[1]) if length else None
            if length and tail and tail[1] > end and len(tokens.keys[index]) >= WORD:
                unit = speed_unit(length[0].unit, next(iter(tail[0].values())))
                if unit:
                    return Amount(unit, units().unit[unit].system, None, index, tail[1])
        if form is None or not form.unit:
            return None
        value, last = (None, end) if tokens.keys[index] in _QUOTES else self._labelled(end)
        if value is not None:
            return Amount(form.unit, units().unit[form.unit].system, value, index, last)
        if not form.alone and not is_whole(tokens, index, end):
            return None
        return Amount(form.unit, units().unit[form.unit].system, None, index, end)

    def _labelled(self, index: int) -> tuple[float | None, int]:
        """The value that follows a unit's name: "Temperature in Celsius: 25", "a kilometre and a half"."""
        tokens = self._tokens
        if more := and_a_half(tokens, index):
            return 1.0 + more[0], more[1]
        begin = past_field(tokens, index)
        if begin == index:
            begin = index + (index < len(tokens) and tokens.keys[index] == ")")
            begin = begin + 1 if begin < len(tokens) and tokens.keys[begin] in (":", "=") else index
        if index < begin < len(tokens):
            again = role("minus", tokens, begin) if self._dimension == "temperature" else None
            numbers = read_numbers(tokens, again[1] if again else begin, short_suffixes=False)
            if numbers and not any(self._units.behind(number.end, number, None) for number in numbers):
                return -numbers[-1].value if again else numbers[-1].value, numbers[-1].end
        return None, index

    def _bare_part(self, amount: Amount) -> Amount | None:
        """The smaller unit that a number glued behind a larger one counts: 5'3, 1m80."""
        tokens, small = self._tokens, _BARE.get(amount.unit)
        index = amount.end
        if small is None or not isinstance(amount.value, float):
            return None
        joined = role("joiners", tokens, index)
        begin = joined[1] if joined else index
        numbers = read_numbers(tokens, begin, short_suffixes=False) if begin < len(tokens) else []
        if not numbers:
            return None
        value, end = numbers[0].value, numbers[0].end
        if tokens.keys[index - 1] == "米" and value < _TENTHS and tokens.glued(index):
            value *= _TENTHS  # "1米8"
        most = (0, 12) if small == "inch" else (10, 100)
        if (
            not most[0] <= value < most[1]
            or value != int(value)
            or self._units.forms.at(tokens, end, inflected=True)
        ):
            return None
        # Apart from the unit it is a part only of a height, with no word behind it: "1 m 80", "um metro e oitenta".
        goes_on = end < len(tokens) and tokens.is_word(end)
        if not tokens.glued(index) and (goes_on or amount.value > _TALLEST[small]):
            return None
        return Amount(small, amount.system, value, index, end)
