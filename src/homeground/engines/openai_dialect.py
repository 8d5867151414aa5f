"""What one server wants to be told: the names of its fields, and its way to turn thinking on and off."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from homeground.engines.protocol import Images
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import png_uri, read_toml
from homeground.schema import Message, Record, Request

_OWN = Path(str(files("homeground.engines"))) / "openai_families.toml"
_LIMITS = ("max_tokens", "max_completion_tokens")
_UNKNOWN = re.compile(
    r"(?i)unsupported|not (?:be )?(?:supported|permitted|allowed)|n[o']t support|unknown|unrecogni[sz]ed|unexpected"
    r"|extra|invalid (?:value|type|parameter)|only the default"
)
"""What servers say of a field or value that they do not take."""
Setting = dict[str, Any]


class Family(Record, frozen=True, kw_only=True):
    """One row of ``openai_families.toml``; the file's head explains the fields."""

    name: str
    hosts: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    default: bool = False
    limit: str
    on: tuple[Setting, ...]
    off: tuple[Setting, ...]
    slots: str = ""
    source: str


class FamilyFile(Record, frozen=True, kw_only=True):
    """The shape of ``openai_families.toml``."""

    family: tuple[Family, ...]


class Sent(NamedTuple):
    """A request as it went out, with what can be changed when the server refuses it."""

    body: bytes
    limit: int
    """Which of the names of the limit it went by."""
    thinking: int
    """Which of the family's settings it carried."""
    logprobs: bool
    """Whether it asked for log-probabilities."""


@cache
def _families() -> tuple[Family, ...]:
    return read_toml(_OWN, FamilyFile).family


def family_of(url: str, named: str = "") -> Family:
    """The family of a server by its name or by its base URL.

    Raises:
        InputError: there is no family of that name.
    """
    families = _families()
    if named:
        for family in families:
            if family.name == named.lower():
                return family
        names = ", ".join(family.name for family in families)
        raise InputError(f"models.toml: server {named!r} is not known; one of {names}")
    parts = urlsplit(url)
    host = parts.hostname or ""
    for family in families:
        if any(host == end or host.endswith(f".{end}") for end in family.hosts):
            return family
    for family in families:
        if parts.port in family.ports:
            return family
    return next(family for family in families if family.default)


class Dialect:
    """The words for one model on one server. What a server refused is remembered, and not said to it again."""

    def __init__(self, model: str, family: Family) -> None:
        """Start with the family's own words."""
        self._model = model
        self._family = family
        self._limits = (family.limit, *(name for name in _LIMITS if name != family.limit))
        self._limit = 0
        self._thinking = {True: 0, False: 0}
        self._logprobs = True

    def write(self, request: Request, messages: msgspec.Raw) -> Sent:
        """The body of a request whose messages are JSON already."""
        sampling = request.sampling
        body: dict[str, object] = {
            "model": self._model,
            "messages": messages,
            self._limits[self._limit]: sampling.max_tokens,
            "temperature": sampling.temperature,
        }
        thinking = 0
        if sampling.thinking is not UNSET:
            thinking = self._thinking[sampling.thinking]
            body |= self._settings(sampling.thinking)[thinking]
        logprobs = self._logprobs and sampling.logprobs is True
        if logprobs:
            body["logprobs"] = True
        return Sent(msgspec.json.encode(body), self._limit, thinking, logprobs)

    def other_words(self, request: Request, sent: Sent, error: Any) -> bool:  # noqa: ANN401
        """Whether the server refused a field rather than the prompt, and the request can be put in other words.

        Args:
            request: what was asked.
            sent: as it went out.
            error: what the server said, as JSON.

        Raises:
            EnvironmentProblem: the model takes no such setting, and only the user can change it.
        """
        sampling = request.sampling
        if _refused(error, self._limits[sent.limit]):
            if sent.limit + 1 < len(self._limits):
                self._limit = max(self._limit, sent.limit + 1)
            return sent.limit < self._limit
        if sent.logprobs and _refused(error, "logprobs"):
            self._logprobs = False
            return True
        if _refused(error, "temperature"):
            raise EnvironmentProblem(
                f"takes no temperature of {sampling.temperature:g}, as models that always reason do not; "
                "run it with --temperature 1, in a run of its own"
            )
        if sampling.thinking is UNSET:
            return False
        settings = self._settings(sampling.thinking)
        refused = next((name for name in settings[sent.thinking] if _refused(error, name)), None)
        if refused is None:
            return False
        if sent.thinking + 1 < len(settings):
            now = self._thinking[sampling.thinking]
            self._thinking[sampling.thinking] = max(now, sent.thinking + 1)
            return True
        raise EnvironmentProblem(
            f"takes no {refused}, by which servers of the family {self._family.name!r} turn thinking "
            f"{'on' if sampling.thinking else 'off'}; name the server's family, or the model's way of thinking, "
            "in models.toml (server, thinking)"
        )

    def _settings(self, thinking: bool) -> tuple[Setting, ...]:
        return self._family.on if thinking else self._family.off


def messages_json(messages: tuple[Message, ...], images: Images) -> msgspec.Raw:
    """Messages as JSON; an image comes before the text, as a data URL."""
    return msgspec.Raw(msgspec.json.encode([_message(message, images) for message in messages]))


def _message(message: Message, images: Images) -> dict[str, object]:
    if message.image is None:
        return {"role": message.role, "content": message.text}
    return {
        "role": message.role,
        "content": [
            {"type": "image_url", "image_url": {"url": png_uri(images(message.image))}},
            {"type": "text", "text": message.text},
        ],
    }


def _refused(error: Any, field: str) -> bool:  # noqa: ANN401
    """Whether an error is about a field of ours: by its ``param``, or by its words, which quote the field's name."""
    if not isinstance(error, dict):
        return False
    inner = error.get("error", error)
    said = str(inner.get("message") or inner) if isinstance(inner, dict) else str(inner)
    if not _UNKNOWN.search(said):
        return False
    if isinstance(inner, dict) and inner.get("param"):
        return str(inner["param"]).partition(".")[0] == field
    return bool(re.search(rf"""['"`]{re.escape(field)}\b""", said))
