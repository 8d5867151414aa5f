"""What an answer says of a phrase that it contains: whether it affirms, denies, refuses, offers or takes back.

Only the sentence around the phrase is read, and never more than a few hundred characters of it, so that a long answer
costs no more than a short one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from homeground.cultures.names import mentions
from homeground.judging.phrases.edges import UNSPACED
from homeground.judging.phrases.events import CUTS, Event, Reader
from homeground.judging.phrases.lists import Candidates, listing, verdict_of_list
from homeground.judging.phrases.text import range_words

_WINDOW = 200
"""How far from the phrase its sentence is read, in characters of the reading form."""
_FAR, _NEAR = 5, 1
"""Words between a denial and what it denies: for "is not", and for the likes of "without"."""
_RUN_GAP = 6
_RUN_GAP_SHORT = 2
"""Characters between the two in scripts without spaces; the shorter one for denials of one character."""
_RUN_AFTER = 3
_ELLIPSIS = 2
_BACK = 60
"""Characters in which something is taken back."""
_ENDS = re.compile(r"[.!?](?=\s|\Z)|[\n。！？؟।…]")
_SENTENCE = re.compile(r"[^.!?\n。！？…]+[.!?\n。！？…]+")
_WORDY = re.compile(r"[^\W_]")


class Verdict(NamedTuple):
    """What the answer does with a phrase: ``ok``, or why it earns nothing."""

    status: Literal["ok", "none", "refused", "ambiguous"]
    why: str


_OK = Verdict("ok", "whole token")
_NEGATED = Verdict("none", "negated")


class Stance:
    """The stance of one answer, asked phrase by phrase."""

    def __init__(self, text: str, language: str | None) -> None:
        """``text`` is an answer's reading form."""
        self._text = text
        self._reader = Reader(text, language)

    def of(self, start: int, end: int, is_gold: Callable[[str], bool]) -> Verdict:
        """What the answer does with ``text[start:end]``; ``is_gold`` tells another right answer in a list."""
        text = self._text
        low, high = self._sentence(start, end)
        before_text, after_text = text[low:start], text[end:high]
        back = text[end : end + _BACK]
        if not _WORDY.search(before_text) and not _WORDY.search(back):
            return _OK
        read = self._reader
        before, after = read.tokens(before_text), read.tokens(after_text)
        left, right = read.events(before), read.events(after)
        if self._refused(before, left, right, before_text, after_text):
            return Verdict("refused", "named while refusing to answer")
        if self._denied(before, left, before_text) or self._denied_after(after, right, after_text):
            return _NEGATED
        if self._taken_back(read.tokens(back)):
            return Verdict("none", "taken back")
        if _granted(before, left):
            return Verdict("none", "granted, not answered")
        if text[start:end].isdecimal() and _range(before, after):
            return Verdict("ambiguous", "one end of a range")
        if _joined_in_run(text, start, end) or self._guessed_again(before, left, low, high, is_gold):
            return Verdict("ambiguous", "one of 2 candidates")
        if len(after) > 2 and after[0] == "(" and any(e.kind == "or" and e.start == 1 for e in right):
            return Verdict("ambiguous", "one of 2 candidates")
        if not listing(before, left) and not listing(after, right):
            return _OK
        others, either = Candidates(before, after, left, right).others()
        why = verdict_of_list(others, either, is_gold) if others else None
        if why is not None and not either and _place_chain(text[start:end], others[-1]):
            return _OK
        return _OK if why is None else Verdict("ambiguous", why)

    def _guessed_again(
        self, before: list[str], events: list[Event], low: int, high: int, is_gold: Callable[[str], bool]
    ) -> bool:
        """Whether the sentence before or after makes another guess in the same words: "Maybe red. Maybe blue."."""
        guess = max((event.end for event in events if event.kind == "guess"), default=0)
        if not guess or len(before) - guess > _light(before[guess:], events, guess):
            return False
        text, lead = self._text, before[:guess]
        earlier = list(_SENTENCE.finditer(text, max(0, low - _WINDOW), low))[-1:]
        for other in (*(match[0] for match in earlier), text[high : high + _WINDOW]):
            tokens = self._reader.tokens(other)
            if tokens[:guess] == lead and not is_gold(" ".join(tokens[guess:])):
                return True
        return False

    def refuses(self) -> bool:
        """Whether the answer begins by refusing; asked where it contains no gold."""
        head = self._text[: 2 * _WINDOW]
        events = self._reader.events(self._reader.tokens(head))
        runs = self._reader.runs(head)
        return any(e.kind == "refusal" for e in events) or any(
            run.kind == "refusal" and run.text in head for run in runs
        )

    def _sentence(self, start: int, end: int) -> tuple[int, int]:
        low = max(0, start - _WINDOW)
        for stop in _ENDS.finditer(self._text, low, start):
            low = stop.end()
        stop_after = _ENDS.search(self._text, end, end + _WINDOW)
        return low, stop_after.end() if stop_after else min(len(self._text), end + _WINDOW)

    def _denied(self, before: list[str], events: list[Event], text: str) -> bool:
        denials = {e.end for e in events if e.kind in ("not_before", "not_far")}
        for doubt in (e for e in events if e.kind == "disbelief" and CUTS.isdisjoint(before[e.end :])):
            # "No doubt", "cannot be anything but": two denials are none.
            if denials.isdisjoint((doubt.start, doubt.start - 1)):
                return True
        far = {event.start for event in events if event.kind == "not_far"}
        for event in reversed(events):
            if event.kind not in ("not_before", "not_far"):
                continue
            between = before[event.end :]
            reach = _FAR if event.start in far else _NEAR + _light(between, events, event.end)
            if len(between) > reach or not CUTS.isdisjoint(between):
                continue
            if not any(e.kind in _SPARING and e.start >= _from(e, event) for e in events):
                return True
        return self._denied_in_run(text)

    def _denied_in_run(self, text: str) -> bool:
        runs = self._reader.runs(text)
        for run in runs:
            if run.kind not in ("not_before", "disbelief"):
                continue
            at = text.rfind(run.text)
            gap = text[at + len(run.text) :]
            if run.kind == "disbelief" and CUTS.isdisjoint(gap):
                return True
            if at < 0 or len(gap) > (_RUN_GAP if len(run.text) > 1 else _RUN_GAP_SHORT):
                continue
            hangul = "\uac00" <= run.text[0] <= "\ud7af"
            if not CUTS.isdisjoint(gap) or (
                hangul and (not gap.startswith(" ") or text[at - 1 : at].strip())
            ):
                continue
            if not any(r.kind in _SPARING and r.text in text[max(0, at - 2) :] for r in runs):
                return True
        return False

    def _denied_after(self, after: list[str], events: list[Event], text: str) -> bool:
        for event in events:
            near = event.start == 0 or (event.start == 1 and after[0] not in CUTS)
            if event.kind == "not_after" and near:
                return True
            # "Ham no, turkey", but not "ham no?" or "ham is no turkey".
            ends = event.end == len(after) or (after[event.end] in CUTS and after[event.end] != "?")
            if event.kind == "not_far" and event.start == 0 and ends:
                return True
        runs = self._reader.runs(text[: 4 * _RUN_GAP])
        for run in runs:
            at = text.find(run.text, 0, _RUN_AFTER + len(run.text)) if run.kind == "not_after" else -1
            if at >= 0 and CUTS.isdisjoint(text[:at]):
                around = text[: at + len(run.text) + _RUN_GAP]
                return not any(r.kind == "no_denial" and r.text in around for r in runs)
        return False

    def _refused(
        self, words: list[str], left: list[Event], right: list[Event], before: str, after: str
    ) -> bool:
        said = max((e.end for e in left if e.kind == "refusal"), default=-1)
        if said >= 0:
            turned = any(e.kind in _TURNING and e.end >= said for e in left)
            return not turned and ";" not in words[said:]
        said = min((e.start for e in right if e.kind == "refusal"), default=-1)
        if said >= 0:
            return not any(e.kind == "turn" and e.start <= said for e in right)
        for text, last in ((before, True), (after, False)):
            runs = self._reader.runs(text)
            places = [text.find(run.text) for run in runs if run.kind == "refusal" and run.text in text]
            if places:
                rest = text[max(places) :] if last else text[: min(places)]
                return not any(run.kind in _TURNING and run.text in rest for run in runs)
        return False

    def _taken_back(self, tokens: list[str]) -> bool:
        """Whether what follows takes it back: ", no, sorry: turkey", but not ", no?" or ", no doubt"."""
        place = 0
        while place < len(tokens) and tokens[place] in CUTS:
            place += 1
        signs = tokens[:place]
        if not signs:
            return False
        stopped = not frozenset(".!。").isdisjoint(signs) and signs.count(".") < _ELLIPSIS
        kinds = ("retract",) if stopped else ("retract", "retract_within")
        events = {e.start: e for e in self._reader.events(tokens) if e.kind in kinds}
        runs = {run.text for run in self._reader.runs("".join(tokens)) if run.kind in kinds}
        at = place
        while at < len(tokens) and (at in events or tokens[at] in runs):
            at = events[at].end if at in events else at + 1
            while at < len(tokens) and tokens[at] in CUTS and tokens[at] != "?":
                at += 1
        if at == place:
            return False
        if at == len(tokens):
            return "?" in signs
        return tokens[at] != "?" and (tokens[at - 1] in CUTS or at - place > 1)


_SPARING = frozenset(("but", "settled", "no_denial"))
_TURNING = frozenset(("turn", "guess", "settled"))


def _from(spare: Event, denial: Event) -> int:
    """Where what spares must begin: "not only" with the denial, "but" after it ("instead of" is no "instead")."""
    return denial.start if spare.kind == "no_denial" else denial.end


def _light(tokens: list[str], events: list[Event], offset: int) -> int:
    articles = {event.start - offset for event in events if event.kind == "article"}
    return sum(1 for index in range(len(tokens)) if index in articles)


def _place_chain(phrase: str, last: str) -> bool:
    """Whether a list of places ends with the country in which they lie: "Faro, Algarve, Portugal"."""
    named = next(mentions(last.title()), None)
    return named is not None and next(mentions(phrase.title()), None) is None


def _granted(before: list[str], events: list[Event]) -> bool:
    """Whether the phrase stands in a clause that only grants something after the answer: "…, though some eat ham"."""
    return any(
        event.kind == "conceded"
        and any(token not in CUTS for token in before[: event.start])
        and len(before) - event.end <= _FAR
        and CUTS.isdisjoint(before[event.end :])
        for event in events
    )


def _joined_in_run(text: str, start: int, end: int) -> bool:
    """Whether a Japanese か joins the phrase to another one ("そばかうどん"), rather than asking or guessing."""
    if text.startswith("か", end) and _AFTER_KA.match(text, end + 1):
        return True
    return (
        text.endswith("か", 0, start) and _BEFORE_KA.match(text, start - 2) is not None
        if start > 1
        else False
    )


_AFTER_KA = re.compile(f"(?![\u3099もなねらとどしのはに])[{UNSPACED}]")
_BEFORE_KA = re.compile("(?![何誰幾])[\u30a1-\u30fa\u30fc\u4e00-\u9fff]|(?<!な)[んきけごしばまめらろわ]")


def _range(before: list[str], after: list[str]) -> bool:
    words = range_words()
    joins = words.to if words.between.isdisjoint(before[-_FAR:]) else words.to | words.and_
    return (len(after) > 1 and after[0] in joins and after[1][:1].isdecimal()) or (
        len(before) > 1 and before[-1] in joins and before[-2][-1:].isdecimal()
    )
