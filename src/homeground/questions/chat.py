"""A chat model as a helper with questions: prompts in, replies of a few named lines out, none of them trusted.

This room knows no engine: whoever opens one hands in a function that asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from homeground.questions.reading import Unfit
from homeground.schema import Answer, Message

Prompt: TypeAlias = tuple[Message, ...]
Opinion: TypeAlias = Literal["yes", "no", "unsure"]

REASON = 200
"""Characters kept of what a model gives as its reason."""
_LONGEST = 20_000
"""Characters of a reply that are looked at, far more than a few lines need."""
_LINE = re.compile(r"[\s>*_`#•\d.)-]*+([a-z]{1,20})[\s*_`]{0,5}[:：][\s*_`]{0,5}(.*)", re.IGNORECASE)
_VERDICT = re.compile(r"(yes|no|unsure)\s*(?:[.,;:|(–—-]+\s*(.*))?", re.IGNORECASE)
_VERDICTS: dict[str, Opinion] = {"yes": "yes", "no": "no", "unsure": "unsure"}


class Chat(NamedTuple):
    """A model that can be asked."""

    model: str
    """``engine:name``."""
    ask: Callable[[Mapping[str, Prompt], int], Mapping[str, Answer | str]]
    """Answers by the names of the prompts, with so many new tokens at most; a text says why a prompt was refused."""


def one_line(text: str, most: int) -> str:
    """Somebody's text on one line of at most ``most`` printable characters."""
    line = " ".join(text[: 4 * most].split())
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 1] + "…"


def read_fields(reply: Answer | str, names: Sequence[str]) -> dict[str, str]:
    """The named lines of a reply, ``name: text`` each; what stands before the first name's last line is passed over.

    Args:
        reply: an answer, or why there is none.
        names: single words in small letters, the first one first in the reply.

    Raises:
        Unfit: the reply has not this form; why.
    """
    if isinstance(reply, str):
        raise Unfit(f"the prompt was refused: {one_line(reply, REASON)}")
    if reply.finish_reason == "content_filter":
        raise Unfit("the server's filter held the reply back")
    if len(reply.text) > _LONGEST:
        raise Unfit(f"the reply has {len(reply.text):,} characters; {_LONGEST:,} are far more than it needs")
    found: dict[str, str] = {}
    twice = ""
    for line in reply.text.splitlines():
        match = _LINE.fullmatch(line.strip())
        name = match[1].lower() if match else ""
        if match is None or name not in names:
            continue
        if name == names[0]:
            found, twice = {}, ""
        twice = twice or (name if name in found else "")
        found[name] = match[2].strip().rstrip("*_`").strip()
    if twice:
        raise Unfit(f"the reply has two lines “{twice}:”")
    cut = " (it was cut off at the limit of new tokens)" if reply.finish_reason == "length" else ""
    for name in names:
        if not found.get(name):
            raise Unfit(f"the reply has no line “{name}: …”{cut}")
    return found


def read_verdict(text: str) -> tuple[Opinion, str]:
    """``yes``, ``no`` or ``unsure``, and the reason behind it on one line; empty where none is given.

    Raises:
        Unfit: it is none of the three.
    """
    match = _VERDICT.fullmatch(text.strip())
    if match is None:
        raise Unfit(f"“{one_line(text, 40)}” is none of yes, no and unsure")
    return _VERDICTS[match[1].lower()], one_line((match[2] or "").removesuffix(")"), REASON)
