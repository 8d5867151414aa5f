"""The messages of a question set: the question as it stands, and who is meant, from ``questions.toml``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal

from homeground.errors import InputError
from homeground.files import read_toml, sha256_json
from homeground.prompts.messages import HERE
from homeground.schema import Framing, Message, Record

SHORT = 64
"""New tokens of an answer at most, as published for question sets."""


class _Templates(Record, frozen=True, kw_only=True):
    version: str
    oracle: dict[str, str]


@cache
def _templates() -> _Templates:
    return read_toml(HERE / "questions.toml", _Templates)


def oracle_languages() -> tuple[str, ...]:
    """ISO 639 codes of the languages in which a model can be told whose culture is meant."""
    return tuple(_templates().oracle)


def oracle_language(wanted: str | None, asked_in: str | None) -> str:
    """The language in which a model is told whose culture is meant.

    Args:
        wanted: what the user asks for.
        asked_in: the language of the questions, such as ``pt-PT``; theirs is taken where we have it, else English.

    Raises:
        InputError: we have no text in the wanted language.
    """
    if wanted is not None:
        code = _base(wanted)
        if code not in _templates().oracle:
            raise InputError(
                f"--oracle-language {wanted}: no oracle in that language; one of {', '.join(oracle_languages())}"
            )
        return code
    return _base(asked_in) if asked_in and _base(asked_in) in _templates().oracle else "en"


def _base(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()


class QuestionPrompts:
    """Writes the messages of questions; the language of the oracle is part of the signature."""

    framing: Framing = "chat"
    """A question is a turn of its own."""
    grounding: Literal["none"] = "none"
    """Nothing is shown."""
    systems: Mapping[str, str] = MappingProxyType({})
    """There are no system texts of the user's own."""

    def __init__(
        self, language: str, folded: Collection[str] = (), *, thinkers: Collection[str] = ()
    ) -> None:
        """Choose how to say whose culture is meant.

        Args:
            language: in which it is said; one of ``oracle_languages``.
            folded: models without a system role, which read it before the question in the same turn.
            thinkers: models that think apart.
        """
        self.language = language
        self.folded = frozenset(folded)
        self.thinkers = frozenset(thinkers)

    @property
    def signature(self) -> str:
        """Version, hash and language of the templates."""
        return f"{_templates().version}@{sha256_json(_templates())[:8]},{self.language}"

    def framing_of(self, models: Sequence[str]) -> str:
        """What the signature says of the framing, with where these models read the oracle."""
        places = {"folded" if model in self.folded else "role" for model in models}
        return f"chat,system-{'+'.join(sorted(places))}"

    def plain(self, question: str) -> tuple[Message, ...]:
        """The question alone."""
        return (Message(role="user", text=question),)

    def oracle(self, question: str, culture: str, model: str) -> tuple[Message, ...]:
        """The question after a word on whose culture is meant.

        Args:
            question: as it stands.
            culture: its name in the oracle's language.
            model: who is asked; matters to where that word stands.
        """
        told = _templates().oracle[self.language].strip().replace("{culture}", culture)
        if model in self.folded:
            return (Message(role="user", text=f"{told}\n\n{question}"),)
        return (Message(role="system", text=told), Message(role="user", text=question))
