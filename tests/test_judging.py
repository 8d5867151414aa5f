"""Judges: the shared cases, the traps other tools fell into, any text at all, and the two rulebooks."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.judging import Asked, judge_answer, read_answer
from homeground.prompts import marker
from homeground.schema import Answer, Cell, Concept, Culture, Judgement, Level, Strategy, Task
from tests.conftest import SHARED

CONCEPT_NAMES: list[Concept] = [
    "temperature", "distance", "speed", "size", "price", "time_expression", "quantifier",
]  # fmt: skip
CASES = Path(__file__).parent / "cases"


def culture(code: str) -> Culture:
    from homeground.cultures import cultures_of

    return cultures_of("capri", (code,))[0]


def judged(
    code: str, concept: Concept, text: str, task: Task = "question", strategy: Strategy = "direct"
) -> Judgement:
    level: Level = "implicit"
    cell = Cell(
        item="i", scene="s", template="t", concept=concept, culture=code, condition=level, task=task,
        strategy=strategy, model="m",
    )  # fmt: skip
    answer = Answer(text=text, finish_reason="stop", prompt_tokens=0, completion_tokens=0, seconds=0)
    return judge_answer(cell, "k", answer, Asked({code: culture(code)}))


def _shared(name: str) -> list[dict[str, object]]:
    path = SHARED / "cases" / name
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_shared_measures() -> None:
    cases = _shared("measures.jsonl")
    if not cases:
        pytest.skip("the shared answer-reading cases are not beside this checkout")
    for case in cases:
        expected = case["expected"]
        assert isinstance(expected, dict)
        reading = read_answer(case["concept"], str(case["answer"]))  # type: ignore[arg-type]
        assert reading.status == expected.get("status", "ok"), case
        for key in ("system", "option", "currency", "first"):
            if key in expected:
                assert reading.found[0] == expected[key], case
        if "system" in expected:
            assert reading.unit == expected["unit"], case
        if "value" in expected:
            assert reading.value == pytest.approx(expected["value"]), case


def test_shared_countries() -> None:
    cases = _shared("countries.jsonl")
    if not cases:
        pytest.skip("the shared answer-reading cases are not beside this checkout")
    for case in cases:
        assert list(read_answer("country", str(case["answer"])).found) == case["countries"], case


def test_own_cases() -> None:
    lines = (CASES / "answers.jsonl").read_text().splitlines()
    assert len(lines) > 60
    for line in lines:
        case = json.loads(line)
        reading = read_answer(case["about"], case["answer"])
        assert (reading.status, list(reading.found)) == (case["status"], case["found"]), case


@given(st.sampled_from([*CONCEPT_NAMES, "country"]), st.text())
def test_any_text_is_read(about: Concept, text: str) -> None:
    reading = read_answer(about, text)
    assert reading == read_answer(about, text)
    if reading.span is not None:
        start, end = reading.span
        assert 0 <= start < end <= len(text)


MESSY = st.text(alphabet="0123456789 .,'°CFmkhftin²×x$€¥£R-–()*<>/think\n", max_size=200)


@given(st.sampled_from([*CONCEPT_NAMES, "country"]), MESSY)
def test_any_text_of_numbers_and_units_is_read(about: Concept, text: str) -> None:
    read_answer(about, text)


@pytest.mark.parametrize("piece", ["9", "1 ", "1,", "9 m ", "a ", "$", "<think>", "not ", "half ", "5'", " "])
@pytest.mark.parametrize("about", [*CONCEPT_NAMES, "country"])
def test_long_texts_are_read(about: Concept, piece: str) -> None:
    """A quadratic reader would not come back from this within the suite's patience."""
    read_answer(about, piece * 30_000)


def test_rulebooks_differ_where_they_should() -> None:
    both = judged("FR", "temperature", "40 °C (104 °F)")
    assert (both.correct, both.published, both.hedged) == (False, True, True)
    wrong = judged("FR", "temperature", "104 °F")
    assert (wrong.correct, wrong.published, wrong.hedged) == (False, False, False)
    right = judged("US", "temperature", "104 °F")
    assert (right.correct, right.published) == (True, True)
    local = judged("KR", "size", "10 pyeong")
    assert (local.correct, local.published) == (True, False)
    yen = judged("JP", "price", "¥500")
    assert yen.reading.status == "ambiguous"
    assert yen.correct
    assert judged("CN", "price", "¥500").correct
    assert not judged("US", "price", "¥500").correct
    assert not judged("US", "price", "R$ 500").published
    assert judged("GB", "speed", "30 mph").correct
    assert judged("GB", "temperature", "30 °C").correct


def test_background_and_subjective() -> None:
    assert judged("FR", "price", "France", "background").correct
    assert not judged("FR", "price", "France or Belgium", "background").correct
    assert judged("FR", "price", "France or Belgium", "background").published
    assert not judged("IN", "price", "Indiana", "background").correct
    option = judged("FR", "time_expression", "evening")
    assert option.correct is None
    assert option.published is None
    assert option.reading.found == ("evening",)


def test_only_what_follows_the_marker_counts() -> None:
    text = f"The user is French, not American, so no 86 °F.\n{marker()} 30 °C"
    assert judged("FR", "temperature", text, strategy="pragmatic").correct
    unmarked = judged("FR", "temperature", "I think 30 °C", strategy="pragmatic")
    assert unmarked.reading.status == "none"
    assert not unmarked.correct
    assert not unmarked.published


def test_a_filtered_answer_is_a_refusal() -> None:
    cell = judged("FR", "price", "x").cell
    answer = Answer(text="", finish_reason="content_filter", prompt_tokens=0, completion_tokens=0, seconds=0)
    assert judge_answer(cell, "k", answer, Asked({"FR": culture("FR")})).reading.status == "refused"
