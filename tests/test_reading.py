"""Reading answers: the cases in twenty languages, any text made of real words, and work that is bounded."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeground.judging import read_answer
from homeground.judging.explain import explain
from homeground.judging.lines import as_json
from homeground.judging.reader import ABOUTS, About
from homeground.judging.text import fold
from homeground.judging.tokens import Tokens
from homeground.judging.units import convert, units
from homeground.schema import CONCEPTS
from tests.conftest import SHARED

CASES = Path(__file__).parent / "cases"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


MEASURES = rows(CASES / "measures.jsonl")
SHARED_MEASURES = rows(SHARED / "cases" / "measures.jsonl")
WORDS = sorted({word for row in MEASURES for word in re.findall(r"\S+|\s", row["answer"])})
PIECES = sorted({piece for word in WORDS for piece in re.findall(r"\w+|[^\w\s]+", word)})


def check(row: dict[str, Any]) -> None:
    """A reading agrees with what a case expects, in the words of ``--json``."""
    said = as_json(row["concept"], read_answer(row["concept"], row["answer"]))
    expected = dict(row["expected"])
    expected.pop("reason", None)
    ambiguous = isinstance(expected.get("currency"), list)
    assert said["status"] == expected.pop("status", "ambiguous" if ambiguous else "ok"), (row, said)
    value = expected.pop("value", None)
    if value is not None:
        assert said["value"] == pytest.approx(tuple(value) if isinstance(value, list) else value), (row, said)
    for key, right in expected.items():
        assert said.get(key) == right, (key, row, said)


def test_own_cases() -> None:
    assert len(MEASURES) >= 400
    assert len({row["language"] for row in MEASURES}) >= 15
    for row in MEASURES:
        check(row)


def test_shared_cases() -> None:
    if not SHARED_MEASURES:
        pytest.skip("the shared answer-reading cases are not beside this checkout")
    for row in SHARED_MEASURES:
        check(row)


@settings(max_examples=300)
@given(st.sampled_from(ABOUTS), st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_text_of_real_words_is_read(about: About, words: list[str]) -> None:
    text = "".join(words)
    reading = read_answer(about, text, golds=("galão", "7"))
    assert reading == read_answer(about, text, golds=("galão", "7"))
    if reading.span is not None:
        assert 0 <= reading.span[0] < reading.span[1] <= len(text)
    assert as_json(about, reading)["status"] == reading.status


@settings(max_examples=300)
@given(st.sampled_from(CONCEPTS), st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from(["", " "]))
def test_any_text_of_pieces_of_words_is_read_and_explained(
    about: About, pieces: list[str], between: str
) -> None:
    text = between.join(pieces)
    found = explain(about, text)
    assert found.reading == read_answer(about, text)
    for piece in found.evidence:
        assert text[slice(*piece.span)] == piece.text


@pytest.mark.parametrize(
    "row", [row for row in MEASURES if row["kind"] in ("unit_word", "abbreviation", "grouping")]
)
def test_what_stands_around_an_answer_changes_nothing(row: dict[str, Any]) -> None:
    alone = read_answer(row["concept"], row["answer"])
    for before, after in (("", "\n"), ("\n\n", ""), ("<think>104 °F, $5, 3 miles</think>", ""), ("**", "**")):
        around = read_answer(row["concept"], before + row["answer"] + after)
        assert (around.status, around.found, around.value) == (alone.status, alone.found, alone.value), row


@pytest.mark.parametrize("piece", ["9 ", "百", "5 m ", "$5 ", "a ", "word ", "two ", "5-", "1/2 "])
@pytest.mark.parametrize("about", ["temperature", "distance", "speed", "size", "price"])
def test_the_work_does_not_grow_with_a_text_that_is_no_answer(about: About, piece: str) -> None:
    """Of a long text the places are counted where a number was looked for: their number has a bound."""
    from homeground.judging import measures, money

    looked = []
    for size in (20_000, 80_000):
        tokens = Tokens(piece * size)
        if about == "price":
            money.find_money(tokens)
        else:
            measures.find_measures(about, tokens)  # type: ignore[arg-type]
        looked.append(len(tokens.memo))
    assert looked[1] <= looked[0] + 10
    assert looked[1] < 20_000


@pytest.mark.parametrize("about", ["temperature", "distance", "price"])
def test_the_end_of_a_long_text_is_read(about: About) -> None:
    answers = {"temperature": "It is 30 °C.", "distance": "It is 5 km away.", "price": "It costs €5."}
    for filler in ("word ", "a ", "9 ", "two "):
        text = filler * 100_000 + answers[about]
        reading = read_answer(about, text)
        assert reading.status == "ok", filler
        assert reading.span is not None
        assert reading.span[0] >= len(text) - 20


def test_a_country_at_either_end_of_a_long_text_is_found() -> None:
    for text in ("France. " + "word " * 200_000, "word " * 200_000 + "It is France."):
        reading = read_answer("country", text)
        assert reading.found == ("FR",)
        assert reading.span is not None
        assert text[slice(*reading.span)] == "France"


def test_a_dropped_and_a_doubled_character_do_not_hide_each_other() -> None:
    text = "㎞\ufe0f then 5 °C"
    assert len(fold(text, 0, len(text)).text) == len(text)
    reading = read_answer("temperature", text)
    assert reading.span is not None
    assert text[slice(*reading.span)] == "5 °C"
    text = "\ufe0f5 °C and ㎞"
    reading = read_answer("temperature", text)
    assert reading.span is not None
    assert text[slice(*reading.span)] == "5 °C"


@given(st.text())
def test_folding_knows_where_everything_came_from(text: str) -> None:
    folded = fold(text, 0, len(text))
    assert len(folded.text) == len(folded.origin)
    assert list(folded.origin) == sorted(folded.origin)


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
     ("25º C", "25° C"), ("３０ｋｍ", "30km"), ("۸۵۰", "850"), ("२५", "25"), ("m²", "m2"), ("2½", "2½"), ("−5", "-5"),
     ("25^\\circ\\text{C}", "25°C"), ("m<sup>2</sup>", "m2"), ("25&deg;C", "25°C"), ("\\$5", "$5"),
     ("$25^\\circ$C", "25°C"),
     ("ﾄﾞﾙ", "ドル"), ("1.5 \\times 10^{3} m", "1.5e3 m"), ("5\u200f km", "5 km"), ("$5", "$5"), ("5′3″", "5'3\"")],
)  # fmt: skip
def test_compatibility_forms_are_folded(raw: str, folded: str) -> None:
    assert fold(raw, 0, len(raw)).text == folded


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("<think>France</think>Japan", ["JP"]),
        ("maybe China</think>Japan", ["JP"]),
        ("[THINK]China[/THINK] Japan", ["JP"]),
        ("◁think▷China◁/think▷Japan", ["JP"]),
        ("<seed:think>China</seed:think>Japan", ["JP"]),
        ("<|START_THINKING|>China<|END_THINKING|>Japan", ["JP"]),
        ("<|begin_of_thought|>China<|end_of_thought|>Japan", ["JP"]),
        (
            "<|channel|>analysis<|message|>China<|end|><|start|>assistant<|channel|>final<|message|>Japan",
            ["JP"],
        ),
        ("analysisThe user may be from China.assistantfinalJapan", ["JP"]),
        ("<think>China</think><think>India</think>Japan", ["JP"]),
        ("<think>China</think>Japan<think>India</think>", ["JP"]),
        ("<think>China", []),
        ("Japan <think>or China", []),
        ("<think>China</think>Japan<think>or", []),
        ("I think Japan", ["JP"]),
        ("analysis of the cues: Japan", ["JP"]),
    ],
)
def test_reasoning_blocks_are_left_out(answer: str, found: list[str]) -> None:
    assert list(read_answer("country", answer).found) == found


def test_units_convert_both_ways() -> None:
    known = units().unit
    assert convert(212, "fahrenheit", "celsius") == pytest.approx(100)
    assert convert(0, "celsius", "kelvin") == pytest.approx(273.15)
    assert convert(1, "mile_per_hour", "kilometre_per_hour") == pytest.approx(1.609344)
    assert convert(10, "pyeong", "square_metre") == pytest.approx(33.06, abs=0.01)
    assert convert(1, "foot", "celsius") is None
    for name, unit in known.items():
        base = next(n for n, u in known.items() if u.dimension == unit.dimension)
        there = convert(2.5, name, base)
        assert there is not None
        assert convert(there, base, name) == pytest.approx(2.5)
