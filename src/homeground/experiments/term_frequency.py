"""Do models answer in the units that corpora name most? Where nothing is known of the user, beside counts of words.

A question that Miao, Zhu and Shwartz (2026, arXiv:2606.17688, section 3.5) ask of their models' priors; which words
they counted is not printed, so ``terms.toml`` is this project's own list. For a concept, over its units u:

    corpus share(u) = net(u) / Σ net
    model share(u)  = answers at null in u / answers at null in metric or imperial units

and of a system the sum over its units. A term's net count leaves out where it is part of a longer one:

    net(term) = count(term) − Σ over longer terms (times the term stands in it · net(longer term))

which is exact where no longer terms overlap. Correlations are over units, of what their shares have above the mean
share of their concept: a concept of two units has larger shares than one of seven, in corpora and answers alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from homeground.errors import InputError
from homeground.experiments.corpus_counts import Counts
from homeground.experiments.frame import Codes, Mask
from homeground.experiments.study import Series, Study
from homeground.experiments.table import Row, Table
from homeground.files import read_toml
from homeground.judging.units import units
from homeground.schema import Concept, Estimate, Record, System
from homeground.statistics import accuracy

ENOUGH = 8
"""Units that a correlation needs."""
_SYSTEMS: tuple[System, ...] = ("metric", "imperial")
_TOKEN = re.compile(r"[A-Za-z]+|\S")
_NAMED = 5
CORPUS, MODEL = "corpus share", "model share"


class _Elsewhere(Record, frozen=True, kw_only=True):
    terms: tuple[str, ...]


class _File(Record, frozen=True, kw_only=True):
    concept: dict[Concept, dict[str, tuple[str, ...]]]
    elsewhere: _Elsewhere


class Corpus(NamedTuple):
    """A corpus's net counts."""

    units: dict[Concept, dict[str, int]]
    """By concept and unit."""
    below_zero: int
    """Terms counted less often than the longer terms that they are part of; they are taken as 0."""


@cache
def _file() -> _File:
    return read_toml(Path(str(files("homeground.experiments"))) / "terms.toml", _File)


def terms_of_units() -> dict[Concept, dict[str, tuple[str, ...]]]:
    """The terms of each concept and unit; units are called as the judges call them."""
    return _file().concept


def terms() -> tuple[str, ...]:
    """Every term to count, each once."""
    own = [term for by_unit in _file().concept.values() for group in by_unit.values() for term in group]
    return tuple(dict.fromkeys([*own, *_file().elsewhere.terms]))


def net_counts(count: Mapping[str, int]) -> dict[str, int]:
    """Counts without where a term is part of a longer one; they can fall below 0 where counts contradict each other."""
    cut = {term: _TOKEN.findall(term) for term in count}
    net: dict[str, int] = {}
    for term in sorted(count, key=lambda term: -len(cut[term])):
        net[term] = count[term] - sum(_times(cut[term], cut[longer]) * max(0, net[longer]) for longer in net)
    return net


def _times(part: list[str], whole: list[str]) -> int:
    if len(part) >= len(whole):
        return 0
    return sum(whole[place : place + len(part)] == part for place in range(len(whole)))


def corpus_of(counts: Counts) -> Corpus:
    """Net counts by concept and unit.

    Raises:
        InputError: a term has no count.
    """
    wanted = terms()
    missing = [term for term in wanted if term not in counts.of]
    if missing:
        more = f" and {len(missing) - _NAMED} others" if len(missing) > _NAMED else ""
        raise InputError(
            f"{counts.source}: no count of {', '.join(map(repr, missing[:_NAMED]))}{more}; a term that never occurs "
            "has the count 0"
        )
    net = net_counts({term: counts.of[term] for term in wanted})
    by_unit = {
        concept: {unit: sum(max(0, net[term]) for term in group) for unit, group in rows.items()}
        for concept, rows in terms_of_units().items()
    }
    return Corpus(by_unit, sum(number < 0 for number in net.values()))


def term_frequency(study: Study, counts: Counts) -> list[Table]:
    """The share of each system and unit in a corpus, and in each series' answers to the question alone.

    Tables ``term_frequency`` (concept, system, quantity; share), ``term_frequency_units`` (concept, unit, quantity;
    share), and ``term_frequency_correlation`` (quantity; number) for series with enough units, left out where there
    are none.

    Raises:
        InputError: a term has no count.
    """
    corpus = corpus_of(counts)
    blank = dict.fromkeys(study.series[0].by, "") if study.series else {}
    systems = list(_corpus_systems(blank, corpus))
    by_unit = list(_corpus_units(blank, corpus))
    correlations: list[Row] = []
    for series in study.series:
        answers = {concept: _answers(study, series, concept) for concept in corpus.units}
        for concept, said in answers.items():
            by = {**series.by, "concept": concept}
            systems += _model_rows(
                study, said, by, "system", {name: study.frame.said.is_(name) for name in _SYSTEMS}
            )
            by_unit += _model_rows(study, said, by, "unit", _in_units(study, said, corpus.units[concept]))
        correlations += _correlations(series, corpus, answers)
    notes = _notes(counts, corpus)
    dependent = (
        f"Over the units of all concepts that have both shares, {ENOUGH} at least; of each share the concept's mean "
        "share is taken off first. Shares of one concept add up to one, so units are not independent: there is neither "
        "an interval nor a test."
    )
    tables = (
        study.table("term_frequency", "Systems of units in a corpus and in answers", systems, notes=notes),
        study.table("term_frequency_units", "Units in a corpus and in answers", by_unit, notes=notes),
        study.table(
            "term_frequency_correlation",
            "Correlation of units' shares in a corpus and in answers",
            correlations,
            notes=(*notes, dependent),
        ),
    )
    return [table for table in tables if table.rows]


def _notes(counts: Counts, corpus: Corpus) -> list[str]:
    notes = [
        f"Corpus: {counts.source}, {len(terms())} terms. A count of the whole corpus has no interval. Model: answers "
        "at null in metric or imperial units, each prompt once.",
        "Words say how often a unit is written, not what for: feet are parts of the body, too.",
    ]
    if counts.approximate:
        notes.append(f"{counts.approximate} counts are approximate, as the index says.")
    if further := len(counts.of) - len(terms()):
        notes.append(f"{further} further terms that were counted are not used.")
    if corpus.below_zero:
        notes.append(
            f"{corpus.below_zero} terms were counted less often than the longer terms that they are part of, and are "
            "taken as 0."
        )
    return notes


class _Said(NamedTuple):
    """A series' answers at null about a concept."""

    rows: Codes
    """Those in metric or imperial units, each prompt once."""
    units: tuple[str, ...]
    """The unit of each."""
    others: int
    """Answers in another system, in several, or in none."""


def _answers(study: Study, series: Series, concept: Concept) -> _Said:
    frame = study.frame
    mine = study.of(series) & frame.where(task="question", condition="null", concept=concept)
    once = {frame.judgements[row].key: row for row in np.flatnonzero(mine).tolist()}
    rows = np.asarray(list(once.values()), dtype=np.int64)
    named: Mask = frame.said.is_(*_SYSTEMS)[rows]
    chosen = rows[named]
    said = tuple(frame.judgements[row].reading.unit or "" for row in chosen.tolist())
    return _Said(chosen, said, len(rows) - len(chosen))


def _corpus_systems(blank: dict[str, str], corpus: Corpus) -> Iterator[Row]:
    for concept, by_unit in corpus.units.items():
        for system in _SYSTEMS:
            found = sum(count for unit, count in by_unit.items() if units().unit[unit].system == system)
            yield _corpus_row({**blank, "concept": concept, "system": system}, found, sum(by_unit.values()))


def _corpus_units(blank: dict[str, str], corpus: Corpus) -> Iterator[Row]:
    for concept, by_unit in corpus.units.items():
        for unit, found in by_unit.items():
            yield _corpus_row({**blank, "concept": concept, "unit": unit}, found, sum(by_unit.values()))


def _corpus_row(by: dict[str, str], found: int, of: int) -> Row:
    return Row(
        by=by | {"quantity": CORPUS},
        estimate=Estimate(
            value=found / of if of else None, low=None, high=None, se=None, n=of, clusters=1 if of else 0
        ),
        counts={"found": found},
        note="" if of else "none of the concept's terms stands in the corpus",
    )


def _in_units(study: Study, said: _Said, names: Iterable[str]) -> dict[str, Mask]:
    """For each unit which rows of the frame are answers in it."""
    masks = {}
    for name in names:
        masks[name] = np.zeros(len(study.frame), dtype=np.bool_)
        masks[name][said.rows] = [unit == name for unit in said.units]
    return masks


def _model_rows(
    study: Study, said: _Said, by: dict[str, str], column: str, masks: Mapping[str, Mask]
) -> Iterator[Row]:
    for name, mask in masks.items() if len(said.rows) else ():
        yield Row(
            by={**by, column: name, "quantity": MODEL},
            estimate=accuracy(mask[said.rows], study.frame.cluster[said.rows]),
            counts={"found": int(mask[said.rows].sum()), "others": said.others},
        )


def _correlations(series: Series, corpus: Corpus, answers: Mapping[Concept, _Said]) -> Iterator[Row]:
    from scipy.stats import rankdata

    points = [
        (
            count / sum(by_unit.values()) - 1 / len(by_unit),
            said.units.count(unit) / len(said.units) - 1 / len(by_unit),
        )
        for concept, by_unit in corpus.units.items()
        if (said := answers[concept]).units and sum(by_unit.values())
        for unit, count in by_unit.items()
    ]
    if len(points) < ENOUGH:
        return
    pairs = np.asarray(points).T
    for quantity, values in (("Pearson", pairs), ("Spearman", rankdata(pairs, axis=1))):
        if (np.ptp(values, axis=1) > 0).all():
            value = float(np.clip(np.corrcoef(values)[0, 1], -1, 1))
            estimate = Estimate(
                value=value, low=None, high=None, se=None, n=len(points), clusters=len(corpus.units)
            )
            yield Row(by={**series.by, "quantity": quantity}, estimate=estimate, unit="number")
