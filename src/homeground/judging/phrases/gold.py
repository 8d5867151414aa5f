"""A gold, prepared: the pattern that finds any of its forms as whole words in a text's reading form."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from homeground.judging.phrases.edges import (
    GLUABLE,
    forms_of_kind,
)
from homeground.judging.phrases.patterns import Alternatives, body
from homeground.judging.phrases.text import (
    NON_JOINER,
    WIDE,
    number_words,
    phrase_words,
    reading_form,
    stance_words,
)

_TENS = frozenset(map(str, range(20, 100, 10)))
_DIGITS = 10
_PLURAL_WORDS = 5
_SHORTEST = 3
_EVERYWHERE = 2
"""Letters up to which a word of any language is an everyday word, whatever language is named."""
_GLOSS = re.compile(r"\s*[(\[（【［][^)\]）】］]*(?:[)\]）】］]|\Z)|\s[-–—]\s.*\Z", re.DOTALL)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_ACRONYM = re.compile(r"[A-Z]{2,4}")
_MINUS = re.compile(r"-\d")
_PIECE = re.compile(rf"\A-\d[^\s{NON_JOINER}-]*|[\s{NON_JOINER}-]+|[^\s{NON_JOINER}-]+")


class Gold(NamedTuple):
    """One gold, ready to be looked for."""

    gold: str
    full: str
    """Its reading form, gloss and article included."""
    anywhere: re.Pattern[str]
    """Group 1 is the gold itself, without glued prefixes."""
    whole: re.Pattern[str]
    length: int
    """Of its longest form."""
    function_word: bool
    capitals: bool
    """Whether the gold is written with a capital, which tells "IT" from "it"."""
    longer: tuple[str, ...]
    """Names in which it does not count."""
    units: tuple[str, ...]
    """What makes another number of it, right behind it ("forty-two" of "forty")."""


def bare(text: str) -> str:
    """A reading form without the punctuation and spaces around it; a minus sign before a digit stays."""
    start, end = 0, len(text)
    while start < end and _edge(text[start]) and not _MINUS.match(text, start):
        start += 1
    while end > start and _edge(text[end - 1]):
        end -= 1
    return text[start:end]


@cache
def _edge(char: str) -> bool:
    return char.isspace() or char == NON_JOINER or unicodedata.category(char)[0] == "P"


@lru_cache(maxsize=8192)
def prepared(gold: str, language: str | None) -> Gold | None:
    """The gold's patterns; nothing for a gold that says nothing."""
    full = tidy(gold)
    if not full:
        return None
    acronym = _ACRONYM.fullmatch(gold.strip()) is not None
    main = tidy(_GLOSS.sub("", gold)) or full
    main = _without_article(main, gold, language)
    function_word = _is_function(main, language)
    # "US" is also written "U.S.".
    words: list[Alternatives] = (
        [(main, dotted := ".".join(main), f"{dotted}.")] if acronym else _pieces(main, language)
    )
    exact = [] if full == main else [_pieces(full, None, plain=True)]
    whole = [
        body(form, edges=False)
        for form in [*exact, words if acronym else _pieces(main, language, whole=True)]
    ]
    letters = [char for char in gold if char.isalpha()]
    longer = phrase_words().longer.get(main, ())
    return Gold(
        gold=gold,
        full=full,
        anywhere=re.compile(body(words, edges=True)),
        whole=re.compile("|".join(f"(?:{form})" for form in whole)),
        length=max(len(full), len(main)),
        function_word=function_word,
        capitals=bool(letters) and letters[0].isupper(),
        longer=tuple(reading_form(name) for name in longer),
        units=_units(main, language),
    )


def tidy(text: str) -> str:
    """The reading form of a text without what stands around it, its spaces made single."""
    return " ".join(bare(reading_form(text)).split())


def _is_function(text: str, language: str | None) -> bool:
    """Whether the text says nothing unless its capitals or its standing alone say that it is meant.

    Where the language is named, longer words count only if they are everyday words there or in English: "bir" is
    beer in Indonesian, and "a" in Turkish.
    """
    if len(text) == 1 and text.isascii() and text.isalpha():
        return True
    if text not in forms_of_kind("function"):
        return False
    if language is None or len(text) <= _EVERYWHERE:
        return True
    rows = phrase_words().language
    return any(text in map(reading_form, rows[code].function) for code in (language, "en") if code in rows)


def _without_article(main: str, gold: str, language: str | None) -> str:
    first = gold.strip().split(" ", 2)
    titled = len(first) > 1 and first[0][:1].isupper() and first[1][:1].isupper()
    if titled and reading_form(first[0]) != "the" and not gold.isupper():
        return main  # "La Paz", "Le Monde"
    rows = stance_words()
    named = rows.get(language or "", {}).get("article", ())
    for article in sorted(
        (reading_form(a) for a in named or forms_of_kind("article")), key=len, reverse=True
    ):
        lead = article if article.endswith("'") else f"{article} "
        rest = bare(main.removeprefix(lead))
        if main.startswith(lead) and rest and not _is_function(rest, language):
            return rest
    return main


def _pieces(
    main: str, language: str | None, *, plain: bool = False, whole: bool = False
) -> list[Alternatives]:
    """Words of the gold with their forms, and what stands between them, in turn."""
    if not plain and (spoken := _spoken_number(main, language)):
        return [spoken]
    pieces = _PIECE.findall(main)
    words = (len(pieces) + 1) // 2
    found: list[Alternatives] = []
    for place, piece in enumerate(pieces):
        if place % 2 == 1 or plain or piece[:1] in " -":
            found.append((piece,))
        else:
            forms = [piece, *_plain_digits(piece), *_numbers(piece, language, whole=whole), *_joiners(piece)]
            if words <= _PLURAL_WORDS and not _is_function(piece, language):
                forms += _inflected(piece, language)
            found.append(tuple(dict.fromkeys(forms)))
    return found


def _numbers(word: str, language: str | None, *, whole: bool) -> list[str]:
    tables = number_words()
    tables = {code: tables[code] for code in tables if code in _spoken_in(language)}
    value = int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None
    forms: list[str] = []
    if value is None:
        value = next((row[word] for row in tables.values() if word in row), None)
        if value is None:
            return []
        if whole or not (_is_function(word, None) or word in _clashing()):
            forms.append(str(value))
    words = [name for row in tables.values() for name, number in row.items() if number == value]
    if 20 < value < 100 and value % 10:
        words += [word for code, row in tables.items() for word in _composed(code, row, value)]
    return forms + [w for w in words if whole or not (_is_function(w, None) or w in _clashing())]


def _plain_digits(word: str) -> list[str]:
    return [word.replace(",", "")] if _GROUPED.fullmatch(word) else []


def _spoken_number(main: str, language: str | None) -> Alternatives:
    """Forms of a number that is written in several words ("twenty-one", "quatre-vingts"); none if it is no such one."""
    if "-" not in main and " " not in main:
        return ()
    written = main.replace("-", " ")
    value = next((row[written] for row in _several_words(language) if written in row), None)
    if value is None:
        return ()
    names = (name for row in _several_words(language) for name, number in row.items() if number == value)
    return tuple(dict.fromkeys((written, str(value), *names)))


@cache
def _several_words(language: str | None) -> tuple[dict[str, int], ...]:
    tables = number_words()
    found: list[dict[str, int]] = []
    for code in _spoken_in(language):
        row = tables.get(code, {})
        names = {name.replace("-", " "): value for name, value in row.items() if "-" in name or " " in name}
        for value in range(21, 100):
            if value % 10:
                names |= {
                    name.replace("-", " "): value for name in _composed(code, row, value) if " " in name
                }
        found.append(names)
    return tuple(found)


def _units(main: str, language: str | None) -> tuple[str, ...]:
    """What may follow a multiple of ten and make a greater number of it; nothing for other golds."""
    tables = number_words()
    rows = {code: tables[code] for code in (_spoken_in(language)) if code in tables}
    value = int(main) if main in _TENS else next((row[main] for row in rows.values() if main in row), 0)
    if str(value) not in _TENS:
        return ()
    found: dict[str, None] = {}
    for code, row in rows.items():
        own = phrase_words().language.get(code)
        joiner = own.tens if own is not None else ""
        for word, number in row.items():
            if joiner.startswith(" ") and 0 < number < _DIGITS and word.isalpha():
                found |= dict.fromkeys((f"{joiner}{word}", f"-{word}"))
    return tuple(found)


def _spoken_in(language: str | None) -> tuple[str, ...]:
    """The languages whose number words are forgiven."""
    return (language, "en") if language is not None and language in number_words() else WIDE


def _composed(code: str, row: dict[str, int], value: int) -> list[str]:
    """Tens and units in the words of one language: "twenty-one", "vinte e um", "einundzwanzig"."""
    tens = [word for word, number in row.items() if number == value - value % 10]
    units = [word for word, number in row.items() if number == value % 10]
    own = phrase_words().language.get(code)
    joiner = "" if own is None else (own.tens_one if value % 10 == 1 else "") or own.tens
    turned = code in ("de", "nl")
    return [joiner.join((u, t) if turned else (t, u)) for t in tens for u in units] if joiner else []


@cache
def _clashing() -> frozenset[str]:
    return frozenset(reading_form(word) for word in phrase_words().clashing_numbers)


def _joiners(word: str) -> list[str]:
    joining = forms_of_kind("and")
    if word == "&":
        return sorted(joining)
    return ["&"] if word in joining else []


def _inflected(word: str, language: str | None) -> list[str]:
    """Singular and plural forms of a word, and the word without a glued article."""
    forms: list[str] = []
    if word.startswith("ال") and len(word) >= GLUABLE + 2:
        forms.append(word[2:])
    if word.startswith("ה") and len(word) > GLUABLE:
        forms.append(word[1:])
    written = unicodedata.normalize("NFC", word)
    if not written.isalpha() or len(written) < _SHORTEST or written in forms_of_kind("no_plural"):
        return forms
    table = phrase_words().language
    codes = (language, "en") if language in table else WIDE
    for code in dict.fromkeys(codes):
        row = table[str(code)]
        endings = row.plural + (row.plural_named if code == language else ())
        for singular, plural, shortest in endings:
            for old, new in ((singular, plural), (plural, singular)):
                stem = written[: len(written) - len(old)]
                if written.endswith(old) and len(stem) >= shortest:
                    forms.append(reading_form(stem + new))
        if code == language:
            forms += [word + reading_form(suffix) for suffix in row.suffix]
    return forms
