"""Distil number words from CLDR's spell-out rules into ``judging/words/number_words.json``.

Run from the checkout: ``.venv/bin/python scripts/distil_number_words.py FOLDER``, where the argument is
``package/rbnf`` of npm's ``cldr-rbnf`` 48.2.0 (``npm pack cldr-rbnf@48.2.0``; Unicode License v3). The rules are those
of Unicode TS 35, part 3, "Rule-Based Number Formatting". Kept are numbers that CLDR writes in one word, in every gender
and case; those in several words are their parts. ``judging/words/number_words.toml`` is read but not changed: what
stands among its ``values`` and ``powers`` is left out here. Run this again after changing it.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import unicodedata
from pathlib import Path
from typing import NamedTuple

ROOM = Path(__file__).parents[1] / "src/homeground/judging/words"
LOCALES = {
    "ar": "ar", "de": "de", "en": "en", "es": "es", "fa": "fa", "fr": "fr", "he": "he", "hi": "hi", "it": "it",
    "nl": "nl", "pl": "pl", "pt": "pt", "pt_PT": "pt", "ru": "ru", "sv": "sv", "tr": "tr", "uk": "uk",
}  # fmt: skip
# Where numbers are glued without end, every further one is cut into these and the powers.
GLUED = {"de", "it", "nl", "sv"}
_SUBSTITUTION = re.compile(r"<[^<]*<|>[^>]*>|=[^=]*=|\$\(cardinal,[^$]*\)\$")


class Rule(NamedTuple):
    """``base/radix: body;``"""

    base: int
    radix: int
    body: str

    @property
    def divisor(self) -> int:
        """The highest power of the radix that is not above the base."""
        power = 1
        while power * self.radix <= self.base:
            power *= self.radix
        return power


class Spelling:
    """One locale's spell-out rules; whole numbers from 0 only."""

    def __init__(self, path: Path) -> None:
        """Read a file of rules; rules for fractions and negative numbers are passed over."""
        self.sets: dict[str, list[Rule]] = {}
        name = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("%"):
                name = line.rstrip(":")
                self.sets[name] = []
            elif match := re.match(r"([\d,]+)(?:/(\d+))?: ?(.*);$", line):
                base, radix, body = match.groups()
                self.sets[name].append(
                    Rule(int(base.replace(",", "")), int(radix or 10), body.removeprefix("'"))
                )
        for rules in self.sets.values():
            rules.sort(key=lambda rule: rule.base)

    def cardinals(self) -> list[str]:
        """The public rule sets that count; ordinals and years are left out."""
        return [n for n in self.sets if re.match(r"%spellout-(?:cardinal|numbering(?!-year))", n)]

    def spell(self, number: int, name: str) -> str:
        """The number by the rules of a set."""
        rules = [rule for rule in self.sets[name] if rule.base <= number]
        rule = rules[-1]
        if "<" in rule.body and ">" in rule.body and number % rule.divisor == 0 and rule.base % rule.divisor:
            rule = rules[-2]
        head, tail = divmod(number, rule.divisor)

        def put(match: re.Match[str]) -> str:
            sign, inner = match[0][0], match[0][1:-1]
            if sign == "$":
                return ""
            if inner.startswith(("#", "0")):
                return str(number)
            return self.spell({"<": head, ">": tail, "=": number}[sign], inner or name)

        body = re.sub(r"\[(.*?)\]", r"\1" if tail else "", rule.body)
        return _SUBSTITUTION.sub(put, body)


def fold(word: str) -> str:
    """A word without case, marks on Latin, Hebrew and Arabic letters, and variants of Arabic letters."""
    plain = ""
    for char in unicodedata.normalize("NFD", word.casefold()):
        # Marks outside these scripts are letters of their own: Devanagari vowels, Thai tones, Cyrillic й.
        mark = unicodedata.combining(char)
        if not mark or (mark and plain and not re.match("[a-zıא-ת\u0600-\u06ff]", plain[-1])):
            plain += char
    return plain.translate(str.maketrans("ىيكةı", "ییکهi"))


def spellings(language: str, text: str) -> set[str]:
    """CLDR's text as people type it: in Russian without ё, in Hindi without dots and with one nasal sign for two."""
    text = re.sub(r"[\u00ad\u200b-\u200f]", "", unicodedata.normalize("NFC", text))
    forms = {text.replace("ʼ", "'").replace("’", "'").strip()}
    for sign, other in {"ru": [("ё", "е")], "hi": [("\u093c", ""), ("ँ", "ं")]}.get(language, []):
        forms |= {form.replace(sign, other) for form in forms}
    return forms


def distil(folder: Path) -> dict[str, dict[str, int]]:
    """Words and their values by language."""
    curated = tomllib.loads((ROOM / "number_words.toml").read_text(encoding="utf-8"))["language"]
    table: dict[str, dict[str, int]] = {}
    for locale, language in LOCALES.items():
        spelling = Spelling(folder / f"{locale}-SpelloutRules.txt")
        words = table.setdefault(language, {})
        numbers = range(100) if language in GLUED else (*range(100), *range(100, 1000, 100), 2000)
        seen = {fold(word) for kind in ("powers", "values") for word in curated[language].get(kind, ())}
        seen |= {fold(word) for word in words}
        for number in numbers:
            for name in spelling.cardinals():
                for word in sorted(spellings(language, spelling.spell(number, name))):
                    if not re.search(r"[\s\d-]", word) and fold(word) not in seen:
                        seen.add(fold(word))
                        words[word] = number
    return table


def main() -> None:
    """Write the table, a language a line."""
    rows = [
        f"  {json.dumps(language)}: {json.dumps({'values': words}, ensure_ascii=False)}"
        for language, words in sorted(distil(Path(sys.argv[1])).items())
    ]
    (ROOM / "number_words.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
