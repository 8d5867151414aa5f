"""The analysis of a validation study from its export: who is left out, what adds up, what no order of lines changes."""

import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from homeground.annotate.analysis import Analysis, Export, analyse, excluded, read_export
from homeground.annotate.analysis.agreement import agreement_on, read_as
from homeground.annotate.analysis.answers import Answers
from homeground.annotate.analysis.write import write_analysis
from homeground.annotate.lines import Exclusion, Group, PersonLine
from homeground.cli import main
from homeground.errors import InputError
from homeground.experiments.people_ceiling import read_ceiling
from homeground.experiments.table import Row, Table
from homeground.report.formats import csv as as_csv
from homeground.schema import Concept
from homeground.statistics.accuracy import accuracy
from homeground.statistics.ceiling import CeilingPart
from tests.exported import answer_line, made_up_export, person_line, study_line, write_export

HOSTILE = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\u202e=1", "<script>", "a\x1b[31mb", "", "x" * 500]
GROUPS: tuple[Group, ...] = (
    "evaluation", "evaluation", "evaluation", "evaluation", "control", "control", "control", "control", "attention",
    "attention", "attention",
)  # fmt: skip
CONCEPTS: tuple[Concept, ...] = ("temperature", "price")


@st.composite
def exports(draw: st.DrawFn, cultures: Sequence[str] = ("FR", "US")) -> Export:
    """Any study of up to five people, with withdrawn people, hostile words and gaps."""
    people = [person_line(f"p{number}", cultures[number % len(cultures)]) for number in range(5)]
    culture_of = {line.person: line.culture for line in people}
    given = draw(
        st.lists(
            st.tuples(
                st.integers(-1, 4), st.integers(0, len(GROUPS) - 1), st.sampled_from([True, False, None])
            ),
            unique_by=lambda one: one[:2],
            max_size=40,
        )
    )
    answers = []
    for number, item, correct in given:
        name = f"p{number}" if number >= 0 else ""
        group = GROUPS[item]
        answers.append(
            answer_line(
                name, f"i{item}", bool(correct) if group == "attention" else correct, group=group,
                culture=culture_of.get(name, cultures[0]), concept=CONCEPTS[item % 2],
                found=draw(st.sampled_from([("metric",), ("imperial", "metric"), ()])),
                seconds=draw(st.none() | st.floats(0, 1e6)), other=draw(st.booleans()),
                unit=draw(st.sampled_from(HOSTILE)),
            )
        )  # fmt: skip
    rules = Exclusion(
        control_share=draw(st.floats(0, 1)), control_fewest=draw(st.integers(1, 4)),
        attention_missed=draw(st.integers(0, 3)),
    )  # fmt: skip
    study = study_line(cultures, CONCEPTS, exclusion=rules, simulated=draw(st.booleans()))
    return Export(study, tuple(answers), tuple(people))


def table(found: Analysis, name: str) -> Table:
    return next(one for one in found.tables if one.name == name)


def row(of: Table, **by: str) -> Row:
    (found,) = [one for one in of.rows if by.items() <= one.by.items()]
    return found


# ---- who is left out --------------------------------------------------------------------------------


@given(exports(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_evaluation_answer_decides_who_is_left_out(export: Export, draw: random.Random) -> None:
    other = [
        replace(line, correct=draw.choice((True, False, None)), found=(), value="nonsense", seconds=1.0)
        if line.group == "evaluation"
        else line
        for line in export.answers
        if line.group != "evaluation" or draw.random() < 0.7
    ]
    rules = export.study.exclusion
    assert excluded(other, rules) == excluded(export.answers, rules)


@given(exports())
@settings(max_examples=60)
def test_the_rules_say_exactly_who_is_left_out(export: Export) -> None:
    rules, found = export.study.exclusion, excluded(export.answers, export.study.exclusion)
    assert "" not in found
    for person in {line.person for line in export.answers} - {""}:
        mine = [line for line in export.answers if line.person == person]
        control = [line.correct for line in mine if line.group == "control" and line.correct is not None]
        missed = sum(line.correct is False for line in mine if line.group == "attention")
        few = len(control) >= rules.control_fewest and sum(control) / len(control) < rules.control_share
        broken = {"control"} if few else set()
        broken |= {"attention"} if missed > rules.attention_missed else set()
        assert set(found[person].rules if person in found else ()) == broken


def test_rules_have_bounds() -> None:
    for text, field in (
        ('{"control_share": 1.5}', "control_share"),
        ('{"control_share": -0.1}', "control_share"),
        ('{"control_fewest": 0}', "control_fewest"),
        ('{"attention_missed": -1}', "attention_missed"),
        ('{"accuracy": 0.5}', "accuracy"),
    ):
        with pytest.raises(msgspec.ValidationError, match=field):
            msgspec.json.decode(text, type=Exclusion)
    with pytest.raises(msgspec.ValidationError, match="control_share"):
        msgspec.convert({"control_share": float("nan")}, Exclusion)
    assert msgspec.json.decode("{}", type=Exclusion) == Exclusion()


# ---- what adds up -----------------------------------------------------------------------------------


def counts(parts: Sequence[CeilingPart]) -> list[int]:
    return [
        sum(getattr(getattr(part, when), what) for part in parts)
        for when in ("before", "after")
        for what in ("right", "asked")
    ]


@given(exports())
@settings(max_examples=60)
def test_counts_add_up_before_and_after(export: Export) -> None:
    found = analyse(export)
    ceiling = found.ceiling
    total = counts([ceiling.total])
    assert counts(list(ceiling.by_concept.values())) == total
    assert counts(list(ceiling.by_culture.values())) == total
    assert counts([part for cells in ceiling.by_cell.values() for part in cells.values()]) == total
    judged = [line for line in export.answers if line.group == "evaluation" and line.correct is not None]
    assert total[:2] == [sum(bool(line.correct) for line in judged), len(judged)]
    gone = {one.person for one in found.excluded}
    kept = [line for line in judged if line.person not in gone]
    assert total[2:] == [sum(bool(line.correct) for line in kept), len(kept)]
    assert total[2] <= total[0] and total[3] <= total[1]
    # Whoever has withdrawn is nobody, and so is never left out.
    assert sum(not line.person for line in kept) == sum(not line.person for line in judged)
    assert ceiling.withdrawn == sum(not line.person for line in export.answers)
    assert (ceiling.people, ceiling.excluded) == (len({a.person for a in export.answers} - {""}), len(gone))
    for of in found.tables:
        if of.name == "people_table_6":
            sums = {r.by["quantity"]: r.estimate for r in of.rows if r.by["culture"] == "all"}
            cells = [r for r in of.rows if r.by["culture"] != "all"]
            for quantity, estimate in sums.items():
                mine = [r.estimate for r in cells if r.by["quantity"] == quantity]
                assert estimate.n == sum(one.n for one in mine)
                if quantity not in ("evaluation", "control"):
                    assert estimate.value == sum(one.value or 0 for one in mine)


@given(exports())
@settings(max_examples=60)
def test_every_number_is_one_and_lies_in_its_interval(export: Export) -> None:
    found = analyse(export)
    for of in found.tables:
        assert ("Simulated" in of.title) == export.study.simulated == ("|simulated:true|" in of.signature)
        assert of.rows
        for one in of.rows:
            e = one.estimate
            assert all(math.isfinite(v) for v in (e.value, e.low, e.high, e.se) if v is not None)
            if one.unit == "share" and e.value is not None:
                assert 0 <= e.value <= 1 and e.n > 0
            if (
                e.low is not None
                and e.high is not None
                and e.value is not None
                and of.name != "people_agreement"
            ):
                assert e.low - 1e-9 <= e.value <= e.high + 1e-9
    assert "nan" not in msgspec.json.encode(found.tables).decode().lower()


@given(exports(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_lines_changes_no_byte(export: Export, draw: random.Random) -> None:
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("one", "two"):
            answers, people = list(export.answers), list(export.people)
            if name == "two":
                draw.shuffle(answers)
                draw.shuffle(people)
            folder = write_export(Path(scratch) / name, export.study, answers, people)
            results.append(msgspec.json.encode(analyse(read_export(folder))))
    assert results[0] == results[1]


@given(exports())
@settings(max_examples=25)
def test_no_cell_of_the_csv_is_a_formula(export: Export) -> None:
    people = [replace(line, person=f"=1+{line.person}") for line in export.people]
    answers = [replace(line, person=line.person and f"=1+{line.person}") for line in export.answers]
    strict = replace(export.study, exclusion=Exclusion(control_share=1, control_fewest=1, attention_missed=0))
    for of in analyse(Export(strict, tuple(answers), tuple(people))).tables:
        for cells in csv.reader(io.StringIO(as_csv(of))):
            for cell in cells:
                assert not cell.startswith(("=", "+", "@", "\t", "\r")), cell
                assert not cell.startswith("-") or float(cell) <= 0


# ---- by hand ----------------------------------------------------------------------------------------


def small() -> Export:
    """Two people of France, one who has withdrawn, one of the United States, who have no control group."""
    answers = [
        *(answer_line("a", f"e{i}", i < 3, scaffold=f"e{i}", seconds=10.0 * (i + 1)) for i in range(4)),
        *(
            answer_line("a", f"c{i}", True, group="control", found=("imperial",), seconds=None)
            for i in range(3)
        ),
        answer_line("b", "e0", True, scaffold="x", seconds=None, unit="Jō", other=True),
        answer_line("b", "e1", False, scaffold="y", found=(), seconds=None, unit=" jō", other=True),
        *(answer_line("b", f"c{i}", False, group="control", found=(), seconds=None) for i in range(3)),
        answer_line("", "e2", False, scaffold="z", found=("imperial",), seconds=None),
        answer_line("u", "v0", True, culture="US", found=("imperial",), scaffold="v", seconds=None),
        *(answer_line("u", f"l{i}", False, group="attention", culture="US") for i in range(2)),
    ]
    people = (person_line("a"), person_line("b", tries=2), person_line("u", "US"))
    return Export(study_line(), tuple(answers), people)


def test_a_small_study_by_hand() -> None:
    found = analyse(small())
    assert [(one.person, one.rules, one.control, one.attention) for one in found.excluded] == [
        ("b", ("control",), (0, 3), (0, 0)),
        ("u", ("attention",), (0, 0), (2, 2)),
    ]
    of = table(found, "people_accuracy_by_concept")
    assert {(r.by["group"], r.by["exclusion"]): (r.estimate.value, r.estimate.n) for r in of.rows
            if r.by["concept"] == "all"} == {
        ("evaluation", "before"): (5 / 8, 8), ("evaluation", "after"): (3 / 5, 5),
        ("control", "before"): (3 / 6, 6), ("control", "after"): (1.0, 3),
    }  # fmt: skip
    # Each answer has a conversation of its own, so that way is the larger: 8/7 · Σ (y − ȳ)² / n².
    e = row(of, concept="all", group="evaluation", exclusion="before").estimate
    assert e.se == pytest.approx(math.sqrt(8 / 7 * 1.875 / 64))
    assert e.clusters == 4  # a, b, u and whoever withdrew
    table_6 = table(found, "people_table_6")
    assert {r.by["quantity"]: r.estimate.value for r in table_6.rows if r.by["culture"] == "FR"} == {
        "people": 2, "out": 1, "answers": 13, "kept": 8, "evaluation": 3 / 5, "control": 1,
    }  # fmt: skip
    american = {r.by["quantity"]: r.estimate.value for r in table_6.rows if r.by["culture"] == "US"}
    assert american == {"people": 1, "out": 1, "answers": 1, "kept": 0, "evaluation": None}
    seconds = table(found, "people_seconds")
    assert [r.estimate.value for r in seconds.rows if r.by["concept"] == "temperature"] == [17.5, 25.0, 32.5]
    units = {r.by["typed"]: r.estimate.value for r in table(found, "people_units").rows
             if r.by["concept"] == "temperature"}  # fmt: skip
    assert units == {"any": 2, "“jō”": 2}
    assert found.priming == (
        "Priming: 12 of 15 answers right (80\N{NO-BREAK SPACE}%). "
        "Comprehension check: 2 of 3 people tried it once, 1 more often."
    )
    assert any("people who withdrew: 1." in note for note in of.notes)
    assert found.ceiling.by_culture["US"].after.estimate is None


def test_intervals_hold_where_conversations_differ() -> None:
    """People of four cultures on the same 23 conversations of one concept, three answers each; 200 such studies."""
    draw = random.Random(5)
    truth = sum(1 / (1 + math.exp(-draw.gauss(2.2, 1))) for _ in range(100_000)) / 100_000
    covered, by_person = 0, 0
    for _ in range(200):
        answers = []
        for item in range(23):
            right = 1 / (1 + math.exp(-draw.gauss(2.2, 1)))
            for culture in ("FR", "JP", "KR", "US"):
                for person in draw.sample(range(12), 3):
                    name, correct = f"{culture}{person}", draw.random() < right
                    answers.append(
                        answer_line(name, f"{culture}{item}", correct, culture=culture, scaffold=str(item))
                    )
        found = Answers(study_line(), tuple(answers), {}, (), ()).share("evaluation", after=False)
        alone = accuracy([bool(a.correct) for a in answers], [a.person for a in answers])
        covered += (found.low or 0) <= truth <= (found.high or 0)
        by_person += (alone.low or 0) <= truth <= (alone.high or 0)
    assert 0.92 <= covered / 200 <= 0.99
    assert by_person / 200 < 0.9


def test_agreement_is_on_the_system_or_currency_read_first() -> None:
    lines = [
        answer_line("a", "one", True, found=("metric", "imperial")), answer_line("b", "one", True, found=("metric",)),
        answer_line("a", "two", True, found=("metric",)), answer_line("b", "two", False, found=()),
        answer_line("a", "three", True, found=("imperial",)),
    ]  # fmt: skip
    assert [read_as(line) for line in lines] == ["metric", "metric", "metric", "none", "imperial"]
    assert (agreement_on(lines).raw.value, agreement_on(lines).raw.n) == (0.5, 2)
    assert agreement_on(lines[-1:]).raw.value is None
    assert agreement_on([]).raw.value is None


def test_a_part_is_analysed_under_the_exclusions_of_the_whole() -> None:
    export = small()
    moved = tuple(replace(a, concept="price") if a.group == "control" else a for a in export.answers)
    found = analyse(Export(export.study, moved, export.people), cultures=["FR"], concepts=["temperature"])
    assert [one.person for one in found.excluded] == ["b"]
    assert found.ceiling.by_cell.keys() == {"FR"}
    assert (found.ceiling.total.after.right, found.ceiling.total.after.asked) == (3, 5)
    for wrong in ({"cultures": ["Fr"]}, {"concepts": ["prices"]}):
        with pytest.raises(InputError, match="did you mean"):
            analyse(export, **wrong)


@pytest.mark.parametrize("people", [(), (person_line("a"),)])
def test_a_study_without_answers_has_nothing_to_tell(people: tuple[PersonLine, ...]) -> None:
    found = analyse(Export(study_line(), (), people))
    assert found.tables == []
    assert found.ceiling.total.before.estimate is None


def test_one_person_has_a_share_and_no_interval() -> None:
    answers = tuple(answer_line("a", f"e{i}", i > 0) for i in range(4))
    found = analyse(Export(study_line(), answers, (person_line("a"),)))
    share = found.ceiling.total.after
    assert (share.right, share.asked, share.low, share.high) == (3, 4, None, None)
    assert all(r.by["group"] == "evaluation" for r in table(found, "people_accuracy_by_concept").rows)


def test_each_answer_of_somebody_who_withdrew_counts_as_a_person() -> None:
    answers = tuple(answer_line("", f"e{i}", i > 0) for i in range(4))
    share = analyse(Export(study_line(), answers, ())).ceiling.total.after
    assert (share.right, share.asked, share.clusters) == (3, 4, 4)
    assert share.low is not None


def test_rules_made_after_the_first_answer_are_told() -> None:
    export = small()
    late = replace(export.study, fixed="2026-03-05T00:00:00+00:00")
    for study, said in ((export.study, False), (late, True)):
        found = analyse(Export(study, export.answers, export.people))
        notes = " ".join(table(found, "people_exclusion").notes)
        assert ("after the first answer (2026-03-02)" in notes) == said


# ---- files and the command --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    export = small()
    return write_export(tmp_path / "export", export.study, export.answers, export.people)


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1, err
    return err


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"study": "another"}, "study"), ({"culture": "JP"}, "culture"), ({"concept": "speed"}, "concept"),
        ({"concept": "weight"}, "concept"), ({"asked": "US"}, "asked"), ({"group": "evaluate"}, "group"),
        ({"person": "nobody"}, "person"), ({"person": "u"}, "culture"), ({"item": "e0"}, "item"),
        ({"seconds": -1}, "seconds"), ({"seconds": "long"}, "seconds"), ({"found": "metric"}, "found"),
        ({"correct": "yes"}, "correct"), ({"name": "Ann"}, "name"), ({"made": 3}, "made"),
        ({"group": "attention"}, "concept"), ({"group": "attention", "concept": "", "correct": None}, "correct"),
        ({"group": "control"}, "asked"), ({"made": "yesterday"}, "made"),
    ],
)  # fmt: skip
def test_a_broken_answer_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], field: str
) -> None:
    path = folder / "answers.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | change)
    path.write_text("\n".join(lines))
    said = refused(capsys, "annotate", "analyse", folder)
    assert f"{path}:2: " in said and field in said


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("study.json", "{", "study.json: not valid JSON"),
        ("study.json", '{"id": 3}', "study.json: field id"),
        ("people.jsonl", '{"person": "a"}', "people.jsonl:1: Object missing required field culture"),
        ("people.jsonl", "{}\n", "people.jsonl:1: "),
        ("answers.jsonl", "\n\n{", "answers.jsonl:3: not valid JSON"),
        ("answers.jsonl", b"\xff", "answers.jsonl:1: "),
    ],
)
def test_a_broken_file_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | bytes, said: str
) -> None:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    assert said in refused(capsys, "annotate", "analyse", folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"person": ""}, "people.jsonl:2: field person: empty"),
        ({"person": "a"}, "people.jsonl:2: field person: 'a' stands in an earlier line"),
        ({"culture": "JP"}, "people.jsonl:2: field culture: 'JP' is none of FR, US"),
        ({"priming_right": 9}, "people.jsonl:2: field priming_right: 9 right of 5 asked"),
    ],
)
def test_a_broken_person_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], said: str
) -> None:
    path = folder / "people.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | change)
    path.write_text("\n".join(lines))
    assert said in refused(capsys, "annotate", "analyse", folder)


def test_a_folder_that_is_no_export_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such folder" in refused(capsys, "annotate", "analyse", tmp_path / "none")
    assert "it has no study.json" in refused(capsys, "annotate", "analyse", tmp_path)
    study = json.loads(msgspec.json.encode(study_line()))
    (tmp_path / "study.json").write_text(json.dumps(study | {"kind": "cue-check"}))
    assert "study.json: field kind" in refused(capsys, "annotate", "analyse", tmp_path)
    (tmp_path / "study.json").write_text(json.dumps(study | {"fixed": "soon"}))
    assert "study.json: field fixed" in refused(capsys, "annotate", "analyse", tmp_path)


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    accepted: dict[str, dict[Concept, tuple[str, ...]]] = {
        code: dict.fromkeys(CONCEPTS, ("metric",)) for code in ("FR", "JP", "US")
    }
    return made_up_export(
        tmp_path_factory.mktemp("made-up") / "export",
        "capri-1@0",
        list(accepted),
        CONCEPTS,
        accepted=accepted,
    )


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "latex", "json"])
def test_every_form_says_that_people_are_simulated(
    made_up: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert (
        main(["annotate", "analyse", str(made_up), *(["--json"] if form == "json" else ["--format", form])])
        == 0
    )
    out = capsys.readouterr().out
    tables = len(analyse(read_export(made_up)).tables)
    if form == "json":
        said = json.loads(out)
        assert said["simulated"] is said["ceiling"]["simulated"] is True
        assert len(said["tables"]) == tables
    elif form == "text":
        assert max(map(len, out.splitlines())) <= 80
        assert out.count("Simulated: a program made these answers up") == tables
    else:
        assert out.count("simulated:true") >= tables


def test_the_files_are_the_tables_and_the_ceiling(made_up: Path, tmp_path: Path) -> None:
    assert main(["annotate", "analyse", str(made_up), "-o", str(tmp_path), "--table", "people_table_5"]) == 0
    found = analyse(read_export(made_up))
    assert read_ceiling(tmp_path / "people.json") == found.ceiling
    names = {f"{of.name}.{ending}" for of in found.tables for ending in ("csv", "md", "tex")}
    assert {path.name for path in (tmp_path / "tables").iterdir()} == names
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    write_analysis(found, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_analysing_needs_nothing_of_the_annotate_extra(made_up: Path) -> None:
    code = (
        "import sys\nfor name in ('sqlalchemy', 'fastapi', 'alembic', 'uvicorn', 'python_multipart'):\n"
        "    sys.modules[name] = None\n"
        "from homeground.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "annotate", "analyse", str(made_up), "--table", "people_seconds"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "median" in done.stdout


def test_withdrawing_moves_nobody_else(made_up: Path) -> None:
    """When a person withdraws, all that was kept of others stays; their own answers can no longer be left out."""
    export = read_export(made_up)
    gone = analyse(export).excluded[0].person
    answers = tuple(replace(a, person="") if a.person == gone else a for a in export.answers)
    people = tuple(p for p in export.people if p.person != gone)
    before, after = analyse(export), analyse(Export(export.study, answers, people))
    assert {one.person for one in before.excluded} - {one.person for one in after.excluded} == {gone}
    mine = [a for a in export.answers if a.person == gone and a.group == "evaluation"]
    assert after.ceiling.total.after.asked == before.ceiling.total.after.asked + len(mine)
    assert after.ceiling.total.before.asked == before.ceiling.total.before.asked
