"""Numbers as people write them: in digits, in words of twenty languages, and with multipliers behind either."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from homeground.judging.digits import digits_at
from homeground.judging.glued_numbers import cut, is_glued
from homeground.judging.lexicon import Lexicon
from homeground.judging.number_words import Languages, role, tables
from homeground.judging.tokens import FRACTIONS, Tokens

_NOBODY: frozenset[str] = frozenset()
_SHORT = 2
"""Letters of a word that is hardly ever a number alone: "en", "un", "on"."""
_MANY = 1e4
_THOUSAND = 1000
_DECIMALS = 6
_POWERS = 3
"""Powers in a row: "hundred thousand million"."""
_PARTS = 16
"""Parts of one number that are put together; longer chains are not numbers that anybody says."""


class Number(NamedTuple):
    """A number that begins at some token."""

    value: float
    end: int
    """Index of the token after it."""
    languages: Languages | None = None
    """Languages that its words can be of; ``None`` for digits alone."""
    risky: bool = False
    """It is one word that means something else in another language."""
    grouped: float | None = None
    """The value if its one full stop groups thousands ("1.500"), as most languages write it."""


def read_numbers(tokens: Tokens, index: int, *, short_suffixes: bool) -> list[Number]:
    """The numbers that can be read from a token on, the longest first; none where no number begins.

    Args:
        tokens: the text.
        index: where the number begins.
        short_suffixes: whether letters right behind digits multiply ("5k", "$2m"), as they do for money.
    """
    known: list[Number] | None = tokens.memo.get((index, short_suffixes))
    if known is None:
        key = tokens.keys[index]
        begins = key in number_starts() or tokens.is_number(index) or is_glued(key)
        known = _Reader(tokens, short_suffixes).read(index) if begins else []
        tokens.memo[index, short_suffixes] = known
    return known


@cache
def number_starts() -> frozenset[str]:
    """The words and signs that a number in words can begin with, glued ones aside."""
    table = tables()
    words = (table.values, table.powers, table.halves, table.shifts)
    return frozenset(FRACTIONS).union(*(lexicon.starts for lexicon in words))


class _Reader:
    """Puts the parts of one number together, a step for each kind of part."""

    def __init__(self, tokens: Tokens, short_suffixes: bool) -> None:
        self._tokens = tokens
        self._short = short_suffixes
        self._start = 0
        self._powers = 0
        """How many powers stand in a row."""
        self._kind = ""
        """What the last part was."""
        self._shift = 0.0
        """What is added to the next value, before any power multiplies it."""
        self._stack: list[float] = []
        self._languages: Languages | None = None
        self._found: list[Number] = []

    def read(self, index: int) -> list[Number]:
        """The numbers that begin at a token, the longest first."""
        self._start = index
        steps = (
            self._figures, self._suffix, self._power, self._more, self._half, self._word, self._before_value,
            self._joint, self._decimals,
        )  # fmt: skip
        for _ in range(_PARTS):
            if index >= len(self._tokens):
                break
            for step in steps:
                after = step(index)
                if after is not None:
                    index = after
                    break
            else:
                break
        return self._found[::-1]

    # ---- steps: each gives the index after its part, or nothing where there is no such part ---------

    def _figures(self, index: int) -> int | None:
        tokens = self._tokens
        here = tokens.is_number(index) or tokens.keys[index] in FRACTIONS
        if not here or self._kind in ("digits", "word"):
            return None
        value, after, grouped = digits_at(tokens, index)
        if value is None:
            return None
        alone = not self._stack
        self._stack.append(value)
        return self._taken("digits", after, grouped if alone else None)

    def _suffix(self, index: int) -> int | None:
        if self._kind != "digits":
            return None
        word = self._tokens.keys[index]
        if not self._short and len(word) <= _SHORT and word.isascii():
            return None
        found = self._of(tables().suffixes, index)
        return self._multiplied(found) if found else None

    def _power(self, index: int) -> int | None:
        self._powers = self._powers + 1 if self._kind == "power" else 0
        if self._powers >= _POWERS:
            return None
        found = tables().powers.at(self._tokens, index)
        word = self._tokens.keys[index]
        if found is None or (self._kind == "digits" and tables().risky.get(word, _NOBODY) >= found[0].keys()):
            return None  # "2 miles 300 yards" are no thousands
        here = self._of(tables().powers, index)
        if here is None:
            return None
        if not self._stack and self._languages and (value := tables().values.at(self._tokens, index)):
            # What multiplies in one language only adds in another: "cento".
            alike = (
                code for code, amount in value[0].items() if (amount, value[1]) == (_first(here[0]), here[1])
            )
            self._languages = self._languages.union(alike)
        return self._multiplied(here)

    def _more(self, index: int) -> int | None:
        """What follows a number and adds a part of it: "and a half"."""
        found = self._of(tables().added, index) if self._stack else None
        if found is None:
            return None
        last = self._stack[-1]
        # "Two million and a half" is half a million more.
        self._stack.append(_first(found[0]) * (last if self._kind == "power" and last >= _MANY else 1.0))
        return self._taken("added", found[1])

    def _half(self, index: int) -> int | None:
        """A half or quarter that is longer than any number that begins here ("three quarters of a")."""
        half = None if self._stack else tables().halves.at(self._tokens, index)
        value = tables().values.at(self._tokens, index) if half else None
        if half is None or (value is not None and value[1] >= half[1]):
            return None
        found = self._of(tables().halves, index)
        if found is None:
            return None
        self._stack.append(_first(found[0]))
        return self._taken("half", found[1])

    def _word(self, index: int) -> int | None:
        if self._kind == "digits":
            return None
        found = self._of(tables().values, index) or self._glued(index)
        if found is None:
            return None
        value = _first(found[0])
        if (
            self._stack
            and self._kind == "word"
            and not (_goes_on(self._stack[-1], value) or self._is_teen(value))
        ):
            if value >= 10 or not self._digit_by_digit():
                return None
            self._stack[-1] = self._stack[-1] * 10 + value
        else:
            self._stack.append(value + self._shift)
            self._shift = 0.0
        return self._taken("word", found[1])

    def _before_value(self, index: int) -> int | None:
        """What changes the value behind it: साढ़े तीन is three and a half."""
        found = None if self._stack else self._of(tables().shifts, index)
        if found is None:
            return None
        self._shift = _first(found[0])
        return found[1]

    def _joint(self, index: int) -> int | None:
        if self._kind not in ("word", "power"):
            return None
        joined = role("joiners", self._tokens, index)
        key = self._tokens.keys[index]
        if key == "," and (self._languages is None or self._kind != "power" or self._stack[-1] % _THOUSAND):
            return None
        # "Three thousand, two hundred" is one number, "three hundred, two" are two.
        after = index + 1 if key in ("-", ",") else joined[1] if joined else None
        return after if after is not None and self._begins(after) else None

    def _decimals(self, index: int) -> int | None:
        """What is said behind a decimal point: figures one by one, or a number below 100."""
        pointed = role("point", self._tokens, index) if self._kind == "word" else None
        if pointed is None:
            return None
        text, index = "", pointed[1]
        while index < len(self._tokens) and len(text) < _DECIMALS:
            found = self._of(tables().values, index)
            if not found or _first(found[0]) >= 100 or (text and _first(found[0]) >= 10):
                break
            text += f"{_first(found[0]):.0f}"
            index = found[1]
        if not text:
            return None
        self._stack.append(float(f"0.{text}"))
        return self._taken("half", index)

    # ---- what steps share ----------------------------------------------------------------------------

    def _taken(self, kind: str, after: int, grouped: float | None = None) -> int:
        self._kind = kind
        self._note(after, grouped)
        return after

    def _multiplied(self, found: tuple[dict[str, float], int]) -> int:
        power = _first(found[0])
        parts = []
        while self._stack and self._stack[-1] < power:
            parts.append(self._stack.pop())
        self._stack.append((sum(parts) if parts else 1.0) * power)
        return self._taken("power", found[1])

    def _note(self, end: int, grouped: float | None = None) -> None:
        risky = False
        if end == self._start + 1 and self._languages:
            word = self._tokens.keys[self._start]
            risky = self._languages <= tables().risky.get(word, set()) or (
                word.isascii() and len(word) <= _SHORT
            )
        self._found.append(Number(sum(self._stack), end, self._languages, risky, grouped))

    def _of(self, lexicon: Lexicon[dict[str, float]], index: int) -> tuple[dict[str, float], int] | None:
        """What words at a token amount to, in the languages that the number can still be of."""
        found = lexicon.at(self._tokens, index)
        if found is None:
            return None
        amounts, after = found
        here = frozenset(amounts)
        both = here if self._languages is None else here & self._languages
        if not both:
            # 千 and "k" are written in any language.
            return None
        self._languages = both
        return {code: amounts[code] for code in sorted(both)}, after

    def _glued(self, index: int) -> tuple[dict[str, float], int] | None:
        word = self._tokens.keys[index]
        found = cut(word) if is_glued(word) else None
        if found is None:
            return None
        languages = found[1] if self._languages is None else found[1] & self._languages
        if not languages:
            return None
        self._languages = languages
        return dict.fromkeys(sorted(languages), found[0]), index + 1

    def _begins(self, index: int) -> bool:
        """Whether a part in words begins here, in one of the number's languages."""
        found = tables().values.at(self._tokens, index) or tables().powers.at(self._tokens, index)
        word = self._tokens.keys[index] if index < len(self._tokens) else ""
        if found is None:
            glued = cut(word) if is_glued(word) else None
            languages = glued[1] if glued else _NOBODY
        else:
            languages = frozenset(found[0])
        return bool(languages) and (self._languages is None or not self._languages.isdisjoint(languages))

    def _is_teen(self, value: float) -> bool:
        """Whether a ten follows its unit, as it does in خمسة عشر."""
        spoken = bool(self._languages and self._languages <= {"ar", "he"})
        return spoken and value == 10 and 0 < self._stack[-1] < 10

    def _digit_by_digit(self) -> bool:
        """Whether figures are said one by one (二五, 二〇)."""
        return self._stack[-1] < _MANY and bool(self._languages and self._languages & {"zh", "ja"})


def _first(amounts: dict[str, float]) -> float:
    """What words amount to; in English where they can be English ("billion")."""
    return amounts["en"] if "en" in amounts else next(iter(amounts.values()))


def _goes_on(last: float, value: float) -> bool:
    """Whether a value can follow another without a power between them: "twenty five", خمسة وعشرون."""
    if value == 0 or value != int(value):
        return False
    if last >= 100 and last % 100 == 0:
        return value < 100
    if last >= 20 and last % 10 == 0:
        return value < 20
    if last == 10:
        return 7 <= value < 10
    return last < 10 and last > 0 and 20 <= value < 100 and value % 10 == 0
