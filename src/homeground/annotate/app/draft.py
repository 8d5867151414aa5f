"""A question as a form holds it: a text for each field, and back; what nobody touched comes back as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import msgspec

from homeground.schema import Gold, Question

MOST = 20
"""Answers of one culture, and forms of one answer."""
LONGEST = {"question": 500, "answers": 200, "source": 500, "notes": 2_000}
"""Characters of a field; of answers, those of each form."""
CONTRAST = "contrast_"
"""Begins the name of a field with what people of another culture answer; its code comes behind."""
_BETWEEN = "|"
_MOST_PAIRS = 250_000
"""Pairs of words that are compared at most, to show what differs."""
_PIECE = re.compile(r"\s+|\w+|[^\w\s]")
Answers = tuple[str | Gold, ...] | None
Texts = dict[str, str]


class Fault(NamedTuple):
    """Why a field cannot be kept; ``fault_NAME`` are the words."""

    name: str
    most: int = 0


class Piece(NamedTuple):
    """A part of a text beside another."""

    text: str
    differs: bool


class Difference(NamedTuple):
    """A field that reads otherwise in two versions."""

    field: str
    one: list[Piece]
    other: list[Piece]


# ---- answers ------------------------------------------------------------------------------------


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _forms(line: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for part in line.split(_BETWEEN) if (form := _tidy(part))))


def line_of(answer: str | Gold) -> str:
    """One answer as a line: its forms with ``|`` between them."""
    forms = (answer,) if isinstance(answer, str) else answer.forms
    return f" {_BETWEEN} ".join(map(_tidy, forms))


def answers_text(answers: Answers) -> str:
    """Answers as a field holds them, one a line."""
    return "\n".join(map(line_of, answers or ()))


def read_answers(text: str, had: Answers = None) -> Answers:
    """The answers of a field.

    A line that reads as before is the answer as it was. One that shares a form with earlier answers keeps their votes,
    added up where several became one.

    Args:
        text: an answer a line, its forms with ``|`` between them.
        had: the answers before the change.
    """
    lines = _lines(text)
    left = list(had or ())
    found: list[str | Gold | None] = []
    for line in lines:
        same = next((place for place, answer in enumerate(left) if line_of(answer) == _tidy(line)), None)
        found.append(None if same is None else left.pop(same))
    for place, line in enumerate(lines):
        if found[place] is not None or not (forms := _forms(line)):
            continue
        mine = [gold for gold in left if isinstance(gold, Gold) and set(_forms(line_of(gold))) & set(forms)]
        left = [answer for answer in left if not any(answer is gold for gold in mine)]
        counts = [gold.count for gold in mine if gold.count is not None]
        votes = sum(counts) if counts else None
        found[place] = forms[0] if len(forms) == 1 and votes is None else Gold(forms=forms, count=votes)
    return tuple(answer for answer in found if answer is not None) or None


def _lines(text: str) -> list[str]:
    return [line for line in one_newline(text).split("\n") if line.strip()]


# ---- the whole form -----------------------------------------------------------------------------


def one_newline(text: str) -> str:
    """A text with ``\\n`` for every end of a line: browsers send ``\\r\\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def codes(siblings: Iterable[str], question: Question) -> tuple[str, ...]:
    """Other cultures whose answers the form asks for: those of the study, then any that the question has too."""
    return tuple(dict.fromkeys((*siblings, *(question.contrast or ()))))


def texts_of(question: Question, others: Sequence[str]) -> Texts:
    """A question's fields as text."""
    contrast = question.contrast or {}
    return {
        "question": question.question,
        "answers": answers_text(question.answers),
        **{CONTRAST + code: answers_text(contrast.get(code)) for code in others},
        "source": question.source or "",
        "notes": question.notes or "",
    }


def typed(form: Mapping[str, str], had: Texts) -> Texts:
    """What a form says in each field; what it says nothing of stays as it was."""
    return {name: one_newline(form[name]) if name in form else text for name, text in had.items()}


def _touched(mine: Texts, had: Texts) -> list[str]:
    return [name for name in mine if _bare(mine[name]) != _bare(had.get(name, ""))]


def _bare(text: str) -> str:
    return one_newline(text).strip()


def question_of(mine: Texts, base: Question) -> Question:
    """The question that a form makes of another; votes, options and all that the form has no field for stay."""
    others = [name.removeprefix(CONTRAST) for name in mine if name.startswith(CONTRAST)]
    changes: dict[str, object] = {}
    contrast = dict(base.contrast or {})
    for name in _touched(mine, texts_of(base, others)):
        if name == "answers":
            changes[name] = read_answers(mine[name], base.answers)
        elif name.startswith(CONTRAST):
            code = name.removeprefix(CONTRAST)
            answers = read_answers(mine[name], contrast.pop(code, None))
            changes["contrast"] = contrast = contrast | ({code: answers} if answers else {})
        else:
            changes[name] = _bare(mine[name]) or ("" if name == "question" else None)
    if changes.get("contrast") == {}:
        changes["contrast"] = None
    return msgspec.structs.replace(base, **changes)


def faults(mine: Texts, base: Question, *, propose: bool) -> dict[str, Fault]:
    """What cannot be kept, by field; only what was touched is held to the limits, since imports may be longer."""
    others = [name.removeprefix(CONTRAST) for name in mine if name.startswith(CONTRAST)]
    had = texts_of(base, others)
    found: dict[str, Fault] = {}
    for name in _touched(mine, had):
        fault = _list_fault(mine[name], had[name]) if name not in LONGEST or name == "answers" else None
        if name in LONGEST and name != "answers" and len(_bare(mine[name])) > LONGEST[name]:
            fault = Fault("long", LONGEST[name])
        if fault is not None:
            found[name] = fault
    if not _bare(mine["question"]):
        found["question"] = Fault("empty")
    if propose and not any(map(_forms, _lines(mine["answers"]))):
        found["answers"] = Fault("no_answer")
    return found


def _list_fault(text: str, had: str) -> Fault | None:
    before = set(_lines(had))
    new = [_forms(line) for line in _lines(text) if _tidy(line) not in before]
    if any(len(form) > LONGEST["answers"] for forms in new for form in forms):
        return Fault("answer_long", LONGEST["answers"])
    if any(len(forms) > MOST for forms in new):
        return Fault("many_forms", MOST)
    most = max(MOST, len(before))
    return Fault("many", most) if len(_lines(text)) > most else None


# ---- two people at once -------------------------------------------------------------------------


def merged(mine: Texts, base: Texts, newest: Texts) -> Texts:
    """What was typed, on top of the newest version: fields that nobody touched here are as they are there."""
    touched = set(_touched(mine, base))
    return {
        name: mine[name] if name in touched and name in mine else newest.get(name, "")
        for name in dict.fromkeys((*mine, *newest))
    }


def differences(one: Texts, other: Texts) -> list[Difference]:
    """The fields that read otherwise, with the words that differ."""
    return [
        Difference(name, *_pieces(_bare(one.get(name, "")), _bare(other.get(name, ""))))
        for name in _touched(one, other)
    ]


def _pieces(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts, cut where they begin and cease to differ."""
    words, others = _PIECE.findall(one), _PIECE.findall(other)
    start = _alike(words, others)
    end = _alike(words[start:][::-1], others[start:][::-1])
    first, second = words[start : len(words) - end], others[start : len(others) - end]
    # The search takes time by the square: of two long texts that have little in common, all counts as different.
    left, right = [Piece("".join(first), True)], [Piece("".join(second), True)]
    if len(first) * len(second) <= _MOST_PAIRS:
        changes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
        left = [Piece("".join(first[a:b]), kind != "equal") for kind, a, b, _, _ in changes]
        right = [Piece("".join(second[c:d]), kind != "equal") for kind, _, _, c, d in changes]
    before, after = Piece("".join(words[:start]), False), Piece("".join(words[len(words) - end :]), False)
    return (
        [piece for piece in (before, *left, after) if piece.text],
        [piece for piece in (before, *right, after) if piece.text],
    )


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words at the beginning are the same."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
