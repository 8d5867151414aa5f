"""Reading what a model wrote: bounded, strict, and never trusted to be what was asked for."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

from homeground.dialogues.rules import quote
from homeground.errors import InputError
from homeground.files import field_error
from homeground.schema import Record, Slot, Turn

_LONGEST = 20_000
"""Characters of an answer that are looked at; a dialogue in JSON has about 2,000."""
_MOST_OPENINGS = 64
"""Braces at which an object is looked for."""
_FAULT = 120
_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ", "\u202f": " "})


class DialogueReply(Record, frozen=True, kw_only=True):
    """What the first stage answers."""

    turns: tuple[Turn, ...]


class CuesReply(Record, frozen=True, kw_only=True):
    """What the second stage answers."""

    cue1: Slot
    cue2: Slot


R = TypeVar("R", bound=Record)


def read_turns(text: str) -> tuple[Turn, ...]:
    """The turns in an answer, with white space and apostrophes made plain.

    Raises:
        InputError: the answer holds no such object; why, in words for the model.
    """
    turns = _read(text, DialogueReply).turns
    return tuple(Turn(speaker=turn.speaker, text=_plain(turn.text)) for turn in turns)


def read_slots(text: str) -> tuple[Slot, Slot]:
    """The slots in an answer.

    Raises:
        InputError: as ``read_turns``.
    """
    reply = _read(text, CuesReply)
    one, two = (Slot(kind=slot.kind, neutral=_plain(slot.neutral)) for slot in (reply.cue1, reply.cue2))
    return one, two


def _plain(text: str) -> str:
    return " ".join(text.translate(_TYPOGRAPHIC).split())


def _read(text: str, shape: type[R]) -> R:
    """The last object of a shape in a text, which may stand in Markdown or after a model's thoughts."""
    if len(text) > _LONGEST:
        raise InputError(f"the answer has {len(text)} characters; {_LONGEST} are far more than it needs")
    found: R | None = None
    fault = "the answer holds no JSON object"
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_OPENINGS):
        if at < 0:
            break
        stop = at + 1
        try:
            value, stop = decoder.raw_decode(text, at)
            found = msgspec.convert(value, shape)
        except json.JSONDecodeError as error:
            fault = f"the answer is not valid JSON: {error.msg} at character {error.pos}"
        except msgspec.ValidationError as error:
            fault = f"the JSON object has not the right shape: {quote(field_error(error), _FAULT)}"
        except UnicodeEncodeError:
            fault = "the JSON object holds half a character"
        except ValueError:
            fault = "the JSON object holds a number without end"
        except RecursionError:
            fault = "the answer is not valid JSON of the right shape: it is nested too deeply"
        at = text.find("{", stop)
    if found is None:
        raise InputError(fault)
    return found
