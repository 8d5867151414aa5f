"""Names to find a country by, and finding them in a text.

A text is cut into words, and each is looked up with those after it in one table, in linear time: there is no pattern
of ten thousand names to compile. Both are folded alike, word by word, so positions stay those of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from homeground.cultures.scripts import HANGUL, MARKS, UNPOINTED, UNSPACED
from homeground.files import read_bytes, read_toml
from homeground.schema import Record

_HERE = Path(str(files("homeground.cultures")))
_Kind = Literal["names", "demonyms", "tongues", "capital", "nowhere"]
_Rows = dict[str, dict[_Kind, tuple[str, ...]]]
_Spans = deque[tuple[int, int]]


class _Curated(Record, frozen=True, kw_only=True):
    dropped: tuple[str, ...]
    capitalised: frozenset[str]
    nowhere: tuple[str, ...]
    language: dict[str, frozenset[str]]
    particles: dict[str, frozenset[str]]
    country: _Rows


class Names(NamedTuple):
    """Names with ISO 3166-1 codes (XK: Kosovo): case-folded ones, and ones that count only as they are spelled."""

    any_case: dict[str, str]
    as_written: dict[str, str]


class Mention(NamedTuple):
    """A country named in a text."""

    code: str
    start: int
    end: int


class _Entry(NamedTuple):
    code: str
    kind: _Kind
    spellings: frozenset[str] | None  # None: in any case


_RUNS = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(
    rf"(?P<run>[{UNSPACED}]++)|[{HANGUL}]++|(?:[^\W_{UNSPACED}{HANGUL}{MARKS}]++|[{MARKS}]++)++|&"
)
_BETWEEN = re.compile(r"[\s\-‐‑–—'’ʼ׳\"״.,\u200c]{0,3}")
_BESIDE = re.compile(r"[ \-\u200c]{1,2}")
_KANA = frozenset(map(chr, (*range(0x30A1, 0x30FB), *range(0x30FC, 0x30FF))))
_INITIAL = re.compile(r"\.[^\W\d_](?!\w)")
_ASIDE = " \t,'\"-/*_:()“”«»„"
_DASHES = ("", "-", "‐", "‑", "–", "—", "\u200c")
_JOINTS = {".": ".", ",": ",", "'": "'", "’": "'", "ʼ": "'", "׳": "'", '"': '"', "״": '"', "''": '"'}
_FOLDED = str.maketrans("ıάέήίόύώϊϋΐΰёأإآٱىیېکۀۃہھँ", "iαεηιουωιυιυеاااايييكههههं") | dict.fromkeys(UNPOINTED)
_LONGEST = 40  # no word of a name is as long


@lru_cache(8192)
def folded_word(word: str) -> str:
    """One word in the form in which words of any script are compared."""
    word = word[:_LONGEST]
    if word.isascii():
        return word.lower()
    # Greek capitals come without accents, and İ folds to i and a dot: both go in the translation.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold()).translate(_FOLDED)


def _joint(between: str) -> str | None:
    """What stands between two words of a name, in one spelling; nothing if it ends a name."""
    core = between.strip()
    if core in _DASHES:
        # Neither an empty line nor an item of a list carries a name on.
        return " " if between and between.count("\n") + (core != "") < 2 else None
    return _JOINTS.get(between.rstrip())


def _keys(name: str) -> list[str]:
    """The keys of a name's first word, first two words and so on; none if no text could match."""
    if name.isalpha():
        return [folded_word(name)]
    keys: list[str] = []
    key, end = "", 0
    for match in _WORD.finditer(name):
        joint = _joint(name[end : match.start()]) if keys else ""
        if joint is None:
            return []
        key, end = key + joint + folded_word(match[0]), match.end()
        keys.append(key)
    return keys


@lru_cache(8192)
def _written(name: str) -> str:
    """A name as written but for what stands between its words."""
    words = name if name.isalpha() else " ".join(match[0] for match in _WORD.finditer(name))
    return words if words.isascii() else unicodedata.normalize("NFC", words)


class _Index:
    """Names by key; a word on the way to a longer name has no entry."""

    def __init__(self) -> None:
        curated = read_toml(_HERE / "country_names.toml", _Curated)
        distilled = msgspec.json.decode(read_bytes(_HERE / "country_names.json"), type=_Rows)
        self.around, self.particles = curated.language, curated.particles
        after = self.particles["after"]
        self.endings = after.union(one + other for one in after for other in after)
        self.names = Names({}, {})
        self.words: dict[str, _Entry | None] = {}
        self.starts: dict[str, tuple[int, ...]] = {}
        capital = curated.capitalised.union(*(row.get("capital", ()) for row in curated.country.values()))
        self.capital = {name.casefold() for name in capital}
        for code, row in (*distilled.items(), *curated.country.items()):
            for kind, names in row.items():
                self._add(names, code, kind)
        self._add(curated.nowhere, "", "nowhere")

    def _add(self, names: Iterable[str], code: str, kind: _Kind) -> None:
        for name in names:
            entry, folded = _Entry(code, kind, None), name.casefold()
            if _RUNS.match(name):
                keys = [name]
                lengths = {len(name), *self.starts.get(name[:2], ())}
                self.starts[name[:2]] = tuple(sorted(lengths, reverse=True))
            elif not (keys := _keys(name)):
                continue
            if code and (kind == "capital" or folded in self.capital):
                spellings = {name, name.upper()} if len(name) > 3 else {name}
                self.names.as_written.update(dict.fromkeys(spellings, code))
                entry = _Entry(code, kind, frozenset(map(_written, spellings)))
            elif code:
                self.names.any_case[folded] = code
            for beginning in keys[:-1]:
                self.words.setdefault(beginning, None)
            known = self.words.get(keys[-1])
            if known is not None and known.code == code and entry.spellings:
                if known.spellings is None:
                    continue
                kept = known.kind if kind == "capital" else kind
                entry = _Entry(code, kept, known.spellings | entry.spellings)
            self.words[keys[-1]] = entry

    def shapes(self, word: str) -> Iterator[tuple[int, int]]:
        """Where a name may begin and end in a word: the whole first, then without what is attached to it."""
        end = len(word)
        yield 0, end
        for start in range(1, min(4, end - 2)):
            if word[start - 1] not in self.particles["before"]:
                break
            if end - start > 3 or (start == 1 and word[0] in self.particles["before_short"]):
                yield start, end
        yield from ((0, stop) for stop in self.ends(word))

    def ends(self, word: str) -> Iterator[int]:
        """Where a name may end in a word that goes on with one or two particles, the longest name first."""
        end = len(word)
        if word[0] >= "\u0900" and end <= _LONGEST:
            yield from (stop for stop in range(end - 1, max(0, end - 9), -1) if word[stop:] in self.endings)


_index = cache(_Index)


@lru_cache(4096)
def _attached_shapes(word: str) -> tuple[tuple[int, int], ...]:
    return tuple(_index().shapes(word))


def _shapes(word: str) -> tuple[tuple[int, int], ...]:
    plain = word[0] < "\u0590" or len(word) > _LONGEST
    return ((0, len(word)),) if plain else _attached_shapes(word)


def country_names() -> Names:
    """The table of names.

    Raises:
        InputError: a data file is broken.
    """
    return _index().names


def words_around(kind: str) -> frozenset[str]:
    """Words of one row of ``[language]`` in ``country_names.toml``.

    Raises:
        KeyError: there is no such row.
    """
    return _index().around[kind]


def mentions(text: str) -> Iterator[Mention]:
    """Countries named in a text, whole words only, in order of appearance.

    The longest name wins. Names within other names ("South American"), of languages ("speaks French") and of things
    ("French fries") are no mention, nor are cities.
    """
    index, resume, earlier = _index(), 0, _Spans(maxlen=7)
    for match in _WORD.finditer(text):
        start, end = match.span()
        earlier.append((start, end))
        if match["run"]:
            found = _in_run(index, text, max(start, resume), end)
        elif start >= resume and (match[0] >= "\u0590" or folded_word(match[0]) in index.words):
            found = _in_words(index, text, start, end, earlier)
        else:
            continue
        for mention in found:
            resume = mention.end
            if mention.code:
                yield mention


def _in_run(index: _Index, text: str, position: int, end: int) -> Iterator[Mention]:
    """Names in a run of a script without spaces; a name in katakana is a whole katakana word."""
    before, after = tuple(index.around["attached_before"]), tuple(index.around["attached_after"])
    while position < end:
        for length in index.starts.get(text[position : position + 2], ()):
            until = min(position + length, len(text))
            entry = index.words.get(text[position:until])
            if entry is None:
                continue
            if not _within_katakana(text, position, until):
                language = text.endswith(before, 0, position) or text.startswith(after, until)
                yield Mention("" if language else entry.code, position, until)
                position = until
                break
        else:
            position += 1


def _within_katakana(text: str, start: int, end: int) -> bool:
    before = start > 0 and text[start] in _KANA and text[start - 1] in _KANA
    return before or (text[end - 1] in _KANA and text[end : end + 1] in _KANA)


def _in_words(index: _Index, text: str, start: int, end: int, earlier: _Spans) -> Iterator[Mention]:
    """The longest name that begins with the word from ``start`` to ``end``; without a code if it names no country."""
    for first, stop in _shapes(text[start:end]):
        begin, found = start + first, None
        for until, entry in _onwards(index, text, begin, start + stop, whole=start + stop == end):
            dotted = text.find(".", max(begin, until - 4), until) >= 0
            if text.startswith("$", until) or (dotted and _INITIAL.match(text, until)):
                continue
            if entry.spellings is None or _written(text[begin:until]) in entry.spellings:
                found = entry, until + (dotted and text.startswith(".", until))
        if found is not None:
            entry, until = found
            otherwise = _otherwise(index, text, earlier, entry.kind, (start, begin, until))
            yield Mention("" if otherwise else entry.code, begin, until)
            return


def _onwards(index: _Index, text: str, start: int, stop: int, *, whole: bool) -> Iterator[tuple[int, _Entry]]:
    """End and entry of every name that begins with what stands from ``start`` to ``stop``, shortest first."""
    key, word, beginning = folded_word(text[start:stop]), "", ""
    while key in index.words:
        if entry := index.words[key]:
            yield stop, entry
        between = _BETWEEN.match(text, stop)
        following = _WORD.match(text, between.end()) if between and whole else None
        joint = _joint(between[0]) if between and following else None
        if following is None or joint is None:
            return
        word, beginning = following[0], key + joint
        key, stop = beginning + folded_word(word), following.end()
    if word:
        for cut in index.ends(word):
            if entry := index.words.get(beginning + folded_word(word[:cut])):
                yield stop - len(word) + cut, entry
                return


def _otherwise(index: _Index, text: str, earlier: _Spans, kind: _Kind, place: tuple[int, int, int]) -> bool:
    """Whether the words around a name tell that it means a language or a thing."""
    around, tongue, linked, (edge, begin, until) = index.around, kind == "tongues", False, place
    beside = _BESIDE.match(text, until)
    following = _WORD.match(text, beside.end()) if beside else None
    after = folded_word(following[0]) if following else ""
    if after in around["after_any"] or (kind != "names" and after in around["after_people"]):
        return True
    # Hebrew and Arabic write "in French" as one word.
    if tongue and (after in around["after"] or not {"ב", "ب"}.isdisjoint(text[edge:begin])):
        return True
    given = folded_word(text[begin:until]) in around["given"]
    if given and after in around["after_given"]:
        return True
    for distance, (start, end) in enumerate(list(earlier)[-2::-1]):
        word = folded_word(text[start:end])
        apart = text[end:edge].strip(_ASIDE)
        if given and distance == 0 and word in around["before_given"] and text[end:edge].strip(" '\"") == "":
            return True
        if distance == 0 and word in around["before_any"] and apart in ("", "."):
            return True
        if apart:
            return False
        edge = start
        if tongue and word in around["before"]:
            return not linked or word in around["naming"]
        if tongue and word in around["inside"]:
            return not after or after in around["function_words"]
        linked = linked or word in around["linking"]
        entry = index.words.get(word)
        if not tongue or (word not in around["between"] and (entry is None or entry.kind != "tongues")):
            return False
    return False
