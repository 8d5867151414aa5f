"""Words that hand over the culture (D1): countries, peoples, languages, places, currencies, and names of any kind."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice

import msgspec

from homeground.cultures.names import mentions
from homeground.files import read_toml
from homeground.questions.audit.text import Text
from homeground.questions.audit.verdicts import Flag, told
from homeground.questions.audit.words import WORDS, Language

_Rows = dict[str, tuple[str, ...]]
_WORD = re.compile(r"[^\W\d_]+(?:['’\-.][^\W\d_]+)*")
_SAINT = frozenset(("são", "santo", "santa", "san", "saint", "sainte", "st", "sankt", "ste"))
_CASELESS_NAMES = frozenset({"de", "lb", "nds"})
"""Languages whose nouns have capitals."""
_LINKS = frozenset(
    [
        "de",
        "da",
        "do",
        "dos",
        "das",
        "del",
        "la",
        "las",
        "los",
        "of",
        "the",
        "du",
        "des",
        "le",
        "von",
        "and",
        "y",
        "e",
    ]
)
"""Words within a name."""
_ROMAN = re.compile(r"[IVX]{2,}")
_AROUND = re.compile(r"\(\?[^)]*\)")
"""What may not stand beside a word, in the tables."""
_ACRONYM = 5
_NEAR = 8
_MOST = 20
_TITLE_CASE = 4
"""Capitalised words from which a text without small ones is in title case."""


class _Tables(msgspec.Struct, frozen=True):
    endings: dict[str, tuple[tuple[str, ...], ...]]
    peoples: dict[str, _Rows]
    anywhere: dict[str, _Rows]
    places: _Rows
    currency: _Rows
    shared_currency: _Rows
    people: _Rows
    feasts: _Rows


class _Scope:
    """The tables turned round: words to codes."""

    def __init__(self) -> None:
        tables = read_toml(WORDS / "scope.toml", _Tables)
        self.peoples = {
            language: {
                form: code
                for code, words in rows.items()
                for word in words
                for form in _forms(word.lower(), tables.endings.get(language, ()))
            }
            for language, rows in tables.peoples.items()
        }
        self.anywhere = {
            language: (
                re.compile(
                    "|".join(sorted((w for r in rows.values() for w in r), key=len, reverse=True)), re.I
                ),
                {_AROUND.sub("", word).lower(): code for code, words in rows.items() for word in words},
            )
            for language, rows in tables.anywhere.items()
        }
        self.places = {name: code for code, names in tables.places.items() for name in names}
        longest = sorted(map(re.escape, self.places), key=len, reverse=True)
        self.place = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)")
        self.currency = {word.lower(): code for code, words in tables.currency.items() for word in words}
        self.shared = {word.lower(): kind for kind, words in tables.shared_currency.items() for word in words}
        self.first_names = frozenset(tables.people["first"])
        self.feast_before = frozenset(tables.feasts["before"])
        self.feast_behind = frozenset(tables.feasts["behind"])
        self.free = {
            code: frozenset(words.split())
            for code, words in read_toml(WORDS / "free.toml", dict[str, str]).items()
        }
        self.free_anywhere = frozenset().union(*self.free.values())


_scope = cache(_Scope)


def _forms(word: str, endings: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """A word in its other numbers and genders, by the first ending that it has."""
    yield word
    for ending, *others in endings:
        if word.endswith(ending):
            yield from (word[: len(word) - len(ending)] + other for other in others)
            return


def scope(text: Text, code: str | None, rules: Language | None, culture: str | None) -> list[Flag]:
    """All findings of D1.

    Args:
        text: the question.
        code: its language, as far as known.
        rules: that language's words, if it has any.
        culture: ISO 3166-1 code, a region after a hyphen allowed. With it, countries, peoples, languages and currencies
            count only if they are its own; names of places and persons always count.
    """
    country = culture.split("-")[0].upper() if culture else None
    taken: list[tuple[int, int]] = list(rules.spans("format", text.raw)) if rules else []
    dishes = list(rules.spans("dish", text.raw)) if rules else []
    found: list[Flag] = []

    def add(
        start: int, end: int, why: str, confidence: float, *, counts: bool = True, sure: bool = True
    ) -> None:
        if any(start < stop and first < end for first, stop in taken):
            return
        taken.append((start, end))
        if counts:
            evidence = text.raw[start:end]
            found.append(
                Flag(guideline="D1", verdict=told(sure), evidence=evidence, why=why, confidence=confidence)
            )

    for mention in mentions(text.raw):
        own = country in (None, mention.code)
        add(mention.start, mention.end, "names the country or its people", 0.95, counts=own)
    table = _scope()
    for start, end in islice(_saints(text.raw), _MOST):
        add(start, end, "a saint's name: is it a feast that many share?", 0.3, sure=False)
    for seen in table.place.finditer(text.raw):
        sure = not _inside(dishes, seen.start())
        add(*seen.span(), "names a place", 0.9 if sure else 0.4, sure=sure)
    for spoken in (code,) if code else table.anywhere:
        if spoken not in table.anywhere:
            continue
        pattern, codes = table.anywhere[spoken]
        for seen in pattern.finditer(text.raw):
            own = country in (None, codes[seen[0].lower()])
            add(*seen.span(), "names a place, a people or a language", 0.9, counts=own)
    for start, end in text.quoted:
        if code == "zh" and text.raw[start] == "《":
            add(start, end, "names a work", 0.9)
    peoples = table.peoples.get(code or "", {})
    for seen in _WORD.finditer(text.raw):
        word = seen[0].lower()
        own = country in (None, peoples.get(word) or table.currency.get(word))
        if word in peoples:
            add(*seen.span(), "names a people or a language", 0.9, counts=own)
        elif word in table.currency:
            add(*seen.span(), "names a currency of one country", 0.8, counts=own)
        elif word in table.shared:
            sure = table.shared[word] == "few" and country is None
            add(
                *seen.span(),
                "names a currency: it narrows the countries down",
                0.6 if sure else 0.4,
                sure=sure,
            )
    for start, end, sure in islice(_capitalised(text, code, rules), _MOST):
        # "Yorkshire pudding", "crêpes Suzette": names of things, which others may know too.
        sure = sure and not _inside(dishes, start)
        add(start, end, "a proper name", 0.8 if sure else 0.4, sure=sure)
    return found


def _inside(spans: list[tuple[int, int]], place: int) -> bool:
    return any(start <= place < end for start, end in spans)


def _saints(raw: str) -> Iterator[tuple[int, int]]:
    """ "São João", "St. Patrick": a feast, mostly; the places among them stand in the tables."""
    table = _scope()
    for seen in _WORD.finditer(raw):
        head = seen[0].rstrip(".").lower()
        follows = re.compile(r"\.?[ \-]+[^\W\d_]+").match(raw, seen.end())
        if head in _SAINT and seen[0][:1].isupper() and follows and not table.place.match(raw, seen.start()):
            name = follows[0].lstrip(". -")
            if name[:1].isupper():
                yield seen.start(), follows.end()
        elif "-" in head and head.split("-")[0] in _SAINT and not table.place.match(raw, seen.start()):
            yield seen.span()


def _capitalised(text: Text, code: str | None, rules: Language | None) -> Iterator[tuple[int, int, bool]]:
    """Names told by their capitals, each with whether that is sure; runs of capitals are one name."""
    words = list(_WORD.finditer(text.raw))
    upper = [word[0][0].isupper() for word in words]
    title = sum(upper) >= _TITLE_CASE and all(
        u or w[0].lower() in _LINKS for u, w in zip(upper, words, strict=True)
    )
    if title and rules:
        title = any(u and w[0].lower() in rules.everyday for u, w in zip(upper[1:], words[1:], strict=True))
    table, nouns = _scope(), code in _CASELESS_NAMES
    free = table.free.get(code or "", table.free_anywhere)
    begins = _beginnings(text, words)
    at = 0
    while at < len(words):
        stop = _run(text.raw, words, upper, at)
        if stop == at:
            at += 1
            continue
        run = list(range(at, stop))
        following, at = stop, stop
        person = words[run[0]][0] in table.first_names and len(run) > 1
        if nouns and not person:
            continue
        if run[0] in begins and not person:
            # A capital that every sentence begins with tells nothing, unless more follow.
            run = run[1:]
        named = [p for p in run if upper[p] and not _is_free(words[p][0], free, rules)]
        if not named:
            # A ruler has a number: "Nicholas II" is no feast of Saint Nicholas.
            named = [p for p in run[:-1] if len(words[p][0]) > 3 and _ROMAN.fullmatch(words[p + 1][0])][:1]
        if not named:
            continue
        start, end = words[named[0]].start(), words[named[-1]].end()
        short = all(words[p][0].isupper() and len(words[p][0]) <= _ACRONYM for p in named)
        yield start, end, not (title or short or _of_a_feast(words, named))
        at = following


def _of_a_feast(words: list[re.Match[str]], named: list[int]) -> bool:
    """Whether a day, an eve or a night has this name."""
    table = _scope()
    after = named[-1] + 1
    if len(named) == 1 and after < len(words):
        behind = words[after][0]
        if behind[0].isupper() and behind.lower() in table.feast_behind:
            return True
    head = named[0] - 1
    while head > 0 and words[head][0].lower() in _LINKS:
        head -= 1
    linked = head < named[0] - 1
    return (
        head >= 0 and words[head][0].lower() in table.feast_before and (linked or words[head][0][0].isupper())
    )


def _run(raw: str, words: list[re.Match[str]], upper: list[bool], at: int) -> int:
    """Where a run of capitalised words that begins at ``at`` ends; ``at`` itself if none does."""
    stop = at
    while stop < len(words) and upper[stop]:
        stop += 1
        link = stop
        while link < len(words) and words[link][0].lower() in _LINKS and not upper[link] and link - stop < 2:
            link += 1
        named_on = stop < link < len(words) and upper[link]
        if named_on and "," not in raw[words[stop - 1].end() : words[link].start()]:
            stop = link
        elif stop < len(words) and raw[words[stop - 1].end() : words[stop].start()].strip():
            return stop
    return stop


def _beginnings(text: Text, words: list[re.Match[str]]) -> frozenset[int]:
    """Which words begin a sentence, a quotation or what follows a colon."""
    found = {
        place for place, word in enumerate(words) if word.start() in {start for start, _ in text.sentences}
    }
    for place, word in enumerate(words):
        before = text.raw[max(0, word.start() - _NEAR) : word.start()].rstrip(" ¿¡(\t\n")
        opened = before.rstrip("\"“„«‘'").rstrip()
        said = opened != before and (not opened or opened[-1] in ",:")
        if not before or before[-1] in ".:!?？！。…-–—*" or said:
            found.add(place)
    return frozenset(found)


def _is_free(word: str, free: frozenset[str], rules: Language | None) -> bool:
    """Whether a capital tells no name of this word: feasts, days, numerals, single letters."""
    plain = unicodedata.normalize("NFC", word.lower()).replace("’", "'")
    if len(plain) < 2 or plain in free or plain.removesuffix("'s") in free or re.fullmatch(r"[IVXLC]+", word):
        return True
    if "-" in plain or "'" in plain:
        return all(len(part) < 2 or part in free for part in re.split(r"[-']", plain))
    return rules is not None and plain in rules.everyday
