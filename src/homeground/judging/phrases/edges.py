"""How a word is spelt and where it may stand, as regular expressions over the reading form, script by script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from homeground.judging.phrases.text import NON_JOINER, phrase_words, reading_form, stance_words

ACCENTS = "\u0300-\u036f"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3041-\u3096\u3099\u309a"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u3099\u309a\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17d3"
UNSPACED = _HAN + _HIRAGANA + _KATAKANA + _THAI
_ANY_LETTER = rf"[^\W{UNSPACED}{_HANGUL}]"
# Classes of many ranges cost more to compile than all the rest of a gold, and every form needs some; words of scripts
# up to U+0DFF meet no letters of the others without a space.
_LETTER = r"(?:[\0-\u0dff\u1e00-\u2fff](?<=\w))"
# Vowel signs of Indic scripts are no word characters to Python's re, but they are part of a word.
_MARK = rf"[{ACCENTS}\u0900-\u0963\u0966-\u096f\u0971-\u0df3\u0f71-\u0f84]"
_KINDS = (
    ("han", re.compile(rf"[{_HAN}]")),
    ("hiragana", re.compile(rf"[{_HIRAGANA}]")),
    ("katakana", re.compile(rf"[{_KATAKANA}]")),
    ("thai", re.compile(rf"[{_THAI}]")),
    ("hangul", re.compile(rf"[{_HANGUL}]")),
    ("hebrew", re.compile("[\u05d0-\u05ea]")),
    ("arabic", re.compile("[\u0620-\u064a\u066e-\u06d3]")),
    ("digit", re.compile(r"[0-9]")),
    ("letter", re.compile(rf"{_ANY_LETTER}|{_MARK}")),
)
_CLASS = {"han": _HAN, "hiragana": _HIRAGANA, "katakana": _KATAKANA, "thai": _THAI, "hangul": _HANGUL}
GLUABLE = 3
"""Letters from which a word may carry a glued prefix: two letters would be found inside other words."""
_HEADS = 3
_THAI_WORD = 4
"""Characters from which a Thai word is looked for inside running text."""
_CLOCK = re.compile(r"0?(\d{1,2})[:.h](\d\d)")


@cache
def forms_of_kind(kind: str) -> frozenset[str]:
    """All words of one kind, of all languages, in their reading form."""
    return frozenset(reading_form(w) for row in stance_words().values() for w in row.get(kind, ()))


def gap(written: str, before: str, after: str) -> str:
    """What may stand between two words of a gold, whose neighbouring characters are given."""
    if (
        "-" in written
        or NON_JOINER in written
        or (kind_of(before) == kind_of(after) and kind_of(before) in _JOINABLE)
    ):
        return rf"[\s{NON_JOINER}-]{{0,3}}"
    return rf",?[\s{NON_JOINER}-]{{1,3}}"


_JOINABLE = ("hangul", "arabic", "han", "thai", "hiragana", "katakana")


def kind_of(char: str) -> str:
    """The script of a character, as far as it decides where words end; ``sign`` for what is no letter or digit."""
    return next((name for name, chars in _KINDS if chars.match(char)), "sign")


@cache
def _prefixes() -> dict[str, str]:
    return phrase_words().glued


def glued(forms: tuple[str, ...], size: int) -> str:
    """The prefixes that Hebrew and Arabic write onto a gold of so many characters; they are no part of it."""
    kind = kind_of(forms[0][0])
    if kind in _prefixes():
        prefix = f"(?:{_prefixes()[kind]})" if size >= GLUABLE else ("(?:ال)?" if kind == "arabic" else "")
        return rf"(?<!{_LETTER}){prefix}"
    return ""


def shared_edge(forms: Sequence[str]) -> str:
    """What may not stand before any of some words, if it is the same for all and they begin with many letters.

    It is then tested once, before them; else each has it behind its first letter, which a search finds faster.
    """
    heads = {form[0] for form in forms}
    if len(heads) <= _HEADS or any(kind_of(head) != "letter" for head in heads):
        return ""
    letter, mark = _around(max(heads))
    return f"(?<!{letter})(?<!{mark})"


def _around(char: str) -> tuple[str, str]:
    """The letters and marks that carry on a word which begins or ends with a character."""
    return _LETTER if char <= "\u0dff" else _ANY_LETTER, f"[{ACCENTS}]" if char < "\u0590" else _MARK


def left_edge(form: str, size: int, *, edges: bool) -> str:
    """The first letter with what may not stand before it, in the order that lets the search run to the letter."""
    first = spelt(form)[0]
    if not edges:
        return first
    kind, char = kind_of(form[0]), re.escape(form[0])
    if kind in _prefixes() or kind == "sign":
        return rf"(?<!{_LETTER}){first}" if form[0] == "-" else first
    if kind == "letter":
        letter, mark = _around(form[0])
        return rf"{char}(?<!{letter}{char})(?<!{mark}{char}){first[len(char) :]}"
    if kind == "digit":
        return rf"(?<!{_LETTER})(?<!\d[.,:/'-])(?<!\s-)(?<!\A-){first}"
    free = _free(kind, size, form)
    if free is None:
        return first
    before = f"|(?<=[{free[0]}]{char})" if free[0] else ""
    return rf"{char}(?:(?<![{_CLASS[kind]}]{char}){before}){first[len(char) :]}"


def _free(kind: str, size: int, form: str) -> tuple[str, str] | None:
    """Neighbours of its own script between which a word may stand; nothing where any may."""
    around = phrase_words().around
    if (kind == "han" and size > 1) or (kind == "thai" and size >= _THAI_WORD):
        return None
    if kind in ("han", "hiragana"):
        # In the reading form が is か with a mark.
        before = reading_form(around[f"before_{kind}"])
        after = reading_form(around[f"after_{kind}"]).replace("\u3099", "")
        return before, after + (around["counters"] if form in around["numerals"] else "")
    return "", ""


def right_edge(form: str, size: int) -> str:
    """What may follow a form, particles included, as a look-ahead."""
    kind = kind_of(form[-1])
    if kind == "sign":
        return ""
    if kind == "digit":
        tails = "|".join(map(re.escape, phrase_words().number_tails))
        return rf"(?!\d)(?![.,:/']\d|-\d)(?=(?:{tails})?(?:(?!{_LETTER})))"
    ends = phrase_words().particles.get(kind, ())
    tail = rf"(?:{'|'.join(map(reading_form, ends))})?" if ends else ""
    if kind in ("letter", "hebrew", "arabic"):
        letter, mark = _around(form[-1])
        return rf"(?={tail}(?!{letter}|{mark}))" if tail else rf"(?!{letter}|{mark})"
    if kind == "hangul":
        return rf"(?={tail}(?![{_HANGUL}]))"
    free = _free(kind, size, form)
    if free is None:
        # Inside running Thai a word may not end before a vowel or tone sign that belongs to its last letter.
        return "(?![\u0e30-\u0e3a\u0e45\u0e47-\u0e4e])" if kind == "thai" else ""
    after = f"|(?=[{free[1]}])" if free[1] else ""
    return rf"(?:(?![{_CLASS[kind]}]){after})"


def spelt(form: str) -> tuple[str, ...]:
    """The letters as patterns, one by one, in which accents may be missing, and "U.S." may lack its dots."""
    if clock := _CLOCK.fullmatch(form):
        hour, minute = clock.groups()
        return f"0?{hour[0]}", f"{hour[1:]}[:.h]{minute}"
    if form.isascii() and form.isdigit() and len(form) > 3:
        head, tail = len(form) % 3 or 3, form
        groups = [tail[:head], *(tail[at : at + 3] for at in range(head, len(tail), 3))]
        return groups[0][0], "[., ']?".join(groups)[1:]
    if form == "&":
        return (form,)
    units: list[str] = []
    accented = re.search(f"[{ACCENTS}]", form.replace("i\u0307", "i")) is not None
    place = 0
    while place < len(form):
        char = form[place]
        place += 1
        marks = ""
        while place < len(form) and "\u0300" <= form[place] <= "\u036f":
            marks += form[place]
            place += 1
        if char in ".," and form[place - 2 : place - 1].isdecimal() and form[place : place + 1].isdecimal():
            units.append("[.,]")
        else:
            units.append(_unit(char, marks, accented=accented))
    return tuple(units)


def _unit(char: str, marks: str, *, accented: bool) -> str:
    own = re.escape(char)
    if not char.isalnum():
        if char in ".'":
            return rf"{own}?\s?" if char == "." else f"{own}?"
        if char == "&":
            return rf"\s?(?:{'|'.join(map(re.escape, ('&', *sorted(forms_of_kind('and')))))})\s?"
        if char.isspace():
            return r"[\s-]{1,2}"
        return f"[{own},]?" if char in ",:;!?" else own
    if not char.isalpha() or not ("a" <= char <= "z" or "\u0370" <= char <= "\u052f"):
        return own
    if char == "i" and marks in ("", "\u0307"):
        return f"{own}\u0307?" if accented else f"{own}[{ACCENTS}]{{0,3}}"
    if marks == "\u0308" and char in "aou":
        return f"{own}[\u0308e]?"
    if marks:
        return own + "".join(f"{mark}?" for mark in marks)
    return own if accented else f"{own}[{ACCENTS}]{{0,3}}"
