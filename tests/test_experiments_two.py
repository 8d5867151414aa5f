"""Divergences with their floors, words for times of day beside people's, unit words in a corpus beside answers."""

import json
import math
import random
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.errors import EnvironmentProblem, InputError
from homeground.experiments import corpus_counts
from homeground.experiments.corpus_counts import Counts, count_in_index, count_on_server, read_counts
from homeground.experiments.divergences import divergences
from homeground.experiments.people_times import clock, read_people
from homeground.experiments.study import Study
from homeground.experiments.table import Row, Table
from homeground.experiments.term_frequency import net_counts, term_frequency, terms, terms_of_units
from homeground.experiments.time_words import middle, time_words
from homeground.judging.reader import read_answer
from homeground.plan import Selection
from homeground.prompts import options_of
from homeground.runs import Run
from homeground.runs.judge import judge_run
from homeground.schema import CONDITIONS, LEVELS, Cell, Estimate, Judgement, Reading
from tests.conftest import SHARED
from tests.servers import Recorder
from tests.simulated import simulated_run

CULTURES = ("BR", "FR", "IN", "US")
PEOPLE = SHARED / "data" / "time_expressions" / "dataset.jsonl"
Says = Callable[[Cell], str]
"""The option that a made-up model settles on; nothing where the text is empty."""


class Ground(NamedTuple):
    """A run with answers at all levels and placebos, and its judgements."""

    run: Run
    judged: list[Judgement]

    def study(self, says: Says, *, conditions: Sequence[str] = CONDITIONS, draws: int = 1) -> Study:
        """The run, had a model said what ``says`` says; each draw of a cell asks for itself."""
        judged = []
        for one in self.judged:
            if one.cell.condition not in conditions:
                continue
            for draw in range(draws):
                cell = replace(one.cell, draw=draw)
                option = says(cell)
                reading = Reading(status="ok", found=(option,)) if option else Reading(status="none")
                judged.append(replace(one, cell=cell, reading=reading, key=f"{one.key}/{draw}"))
        return Study([self.run], [judged])


@pytest.fixture(scope="module")
def ground(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    selection = Selection(
        tasks=("question",),
        conditions=CONDITIONS,
        concepts=("time_expression", "quantifier"),
        cultures=CULTURES,
    )
    run = simulated_run(tmp_path_factory.mktemp("subjective") / "run", benchmark, selection)
    return Ground(run, judge_run(run))


@pytest.fixture(scope="module")
def measured(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Answers to the question alone, in imperial units all of them."""
    selection = Selection(
        tasks=("question",),
        conditions=("null",),
        concepts=("temperature", "distance", "speed", "size"),
        cultures=("FR", "US"),
    )
    return simulated_run(tmp_path_factory.mktemp("measured") / "run", benchmark, selection)


def drawn(*names: object, options: int = 3) -> str:
    return str(random.Random("/".join(map(str, names))).randrange(options))


def numbers(tables: Sequence[Table]) -> Iterator[float]:
    for row in (row for table in tables for row in table.rows):
        estimate = row.estimate
        values = (estimate.value, estimate.low, estimate.high, estimate.se, row.p, row.holm)
        yield from (value for value in values if value is not None)


def rows_of(tables: Sequence[Table], name: str, **by: str) -> list[Row]:
    rows = next((table.rows for table in tables if table.name == name), ())
    return [row for row in rows if all(row.by[key] == value for key, value in by.items())]


def row_of(tables: Sequence[Table], name: str, **by: str) -> Row:
    (row,) = rows_of(tables, name, **by)
    return row


# ---- divergences


def test_a_model_that_always_says_the_same_diverges_nowhere(ground: Ground) -> None:
    tables = divergences(ground.study(lambda cell: "noon"))
    assert [table.name for table in tables] == [
        "divergences", "divergences_above_floor", "divergence_extremes"
    ]  # fmt: skip
    for row in rows_of(tables, "divergences"):
        assert row.estimate.value == 0
        assert row.estimate.low == 0 and row.estimate.high is not None and 0 < row.estimate.high < 0.5
        assert row.counts == {"left_out": 0}
    measures = {row.by["measure"] for row in tables[0].rows}
    assert measures == {"D_inter", "D_implicit", "D_explicit", "D_placebo_cues", "D_placebo_filler"}
    assert {row.by["concept"] for row in tables[0].rows} == {"both", "time_expression", "quantifier"}
    for row in rows_of(tables, "divergences_above_floor"):
        assert (row.estimate.value, row.p, row.holm) == (0, 1, 1)
    for row in rows_of(tables, "divergence_extremes"):
        assert row.by["culture"] == "all" and row.note.startswith("not supported")
    assert all(map(math.isfinite, numbers(tables)))


def test_a_culture_for_which_answers_shift_is_named(ground: Ground) -> None:
    shifted = ("implicit", "explicit", "placebo_cues", "cue1", "cue2")
    tables = divergences(
        ground.study(lambda cell: "night" if cell.culture == "FR" and cell.condition in shifted else "noon")
    )
    for measure in ("D_implicit", "D_explicit"):
        shares = {
            row.by["culture"]: row.estimate.value
            for row in rows_of(tables, "divergences", concept="both", measure=measure)
        }
        assert shares == {"all": 0.25, "BR": 0, "FR": 1, "IN": 0, "US": 0}
        alien = row_of(tables, "divergence_extremes", measure=measure, extreme="most alien")
        assert alien.by["culture"] == "FR" and alien.note == "supported: FR is the most alien"
        assert alien.holm is not None and alien.holm <= 0.05
        close = row_of(tables, "divergence_extremes", measure=measure, extreme="closest")
        assert set(close.by["culture"].split(", ")) == {"BR", "IN", "US"}
        assert close.note == "not supported: several cultures share this end"
    above = row_of(
        tables,
        "divergences_above_floor",
        concept="both",
        measure="D_implicit",
        floor="placebo_cues",
        culture="FR",
    )
    assert above.estimate.value == 1 and above.holm is not None and above.holm < 0.001
    # Half of the six pairs of four cultures have FR in them.
    assert (
        row_of(tables, "divergences", concept="both", measure="D_inter", level="cue1").estimate.value == 0.5
    )


def test_changes_that_any_change_of_words_brings_are_not_above_the_floor(ground: Ground) -> None:
    study = ground.study(lambda cell: drawn(cell.item, cell.culture, cell.condition))
    tables = divergences(study)
    shift = row_of(tables, "divergences", concept="both", measure="D_implicit", culture="all")
    assert shift.estimate.value == pytest.approx(2 / 3, abs=0.1)
    for row in rows_of(tables, "divergences_above_floor"):
        assert row.holm is not None and row.holm > 0.05
    assert not any(row.note.startswith("supported") for row in rows_of(tables, "divergence_extremes"))


def test_each_placebo_is_set_against_what_it_stands_beside(ground: Ground) -> None:
    said = {"neutral": "noon", "implicit": "night", "placebo_cues": "night", "placebo_filler": "night"}
    tables = divergences(ground.study(lambda cell: said.get(cell.condition, "morning")))
    for measure, share in (
        ("D_placebo_cues", 0),
        ("D_placebo_filler", 1),
        ("D_implicit", 1),
        ("D_explicit", 1),
    ):
        for row in rows_of(tables, "divergences", measure=measure):
            assert row.estimate.value == share
    for floor, points in (("placebo_cues", 1), ("placebo_filler", 0)):
        for row in rows_of(tables, "divergences_above_floor", measure="D_implicit", floor=floor):
            assert row.estimate.value == points


def test_conversations_that_were_not_drawn_are_not_left_out(ground: Ground) -> None:
    """A sample holds few siblings of a scaffold: those it does not hold were never asked."""
    some = [one for one in ground.judged if drawn(one.cell.item, one.cell.culture) == "0"]
    tables = divergences(Ground(ground.run, some).study(lambda cell: "noon"))
    assert {row.counts["left_out"] for row in rows_of(tables, "divergences")} == {0}
    shift = row_of(tables, "divergences", concept="both", measure="D_implicit", culture="all")
    assert shift.estimate.n == len({(one.cell.item, one.cell.culture) for one in some})


def test_it_is_said_which_floors_were_run(ground: Ground) -> None:
    bare = divergences(ground.study(lambda cell: "noon", conditions=LEVELS))
    assert any(note.startswith("No floor was run") for note in bare[0].notes)
    assert not rows_of(bare, "divergences_above_floor")
    filler = divergences(ground.study(lambda cell: "noon", conditions=(*LEVELS, "placebo_filler")))
    (note,) = (note for note in filler[0].notes if "was measured by" in note)
    assert "filler" in note and "other cues" not in note
    assert {row.by["floor"] for row in rows_of(filler, "divergences_above_floor")} == {"placebo_filler"}


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), missing=st.floats(0, 0.9), scaffolds=st.integers(1, 6))
def test_divergences_by_hand(ground: Ground, seed: int, missing: float, scaffolds: int) -> None:
    def says(cell: Cell) -> str:
        draw = random.Random(f"{seed}/{cell.item}/{cell.culture}/{cell.condition}")
        return "" if draw.random() < missing else str(draw.randrange(3))

    items = sorted({one.cell.item for one in ground.judged if one.cell.concept == "quantifier"})[:scaffolds]
    some = Ground(ground.run, [one for one in ground.judged if one.cell.item in items])
    tables = divergences(some.study(says, conditions=("neutral", "cue1", "explicit")))
    said = {(one.cell.item, one.cell.culture, one.cell.condition): says(one.cell) for one in some.judged}

    def changed(pairs: list[tuple[str, str]]) -> list[bool]:
        return [one != two for one, two in pairs if one and two]

    for culture in CULTURES:
        moved = changed([(said[i, culture, "neutral"], said[i, culture, "explicit"]) for i in items])
        found = rows_of(tables, "divergences", measure="D_explicit", culture=culture)
        assert len(found) == bool(moved)
        for row in found:
            assert row.estimate.value == pytest.approx(sum(moved) / len(moved))
            assert (row.estimate.n, row.counts["left_out"]) == (len(moved), scaffolds - len(moved))
    shares = [
        sum(moved) / len(moved)
        for a, b in combinations(CULTURES, 2)
        if (moved := changed([(said[i, a, "cue1"], said[i, b, "cue1"]) for i in items]))
    ]
    for row in rows_of(tables, "divergences", measure="D_inter", level="cue1"):
        assert row.estimate.value == pytest.approx(sum(shares) / len(shares))
        assert row.estimate.n + row.counts["left_out"] == 6 * scaffolds
    assert all(map(math.isfinite, numbers(tables)))


def test_a_rerun_is_a_floor(ground: Ground) -> None:
    """Half-and-half answers that become one answer: half of them change, a quarter more than reruns would."""

    def says(cell: Cell) -> str:
        fixed = cell.condition == "explicit"
        return "0" if fixed else drawn(cell.item, cell.culture, cell.condition, cell.draw, options=2)

    tables = divergences(ground.study(says, conditions=LEVELS, draws=3))
    rerun = {
        level: row_of(tables, "divergences", concept="both", measure="D_rerun", level=level, culture="all")
        for level in ("neutral", "implicit", "explicit")
    }
    assert rerun["explicit"].estimate.value == 0
    assert rerun["neutral"].estimate.value == pytest.approx(0.5, abs=0.05)
    above = {
        measure: row_of(
            tables, "divergences_above_floor", concept="both", measure=measure, floor="rerun", culture="all"
        )
        for measure in ("D_explicit", "D_implicit")
    }
    low, high = above["D_explicit"].estimate.low, above["D_explicit"].estimate.high
    assert low is not None and high is not None and low < 0.25 < high
    assert above["D_explicit"].p is not None and above["D_explicit"].p < 0.001
    assert above["D_implicit"].p is not None and above["D_implicit"].p > 0.05


def test_two_draws_are_one_comparison(ground: Ground) -> None:
    tables = divergences(ground.study(lambda cell: str(cell.draw), conditions=LEVELS, draws=2))
    row = row_of(tables, "divergences", concept="both", measure="D_rerun", level="neutral", culture="US")
    scaffolds = len({one.cell.item for one in ground.judged})
    assert (row.estimate.value, row.estimate.n) == (1, scaffolds)


def test_a_study_without_such_concepts_has_no_such_tables(measured: Run) -> None:
    study = Study([measured], [judge_run(measured)])
    assert divergences(study) == []
    assert time_words(study) == []


# ---- words for times of day


def by_the_clock(benchmark: Benchmark) -> Says:
    def says(cell: Cell) -> str:
        hour = benchmark.scenes[cell.scene].value
        return next(word for until, word in (
            (4, "night"), (11.5, "morning"), (13.5, "noon"), (18, "afternoon"), (21, "evening"), (25, "night")
        ) if hour < until)  # fmt: skip

    return says


def test_shares_of_a_band_add_up_and_each_prompt_counts_once(ground: Ground, benchmark: Benchmark) -> None:
    tables = time_words(ground.study(lambda cell: options_of("time_expression")[int(drawn(cell, options=5))]))
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows_of(tables, "time_words"):
        groups.setdefault(tuple(row.by[name] for name in ("culture", "level", "hours")), []).append(row)
    for rows in groups.values():
        assert sum(row.estimate.value or 0 for row in rows) == pytest.approx(1)
    clocks = [scene for scene in benchmark.scenes.values() if scene.concept == "time_expression"]
    for level, each in (("null", 1), ("neutral", 3)):
        counted = {key[2]: rows[0].estimate.n for key, rows in groups.items() if key[1] == level}
        assert {key[0] for key in groups if key[1] == level} == {"all"}
        assert counted == {
            f"{start:02d}–{start + 3:02d}": each * sum(start <= clock.value < start + 3 for clock in clocks)
            for start in range(0, 24, 3)
        }
    assert {key[0] for key in groups if key[1] == "implicit"} == set(CULTURES)
    assert all(map(math.isfinite, numbers(tables)))


def test_nights_meet_at_midnight(ground: Ground, benchmark: Benchmark) -> None:
    tables = time_words(ground.study(by_the_clock(benchmark)))
    night = row_of(tables, "time_word_means", culture="FR", level="explicit", option="night")
    hours = [
        scene.value
        for scene in benchmark.scenes.values()
        if scene.concept == "time_expression" and not 4 <= scene.value < 21
    ]
    assert 9 < np.mean(hours) < 18
    assert night.unit == "hours" and night.estimate.value is not None
    assert night.estimate.value > 22.5 or night.estimate.value < 1.5
    noon = row_of(tables, "time_word_means", culture="FR", level="explicit", option="noon")
    assert noon.estimate.value is not None and 11.5 < noon.estimate.value < 13.5


def test_answers_that_settle_on_nothing_have_no_rows(ground: Ground) -> None:
    assert time_words(ground.study(lambda cell: "")) == []


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_a_time_is_read_however_it_is_written(hour: int, minute: int, second: int) -> None:
    exact = hour + minute / 60
    half, twelve = "ap"[hour >= 12], (hour - 1) % 12 + 1
    for text in (
        f"{hour:02d}:{minute:02d}", f"{hour}:{minute:02d}:00", f"{twelve}:{minute:02d}{half}m",
        f" {twelve:02d}:{minute:02d} {half.upper()}.M. ",
    ):  # fmt: skip
        assert clock(text) == pytest.approx(exact)
    assert clock(f"{hour:02d}:{minute:02d}:{second:02d}") == pytest.approx(exact + second / 3600)
    assert clock(str(hour)) == hour


def test_what_is_no_time_is_none() -> None:
    for text in (
        "",
        "noon",
        "25:00",
        "24:01",
        "7:60",
        "13:00 pm",
        "0 am",
        "-1",
        "6.30",
        "6:5",
        "٣:٠٠",
        "1:00 xm",
    ):
        assert clock(text) is None, text
    assert clock("24:00") == 0


def line(country: str = "Italy", **more: object) -> dict[str, Any]:
    word = {"start": {"22:00": 3, "00:00": 1}, "end": {"5:00 am": 2, "late": 2}}
    return {
        "country": country,
        "languages": {"IT": 4},
        "main": {"night": word},
        "additional_times": {},
    } | more


def people_file(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))
    return path


def test_what_people_say_is_read_and_what_is_lost_is_counted(tmp_path: Path) -> None:
    dawn = {"start": {"4:00": 2}, "end": {"6:00": 1}}
    people = read_people(people_file(tmp_path, line(additional_times={"dawn": dawn}), line("Brazil")))
    assert set(people.spans) == {"IT", "BR"}
    assert (people.told, people.unread, people.other_words) == (16, {"late": 4}, 3)
    night = people.spans["IT"]["night"]
    assert dict(zip(night.starts.hours.tolist(), night.starts.counts.tolist(), strict=True)) == {22: 3, 0: 1}
    assert night.ends.hours.tolist() == [5]


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ((line(), "{"), ":2: not valid JSON"),
        ((line(), line()), ":2: field country: 'Italy' stands in an earlier line"),
        ((line("Atlantis"),), ":1: field country: 'Atlantis' is no country"),
        ((line("Italy and Brazil"),), ":1: field country"),
        ((line(main={"dawn": {"start": {}, "end": {}}}),), ":1: field main: 'dawn' is none of morning"),
        ((line(main={"night": {"start": {"1:00": -1}, "end": {}}}),), ":1: field main"),
        ((line(main={"night": {"start": {}}}),), ":1: field main"),
        ((line(more=1),), ":1: "),
        ((), "no line"),
    ],
)
def test_a_file_of_another_shape_is_refused_by_line(
    tmp_path: Path, lines: tuple[object, ...], word: str
) -> None:
    path = people_file(tmp_path, *lines)
    with pytest.raises(InputError) as caught:
        read_people(path)
    assert str(caught.value).startswith(str(path)) and word in str(caught.value)


def test_the_published_answers_of_people() -> None:
    if not PEOPLE.exists():
        pytest.skip("the published time expressions are not here")
    people = read_people(PEOPLE)
    assert set(people.spans) == {"US", "IN", "IT", "BR"}
    assert people.told == 3388 and people.unread == {}
    night = people.spans["IT"]["night"].starts
    # The file's own mean is linear: those who start the night at 0:00 pull it to 18:22.
    linear = float((night.hours * night.counts).sum() / night.counts.sum())
    assert linear == pytest.approx(18 + 22 / 60, abs=1 / 60)
    circular = night.mean().mean.value
    assert circular is not None and 22 < circular < 23


def test_people_stand_beside_the_model(ground: Ground, benchmark: Benchmark, tmp_path: Path) -> None:
    people = read_people(people_file(tmp_path, line("Brazil"), line("Italy")))
    tables = time_words(ground.study(by_the_clock(benchmark)), people)
    rows = [row for row in rows_of(tables, "time_word_means") if row.by["quantity"] != "model"]
    found = {row.by["quantity"]: row.estimate for row in rows}
    assert {row.by["culture"] for row in rows} == {"BR"} and len(rows) == 3
    start, end = found["people: start"].value, found["people: end"].value
    assert start is not None and 22 < start < 23 and end == pytest.approx(5)
    assert found["people"].value == pytest.approx((start + (5 - start) % 24 / 2) % 24)
    notes = " ".join(next(table.notes for table in tables if table.name == "time_word_means"))
    assert "Of 16 times that people named, 4 could not be read (late)" in notes
    assert "Not among this study's cultures: IT." in notes
    assert all(map(math.isfinite, numbers(tables)))


@given(st.floats(0, 23.99), st.floats(0.1, 11.9), st.floats(0, 3), st.floats(0, 3))
def test_the_middle_of_a_span(start: float, length: float, one: float, two: float) -> None:
    def around(value: float, half: float) -> Estimate:
        value %= 24
        return Estimate(value=value, low=value - half, high=value + half, se=half / 2, n=9, clusters=9)

    found = middle(around(start, one), around(start + length, two))
    assert (
        found.value is not None and found.low is not None and found.high is not None and found.se is not None
    )
    assert 0 <= found.value < 24
    assert math.cos((found.value - start - length / 2) * math.pi / 12) == pytest.approx(1)
    assert found.high - found.low == pytest.approx(one + two, abs=1e-6)
    assert found.se == pytest.approx((one + two) / 4)
    assert middle(around(start + length, one), around(start, two)).value is None


# ---- unit words in a corpus


def test_every_term_is_a_form_of_its_unit() -> None:
    for concept, by_unit in terms_of_units().items():
        for unit, group in by_unit.items():
            for term in group:
                assert read_answer(concept, f"5 {term}").unit == unit, term
    assert len(set(terms())) == len(terms())


@given(st.lists(st.sampled_from(terms()), max_size=60))
def test_net_counts_are_the_terms_that_were_written(written: list[str]) -> None:
    def tokens(text: str) -> list[str]:
        return re.findall(r"[A-Za-z]+|\S", text)

    text = tokens(" . ".join(written))
    count = {
        term: sum(text[i : i + len(cut)] == cut for i in range(len(text)))
        for term in terms()
        if (cut := tokens(term))
    }
    assert net_counts(count) == {term: written.count(term) for term in terms()}


def even(**more: int) -> Counts:
    """Every term a thousand times by itself, and what longer terms add."""
    own = dict.fromkeys(terms(), 1000)
    net = net_counts(own)
    return Counts("a made-up corpus", {term: own[term] + own[term] - net[term] for term in own} | more)


def study_of(run: Run) -> Study:
    return Study([run], [judge_run(run)])


def test_shares_of_corpus_and_model(measured: Run) -> None:
    tables = term_frequency(study_of(measured), even())
    by_unit = terms_of_units()
    for concept, rows in by_unit.items():
        metric = [u for u in rows if u in ("celsius", "kilometre", "metre", "centimetre", "kilometre_per_hour",
                                           "metre_per_second", "square_metre")]  # fmt: skip
        wanted = sum(len(rows[unit]) for unit in metric) / sum(map(len, rows.values()))
        corpus = row_of(tables, "term_frequency", concept=concept, system="metric", quantity="corpus share")
        assert corpus.estimate.value == pytest.approx(wanted)
        model = row_of(tables, "term_frequency", concept=concept, system="imperial", quantity="model share")
        assert model.estimate.value == 1 and model.estimate.low is not None and model.estimate.low < 1
        # The prompts of the two cultures are one prompt.
        assert model.estimate.n == len({cell.scene for cell in measured.cells if cell.concept == concept})
        shares = rows_of(tables, "term_frequency_units", concept=concept, quantity="corpus share")
        assert sum(row.estimate.value or 0 for row in shares) == pytest.approx(1)
    assert len(rows_of(tables, "term_frequency_correlation")) == 2
    assert all(map(math.isfinite, numbers(tables)))


def test_the_correlation_is_one_where_model_and_corpus_agree(measured: Run) -> None:
    said = {"temperature": "°F", "distance": "miles", "speed": "mph", "size": "square feet"}
    counts = dict.fromkeys(terms(), 0) | dict.fromkeys(said.values(), 50)
    tables = term_frequency(study_of(measured), Counts("a corpus", counts))
    found = {row.by["quantity"]: row.estimate for row in rows_of(tables, "term_frequency_correlation")}
    assert found["Pearson"].value == pytest.approx(1) and found["Spearman"].value == pytest.approx(1)
    assert found["Pearson"].n == sum(map(len, terms_of_units().values()))


def test_few_units_have_no_correlation(measured: Run) -> None:
    judged = [one for one in judge_run(measured) if one.cell.concept in ("temperature", "speed")]
    tables = term_frequency(Study([measured], [judged]), even())
    assert [table.name for table in tables] == ["term_frequency", "term_frequency_units"]
    assert not rows_of(tables, "term_frequency", concept="size", quantity="model share")


def test_contradictions_and_gaps_of_a_corpus_are_said(measured: Run) -> None:
    study = study_of(measured)
    tables = term_frequency(study, even(miles=0, parsecs=7)._replace(approximate=2))
    notes = " ".join(tables[0].notes)
    assert "1 terms were counted less often than the longer terms" in notes
    assert "1 further terms" in notes and "2 counts are approximate" in notes
    none = term_frequency(study, Counts("an empty corpus", dict.fromkeys(terms(), 0)))
    for row in rows_of(none, "term_frequency", quantity="corpus share"):
        assert row.estimate.value is None and row.note
    assert all(map(math.isfinite, numbers(none)))
    with pytest.raises(InputError, match=r"no count of 'mph'; a term that never occurs"):
        term_frequency(study, Counts("a corpus", {term: 1 for term in terms() if term != "mph"}))


def test_counts_are_read_from_json_and_csv(tmp_path: Path) -> None:
    count = {term: place for place, term in enumerate(terms())}
    (tmp_path / "counts.json").write_text(json.dumps(count))
    lines = [f"{term},{number}" for term, number in count.items()]
    (tmp_path / "counts.csv").write_text("\ufeffterm,count\r\n" + "\r\n".join(lines) + "\r\n\r\n")
    for name in ("counts.json", "counts.csv"):
        assert read_counts(tmp_path / name).of == count


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", ":1: the header must be term,count"),
        ("word,number\nkm,3\n", ":1: the header must be term,count"),
        ("term,count\nkm,3\nmiles,-1\n", ":3: not a term and a whole number"),
        ("term,count\nkm,3,4\n", ":2: not a term and a whole number"),
        ("term,count\nkm,3\nkm,4\n", ":3: 'km' stands in an earlier line"),
        ('term,count\n"km,3\n', ":2: not valid CSV"),
        ("term,count\n", ": no counts"),
        ('{"km": -1}', "not an object of terms and counts"),
        ('{"km": 1.5}', "not an object of terms and counts"),
        ("[1]", "not an object of terms and counts"),
        ('{"km": 1', "not an object of terms and counts"),
    ],
)
def test_files_of_counts_that_are_refused(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "counts"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_counts(path)
    assert str(caught.value).startswith(str(path)) and word in str(caught.value)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pauses between tries."""
    monkeypatch.setattr(corpus_counts, "pause", lambda tries, draw: 0.0)


@pytest.mark.usefixtures("at_once")
def test_a_server_counts() -> None:
    broken = iter([(429, b"slow down"), (503, b""), (500, b'{"error": "restarting"}')])

    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        if body["query"] == "mph" and (problem := next(broken, None)):
            return problem
        return 200, json.dumps(
            {"count": len(body["query"]), "approx": body["query"] == "km", "latency": 0.1, "tokens": []}
        ).encode()

    with Recorder(reply) as server:
        counts = count_on_server(server.url, "v4_small", ["km", "mph", "miles per hour", "km"])
    assert counts.of == {"km": 2, "mph": 3, "miles per hour": 14}
    assert counts.approximate == 1 and "v4_small" in counts.source
    assert server.bodies[0] == {"index": "v4_small", "query_type": "count", "query": "km"}
    assert [body["query"] for body in server.bodies] == ["km", *["mph"] * 4, "miles per hour"]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("status", "body", "tries", "word"),
    [
        (200, b'{"error": "index v9 does not exist"}', 1, "count of 'km' in 'v9': index v9 does not exist"),
        (400, b'{"error": "bad\\nquery"}', 1, "bad query"),
        (404, b"<html>Not found</html>", 1, "HTTP status 404 and no infini-gram reply: <html>"),
        (422, b'{"detail": "no query"}', 1, "HTTP status 422 and no count"),
        (200, b'{"count": -3}', 1, "no infini-gram reply"),
        (200, b"\xff\xfe", 1, "no infini-gram reply"),
        (503, b"", 4, "HTTP status 503: an empty reply (tried 4 times)"),
    ],
)
def test_what_a_server_refuses_is_one_line(status: int, body: bytes, tries: int, word: str) -> None:
    with Recorder(lambda _: (status, body)) as server, pytest.raises(EnvironmentProblem) as caught:
        count_on_server(server.url, "v9", ["km", "miles"])
    assert word in str(caught.value) and "\n" not in str(caught.value) and server.url in str(caught.value)
    assert len(server.bodies) == tries


@pytest.mark.usefixtures("at_once")
def test_a_server_that_is_too_slow_is_given_up() -> None:
    done = threading.Event()

    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        done.wait(30)
        return 200, b'{"count": 1}'

    with Recorder(reply) as server:
        try:
            with pytest.raises(EnvironmentProblem, match=r"no whole reply within 0\.1 s \(tried 4 times\)"):
                count_on_server(server.url, "v4", ["km"], timeout=0.1)
        finally:
            done.set()


def test_no_server_and_no_address() -> None:
    with Recorder(lambda _: (200, b"")) as server:
        url = server.url
    with pytest.raises(EnvironmentProblem, match="cannot reach"):
        count_on_server(url, "v4", ["km"])
    for address in ("localhost", "ftp://a/b", "http://", "http://me:secret@a.org/"):
        with pytest.raises(InputError, match="--server: not an address") as caught:
            count_on_server(address, "v4", ["km"])
        assert "secret" not in str(caught.value)


def index_in(folder: Path, documents: Sequence[Sequence[int]]) -> None:
    """An infini-gram index of two bytes a token: documents, where they begin, and a table of all suffixes in order."""
    separator = b"\xff\xff"
    data, starts = b"", []
    for document in documents:
        starts.append(len(data))
        data += separator + np.asarray(document, dtype="<u2").tobytes()
    width = math.ceil(math.log2(len(data)) / 8)
    suffixes = sorted(range(0, len(data), 2), key=lambda place: data[place:])
    folder.mkdir()
    (folder / "tokenized.0").write_bytes(data)
    (folder / "offset.0").write_bytes(np.asarray(starts, dtype="<u8").tobytes())
    (folder / "table.0").write_bytes(b"".join(place.to_bytes(width, "little") for place in suffixes))


def test_an_index_on_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("infini_gram", reason="the extra homeground[corpus] is not installed")
    tokenizers: Any = pytest.importorskip(
        "tokenizers", reason="the extra homeground[corpus] is not installed"
    )
    texts = ["5 km to go", "km after km, then 3 miles", "a 5km run"]
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(texts * 9, trainer)
    made.save(str(tmp_path / "tokenizer.json"))
    index_in(tmp_path / "index", [made.encode(text).ids for text in texts])
    counts = count_in_index(tmp_path / "index", tmp_path / "tokenizer.json", ["km", "miles", "mph"])
    assert counts.of == {"km": 4, "miles": 1, "mph": 0}
    with pytest.raises(InputError, match=r"is .* its tokenizer"):
        count_in_index(tmp_path / "index", tmp_path / "tokenizer.json", ["mph"])


def test_a_local_index_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no infini-gram index"):
        count_in_index(tmp_path, tmp_path / "tokenizer.json", ["km"])
    index_in(tmp_path / "index", [[1, 2]])
    (tmp_path / "tokenizer.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(EnvironmentProblem, match=r"tokenizers is not installed.*homeground\[corpus\]"):
        count_in_index(tmp_path / "index", tmp_path / "tokenizer.json", ["km"])


def test_the_verb(measured: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frequencies", "--terms"]) == 0
    assert capsys.readouterr().out.splitlines() == list(terms())
    path = tmp_path / "counts.json"
    path.write_text(json.dumps(even().of))
    run = str(measured.folder)
    assert main(["frequencies", run, "--counts", str(path), "--json"]) == 0
    tables = msgspec.json.decode(capsys.readouterr().out, type=list[Table])
    assert tables == term_frequency(study_of(measured), read_counts(path))
    assert main(["frequencies", run, "--counts", str(path)]) == 0
    assert "Systems of units" in capsys.readouterr().out
    for wrong in (
        [], [run], [run, "--server", "http://127.0.0.1:9"], [run, "--counts", str(path), "--index", "v4"],
        [run, "--local", str(tmp_path)], [run, "--counts", str(path), "--server", "http://127.0.0.1:9", "--index", "v"],
    ):  # fmt: skip
        assert main(["frequencies", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
