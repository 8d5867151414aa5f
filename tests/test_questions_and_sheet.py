"""Question files and their defects; the page on which residents check cues."""

import json
from pathlib import Path

import pytest

from homeground.annotate import cue_sheet
from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.errors import InputError
from homeground.questions import audit_question, load_questions
from homeground.schema import Gold, Question
from tests.conftest import SHARED


def flags(question: str, answers: tuple[str | Gold, ...] | None, culture: str | None = None) -> list[str]:
    item = Question(id="q", question=question, answers=answers)
    return [flag.guideline for flag in audit_question(item, culture).flags]


def test_defects_of_the_item() -> None:
    assert flags("What do people drink?", ("um galão",)) == []
    assert flags("What do people drink?", None) == ["F1"]
    assert flags("What do people drink?", ()) == ["F1"]
    assert flags("What do people drink?", ("",)) == ["F2"]
    assert flags("What do people drink?", (Gold(forms=(" ",)),)) == ["F2"]
    assert flags("How many?", ("1",)) == ["F3"]
    assert flags("How many?", (Gold(forms=("one", "1"), count=4),)) == ["F3"]


def test_a_named_country_is_flagged() -> None:
    assert flags("What is eaten in Portugal?", ("caldo verde",), "PT") == ["D1"]
    assert flags("What is eaten in Brazil?", ("caldo verde",), "PT") == []
    assert flags("What is eaten in Brazil?", ("caldo verde",)) == ["D1"]
    assert flags("What is the breakfast called?", ("pão",)) == []


def test_shared_audit_cases() -> None:
    path = SHARED / "cases" / "audit.jsonl"
    if not path.is_file():
        pytest.skip("the shared audit cases are not beside this checkout")
    cases = [json.loads(line) for line in path.read_text().splitlines()]
    for case, question in zip(cases, load_questions(path, unique=False), strict=True):
        found = {flag.guideline for flag in audit_question(question).flags}
        if not case["main"]:
            assert found == set(), case
        assert set(case["main"]) <= found, case


def test_broken_question_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(
        '{"id": "1", "question": "Why?", "answers": ["so"]}\n{"id": "2", "question": 3, "answers": []}\n'
    )
    with pytest.raises(InputError, match=r"q\.jsonl:2: field question"):
        load_questions(path)
    path.write_text('{"id": "1", "question": " ", "answers": ["so"]}\n')
    with pytest.raises(InputError, match=r"q\.jsonl:1: field question: empty"):
        load_questions(path)
    path.write_text("\n")
    with pytest.raises(InputError, match="no questions"):
        load_questions(path)


def test_the_audit_prints_a_line_an_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "1", "question": "What of France?", "answers": ["wine"], "extra": 1}\n')
    assert main(["audit", str(path), "--json"]) == 0
    (flag,) = json.loads(capsys.readouterr().out)["flags"]
    assert (flag["guideline"], flag["evidence"]) == ("D1", "France")
    assert main(["audit", str(path)]) == 0
    assert "1 of 1 questions flagged" in capsys.readouterr().out


def test_the_cue_sheet_shows_every_cue_in_its_sentence(benchmark: Benchmark) -> None:
    page = cue_sheet(benchmark, "FR")
    values = {cue.value for (_, code), pair in benchmark.cues.items() if code == "FR" for cue in pair.cues}
    assert page.count("<li>") == len({(c.kind, c.value) for (_, k), p in benchmark.cues.items() if k == "FR"
                                      for c in p.cues})  # fmt: skip
    assert all(
        f"<mark>{value.replace('&', '&amp;').replace(chr(39), '&#39;')}</mark>" in page for value in values
    )
    assert "{cue" not in page
    with pytest.raises(InputError, match="unknown culture 'XX'"):
        cue_sheet(benchmark, "XX")
