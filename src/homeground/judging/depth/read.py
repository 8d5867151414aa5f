"""How far a model's reasoning goes with culture: it names nothing, a cue, whose cue it is, or acts on that.

The four levels are those of Miao, Zhu and Shwartz 2026, table 8; their regular expressions are not printed, so these
rules are a reconstruction: words in tables, read sentence by sentence, the deepest level wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from homeground.judging.depth import words as dw
from homeground.judging.depth.causes import cause_of_choice
from homeground.judging.depth.links import Sentence, customary, parse
from homeground.judging.depth.scripts import Run, read_run
from homeground.judging.depth.words import Lexicon, Table, lexicon, own_cues
from homeground.schema import Cue

_LONGEST = 1_000
"""Characters of a sentence; a longer one is cut, so that no link reaches across and time stays linear."""
_END = re.compile("[.!?…。！？؟।۔\n]+")
_SURE = frozenset("。！？؟।۔\n")
_CLOSERS = frozenset("\"'”’»)]*_`」』）")
_ABBREVIATED = re.compile(
    r"(?:\b[^\W\d_]|\b(?:vs|approx|etc|ca|cf|mr|mrs|ms|dr|st|fig|eg|ie|incl))\Z", re.IGNORECASE
)
_RUNS = re.compile("[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_QUICK = re.compile(r"[a-z0-9\u00df-\u024f]+")
_SIGNS = frozenset("°℃℉€£¥₪₩₹$²㎡/^")
_DIGITS = re.compile(r"\d\s?[\dX]")
_LINKS = dw.CONSEQUENCE | dw.CAUSE | dw.CUSTOM
_PLACES = dw.COUNTRY | dw.PLACE
_CHOICES = dw.CHOICE | dw.UNIT | dw.MONEY | dw.OPTION | dw.BESIDE


class Depth(NamedTuple):
    """How deep a chain of reasoning goes, with its deepest evidence (code points of the reasoning)."""

    level: Literal[0, 1, 2, 3]
    span: tuple[int, int] | None
    why: str


class _Part(NamedTuple):
    start: int
    end: int
    mask: int
    script: str | None


def read_depth(reasoning: str, cues: Sequence[Cue] = ()) -> Depth:
    """The deepest level of cultural reasoning in a text.

    0: no cultural token; a unit beside a number, or of a scale in the picture, is none. 1: a cue, country, currency
    or system of units is named. 2: somebody's identity is inferred, or a cue's. 3: by a causal word it drives the
    choice of a unit, a currency or a word. What is denied, asked or supposed ("if the user is from…") infers nothing.

    Args:
        reasoning: what the model thought, or wrote before its answer's marker.
        cues: the conversation's own cues; ordinary words and bare numbers count only among them.

    Raises:
        InputError: a data file is broken.
    """
    return _Reader(reasoning, lexicon(), own_cues(cues)).read()


class _Reader:
    """One text; what a sentence establishes is looked up from the sentence after it."""

    def __init__(self, text: str, words: Lexicon, own: Table) -> None:
        self.text, self.words, self.own = text, words, own
        self.parsed: dict[str, Sentence] = {}
        self.runs: dict[tuple[str, bool], Run] = {}
        self.masks: dict[str, tuple[int, str | None]] = {}

    def read(self) -> Depth:
        best = Depth(0, None, "no cultural token")
        before: list[_Part] = []
        for part in self._parts():
            if best.level == 2 and not (part.script or part.mask & _LINKS):
                before = [*before[-1:], part]
                continue
            found = self._deeper(part, best.level, before)
            if found is not None and found.level > best.level:
                best = found
                if best.level == 3:
                    break
            before = [*before[-1:], part]
        return best if best.level else self._own_cue() or best

    def _own_cue(self) -> Depth | None:
        """An own cue that no sentence showed: it holds a full stop, or stands in a script whose words run on."""
        for phrase in (phrase for known in self.own.phrases.values() for phrase in known):
            edge = phrase.form[0] < "\u0370"
            pattern = rf"(?<!\w){re.escape(phrase.form)}(?!\w)" if edge else re.escape(phrase.form)
            found = re.search(pattern, self.text, 0 if phrase.exact else re.IGNORECASE)
            if found is not None:
                return Depth(1, found.span(), f"names {found[0]!r}")
        return None

    def _parts(self) -> Iterator[_Part]:
        text, start = self.text, 0
        for match in _END.finditer(text):
            if match.end() <= start:
                continue
            end = self._end(start, match)
            if end is not None:
                yield from self._cut(start, end)
                start = end
        yield from self._cut(start, len(text))

    def _end(self, start: int, match: re.Match[str]) -> int | None:
        """Where a sentence ends that begins at ``start``, or nothing if the sign ends none."""
        text, dot, end = self.text, match.start(), match.end()
        while end < len(text) and text[end] in _CLOSERS:
            end += 1
        if not _SURE.isdisjoint(match[0]):
            return end
        if end < len(text) and not text[end].isspace():
            return None
        if dot - start < 6 and text[start:dot].strip().isdigit():
            return None  # the number of an item: "2. In the UK…"
        if match[0] == "." and _ABBREVIATED.search(text, max(start, dot - 8), dot):
            return end if text[end : end + 4].lstrip()[:1].isupper() else None
        return end

    def _cut(self, start: int, end: int) -> Iterator[_Part]:
        while end - start > _LONGEST:
            space = self.text.rfind(" ", start + 1, start + _LONGEST)
            until = space if space > start else start + _LONGEST
            yield self._part(start, until)
            start = until
        if not self.text[start:end].isspace() and start < end:
            yield self._part(start, end)

    def _part(self, start: int, end: int) -> _Part:
        sentence = self.text[start:end]
        known = self.masks.get(sentence)
        if known is None:
            script = None if sentence.isascii() or not _RUNS.search(sentence) else dw.script_of(sentence)
            known = self.masks[sentence] = self._mask(sentence), script
        return _Part(start, end, *known)

    def _mask(self, sentence: str) -> int:
        """What a sentence may hold, by its words alone."""
        mask, lower = 0, sentence.lower()
        words = _QUICK.findall(lower)
        quick, phrases = self.words.quick, self.words.phrases
        for word in self.words.keys.intersection(words):
            mask |= quick.get(word, 0)
            for form, exact, extra in phrases.get(word, ()):
                if form in (sentence if exact else lower):
                    mask |= extra
        own = self.own.phrases
        if own and (
            not own.keys().isdisjoint(words) or any(first >= "\u0370" and first in lower for first in own)
        ):
            mask |= dw.CUE
        return mask

    def _deeper(self, part: _Part, level: int, before: list[_Part]) -> Depth | None:
        found = self._run(part, level, before) if part.script else None
        if found is None or (found.level < 3 and part.mask & (_PLACES | _LINKS)):
            # A sentence can quote a name in another script.
            other = self._latin(part, level, before)
            found = other if found is None or (other is not None and other.level > found.level) else found
        return found

    def _latin(self, part: _Part, level: int, before: list[_Part]) -> Depth | None:
        places = part.mask & _PLACES
        if part.mask & _LINKS and self._chooses(part) and (places or self._carried(before)):
            sentence = self._parse(part)
            link = cause_of_choice(sentence, carried=self._carried(before))
            if link is not None:
                return self._depth(
                    3, part, sentence, link, "an identity drives the choice of a unit, currency or word"
                )
        if level < 2 and places:
            sentence = self._parse(part)
            if sentence.bound:
                place, head = next(iter(sentence.bound.items()))
                return self._depth(
                    2, part, sentence, (head, place), "a cue or the user is bound to an identity"
                )
        return self._cue(part) if level < 1 else None

    def _chooses(self, part: _Part) -> bool:
        return bool(part.mask & _CHOICES) or not _SIGNS.isdisjoint(self.text[part.start : part.end])

    def _parse(self, part: _Part) -> Sentence:
        text = self.text[part.start : part.end]
        if text not in self.parsed:
            self.parsed[text] = parse(text, self.words, self.own)
        return self.parsed[text]

    def _carried(self, before: list[_Part]) -> bool:
        """Whether the last sentence, or the one before that if the last speaks of what is usual, gave an identity."""
        if not any(part.script or part.mask & _PLACES for part in before):
            return False
        stated = False  # whether only a custom that names its unit reaches over the last sentence
        for part in reversed(before):
            if part.script:
                if self._read_run(part, carried=False).bound:
                    return True
                if not part.mask & _PLACES:
                    continue
            if not part.mask & _PLACES and part is not before[-1]:
                return False
            if part.mask & _PLACES:
                sentence = self._parse(part)
                custom = customary(sentence.tokens)
                choice = any(t.mask & _CHOICES for t in sentence.tokens)
                if (sentence.named and custom and choice) or (
                    not stated and (sentence.bound or (sentence.named and custom))
                ):
                    return True
            if part is before[-1] and not any(
                t.mask & (dw.NORM | dw.PERSON) for t in self._parse(part).tokens
            ):
                stated = True
        return False

    def _depth(
        self, level: Literal[2, 3], part: _Part, sentence: Sentence, tokens: tuple[int, int], why: str
    ) -> Depth:
        one, two = sorted(tokens)
        return Depth(
            level, (part.start + sentence.tokens[one].start, part.start + sentence.tokens[two].end), why
        )

    def _cue(self, part: _Part) -> Depth | None:
        """A cue that is mentioned: words in the tables, numbers of a telling shape, signs of money."""
        text = self.text[part.start : part.end]
        wanted = dw.CUE | dw.PLACE | dw.MONEY | dw.UNIT
        if part.mask & (wanted | dw.COUNTRY):
            sentence = self._parse(part)
            pictured = any(t.mask & dw.PICTURE for t in sentence.tokens)
            for token in sentence.tokens:
                if token.mask & dw.UNIT and (pictured or token.number):
                    continue
                if token.mask & wanted:
                    return Depth(
                        1, (part.start + token.start, part.start + token.end), f"names {token.word!r}"
                    )
        found = (None if _SIGNS.isdisjoint(text) else dw.MONEY_SIGN.search(text)) or (
            self.words.numbers.search(text) if _DIGITS.search(text) else None
        )
        if found is not None:
            return Depth(1, (part.start + found.start(), part.start + found.end()), f"names {found[0]!r}")
        return None

    def _read_run(self, part: _Part, *, carried: bool) -> Run:
        key = self.text[part.start : part.end], carried
        if key not in self.runs:
            words = self.words.scripts[part.script or ""]
            self.runs[key] = read_run(key[0], words, cued=bool(part.mask & dw.CUE), carried=carried)
        return self.runs[key]

    def _run(self, part: _Part, level: int, before: list[_Part]) -> Depth | None:
        text, start = self.text[part.start : part.end], part.start
        words = self.words.scripts[part.script or ""]
        if level == 2 and not any(word in text for word in (*words.consequence, *words.cause)):
            return None
        run = self._read_run(part, carried=self._carried(before[-1:]))
        if run.cause is not None:
            one, two = run.cause
            return Depth(
                3, (start + one, start + two), "an identity drives the choice of a unit, currency or word"
            )
        if run.bound:
            one, two = run.bound[0]
            return Depth(2, (start + one, start + two), "a cue or the user is bound to an identity")
        if run.places:
            place = run.places[0]
            return Depth(1, (start + place.start, start + place.end), "names a country")
        return None
