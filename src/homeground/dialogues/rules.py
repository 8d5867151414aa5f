"""What the wording of a scaffold must keep to, whoever wrote it: nothing in it but the cues may tell a culture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from homeground.cultures.names import country_names
from homeground.files import read_toml, sha256_json
from homeground.schema import Record, Turn

_LONGEST_NAME = 6
"""Words of the longest name of a country that is looked for."""
_PLAIN = re.compile(r"""[A-Za-z .,:;?!'"()–—…-]*""")
_SLOT = re.compile(r"\{cue[12]\}")
_WORD = re.compile(r"[\w'’-]+")
_QUOTED = 40
"""Characters of somebody's text that a problem repeats."""


class Range(Record, frozen=True, kw_only=True):
    """How many there may be."""

    least: int
    most: int


class Alike(Record, frozen=True, kw_only=True):
    """The share of four-word phrases that two dialogues may have in common, by who wrote them."""

    hand_written: float
    written: float


class Rules(Record, frozen=True, kw_only=True):
    """``rules.toml``."""

    turn: Range
    neutral: Range
    turns: Range
    capitals: frozenset[str]
    alike: Alike
    units: tuple[str, ...]
    currencies: tuple[str, ...]
    two_spellings: tuple[str, ...]


@cache
def rules() -> Rules:
    """The rules' data.

    Raises:
        InputError: the file is broken.
    """
    return read_toml(Path(str(files("homeground.dialogues"))) / "rules.toml", Rules)


@cache
def rules_digest() -> str:
    """SHA-256 of the rules' data: with other rules, another benchmark passes."""
    return sha256_json(rules())


def wording_problems(turns: Iterable[Turn], forbidden: Iterable[str] = ()) -> list[str]:
    """What is wrong with the words of a scaffold's turns, in words; empty when nothing is.

    Args:
        turns: with ``{cue1}`` and ``{cue2}`` in their places; the closing question is not among them.
        forbidden: further words that may not occur, such as the options of the closing question.
    """
    found = []
    texts = [turn.text for turn in turns]
    count, most = len(texts) + 1, rules().turns
    if not most.least <= count <= most.most:
        return [f"{count} turns with the closing question; {most.least} to {most.most} are right"]
    for number, text in enumerate(texts, start=1):
        bare = _SLOT.sub("it", text)
        size = rules().turn
        if not size.least <= len(text) <= size.most:
            found.append(f"turn {number} has {len(text)} characters; {size.least} to {size.most} are right")
            continue
        if not text.endswith((".", "?", "!")):
            found.append(f"turn {number} must end with a full stop, question mark or exclamation mark")
        found += [f"turn {number} {said}" for said in _culture(bare, forbidden)]
    return found


def neutral_problems(neutral: str, forbidden: Iterable[str] = ()) -> list[str]:
    """What is wrong with the culture-free words for a slot; empty when nothing is."""
    size = rules().neutral
    if not size.least <= len(neutral) <= size.most or neutral != neutral.strip():
        return [f"neutral words must have {size.least} to {size.most} characters, with no space around them"]
    return [f"neutral words {quote(neutral)}: the text {said}" for said in _culture(neutral, forbidden)]


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Phrases of four words, case-folded."""
    words = re.findall(r"[\w']+", text.lower())
    return frozenset(tuple(words[i : i + 4]) for i in range(len(words) - 3))


def likeness(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """The share of the shorter text's phrases that stand in the other one too; 0 where there are none."""
    return len(one & other) / (min(len(one), len(other)) or 1)


def quote(text: str, most: int = _QUOTED) -> str:
    """A piece of at most ``most`` characters of somebody's text, on one line and in printable ASCII."""
    return ascii(text if len(text) <= most else text[: most - 3] + "...")


def _culture(text: str, forbidden: Iterable[str]) -> Iterator[str]:
    """What in a text tells a culture, or could be markup."""
    odd = _PLAIN.sub("", text)
    if odd:
        yield f"holds {quote(odd)}; right are plain letters and punctuation: no figures, markup or emoji"
    for what, pattern in _patterns().items():
        if match := pattern.search(text):
            yield f"holds {what}: {quote(match[0])}"
    for name in _names(text):
        yield f"holds the name of a country, nationality or language: {quote(name)}"
    for match in re.finditer(r"(?<=[a-z,;] )[A-Z][\w']*|(?<=[a-z,;] [\"(])[A-Z][\w']*", text):
        if len(match[0]) > 1 and match[0] not in rules().capitals:
            yield f"holds what looks like a name: {quote(match[0])}"
    for word in forbidden:
        if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE):
            yield f"holds {quote(word)}, which is an answer to the closing question"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = {
        "a unit": rules().units,
        "a currency": rules().currencies,
        "a word that British and American English spell or choose differently": rules().two_spellings,
    }
    return {
        what: re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
        for what, words in table.items()
    }


def _names(text: str) -> Iterator[str]:
    """Names in ``cultures.names``, of languages and things too: "French" fries tell as much as a French flag."""
    names = country_names()
    words = [match[0].removesuffix("'s").removesuffix("’s") for match in _WORD.finditer(text)]
    for start in range(len(words)):
        for stop in range(start + 1, min(start + _LONGEST_NAME, len(words)) + 1):
            name = " ".join(words[start:stop])
            if name.casefold() in names.any_case or name in names.as_written:
                yield name
