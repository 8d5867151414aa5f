"""The fifteen guidelines for people who write questions about a culture, with examples, for any culture.

They are those of Tuguesice-PT (section 3), in our own words: L1–L7 say what question and answer look like, E1–E5 ask
for the view from inside the culture, D1–D3 make a set tell models apart. The texts stand in ``guidelines.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from homeground.cultures.local_names import PAGE_LANGUAGES, PageLanguage, local_names
from homeground.errors import unknown
from homeground.files import read_jsonl, read_toml
from homeground.schema import Record

Group: TypeAlias = Literal["linguistic", "endogenous", "discriminative"]
GuidelineId: TypeAlias = Literal[
    "L1", "L2", "L3", "L4", "L5", "L6", "L7", "E1", "E2", "E3", "E4", "E5", "D1", "D2", "D3"
]


class Example(Record, frozen=True, kw_only=True):
    """A question with its answer that keeps or breaks a guideline."""

    question: str
    answer: str
    why: str | None = None
    """What it shows; a bad one always says it."""
    culture: str | None = None
    """Name of the culture that it was written for; none where any will do."""


class Rejected(Record, frozen=True, kw_only=True):
    """A line of a file of entries that adjudicators turned down: they become bad examples."""

    guideline: GuidelineId
    question: str
    answer: str
    why: str


class Guideline(Record, frozen=True, kw_only=True):
    """One guideline as a sheet for one culture shows it."""

    id: GuidelineId
    group: Group
    title: str
    rule: str
    why: str
    good: tuple[Example, ...]
    bad: tuple[Example, ...]
    rejected: tuple[Example, ...] = ()
    """Bad examples of one's own set, in its language."""


class Heading(Record, frozen=True, kw_only=True):
    """What stands above a group of guidelines."""

    title: str
    about: str


class Words(Record, frozen=True, kw_only=True):
    """The fixed words of a sheet."""

    tag: str
    direction: Literal["ltr", "rtl"]
    title: str
    lead: str
    who: str
    culture: str
    language: str
    elsewhere: str
    """Stands for the language where its name is not known."""
    good: str
    bad: str
    rejected: str
    form: str
    count: str


class Sheet(Record, frozen=True, kw_only=True):
    """The guidelines for one culture in one language."""

    code: str
    culture: str
    """Name of the culture in the sheet's language."""
    language: str
    """Name of the culture's language in the sheet's language."""
    tag: str | None
    """BCP 47 tag of the culture's language, where that is known."""
    words: Words
    groups: dict[Group, Heading]
    guidelines: tuple[Guideline, ...]
    """In the order L1–L7, E1–E5, D1–D3."""


class _Text(Record, frozen=True, kw_only=True):
    title: str
    rule: str
    why: str
    good: tuple[Example, ...]
    bad: tuple[Example, ...]


class _Entry(Record, frozen=True, kw_only=True):
    id: GuidelineId
    group: Group
    en: _Text
    pt: _Text
    fa: _Text

    def text(self, language: PageLanguage) -> _Text:
        return {"en": self.en, "pt": self.pt, "fa": self.fa}[language]


class _File(Record, frozen=True, kw_only=True):
    page: dict[PageLanguage, Words]
    group: dict[Group, dict[PageLanguage, Heading]]
    guideline: tuple[_Entry, ...]


@cache
def _file() -> _File:
    return read_toml(Path(str(files("homeground.questions"))) / "guidelines.toml", _File)


def load_rejected(path: Path | str) -> list[Rejected]:
    """Entries that adjudicators turned down: JSON Lines with ``guideline``, ``question``, ``answer`` and ``why``.

    Raises:
        InputError: naming file, line and field.
    """
    return [rejected for _, rejected in read_jsonl(Path(path), Rejected)]


def _own(culture: str) -> PageLanguage:
    spoken = (local_names(culture, "en").tag or "").partition("-")[0]
    return next((language for language in PAGE_LANGUAGES if language == spoken), "en")


def guidelines(
    culture: str, language: PageLanguage | None = None, rejected: Path | str | None = None
) -> Sheet:
    """The fifteen guidelines for one culture.

    Args:
        culture: a territory such as ``PT``, or a culture that has a data file.
        language: of the sheet; without it the culture's own where that is a page's, else English.
        rejected: a file of entries that adjudicators turned down (:func:`load_rejected`).

    Raises:
        InputError: no such culture or language, or a line of the file is not as it should be.
    """
    language = language or _own(culture)
    if language not in PAGE_LANGUAGES:
        raise unknown("language", language, PAGE_LANGUAGES)
    text, local = _file(), local_names(culture, language)
    words = text.page[language]
    spoken = local.language or words.elsewhere
    own = load_rejected(rejected) if rejected is not None else []

    def filled(template: str) -> str:
        return template.replace("{culture}", local.culture).replace("{language}", spoken)

    def example(given: Example) -> Example:
        about = local_names(given.culture, language).culture if given.culture else None
        return msgspec.structs.replace(given, question=filled(given.question), culture=about)

    def guideline(entry: _Entry) -> Guideline:
        said = entry.text(language)
        return Guideline(
            id=entry.id,
            group=entry.group,
            title=said.title,
            rule=filled(said.rule),
            why=said.why,
            good=tuple(map(example, said.good)),
            bad=tuple(map(example, said.bad)),
            rejected=tuple(
                Example(question=r.question, answer=r.answer, why=r.why)
                for r in own
                if r.guideline == entry.id
            ),
        )

    return Sheet(
        code=culture,
        culture=local.culture,
        language=spoken,
        tag=local.tag,
        words=words,
        groups={group: headings[language] for group, headings in text.group.items()},
        guidelines=tuple(map(guideline, text.guideline)),
    )
