"""Money: which currency, with the ambiguity of a sign that several share, and how much."""

from __future__ import annotations

from functools import cache

from homeground.judging.currencies import TEN, currencies
from homeground.judging.currency_reader import CurrencyForm, currency_at
from homeground.judging.found import Amount, Finding, Value, combined, findings
from homeground.judging.number_words import role, tables
from homeground.judging.numerals import Number, read_numbers
from homeground.judging.scan import (
    BETWEEN_REACH,
    WORD,
    Places,
    amount_starts,
    and_a_half,
    is_part_of_a_name,
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
from homeground.schema import Reading

_BETWEEN = frozenset(("-", "(", "多", "余", "餘", "来", "來", "几", "幾"))
"""What may stand between a number and its currency."""


def read_money(folded: Folded) -> Reading:
    """Read an answer about a price.

    A sign that exactly one of the published ten currencies uses is that currency, others are ``candidates``; one that
    several of them use is ``ambiguous``.
    """
    tokens = Tokens(folded.text)
    reader = _MoneyReader(tokens)
    found_amounts = findings(tokens, combined(tokens, reader.amounts(), reader.smaller))
    amounts = [finding.amount for finding in found_amounts if not finding.denied]
    if not amounts:
        return Reading(status="none", value=reader.bare)
    resolved = [_resolved(amount.system.split("/")) for amount in amounts]
    common = set.intersection(*(set(names) for names in resolved))
    first = next((a for a in amounts if a.value is not None), amounts[0])
    raw = set.intersection(*(set(amount.system.split("/")) for amount in amounts))
    if common:
        status, found = ("ok" if len(common) == 1 else "ambiguous"), tuple(sorted(common))
    else:
        status, found = "both", tuple(dict.fromkeys("/".join(names) for names in resolved))
    return Reading(
        status=status,  # type: ignore[arg-type]
        found=found,
        value=first.value,
        unit=_unit(reader, first, found[0].split("/")[:1] if status == "both" else list(found)),
        candidates=tuple(sorted(raw - set(found))) if common else (),
        span=folded.span(tokens.starts[first.start], tokens.ends[first.end - 1]),
    )


def _unit(reader: _MoneyReader, amount: Amount, codes: list[str]) -> str | None:
    """The unit of an amount, where the currencies that it can be agree on it (a sign's do not: yuan or yen)."""
    names = {reader.unit(amount, code) for code in codes}
    return names.pop() if len(names) == 1 else None


def find_money(tokens: Tokens) -> list[Finding]:
    """Every amount of money, in order."""
    reader = _MoneyReader(tokens)
    return findings(tokens, combined(tokens, reader.amounts(), reader.smaller))


def currencies_of(amount: Amount) -> tuple[str, ...]:
    """The currencies that an amount is taken for."""
    return _resolved(amount.system.split("/"))


def _resolved(codes: list[str]) -> tuple[str, ...]:
    """The currencies among the ten, where there are any."""
    return tuple(code for code in codes if code in TEN) or tuple(codes)


@cache
def _starts() -> frozenset[str]:
    """Every token that something can begin with: a number, a currency."""
    codes = {code.lower() for code in currencies().codes}
    return amount_starts().union(currencies().forms.starts, codes)


class _MoneyReader:
    """Goes through the tokens once, from number to number and currency to currency."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._units: dict[int, dict[str, str]] = {}
        self.bare: Value = None
        """The first number beside which no currency stands."""

    def unit(self, amount: Amount, code: str) -> str:
        """The unit of an amount, if it is of this currency."""
        return self._units[amount.start].get(code, amount.unit)

    def smaller(self, one: str, two: str) -> float | None:
        """How many of a subunit make one of a currency's unit."""
        table = currencies()
        for (code, name), per in table.per.items():
            if name == two and table.names.get(code, code) == one:
                return per
        return None

    def amounts(self) -> list[Amount]:
        """Everything that is said of money, in order."""
        tokens, found = self._tokens, list[Amount]()
        places = Places(tokens, _starts())
        index, size, between = places.next(0), len(tokens), -BETWEEN_REACH - 1
        while index < size:
            if tables().between.at(tokens, index):
                between = index
            ranged = index - between <= BETWEEN_REACH
            here = self._before(index) or self._behind(index, ranged=ranged) or self._alone(index)
            if here is None:
                index = places.next(skip(tokens, index))
                continue
            found.append(here)
            index = here.end
            if bare := self._bare_part(here):
                found.append(bare)
                index = bare.end
            index = places.next(index)
        return found

    # ---- numbers with their currency ---------------------------------------------------------------

    def _before(self, index: int) -> Amount | None:
        """A currency before its number: "$5", "EUR 40", "Rs. 250", "$5-10"."""
        form = currency_at(self._tokens, index, before=True)
        if form is None:
            return None
        tokens, begin = self._tokens, past_field(self._tokens, form.end)
        while begin < len(tokens) and tokens.keys[begin] in (".", ":", "~", "約", "约", "약"):
            begin += 1
        if begin >= len(tokens) or (tokens.keys[begin] == "-" and not tokens.glued(begin)):
            return None
        if (
            not tokens.is_number(begin)
            and tokens.is_word(form.end - 1)
            and not self._tokens.keys[begin][0].isalpha()
        ):
            return None
        numbers = self._numbers(begin)
        if not numbers or not (tokens.is_number(begin) or form.end - index >= 1):
            return None
        number = numbers[0]
        behind = currency_at(self._tokens, self._past(number.end), before=False)
        if behind is not None:
            both = {c: u for c, u in behind.units.items() if c in form.units}
            if both and not self._begins_another(behind.end):
                return self._amount(both, self._value(number), index, behind.end)
        spread = self._spread(number, ranged=False)
        if spread is not None and currency_at(self._tokens, spread[0].end, before=False) is None:
            low, high = shared_power(self._value(number), spread[1]), self._value(spread[0])
            if low < high:
                return self._amount(form.units, (low, high), index, spread[0].end)
        return self._amount(form.units, self._value(number), index, number.end)

    def _behind(self, index: int, *, ranged: bool) -> Amount | None:
        """A number with its currency behind it: "150 reais", "1万5千円", "20-25 €"."""
        if is_part_of_a_name(self._tokens, index):
            return None
        numbers = self._numbers(index)
        for number in numbers:
            form = self._fitting(number)
            if form is not None:
                value = None if is_vague(self._tokens, index) else self._value(number)
                return self._amount(form.units, value, index, form.end)
            spread = self._spread(number, ranged=ranged)
            if spread is not None and (form := self._fitting(spread[0])):
                low, high = shared_power(self._value(number), spread[1]), self._value(spread[0])
                return self._amount(form.units, (low, high) if low < high else low, index, form.end)
        if numbers and self.bare is None:
            self.bare = numbers[0].value
        return self._one(index)

    def _one(self, index: int) -> Amount | None:
        """ "a dollar", "ein paar Euro": an article or a vague amount before a word for money."""
        for value, _, end in one_or_some(self._tokens, index):
            form = currency_at(self._tokens, end, before=False, alone=True)
            if form and len(self._tokens.keys[end]) >= WORD:
                return self._amount(form.units, value, index, form.end)
        return None

    def _numbers(self, index: int) -> list[Number]:
        return read_numbers(self._tokens, index, short_suffixes=True)

    def _spread(self, number: Number, *, ranged: bool) -> tuple[Number, list[Number]] | None:
        """The other end of a range, with the shorter readings of it."""
        begin = range_joint(self._tokens, number.end, between=ranged)
        begin = begin or slash_range(self._tokens, number)
        if begin is None or begin >= len(self._tokens):
            return None
        numbers = self._numbers(begin)
        return (numbers[0], numbers) if numbers else None

    def _fitting(self, number: Number) -> CurrencyForm | None:
        return currency_at(self._tokens, self._past(number.end), before=False)

    def _past(self, index: int) -> int:
        """Past what may stand between a number and its currency: "2 millions d'euros", "30多元"."""
        tokens = self._tokens
        if index < len(tokens) and tokens.keys[index] == "+" and tokens.glued(index):
            index += 1  # "20+ dollars"
        if tokens.keys[index : index + 2] == [",", "-"]:
            index += 2  # "5,- Euro"
        elif index < len(tokens) and tokens.keys[index] in _BETWEEN:
            index += 1
        index = past_field(tokens, index)
        of = role("of", tokens, index)
        if of is not None and currency_at(self._tokens, of[1], before=False) is not None:
            return of[1]
        return index

    def _value(self, number: Number) -> float:
        """The value; no price has three decimals, so that a full stop before three figures groups."""
        if number.grouped is not None:
            return number.grouped
        return number.value

    def _amount(self, units: dict[str, str], value: Value, start: int, end: int) -> Amount:
        if isinstance(value, float) and (more := and_a_half(self._tokens, end)):
            value, end = value + more[0], more[1]
        self._units[start] = units
        codes = sorted(units)
        resolved = _resolved(codes)
        return Amount(units[resolved[0]], "/".join(codes), value, start, end)

    def _bare_part(self, amount: Amount) -> Amount | None:
        """The subunit that a bare number behind a currency counts: "12 euros 50", "12块5"."""
        tokens, index = self._tokens, amount.end
        joined = role("joiners", tokens, index)
        begin = joined[1] if joined else index
        if not isinstance(amount.value, float) or begin >= len(tokens) or amount.value != int(amount.value):
            return None
        behind = not tokens.is_number(index - 1)
        numbers = self._numbers(begin) if behind else []
        if (
            not numbers
            or currency_at(self._tokens, numbers[0].end, before=False)
            or self._goes_on(numbers[0].end)
        ):
            return None
        number = numbers[0]
        code = _resolved(sorted(self._units[amount.start]))[0]
        table = currencies()
        parts = sorted((per, name) for (owner, name), per in table.per.items() if owner == code)
        tenths = code == "CNY" and number.value < 10
        name = parts[0][1] if tenths and parts else parts[-1][1] if parts else ""
        if not name or number.value != int(number.value) or not (tenths or 10 <= number.value < 100):
            return None
        self._units[begin] = {code: name}
        return Amount(name, amount.system, number.value, begin, number.end)

    def _goes_on(self, index: int) -> bool:
        return index < len(self._tokens) and (
            self._tokens.is_word(index) or self._tokens.keys[index] in "%/:"
        )

    def _begins_another(self, index: int) -> bool:
        """Whether a sign behind a number is in truth the sign before the next one ("$5 $6")."""
        return index < len(self._tokens) and self._tokens.is_number(index) and self._tokens.glued(index)

    def _alone(self, index: int) -> Amount | None:
        """A currency without a number: a word that can mean nothing else, or one that is the whole answer."""
        form = currency_at(self._tokens, index, before=False, alone=True)
        if form is None:
            whole = currency_at(self._tokens, index, before=False)
            if whole is None or not is_whole(self._tokens, index, whole.end):
                return None
            form = whole
        return self._amount(form.units, None, index, form.end)
