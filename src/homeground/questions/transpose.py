"""The mainstream contrast set: questions about one country moved to another, as BLEnD's way of building would have it.

Translate, put the target country in, and say of each question whether it still applies; people correct the outcome
(``transposed``). Rules come first, and the model's own verdict stands beside theirs, never in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import msgspec

from homeground.cultures.local_names import local_names
from homeground.cultures.names import mentions
from homeground.errors import InputError
from homeground.files import read_toml, sha256_json
from homeground.questions.chat import REASON, Chat, Opinion, Prompt, one_line, read_fields, read_verdict
from homeground.questions.importers import import_questions
from homeground.questions.importers.places import place
from homeground.questions.reading import Fault, Row, Unfit, read_records
from homeground.questions.transpose_rules import Places, applies, translation_fault
from homeground.questions.transposed import ReviewRow, sealed
from homeground.schema import Answer, Message, Record

_BLEND = "_data.json"
"""How a file of BLEnD's annotations ends."""
_LONGEST = 1000
"""Characters of a question."""


class _Prompts(Record, frozen=True, kw_only=True):
    translate: str
    again: str
    applies: str


class _Templates(msgspec.Struct, frozen=True):
    version: str
    tries: int
    max_tokens: int
    prompts: _Prompts


@cache
def _templates() -> _Templates:
    return read_toml(Path(str(files("homeground.questions"))) / "transpose.toml", _Templates)


@cache
def signature() -> str:
    """Version and hash of the prompts and rules."""
    everything = read_toml(Path(str(files("homeground.questions"))) / "transpose.toml", dict[str, object])
    return f"{_templates().version}@{sha256_json(everything)[:8]}"


class Source(NamedTuple):
    """A question to move."""

    id: str
    question: str
    """On one line."""
    origin: str | None
    """Code of the country that it is about, where it is told."""


class Target(NamedTuple):
    """Where questions are moved to."""

    code: str
    name: str
    """In English."""
    language: str
    """BCP 47 tag, such as ``pt-PT``."""


class _Listed(msgspec.Struct):
    id: str
    question: str
    culture: str | None = None
    language: str | None = None


class _Draft(NamedTuple):
    """A translation; with a fault where none without came within the tries."""

    question: str = ""
    fault: str = ""


def target_of(code: str, language: str | None = None, name: str | None = None) -> Target:
    """Where to move questions to.

    Args:
        code: of a territory or culture, such as ``PT``.
        language: such as ``pt-PT``; the territory's main one by default.
        name: English name, for a code that nobody knows.

    Raises:
        InputError: code or language are not known.
    """
    if name is None:
        known = local_names(code, "en")
        name, language = known.culture, language or known.tag
    if not language:
        raise InputError(f"--to {code}: its language is not known; give --language, such as pt-PT")
    return Target(code, name, language)


def load_sources(path: Path, origin: str | None = None) -> tuple[list[Source], int]:
    """The English questions of a file, and how many others were passed over: in other languages, or BLEnD's unusable.

    Args:
        path: ``id`` and ``question`` as JSON Lines, a JSON list or CSV, BLEnD's ``REGION_questions.csv``, or its
            ``REGION_data.json``.
        origin: code of the country that all of them are about; by default what a question's field ``culture`` says,
            or else the country that it names first.

    Raises:
        InputError: the first fault, naming file and line; an id that stands twice; no question in English.
    """
    if origin is not None and place(origin) is None:
        raise InputError(f"--from {origin}: no country is known by that code or name")
    sources: dict[str, tuple[Source, object]] = {}
    listed, others = _listed(path)
    for where, item in listed:
        if item.language and item.language.lower().replace("_", "-").split("-")[0] not in ("en", "english"):
            others += 1
            continue
        if not item.id.strip() or not item.question.strip():
            raise InputError(f"{path}:{where}: field {'question' if item.id.strip() else 'id'}: empty")
        if len(item.question) > _LONGEST:
            raise InputError(f"{path}:{where}: field question: longer than {_LONGEST:,} characters")
        if item.id in sources:
            raise InputError(f"{path}:{where}: field id: {item.id!r} stands at {sources[item.id][1]} already")
        text = one_line(item.question, _LONGEST)
        sources[item.id] = Source(item.id, text, _origin(text, origin or item.culture)), where
    if not sources:
        raise InputError(f"{path}: no question in English in it" + (f" ({others} others)" if others else ""))
    return [source for source, _ in sources.values()], others


def _origin(question: str, said: str | None) -> str | None:
    """The country that a question is about: what is said of it, or else the first that it names."""
    if said is None:
        return next((mention.code for mention in mentions(question)), None)
    known = place(said)
    return known.culture if known else said


def _listed(path: Path) -> tuple[Iterator[tuple[object, _Listed]], int]:
    """A file's questions with their places, and how many of them cannot be used."""
    if not path.name.endswith(_BLEND):
        return _lines(path), 0
    found = import_questions("blend", path, language="en")
    listed = (
        (item.id, _Listed(item.id, item.question, item.culture, item.language)) for item in found.questions
    )
    return listed, len(found.rejected)


def _lines(path: Path) -> Iterator[tuple[int, _Listed]]:
    for line, item in read_records(path, _Listed, convert=_fields):
        if isinstance(item, Fault):
            raise InputError(f"{path}:{line}: {item.why}")
        yield line, item


def _fields(row: Row) -> dict[str, str]:
    """A row of CSV, with BLEnD's own columns understood: its translation is the English question."""
    fields = {"id": row.get("id", row.get("ID")), "question": row.get("question", row.get("Translation"))}
    for name, cell in fields.items():
        if cell is None:
            raise Unfit(f"column {name}: missing")
    fields |= {name: row.get(name, "").strip() or None for name in ("culture", "language")}
    return {name: cell for name, cell in fields.items() if cell is not None}


def transpose(sources: Sequence[Source], target: Target, chat: Chat) -> list[ReviewRow]:
    """Move questions to another country: a row for people to correct for each, in order.

    Raises:
        EnvironmentProblem: the model cannot be used; what it said so far is kept by whoever asks it.
    """
    places = {
        source.id: Places(source.origin, target.code, target.name, target.language) for source in sources
    }
    drafts = _translated(sources, places, chat)
    opinions = _opinions(sources, drafts, places, chat)
    rows = []
    for source in sources:
        draft = drafts[source.id]
        verdict, why = applies(source.question, places[source.id])
        opinion, reason = opinions[source.id]
        rows.append(
            sealed(
                ReviewRow(
                    id=source.id,
                    source=source.question,
                    transposed=draft.question,
                    fault=draft.fault,
                    applies=verdict,
                    why=why,
                    model_applies=opinion,
                    model_why=reason,
                    culture=target.code,
                    language=target.language,
                    model=chat.model,
                    prompts=signature(),
                )
            )
        )
    return rows


def _translated(sources: Sequence[Source], places: Mapping[str, Places], chat: Chat) -> dict[str, _Draft]:
    """Each question in the target's language; asked again where a rule is broken."""
    drafts: dict[str, _Draft] = {}
    waiting = {source.id: source for source in sources}
    for _ in range(_templates().tries):
        prompts = {
            name: _translation_prompt(source, places[name], drafts.get(name))
            for name, source in waiting.items()
        }
        replies = chat.ask(prompts, _templates().max_tokens) if prompts else {}
        for name, reply in replies.items():
            draft = _draft(reply, waiting[name], places[name])
            if draft.question or name not in drafts:
                drafts[name] = draft
        waiting = {name: waiting[name] for name in waiting if drafts[name].fault}
    return drafts


def _draft(reply: Answer | str, source: Source, places: Places) -> _Draft:
    try:
        question = one_line(read_fields(reply, ["question"])["question"], 2 * _LONGEST)
    except Unfit as error:
        return _Draft(fault=f"not translated: {error}")
    return _Draft(question, translation_fault(source.question, question, places))


def _opinions(
    sources: Sequence[Source], drafts: Mapping[str, _Draft], places: Mapping[str, Places], chat: Chat
) -> dict[str, tuple[Opinion, str]]:
    """What the model says of each translated question."""
    asked = [source for source in sources if drafts[source.id].question]
    prompts = {source.id: _applies_prompt(source, drafts[source.id], places[source.id]) for source in asked}
    replies = chat.ask(prompts, _templates().max_tokens) if prompts else {}
    found: dict[str, tuple[Opinion, str]] = {
        source.id: ("unsure", "there is no translation to judge") for source in sources
    }
    for name, reply in replies.items():
        try:
            fields = read_fields(reply, ["applies", "why"])
            found[name] = read_verdict(fields["applies"])[0], one_line(fields["why"], REASON)
        except Unfit as error:
            found[name] = "unsure", f"cannot be read: {error}"
    return found


def _translation_prompt(source: Source, places: Places, before: _Draft | None) -> Prompt:
    prompts = _templates().prompts
    text = prompts.translate.format(
        source=places.origin_name,
        target=places.target_name,
        language=places.language_name,
        question=source.question,
    )
    if before is not None:
        text = text.rstrip() + prompts.again.format(reason=before.fault)
    return (Message(role="user", text=text.strip()),)


def _applies_prompt(source: Source, draft: _Draft, places: Places) -> Prompt:
    text = _templates().prompts.applies.format(
        source=places.origin_name,
        target=places.target_name,
        question=source.question,
        transposed=draft.question,
    )
    return (Message(role="user", text=text.strip()),)
