"""Rules of form: length, clauses, two questions in one, rare words, yes or no, options, no question, long answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from homeground.questions.audit.text import QUESTION_MARKS, Text
from homeground.questions.audit.verdicts import Flag, told
from homeground.questions.audit.words import Language
from homeground.schema import Question

_LONG, _LONGISH = 25, 20
_LONG_HAN, _LONGISH_HAN = 45, 34
"""Words and Chinese characters from which a question is long. BLEnD's have 12 words in the middle, 95 % at most 19."""
_CLAUSES, _CLAUSES_OF_LONG = 3, 2
_TANGLED = 15
"""Words from which two subordinate clauses are too many."""
_SHORT_GOLD = 6
_FAR = 40
"""Characters after which words no longer tell what a sentence asks."""
_NEAR = 16
_RARE = 1.8
"""Zipf frequency below which a word is rare: less than once in fifteen million words."""
_LETTERED = re.compile(r"(?:^|[\s(])[\(]?[aA1][).:]\s+\S.{0,200}?[\s(][\(]?[bB2][).:]\s+\S", re.DOTALL)
_CHOICE = re.compile(
    r"[,:;]\s*(?:[^\s,?]+ ){0,5}[^\s,?]+,? (?:or|ou|o|oder|u) (?:[^\s,?]+ ){0,5}[^\s,?]+\s*\?|(?:还是|還是).{1,14}[？?]"
)
_CALLED = re.compile(r"(?:is|are|chama(?:-se)?|llaman?|heißt|s['’]appelle|called)\s*\?\s*$", re.IGNORECASE)
_BEFORE_ASKING = re.compile(
    r"(?:^|[,;:(¿¡]\s*|(?<!\w)(?:em|de|a|à|ao|com|para|por|o|no|na|do|da|al|el|en|con|sur|avec|pour|chez|dans|sous|depuis|é|es|y|e|et|"
    r"desde|hasta|até|sobre|sob|entre|par|vers|contre|durante|durant|pendant|segundo|según|selon|após|après|tras|bajo|ante|pelo|pela|sem|sin|sans|d['’])\s*)$",
    re.IGNORECASE,
)
_NO_MARK_NEEDED = frozenset({"th", "my", "lo", "km", "am", "ti", "ja", "hy", "el"})


def long_or_tangled(text: Text, rules: Language | None) -> list[Flag]:
    """Too many words, too many clauses."""
    size, long, longish = len(text.raw.split()), _LONG, _LONGISH
    if text.han > size:
        size, long, longish = text.han, _LONG_HAN, _LONGISH_HAN
    found = []
    if size > longish:
        why = f"long: {size} {'characters' if long == _LONG_HAN else 'words'}"
        verdict = told(size > long)
        found.append(
            Flag(guideline="L1", evidence=text.raw.strip(), why=why, confidence=0.8, verdict=verdict)
        )
    clauses = _clauses(text, rules) if rules else []
    if len(clauses) >= _CLAUSES_OF_LONG:
        start, end = clauses[0]
        found.append(
            Flag(
                guideline="L1",
                verdict=told(len(clauses) >= _CLAUSES or size > _TANGLED),
                evidence=text.raw[start:end],
                why=f"{len(clauses)} subordinate clauses",
                confidence=0.6,
            )
        )
    return found


def _clauses(text: Text, rules: Language) -> list[tuple[int, int]]:
    """Words that join a clause, those that ask aside: the first that asks in a sentence, and what begins it."""
    starts = {start for start, _ in text.sentences}
    asking = {
        found
        for first, last in text.sentences
        if (found := _first_asking(text, rules, first, last)) is not None
    }
    return [
        (start, end)
        for start, end in rules.spans("subordinate", text.unquoted)
        if not any(first <= start < stop for first, stop in asking)
        and (start not in starts or rules.code in ("zh", "de"))
    ]


def _first_asking(text: Text, rules: Language, first: int, last: int) -> tuple[int, int] | None:
    """The first word of a sentence that asks."""
    sentence = text.unquoted[first:last]
    for start, end in rules.spans("asking", sentence):
        before = sentence[max(0, start - _NEAR) : start]
        if sentence[start:end].lower() not in rules.not_asking or _BEFORE_ASKING.search(before):
            return first + start, first + end
    return None


def several_questions(text: Text) -> list[Flag]:
    """More than one question mark outside quotes."""
    if len(text.asked) < 2:
        return []
    start, end = text.asked[1]
    why = f"{len(text.asked)} questions in one"
    return [Flag(guideline="L1", evidence=text.raw[start:end], why=why, confidence=0.9)]


def yes_or_no(text: Text, rules: Language) -> list[Flag]:
    """A question that yes or no answers; for one that only sounds so ("Do you know what …?") a doubt."""
    found = []
    for first, last in text.asked:
        sentence = text.unquoted[first:last]
        verdict = (_spaced_yes_no if rules.spaced else _chinese_yes_no)(text, rules, first, last)
        if verdict is None:
            continue
        sure, confidence = verdict
        doubted = (
            not sure
            or next(rules.spans("polite", sentence), None) is not None
            or bool(_CHOICE.search(sentence))
        )
        found.append(
            Flag(
                guideline="L7",
                verdict=told(not doubted),
                evidence=text.raw[first:last],
                why="can be answered with yes or no",
                confidence=confidence,
            )
        )
    return found[:1]


def _chinese_yes_no(text: Text, rules: Language, first: int, last: int) -> tuple[bool, float] | None:
    sentence = text.unquoted[first:last]
    asks = next(rules.spans("asking", sentence), None) is not None
    if next(rules.spans("yes_no", sentence), None):
        return (not asks or sentence.rstrip("？?。 ").endswith(("吗", "嗎"))), 0.9
    return None if asks or "还是" in sentence or "還是" in sentence else (False, 0.5)


def _spaced_yes_no(text: Text, rules: Language, first: int, last: int) -> tuple[bool, float] | None:
    sentence = text.unquoted[first:last].lstrip("¿¡ ")
    asks = _first_asking(text, rules, first, last)
    begins = _begins_with(rules, sentence)
    if rules.code == "en":
        asks_first = asks is not None and text.unquoted[first : asks[0]].strip() == ""
        chunks = sentence.split(", ")
        last_chunk = chunks[-1]
        after_clause = len(chunks) > 1 and _begins_with(rules, last_chunk)
        joins = asks is None or (asks_first and sentence.split(" ", 1)[0].lower() in ("when", "where"))
        if begins or (after_clause and joins and next(rules.spans("asking", last_chunk), None) is None):
            return True, 0.9
        return (False, 0.4) if asks is None else None
    if asks is not None and not (rules.code == "de" and begins):
        return None
    return (begins or not _CALLED.search(sentence)), 0.9 if begins else 0.7


def _begins_with(rules: Language, sentence: str) -> bool:
    found = next(rules.spans("yes_no", sentence), None)
    return found is not None and found[0] == 0


def options(item: Question, text: Text) -> list[Flag]:
    """Options beside the question or in it."""
    if item.options:
        evidence = item.options[0]
        why = f"multiple choice: {len(item.options)} options, from which a model can guess"
        return [Flag(guideline="F4", evidence=evidence, why=why, confidence=1.0, field="options")]
    if seen := _LETTERED.search(text.raw):
        return [
            Flag(
                guideline="F4",
                evidence=seen[0].strip(),
                why="the options stand in the question",
                confidence=0.9,
            )
        ]
    if seen := _CHOICE.search(text.unquoted):
        evidence = text.raw[seen.start() : seen.end()]
        return [
            Flag(guideline="F4", evidence=evidence, why="offers the answers to choose from", confidence=0.7)
        ]
    return []


def not_a_question(text: Text, code: str | None, rules: Language | None) -> list[Flag]:
    """No question mark outside quotes; where it may just have been forgotten, a doubt."""
    if text.asked or not text.sentences:
        return []
    raw = text.raw.strip()
    quoted = any(mark in raw for mark in QUESTION_MARKS)
    start, end = text.sentences[-1]
    evidence = text.raw[start:end]
    asks = rules is not None and _asks_at_first(text, rules)
    if quoted and asks and not re.search(r"[:,]\s*[\"“«„「]", raw):
        why = "its question mark stands in quotes"
        return [Flag(guideline="F5", verdict="cannot tell", evidence=evidence, why=why, confidence=0.5)]
    if quoted:
        return [Flag(guideline="F5", evidence=evidence, why="only quoted speech asks", confidence=0.9)]
    if code in _NO_MARK_NEEDED or (rules is None and script_free(raw)):
        return [
            Flag(
                guideline="F5",
                verdict="cannot tell",
                evidence=evidence,
                why="no question mark",
                confidence=0.4,
            )
        ]
    if asks and len(text.sentences) == 1 and not text.quoted and not raw.endswith((".", "。", "!", "！")):
        why = "no question mark at its end"
        return [Flag(guideline="F5", verdict="cannot tell", evidence=evidence, why=why, confidence=0.5)]
    return [Flag(guideline="F5", evidence=evidence, why="no question: it asks nothing", confidence=0.9)]


def script_free(raw: str) -> bool:
    """Whether a text has hardly a Latin letter: its signs may differ."""
    return sum("a" <= char.lower() <= "z" for char in raw) * 2 < sum(char.isalpha() for char in raw)


def _asks_at_first(text: Text, rules: Language) -> bool:
    first, last = text.sentences[-1]
    found = _first_asking(text, rules, first, last)
    return found is not None and (not rules.spaced or found[0] - first <= 12)


def long_form(text: Text, rules: Language, sizes: list[int]) -> list[Flag]:
    """A question that asks for an explanation; with a short gold beside it, only a doubt.

    Args:
        text: the question.
        rules: its language.
        sizes: words of each gold; none where there is no gold.
    """
    for first, last in text.sentences:
        sentence = text.unquoted[first:last]
        sure = not sizes or min(sizes) > _SHORT_GOLD
        found = [*rules.spans("long_form", sentence), *(rules.spans("definition", sentence) if sure else ())]
        for start, _ in found:
            if sizes and rules.spaced and start > _FAR:
                continue
            why = "asks for an explanation, which has no short answer"
            return [
                Flag(
                    guideline="F7", verdict=told(sure), evidence=text.raw[first:last], why=why, confidence=0.7
                )
            ]
    return []


@cache
def _frequency() -> Callable[[str, str], float] | None:
    try:
        from wordfreq import zipf_frequency  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    rate: Callable[[str, str], float] = zipf_frequency
    return rate


def rare_words(text: Text, code: str) -> list[Flag] | None:
    """Rare words by ``wordfreq``; nothing where it is not installed. One alone is a doubt, names aside."""
    frequency = _frequency()
    if frequency is None:
        return None
    rare = [
        word
        for word in dict.fromkeys(text.words)
        if word.islower() and len(word) > 3 and word.isalpha() and 0 <= frequency(word, code) < _RARE
    ]
    return [
        Flag(guideline="L1", verdict=told(len(rare) > 1), evidence=word, why="a rare word", confidence=0.5)
        for word in rare[:2]
    ]
