"""At which hours does a model say morning, noon, afternoon, evening and night, and do people say so too?

The clocks of Miao, Zhu and Shwartz (2026, arXiv:2606.17688, appendix B.5), by band of hours instead of by picture, and
beside them what people say (Shwartz 2022, Findings of ACL 2022), where a file of that is given. Times of day wrap, so
every mean of hours is circular: ``statistics.circular``.

People named a start and an end for each word, and only how often each time was named is known, not who named which end
for which start. So there are the circular means of starts and of ends, and the middle of the span between these two
means, whose error is at most (SE(start) + SE(end)) / 2, whatever the correlation of starts and ends.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from homeground.experiments.frame import Codes
from homeground.experiments.people_times import People
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.prompts import options_of
from homeground.schema import LEVELS, Concept, Estimate, Level
from homeground.statistics import accuracy
from homeground.statistics.circular import circular_mean
from homeground.statistics.clusters import Floats

ALL = "all"
"""Instead of a culture at levels whose prompts name none."""
_CONCEPT: Concept = "time_expression"
_CULTURE_FREE: tuple[Level, ...] = LEVELS[:2]
_DAY, _BAND = 24, 3
"""Hours."""


def time_words(study: Study, people: People | None = None) -> list[Table]:
    """Which option is chosen at which hours, and the mean hour of each option.

    Tables ``time_words`` (culture, level, hours, option; share) and ``time_word_means`` (culture, level, option,
    quantity; hours), each left out where it has no rows.

    Args:
        study: the answers.
        people: what people say of their own times of day; the study's own by default.
    """
    people = study.people if people is None else people
    shares: list[Row] = []
    means: list[Row] = []
    for series in study.series:
        for by, rows in _groups(study, series):
            shares += _by_band(study, by, rows)
            means += _by_option(study, by, rows)
    if means and people is not None:
        means += _of_people(study, people)
    return [table for table in (_bands(study, shares), _means(study, means, people)) if table.rows]


def _bands(study: Study, rows: list[Row]) -> Table:
    return study.table(
        "time_words",
        "Words for times of day, by the hour that the clock shows",
        rows,
        across="option",
        notes=(
            "Share of the answers at scenes of a band of hours that settle on an option; an option that none of them "
            "settles on has no row. At null and neutral nothing tells cultures apart: culture “all”, each answer once.",
        ),
    )


def _means(study: Study, rows: list[Row], people: People | None) -> Table:
    notes = [
        "Model: circular mean of the true hours of the scenes at which an option was chosen. It depends on which hours "
        "the scenes show.",
    ]
    if people is not None:
        notes.append(
            "People: circular means of the starts and of the ends that people named, and the middle between these two. "
            "Who named which end for which start is not known, so the interval of the middle is the widest possible."
        )
        notes.append(_read(study, people))
    return study.table(
        "time_word_means", "Mean hour of each word for a time of day", rows, across="option", notes=notes
    )


def _read(study: Study, people: People) -> str:
    lost = sum(people.unread.values())
    named = ", ".join(sorted(people.unread)[:5])
    others = sorted(set(people.spans) - set(study.benchmark.cultures))
    return (
        f"Of {people.told:,} times that people named, {lost:,} could not be read{f' ({named})' if lost else ''}; those "
        f"without am or pm are read on the clock of 24 hours. Not used: {people.other_words:,} times for other words."
        + (f" Not among this study's cultures: {', '.join(others)}." if others else "")
    )


def _groups(study: Study, series: Series) -> Iterator[tuple[dict[str, str], Codes]]:
    """Rows with a settled option, by culture and level, and their part of ``Row.by``."""
    frame = study.frame
    settled = np.asarray([name != "" for name in frame.said.names])[frame.said.codes]
    mine = study.of(series) & frame.where(task="question", concept=_CONCEPT) & settled
    for level in LEVELS:
        here = np.flatnonzero(mine & frame.where(condition=level))
        if level in _CULTURE_FREE:
            once = {study.frame.judgements[row].key: row for row in here.tolist()}
            if once:
                yield {**series.by, "culture": ALL, "level": level}, np.asarray(list(once.values()))
            continue
        for code, culture in enumerate(frame.culture.names):
            rows = here[frame.culture.codes[here] == code]
            if len(rows):
                yield {**series.by, "culture": culture, "level": level}, rows


def _hours(study: Study, rows: Codes) -> Floats:
    """The hour that each row's scene shows."""
    names, scenes = study.frame.scene.names, study.benchmark.scenes
    return np.asarray([scenes[names[code]].value % _DAY for code in study.frame.scene.codes[rows].tolist()])


def _by_band(study: Study, by: dict[str, str], rows: Codes) -> Iterator[Row]:
    frame = study.frame
    band = _hours(study, rows) // _BAND
    for number in range(_DAY // _BAND):
        inside = rows[band == number]
        hours = f"{number * _BAND:02d}–{(number + 1) * _BAND:02d}"
        for option in options_of(_CONCEPT):
            chosen = frame.said.is_(option)
            if not chosen[inside].any():
                continue
            # No dialogue is shown at null, so none counts as a cluster there.
            alone = by["level"] == "null"
            estimate = (
                accuracy(chosen[inside], frame.cluster[inside]) if alone else study.share(chosen, inside)
            )
            yield Row(by=by | {"hours": hours, "option": option}, estimate=estimate)


def _by_option(study: Study, by: dict[str, str], rows: Codes) -> Iterator[Row]:
    frame = study.frame
    for option in options_of(_CONCEPT):
        chosen = rows[frame.said.is_(option)[rows]]
        if not len(chosen):
            continue
        mean = circular_mean(_hours(study, chosen), clusters=frame.cluster[chosen]).mean
        yield _mean_row(by | {"option": option, "quantity": "model"}, mean)


def _of_people(study: Study, people: People) -> Iterator[Row]:
    blank = dict.fromkeys(study.series[0].by, "")
    for culture, spans in people.spans.items():
        if culture not in study.benchmark.cultures:
            continue
        for option, span in spans.items():
            by = {**blank, "culture": culture, "level": "", "option": option}
            start, end = span.starts.mean().mean, span.ends.mean().mean
            for quantity, mean in (
                ("people", middle(start, end)),
                ("people: start", start),
                ("people: end", end),
            ):
                if mean.n:
                    yield _mean_row(by | {"quantity": quantity}, mean)


def middle(start: Estimate, end: Estimate) -> Estimate:
    """The middle of a span on the clock, from the mean of its starts onwards to the mean of its ends.

    The interval is the widest that the two allow, since how starts and ends go together is not known. The value is in
    [0, 24), and the interval lies around it as that of ``circular_mean`` does. No value where either mean has none, or
    where the end comes more than half a day after the start: then it rather comes before it.
    """
    n, clusters = min(start.n, end.n), min(start.clusters, end.clusters)
    nowhere = Estimate(value=None, low=None, high=None, se=None, n=n, clusters=clusters)
    if start.value is None or end.value is None:
        return nowhere
    length = (end.value - start.value) % _DAY
    if length > _DAY / 2:
        return nowhere
    value = (start.value + length / 2) % _DAY
    se = low = high = None
    if start.se is not None and end.se is not None:
        se = (start.se + end.se) / 2
    if start.high is not None and end.high is not None:
        half = (start.high - start.value + end.high - end.value) / 2
        low, high = value - half, value + half
    return Estimate(value=value, low=low, high=high, se=se, n=n, clusters=clusters)


def _mean_row(by: dict[str, str], mean: Estimate) -> Row:
    note = "the times have no common middle" if mean.value is None else ""
    return Row(by=by, estimate=mean, unit="hours", note=note)
