"""Words for the depth of reasoning, looked up in tables: each language's own, the cues, units and currencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from homeground.cultures.library import codes, load_file
from homeground.cultures.names import country_names
from homeground.cultures.rules import pattern_of
from homeground.judging.tables import read_words
from homeground.schema import Cue, Record

PERSON, AFTER, PRONOUN, BE, LINK, HEDGE, GLUE, EVIDENCE = (1 << n for n in range(8))
IDENTITY, CUE_NOUN, NEGATOR, BOUNDARY, CONSEQUENCE, CAUSE, NORM, PICTURE = (1 << n for n in range(8, 16))
CHOICE, PLACE, CUE, UNIT, MONEY, BESIDE, OPTION = (1 << n for n in range(17, 24))
NO_NEGATOR, NO_CONNECTIVE, CHOSEN, COUNTRY, CUSTOM, COUNTING, RESIDE = (1 << n for n in range(24, 31))
"""What a word can be, as bits: ``COUNTRY`` may begin the name of a country, ``BESIDE`` counts beside a number only."""

WORD = re.compile(r"[^\W_]+(?:['’](?:t|re|m|ll|ve)\b)?")
"""A word of a script with spaces; a genitive or an elided article is a word of its own."""
SIGN = re.compile(
    r"[°º˚]\s?[CF]\b|[℃℉㎡㎞]|\bk?m\s?/\s?[hs]\b|\b(?:km|m|cm|mi|ft|yd)\s?(?:²|\^\s?2)|\bsq\.?\s?(?:m|ft)\b"
)
"""Units that are no word."""
MONEY_SIGN = re.compile(r"(?:R\$|US\$|[€£¥₪₩₹￥])|\$(?=\d[\d.,]*(?:\s|[.,;:)]|$))(?![^$\n]{0,40}\$)")
"""Signs of money; a dollar that another one follows soon is the edge of a formula."""
_ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)
_PLAIN = re.compile(r"[\d.,\s]+")


class Latin(Record, frozen=True, kw_only=True):
    """Words of a language whose words stand apart, by what they do."""

    stop: tuple[str, ...]
    person: tuple[str, ...]
    person_after: tuple[str, ...]
    pronoun: tuple[str, ...]
    be: tuple[str, ...]
    link: tuple[str, ...]
    hedge: tuple[str, ...]
    glue: tuple[str, ...]
    evidence: tuple[str, ...]
    identity: tuple[str, ...]
    cue_noun: tuple[str, ...]
    negator: tuple[str, ...]
    no_negator: tuple[str, ...]
    boundary: tuple[str, ...]
    consequence: tuple[str, ...]
    cause: tuple[str, ...]
    norm: tuple[str, ...]
    picture: tuple[str, ...]
    no_connective: tuple[str, ...] = ()
    reside: tuple[str, ...] = ()
    custom: tuple[str, ...] = ()
    """Words that give a reason if a country and its custom follow."""
    choice: tuple[str, ...] = ()


class Script(Record, frozen=True, kw_only=True):
    """Words of a language in another script, found inside longer ones too."""

    person: tuple[str, ...]
    bind: tuple[str, ...]
    evidence: tuple[str, ...]
    cue_noun: tuple[str, ...]
    negator: tuple[str, ...]
    consequence: tuple[str, ...]
    cause: tuple[str, ...]
    norm: tuple[str, ...]
    choice: tuple[str, ...]
    endings: tuple[str, ...] = ()
    """Endings that a name can carry and that the table of countries does not take off."""


class _Depth(Record, frozen=True, kw_only=True):
    everyday: frozenset[str]
    telling: tuple[str, ...]
    cue_words: tuple[str, ...]
    places: tuple[str, ...]
    units: tuple[str, ...]
    beside_number: tuple[str, ...]
    money: tuple[str, ...]
    money_beside_number: tuple[str, ...]
    choice: tuple[str, ...]
    counting: tuple[str, ...]
    option_words: tuple[str, ...]
    chosen: tuple[str, ...]
    latin: dict[str, Latin]
    script: dict[str, Script]


class Phrase(NamedTuple):
    """A form of one or more words: its first word leads to it, the rest is compared where it stands."""

    form: str
    exact: bool
    mask: int


class Table:
    """Words and phrases of one language or one conversation: masks by lower-case word."""

    def __init__(self) -> None:
        """Empty."""
        self.words: dict[str, int] = {}
        self.phrases: dict[str, list[Phrase]] = {}

    def add(self, forms: Iterable[str], mask: int) -> None:
        """Words in any case; forms of several words as phrases."""
        for form in forms:
            if WORD.fullmatch(form):
                self.words[form] = self.words.get(form, 0) | mask
            else:
                self.add_phrase(form, mask, exact=False)

    def add_phrase(self, form: str, mask: int, *, exact: bool) -> None:
        """A form that is compared with the text, in its own case if ``exact``; the longest of a word is first."""
        first = WORD.search(form)
        if first is None or first.start():
            return
        known = self.phrases.setdefault(first[0].lower(), [])
        known.append(Phrase(form if exact else form.lower(), exact, mask))
        known.sort(key=lambda phrase: -len(phrase.form))

    def join(self, other: Table) -> None:
        """Add another table's words and phrases."""
        for word, mask in other.words.items():
            self.words[word] = self.words.get(word, 0) | mask
        for phrase in (phrase for known in other.phrases.values() for phrase in known):
            self.add_phrase(phrase.form, phrase.mask, exact=phrase.exact)


class Lexicon(NamedTuple):
    """Everything that is looked up."""

    quick: dict[str, int]
    """Words that can count in any language, to pass over sentences that hold none."""
    phrases: dict[str, list[Phrase]]
    """The same for what counts only as it is spelled, by first word."""
    keys: frozenset[str]
    """The words of both."""
    tables: dict[str, Table]
    """For each language whose words stand apart its own, with cues, places, units and currencies."""
    stops: dict[str, frozenset[str]]
    scripts: dict[str, Script]
    numbers: re.Pattern[str]
    """What telling kinds of generated cue look like."""


@cache
def lexicon() -> Lexicon:
    """The tables.

    Raises:
        InputError: a data file is broken.
    """
    data = read_words("depth", _Depth)
    common = _common(data)
    tables = {name: _language(row, data) for name, row in data.latin.items()}
    # Units of two letters are too frequent as words ("in") to tell anything.
    quick = {
        word: mask
        for word, mask in common.words.items()
        if mask & ~COUNTING and (len(word) > 2 or mask & ~BESIDE)
    }
    phrases = {first: list(known) for first, known in common.phrases.items()}
    for name in country_names().any_case:
        _lead(quick, name, COUNTRY)
    for name in country_names().as_written:
        if WORD.fullmatch(name) and name < "\u0590":
            phrases.setdefault(name.lower(), []).append(Phrase(name, True, COUNTRY))
        else:
            _lead(quick, name, COUNTRY)
    links = CONSEQUENCE | CAUSE | CHOICE | CUSTOM
    for table in tables.values():
        for word, mask in table.words.items():
            if mask & links:
                quick[word] = quick.get(word, 0) | mask & links
        for first, known in table.phrases.items():
            phrases.setdefault(first, []).extend(p for p in known if p.mask & links)
    for table in tables.values():
        table.join(common)
    stops = {
        name: frozenset(
            (*row.stop, *(word for phrase in (*row.consequence, *row.cause) for word in phrase.split()))
        )
        for name, row in data.latin.items()
    }
    return Lexicon(
        quick,
        phrases,
        frozenset((*quick, *phrases)),
        tables,
        stops,
        data.script,
        _numbers(data.telling),
    )


def _lead(quick: dict[str, int], name: str, mask: int) -> None:
    """A name is looked for by its longest word, since the first is often "the" or "new"."""
    words = [word for word in re.findall(r"[a-z0-9\u00df-\u024f]+", name.lower()) if word]
    if words:
        longest = max(words, key=len)
        quick[longest] = quick.get(longest, 0) | mask


def _language(row: Latin, data: _Depth) -> Table:
    table = Table()
    masks = {
        "person": PERSON, "person_after": AFTER, "pronoun": PRONOUN, "be": BE, "link": LINK, "hedge": HEDGE,
        "glue": GLUE, "evidence": EVIDENCE, "identity": IDENTITY, "cue_noun": CUE_NOUN, "negator": NEGATOR,
        "no_negator": NO_NEGATOR, "boundary": BOUNDARY, "consequence": CONSEQUENCE, "cause": CAUSE, "norm": NORM,
        "picture": PICTURE, "no_connective": NO_CONNECTIVE, "choice": CHOICE,
        "custom": CUSTOM, "reside": RESIDE,
    }  # fmt: skip
    for field, mask in masks.items():
        table.add(getattr(row, field), mask)
    table.add(data.choice, CHOICE)
    table.add(data.chosen, CHOSEN)
    return table


def _common(data: _Depth) -> Table:
    table = Table()
    table.add(data.option_words, OPTION)
    table.add(data.counting, COUNTING)
    for place in data.places:
        table.add_phrase(place, PLACE, exact=True)
    for word in data.cue_words:
        table.add_phrase(word, CUE, exact=any(map(str.isupper, word)))
    table.add(data.units, UNIT)
    table.add(data.beside_number, BESIDE)
    table.add(data.money, MONEY)
    table.add(data.money_beside_number, MONEY | BESIDE)
    everyday = {_bare(value).casefold() for value in data.everyday}
    for code in codes():
        for kind, values in load_file(code).cues.items():
            for value in (_bare(cue.value) for cue in values):
                if len(value) > 2 and value.casefold() not in everyday and not _PLAIN.fullmatch(value):
                    table.add_phrase(value, CUE, exact=" " not in value or kind == "person_name")
    return table


def _bare(value: str) -> str:
    return value[found.end() :] if (found := _ARTICLE.match(value)) else value


def _numbers(telling: Sequence[str]) -> re.Pattern[str]:
    """Telling numbers of every culture, but for those that are plain digits."""
    shapes = {
        pattern_of(kind, pattern)
        for code in codes()
        for kind in telling
        for pattern in (load_file(code).rules[kind].patterns if kind in load_file(code).rules else ())
        if not re.fullmatch(r"[#~\d]+", pattern)
    }
    return re.compile(rf"(?<![\w])(?:{'|'.join(sorted(shapes))})(?!\w)")


def own_cues(cues: Sequence[Cue]) -> Table:
    """The conversation's own cues, and the parts of a person's name."""
    return _own(tuple((cue.kind, cue.value) for cue in cues))


@lru_cache(1024)
def _own(cues: tuple[tuple[str, str], ...]) -> Table:
    table = Table()
    for kind, value in cues:
        bare = _bare(value.strip())
        ordinary = WORD.fullmatch(bare) is not None
        table.add_phrase(bare, CUE, exact=ordinary and not bare.islower())
        if kind == "person_name":
            for part in bare.split():
                if len(part) > 2:
                    table.add_phrase(part, CUE, exact=True)
        if (first := WORD.search(bare)) is not None and first.start():
            # A value that begins with a sign ("¥500") is found by what follows the sign.
            table.add_phrase(bare[first.start() :], CUE, exact=False)
    return table


def language_of(words: Iterable[str], stops: Mapping[str, frozenset[str]]) -> str:
    """Which of the languages whose words stand apart a sentence is in; English unless another has more words in it."""
    held = set(words)
    counts = {name: len(held & stop) for name, stop in stops.items()}
    return max(counts, key=lambda name: (counts[name], name == "en"))


def script_of(text: str) -> str | None:
    """Which other language a sentence is in, by its first telling letter (kana before Han)."""
    found = None
    for char in text:
        if char < "\u0590":
            continue
        if "\u3041" <= char <= "\u30ff":
            return "ja"
        if found is None:
            found = next((name for low, high, name in _SCRIPTS if low <= char <= high), None)
    return found


_SCRIPTS = (
    ("\u0590", "\u05ff", "he"), ("\u0600", "\u06ff", "fa"), ("\u0900", "\u097f", "hi"),
    ("\u3400", "\u9fff", "zh"), ("\uac00", "\ud7a3", "ko"),
)  # fmt: skip
