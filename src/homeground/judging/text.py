"""Text first: the folded form in which an answer is read, with the way back to what the model wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from homeground.judging.blocks import judged_part

__all__ = ["Folded", "fold", "judged_part"]

# Where compatibility forms would lose what we need: raised signs stand for degrees, primes for feet and inches, and
# "2½" must not become "21/2".
_KEPT = {"º": "°", "˚": "°", "⁰": "°", "ᵒ": "°", "′": "'", "″": '"', "’": "'", "‘": "'", "ʼ": "'", "´": "'"}
_KEPT |= {"“": '"', "”": '"', "„": '"', "״": '"', "׳": "'", "«": '"', "»": '"', "٫": ".", "٬": ",", "،": ","}
_KEPT |= dict.fromkeys("⁻−‐‑‒–—―﹣－➖", "-")
_KEPT |= dict.fromkeys("〜～∼˜", "~")
_KEPT |= {char: char for char in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
# Marks that turn the direction of text, and others that are seen by nobody.
_UNSEEN = "\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
_VOICED = re.compile("[か-とは-ほウカ-トハ-ホワ-ヲ][\u3099\u309a]")

_LATEX = re.compile(r"\\(?:[A-Za-z]{2,20}|[,;:!% ${}()\[\]])|\^\{?\s?(?:\\circ|[-\do°])")
_MARKUP = re.compile(
    r"&(?:[A-Za-z]{2,8}\d{0,2}|#\d{2,6}|#x[0-9A-Fa-f]{2,5});|</?(?:su[bp]|br|b|i|u|em|strong|p|span|div|li|td|code)\b"
)
_ENTITIES = {
    "&deg;": "°", "&nbsp;": " ", "&thinsp;": " ", "&euro;": "€", "&pound;": "£", "&yen;": "¥", "&minus;": "-",
    "&ndash;": "-", "&mdash;": "-", "&times;": "×", "&sup2;": "2", "&sup3;": "3", "&frac12;": "½", "&frac14;": "¼",
    "&frac34;": "¾", "&prime;": "'", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">",
}  # fmt: skip
_REWRITTEN = re.compile(
    r"(?P<ten>\s{0,2}(?:×|\\times|\*|x)\s?10\s?\^\s?\{?\s?(?P<exponent>-?\d{1,2})(?:\s?\})?)"
    r"|(?P<degree>\^\s?\{?\s?(?:\\circ|o\b|°)\s?\}?|\\degree\b|<sup>\s?[oO0°]\s?</sup>|\\textdegree\b)"
    r"|(?P<power>\^\s?\{?\s?(?P<square>[23])(?:\s?\})?|<sup>\s?(?P<raised>[23])\s?</sup>)"
    r"|(?P<space>\\[,;:! ]|\\q?quad\b|<br\s?/?>)"
    r"|(?P<times>\\times\b|\\cdot\b)"
    r"|(?P<about>\\approx\b|\\sim\b)"
    r"|(?P<entity>&[A-Za-z]{2,8}\d{0,2};|&\#\d{2,6};|&\#x[0-9A-Fa-f]{2,5};)"
    r"|(?P<sign>\\[$%])"
    r"|(?P<gone>\\[A-Za-z]{2,20}\s?|\\[()\[\]]|[{}]|</?(?:sub|b|i|u|em|strong|p|span|div|li|td|code)(?:\s[^<>\n]{0,60})?>)"
)
_MATH = re.compile(r"(?<![\\$])\$\$?([^$\n]{1,120})\$\$?(?![\d$])")


class Folded(NamedTuple):
    """Text to read, with the way back to the answer as the model wrote it."""

    text: str
    origin: Sequence[int]
    """For every character of ``text``, its index in the answer."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the answer that ``text[start:end]`` came from."""
        return self.origin[start], self.origin[end - 1] + 1


class _Table(dict[int, str]):
    """Folded forms of single characters, worked out when they are first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = _KEPT.get(char)
        if folded is None:
            digit = unicodedata.decimal(char, None)
            folded = unicodedata.normalize("NFKC", char) if digit is None else str(digit)
        self[code] = folded
        return folded


_TABLE = _Table({ord(char): "" for char in _UNSEEN})


def fold(answer: str, start: int, end: int) -> Folded:
    """Compatibility forms, digits of every script, dashes, quotes, LaTeX and HTML folded; the case is kept."""
    part = answer[start:end]
    origin: Sequence[int] = range(start, end)
    if not part.isascii():
        folded = part.translate(_TABLE)
        # One character dropped and another doubled leave the length as it was, and still everything moves.
        if any(len(_TABLE[ord(char)]) != 1 for char in set(part)):
            origin = [i for i, char in enumerate(part, start) for _ in _TABLE[ord(char)]]
        part = folded
        if "\u3099" in part or "\u309a" in part:
            part, origin = _composed(part, origin)
    if ("\\" in part or "^" in part) and _LATEX.search(part):
        part, origin = _without_math(part, origin)
        return Folded(*_rewritten(part, origin))
    if ("&" in part or "<" in part) and _MARKUP.search(part):
        return Folded(*_rewritten(part, origin))
    return Folded(part, origin)


def _composed(text: str, origin: Sequence[int]) -> tuple[str, list[int]]:
    """Kana with the voicing marks that half-width forms write apart."""
    pieces, places, last = [], [], 0
    for match in _VOICED.finditer(text):
        pieces += [text[last : match.start()], unicodedata.normalize("NFC", match[0])]
        places += [*origin[last : match.start()], *[origin[match.start()]] * len(pieces[-1])]
        last = match.end()
    return "".join([*pieces, text[last:]]), [*places, *origin[last:]]


def _without_math(text: str, origin: Sequence[int]) -> tuple[str, Sequence[int]]:
    """Without the dollar signs that enclose a formula and mean no money."""
    drop = [
        place
        for match in _MATH.finditer(text)
        if "\\" in match[1] or "^" in match[1]
        for place in (*range(match.start(), match.start(1)), *range(match.end(1), match.end()))
    ]
    if not drop:
        return text, origin
    gone = set(drop)
    kept = [i for i in range(len(text)) if i not in gone]
    return "".join(text[i] for i in kept), [origin[i] for i in kept]


def _rewritten(text: str, origin: Sequence[int]) -> tuple[str, list[int]]:
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for match in _REWRITTEN.finditer(text):
        new = _plain(match)
        pieces += [text[last : match.start()], new]
        places += [*origin[last : match.start()], *[origin[match.start()]] * len(new)]
        last = match.end()
    return "".join([*pieces, text[last:]]), [*places, *origin[last:]]


def _plain(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "ten":
            return f"e{match['exponent']}"
        case "degree":
            return "°"
        case "power":
            return match["square"] or match["raised"]
        case "space":
            return " "
        case "times":
            return "×"
        case "about":
            return "~"
        case "sign":
            return match[0][1]
        case "entity":
            return _entity(match[0])
        case _:
            return ""


def _entity(name: str) -> str:
    if name.startswith("&#"):
        code = int(name[3:-1], 16) if name[2] == "x" else int(name[2:-1])
        return _TABLE[code] if 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else name
    return _ENTITIES.get(name, name)
