"""Failing examples: the whole prompt, what the model said, what was found and what was expected."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from homeground.schema import PLACEBOS, Answer, Condition, Judgement, Message, Request

MOST = 12
LONGEST = 4000
_PREFERRED: tuple[Condition, ...] = ("implicit", "explicit", "cue2", "cue1", "neutral", "null", *PLACEBOS)


class Example(NamedTuple):
    """One failing answer, ready to be shown."""

    judgement: Judgement
    knew: bool
    """The same model named the user's country in the same conversation."""
    prompt: str
    answer: str
    found: str
    expected: str


def failing(
    judgements: Sequence[Judgement],
    requests: Mapping[str, Request],
    answers: Mapping[str, Answer],
) -> list[Example]:
    """A few wrong answers to the question task, always the same ones for the same run.

    Those where the country was known come first; they are spread over cultures and concepts.
    """
    knew = {
        (j.cell.model, j.cell.item, j.cell.culture, j.cell.condition)
        for j in judgements
        if j.cell.task == "background" and j.correct
    }
    wrong = [(_known(j, knew), j) for j in judgements if j.cell.task == "question" and j.correct is False]
    wrong.sort(key=lambda pair: (not pair[0], _PREFERRED.index(pair[1].cell.condition)))
    chosen: list[tuple[bool, Judgement]] = []
    seen: dict[object, int] = {}
    while wrong and len(chosen) < MOST:
        # The next one is of the culture and concept shown least so far; earlier ones win ties.
        best = min(
            range(len(wrong)),
            key=lambda i: (
                seen.get(wrong[i][1].cell.culture, 0) + seen.get(wrong[i][1].cell.concept, 0),
                i,
            ),
        )
        pair = wrong.pop(best)
        for name in (pair[1].cell.culture, pair[1].cell.concept):
            seen[name] = seen.get(name, 0) + 1
        chosen.append(pair)
    return [
        Example(
            judgement=j,
            knew=known,
            prompt=visible(_prompt(requests[j.key].messages)),
            answer=visible(answers[j.key].text),
            found=_found(j),
            expected=" or ".join(j.expected),
        )
        for known, j in chosen
    ]


def _prompt(messages: Sequence[Message]) -> str:
    if len(messages) == 1:
        return messages[0].text
    return "\n\n".join(f"[{message.role}] {message.text}" for message in messages)


def _known(judgement: Judgement, knew: set[tuple[str, str, str, Condition]]) -> bool:
    cell = judgement.cell
    return (cell.model, cell.item, cell.culture, cell.condition) in knew


def _found(judgement: Judgement) -> str:
    reading = judgement.reading
    if reading.found:
        joint = " and " if reading.status == "both" else " or "
        return joint.join(reading.found)
    return {"refused": "a refusal", "none": "no unit or currency"}.get(reading.status, reading.status)


def visible(text: str) -> str:
    """Untrusted text made fit to show: bounded, control characters as pictures; markup is escaped later."""
    cut = text[:LONGEST]
    shown = "".join(_picture(char) for char in cut)
    rest = len(text) - len(cut)
    return shown if not rest else f"{shown}… ({rest:,} more characters stand in answers.sqlite)"


def _picture(char: str) -> str:
    if char in "\n\t":
        return char
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    # Format and surrogate characters could turn the page's text around or break it.
    if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\u200c\u200d":
        return "\ufffd"
    return char
