"""Number words of twenty languages, by what they do in a number: values, powers, joiners, halves, signs.

They stand in ``words/number_words.toml`` and, distilled from CLDR's spell-out rules, ``words/number_words.json``.
"""

from __future__ import annotations

from functools import cache

from homeground.judging.lexicon import Lexicon
from homeground.judging.tables import read_distilled, read_words
from homeground.judging.tokens import Tokens, fold_word
from homeground.schema import Record

Languages = frozenset[str]


class _Language(Record, frozen=True, kw_only=True):
    decimal: str = "."
    glued: bool = False
    marks: bool = False
    values: dict[str, float] = {}  # noqa: RUF012  (msgspec copies it for each record)
    powers: dict[str, float] = {}  # noqa: RUF012
    glued_values: dict[str, float] = {}  # noqa: RUF012
    glued_powers: dict[str, float] = {}  # noqa: RUF012
    suffixes: dict[str, float] = {}  # noqa: RUF012
    half: dict[str, float] = {}  # noqa: RUF012
    prefix: tuple[str, ...] = ()
    half_prefix: tuple[str, ...] = ()
    joiners: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    plus_half_before: tuple[str, ...] = ()
    plus_quarter_before: tuple[str, ...] = ()
    minus_quarter_before: tuple[str, ...] = ()
    and_a_half: tuple[str, ...] = ()
    and_a_quarter: tuple[str, ...] = ()
    and_three_quarters: tuple[str, ...] = ()
    point: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    below_zero: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    between: tuple[tuple[str, str, str], ...] = ()
    vague: tuple[str, ...] = ()
    risky: tuple[str, ...] = ()


class _Signs(Record, frozen=True, kw_only=True):
    minus: tuple[str, ...]
    to: tuple[str, ...]


class _File(Record, frozen=True, kw_only=True):
    signs: _Signs
    language: dict[str, _Language]


class _Tables:
    """The words of every language, by what they do in a number."""

    def __init__(self) -> None:
        table = read_words("number_words", _File)
        spelled = read_distilled("number_words", dict[str, dict[str, dict[str, float]]])
        self.comma = frozenset(code for code, row in table.language.items() if row.decimal == ",")
        self.values: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.powers: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.suffixes: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.halves: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.added: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.shifts: Lexicon[dict[str, float]] = Lexicon(bounded=False)
        self.roles: dict[str, Lexicon[set[str]]] = {
            role: Lexicon(bounded=False)
            for role in ("joiners", "articles", "of", "point", "minus", "below_zero", "to", "vague")
        }
        self.risky: dict[str, set[str]] = {}
        self.between: Lexicon[set[str]] = Lexicon()
        self.middle: Lexicon[set[str]] = Lexicon()
        self.glued: dict[str, dict[str, tuple[str, float]]] = {}
        for code, row in table.language.items():
            self._add(code, row, spelled.get(code, {}).get("values", {}) | row.values)
        for sign in table.signs.minus:
            self.roles["minus"].add(sign, set()).add("any")
        for sign in table.signs.to:
            self.roles["to"].add(sign, set()).add("any")

    def _add(self, code: str, row: _Language, values: dict[str, float]) -> None:
        _put(self.values, code, values)
        _put(self.powers, code, row.powers)
        _put(self.suffixes, code, row.suffixes)
        _put(self.halves, code, row.half)
        for words, amount in (
            (row.and_a_half, 0.5), (row.and_a_quarter, 0.25), (row.and_three_quarters, 0.75)
        ):  # fmt: skip
            _put(self.added, code, dict.fromkeys(words, amount))
        for words, amount in (
            (row.plus_half_before, 0.5), (row.plus_quarter_before, 0.25), (row.minus_quarter_before, -0.25)
        ):  # fmt: skip
            _put(self.shifts, code, dict.fromkeys(words, amount))
        if row.prefix:
            # A joiner glued to the next part: each part with it is a part that goes on.
            glued = {
                p + word: value for p in row.prefix for word, value in (*values.items(), *row.half.items())
            }
            _put(self.values, code, glued)
            _put(
                self.powers, code, {p + word: value for p in row.prefix for word, value in row.powers.items()}
            )
        if row.glued and code not in ("zh", "ja", "ko", "th"):
            # Scripts of one character a token are cut already.
            self.glued[code] = _parts(values, row)
        for role, lexicon in self.roles.items():
            for word in getattr(row, role):
                # "and" joins the ends of a range only behind "between".
                if role != "to" or word not in row.joiners:
                    lexicon.add(word, set()).add(code)
        for word in row.risky:
            self.risky.setdefault(fold_word(word), set()).add(code)
        for before, middle, _ in row.between:
            if before:
                self.between.add(before, set()).add(code)
                self.middle.add(middle, set()).add(code)


def _parts(values: dict[str, float], row: _Language) -> dict[str, tuple[str, float]]:
    """The pieces that a language writes as one word: hundert|fünfund|zwanzig, due|cento."""
    rows: dict[str, tuple[str, float]] = {}
    for kind, words in (
        ("value", values | row.glued_values), ("power", row.powers | row.glued_powers),
        ("joiner", dict.fromkeys(row.joiners, 0.0)), ("added", dict.fromkeys(row.and_a_half, 0.5)),
    ):  # fmt: skip
        rows |= {fold_word(word): (kind, value) for word, value in words.items() if word.isalpha()}
    return rows


def _put(lexicon: Lexicon[dict[str, float]], code: str, rows: dict[str, float]) -> None:
    for word, value in rows.items():
        lexicon.add(word, {}).setdefault(code, value)


tables = cache(_Tables)


def role(name: str, tokens: Tokens, index: int) -> tuple[Languages, int] | None:
    """Whether words of a role ("minus", "to", "of"…) stand at a token: their languages and the index after them."""
    found = tables().roles[name].at(tokens, index)
    return (frozenset(found[0]), found[1]) if found else None
