"""When people of a country say that morning, noon, afternoon, evening and night begin and end.

Read from a JSON Lines file of the shape of the data of Shwartz (2022, "Good Night at 4 pm?! Time Expressions in
Different Cultures", Findings of ACL 2022): a country a line, and for each of the five words how many people named which
time as its start and which as its end. The means that such a file holds are linear and not read: on them 23:00 and
01:00 meet at noon.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import numpy as np

from homeground.cultures.names import mentions
from homeground.errors import InputError
from homeground.files import read_jsonl
from homeground.prompts import options_of
from homeground.schema import Record
from homeground.statistics.circular import CircularMean, circular_mean
from homeground.statistics.clusters import Floats
from homeground.statistics.divergence import Ints

_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(?:([ap])\.?m\.?)?", re.IGNORECASE | re.ASCII)
_DAY, _HALF, _SIXTY = 24, 12, 60
_Histogram = dict[str, Annotated[int, msgspec.Meta(ge=0)]]


class _Told(Record, frozen=True, kw_only=True):
    start: _Histogram
    end: _Histogram
    translation: dict[str, int] = {}  # noqa: RUF012  (msgspec copies it)
    start_mean: str = ""
    start_std: str = ""
    end_mean: str = ""
    end_std: str = ""


class _Line(Record, frozen=True, kw_only=True):
    country: str
    languages: dict[str, int] = {}  # noqa: RUF012
    main: dict[str, _Told]
    additional_times: dict[str, _Told] = {}  # noqa: RUF012


class Times(NamedTuple):
    """A histogram of clock times."""

    hours: Floats
    """Distinct, in [0, 24)."""
    counts: Ints
    """How many people named each."""

    def mean(self) -> CircularMean:
        """Their circular mean; each person is a cluster."""
        return circular_mean(self.hours, self.counts)


class Span(NamedTuple):
    """When a time of day begins and ends. Who named which end for which start is not known."""

    starts: Times
    ends: Times


class People(NamedTuple):
    """What people say, by country."""

    spans: dict[str, dict[str, Span]]
    """By country (ISO 3166-1 alpha-2) and option."""
    told: int
    """Times that people named for the five options, starts and ends."""
    unread: dict[str, int]
    """Those among them that no clock shows, with how often each was given."""
    other_words: int
    """Times that people named for words beyond the five; not used."""


def clock(text: str) -> float | None:
    """The hour, in [0, 24), that a time such as ``06:00``, ``6:00:00``, ``4:00am``, ``1 pm`` or ``0`` stands for.

    Without am or pm a time is read on the clock of 24 hours. ``24:00`` is midnight. ``None`` for what is no time.
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups()[:3])
    half = (found[4] or "").lower()
    if half and not 1 <= hour <= _HALF:
        return None
    if half:
        hour = hour % _HALF + (_HALF if half == "p" else 0)
    if minute >= _SIXTY or second >= _SIXTY or hour + minute / _SIXTY + second / _SIXTY**2 > _DAY:
        return None
    return hour % _DAY + minute / _SIXTY + second / _SIXTY**2


def read_people(path: Path | str) -> People:
    """Read a file of histograms.

    Raises:
        InputError: there is no such file, it has no line, or a line is not of the shape; names file, line and field.
    """
    path = Path(path)
    options = options_of("time_expression")
    spans: dict[str, dict[str, Span]] = {}
    unread: dict[str, int] = {}
    told = others = 0
    for number, line in read_jsonl(path, _Line):
        where = f"{path}:{number}"
        code = _country(line.country, where)
        if code in spans:
            raise InputError(f"{where}: field country: {line.country!r} stands in an earlier line already")
        if strange := sorted(set(line.main) - set(options)):
            raise InputError(f"{where}: field main: {strange[0]!r} is none of {', '.join(options)}")
        spans[code] = {
            option: Span(_times(line.main[option].start, unread), _times(line.main[option].end, unread))
            for option in options
            if option in line.main
        }
        told += _total(line.main)
        others += _total(line.additional_times)
    if not spans:
        raise InputError(f"{path}: no line; a country a line is needed")
    return People(spans, told, unread, others)


def _total(words: dict[str, _Told]) -> int:
    return sum(sum(word.start.values()) + sum(word.end.values()) for word in words.values())


def _country(name: str, where: str) -> str:
    found = list(mentions(name))
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(name)):
        raise InputError(f"{where}: field country: {name!r} is no country; give a name such as Italy")
    return found[0].code


def _times(histogram: _Histogram, unread: dict[str, int]) -> Times:
    counts: dict[float, int] = {}
    for text, count in histogram.items():
        hour = clock(text)
        if hour is None:
            unread[text] = unread.get(text, 0) + count
        else:
            counts[hour] = counts.get(hour, 0) + count
    hours = np.asarray(list(counts), dtype=np.float64)
    return Times(hours, np.asarray(list(counts.values()), dtype=np.int64))
