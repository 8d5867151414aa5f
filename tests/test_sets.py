"""How well sets tell models apart, what they have left to tell, and plain against oracle, on simulated runs."""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from homeground.benchmarks import Benchmark
from homeground.errors import InputError
from homeground.experiments.oracle import oracle
from homeground.experiments.sets import ItemSet, sets, tables_of
from homeground.experiments.study import Study, open_study
from homeground.experiments.table import Row, Table
from homeground.plan.cells import select
from homeground.schema import OBJECTIVE
from homeground.statistics.exhaustion import exhaustion
from tests.simulated import simulated_run

SKILLS = {"openai:none": 0.0, "openai:some": 0.5, "openai:all": 1.0, "openai:twin": 1.0}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, benchmark: Benchmark) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sets")
    some = select(
        sample=90, conditions=["null", "implicit", "explicit"], strategies=["pragmatic"], tasks=["question"]
    )
    simulated_run(folder / "four", benchmark, some, SKILLS)
    simulated_run(folder / "one", benchmark, some, {"openai:all": 1.0})
    simulated_run(folder / "part", benchmark, some, SKILLS, missing=range(0, 300, 3))
    cue = select(sample=20, conditions=["cue1"], tasks=["question"])
    simulated_run(folder / "cue1", benchmark, cue)
    return {path.name: path for path in folder.iterdir()}


@cache
def opened(folder: Path) -> Study:
    return open_study([folder])


def named(tables: list[Table]) -> dict[str, Table]:
    return {table.name: table for table in tables}


def by(table: Table, **wanted: str) -> list[Row]:
    return [row for row in table.rows if all(row.by[name] == value for name, value in wanted.items())]


def test_models_apart_are_told_apart(runs: dict[str, Path]) -> None:
    table = named(sets(opened(runs["four"])))["discriminative_power"]
    (implicit,), (null,) = by(table, level="implicit"), by(table, level="null")
    assert implicit.counts == {"models": 4, "pairs": 6, "draws": 1}
    # The twins are one of six pairs.
    assert implicit.estimate.value is not None
    assert 3 / 6 <= implicit.estimate.value <= 5 / 6
    assert null.estimate.value == 0
    assert implicit.estimate.n == null.estimate.n


def test_equal_numbers_of_items(runs: dict[str, Path]) -> None:
    study = opened(runs["four"])
    concepts = study.frame.concept
    small, large = concepts.is_("size"), concepts.is_(*OBJECTIVE) & ~concepts.is_("size")
    table = named(tables_of([ItemSet("small", study, small), ItemSet("large", study, large)]))[
        "discriminative_power"
    ]
    for level in ("null", "implicit", "explicit"):
        one, two = by(table, level=level, set="small")[0], by(table, level=level, set="large")[0]
        assert one.estimate.n == two.estimate.n
        assert (one.counts["draws"], two.counts["draws"]) == (1, 20)
        assert "20 draws" in two.note
        assert one.note == ""
    alone = named(tables_of([ItemSet("large", study, large)]))["discriminative_power"]
    assert by(alone, level="implicit")[0].estimate.n > by(table, level="implicit", set="large")[0].estimate.n


def test_two_studies_over_the_models_they_share(runs: dict[str, Path]) -> None:
    four, part = opened(runs["four"]), opened(runs["part"])
    table = named(sets(four, part))["discriminative_power"]
    assert {row.counts["models"] for row in table.rows} == {4}
    assert len({row.by["set"] for row in table.rows}) == 2
    tables = named(sets(four, opened(runs["one"])))
    assert tables["exhaustion"].signature == f"{four.signature} + {opened(runs['one']).signature}"
    assert tables["discriminative_power"].rows == ()
    assert any("One model alone" in note for note in tables["discriminative_power"].notes)
    assert {row.note for row in by(tables["exhaustion"], quantity="best model")} == {"openai:all/pragmatic"}


def test_exhaustion_is_what_the_answers_say(runs: dict[str, Path]) -> None:
    study = opened(runs["four"])
    rights: dict[tuple[str, str], dict[str, bool]] = {}
    for judgement in study.frame.judgements:
        cell = judgement.cell
        if cell.condition == "implicit" and judgement.correct is not None:
            rights.setdefault((cell.item, cell.culture), {})[cell.model] = judgement.correct
    matrix = np.array([[right[model] for right in rights.values()] for model in SKILLS])
    expected = exhaustion(matrix, clusters=[item.partition("/")[0] for item, _ in rights])
    table = named(sets(study))["exhaustion"]
    found = {row.by["quantity"]: row for row in by(table, level="implicit")}
    assert expected.best is not None
    assert found["best model"].note == f"{list(SKILLS)[expected.best]}/pragmatic"
    assert found["best model"].estimate.value == expected.accuracy.value
    assert found["headroom"].estimate.value == expected.headroom.value
    assert found["no model gets"].estimate.value == len(expected.nobody) / expected.items
    assert found["every model gets"].estimate.value == len(expected.everybody) / expected.items
    lower = named(sets(study, ceiling=0.5))["exhaustion"]
    (headroom,) = by(lower, level="implicit", quantity="headroom")
    assert headroom.estimate.value is not None
    assert found["headroom"].estimate.value == pytest.approx(headroom.estimate.value + 0.5)


def test_discrimination_comes_with_its_caution(runs: dict[str, Path]) -> None:
    tables = named(sets(opened(runs["four"])))
    (median,) = by(tables["exhaustion"], level="implicit", quantity="median item discrimination")
    assert median.estimate.value is not None
    assert 0 < median.estimate.value <= 1
    for name in ("exhaustion", "item_discrimination"):
        assert any("no item should be dropped" in note for note in tables[name].notes)
    listed = tables["item_discrimination"].rows
    assert len(listed) == min(20, median.counts["negative"])
    values = [row.estimate.value or 0 for row in listed]
    assert values == sorted(values)
    assert all(value < 0 for value in values)
    (null,) = by(tables["exhaustion"], level="null", quantity="median item discrimination")
    assert null.estimate.value is None
    assert null.note


def test_items_not_all_models_answered_are_left_out(runs: dict[str, Path]) -> None:
    whole, part = opened(runs["four"]), opened(runs["part"])
    tables = named(sets(part))
    for row in tables["discriminative_power"].rows:
        (full,) = by(named(sets(whole))["discriminative_power"], level=row.by["level"])
        assert row.estimate.n < full.estimate.n
    assert any("left out" in note for note in tables["discriminative_power"].notes)


def test_one_model_has_headroom_but_no_pair(runs: dict[str, Path]) -> None:
    tables = named(sets(opened(runs["one"])))
    assert tables["discriminative_power"].rows == ()
    assert tables["item_discrimination"].rows == ()
    assert by(tables["exhaustion"], level="implicit", quantity="headroom")[0].estimate.value is not None


def test_the_same_seed_gives_the_same(runs: dict[str, Path]) -> None:
    study = opened(runs["four"])
    assert sets(study, opened(runs["part"]), seed=3) == sets(study, opened(runs["part"]), seed=3)


def test_nothing_is_nan(runs: dict[str, Path]) -> None:
    for name in runs:
        for table in [*sets(opened(runs[name])), *oracle(opened(runs[name]))]:
            for row in table.rows:
                e = row.estimate
                numbers = (e.value, e.low, e.high, e.se, row.p, row.holm)
                assert not any(number is not None and math.isnan(number) for number in numbers)
                assert e.value is not None or row.note
                assert set(row.by) == set(table.columns)


# ---- plain against oracle -------------------------------------------------------------------------------


@dataclass
class _Counted:
    plain: int = 0
    told: int = 0
    both: int = 0
    n: int = 0


def test_plain_and_oracle_as_counted_by_hand(runs: dict[str, Path]) -> None:
    study = opened(runs["four"])
    right: dict[str, dict[tuple[str, str, str], bool]] = {"implicit": {}, "explicit": {}, "null": {}}
    for judgement in study.frame.judgements:
        cell = judgement.cell
        if judgement.correct is not None:
            right[cell.condition][cell.model, cell.item, cell.culture] = judgement.correct
    (table,) = oracle(study)
    for model in SKILLS:
        count = _Counted()
        for key, plain in right["implicit"].items():
            if key[0] == model:
                told = right["explicit"][key]
                count.plain, count.told, count.both = (
                    count.plain + plain,
                    count.told + told,
                    count.both + (plain and told),
                )
                count.n += 1
        found = {row.by["quantity"]: row for row in by(table, model=model)}
        assert list(found) == ["plain", "oracle", "gap", "plain where oracle"]
        assert found["plain"].estimate.value == count.plain / count.n
        assert found["oracle"].estimate.value == count.told / count.n
        gap = found["gap"]
        assert gap.estimate.value == pytest.approx((count.told - count.plain) / count.n)
        assert gap.counts == {"only_first": count.told - count.both, "only_second": count.plain - count.both}
        assert gap.p is not None
        assert gap.holm is not None
        assert gap.holm >= gap.p
        assert found["plain where oracle"].estimate.value == (count.both / count.told if count.told else None)


def test_any_two_conditions(runs: dict[str, Path]) -> None:
    study = opened(runs["four"])
    (table,) = oracle(study, "null", "implicit")
    assert "level null" in table.notes[0]
    (gap,) = by(table, model="openai:all", quantity="gap")
    assert gap.estimate.low is not None
    assert gap.estimate.low > 0.2
    (back,) = oracle(study, "implicit", "null")
    (turned,) = by(back, model="openai:all", quantity="gap")
    assert turned.estimate.value == -(gap.estimate.value or 0)
    for pair in (("null", "cue1"), ("null", "null"), ("null", "")):
        with pytest.raises(InputError, match="there are: null, implicit, explicit"):
            oracle(study, *pair)


def test_without_either_pair_there_is_a_word(runs: dict[str, Path]) -> None:
    (table,) = oracle(opened(runs["cue1"]))
    assert table.rows == ()
    assert "plain and oracle" in table.notes[0]


def test_what_one_condition_lacks_is_counted(runs: dict[str, Path]) -> None:
    (table,) = oracle(opened(runs["part"]))
    assert any("left out" in note for note in table.notes)
    for model in SKILLS:
        assert len({row.estimate.n for row in by(table, model=model)[:3]}) == 1
