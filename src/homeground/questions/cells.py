"""Answers and options as they stand in other people's files: text, a list in a cell, or a list in JSON."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
import warnings
from itertools import pairwise

import msgspec

from homeground.files import field_error
from homeground.questions.reading import Unfit
from homeground.schema import Gold

_BESIDE = re.compile(r"""['"]\s*[A-Za-z]{0,2}['"]""")
_LONGEST = 100_000  # characters of a cell that spells a list


def spelled(cell: str) -> object:
    """The list or mapping that a cell spells, in JSON or as a Python literal; the stripped text if it spells none.

    Nothing is evaluated: ``ast.literal_eval`` reads literals alone.

    Raises:
        Unfit: square or curly brackets around something that is neither.
    """
    text = cell.strip()
    if text[:1] + text[-1:] not in ("[]", "{}", "()"):
        return text
    value = _literal(text)
    if isinstance(value, list | dict | tuple):
        return value
    if text[0] == "(":
        return text
    raise Unfit(f"looks like a list and is none: {text[:40]}{'…' if len(text) > 40 else ''}")


def _literal(text: str) -> object:
    if len(text) > _LONGEST:
        raise Unfit(f"a list of more than {_LONGEST:,} characters in a cell")
    with contextlib.suppress(msgspec.DecodeError, RecursionError, UnicodeError):
        return msgspec.json.decode(text)
    # The parser warns about "\d" in somebody's text.
    quiet = warnings.catch_warnings(action="ignore") if "\\" in text else contextlib.nullcontext()
    try:
        with quiet:
            value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    if _BESIDE.search(text) and _run_together(text):
        raise Unfit(f"two texts without a comma between them: {text[:40]}")
    return value


def _run_together(text: str) -> bool:
    """Whether Python would join two texts into one, as in what NumPy prints: ``['a' 'b']``."""
    kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(text).readline)]
    kinds = [kind for kind in kinds if kind not in (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)]
    return any(one == other == tokenize.STRING for one, other in pairwise(kinds))


def plain(value: object) -> str:
    """A text or a number as stripped text.

    Raises:
        Unfit: anything else, or text that no file could hold.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unfit(f"{str(value)[:40]!r} is no text")
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Unfit("half of a surrogate pair in the text") from error
    return text


def options(value: object, separator: str | None = None) -> tuple[str, ...] | None:
    """The options of a cell or field; ``None`` where it is empty.

    Raises:
        Unfit: it holds something else than texts and numbers.
    """
    values = _several(value, separator)
    return None if values is None else tuple(plain(item) for item in values)


def golds(value: object, separator: str | None = None) -> tuple[str | Gold, ...] | None:
    """The right answers of a cell or field; ``None`` where it is empty.

    A list within the list holds the forms of one answer, and so does ``{"forms": […], "count": n}``.

    Raises:
        Unfit: it holds something else.
    """
    values = _several(value, separator)
    return None if values is None else tuple(_gold(item) for item in values)


def _gold(value: object) -> str | Gold:
    if isinstance(value, list | tuple):
        return Gold(forms=tuple(plain(form) for form in value))
    if isinstance(value, dict):
        try:
            gold = msgspec.convert(value, Gold)
        except msgspec.ValidationError as error:
            raise Unfit(f"an answer is a text or has forms and count: {field_error(error)}") from error
        return Gold(forms=tuple(plain(form) for form in gold.forms), count=gold.count)
    return plain(value)


def _several(value: object, separator: str | None) -> list[object] | None:
    if isinstance(value, str):
        value = spelled(value) if separator is None or value.strip()[:1] == "[" else value.strip()
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return [value] if separator is None else [part for part in value.split(separator) if part.strip()]
    if isinstance(value, list | tuple):
        return list(value)
    return [value]
