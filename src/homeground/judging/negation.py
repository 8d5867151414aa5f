"""What an answer says is not so, in any of the languages of ``words/stance.toml``.

A denial is looked for a few words before what is denied ("not from Iran", "n'est pas français") and, where the
language puts it there, a few words after ("Fransa değil"). Look-back and look-ahead are bounded, so that reading a
text is linear in its length whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from homeground.cultures.names import folded_word, words_around
from homeground.cultures.scripts import HANGUL
from homeground.judging.tables import read_words
from homeground.schema import Record

WINDOW = 40
"""How far a denial is looked for, in characters."""
_REACH = 2
_AFTER = 3
_RUN_GAP = 10
"""Characters that may stand between a name and its denial where words are not set apart by spaces."""
_RUN_SHORT = 2
_NOBODY: frozenset[str] = frozenset()

_ENDS = ".!?;:,()[]{}/…\n。、，！？；：،؛؟।"
TOKEN = re.compile(rf"[^\s*_`\"“”«»„\u200c{re.escape(_ENDS)}]+|[{re.escape(_ENDS)}]")
SENTENCE_ENDS = ".!?;:\n。！？；：।"
CUTS = frozenset(_ENDS) | {"-", "--"}
_HANGUL = re.compile(f"[{HANGUL}]")
# Scripts that set no space between words, and Hangul, whose endings are written onto a word: parts of words count.
RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"
)

Words = tuple[str, ...]


class _File(Record, frozen=True, kw_only=True):
    language: dict[str, dict[str, tuple[str, ...]]]


class Phrases:
    """Phrases of many languages, found in a list of words or, in scripts without spaces, in a text."""

    def __init__(
        self, rows: Iterable[tuple[str, str]], *, by_last: bool = False, hangul: bool = True
    ) -> None:
        """``rows``: language and phrase.

        ``by_last`` finds a phrase by its last word rather than its first; without ``hangul``, Korean phrases are whole
        words too (비, "un-", begins many).
        """
        self._by_last = by_last
        table: dict[str, dict[Words, frozenset[str]]] = {}
        runs: dict[str, frozenset[str]] = {}
        for language, phrase in rows:
            if RUN.search(phrase) and (hangul or not _HANGUL.search(phrase)):
                runs[phrase] = runs.get(phrase, _NOBODY) | {language}
            elif words := tuple(words_of(phrase)):
                at = table.setdefault(words[-1 if by_last else 0], {})
                at[words] = at.get(words, _NOBODY) | {language}
        # The longest first, so that "rather than" is never read as "rather".
        self.table = {
            word: tuple(sorted(at.items(), key=lambda item: -len(item[0]))) for word, at in table.items()
        }
        self.keys = frozenset(self.table)
        self.runs = tuple(sorted(runs.items(), key=lambda item: -len(item[0])))
        self._any_run = re.compile("|".join(re.escape(phrase) for phrase, _ in self.runs) or "(?!)")

    def at(self, words: Sequence[str], index: int) -> tuple[int, int, frozenset[str]] | None:
        """Start, end and languages of the phrase that begins (or ends, ``by_last``) with the word at ``index``."""
        for phrase, languages in self.table.get(words[index], ()):
            start = index - len(phrase) + 1 if self._by_last else index
            if start >= 0 and tuple(words[start : start + len(phrase)]) == phrase:
                return start, start + len(phrase), languages
        return None

    def runs_in(self, text: str) -> bool:
        """Whether a phrase of a script without spaces stands anywhere in a text."""
        return not text.isascii() and self._any_run.search(text) is not None

    def may_be_in(self, words: Iterable[str], text: str) -> bool:
        """Whether the first word of any phrase is among ``words`` (the last, ``by_last``), or a run in ``text``."""
        return not self.keys.isdisjoint(words) or self.runs_in(text)

    def languages(self, words: Sequence[str], text: str) -> frozenset[str]:
        """Languages of all phrases in ``words``, or in ``text`` for scripts without spaces."""
        found = _NOBODY
        if not self.keys.isdisjoint(words):
            for index in range(len(words)):
                if (hit := self.at(words, index)) is not None:
                    found |= hit[2]
        if self.runs_in(text):
            for phrase, languages in self.runs:
                if phrase in text:
                    found |= languages
        return found


class Stance(NamedTuple):
    """The tables of ``words/stance.toml``, all languages in one."""

    before: Phrases
    after: Phrases
    no_denial: Phrases
    but: Phrases
    refusal: Phrases
    settled: Phrases
    either: Phrases
    """Words for "or"."""
    marks: dict[str, frozenset[str]]
    """Languages of every single word for "and", "or", "but" and "not", by which to tell one from another."""


@cache
def stance_words() -> dict[str, dict[str, tuple[str, ...]]]:
    """Language → kind → phrases of ``words/stance.toml``.

    Raises:
        InputError: the data file is broken.
    """
    return read_words("stance", _File).language


def stance_rows(*fields: str) -> list[tuple[str, str]]:
    """Languages and phrases of some fields of ``words/stance.toml``.

    Raises:
        InputError: the data file is broken.
    """
    return [(code, p) for code, row in stance_words().items() for field in fields for p in row.get(field, ())]


@cache
def stance() -> Stance:
    """The words with which an answer takes a stand.

    Raises:
        InputError: the data file is broken.
    """
    rows = stance_rows
    marks: dict[str, frozenset[str]] = {}
    for code, phrase in rows("and", "or", "but", "not_before", "not_after"):
        word = folded_word(phrase)
        marks[word] = marks.get(word, _NOBODY) | {code}
    return Stance(
        before=Phrases(rows("not_before"), by_last=True, hangul=False),
        after=Phrases(rows("not_after")),
        no_denial=Phrases(rows("no_denial")),
        but=Phrases(rows("but", "settled"), by_last=True),
        refusal=Phrases(rows("refusal")),
        settled=Phrases(rows("settled"), by_last=True),
        either=Phrases(rows("or")),
        marks=marks,
    )


def words_of(text: str) -> list[str]:
    """Words folded for comparison, and the signs that end a clause, in order."""
    if text.isascii():
        return TOKEN.findall(text.lower())
    return [folded_word(word) for word in TOKEN.findall(text)]


def negated(text: str, start: int, end: int | None = None) -> bool:
    """Whether what stands from ``start`` to ``end`` is said not to be so ("not 104 °F but…").

    Without ``end`` only the words before it are read. Takes a few microseconds whatever the length of ``text``.
    """
    if denied_before(text, start, reach=_REACH):
        return True
    return end is not None and bool(denied_after(text, end))


def may_deny(text: str) -> bool:
    """Whether any word of denial stands anywhere in a text: a quick look before many slower ones."""
    words = words_of(text)
    return stance().before.may_be_in(words, text) or stance().after.may_be_in(words, text)


def denied_before(text: str, start: int, *, floor: int = 0, reach: int) -> frozenset[str]:
    """Languages in which words between ``floor`` and ``start`` deny what begins at ``start``; empty: none.

    ``reach`` is how many words may stand between: few where anything may follow ("not far: 30 km"), more where a
    verb phrase does ("does not seem to be from Spain").
    """
    low = max(floor, start - WINDOW)
    cut = floor < low and text[low - 1].isalnum()
    return _before(text[low:start], cut, reach)


@lru_cache(4096)
def _before(window: str, cut: bool, reach: int) -> frozenset[str]:
    words = words_of(window)
    if not words:
        return _NOBODY
    table = stance()
    if not table.before.keys.isdisjoint(words):
        if cut and window[0].isalnum():
            words = words[1:]  # only the end of a word
        found = _backwards(table, words, window, reach)
        if found:
            return found
    return _run_before(table, window) if table.before.runs_in(window) else _NOBODY


def _backwards(table: Stance, words: list[str], window: str, reach: int) -> frozenset[str]:
    attached = window[-1].isalnum() or window[-1] == "'"  # "l'" or a prefix, written onto what follows
    last = len(words) - attached
    turned = _NOBODY
    for index in range(len(words) - 1, max(-1, last - reach - 2), -1):
        if words[index] in CUTS:
            break
        if (hit := table.before.at(words, index)) is not None and (index < last or hit[0] < index):
            start, end, languages = hit
            if _says_where(table, words, start, last):
                continue
            # What spares it in one language that has the word spares it in all: "no doubt" is no Spanish.
            spared = turned | _spared(table, words, start, end)
            return languages if languages.isdisjoint(spared) else _NOBODY
        if (turn := table.but.at(words, index)) is not None and not _stressed(table, words, turn[0]):
            turned |= turn[2]
    return _NOBODY


def _stressed(table: Stance, words: list[str], start: int) -> bool:
    """Whether a word that could turn a denial stands right behind it and stresses it: "isn't actually from"."""
    return start > 0 and table.before.at(words, start - 1) is not None


def _says_where(table: Stance, words: list[str], start: int, last: int) -> bool:
    """Whether what denies in one language means "in" or "born in" here: "vive no Brasil", "est né en France"."""
    before = words[start - 1] if start else ","
    ordinary = before not in CUTS and before not in table.marks
    return ordinary and " ".join(words[start:last]) in words_around("where")


def _spared(table: Stance, words: list[str], start: int, end: int) -> frozenset[str]:
    """Languages in which a denial from ``start`` to ``end`` is none: "not more than", "not only", "no doubt"."""
    if end < len(words) and table.no_denial.at(words, end) is not None:
        return table.before.languages(words[start:end], "")  # right behind it a phrase of any language counts
    return table.no_denial.languages(words[end:], "") | covered(table, words, start, end)


def covered(table: Stance, words: list[str], start: int, end: int) -> frozenset[str]:
    """Languages of longer phrases that hold the words from ``start`` to ``end`` or some of them, and deny nothing."""
    found = _NOBODY
    for index in range(max(0, start - 3), end):
        hit = table.no_denial.at(words, index)
        if hit is not None and hit[1] > start and (index <= start or hit[1] > end):
            found |= hit[2]
    return found


def _run_before(table: Stance, window: str) -> frozenset[str]:
    for phrase, languages in table.before.runs:
        at = window.rfind(phrase)
        gap = window[at + len(phrase) :]
        if at < 0 or len(gap) > (_RUN_GAP if len(phrase) > 1 else _RUN_SHORT) or not CUTS.isdisjoint(gap):
            continue
        if any(word in gap for word, _ in table.but.runs):
            continue
        if not _run_spared(table, window, at, phrase):
            return languages
    return _NOBODY


def denied_after(text: str, end: int, *, ceiling: int | None = None) -> frozenset[str]:
    """Languages in which words between ``end`` and ``ceiling`` deny what ends at ``end``; empty: none."""
    return _after(
        text[end : min(len(text) if ceiling is None else ceiling, end + WINDOW)], ceiling is not None
    )


@lru_cache(4096)
def _after(window: str, ceiled: bool) -> frozenset[str]:
    words = words_of(window)
    if not words:
        return _NOBODY
    table = stance()
    if not table.after.keys.isdisjoint(words):
        # A case ending ("Almanya'dan") is part of the name.
        own = int(window[0].isalnum() or window[0] == "'")
        turned = _NOBODY
        for index in range(min(len(words), own + _AFTER + 1)):
            if words[index] in CUTS:
                break
            if (hit := table.after.at(words, index)) is not None:
                _, end, languages = hit
                goes_on = ceiled if end == len(words) else words[end] not in CUTS
                if goes_on and (before := table.before.at(words, end - 1)) is not None:
                    languages -= before[2]  # Dutch "niet" denies what follows wherever anything does
                if languages := languages - turned - covered(table, words, index, end):
                    return languages
            if (turn := table.but.at(words, index)) is not None:
                turned |= turn[2]
    return _run_after(table, window) if table.after.runs_in(window) else _NOBODY


def _run_after(table: Stance, window: str) -> frozenset[str]:
    for phrase, languages in table.after.runs:
        at = window.find(phrase, 0, _RUN_GAP + len(phrase))
        if at >= 0 and CUTS.isdisjoint(window[:at]) and not _run_spared(table, window, at, phrase):
            return languages
    return _NOBODY


def _run_spared(table: Stance, window: str, at: int, phrase: str) -> bool:
    """Whether a longer phrase that denies nothing holds ``phrase`` or begins right behind it."""
    end = at + len(phrase)
    for word, _ in table.no_denial.runs:
        where = window.find(word, max(0, at - len(word) + 1), end + len(word))
        if where >= 0 and (word == phrase or where < at or where + len(word) > end):
            return True
    return False
