"""What becomes of entries that ask the same: clusters of them, their answers brought together, one question of all."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from homeground.annotate.app.draft import Answers
from homeground.annotate.store.entries import Shown
from homeground.questions.audit.twins import nearly_same
from homeground.schema import Gold, Question


class Member(NamedTuple):
    """One answer of an entry."""

    entry: str
    place: int
    """Among the entry's answers, from 0."""
    answer: str | Gold


class Joined(NamedTuple):
    """One right answer, as several entries have it."""

    members: tuple[Member, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        """All its forms, each once."""
        return tuple(dict.fromkeys(form for one in self.members for form in _forms(one.answer)))

    @property
    def entries(self) -> frozenset[str]:
        """Who has it, by id."""
        return frozenset(one.entry for one in self.members)


class _Sets:
    """Union-find over the numbers below ``size``."""

    def __init__(self, size: int) -> None:
        self._up = list(range(size))

    def top(self, one: int) -> int:
        while self._up[one] != one:
            self._up[one] = self._up[self._up[one]]
            one = self._up[one]
        return one

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.top(one), self.top(other)))
        self._up[high] = low

    def groups(self) -> list[list[int]]:
        """By their lowest number."""
        found: dict[int, list[int]] = defaultdict(list)
        for one in range(len(self._up)):
            found[self.top(one)].append(one)
        return list(found.values())


def clusters(entries: Sequence[Shown]) -> list[list[Shown]]:
    """Entries that ask nearly the same, directly or by way of others; only those that are not alone, by number.

    Those of the trial round are among themselves: nothing that they say may get into one that can be released.
    """
    parts = ([one for one in entries if (one.round == "trial") is trial] for trial in (False, True))
    return sorted((those for part in parts for those in _alike(part)), key=lambda those: those[0].number)


def _alike(entries: Sequence[Shown]) -> list[list[Shown]]:
    place = {entry.id: number for number, entry in enumerate(entries)}
    sets = _Sets(len(entries))
    for number, twin in enumerate(nearly_same([entry.question for entry in entries])):
        if twin is not None:
            sets.join(number, place[twin])
    return [[entries[number] for number in group] for group in sets.groups() if len(group) > 1]


def joined(entries: Iterable[Shown], answers: Callable[[Question], Answers]) -> list[Joined]:
    """The answers of entries, those that share a form as one. Letters' case and spaces make no difference."""
    each = [
        Member(entry.id, place, answer)
        for entry in entries
        for place, answer in enumerate(answers(entry.question) or ())
    ]
    sets, first = _Sets(len(each)), dict[str, int]()
    for number, one in enumerate(each):
        for form in _forms(one.answer):
            sets.join(number, first.setdefault(_folded(form), number))
    return [Joined(tuple(each[number] for number in group)) for group in sets.groups()]


def merged(keep: Shown, others: Sequence[Shown], golds: Sequence[Joined]) -> Question:
    """The question that stays: the kept one's text, with answers of all.

    Args:
        keep: the one that stays.
        others: those that point to it from now on.
        golds: right answers that stay; what other entries say of them is passed over.
    """
    all_ = (keep, *others)
    question = keep.question
    contrast = {
        code: _answers(keep, all_, joined(all_, lambda one, code=code: (one.contrast or {}).get(code)))  # type: ignore[misc]
        for code in dict.fromkeys(code for one in all_ for code in one.question.contrast or ())
    }
    return msgspec.structs.replace(
        question,
        answers=_answers(keep, all_, golds) or None,
        contrast={code: answers for code, answers in contrast.items() if answers} or question.contrast,
        source=next((one.question.source for one in all_ if one.question.source), None),
        notes=next((one.question.notes for one in all_ if one.question.notes), None),
    )


def _answers(keep: Shown, all_: Sequence[Shown], golds: Sequence[Joined]) -> tuple[str | Gold, ...]:
    """One answer for each; the kept entry's come first, in its order, and its forms before those of others."""
    order = {entry.id: number for number, entry in enumerate(all_)}

    def key(one: Member) -> tuple[int, int]:
        return order[one.entry], one.place

    taken = [sorted((one for one in gold.members if one.entry in order), key=key) for gold in golds]
    taken = sorted((members for members in taken if members), key=lambda members: key(members[0]))
    return tuple(_one([member.answer for member in members]) for members in taken)


def _one(answers: Sequence[str | Gold]) -> str | Gold:
    """Several ways to say one answer as one, with the votes of all."""
    if len(answers) == 1:
        return answers[0]
    forms = tuple(dict.fromkeys(form for answer in answers for form in _forms(answer)))
    counts = [one.count for one in answers if isinstance(one, Gold) and one.count is not None]
    if len(forms) == 1 and not counts:
        return forms[0]
    return Gold(forms=forms, count=sum(counts) if counts else None)


def _forms(answer: str | Gold) -> tuple[str, ...]:
    return (answer,) if isinstance(answer, str) else answer.forms


def _folded(form: str) -> str:
    return unicodedata.normalize("NFC", " ".join(form.split())).casefold()
