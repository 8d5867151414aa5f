"""Which language a text is in, as far as common words and script tell, and which variety of it (guideline E1).

Words decide among the languages that have tables; elsewhere the script does. A short text often stays untold.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

from homeground.files import read_toml
from homeground.questions.audit.text import Text
from homeground.questions.audit.verdicts import Flag
from homeground.questions.audit.words import LANGUAGES, WORDS, language
from homeground.schema import Question

_SCRIPTS = (
    ("kana", re.compile("[\u3041-\u30ff]")),
    ("han", re.compile("[\u3400-\u9fff\uf900-\ufaff]")),
    ("hangul", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("latin", re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")),
    ("cyrillic", re.compile("[\u0400-\u052f]")),
    ("greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("arabic", re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")),
    ("hebrew", re.compile("[\u0590-\u05ff]")),
    ("devanagari", re.compile("[\u0900-\u097f]")),
    ("bengali", re.compile("[\u0980-\u09ff]")),
    ("ethiopic", re.compile("[\u1200-\u139f]")),
    ("thai", re.compile("[\u0e00-\u0e7f]")),
)
_WRITTEN = {
    "zh": {"han"}, "ja": {"kana", "han"}, "ko": {"hangul"}, "ar": {"arabic"}, "fa": {"arabic"}, "ur": {"arabic"},
    "he": {"hebrew"}, "el": {"greek"}, "ru": {"cyrillic"}, "uk": {"cyrillic"}, "bg": {"cyrillic"}, "hi": {"devanagari"},
    "bn": {"bengali"}, "as": {"bengali"}, "am": {"ethiopic"}, "ti": {"ethiopic"}, "th": {"thai"},
}  # fmt: skip
_LATIN = frozenset((
    "en", "pt", "es", "fr", "de", "it", "nl", "ca", "gl", "eu", "su", "id", "ha", "sv", "pl", "az",
))  # fmt: skip
_ALONE = {"hangul": "ko", "greek": "el", "hebrew": "he", "kana": "ja", "thai": "th"}
_VARIETY = {
    "ES": "ES",
    "MX": "MX",
    "GB": "GB",
    "US": "US",
    "PT": "PT",
    "BR": "BR",
    "CN": "CN",
    "TW": "TW",
    "HK": "TW",
}
_CLEAR = 3
"""Common words of another language from which a text counts as written in it."""

_Varieties: TypeAlias = dict[str, dict[str, dict[str, str]]]


def script(text: str) -> str | None:
    """The script of most letters; kana where there are any beside Han."""
    counts = {name: len(chars.findall(text)) for name, chars in _SCRIPTS}
    if counts["kana"] and counts["kana"] + counts["han"] > counts["latin"]:
        return "kana"
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else None


def _scores(text: Text) -> dict[str, int]:
    return {
        code: len(text.lower & rules.everyday)
        for code in LANGUAGES
        if code != "zh" and (rules := language(code))
    }


def guess(text: Text) -> str | None:
    """The language of a text that does not say it, or nothing."""
    written = script(text.raw)
    if written != "latin":
        return "zh" if written == "han" else _ALONE.get(written or "")
    scores = _scores(text)
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=lambda code: scores[code]) if best > second else None


def wrong_language(text: Text, code: str | None) -> list[Flag]:
    """A text in another script or in the common words of another language than it is said to be in."""
    written = script(text.raw)
    if code is None or written is None:
        return []
    expected = {"latin"} if code in _LATIN else _WRITTEN.get(code)
    if expected and written not in expected:
        why = f"written in {written} letters, which {code} is not"
        return [Flag(guideline="E1", evidence=text.raw.strip(), why=why, confidence=0.9)]
    if written != "latin" or not expected:
        return []
    scores = _scores(text)
    best = max(scores, key=lambda other: scores[other])
    if best != code and scores[best] >= _CLEAR + 2 * scores.get(code, 0):
        why = f"the words are those of {best}, not of {code}"
        return [Flag(guideline="E1", evidence=text.raw.strip(), why=why, confidence=0.8)]
    return []


@cache
def _varieties() -> dict[tuple[str, str], tuple[re.Pattern[str], dict[str, str]]]:
    tables = read_toml(WORDS / "variety.toml", _Varieties)
    made = {}
    for code, regions in tables.items():
        for region, words in regions.items():
            if code == "zh":
                pattern = re.compile(f"[{words['characters']}]")
            else:
                pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
            made[code, region] = pattern, {word.lower(): other for word, other in words.items()}
    return made


def wrong_variety(item: Question, code: str | None, tag: str | None, culture: str | None) -> list[Flag]:
    """Words of another variety of the language: flagged in the question, doubted in an answer."""
    parts = re.split(r"[-_]", tag or "")
    region = parts[-1].upper() if len(parts) > 1 and len(parts[-1]) == 2 else (culture or "").split("-")[0]
    pattern, others = _varieties().get((code or "", _VARIETY.get(region, "")), (None, {}))
    if pattern is None:
        return []
    found = []
    if seen := pattern.search(item.question):
        word = seen[0]
        said = f": {others[word.lower()]}" if word.lower() in others else ""
        why = f"not written so in {region}{said}"
        found.append(Flag(guideline="E1", evidence=word, why=why, confidence=0.7))
    for answer in item.answers or ():
        for form in (answer,) if isinstance(answer, str) else answer.forms:
            if not found and (seen := pattern.fullmatch(form.strip())):
                why = f"may not be said in {region}: {others.get(seen[0].lower(), 'another script')}"
                flag = Flag(guideline="E1", verdict="cannot tell", evidence=seen[0], why=why, confidence=0.4,
                            field="answers")  # fmt: skip
                found.append(flag)
    return found
