"""Examples: the whole prompt, what the model said, what was found and what was expected."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

from homeground.schema import PLACEBOS, TOLD, Answer, Condition, Judgement, Message, Request

MOST = 12
LONGEST = 4000
_PREFERRED: tuple[Condition, ...] = (
    "implicit", "explicit", "cue2", "cue1", "neutral", "null", *PLACEBOS, *TOLD,
)  # fmt: skip


class Example(NamedTuple):
    """One answer, ready to be shown."""

    judgement: Judgement
    knew: bool
    """The same model named the user's country in the same conversation."""
    prompt: str
    answer: str
    found: str
    expected: str


Chosen = list[tuple[Judgement, bool]]
"""Judgements to show, each with whether the same model named the user's country in the same conversation."""
Chooser = Callable[[Sequence[Judgement]], Chosen]


def failing(judgements: Sequence[Judgement]) -> Chosen:
    """A few wrong answers to the question task, always the same ones for the same run.

    Those where the country was known come first; they are spread over cultures and concepts.
    """
    return _spread(judgements, [j for j in judgements if j.cell.task == "question" and j.correct is False])


def differing(judgements: Sequence[Judgement]) -> Chosen:
    """A few answers that the two rulebooks judge differently, spread likewise."""
    return _spread(judgements, [j for j in judgements if j.correct is not None and j.correct != j.published])


def _spread(judgements: Sequence[Judgement], wanted: Sequence[Judgement]) -> Chosen:
    knew = {
        (j.cell.model, j.cell.item, j.cell.culture, j.cell.condition)
        for j in judgements
        if j.cell.task == "background" and j.correct
    }
    left = [(_known(j, knew), j) for j in wanted]
    left.sort(key=lambda pair: (not pair[0], _PREFERRED.index(pair[1].cell.condition)))
    chosen: Chosen = []
    seen: dict[object, int] = {}
    while left and len(chosen) < MOST:
        # The next one is of the culture and concept shown least so far; earlier ones win ties.
        best = min(
            range(len(left)),
            key=lambda i: (
                seen.get(left[i][1].cell.culture, 0) + seen.get(left[i][1].cell.concept, 0),
                i,
            ),
        )
        known, judgement = left.pop(best)
        for name in (judgement.cell.culture, judgement.cell.concept):
            seen[name] = seen.get(name, 0) + 1
        chosen.append((judgement, known))
    return chosen


def shown(judgement: Judgement, known: bool, request: Request, answer: Answer) -> Example:
    """An answer ready to be shown."""
    return Example(
        judgement=judgement,
        knew=known,
        prompt=visible(_prompt(request.messages)),
        answer=visible(answer.text),
        found=found_in(judgement),
        expected=" or ".join(judgement.expected),
    )


def _prompt(messages: Sequence[Message]) -> str:
    if len(messages) == 1:
        return messages[0].text
    return "\n\n".join(f"[{message.role}] {message.text}" for message in messages)


def _known(judgement: Judgement, knew: set[tuple[str, str, str, Condition]]) -> bool:
    cell = judgement.cell
    return (cell.model, cell.item, cell.culture, cell.condition) in knew


def found_in(judgement: Judgement) -> str:
    """What a judge found in an answer, in words."""
    reading = judgement.reading
    if reading.found:
        joint = " and " if reading.status == "both" else " or "
        return joint.join(reading.found)
    nothing = "no country" if judgement.cell.task == "background" else "no unit or currency"
    if judgement.cell.concept == "fact":
        nothing = "no culture's answer"
    return {"refused": "a refusal", "none": nothing}.get(reading.status, reading.status)


def visible(text: str) -> str:
    """Untrusted text made fit to show: bounded, control characters as pictures; markup is escaped later."""
    cut = text[:LONGEST]
    shown = pictured(cut)
    rest = len(text) - len(cut)
    return shown if not rest else f"{shown}… ({rest:,} more characters stand in answers.sqlite)"


def pictured(text: str) -> str:
    """Text with control characters as pictures, so that it cannot steer a terminal or break a page."""
    return text if text.isprintable() else "".join(map(_picture, text))


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
