"""Words of stance in a text: denials, refusals, "or", "but" and the like, found among its tokens.

The same word means different things in different languages (Spanish "no" denies, Portuguese "no" is a place), so a
phrase counts only where the text may be in its language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from homeground.judging.phrases.edges import UNSPACED
from homeground.judging.phrases.text import NON_JOINER, reading_form, stance_words

_KINDS = frozenset((
    "not_before", "not_far", "not_after", "no_denial", "but", "turn", "refusal", "settled", "or", "and", "same",
    "guess", "disbelief", "retract", "retract_within", "attribute", "light", "article",
    "conceded", "verb",
))  # fmt: skip
_TELLING = frozenset(("function", "or", "and", "article", "not_far", "but", "copula"))
"""Kinds of words by which languages are told apart."""
_GLUED_OR = re.compile(r"\A(이나|나)(?=\s)")
"""Korean "or", written onto what stands before the text."""
_QUESTION = frozenset("か")
"""Cut off only before a comma, where it joins two candidates."""
_DENYING = ("not_before", "not_far", "not_after")
_HEAD = 800
"""Characters from which the language of an answer is told."""
_PERSIAN_NOT = reading_form("نمی" + NON_JOINER)
_TOLD = 2
_NAMED = 1.5
"""What naming the language counts for, in everyday words of another."""
_TOKEN = re.compile(
    rf"[^\W_]+(?:['{NON_JOINER}\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u3099\u309a]+[^\W_]*)*|[^\s\w]"
)
_RUN = re.compile(rf"[{UNSPACED}\uac00-\ud7af]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
CUTS = frozenset(",.:;!?()[]،؛؟。！？；：、，-/…")
"""Signs that end a clause."""


class Event(NamedTuple):
    """A phrase of the tables found among the tokens from ``start`` to ``end``."""

    kind: str
    start: int
    end: int


class Run(NamedTuple):
    """A phrase of a script without spaces, or of Hangul, which is looked for as it stands."""

    text: str
    kind: str


class _Phrase(NamedTuple):
    kind: str
    words: tuple[str, ...]
    language: str


class _Tables(NamedTuple):
    spaced: dict[str, tuple[_Phrase, ...]]
    """By first word, the longest first."""
    runs: dict[str, tuple[Run, ...]]
    """By first character."""
    ors: frozenset[str]
    cut: re.Pattern[str]
    """Words for "or" and "and" in scripts without spaces, where they can be told from parts of words."""
    function: dict[str, frozenset[str]]
    """Everyday words, each with the languages that it tells apart."""
    told: frozenset[str]
    plain: dict[str, frozenset[str]]
    """Language → its everyday words that deny nothing."""


@cache
def _tables() -> _Tables:
    spaced: dict[str, list[_Phrase]] = {}
    runs: dict[Run, None] = {}
    function: dict[str, set[str]] = {}
    rows = stance_words()
    for code, row in rows.items():
        copulas, same = _forms(row, "copula"), _forms(row, "same")
        for kind in row:
            for form in _forms(row, kind):
                if kind in _TELLING and " " not in form:
                    function.setdefault(form, set()).add(code)
                # After a comma "it is" turns a denial round, and the comma does so itself; without one it is denied.
                skipped = (kind == "or" and form in same) or (kind in ("but", "settled") and form in copulas)
                if kind not in _KINDS or skipped:
                    continue
                if _RUN.search(form):
                    runs[Run(form, kind)] = None
                elif words := tuple(_words(form)):
                    spaced.setdefault(words[0], []).append(_Phrase(kind, words, code))
    ordered = tuple(sorted(runs, key=lambda run: -len(run.text)))
    return _Tables(
        spaced={w: tuple(sorted(p, key=lambda q: -len(q.words))) for w, p in spaced.items()},
        runs={
            first: tuple(run for run in ordered if run.text[0] == first)
            for first in {r.text[0] for r in ordered}
        },
        ors=frozenset(run.text for run in ordered if run.kind == "or") | _QUESTION,
        cut=_cutting(ordered),
        function={word: frozenset(codes) for word, codes in function.items()},
        told=frozenset(code for code, row in rows.items() if row.get("function")),
        plain={code: _plain(row) for code, row in rows.items()},
    )


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text if text.isascii() else text.replace(_PERSIAN_NOT, _PERSIAN_NOT[:-1] + " "))


def _plain(row: dict[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(_forms(row, "function")) - {w for kind in _DENYING for w in _forms(row, kind)}


def _forms(row: dict[str, tuple[str, ...]], kind: str) -> list[str]:
    return list(dict.fromkeys(form for w in row.get(kind, ()) if (form := reading_form(w).strip())))


def _cutting(runs: Sequence[Run]) -> re.Pattern[str]:
    found = [run.text for run in runs if run.kind == "or"]
    hangul = [f"{text}(?=\\s)" for text in found if len(text) > 1 and _HANGUL.match(text)]
    # One character is too often part of a word; 或 is not.
    other = [text for text in found if not _HANGUL.match(text) and (len(text) > 1 or text == "或")]
    comma = [f"か(?=[、,])|{text}" for text in other[:1]]
    return re.compile("|".join((*hangul, *comma, *other[1:])) or r"(?!)")


class Reader:
    """Finds words of stance in pieces of one answer."""

    def __init__(self, text: str, language: str | None) -> None:
        """``text`` is the answer's reading form."""
        self._text = text
        self._language = language
        self._found: dict[str, tuple[Run, ...]] = {}
        self._scores: dict[str, float] | None = None

    def tokens(self, text: str) -> list[str]:
        """Words and signs; "or" in a script without spaces and Persian "not" on a verb are tokens of their own."""
        if not text.isascii() and _RUN.search(text):
            text = _GLUED_OR.sub(r"\1 ", text)
            text = _tables().cut.sub(lambda found: f" {found[0]} ", text)
        return _words(text)

    def runs(self, text: str) -> tuple[Run, ...]:
        """The phrases in the text that are looked for as they stand, the longest first."""
        if text.isascii() or not _RUN.search(text):
            return ()
        if (found := self._found.get(text)) is None:
            table = _tables().runs
            seen = {
                run: None
                for at, char in enumerate(text)
                for run in table.get(char, ())
                if text.startswith(run.text, at)
            }
            found = self._found[text] = tuple(sorted(seen, key=lambda run: -len(run.text)))
        return found

    def events(self, tokens: Sequence[str]) -> list[Event]:
        """All phrases among the tokens, in order; of one kind only the longest that begins at a token."""
        tables = _tables()
        found: list[Event] = []
        if tables.spaced.keys().isdisjoint(tokens) and tables.ors.isdisjoint(tokens):
            return found
        for index, token in enumerate(tokens):
            seen: set[str] = set()
            for phrase in tables.spaced.get(token, ()):
                size = len(phrase.words)
                if size > 1 and tuple(tokens[index : index + size]) != phrase.words:
                    continue
                if phrase.kind not in seen and self._active(phrase):
                    seen.add(phrase.kind)
                    found.append(Event(phrase.kind, index, index + size))
            if token in tables.ors:
                found.append(Event("or", index, index + 1))
        return found

    def _active(self, phrase: _Phrase) -> bool:
        tables = _tables()
        if self._scores is None:
            self._scores = self._languages()
        own = self._scores.get(phrase.language)
        if phrase.language in tables.told and own is None:
            return False
        if len(phrase.words) > 1 or (phrase.kind not in _DENYING and phrase.language in tables.told):
            return True
        # "no Porto" is a place in Portuguese and a denial in Spanish: the likelier language has it. So is "a" in
        # English and, as "but", in Polish.
        word = phrase.words[0]
        rivals = (
            points
            for code, points in self._scores.items()
            if word in tables.plain.get(code, ()) and points >= (own or 0.0)
        )
        return next(rivals, None) is None

    def _languages(self) -> dict[str, float]:
        tables = _tables()
        score: dict[str, float] = dict.fromkeys(tables.told, 0.0)
        for token in dict.fromkeys(_TOKEN.findall(self._text[:_HEAD])):
            for code in tables.function.get(token, ()):
                if code in score:
                    score[code] += 1
        if self._language in score:
            score[self._language] += _NAMED
        best = max(score.values())
        likely = {code: points for code, points in score.items() if points >= best - (best <= _TOLD)}
        if best < _TOLD and self._language is None:
            likely.setdefault("en", 0.0)
        return likely
