"""Rules of the answer: missing, empty, dangerous, a list, a gloss, a rubric, a text, tied, given elsewhere too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import normalize

from homeground.questions.audit.text import Text
from homeground.questions.audit.verdicts import Flag, Rule, told
from homeground.questions.audit.words import LANGUAGES, Language, language
from homeground.schema import Gold, Question

_ROUNDED = re.compile(r"\s{0,3}[\(（\[][^)）\]]{1,300}[\)）\]]")
_CUT = re.compile(r"[,;、，；/|\n•]|\s[-–—]\s")
_NUMBERS = re.compile(r"[\d\s.,:/'’年月日$€£¥%+–-]+")
_DATE = re.compile(
    r"\d{1,2}[./]\d|\d,\s?\d{3}|,\s*\d{4}$|\d/\d|\b[a-z]{1,3}/[a-z]{1,2}\b|^(?:w|c|n)/", re.IGNORECASE
)
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u0400-\u052f\u0370-\u03ff]")
_RUN_ON = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f]")
_LONG, _LONGISH = 12, 9
_LONG_RUN, _LONGISH_RUN = 24, 16
_WITHOUT_ACCENTS = re.compile("[\u0300-\u036f]")
_HALF, _CLEAR = 0.5, 2 / 3


def forms_of(question: Question) -> list[str]:
    """All golds in all their forms."""
    return [f for a in question.answers or () for f in ((a,) if isinstance(a, str) else a.forms)]


def size_of(form: str) -> int:
    """Length of a gold in words; two characters of scripts without spaces count as one."""
    run = len(_RUN_ON.findall(form))
    return max(len(form.split()), run // 2)


def golds(item: Question, text: Text, rules: Language | None) -> list[Flag]:
    """All findings about the answers."""
    forms = forms_of(item)
    if not forms:
        why = "no right answer, so nothing can be scored"
        return [Flag(guideline="F1", evidence="", why=why, confidence=1.0, field="answers")]
    found = []
    for form in dict.fromkeys(forms):
        if not form.strip():
            why = "an empty answer is contained in every answer"
            found.append(Flag(guideline="F2", evidence="", why=why, confidence=1.0, field="answers"))
        else:
            found += [*_dangerous(form, item, text), *_one_item(form, rules), *_sentence(form, rules)]
    return [*found, *_votes(item), *_elsewhere(item)]


@cache
def _meant(kind: str) -> re.Pattern[str]:
    patterns = [rules.patterns[kind] for code in LANGUAGES if (rules := language(code))]
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern in patterns), re.IGNORECASE)


def _dangerous(form: str, item: Question, text: Text) -> list[Flag]:
    """A gold that stands in wrong answers by chance."""
    bare = form.strip().strip(".!?\"'“”«»()")
    chars = sum(char.isalnum() for char in bare)
    sure = True
    if not chars:
        why = "no letter and no digit in it"
    elif _meant("no_answer").fullmatch(bare):
        why = "so common a word stands in wrong answers too"
    elif _meant("nothing").fullmatch(bare):
        sure, why = False, "stands in wrong answers too"
    elif bare.isdecimal() and chars < 3:
        sure, why = chars == 1, "so short a number stands inside others by chance"
    elif chars < 3 and _LATIN.search(bare):
        why = "so short an answer stands inside others by chance"
    elif chars < 2 or (chars < 3 and not _RUN_ON.search(bare)):
        sure, why = False, "so short an answer may stand inside others by chance"
    elif re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text.raw, re.IGNORECASE) and not item.options:
        sure, why = False, "stands in the question: a model that repeats it is right"
    else:
        return []
    return [_gold("F3", form, why, 0.8, sure=sure)]


def _one_item(form: str, rules: Language | None) -> list[Flag]:
    """A list of things, or an answer with an explanation."""
    if seen := _ROUNDED.search(form):
        if _ROUNDED.sub("", form).strip():
            return [_gold("L2", seen[0].strip(), "explains the answer in brackets", 0.8)]
        return []
    glossed = next(rules.spans("gloss", form), None) if rules else None
    pieces = [piece for piece in _CUT.split(form) if piece.strip()]
    if len(pieces) > 1 and not _DATE.search(form) and not _NUMBERS.fullmatch(form):
        if glossed:
            return [_gold("L2", form, "explains the answer besides giving it", 0.8)]
        short = max(size_of(piece) for piece in pieces) <= 4
        return [
            _gold("L2", form, "a list: the answer should be one item", 0.7, sure=short or len(pieces) > 2)
        ]
    if glossed and glossed[0] > 0 and size_of(form) > 3:
        return [_gold("L2", form[glossed[0] : glossed[1]], "explains the answer besides giving it", 0.6)]
    joined = next(rules.spans("joined", form), None) if rules and rules.spaced else None
    if joined and joined[0] > 0 and joined[1] < len(form):
        return [_gold("L2", form, "may be two items", 0.4, sure=False)]
    return []


def _gold(rule: Rule, evidence: str, why: str, confidence: float, *, sure: bool = True) -> Flag:
    return Flag(
        guideline=rule, verdict=told(sure), evidence=evidence, why=why, confidence=confidence, field="answers"
    )


def _sentence(form: str, rules: Language | None) -> list[Flag]:
    """A gold that is a text, or that says how to judge one."""
    size, found = len(form.split()), []
    long, longish = _LONG, _LONGISH
    if (run := len(_RUN_ON.findall(form))) > size:
        size, long, longish = run, _LONG_RUN, _LONGISH_RUN
    if size > longish:
        found.append(_gold("F7", form, "no short answer: outputs will not contain it", 0.8, sure=size > long))
    if rules and (seen := next(rules.spans("rubric", form), None)):
        why = "says what is expected of an answer, not the answer"
        found.append(_gold("F6", form[seen[0] : seen[1]], why, 0.8, sure=size_of(form) > 4))
    return found


def _votes(item: Question) -> list[Flag]:
    """Several answers: by votes where they were counted, else a doubt unless they look like forms of one."""
    answers = item.answers or ()
    counted = sorted((a for a in answers if isinstance(a, Gold) and a.count), key=lambda a: -(a.count or 0))
    if len(counted) > 1:
        first, second = counted[0].count or 0, counted[1].count or 0
        total = sum(a.count or 0 for a in counted)
        shown = counted[1].forms[0] if counted[1].forms else ""
        if first == second:
            return [
                _gold("L4", shown, f"tied: the first two answers have {first} of {total} votes each", 0.9)
            ]
        if first < total * _HALF:
            return [_gold("L4", shown, f"the first answer has {first} of {total} votes", 0.8)]
        if first < total * _CLEAR:
            return [_gold("L4", shown, f"the first answer has {first} of {total} votes", 0.5, sure=False)]
        return []
    if len(answers) > 1 and len(counted) != 1:
        names = [a if isinstance(a, str) else next(iter(a.forms), "") for a in answers]
        if not _alike(names):
            return [_gold("L4", names[1], f"{len(names)} answers; are they forms of one?", 0.4, sure=False)]
    return []


def _alike(names: Iterable[str]) -> bool:
    """Whether all names share a word or begin alike with the first."""
    first, *others = (_WITHOUT_ACCENTS.sub("", normalize("NFD", name.casefold().strip())) for name in names)
    return all(other[:4] == first[:4] or set(other.split()) & set(first.split()) for other in others)


def _elsewhere(item: Question) -> list[Flag]:
    """An answer that a sibling culture gives too (D3), where the item says what those answer."""
    own = {form.casefold().strip() for form in forms_of(item)}
    for code, answers in (item.contrast or {}).items():
        for form in (f for a in answers for f in ((a,) if isinstance(a, str) else a.forms)):
            if form.casefold().strip() in own:
                mine = next(f for f in forms_of(item) if f.casefold().strip() == form.casefold().strip())
                return [_gold("D3", mine, f"people of {code} answer the same", 0.9)]
    return []
